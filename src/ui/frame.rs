//! A rendered frame: its cells, and the hyperlink of each cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use benchdog_base::link::Link;

#[derive(Debug, Clone)]
pub struct Frame {
    pub cells: Buffer,
    pub(super) links: Links,
}

impl Frame {
    pub fn empty(area: Rect) -> Self {
        Self::of(Buffer::empty(area))
    }

    pub fn of(cells: Buffer) -> Self {
        Self {
            links: Links::over(cells.area),
            cells,
        }
    }

    pub fn resize(&mut self, area: Rect) {
        self.cells.resize(area);
        self.links = Links::over(area);
    }

    pub fn link(&self, x: u16, y: u16) -> Option<&Link> {
        self.links.at(x, y)
    }

    pub fn set_link(&mut self, area: Rect, link: Option<&Link>) {
        self.links.set(area, link);
    }

    pub fn has_links(&self) -> bool {
        !self.links.known.is_empty()
    }

    pub fn take_links(&mut self, of: &Self) {
        self.links.clone_from(&of.links);
    }
}

#[derive(Debug, Clone)]
pub(super) struct Links {
    area: Rect,
    /// The number of the link in each cell. Numbers start at 1, and 0 means no link. Empty if the frame has no links.
    cells: Vec<u16>,
    known: Vec<Link>,
}

impl Links {
    pub(super) fn over(area: Rect) -> Self {
        Self {
            area,
            cells: Vec::new(),
            known: Vec::new(),
        }
    }

    pub(super) fn forget(&mut self) {
        self.cells.clear();
        self.known.clear();
    }

    fn at(&self, x: u16, y: u16) -> Option<&Link> {
        let number = usize::from(*self.cells.get(self.index(x, y)?)?);
        self.known.get(number.checked_sub(1)?)
    }

    pub(super) fn set(&mut self, area: Rect, link: Option<&Link>) {
        let number = link.map_or(0, |link| self.number(link));
        if self.known.is_empty() {
            return;
        }
        if self.cells.is_empty() {
            self.cells
                .resize(usize::from(self.area.width) * usize::from(self.area.height), 0);
        }
        let area = area.intersection(self.area);
        for y in area.top()..area.bottom() {
            if let Some(start) = self.index(area.x, y)
                && let Some(cells) = self.cells.get_mut(start..start + usize::from(area.width))
            {
                cells.fill(number);
            }
        }
    }

    fn number(&mut self, link: &Link) -> u16 {
        let place = self.known.iter().rposition(|known| known.is_same(link));
        let place = place.unwrap_or_else(|| {
            self.known.push(link.clone());
            self.known.len() - 1
        });
        // If there are more links than numbers, the further links are shown as plain text.
        u16::try_from(place + 1).unwrap_or(0)
    }

    fn index(&self, x: u16, y: u16) -> Option<usize> {
        let (column, row) = (x.checked_sub(self.area.x)?, y.checked_sub(self.area.y)?);
        (column < self.area.width).then_some(usize::from(row) * usize::from(self.area.width) + usize::from(column))
    }
}
