//! Terminal modes as data: the bytes that set the modes, and the bytes that undo exactly these modes.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Modes {
    pub(super) mouse: bool,
    pub(super) kitty: bool,
    pub(super) title: bool,
}

/// Enables the alternate screen, bracketed paste and focus reports. Also resets modes of earlier programs that would
/// break frames or keys.
///
/// These modes are scroll region, origin, wrapping, insert mode, character set, application keys, keypad and mouse.
const ENTER: &str = "\x1b[?1049h\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x1b(B\x0f\x1b[?1l\x1b>\x1b[?1000l\x1b[?1002l\x1b[?1003l\
                     \x1b[?1006l\x1b[?1015l\x1b[?2004h\x1b[?1004h";

/// Undoes `ENTER` and the modes that frames set. Leaves the alternate screen last.
const LEAVE: &str = "\x1b[?1004l\x1b[?2004l\x1b[m\x1b[?25h\x1b[?1049l";
const END_OF_FRAME: &str = "\x1b[?2026l";

pub(super) const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
pub(super) const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// Pushes the kitty keyboard mode with disambiguated codes and event types (1 + 2). `KITTY_OFF` pops the mode.
pub(super) const KITTY_ON: &str = "\x1b[>3u";
const KITTY_OFF: &str = "\x1b[<u";

pub(super) const TITLE_KEEP: &str = "\x1b[22;2t";
const TITLE_BACK: &str = "\x1b[23;2t";

/// Queries the kitty keyboard protocol and the background colour, and then the device attributes. Every terminal
/// answers the last query, so the answer to that query ends the wait.
pub(super) const QUESTIONS: &str = "\x1b[?u\x1b]11;?\x1b\\\x1b[c";

impl Modes {
    pub(super) fn enter(self) -> String {
        let mut out = String::from(ENTER);
        for (on, bytes) in [(self.mouse, MOUSE_ON), (self.kitty, KITTY_ON), (self.title, TITLE_KEEP)] {
            if on {
                out.push_str(bytes);
            }
        }
        out
    }

    pub(super) fn leave(self) -> String {
        let mut out = String::from(END_OF_FRAME);
        for (on, bytes) in [(self.kitty, KITTY_OFF), (self.title, TITLE_BACK)] {
            if on {
                out.push_str(bytes);
            }
        }
        // Always reset: a shell is unusable with mouse reports.
        out.push_str(MOUSE_OFF);
        out.push_str(LEAVE);
        out
    }
}

pub(super) fn title(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
    format!("\x1b]2;{shown}\x07")
}

#[cfg(test)]
mod tests;
