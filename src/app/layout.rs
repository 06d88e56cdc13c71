//! Where everything is: a pure function of the size and what is shown. `update` and `draw` read the same rectangles.

use ratatui::layout::Rect;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Pane {
    Files,
    Conversation,
    Prompt,
    Changes,
    Todo,
    Context,
}

impl Pane {
    pub(crate) const ALL: [Self; 6] = [
        Self::Files,
        Self::Conversation,
        Self::Prompt,
        Self::Changes,
        Self::Todo,
        Self::Context,
    ];
}

/// All three columns from here, conversation and side panes from `SIDE_FROM`, below that one column.
const FILES_FROM: u16 = 120;
const SIDE_FROM: u16 = 100;
const FILES_WIDTH: u16 = 26;
/// Columns of the side panes from so many columns of the window on: text of 36, 28 or 18, and air beside it.
const SIDE_WIDTHS: [(u16, u16); 3] = [(200, 38), (160, 30), (0, 20)];
/// Columns of air beside text.
const AIR: u16 = 1;
/// Below this the focused pane has the window to itself.
const SMALL_WIDTH: u16 = 40;
const SMALL_HEIGHT: u16 = 10;

/// The rectangles of one frame. A pane without one is not on the screen.
///
/// A pane's rectangle is its *inside*: its title stands in the row above it, the lines between panes in the columns
/// between. Rectangles of panes never overlap; completion, approval and dialog lie over them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Layout {
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// The window is too small for more than one pane: no titles, no lines.
    pub(crate) small: bool,
    pub(crate) files: Option<Rect>,
    pub(crate) conversation: Option<Rect>,
    pub(crate) prompt: Option<Rect>,
    pub(crate) changes: Option<Rect>,
    pub(crate) todo: Option<Rect>,
    pub(crate) context: Option<Rect>,
    /// Completion list, above the prompt.
    pub(crate) completion: Option<Rect>,
    /// Queued prompts and cards, between conversation and prompt.
    pub(crate) cards: Option<Rect>,
    /// The approval or question dialog with its border.
    pub(crate) approval: Option<Rect>,
    /// What lies inside the dialog's border and above its row of keys.
    pub(crate) approval_body: Option<Rect>,
    /// The row of keys inside the dialog's border.
    pub(crate) approval_keys: Option<Rect>,
    /// Picker, palette, help, confirm, error, with its border.
    pub(crate) dialog: Option<Rect>,
    /// The bottom row.
    pub(crate) status: Option<Rect>,
}

/// What the layout depends on, apart from the size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) focus: Pane,
    pub(crate) files: bool,
    /// The side panes that have something to show.
    pub(crate) side: SidePanes,
    /// What stands in the middle: a folded pane that was brought back, or the conversation whatever has the keyboard.
    pub(crate) over: Option<Pane>,
    /// Rows these would like to have.
    pub(crate) prompt_rows: u16,
    pub(crate) card_rows: u16,
    pub(crate) completion_rows: u16,
    pub(crate) changes_rows: u16,
    pub(crate) context_rows: u16,
    pub(crate) approval: Option<ApprovalSize>,
    /// The keyboard is in a pane above a request: some rows of it stay in view.
    pub(crate) reads: bool,
    pub(crate) dialog: Option<DialogSize>,
}

/// The panes of the side column. One without content has no place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SidePanes {
    pub(crate) todo: bool,
    pub(crate) context: bool,
    pub(crate) changes: bool,
}

impl SidePanes {
    pub(crate) fn any(self) -> bool {
        self.todo || self.context || self.changes
    }
}

/// What a dialog would like to have, border included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DialogSize {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    pub(crate) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Middle,
    /// At the edge: one chooses by the picture beside it.
    Edge,
}

/// The room that a request wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ApprovalSize {
    /// Rows of its content.
    pub(crate) rows: u16,
    pub(crate) above: Above,
}

/// What becomes of what lies above a request that is high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Above {
    /// Some of it stays in view.
    #[default]
    Stays,
    /// It gives way: there is a text to read.
    GivesWay,
}

/// From so many rows on some of what lies above a request stays in view, and how much at the least and at the most.
const ABOVE_FROM: u16 = 14;
const ABOVE: (u16, u16) = (3, 8);

/// Rows of a pane that has the keyboard stay beside a request, however low the window; the request has so many more.
const READ: u16 = 2;
const BESIDE_READ: u16 = 3;

/// Rows of a request from which on a line parts its keys from its content; lower ones have what stands there in their border.
const LINE_FROM: u16 = 10;

/// Which foldable panes have a column of their own at this width.
pub(crate) fn has_column(pane: Pane, width: u16) -> bool {
    match pane {
        Pane::Files => width >= FILES_FROM,
        Pane::Changes | Pane::Todo | Pane::Context => width >= SIDE_FROM,
        Pane::Conversation | Pane::Prompt => true,
    }
}

fn side_width(width: u16) -> u16 {
    let fits = SIDE_WIDTHS.iter().find(|(from, _)| width >= *from);
    fits.map_or(0, |(_, columns)| *columns)
}

/// The columns between files and side panes, air included.
struct Middle {
    left: u16,
    right: u16,
}

impl Middle {
    fn of(width: u16, files: bool, side: bool) -> Self {
        let files = files && has_column(Pane::Files, width);
        let side = side && has_column(Pane::Todo, width);
        // One more column is the line between.
        Self {
            left: if files { FILES_WIDTH + 1 } else { 0 },
            right: if side { width - side_width(width) - 1 } else { width },
        }
    }
}

/// Columns the prompt and the cards will have: their height depends on it, and the layout on that.
pub(crate) fn prompt_width(width: u16, height: u16, files: bool, side: bool) -> u16 {
    if is_small(width, height) {
        return width;
    }
    let Middle { left, right } = Middle::of(width, files, side);
    (right - left).saturating_sub(2 * AIR)
}

fn is_small(width: u16, height: u16) -> bool {
    width < SMALL_WIDTH || height < SMALL_HEIGHT
}

/// A rectangle with air at both sides.
pub(crate) fn padded(rect: Rect) -> Rect {
    Rect {
        x: rect.x + AIR,
        width: rect.width.saturating_sub(2 * AIR),
        ..rect
    }
}

/// What a dialog's border and the air in it leave of its rectangle.
pub(crate) fn inside(rect: Rect) -> Rect {
    if rect.width < 4 || rect.height < 3 {
        return Rect::ZERO;
    }
    padded(Rect::new(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 2))
}

/// A filtered dialog: the line of its filter, and the list below it.
pub(crate) fn filter_and_list(rect: Rect) -> (Rect, Rect) {
    let inside = inside(rect);
    let filter = inside.height.min(1);
    let list = Rect {
        y: inside.y + filter,
        height: inside.height - filter,
        ..inside
    };
    (
        Rect {
            height: filter,
            ..inside
        },
        list,
    )
}

pub(crate) fn compute(width: u16, height: u16, facts: &Facts) -> Layout {
    let mut layout = Layout {
        width,
        height,
        ..Layout::default()
    };
    if width == 0 || height == 0 {
        return layout;
    }
    if is_small(width, height) {
        small(&mut layout, facts);
    } else {
        full(&mut layout, facts);
    }
    layout.dialog = facts.dialog.map(|size| match size.place {
        Place::Middle => centred(width, height, size.columns, size.rows),
        Place::Edge => at_edge(&layout, size.columns, size.rows),
    });
    layout
}

/// One pane, the prompt and the bottom row, as far as there is room.
fn small(layout: &mut Layout, facts: &Facts) {
    layout.small = true;
    let (width, height) = (layout.width, layout.height);
    let mut rows = height;
    if rows >= 3 {
        rows -= 1;
        layout.status = Some(Rect::new(0, rows, width, 1));
    }
    let prompt = facts.prompt_rows.clamp(1, (rows / 3).max(1));
    rows -= prompt;
    layout.prompt = Some(Rect::new(0, rows, width, prompt));
    let cards = facts.card_rows.min(rows / 2);
    if cards > 0 {
        rows -= cards;
        layout.cards = Some(Rect::new(0, rows, width, cards));
    }
    if rows == 0 {
        return;
    }
    let main = Rect::new(0, 0, width, rows);
    let read = match facts.approval {
        Some(_) if facts.reads && rows >= READ + BESIDE_READ => READ,
        _ => 0,
    };
    put(layout, main_pane(facts), main);
    complete(layout, facts, rows);
    if let Some(size) = facts.approval {
        let area = Rect {
            y: read,
            height: rows - read,
            ..main
        };
        let top = approve(layout, area, size.rows);
        if read > 0 {
            put(layout, main_pane(facts), Rect { height: top, ..main });
        }
    }
}

/// The pane in the middle: the conversation, unless the person went to a pane that has no column of its own.
fn main_pane(facts: &Facts) -> Pane {
    facts.over.unwrap_or(match facts.focus {
        Pane::Prompt => Pane::Conversation,
        other => other,
    })
}

fn put(layout: &mut Layout, pane: Pane, rect: Rect) {
    let slot = match pane {
        Pane::Files => &mut layout.files,
        Pane::Conversation => &mut layout.conversation,
        Pane::Prompt => &mut layout.prompt,
        Pane::Changes => &mut layout.changes,
        Pane::Todo => &mut layout.todo,
        Pane::Context => &mut layout.context,
    };
    *slot = Some(rect);
}

fn full(layout: &mut Layout, facts: &Facts) {
    let (width, height) = (layout.width, layout.height);
    let bottom = height - 1;
    layout.status = Some(Rect::new(0, bottom, width, 1));
    let Middle { left, right } = Middle::of(width, facts.files, facts.side.any());
    // From the bottom up: prompt, the line above it, cards, a request, conversation; its title is the top row.
    let (x, inner) = (left + AIR, (right - left).saturating_sub(2 * AIR));
    let most = ((bottom - 2) / 3).max(1);
    let prompt = facts.prompt_rows.clamp(1, most);
    layout.prompt = Some(Rect::new(x, bottom - prompt, inner, prompt));
    let mut rows = bottom - prompt - 2;
    let cards = facts.card_rows.min(rows / 2);
    rows -= cards;
    if cards > 0 {
        layout.cards = Some(Rect::new(x, 1 + rows, inner, cards));
    }
    let (mut middle_rows, mut column_rows) = (rows, bottom - 1);
    if let Some(size) = facts.approval {
        let above = match rows {
            ABOVE_FROM.. if size.above == Above::Stays => 1 + (rows / 4).clamp(ABOVE.0, ABOVE.1),
            _ if facts.reads && rows >= READ + BESIDE_READ => 1 + READ,
            _ => 0,
        };
        // Every request spans the window, so that the frame stays where it is from one to the next.
        let area = Rect::new(0, above, width, 1 + rows - above);
        let top = approve(layout, area, size.rows);
        if above > 0 || size.above == Above::GivesWay && top > 1 {
            middle_rows = top - 1;
            column_rows = top - 1;
        }
    }
    if left > 0 {
        layout.files = Some(Rect::new(1, 1, FILES_WIDTH - 1, column_rows));
    }
    if right < width {
        side(layout, facts, Rect::new(right + 1, 1, side_width(width), column_rows));
    }
    let main = Rect::new(x, 1, inner, middle_rows);
    let over = facts.over.filter(|pane| layout.of(*pane).is_none());
    put(layout, over.unwrap_or(Pane::Conversation), main);
    complete(layout, facts, 1 + rows + cards);
}

impl Layout {
    pub(crate) fn of(&self, pane: Pane) -> Option<Rect> {
        match pane {
            Pane::Files => self.files,
            Pane::Conversation => self.conversation,
            Pane::Prompt => self.prompt,
            Pane::Changes => self.changes,
            Pane::Todo => self.todo,
            Pane::Context => self.context,
        }
    }

    /// Where a pane's text is. The side column goes up to its line and to the edge of the window; text keeps away from both.
    pub(crate) fn text_of(&self, pane: Pane) -> Option<Rect> {
        let rect = self.of(pane)?;
        let beside = self.prompt.is_some_and(|prompt| rect.x > prompt.x);
        Some(if beside { padded(rect) } else { rect })
    }
}

/// Todo, context and changes below each other, each but the first with its title in the row above it. The todo list gets the rows that are left,
/// or else the changes.
fn side(layout: &mut Layout, facts: &Facts, area: Rect) {
    let SidePanes { todo, context, changes } = facts.side;
    let context_rows = facts.context_rows.clamp(2, (area.height / 2).max(2));
    let changes_rows = facts.changes_rows.clamp(1, (area.height / 4).max(1));
    let panes = [
        (Pane::Todo, todo, u16::MAX),
        (
            Pane::Context,
            context,
            if todo || changes { context_rows } else { u16::MAX },
        ),
        (Pane::Changes, changes, if todo { changes_rows } else { u16::MAX }),
    ];
    let shown: Vec<(Pane, u16)> = panes
        .into_iter()
        .filter_map(|(pane, shown, wanted)| shown.then_some((pane, wanted)))
        .collect();
    let (mut top, mut bottom) = (area.y, area.bottom());
    // From the bottom up to the pane that fills the column, so that it is the one that gives way.
    let filler = shown.iter().position(|(_, wanted)| *wanted == u16::MAX).unwrap_or(0);
    let (above, below) = shown.split_at(filler.min(shown.len()));
    for (pane, wanted) in above {
        let height = (*wanted).min((bottom - top).saturating_sub(2));
        place(layout, *pane, Rect::new(area.x, top, area.width, height));
        top += height + u16::from(height > 0);
    }
    for (pane, wanted) in below.iter().skip(1).rev() {
        let height = (*wanted).min((bottom - top).saturating_sub(2));
        bottom -= height;
        place(layout, *pane, Rect::new(area.x, bottom, area.width, height));
        bottom -= u16::from(height > 0);
    }
    if let Some((pane, _)) = below.first() {
        place(layout, *pane, Rect::new(area.x, top, area.width, bottom - top));
    }
}

/// Gives a pane its place, where there is one.
fn place(layout: &mut Layout, pane: Pane, rect: Rect) {
    if rect.height > 0 {
        put(layout, pane, rect);
    }
}

/// The list lies over the rows above the prompt.
fn complete(layout: &mut Layout, facts: &Facts, floor: u16) {
    let rows = facts.completion_rows.min(floor).min(10);
    if let Some(prompt) = layout.prompt.filter(|_| rows > 0) {
        layout.completion = Some(Rect::new(prompt.x, floor - rows, prompt.width, rows));
    }
}

/// The dialog stands at the bottom of an area, as high as it needs to be. Answers with its top row.
fn approve(layout: &mut Layout, area: Rect, rows: u16) -> u16 {
    let height = rows.saturating_add(4).min(area.height);
    let rect = Rect::new(area.x, area.y + area.height - height, area.width, height);
    layout.approval = Some(rect);
    let (x, width) = (rect.x + 1, rect.width.saturating_sub(2));
    // Border, content, a line, keys, border; without the line, then without the border, where rows are few.
    let (top, keys_at, body) = match height {
        0 => return rect.y,
        1 => (0, 0, 0),
        2..=4 => (0, height - 1, height - 1),
        5..LINE_FROM => (1, height - 2, height - 3),
        _ => (1, height - 2, height - 4),
    };
    layout.approval_body = Some(Rect::new(x, rect.y + top, width, body));
    layout.approval_keys = Some(Rect::new(x, rect.y + keys_at, width, 1));
    rect.y
}

/// In a window of this size or less a dialog leaves no margin: every column and row of it is needed. The bottom row stays.
const TIGHT: (u16, u16) = (60, 16);

/// Columns that a dialog in the middle gets of those it wants.
fn columns_of_dialog(width: u16, wanted: u16) -> u16 {
    let margin = if width <= TIGHT.0 { 0 } else { 4 };
    wanted.min(width.saturating_sub(margin)).max(width.min(20))
}

/// The same inside its border and air: its height depends on it.
pub(crate) fn columns_in_dialog(width: u16, wanted: u16) -> u16 {
    columns_of_dialog(width, wanted).saturating_sub(2 + 2 * AIR)
}

fn centred(width: u16, height: u16, w: u16, h: u16) -> Rect {
    let w = columns_of_dialog(width, w);
    let margin = if height <= TIGHT.1 { 1 } else { 2 };
    let h = h.min(height.saturating_sub(margin)).max(height.min(5));
    Rect::new((width - w) / 2, (height - h) / 3, w, h)
}

/// Fewer columns are too few for a list at the right.
const EDGE_FROM: u16 = 34;

/// Where fewer rows lie above the prompt, a list at the bottom lies over it: the picture needs them.
const PICTURE_FROM: u16 = 14;

/// At the right, with half of the window for the picture, or where that is too narrow, at the bottom. The prompt and the line above it stay
/// in view where there is room, and the bottom row everywhere.
fn at_edge(layout: &Layout, w: u16, h: u16) -> Rect {
    let (width, rows) = (layout.width, layout.height.saturating_sub(1).max(1));
    let prompt = layout.prompt.filter(|_| !layout.small);
    let above = prompt.map_or(rows, |prompt| prompt.y.saturating_sub(1).clamp(1, rows));
    let w = w.min(width / 2);
    if w >= EDGE_FROM {
        return Rect::new(width - w, 0, w, h.min(above));
    }
    let floor = if above >= PICTURE_FROM { above } else { rows };
    let h = h.min((floor / 2).max(7)).min(floor);
    Rect::new(0, floor - h, width, h)
}

#[cfg(test)]
mod tests;
