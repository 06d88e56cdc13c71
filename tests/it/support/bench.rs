//! Actions of a person in the workbench, based on the texts and positions of the real screen. Only this file depends on
//! the screen's layout.

use std::time::{Duration, Instant};

use super::PATIENCE;
use super::pty::Pty;
use super::screen::Screen;

/// Key that focuses a request. The empty screen also shows it.
const REVIEW_KEY: &str = "Alt+A";
pub const PROMPT: &str = "›";
/// Maximum time between related frames.
const FRAMES: Duration = Duration::from_millis(40);
/// Maximum time to wait for a pause in the output.
const LONGEST_REST: Duration = Duration::from_secs(2);
/// The answer that quits although something is running, in each language.
const LEAVES: [&str; 4] = ["Stop it and quit", "停止并退出", "停止して終了する", "멈추고 종료"];
/// Titles of the panes in their borders. The prompt has a mark instead.
pub const PANES: [&str; 5] = ["files", "conversation", "changes", "todo", "context"];

impl Pty {
    /// Waits until nothing was written for `still`, but at most `LONGEST_REST` if the output never stops. Returns the
    /// number of bytes written so far.
    pub fn rests(&self, still: Duration) -> usize {
        let (mut before, until) = (self.written(), Instant::now() + LONGEST_REST);
        while self.grew_within(before, still) && Instant::now() < until {
            before = self.written();
        }
        before
    }

    #[track_caller]
    pub fn ask(&self, prompt: &str) {
        self.type_text(prompt);
        // `!` becomes the prompt's mark, and `/` opens a list with other marks.
        let command = prompt.trim_start_matches('!');
        self.wait_for("the prompt as it was typed", |screen| {
            if prompt.starts_with(['!', '/']) {
                // Check the end of the text in the cursor's row, because the same words may already be elsewhere on the
                // screen.
                let (row, _) = screen.cursor();
                let written = screen.rows().into_iter().nth(usize::from(row)).unwrap_or_default();
                let end = command.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
                written.contains(command.get(end..).unwrap_or_default())
            } else {
                draft_of(screen).contains(prompt)
            }
        });
        // Let the last frames of the previous turn pass, because they are not effects of Enter.
        let before = self.rests(FRAMES);
        self.keys("enter");
        // Text sent directly after Enter would be a second line of the prompt.
        self.wait_for("what came of Enter", |screen| screen.written() > before);
    }

    /// Waits for a proposal that shows `text`, focused or not.
    #[track_caller]
    pub fn wait_for_review(&self, text: &str) {
        self.wait_for(&format!("a review that shows {text:?}"), |screen| {
            (waits(screen) || dialog_is_open(screen)) && screen.has(text)
        });
    }

    /// Focuses the request if necessary, and waits until its keys are enabled.
    #[track_caller]
    pub fn enter_review(&self) {
        if self.look(waits) {
            self.keys("alt-a");
        }
        self.wait_for("the dialog's letters to light up", letters_count);
    }

    /// Accepts the proposal that shows `text`, as a person does: look, focus, wait for the keys, decide.
    #[track_caller]
    pub fn accept(&self, text: &str) {
        self.wait_for_review(text);
        self.enter_review();
        self.decide("y");
    }

    /// Accepts the command that shows `text`, in the sandbox.
    #[track_caller]
    pub fn accept_confined(&self, text: &str) {
        self.wait_for_review(text);
        self.enter_review();
        self.decide("s");
    }

    /// Presses a deciding key. Waits for the following frame that does not show the key as pressed.
    #[track_caller]
    fn decide(&self, key: &str) {
        let before = self.rests(FRAMES);
        self.keys(key);
        self.wait_for("the decision", |screen| {
            screen.written() > before && !is_pressed(screen)
        });
    }

    /// Opens the scope of an "Always" answer, and waits until its key is enabled.
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

    /// Quits with the key, confirms that running work may be stopped, and waits for the exit.
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

/// Whether a request is pending while another pane has the focus.
pub fn waits(screen: &Screen<'_>) -> bool {
    screen.has("◆") && screen.has(REVIEW_KEY)
}

/// Returns the text of the prompt: its row after the mark, and the rows below.
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

/// Whether the dialog has the focus. If so, it shows the deciding keys.
pub fn dialog_is_open(screen: &Screen<'_>) -> bool {
    letter(screen).is_some()
}

/// Whether the deciding keys are enabled. Enabled keys are bold.
pub fn letters_count(screen: &Screen<'_>) -> bool {
    letter(screen).is_some_and(|(row, column)| screen.cell(row, column).is_some_and(|cell| cell.bold() && !cell.dim()))
}

/// Whether Enter is enabled and does `what`.
pub fn enter_counts(screen: &Screen<'_>, what: &str) -> bool {
    let found = screen.find(&format!("Enter {what}"));
    found.is_some_and(|(row, column)| screen.cell(row, column).is_some_and(|cell| cell.bold() && !cell.dim()))
}

fn is_pressed(screen: &Screen<'_>) -> bool {
    let Some((row, column)) = letter(screen) else {
        return false;
    };
    let ground = |column| screen.cell(row, column).map(|cell| (cell.bgcolor(), cell.inverse()));
    ground(column) != ground(column.saturating_sub(1))
}

fn letter(screen: &Screen<'_>) -> Option<(u16, u16)> {
    screen.find("y allow").or_else(|| screen.find("y apply"))
}
