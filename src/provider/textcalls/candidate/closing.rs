//! Parses the text after a value: the closing mark, another value, or the end of the answer.

use super::{Candidate, LEAKED, State, Step, Verdict, begins_name};
use crate::textcalls::families::{Closing, Form};
use crate::textcalls::marks::{Opens, Start, starts};
use crate::textcalls::span::Notation;
use crate::textcalls::{CallError, Repair, note};

impl Candidate {
    pub(super) fn read_closing(&mut self, text: &str, ended: bool) -> Step {
        self.blank(text);
        let rest = text.get(self.at..).unwrap_or_default();
        let Some(&byte) = rest.as_bytes().first() else {
            return if ended {
                Some(self.at_end())
            } else {
                Some(Verdict::More)
            };
        };
        match starts(rest, self.closes()) {
            Start::With(mark) if mark == "```" => {
                self.at += mark.len();
                return self.go(State::Tail);
            }
            Start::With(mark) => return Some(self.verdict(self.at + mark.len())),
            Start::Partly if !ended => return Some(Verdict::More),
            Start::Partly | Start::No => {}
        }
        if self.fence && byte == b'`' {
            return match starts(rest, &["```"]) {
                Start::With(mark) => {
                    self.at += mark.len();
                    self.fence = false;
                    None
                }
                Start::Partly => Some(Verdict::More),
                Start::No => self.none(),
            };
        }
        self.after_value(rest, byte, ended)
    }

    pub(super) fn after_value(&mut self, rest: &str, byte: u8, ended: bool) -> Step {
        let repeats = !matches!(self.family.form, Form::Named(_) | Form::Tagged(_));
        let python = self.is_python() || self.notation == Notation::Python;
        match byte {
            b';' | b',' if repeats => {
                self.at += 1;
                None
            }
            b'}' if self.family.closing == Closing::Needed && !self.repairs.contains(&Repair::ExtraBrace) => {
                note(&mut self.repairs, Repair::ExtraBrace);
                self.at += 1;
                None
            }
            b'{' if repeats => self.begin_value(Notation::Json),
            _ if python && repeats && begins_name(byte) => self.begin_value(Notation::Python),
            _ if self.family.form == Form::Whole => self.go(State::Tail),
            _ if self.family.closing == Closing::Free => Some(self.verdict(self.end)),
            // The model may begin the next call without closing this one.
            _ => match starts(rest, self.family.opens) {
                Start::With(_) => {
                    note(&mut self.repairs, Repair::MissingClose);
                    Some(self.verdict(self.end))
                }
                Start::Partly if !ended => Some(Verdict::More),
                Start::Partly | Start::No => Some(Verdict::None(self.at, Some(CallError::Unclosed))),
            },
        }
    }

    pub(super) fn verdict(&self, end: usize) -> Verdict {
        match self.unusable {
            Some(_) => Verdict::None(end, None),
            None => Verdict::Calls(end),
        }
    }

    pub(super) fn at_end(&mut self) -> Verdict {
        if self.family.closing == Closing::Needed {
            note(&mut self.repairs, Repair::MissingClose);
        }
        self.verdict(self.at)
    }

    /// Checks the text after a call that must end the answer. Allows only whitespace, end-of-answer tokens, stray
    /// closing tags and further call fences.
    pub(super) fn tail(&mut self, text: &str, ended: bool) -> Step {
        self.blank(text);
        let rest = text.get(self.at..).unwrap_or_default();
        if rest.is_empty() {
            return if ended {
                Some(self.verdict(self.at))
            } else {
                Some(Verdict::More)
            };
        }
        match starts(rest, LEAKED) {
            Start::With(mark) => {
                note(&mut self.repairs, Repair::LeakedEnd);
                self.at += mark.len();
                return None;
            }
            Start::Partly if !ended => return Some(Verdict::More),
            Start::Partly | Start::No => {}
        }
        if self.family.form == Form::Whole {
            match starts(rest, &["</tool_call>", "</tool_calls>", "</tools>"]) {
                Start::With(mark) => {
                    note(&mut self.repairs, Repair::MissingOpen);
                    self.at += mark.len();
                    return None;
                }
                Start::Partly if !ended => return Some(Verdict::More),
                Start::Partly | Start::No => {}
            }
        }
        if let Form::Fence(fenced) = self.family.form {
            match fenced.opens(rest) {
                Opens::With(length) => {
                    self.at += length;
                    return self.go(State::Open);
                }
                Opens::Partly if !ended => return Some(Verdict::More),
                Opens::Partly | Opens::No => {}
            }
        }
        if self.family.form == Form::ToolTag && rest.starts_with('<') {
            return self.next_tool_tag(rest);
        }
        self.none()
    }

    pub(super) fn closes(&self) -> &'static [&'static str] {
        self.family.closes
    }

    pub(super) fn early_close(&self, text: &str, at: usize) -> Start {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with('<') {
            starts(rest, self.closes())
        } else {
            Start::No
        }
    }
}
