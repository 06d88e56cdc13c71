//! Actions of a person in the workbench, in the words and places of the real screen. When the picture changes, this file does.

use std::time::{Duration, Instant};

use super::PATIENCE;
use super::pty::Pty;
use super::screen::Screen;

/// The key that goes to a request. The empty screen names it, too.
const REVIEW_KEY: &str = "Alt+A";
/// The prompt's mark.
pub const PROMPT: &str = "›";
/// Frames of one moment come closer together than this.
const FRAMES: Duration = Duration::from_millis(40);
/// The longest wait for rest.
const LONGEST_REST: Duration = Duration::from_secs(2);
/// The second answer where leaving would stop something.
const LEAVES: [&str; 4] = ["Stop it and quit", "停止并退出", "停止して終了する", "멈추고 종료"];
/// The titles of the six panes, as they stand in the borders. The prompt has its mark instead.
pub const PANES: [&str; 5] = ["files", "conversation", "changes", "todo", "context"];

impl Pty {
    /// Waits until nothing was written for `still`, and no longer where something moves all the time. Gives the bytes written
    /// so far.
    pub fn rests(&self, still: Duration) -> usize {
        let (mut before, until) = (self.written(), Instant::now() + LONGEST_REST);
        while self.grew_within(before, still) && Instant::now() < until {
            before = self.written();
        }
        before
    }

    /// Types a prompt and sends it.
    #[track_caller]
    pub fn ask(&self, prompt: &str) {
        self.type_text(prompt);
        // `!` becomes the prompt's mark, and `/` opens a list with marks of its own.
        let command = prompt.trim_start_matches('!');
        self.wait_for("the prompt as it was typed", |screen| {
            if prompt.starts_with(['!', '/']) {
                // The end of it stands in the row of the caret: the words may be elsewhere on the screen already.
                let (row, _) = screen.cursor();
                let written = screen.rows().into_iter().nth(usize::from(row)).unwrap_or_default();
                let end = command.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
                written.contains(command.get(end..).unwrap_or_default())
            } else {
                draft_of(screen).contains(prompt)
            }
        });
        // The last frames of a turn that has just ended are not taken for what comes of Enter.
        let before = self.rests(FRAMES);
        self.keys("enter");
        // What comes right behind Enter would be a line below it.
        self.wait_for("what came of Enter", |screen| screen.written() > before);
    }

    /// Waits until a proposal waits for the person and shows `text`, wherever the keyboard is.
    #[track_caller]
    pub fn wait_for_review(&self, text: &str) {
        self.wait_for(&format!("a review that shows {text:?}"), |screen| {
            (waits(screen) || dialog_is_open(screen)) && screen.has(text)
        });
    }

    /// Moves the keyboard into the dialog, where it was not kept, and waits until its letters count.
    #[track_caller]
    pub fn enter_review(&self) {
        if self.look(waits) {
            self.keys("alt-a");
        }
        self.wait_for("the dialog's letters to light up", letters_count);
    }

    /// Accepts the proposal that shows `text`, as a person does: look, go in, wait for the letters, decide.
    #[track_caller]
    pub fn accept(&self, text: &str) {
        self.wait_for_review(text);
        self.enter_review();
        self.decide("y");
    }

    /// The same for the command that shows `text`, in the sandbox.
    #[track_caller]
    pub fn accept_confined(&self, text: &str) {
        self.wait_for_review(text);
        self.enter_review();
        self.decide("s");
    }

    /// Presses a deciding key, and waits for the frame after it that does not show the key as pressed.
    #[track_caller]
    fn decide(&self, key: &str) {
        let before = self.rests(FRAMES);
        self.keys(key);
        self.wait_for("the decision", |screen| {
            screen.written() > before && !is_pressed(screen)
        });
    }

    /// Opens what "always" would grant, and waits until its key is enabled.
    #[track_caller]
    pub fn open_always(&self, keys: &str) {
        self.keys(keys);
        self.rests(FRAMES);
        self.wait_for("the key that grants to be enabled", letters_count);
    }

    #[track_caller]
    pub fn refuse(&self, text: &str) {
        self.wait_for_review(text);
        self.enter_review();
        self.decide("n");
    }

    /// Leaves with the key, and waits for the end. Where it would stop something, it means that.
    #[track_caller]
    pub fn leave(&self) {
        if self.look(|screen| screen.has(" REVIEW ")) {
            self.keys("alt-3");
            self.wait_for_text(" PROMPT ");
        }
        self.keys("ctrl-d");
        if self.asks_before_it_ends() {
            self.keys("down enter");
        }
        let exit = self.wait_exit();
        assert_eq!((exit.exit_code(), exit.signal()), (0, None), "{}", self.raw());
    }

    #[track_caller]
    fn asks_before_it_ends(&self) -> bool {
        let came = self.seen.wait(PATIENCE, |seen| match seen.exit {
            Some(_) => Some(false),
            None => LEAVES.iter().any(|text| seen.screen().has(text)).then_some(true),
        });
        came.unwrap_or_else(|seen| panic!("waited {PATIENCE:?} for the end\n{}", seen.report()))
    }
}

/// Whether a request waits while the focus is elsewhere.
pub fn waits(screen: &Screen<'_>) -> bool {
    screen.has("◆") && screen.has(REVIEW_KEY)
}

/// The text of the prompt, from its mark to the end of the row, and the rows below it.
pub fn draft_of(screen: &Screen<'_>) -> String {
    let Some((top, column)) = screen.find(PROMPT) else {
        return String::new();
    };
    let from = usize::from(column);
    let rows = screen.rows().into_iter().skip(usize::from(top));
    rows.map(|row| row.chars().skip(from).collect::<String>())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether the dialog has the keyboard: it then names the letters that decide.
pub fn dialog_is_open(screen: &Screen<'_>) -> bool {
    letter(screen).is_some()
}

/// Whether the letters count now: bold then, and not before.
pub fn letters_count(screen: &Screen<'_>) -> bool {
    letter(screen).is_some_and(|(row, column)| screen.cell(row, column).is_some_and(|cell| cell.bold() && !cell.dim()))
}

/// Whether Enter counts now, and does what it says.
pub fn enter_counts(screen: &Screen<'_>, what: &str) -> bool {
    let found = screen.find(&format!("Enter {what}"));
    found.is_some_and(|(row, column)| screen.cell(row, column).is_some_and(|cell| cell.bold() && !cell.dim()))
}

/// Whether the deciding `y` is shown as pressed.
fn is_pressed(screen: &Screen<'_>) -> bool {
    let Some((row, column)) = letter(screen) else {
        return false;
    };
    let ground = |column| screen.cell(row, column).map(|cell| (cell.bgcolor(), cell.inverse()));
    ground(column) != ground(column.saturating_sub(1))
}

/// The position of the deciding `y`.
fn letter(screen: &Screen<'_>) -> Option<(u16, u16)> {
    screen.find("y allow").or_else(|| screen.find("y apply"))
}
