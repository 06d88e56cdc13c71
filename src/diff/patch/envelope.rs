//! Parses the `*** Begin Patch` format: one section per file, with context instead of line numbers.

use super::{Action, Address, FilePatch, Name, Patch, PatchError, PatchHunk, PatchLine, Sign};

/// Whether this line shows that a patch has the `*** Begin Patch` format. No other format has such a line, because its
/// content lines begin with `+`, `-` or a space.
pub(super) fn begins(line: &str) -> bool {
    line.trim_end() == "*** Begin Patch" || SECTIONS.iter().any(|section| line.starts_with(section))
}

const SECTIONS: [&str; 3] = ["*** Update File:", "*** Add File:", "*** Delete File:"];

pub(super) fn parse(text: &str) -> Result<Patch, PatchError> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| begins(line)).unwrap_or(0);
    let mut parser = Parser { lines, at: start };
    let mut files = Vec::new();
    while let Some(line) = parser.peek() {
        let head = line.trim_end();
        if head == "*** End Patch" {
            break;
        }
        if let Some(path) = head.strip_prefix("*** Add File:") {
            files.push(parser.add(path)?);
        } else if let Some(path) = head.strip_prefix("*** Delete File:") {
            parser.at += 1;
            files.push(FilePatch {
                action: Action::Delete {
                    path: name(path)?,
                    whole: true,
                },
                mode_after: None,
                hunks: Vec::new(),
            });
        } else if let Some(path) = head.strip_prefix("*** Update File:") {
            files.push(parser.update(path)?);
        } else if head.is_empty() || head == "*** Begin Patch" {
            parser.at += 1;
        } else {
            return Err(parser.unexpected());
        }
    }
    if files.is_empty() {
        return Err(PatchError::new(
            "invalid_patch",
            "the patch names no file: it needs `*** Update File: PATH`, `*** Add File: PATH` or `*** Delete File: PATH`",
        ));
    }
    Ok(Patch { files })
}

fn name(path: &str) -> Result<Name, PatchError> {
    let path = path.trim().trim_matches('`').trim_start_matches("./");
    if path.is_empty() {
        return Err(PatchError::new("invalid_patch", "a `***` line names no file"));
    }
    Ok(Name(vec![path.to_owned()]))
}

struct Parser<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    fn unexpected(&self) -> PatchError {
        PatchError::new(
            "invalid_patch",
            format!(
                "line {} of the patch: `{}` is neither a `***` line nor content (` `, `+`, `-`, `@@`)",
                self.at + 1,
                self.peek().unwrap_or_default()
            ),
        )
    }

    fn add(&mut self, path: &str) -> Result<FilePatch, PatchError> {
        let at = self.at + 1;
        self.at += 1;
        let mut lines = Vec::new();
        while let Some(line) = self.peek().filter(|line| !line.starts_with("*** ")) {
            let Some(text) = line.strip_prefix('+') else {
                // Skip a blank line between two files.
                if line.trim().is_empty() && self.blank_to_section() {
                    self.at += 1;
                    continue;
                }
                return Err(PatchError::new(
                    "invalid_patch",
                    format!(
                        "line {} of the patch: every line of an added file begins with `+`",
                        self.at + 1
                    ),
                ));
            };
            lines.push(content(Sign::Add, text));
            self.at += 1;
        }
        let place = Address::Line { start: 0, empty: true };
        let hunks = if lines.is_empty() {
            Vec::new()
        } else {
            vec![PatchHunk { place, lines, at }]
        };
        Ok(FilePatch {
            action: Action::Create { path: name(path)? },
            mode_after: None,
            hunks,
        })
    }

    fn blank_to_section(&self) -> bool {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        rest.iter()
            .find(|line| !line.trim().is_empty())
            .is_none_or(|line| line.starts_with("*** "))
    }

    fn update(&mut self, path: &str) -> Result<FilePatch, PatchError> {
        let from = name(path)?;
        self.at += 1;
        let mut to = None;
        if let Some(path) = self.peek().and_then(|line| line.strip_prefix("*** Move to:")) {
            to = Some(name(path)?);
            self.at += 1;
        }
        let mut hunks = Vec::new();
        while let Some(line) = self.peek() {
            if line.starts_with("*** ") && line.trim_end() != "*** End of File" {
                break;
            }
            if line.trim().is_empty() && self.blank_to_section() {
                self.at += 1;
                continue;
            }
            hunks.push(self.chunk()?);
        }
        if hunks.is_empty() && to.is_none() {
            return Err(PatchError::new(
                "invalid_patch",
                format!("`*** Update File: {}` without any change", from.first()),
            ));
        }
        let action = match to {
            Some(to) => Action::Rename { from, to },
            None => Action::Update { path: from },
        };
        Ok(FilePatch {
            action,
            mode_after: None,
            hunks,
        })
    }

    fn chunk(&mut self) -> Result<PatchHunk, PatchError> {
        let at = self.at + 1;
        let mut anchors = Vec::new();
        while let Some(rest) = self.peek().and_then(|line| line.strip_prefix("@@")) {
            let anchor = rest.strip_prefix(' ').unwrap_or(rest).trim_end();
            // Some models write unified headers in this format, with unreliable line numbers.
            let anchor = match anchor.strip_prefix('-').and_then(|_| anchor.split_once("@@")) {
                Some((_, section)) => section.trim(),
                None => anchor.trim_end_matches("@@").trim_end(),
            };
            if !anchor.is_empty() {
                anchors.push(anchor.to_owned());
            }
            self.at += 1;
        }
        let mut lines = Vec::new();
        let mut at_end = false;
        while let Some(line) = self.peek() {
            if line.trim_end() == "*** End of File" {
                at_end = true;
                self.at += 1;
                break;
            }
            if line.starts_with("@@") || line.starts_with("*** ") || (line.trim().is_empty() && self.blank_to_section())
            {
                break;
            }
            let mut chars = line.chars();
            let sign = match chars.next() {
                None | Some(' ') => Sign::Context,
                Some('+') => Sign::Add,
                Some('-') => Sign::Remove,
                Some(_) => return Err(self.unexpected()),
            };
            lines.push(content(sign, chars.as_str()));
            self.at += 1;
        }
        if lines.is_empty() {
            return Err(PatchError::new(
                "invalid_patch",
                format!("line {at} of the patch: the hunk has no lines"),
            ));
        }
        let place = Address::After { anchors, at_end };
        Ok(PatchHunk { place, lines, at })
    }
}

fn content(sign: Sign, text: &str) -> PatchLine {
    PatchLine {
        sign,
        text: text.trim_end_matches('\r').to_owned(),
        cr: false,
        no_end: false,
    }
}
