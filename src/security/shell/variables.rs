//! Variables without effect on programs and shells. All others make a line unknown.

use super::state::{Field, Input, is_open};
use super::tables::danger_words;
use super::walk::Walker;

/// Variables that only affect output formats or measurements.
const HARMLESS: &str = "LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE TERM COLORTERM COLUMNS LINES \
    CI RUST_BACKTRACE RUST_LOG RUST_LIB_BACKTRACE RUST_TEST_THREADS CARGO_TERM_COLOR CARGO_INCREMENTAL NODE_ENV \
    PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONHASHSEED PYTHONUTF8 VERBOSE QUIET LOG_LEVEL \
    GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS DEBIAN_FRONTEND PIP_NO_INPUT SOURCE_DATE_EPOCH GOOS GOARCH GOMAXPROCS \
    CGO_ENABLED GREP_COLORS GREP_COLOR LS_COLORS BLOCKSIZE PROPTEST_CASES PORT OMP_NUM_THREADS";

/// Common uppercase names of scripts' own variables. No program reads them as settings.
const OWN: &str = "IFS REPLY FILE FILES DIR DIRS NAME NAMES OUT OUTPUT INPUT COUNT TOTAL SUM NUM MAX MIN FOO BAR \
    BAZ VAR VAL VALUE KEY VERSION URL MSG MESSAGE TEXT LINE WORD RESULT RESULTS SRC DST DEST TARGET ROOT BASE \
    BRANCH COMMIT HASH SHA DATE NOW START END PATTERN TEST STATUS CODE LIST ITEM ITEMS LEN SIZE MAPFILE COPROC OPT \
    ARG ARGS PID ID IDX LOG";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    ByShell,
    ByPrograms,
}

impl Walker<'_> {
    pub(super) fn variable(&mut self, name: &str, value: &str, text: &str, seen: Seen) {
        let shown = [Field::of(text)];
        if matches!(name, "PS1" | "PS2" | "PS4" | "PROMPT") {
            self.embedded(value);
        }
        if matches!(name, "BASH_ENV" | "ENV") {
            match self.file_text(value) {
                Some(script) => {
                    self.apart(|walker| walker.script(&script, &Input::Unknown));
                }
                None => self.danger(
                    &shown,
                    &format!("`{name}` makes every shell run a file that is not seen"),
                ),
            }
        }
        let exported = seen == Seen::ByPrograms || self.state.exported.contains(name);
        if exported && name != "IFS" {
            self.state.exported.insert(name.to_owned());
        }
        let harmless = if exported {
            is_setting(name) && is_tame(value)
        } else {
            is_own(name)
        };
        if harmless {
            return;
        }
        if danger_words(value) {
            let script = value.trim_start_matches(['!', '|']).to_owned();
            self.apart(|walker| walker.script(&script, &Input::Unknown));
        }
        self.unknown(&shown, &format!("`{name}` may change what programs do"));
    }

    pub(super) fn named(&mut self, name: &str, text: &str) {
        if name.contains('[') {
            self.embedded(name);
            if name.contains(['$', '`']) || is_open(name) {
                self.doubt("what stands in `[…]` behind a name is run");
            }
        } else if is_open(name) {
            self.doubt("which variable it sets is not known");
        } else {
            self.variable(name, "", text, Seen::ByShell);
        }
    }
}

fn is_setting(name: &str) -> bool {
    HARMLESS.split_whitespace().any(|known| known == name) || name.starts_with("LC_")
}

/// Whether a value is not a file path. `..` is excluded too, because programs look up some settings below a folder.
fn is_tame(value: &str) -> bool {
    !is_open(value) && !value.contains("..") && !value.starts_with(['/', ':', '~', '.'])
}

/// Whether a variable that only the shell sees affects only this line.
fn is_own(name: &str) -> bool {
    let lower = name
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let spoken = name.contains("proxy") || name.starts_with("npm_") || matches!(name, "histchars" | "auto_resume");
    let letter = name.len() == 1;
    (lower && !spoken) || letter || OWN.split_whitespace().any(|known| known == name) || is_setting(name)
}
