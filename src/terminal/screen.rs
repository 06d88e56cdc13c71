//! One frame: a canvas that ratatui's widgets draw on, and where they put the caret.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Size};
use ratatui::{Frame, Terminal};

/// Frames can only be had from a ratatui terminal. This one shows nothing: the painter compares the pictures itself.
pub(crate) struct Canvas {
    terminal: Terminal<Easel>,
    facts: Arc<Mutex<Facts>>,
}

#[derive(Debug, Default)]
struct Facts {
    size: Size,
    caret: Option<Position>,
}

impl Canvas {
    pub(crate) fn new(size: Size) -> Self {
        let facts = Arc::new(Mutex::new(Facts { size, caret: None }));
        let Ok(terminal) = Terminal::new(Easel(Arc::clone(&facts)));
        Self { terminal, facts }
    }

    pub(crate) fn resize(&mut self, size: Size) {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner).size = size;
    }

    /// Draws one whole frame and hands the picture on.
    pub(crate) fn draw<R>(
        &mut self,
        draw: impl FnOnce(&mut Frame),
        show: impl FnOnce(&Buffer, Option<Position>) -> R,
    ) -> R {
        let Ok(done) = self.terminal.draw(draw);
        let caret = self.facts.lock().unwrap_or_else(PoisonError::into_inner).caret;
        show(done.buffer, caret)
    }
}

/// Keeps what ratatui says of the caret, and its size; drops the cells.
#[derive(Debug)]
struct Easel(Arc<Mutex<Facts>>);

impl Easel {
    fn facts(&self) -> std::sync::MutexGuard<'_, Facts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for Easel {
    type Error = Infallible;

    /// The comparison of cells is lazy: not asking for it costs nothing.
    fn draw<'a, I>(&mut self, _: I) -> Result<(), Infallible>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        Ok(())
    }

    fn hide_cursor(&mut self) -> Result<(), Infallible> {
        self.facts().caret = None;
        Ok(())
    }

    fn show_cursor(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> Result<Position, Infallible> {
        Ok(self.facts().caret.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), Infallible> {
        self.facts().caret = Some(position.into());
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> Result<(), Infallible> {
        Ok(())
    }

    fn size(&self) -> Result<Size, Infallible> {
        Ok(self.facts().size)
    }

    fn window_size(&mut self) -> Result<WindowSize, Infallible> {
        Ok(WindowSize {
            columns_rows: self.facts().size,
            pixels: Size::ZERO,
        })
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
