//! Error messages for failed edits, with the actual content of the file.

use super::super::Refusal;
use super::Edit;
use super::matching::Miss;
use benchdog_diff::patch::numbered;
use benchdog_diff::{nearest, split};

const PLACES: usize = 8;
/// Maximum lines to show of the region that is most similar to the old text.
const SHOWN: usize = 30;

pub(super) fn refusal(miss: &Miss, now: &[u8], edit: &Edit, shown: &str, name: &str, later: bool) -> Refusal {
    let lines = split(now);
    // The model knows only the original file, so tell it that earlier edits of this call are already applied.
    let state = if later {
        ", with the edits before this one applied,"
    } else {
        ""
    };
    let (code, text) = match miss {
        Miss::EmptyOld => (
            "bad_arguments",
            format!("{name}`old` is empty, but `{shown}` has content. Give the text to replace, or use `write`."),
        ),
        Miss::Same => ("no_change", format!("{name}`old` and `new` are the same text.")),
        Miss::Unwritable(why) => ("encoding", format!("{name}`{shown}` is not UTF-8, and {why}.")),
        Miss::Several(at) => ("ambiguous", several(at, &lines, shown, name, state)),
        Miss::Absent => ("no_match", absent(&lines, now, edit, shown, name, state)),
    };
    Refusal::new(code, format!("{}\nNothing was changed.", text.trim_end()))
}

fn several(at: &[usize], lines: &[&[u8]], shown: &str, name: &str, state: &str) -> String {
    let mut text = format!(
        "{name}`old` occurs {} times in `{shown}`{state}. Add lines around it until it is unique, or set `all`.\n",
        at.len()
    );
    for line in at.iter().take(PLACES) {
        text.push_str(&format!("--- line {}\n", line + 1));
        text.push_str(&numbered(lines, line.saturating_sub(1), 3));
    }
    if at.len() > PLACES {
        text.push_str(&format!("… {} more places\n", at.len() - PLACES));
    }
    text
}

fn absent(lines: &[&[u8]], now: &[u8], edit: &Edit, shown: &str, name: &str, state: &str) -> String {
    let head = format!("{name}`old` was not found in `{shown}`{state}.");
    let new = edit.new.trim();
    if new.len() > 12
        && let Some(place) = String::from_utf8_lossy(now).replace("\r\n", "\n").find(new)
    {
        let line = super::matching::line_of(String::from_utf8_lossy(now).replace("\r\n", "\n").as_bytes(), place);
        return format!(
            "{head} The new text is there already, at line {}: this edit may be done.",
            line + 1
        );
    }
    let sought = split(edit.old.as_bytes());
    match nearest(lines, &sought) {
        Some(region) => {
            let start = region.start.saturating_sub(1);
            let count = (region.lines + 2).min(SHOWN);
            format!(
                "{head} The nearest text there is (line number, tab, line):\n{}Copy `old` from it exactly, without the \
                 numbers.",
                numbered(lines, start, count)
            )
        }
        None => format!("{head} No similar text was found. Read the file, or search for the text with `grep`."),
    }
}
