//! Draws frames. Stores the frame that the terminal shows, and the part of the screen that is out of date.

use std::io::{self, Write};

use ratatui::layout::{Position, Rect, Size};

use super::paint::Painter;
use benchdog_app::picture::Old;
use benchdog_app::{self as app, State};
use benchdog_theme::Theme;
use benchdog_ui::{self as ui, Cache, Frame};

pub(crate) struct Picture {
    frame: Frame,
    old: Old,
}

impl Picture {
    pub(crate) fn new(size: Size) -> Self {
        Self {
            frame: Frame::empty(Rect::from((Position::ORIGIN, size))),
            old: Old::All,
        }
    }

    pub(crate) fn resize(&mut self, size: Size) {
        self.frame.resize(Rect::from((Position::ORIGIN, size)));
        self.old = Old::All;
    }

    pub(crate) fn outdate(&mut self, old: Old) {
        self.old = self.old.max(old);
    }

    pub(crate) fn is_old(&self) -> bool {
        self.old != Old::Nothing
    }

    pub(crate) fn show<W: Write>(
        &mut self,
        state: &mut State,
        theme: &Theme,
        cache: &mut Cache,
        painter: &mut Painter<W>,
    ) -> io::Result<usize> {
        if std::mem::take(&mut self.old) == Old::Prompt && app::arrange_prompt(state) {
            let (rows, caret) = ui::draw_prompt(state, theme, &mut self.frame);
            #[cfg(debug_assertions)]
            self.compare(state, theme, cache, caret);
            return painter.show_rows(&self.frame, rows, caret);
        }
        app::arrange(state);
        let caret = ui::draw(state, theme, cache, &mut self.frame);
        painter.show(&self.frame, caret)
    }

    #[cfg(debug_assertions)]
    fn compare(&self, state: &mut State, theme: &Theme, cache: &mut Cache, caret: Option<Position>) {
        app::arrange(state);
        let mut whole = Frame::empty(self.frame.cells.area);
        let caret_of_whole = ui::draw(state, theme, cache, &mut whole);
        assert_eq!(caret, caret_of_whole, "where the caret is after a letter");
        assert_eq!(self.frame.cells, whole.cells, "what is seen after a letter");
    }
}
