//! Finds the line of an output that shows the error, by common formats of error messages.

use benchdog_base::text::find_folded;
use benchdog_domain::tool::CallStatus;

/// Maximum number of lines that are searched. `LOOKED_AT_OF_LINE` is the maximum number of bytes of each line.
const LOOKED_AT: usize = 5_000;
const LOOKED_AT_OF_LINE: usize = 400;
const BEGINS: &[&str] = &[
    "error:",
    "error[",
    "fatal:",
    "panic:",
    "thread '",
    "traceback (",
    "exception in thread",
    "npm err",
];
/// Words that mark an error message if they follow a program name or a source position.
const SAYS: &[&str] = &[
    "cannot ",
    "can't ",
    "could not ",
    "unable to ",
    "no such file or directory",
    "not found",
    "permission denied",
    "not permitted",
    "is a directory",
    "not a directory",
    "already exists",
    "invalid option",
    "unrecognized option",
    "*** ",
    "error:",
];
const TELLING: &[&str] = &[
    "error",
    "panicked",
    "assert",
    "failed",
    "failure",
    "exception",
    "traceback",
    "warning",
];

/// Returns the first line that shows an error. If the command failed, a formatted error message takes precedence over
/// earlier lines that only contain an error word.
pub(super) fn telling(text: &str, status: CallStatus) -> Option<usize> {
    let said = text
        .lines()
        .take(if fails(status) { LOOKED_AT } else { 0 })
        .position(says_what_failed);
    let has_word = |line: &str| TELLING.iter().any(|word| find_folded(line, word).is_some());
    said.or_else(|| text.lines().position(has_word))
}

pub(super) fn fails(status: CallStatus) -> bool {
    matches!(status, CallStatus::Error | CallStatus::Cancelled)
}

/// Whether a line is a formatted error, such as `error[E0308]: …`, `fatal: …` or `main.c:3:5: error: …`.
fn says_what_failed(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.get(..line.floor_char_boundary(LOOKED_AT_OF_LINE)).unwrap_or(line);
    let begins = |begin: &&str| {
        line.get(..begin.len())
            .is_some_and(|there| there.eq_ignore_ascii_case(begin))
    };
    if BEGINS.iter().any(begins) {
        return true;
    }
    let is_named = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
    line.split_once(": ")
        .filter(|(name, _)| is_named(name))
        .is_some_and(|(_, said)| SAYS.iter().any(|words| find_folded(said, words).is_some()))
}
