//! Answers of an xterm to queries, and its other state besides the screen.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Xterm,
    Kitty,
}

pub struct Answers {
    kind: Kind,
    /// Answers that were not sent yet.
    pub answers: Vec<u8>,
    pub title: String,
    pub bells: usize,
}

impl Answers {
    pub fn of(kind: Kind) -> Self {
        Self {
            kind,
            answers: Vec::new(),
            title: String::new(),
            bells: 0,
        }
    }
}

impl vt100::Callbacks for Answers {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.bells += 1;
    }

    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.title = String::from_utf8_lossy(title).into_owned();
    }

    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        i1: Option<u8>,
        _: Option<u8>,
        params: &[&[u16]],
        end: char,
    ) {
        let first = params.first().and_then(|param| param.first()).copied();
        match (i1, end) {
            (None, 'c') => self.answers.extend(b"\x1b[?62;22c"),
            (None, 'n') if first == Some(6) => {
                let (row, column) = screen.cursor_position();
                self.answers.extend(format!("\x1b[{};{}R", row + 1, column + 1).bytes());
            }
            (Some(b'?'), 'u') if self.kind == Kind::Kitty => self.answers.extend(b"\x1b[?0u"),
            _ => {}
        }
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, params: &[&[u8]]) {
        let colour: &[u8] = match params {
            [b"10", b"?"] => b"\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\",
            [b"11", b"?"] => b"\x1b]11;rgb:1010/1010/1010\x1b\\",
            _ => b"",
        };
        self.answers.extend(colour);
    }
}
