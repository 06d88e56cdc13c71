//! Syntax definitions and the parser. Only this module uses the highlighting library.

use std::str::FromStr;

use syntect::easy::HighlightLines;
use syntect::highlighting::{Color, HighlightState, ScopeSelectors, StyleModifier, Theme, ThemeItem, ThemeSettings};
use syntect::parsing::{ParseState, SyntaxSet};

use super::Coloured;
use benchdog_base::text::last_part;
use benchdog_theme::Scope;

/// Maximum length of a highlighted line in bytes. The parser would need seconds for longer lines.
const LONGEST_LINE: usize = 2_000;

/// Selectors of the syntax definitions and their theme scopes. The library chooses the most specific match.
const SELECTORS: &[(&str, Scope)] = &[
    ("comment, punctuation.definition.comment", Scope::SyntaxComment),
    (
        "string, constant.character, punctuation.definition.string, markup.raw",
        Scope::SyntaxString,
    ),
    (
        "constant.numeric, constant.language, constant.other, support.constant",
        Scope::SyntaxNumber,
    ),
    (
        "keyword, storage, variable.language, entity.name.tag, markup.heading, meta.preprocessor",
        Scope::SyntaxKeyword,
    ),
    ("keyword.operator, punctuation", Scope::SyntaxPunctuation),
    (
        "entity.name.type, entity.name.class, entity.name.struct, entity.name.enum, entity.name.trait, support.type, \
         support.class, entity.other.inherited-class, entity.other.attribute-name, meta.mapping.key string, \
         entity.name.namespace",
        Scope::SyntaxType,
    ),
    (
        "entity.name.function, support.function, variable.function, support.macro, meta.annotation",
        Scope::SyntaxFunction,
    ),
    ("markup.inserted", Scope::DiffAddedSign),
    ("markup.deleted", Scope::DiffRemovedSign),
];

/// All syntaxes, and a library theme whose colours are indices into `SELECTORS`.
pub struct Assets {
    syntaxes: SyntaxSet,
    theme: Theme,
}

#[derive(Clone)]
pub(super) struct Progress {
    parse: ParseState,
    look: HighlightState,
}

impl Assets {
    pub(super) fn load() -> Self {
        let scopes = SELECTORS.iter().enumerate().filter_map(|(place, (selectors, _))| {
            Some(ThemeItem {
                scope: ScopeSelectors::from_str(selectors).ok()?,
                style: StyleModifier {
                    foreground: Some(numbered(u8::try_from(place + 1).ok()?)),
                    ..StyleModifier::default()
                },
            })
        });
        Self {
            syntaxes: two_face::syntax::extra_newlines(),
            theme: Theme {
                settings: ThemeSettings {
                    foreground: Some(numbered(0)),
                    ..ThemeSettings::default()
                },
                scopes: scopes.collect(),
                ..Theme::default()
            },
        }
    }

    /// Returns the parser state at the start of a text in this language. `None` for plain text or an unknown language.
    pub(super) fn begin(&self, language: &str) -> Option<Progress> {
        let name = language.split([',', ' ', '{']).next().unwrap_or_default();
        let name = last_part(name);
        if name.is_empty() {
            return None;
        }
        let extension = name.rsplit('.').next().unwrap_or_default();
        let syntax = [name, extension]
            .into_iter()
            .find_map(|token| self.syntaxes.find_syntax_by_token(token))?;
        if syntax.name == "Plain Text" {
            return None;
        }
        let (look, parse) = HighlightLines::new(syntax, &self.theme).state();
        Some(Progress { parse, look })
    }

    /// Highlights a line without its line break, and advances the parser state.
    pub(super) fn colour(&self, progress: &mut Progress, line: &str) -> Vec<Coloured> {
        if line.len() > LONGEST_LINE {
            return Vec::new();
        }
        let Progress { parse, look } = progress.clone();
        let mut walk = HighlightLines::from_state(&self.theme, look, parse);
        let ended = format!("{line}\n");
        let mut parts: Vec<Coloured> = Vec::new();
        if let Ok(pieces) = walk.highlight_line(&ended, &self.syntaxes) {
            let mut at = 0;
            for (style, piece) in pieces {
                let range = at..(at + piece.len()).min(line.len());
                at += piece.len();
                let place = usize::from(style.foreground.r).checked_sub(1);
                let Some((_, scope)) = place.and_then(|place| SELECTORS.get(place)) else {
                    continue;
                };
                match parts.last_mut() {
                    Some((last, same)) if last.end == range.start && same == scope => last.end = range.end,
                    _ if range.start < range.end => parts.push((range, *scope)),
                    _ => {}
                }
            }
        }
        let (look, parse) = walk.state();
        *progress = Progress { parse, look };
        parts
    }
}

fn numbered(place: u8) -> Color {
    Color {
        r: place,
        g: 0,
        b: 0,
        a: 255,
    }
}
