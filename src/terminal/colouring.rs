//! Which theme is drawn with: by the person's choice, and by the background colour the terminal reports.

use super::event_loop::{Driver, TerminalError};
use super::pace::Cause;
use crate::theme::{Choice, Ground, Theme};
use crate::ui;

impl Driver {
    /// The terminal reported its background colour: the theme follows it, unless the person named a theme.
    pub(super) fn ground(&mut self, ground: Ground) -> Result<(), TerminalError> {
        self.look.ground = Some(ground);
        let theme = Theme::choose(&self.look.choice, self.look.depth, self.look.ground)?;
        if theme.ground() != self.theme.ground() {
            self.theme = theme;
            self.pace.changed(Cause::Event);
        }
        Ok(())
    }

    /// Another theme was chosen, by a name that was checked where it was written.
    pub(super) fn choose_theme(&mut self, name: &str) {
        let choice = Choice::of(name);
        if let Ok(theme) = Theme::choose(&choice, self.look.depth, self.look.ground) {
            self.look.choice = choice;
            self.theme = theme;
            self.cache = ui::Cache::default();
            self.pace.changed(Cause::Event);
        }
    }
}
