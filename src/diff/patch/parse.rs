//! Parses a unified diff, with or without git headers. Ignores other text around it.

use super::names::{self, Side};
use super::section::Section;
use super::{Address, FilePatch, Patch, PatchError, PatchHunk, PatchLine, Reading, Sign, envelope};

pub fn parse(text: &str, reading: Reading) -> Result<Patch, PatchError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.lines().any(envelope::begins) {
        return envelope::parse(text);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut parser = Parser {
        crlf: patch_is_crlf(&lines),
        lines,
        at: 0,
        reading,
        files: Vec::new(),
        open: None,
    };
    while parser.at < parser.lines.len() {
        parser.step()?;
    }
    parser.close()?;
    if parser.files.is_empty() {
        return Err(PatchError::new("invalid_patch", NO_PATCH));
    }
    Ok(Patch { files: parser.files })
}

const NO_PATCH: &str = "this is not a patch: it needs `--- a/FILE`, `+++ b/FILE` and `@@ -L,N +L,N @@` lines, \
                        or the `*** Begin Patch` form";

struct Parser<'a> {
    lines: Vec<&'a str>,
    /// Whether the lines of the patch itself end with `\r\n`, so that `\r` is not content.
    crlf: bool,
    at: usize,
    reading: Reading,
    files: Vec<FilePatch>,
    open: Option<Section>,
}

fn patch_is_crlf(lines: &[&str]) -> bool {
    let mut headers = lines
        .iter()
        .filter(|line| line.starts_with("@@") || line.starts_with("+++ "))
        .peekable();
    headers.peek().is_some() && headers.all(|line| line.ends_with("\r\n"))
}

impl<'a> Parser<'a> {
    fn line(&self, at: usize) -> Option<&'a str> {
        self.lines.get(at).map(|line| line.trim_end_matches(['\r', '\n']))
    }

    fn step(&mut self) -> Result<(), PatchError> {
        let line = self.line(self.at).unwrap_or_default();
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.close()?;
            let open = Section {
                git: names::git_pair(names),
                at: self.at + 1,
                ..Section::default()
            };
            self.open = Some(open);
        } else if line.starts_with("--- ") && self.begins_file(self.at) {
            self.file_header(line)?;
        } else if let Some(rest) = line.strip_prefix("+++ ").filter(|_| self.begins_hunk(self.at + 1)) {
            // The patch lacks the `---` line before this one.
            let side = names::side(rest);
            self.sides(side.clone(), side)?;
        } else if line.starts_with("@@@") {
            return Err(PatchError::new(
                "invalid_patch",
                "a combined diff (`@@@`) cannot be applied; send a plain one",
            ));
        } else if line.starts_with("@@") {
            return self.hunk();
        } else if line.starts_with("GIT binary patch")
            || (line.starts_with("Binary files ") && line.ends_with(" differ"))
        {
            return Err(PatchError::new(
                "invalid_patch",
                "a binary patch cannot be applied; only text is patched",
            ));
        } else {
            self.extended(line)?;
        }
        self.at += 1;
        Ok(())
    }

    fn begins_file(&self, at: usize) -> bool {
        self.line(at).is_some_and(|line| line.starts_with("--- "))
            && (self.line(at + 1).is_some_and(|next| next.starts_with("+++ ")) || self.begins_hunk(at + 1))
    }

    fn begins_hunk(&self, at: usize) -> bool {
        self.line(at)
            .is_some_and(|line| line == "@@" || line.starts_with("@@ ") || line.starts_with("@@ -"))
    }

    fn file_header(&mut self, line: &str) -> Result<(), PatchError> {
        let before = names::side(line.strip_prefix("--- ").unwrap_or_default());
        let after = match self.line(self.at + 1).and_then(|next| next.strip_prefix("+++ ")) {
            Some(rest) => {
                self.at += 1;
                names::side(rest)
            }
            None => before.clone(),
        };
        self.sides(before, after)
    }

    fn sides(&mut self, before: Side, after: Side) -> Result<(), PatchError> {
        if before.path.is_none() && after.path.is_none() {
            return Err(PatchError::new(
                "invalid_patch",
                "a file header names `/dev/null` on both sides",
            ));
        }
        // After git header lines, this line belongs to the current file. Otherwise, this line begins a new file.
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.before.is_some() || !open.hunks.is_empty())
        {
            self.close()?;
        }
        let at = self.at + 1;
        let open = self.open.get_or_insert_with(|| Section {
            at,
            ..Section::default()
        });
        open.before = Some(before);
        open.after = Some(after);
        Ok(())
    }

    fn extended(&mut self, line: &str) -> Result<(), PatchError> {
        let at = self.at + 1;
        match self.open.as_mut().filter(|open| open.is_in_gits_header()) {
            Some(open) => open.note(line, at),
            None => Ok(()),
        }
    }

    fn hunk(&mut self) -> Result<(), PatchError> {
        let at = self.at;
        let header = self.line(at).unwrap_or_default();
        let Some(numbers) = numbers(header) else {
            return Err(PatchError::new(
                "invalid_patch",
                format!("line {} of the patch: `{header}` is no hunk header", at + 1),
            ));
        };
        if self.open.is_none() {
            return Err(PatchError::new(
                "invalid_patch",
                format!(
                    "line {} of the patch: a hunk before any `--- FILE` and `+++ FILE` lines",
                    at + 1
                ),
            ));
        }
        let counted = match (self.reading, &numbers) {
            (Reading::Counts, Some(numbers)) => self.by_counts(at + 1, numbers),
            _ => None,
        };
        let (lines, end) = counted.unwrap_or_else(|| self.by_shape(at + 1));
        let old = lines.iter().filter(|line| line.sign != Sign::Add).count();
        let place = match numbers {
            Some(numbers) => Address::Line {
                start: numbers.start,
                empty: old == 0 && numbers.old == 0,
            },
            None => Address::After {
                anchors: Vec::new(),
                at_end: false,
            },
        };
        if lines.is_empty() {
            return Err(PatchError::new(
                "invalid_patch",
                format!("line {} of the patch: the hunk has no lines", at + 1),
            ));
        }
        let hunk = PatchHunk {
            place,
            lines,
            at: at + 1,
        };
        if let Some(open) = self.open.as_mut() {
            open.hunks.push(hunk);
        }
        self.at = end;
        Ok(())
    }

    fn by_counts(&self, from: usize, numbers: &Numbers) -> Option<(Vec<PatchLine>, usize)> {
        let (mut old, mut new) = (numbers.old, numbers.new);
        let mut lines: Vec<PatchLine> = Vec::new();
        let mut at = from;
        while old > 0 || new > 0 {
            let line = self.content(at)?;
            match line.sign {
                Sign::Context => {
                    old = old.checked_sub(1)?;
                    new = new.checked_sub(1)?;
                }
                Sign::Remove => old = old.checked_sub(1)?,
                Sign::Add => new = new.checked_sub(1)?,
            }
            lines.push(line);
            at += 1;
            at = self.no_end(&mut lines, at);
        }
        let mut next = at;
        while self.line(next).is_some_and(|line| line.trim().is_empty()) {
            next += 1;
        }
        let more = self.line(next).is_some_and(|line| line.starts_with([' ', '+', '-']))
            && !self.begins_file(next)
            && self.line(next).is_none_or(|line| line != "-- ");
        (!more).then_some((lines, at))
    }

    /// Returns the content lines from `from` up to the next header, and their end. Leaves out trailing blank lines,
    /// which belong to the surrounding text.
    fn by_shape(&self, from: usize) -> (Vec<PatchLine>, usize) {
        let mut lines: Vec<PatchLine> = Vec::new();
        let mut at = from;
        let mut solid = (0, from);
        while let Some(line) = self.content(at) {
            let text = self.line(at).unwrap_or_default();
            if self.begins_file(at) || (text.starts_with("+++ ") && self.begins_hunk(at + 1)) {
                break;
            }
            // A patch in git's mail format ends with this line and a signature.
            if text == "-- " && self.line(at + 2).is_none() {
                break;
            }
            lines.push(line);
            at = self.no_end(&mut lines, at + 1);
            if !text.is_empty() {
                solid = (lines.len(), at);
            }
        }
        lines.truncate(solid.0);
        (lines, solid.1)
    }

    /// Parses a content line. An empty line is a blank context line without its leading space.
    fn content(&self, at: usize) -> Option<PatchLine> {
        let raw = self.lines.get(at)?;
        let body = raw.strip_suffix('\n').unwrap_or(raw);
        let (body, cr) = match body.strip_suffix('\r') {
            Some(rest) => (rest, !self.crlf),
            None => (body, false),
        };
        let mut chars = body.chars();
        let sign = match chars.next() {
            None | Some(' ') => Sign::Context,
            Some('+') => Sign::Add,
            Some('-') => Sign::Remove,
            Some(_) => return None,
        };
        Some(PatchLine {
            sign,
            text: chars.as_str().to_owned(),
            cr,
            no_end: false,
        })
    }

    /// Handles `\ No newline at end of file` after a hunk: marks the last line, and returns the position after it.
    fn no_end(&self, lines: &mut [PatchLine], at: usize) -> usize {
        if !self.line(at).is_some_and(|line| line.starts_with("\\ ")) {
            return at;
        }
        if let Some(last) = lines.last_mut() {
            last.no_end = true;
            // A carriage return without a line feed is content.
            if std::mem::take(&mut last.cr) {
                last.text.push('\r');
            }
        }
        at + 1
    }

    fn close(&mut self) -> Result<(), PatchError> {
        if let Some(open) = self.open.take() {
            self.files.push(open.finish()?);
        }
        Ok(())
    }
}

struct Numbers {
    start: usize,
    old: usize,
    new: usize,
}

/// The largest accepted line number. Differences of smaller numbers cannot overflow.
const MOST_LINES: usize = usize::MAX / 4;

/// Parses a hunk header `@@ -a,b +c,d @@`. Returns `Some(None)` for a header without numbers, and `None` for other
/// text.
fn numbers(header: &str) -> Option<Option<Numbers>> {
    let rest = header.strip_prefix("@@")?.trim_start();
    let Some(rest) = rest.strip_prefix('-') else {
        return Some(None);
    };
    let (old, rest) = rest.split_once(|c: char| c.is_whitespace())?;
    let new = rest.trim_start().strip_prefix('+')?;
    let new = new.split(|c: char| c.is_whitespace() || c == '@').next()?;
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number <= MOST_LINES);
    let pair = |text: &str| -> Option<(usize, usize)> {
        match text.split_once(',') {
            Some((start, count)) => Some((number(start)?, number(count)?)),
            None => Some((number(text)?, 1)),
        }
    };
    let ((start, old), (_, new)) = (pair(old)?, pair(new)?);
    Some(Some(Numbers { start, old, new }))
}
