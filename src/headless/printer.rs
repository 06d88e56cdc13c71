//! Decides every line of a run, purely: an event goes in, lines for stdout and stderr come out.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::exit::{self, Ended};
use super::plain::Plain;
use super::{Ending, Output, words};
use crate::base::clock::Time;
use crate::base::id::{CallId, SessionId};
use crate::base::text::clean;
use crate::domain::budget::Usage;
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::summary::Summary;
use crate::domain::tool::{CallStatus, Success, ToolFacts};
use crate::lang::{Word, word};
use crate::protocol::{Answer, Event, Live};
use crate::transcript::script::{DecisionName, MessageRole, Script, ScriptLine};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Out,
    Err,
}

/// One line, without its newline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) to: To,
    pub(super) text: String,
}

impl Line {
    pub(super) fn out(text: impl Into<String>) -> Self {
        Self {
            to: To::Out,
            text: text.into(),
        }
    }

    fn err(text: impl Into<String>) -> Self {
        Self {
            to: To::Err,
            text: text.into(),
        }
    }
}

/// What was seen of the turn so far, and how it is printed.
pub(super) struct Printer {
    output: Output,
    script: Script,
    plain: Plain,
    seq: u64,
    session: Option<SessionId>,
    /// The newest assistant text that no call followed.
    answer: Option<String>,
    /// What streamed since the last whole message: a broken answer never becomes one.
    partial: String,
    files_changed: Vec<String>,
    denied: Vec<Value>,
    /// A call was denied and nothing was written or executed since.
    denial_stands: bool,
    because: BTreeMap<CallId, String>,
    tools: BTreeMap<CallId, String>,
    known_tools: Arc<[ToolFacts]>,
    error: Option<(String, String)>,
    ending: Option<Ending>,
}

impl Printer {
    pub(super) fn new(output: Output, prompt: &str) -> Self {
        Self {
            output,
            script: Script::default(),
            plain: Plain::new(prompt),
            seq: 0,
            session: None,
            answer: None,
            partial: String::new(),
            files_changed: Vec::new(),
            denied: Vec::new(),
            denial_stands: false,
            because: BTreeMap::new(),
            tools: BTreeMap::new(),
            known_tools: Arc::default(),
            error: None,
            ending: None,
        }
    }

    /// Set once the last line was decided.
    pub(super) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The lines `event` comes to.
    pub(super) fn on(&mut self, event: &Event, at: Time) -> Vec<Line> {
        if self.ending.is_some() {
            return Vec::new();
        }
        if let Event::Fact(entry) = event
            && let Body::Change { path, .. } = &entry.body
            && !self.files_changed.contains(path)
        {
            self.files_changed.push(path.clone());
        }
        if let Event::Answer(Answer::Opened(opened)) = event {
            self.known_tools = Arc::clone(&opened.tools);
        }
        let said = self.script.lines(event);
        let mut lines: Vec<Line> = said.iter().flat_map(|line| self.say(line, at)).collect();
        match self.output {
            Output::Text => lines.extend(retrying(event).map(Line::err)),
            Output::Plain => lines.extend(self.plain.beside(event).into_iter().map(Line::out)),
            Output::Json | Output::StreamJson => {}
        }
        lines
    }

    /// One line of the script, as the chosen output has it. After the turn has ended nothing is printed any more: the
    /// last line stays the last.
    fn say(&mut self, said: &ScriptLine, at: Time) -> Vec<Line> {
        if self.ending.is_some() {
            return Vec::new();
        }
        let superseded = self.learn(said);
        let mut lines = match self.output {
            Output::StreamJson => self.scripted(said, at),
            Output::Json => Vec::new(),
            Output::Text => {
                let mut lines: Vec<Line> = superseded.into_iter().map(Line::err).collect();
                lines.extend(Self::for_people(said, &self.tools).into_iter().map(Line::err));
                lines
            }
            Output::Plain => self.plain.on(said).into_iter().map(Line::out).collect(),
        };
        if let ScriptLine::TurnFinished { outcome, usage, .. } = said {
            lines.extend(self.finish(*outcome, *usage));
        }
        lines
    }

    /// The engine went away without ending the turn. Scripts still get their last line.
    pub(super) fn engine_gone(&mut self, at: Time) -> Vec<Line> {
        if self.error.is_some() {
            return self.end_with(TurnOutcome::Error, at);
        }
        self.cannot_go_on("internal", word(Word::EngineGone), word(Word::GoOn), at)
    }

    /// A second stop: the caller does not wait for the engine.
    pub(super) fn abandoned(&mut self, at: Time) -> Vec<Line> {
        self.end_with(TurnOutcome::Interrupted, at)
    }

    pub(super) fn cannot_go_on(&mut self, code: &str, text: &str, hint: &str, at: Time) -> Vec<Line> {
        let mut lines = self.say(
            &ScriptLine::Error {
                code: code.to_owned(),
                text: text.to_owned(),
                hint: hint.to_owned(),
            },
            at,
        );
        lines.extend(self.end_with(TurnOutcome::Error, at));
        lines
    }

    fn end_with(&mut self, outcome: TurnOutcome, at: Time) -> Vec<Line> {
        self.say(
            &ScriptLine::TurnFinished {
                outcome,
                steps: 0,
                usage: Usage::default(),
            },
            at,
        )
    }

    /// Remembers what the last line and the exit code need. Returns an earlier answer that a newer one replaces.
    fn learn(&mut self, said: &ScriptLine) -> Option<String> {
        match said {
            ScriptLine::Session { session, .. } => self.session = Some(session.clone()),
            ScriptLine::TextDelta { text } => self.partial.push_str(text),
            ScriptLine::Message {
                role: MessageRole::Assistant,
                text,
                calls,
            } => {
                self.partial.clear();
                if text.is_empty() {
                    return None;
                }
                return if calls.is_empty() {
                    self.answer.replace(text.clone()).map(|old| clean(&old).into_owned())
                } else {
                    Some(clean(text).into_owned())
                };
            }
            ScriptLine::ToolStarted { call, tool, .. } => {
                self.tools.insert(call.clone(), tool.clone());
            }
            ScriptLine::ApprovalRequested {
                call, tool, because, ..
            } => {
                self.tools.insert(call.clone(), tool.clone());
                self.because.insert(call.clone(), because.clone());
            }
            ScriptLine::ToolFinished {
                call,
                tool,
                status,
                summary,
                ..
            } => self.learn_result(call, tool, *status, summary),
            ScriptLine::Error { code, text, .. } => self.error = Some((code.clone(), text.clone())),
            _ => {}
        }
        None
    }

    fn learn_result(&mut self, call: &CallId, tool: &str, status: CallStatus, summary: &Summary) {
        match status {
            CallStatus::Denied => {
                let because = self
                    .because
                    .get(call)
                    .map_or_else(|| summary.to_string(), String::clone);
                self.denied.push(json!({"tool": tool, "because": because}));
                self.denial_stands = true;
            }
            // The turn found another way.
            CallStatus::Ok if ToolFacts::success_of(&self.known_tools, tool) == Success::Acted => {
                self.denial_stands = false;
            }
            CallStatus::Ok | CallStatus::Error | CallStatus::Cancelled => {}
        }
    }

    /// One line of `stream-json`: `type`, `session`, `seq`, `time`, then the fields of its kind.
    fn scripted(&mut self, said: &ScriptLine, at: Time) -> Vec<Line> {
        let Ok(Value::Object(fields)) = serde_json::to_value(said) else {
            return Vec::new();
        };
        self.seq += 1;
        let mut line = Map::new();
        line.insert("type".to_owned(), fields.get("type").cloned().unwrap_or_default());
        line.insert("session".to_owned(), json!(self.session));
        line.insert("seq".to_owned(), self.seq.into());
        line.insert("time".to_owned(), at.rfc3339().into());
        for (name, value) in fields {
            line.entry(name).or_insert(value);
        }
        vec![Line::out(Value::Object(line).to_string())]
    }

    /// What stderr says in `text`: tools, notices, errors. The answer is not among it.
    fn for_people(said: &ScriptLine, tools: &BTreeMap<CallId, String>) -> Vec<String> {
        match said {
            ScriptLine::ToolStarted { tool, title, .. } => vec![words::tool_started(tool, title)],
            ScriptLine::ToolFinished {
                tool,
                status,
                summary,
                output,
                ..
            } => words::tool_finished(tool, *status, summary, output),
            ScriptLine::ApprovalRequested { tool, because, .. } => vec![words::asked(tool, because)],
            ScriptLine::ApprovalDecided {
                call,
                decision: DecisionName::Deny,
                by,
            } => vec![words::denied(
                tools.get(call).map_or(word(Word::Call), String::as_str),
                *by,
            )],
            ScriptLine::Notice { text, .. } => vec![words::notice(text)],
            ScriptLine::Error { text, hint, .. } => words::error(text, hint),
            _ => Vec::new(),
        }
    }

    /// The last lines, and with them the ending.
    fn finish(&mut self, outcome: TurnOutcome, usage: Usage) -> Vec<Line> {
        let exit = exit::of(&Ended {
            outcome,
            error: self.error.as_ref().map(|(code, _)| code.as_str()),
            denied: self.denial_stands,
        });
        self.ending = Some(Ending { outcome, exit });
        if !self.partial.is_empty() {
            self.answer = Some(std::mem::take(&mut self.partial));
        }
        match self.output {
            Output::Text => self
                .answer
                .iter()
                .map(|text| Line::out(clean(text.trim_end())))
                .collect(),
            Output::Json => vec![Line::out(
                json!({
                    "session": self.session,
                    "outcome": outcome,
                    "text": self.answer.as_deref().unwrap_or_default(),
                    "files_changed": self.files_changed,
                    "usage": usage,
                    "denied": self.denied,
                })
                .to_string(),
            )],
            Output::StreamJson | Output::Plain => Vec::new(),
        }
    }
}

/// What people are told of a failed attempt; scripts see only what came of it.
pub(super) fn retrying(event: &Event) -> Option<String> {
    match event {
        Event::Live(Live::Retrying {
            attempt,
            wait_ms,
            reason,
            ..
        }) => Some(words::retrying(*attempt, *wait_ms, reason)),
        Event::Fact(_) | Event::Live(_) | Event::Answer(_) => None,
    }
}

#[cfg(test)]
mod tests;
