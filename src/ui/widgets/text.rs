//! Paints lines of the app. The role of each piece of text determines its theme scope.

use ratatui::layout::Rect;

use crate::brush::Brush;
use benchdog_app::line::{Line, Role};
use benchdog_theme::Scope;

pub(crate) fn scope(role: Role) -> Scope {
    match role {
        Role::Text | Role::User => Scope::Text,
        Role::Dim | Role::Output | Role::TableRule | Role::ListMark | Role::Thought => Scope::TextDim,
        Role::Bold => Scope::TextStrong,
        Role::Italic => Scope::TextEmphasis,
        Role::BoldItalic => Scope::TextStrong,
        Role::Strike => Scope::DiffDropped,
        Role::Heading1 | Role::Heading2 | Role::Heading3 => Scope::TextHeading,
        Role::InlineCode => Scope::TextCode,
        Role::Code => Scope::SyntaxPunctuation,
        Role::Link => Scope::TextLink,
        Role::Quote => Scope::TextQuote,
        Role::Label => Scope::RoleAgent,
        Role::Tool => Scope::TextBright,
        Role::Ok => Scope::StateOk,
        Role::Warning => Scope::StateUnknown,
        Role::Error => Scope::StateError,
        Role::Waiting => Scope::StateWaiting,
        Role::Hit => Scope::SelectedMatch,
    }
}

pub(crate) fn line(line: &Line, area: Rect, y: u16, brush: &mut Brush) {
    let mut x = area.x;
    for span in &line.spans {
        let taken = brush.scoped(x, y, area.right().saturating_sub(x), &span.text, scope(span.role));
        if let Some(link) = &span.link {
            brush.link(x, y, taken, link);
        }
        x += taken;
    }
}
