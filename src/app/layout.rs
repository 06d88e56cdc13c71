//! Computes the positions of everything on screen. Pure. `update` and `draw` use the same rectangles.

use ratatui::layout::Rect;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pane {
    Files,
    Conversation,
    Prompt,
    Changes,
    Todo,
    Context,
}

impl Pane {
    pub const ALL: [Self; 6] = [
        Self::Files,
        Self::Conversation,
        Self::Prompt,
        Self::Changes,
        Self::Todo,
        Self::Context,
    ];
}

/// Minimum window width for three columns: files, conversation and side panes. `SIDE_FROM` is the minimum width for
/// conversation and side panes. A narrower window has one column.
const FILES_FROM: u16 = 120;
const SIDE_FROM: u16 = 100;
const FILES_WIDTH: u16 = 26;
/// Minimum window widths, each with the width of the side panes. The text in side panes is two columns narrower.
const SIDE_WIDTHS: [(u16, u16); 3] = [(200, 38), (160, 30), (0, 20)];
const AIR: u16 = 1;
/// Window width below which the focused pane takes the whole window. `SMALL_HEIGHT` is the corresponding height.
const SMALL_WIDTH: u16 = 40;
const SMALL_HEIGHT: u16 = 10;

/// The rectangles of one frame. A pane without a rectangle is not on screen. The rectangle of a pane excludes the title
/// in the row above and the lines between panes. The rectangles of panes never overlap. Completion list, approval and
/// dialog may overlap them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    pub width: u16,
    pub height: u16,
    /// Whether the window is so small that it shows only one pane, without titles and lines.
    pub small: bool,
    pub files: Option<Rect>,
    pub conversation: Option<Rect>,
    pub prompt: Option<Rect>,
    pub changes: Option<Rect>,
    pub todo: Option<Rect>,
    pub context: Option<Rect>,
    pub completion: Option<Rect>,
    pub cards: Option<Rect>,
    /// The approval or question dialog, including its border.
    pub approval: Option<Rect>,
    /// The area inside the dialog's border, without its key hints.
    pub approval_body: Option<Rect>,
    pub approval_keys: Option<Rect>,
    pub dialog: Option<Rect>,
    pub status: Option<Rect>,
    pub status_line: Option<Rect>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    pub focus: Pane,
    pub files: bool,
    pub side: SidePanes,
    /// A folded pane that is shown in place of the conversation. Independent of the focus.
    pub over: Option<Pane>,
    /// The preferred number of rows of the prompt. Other `…_rows` fields also contain preferred heights.
    pub prompt_rows: u16,
    pub card_rows: u16,
    pub has_status_line: bool,
    pub completion_rows: u16,
    pub changes_rows: u16,
    pub context_rows: u16,
    pub approval: Option<ApprovalSize>,
    /// Whether the focus is neither in the prompt nor in a request. The focused pane then keeps `READ` rows above a
    /// request.
    pub reads: bool,
    pub dialog: Option<DialogSize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SidePanes {
    pub todo: bool,
    pub context: bool,
    pub changes: bool,
}

impl SidePanes {
    pub(crate) fn any(self) -> bool {
        self.todo || self.context || self.changes
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DialogSize {
    pub columns: u16,
    pub rows: u16,
    pub place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Middle,
    /// The dialog is at the edge of the window, because the choice is previewed next to the dialog.
    Edge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ApprovalSize {
    pub rows: u16,
    pub above: Above,
}

/// Determines whether panes stay visible above a request that needs many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Above {
    #[default]
    Stays,
    /// The request contains a long text and takes the rows of the panes.
    GivesWay,
}

/// Minimum height at which panes stay partly visible above a request. `ABOVE` limits the height of that part.
const ABOVE_FROM: u16 = 14;
const ABOVE: (u16, u16) = (3, 8);

/// Number of rows that the focused pane keeps above a request. `BESIDE_READ` rows must be left for the request.
const READ: u16 = 2;
const BESIDE_READ: u16 = 3;

/// Minimum height of a request with a separator line above its keys. A request with fewer rows shows the keys in its
/// border.
const LINE_FROM: u16 = 10;

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

/// The columns between the file tree and the side panes, including the empty columns.
struct Middle {
    left: u16,
    right: u16,
}

impl Middle {
    fn of(width: u16, files: bool, side: bool) -> Self {
        let files = files && has_column(Pane::Files, width);
        let side = side && has_column(Pane::Todo, width);
        // One column is the separator line.
        Self {
            left: if files { FILES_WIDTH + 1 } else { 0 },
            right: if side { width - side_width(width) - 1 } else { width },
        }
    }
}

/// Returns the width of the prompt and the cards. Computed before the layout, because their heights depend on it.
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

/// Returns the area without the empty column at its left and right edge.
pub fn padded(rect: Rect) -> Rect {
    Rect {
        x: rect.x + AIR,
        width: rect.width.saturating_sub(2 * AIR),
        ..rect
    }
}

pub fn inside(rect: Rect) -> Rect {
    if rect.width < 4 || rect.height < 3 {
        return Rect::ZERO;
    }
    padded(Rect::new(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 2))
}

pub fn filter_and_list(rect: Rect) -> (Rect, Rect) {
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
    let mut bottom = height - 1;
    layout.status = Some(Rect::new(0, bottom, width, 1));
    if facts.has_status_line {
        bottom -= 1;
        layout.status_line = Some(Rect::new(0, bottom, width, 1));
    }
    let Middle { left, right } = Middle::of(width, facts.files, facts.side.any());
    // From bottom to top: prompt, separator line, cards, request, conversation. The top row is the title.
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
        // Every request has the full width, so that the frame does not move when another request follows.
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
    pub fn of(&self, pane: Pane) -> Option<Rect> {
        match pane {
            Pane::Files => self.files,
            Pane::Conversation => self.conversation,
            Pane::Prompt => self.prompt,
            Pane::Changes => self.changes,
            Pane::Todo => self.todo,
            Pane::Context => self.context,
        }
    }

    /// Returns the area for the text of a pane. Side panes touch the separator line and the window's edge, so their
    /// text has an empty column on each side.
    pub fn text_of(&self, pane: Pane) -> Option<Rect> {
        let rect = self.of(pane)?;
        let beside = self.prompt.is_some_and(|prompt| rect.x > prompt.x);
        Some(if beside { padded(rect) } else { rect })
    }
}

/// Places todo list, context and changes from top to bottom. The todo list takes the remaining rows. Without a todo
/// list, the changes take them. Without changes, the context takes them.
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
    // Place the panes from the bottom up to the pane that takes the remaining rows, so that only that pane shrinks.
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

fn place(layout: &mut Layout, pane: Pane, rect: Rect) {
    if rect.height > 0 {
        put(layout, pane, rect);
    }
}

fn complete(layout: &mut Layout, facts: &Facts, floor: u16) {
    let rows = facts.completion_rows.min(floor).min(10);
    if let Some(prompt) = layout.prompt.filter(|_| rows > 0) {
        layout.completion = Some(Rect::new(prompt.x, floor - rows, prompt.width, rows));
    }
}

fn approve(layout: &mut Layout, area: Rect, rows: u16) -> u16 {
    let height = rows.saturating_add(4).min(area.height);
    let rect = Rect::new(area.x, area.y + area.height - height, area.width, height);
    layout.approval = Some(rect);
    let (x, width) = (rect.x + 1, rect.width.saturating_sub(2));
    // Border, content, separator line, keys, border. With few rows, omit the separator line first, then the border.
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

/// Largest window width and height, in cells, at which a dialog has no margin. The status line stays visible.
const TIGHT: (u16, u16) = (60, 16);

fn columns_of_dialog(width: u16, wanted: u16) -> u16 {
    let margin = if width <= TIGHT.0 { 0 } else { 4 };
    wanted.min(width.saturating_sub(margin)).max(width.min(20))
}

/// Returns the number of columns inside a dialog's border. The height of the dialog depends on this number.
pub(crate) fn columns_in_dialog(width: u16, wanted: u16) -> u16 {
    columns_of_dialog(width, wanted).saturating_sub(2 + 2 * AIR)
}

fn centred(width: u16, height: u16, w: u16, h: u16) -> Rect {
    let w = columns_of_dialog(width, w);
    let margin = if height <= TIGHT.1 { 1 } else { 2 };
    let h = h.min(height.saturating_sub(margin)).max(height.min(5));
    Rect::new((width - w) / 2, (height - h) / 3, w, h)
}

const EDGE_FROM: u16 = 34;

/// Minimum number of rows above the prompt that suffice for a list and its preview. With fewer rows, the list covers
/// the prompt, so that the preview stays visible above the list.
const PICTURE_FROM: u16 = 14;

/// Places a list in the right half of the window. In a narrow window, places the list at the bottom.
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
