//! Decides every output line of a run. Pure: an event goes in, lines for stdout and stderr come out.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::answers;
use super::children::Children;
use super::exit::{self, Ended};
use super::findings::Found;
use super::input::Bad;
use super::plain::{self, Plain};
use super::{Ending, Failure, Output, Review, words};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_base::json;
use benchdog_base::text::clean;
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::message::ToolCall;
use benchdog_domain::permission::DecidedBy;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, OutputShown, Success, ToolFacts};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Answer, Event, Live};
use benchdog_transcript::label_of_answer;
use benchdog_transcript::script::{DecisionName, MessageRole, Script, ScriptLine, request_name};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Out,
    Err,
}

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

const BAD_LINE: &str = "bad_input";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    Nobody,
    /// A person, to whom the dialog prints the requests.
    Person,
    /// A program, which needs the complete content of each request.
    Program,
}

const ENDS: [&str; 4] = ["limit", "loop", "denials", "filtered"];

pub(super) struct Printer {
    output: Output,
    script: Script,
    plain: Option<Plain>,
    is_quiet: bool,
    seq: u64,
    session: Option<SessionId>,
    /// The model's latest text without tool calls: the answer so far.
    answer: Option<String>,
    /// The text streamed since the last complete message. Used if the answer never becomes a complete message.
    partial: String,
    files_changed: Vec<String>,
    denied: Vec<Value>,
    denial_stands: bool,
    children: Children,
    found: Option<Found>,
    because: BTreeMap<CallId, String>,
    tools: BTreeMap<CallId, String>,
    known_tools: Arc<[ToolFacts]>,
    asking: Asking,
    error: Option<Value>,
    /// The notice that explains the end of a turn without an error.
    ended_by: Option<Value>,
    ending: Option<Ending>,
}

impl Printer {
    pub(super) fn new(output: Output, prompt: &str, review: Option<Review>) -> Self {
        Self {
            output,
            script: Script::default(),
            plain: (output == Output::Plain).then(|| Plain::new(prompt)),
            is_quiet: false,
            seq: 0,
            session: None,
            answer: None,
            partial: String::new(),
            files_changed: Vec::new(),
            denied: Vec::new(),
            denial_stands: false,
            children: Children::default(),
            found: review.map(|review| Found::new(review.fail_on)),
            because: BTreeMap::new(),
            tools: BTreeMap::new(),
            known_tools: Arc::default(),
            asking: Asking::Nobody,
            error: None,
            ended_by: None,
            ending: None,
        }
    }

    pub(super) fn asking(mut self, asking: Asking) -> Self {
        self.asking = asking;
        self
    }

    pub(super) fn quiet(mut self, is_quiet: bool) -> Self {
        self.is_quiet = is_quiet;
        self
    }

    pub(super) fn begin_turn(&mut self) {
        self.answer = None;
        self.partial.clear();
        self.files_changed.clear();
        self.denied.clear();
        self.denial_stands = false;
        self.because.clear();
        self.tools.clear();
        (self.error, self.ended_by, self.ending) = (None, None, None);
    }

    /// Reports an input line that has no effect. The turn does not fail because of this line.
    pub(super) fn bad_line(&mut self, line: u64, bad: &Bad, at: Time) -> Vec<Line> {
        let (text, hint) = words::bad_line(line, bad);
        let said = ScriptLine::Error {
            code: BAD_LINE.to_owned(),
            text,
            hint,
        };
        self.scripted(&said, None, at)
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    pub(super) fn on(&mut self, event: &Event, at: Time) -> Vec<Line> {
        if self.ending.is_some() {
            return Vec::new();
        }
        if let Some((child, mut said)) = self.children.at_parent(event) {
            self.complete(event, &mut said);
            return self.said_by_child(&child, &said, at);
        }
        let beside = self.beside(event);
        let mut said = self.script.lines(event);
        said.iter_mut().for_each(|line| self.complete(event, line));
        let mut lines: Vec<Line> = said.iter().flat_map(|line| self.say(line, at)).collect();
        lines.extend(self.for_people(beside));
        lines
    }

    /// Adds the content of a request to its script line, if a program answers requests.
    fn complete(&self, event: &Event, said: &mut ScriptLine) {
        if let (Asking::Program, Event::Live(Live::ApprovalRequested(request))) = (self.asking, event)
            && let ScriptLine::ApprovalRequested {
                request: name,
                proposal,
                ..
            } = said
        {
            *name = Some(request_name(request));
            *proposal = Some(Box::new(answers::proposal(request)));
        }
    }

    /// Adds the script lines for an event of a subagent. Such an event changes nothing else.
    pub(super) fn on_child(&mut self, seat: SeatId, event: &Event, at: Time) -> Vec<Line> {
        if self.ending.is_some() {
            return Vec::new();
        }
        let Some((child, said)) = self.children.lines(seat, event) else {
            return Vec::new();
        };
        said.iter()
            .flat_map(|line| self.said_by_child(&child, line, at))
            .collect()
    }

    fn said_by_child(&mut self, child: &Value, said: &ScriptLine, at: Time) -> Vec<Line> {
        match (self.output, said) {
            (Output::StreamJson, _) => self.scripted(said, Some(child), at),
            (Output::Text | Output::Plain, ScriptLine::ApprovalRequested { tool, because, .. })
                if self.asking != Asking::Person =>
            {
                self.for_people(vec![words::asked(tool, because)])
            }
            _ => Vec::new(),
        }
    }

    /// Formats a script line for the chosen output. Returns nothing if the last line of the turn was already printed.
    fn say(&mut self, said: &ScriptLine, at: Time) -> Vec<Line> {
        if self.ending.is_some() {
            return Vec::new();
        }
        let lines = self.decide(said);
        match self.output {
            Output::StreamJson => self.scripted(said, None, at),
            Output::Text | Output::Json | Output::Plain => lines,
        }
    }

    pub(super) fn engine_gone(&mut self, at: Time) -> Vec<Line> {
        if self.error.is_some() {
            return self.end_with(TurnOutcome::Error, at);
        }
        let gone = Failure {
            outcome: TurnOutcome::Error,
            code: "internal",
            text: word(Word::EngineGone),
            hint: word(Word::GoOn),
        };
        self.cannot_go_on(&gone, at)
    }

    pub(super) fn abandoned(&mut self, outcome: TurnOutcome, at: Time) -> Vec<Line> {
        let lines = self.end_with(outcome, at);
        if let Some(ending) = &mut self.ending {
            ending.abandoned = true;
        }
        lines
    }

    pub(super) fn cannot_go_on(&mut self, failure: &Failure<'_>, at: Time) -> Vec<Line> {
        let mut lines = self.say(
            &ScriptLine::Error {
                code: failure.code.to_owned(),
                text: failure.text.to_owned(),
                hint: failure.hint.to_owned(),
            },
            at,
        );
        lines.extend(self.end_with(failure.outcome, at));
        lines
    }

    pub(super) fn nothing_to_do(&mut self, at: Time) -> Vec<Line> {
        let mut lines = self.end_with(TurnOutcome::Done, at);
        lines.retain(|line| line.to == To::Out);
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

    /// Updates the state of the turn. Returns the lines for people, or the single object for `json`.
    fn decide(&mut self, said: &ScriptLine) -> Vec<Line> {
        let lines = match said {
            ScriptLine::Session { session, .. } => {
                self.session = Some(session.clone());
                Vec::new()
            }
            ScriptLine::TurnStarted { .. } => self.plain.as_mut().map(Plain::prompt).unwrap_or_default(),
            ScriptLine::TextDelta { text } => {
                self.partial.push_str(text);
                Vec::new()
            }
            ScriptLine::Message {
                role: MessageRole::Assistant,
                text,
                calls,
            } => self.message(text, calls),
            ScriptLine::ToolStarted { call, tool, title } => {
                self.tools.insert(call.clone(), tool.clone());
                vec![words::tool_started(tool, title)]
            }
            ScriptLine::ToolFinished {
                call,
                tool,
                status,
                summary,
                output,
                ..
            } => {
                self.note_result(call, tool, *status, summary);
                self.finished(tool, *status, summary, output)
            }
            ScriptLine::ApprovalRequested {
                call, tool, because, ..
            } => {
                self.tools.insert(call.clone(), tool.clone());
                self.because.insert(call.clone(), because.clone());
                match self.plain {
                    // The request is printed from the event, because only the event contains its diff.
                    Some(_) => Vec::new(),
                    None if self.asking == Asking::Person => Vec::new(),
                    None => vec![words::asked(tool, because)],
                }
            }
            ScriptLine::ApprovalDecided {
                call,
                decision,
                by,
                because,
            } => self.decided(call, *decision, *by, because.as_deref()),
            ScriptLine::Todo { items } => self.plain.as_mut().map(|plain| plain.todo(items)).unwrap_or_default(),
            ScriptLine::Notice { code, text } => {
                if ENDS.contains(&code.as_str()) {
                    self.ended_by = Some(json!({ "code": code, "text": text, "hint": "" }));
                }
                vec![words::notice(text)]
            }
            ScriptLine::Error { code, text, hint } => {
                self.error = Some(json!({ "code": code, "text": text, "hint": hint }));
                return self.to_people(words::error(text, hint));
            }
            ScriptLine::Findings { findings, .. } => {
                if let Some(found) = &mut self.found {
                    found.take(findings);
                }
                Vec::new()
            }
            ScriptLine::TurnFinished { outcome, steps, usage } => return self.finish(*outcome, *steps, *usage),
            ScriptLine::State { .. }
            | ScriptLine::ReasoningDelta { .. }
            | ScriptLine::Message {
                role: MessageRole::User,
                ..
            }
            | ScriptLine::ToolOutput { .. }
            | ScriptLine::Context { .. } => Vec::new(),
        };
        self.for_people(lines)
    }

    fn for_people(&self, lines: Vec<String>) -> Vec<Line> {
        match self.is_quiet {
            true => Vec::new(),
            false => self.to_people(lines),
        }
    }

    fn to_people(&self, lines: Vec<String>) -> Vec<Line> {
        let line = match self.output {
            Output::Text => Line::err,
            Output::Plain => Line::out,
            Output::Json | Output::StreamJson => return Vec::new(),
        };
        lines.into_iter().map(line).collect()
    }

    /// Handles a message of the model. With the output `text`, an answer is held back until the turn ends. If a newer
    /// answer arrives, the older one is printed.
    fn message(&mut self, text: &str, calls: &[ToolCall]) -> Vec<String> {
        self.partial.clear();
        if text.is_empty() {
            return Vec::new();
        }
        let last = calls.is_empty();
        let told = if last {
            self.answer.replace(text.to_owned())
        } else {
            Some(text.to_owned())
        };
        match self.plain {
            Some(_) => plain::block(label_of_answer(last), text),
            None => told.iter().map(|text| clean(text).into_owned()).collect(),
        }
    }

    fn finished(&self, tool: &str, status: CallStatus, summary: &Summary, output: &str) -> Vec<String> {
        let mut lines = words::tool_finished(tool, status, summary, output);
        let facts = ToolFacts::find(&self.known_tools, tool);
        let at_once = facts.is_some_and(|facts| facts.output == OutputShown::AtOnce);
        if self.plain.is_some() && status == CallStatus::Ok && at_once {
            lines.extend(words::indented(output, plain::SHOWN_LINES));
        }
        lines
    }

    /// Formats a decision. Omits the reason if the request showed the same reason.
    fn decided(&mut self, call: &CallId, decision: DecisionName, by: DecidedBy, because: Option<&str>) -> Vec<String> {
        let is_new = |because: &&str| self.because.get(call).is_none_or(|known| known != because);
        let because = because.filter(is_new);
        let lines = match (&self.plain, decision) {
            (Some(_), decision) => vec![plain::decided(decision, by, because)],
            (None, DecisionName::Deny) => {
                let tool = self.tools.get(call).map_or(word(Word::Call), String::as_str);
                vec![words::denied(tool, by, because)]
            }
            (None, DecisionName::Once | DecisionName::Confined | DecisionName::Always) => Vec::new(),
        };
        if let Some(because) = because {
            self.because.insert(call.clone(), because.to_owned());
        }
        lines
    }

    fn beside(&mut self, event: &Event) -> Vec<String> {
        let whole = self.plain.is_some();
        match event {
            Event::Answer(Answer::Opened(opened)) => self.known_tools = Arc::clone(&opened.tools),
            Event::Live(Live::ApprovalRequested(request)) if whole => return plain::asked(request),
            Event::Live(Live::Retrying {
                attempt,
                wait_ms,
                reason,
                ..
            }) => return vec![words::retrying(*attempt, *wait_ms, reason)],
            Event::Fact(entry) => match &entry.body {
                Body::Change { path, .. } if !self.files_changed.contains(path) => {
                    self.files_changed.push(path.clone())
                }
                body if whole => return plain::check(body),
                _ => {}
            },
            Event::Live(_) | Event::Answer(_) => {}
        }
        Vec::new()
    }

    fn note_result(&mut self, call: &CallId, tool: &str, status: CallStatus, summary: &Summary) {
        match status {
            CallStatus::Denied => {
                let because = self
                    .because
                    .get(call)
                    .map_or_else(|| summary.to_string(), String::clone);
                self.denied.push(json!({"tool": tool, "because": because}));
                self.denial_stands = true;
            }
            // A call with side effects succeeded after the denial, so the denial did not stop the work.
            CallStatus::Ok if ToolFacts::success_of(&self.known_tools, tool) == Success::Acted => {
                self.denial_stands = false;
            }
            CallStatus::Ok | CallStatus::Error | CallStatus::Cancelled => {}
        }
    }

    /// Formats a line of `stream-json`. The fields are `type`, `session`, `seq`, `time`, then `child` for a subagent,
    /// and then the fields of that type.
    fn scripted(&mut self, said: &ScriptLine, child: Option<&Value>, at: Time) -> Vec<Line> {
        let Ok(Value::Object(fields)) = serde_json::to_value(said) else {
            return Vec::new();
        };
        self.seq += 1;
        let mut line = Map::new();
        line.insert("type".to_owned(), fields.get("type").cloned().unwrap_or_default());
        line.insert("session".to_owned(), json!(self.session));
        line.insert("seq".to_owned(), self.seq.into());
        line.insert("time".to_owned(), at.rfc3339().into());
        if let Some(child) = child {
            line.insert("child".to_owned(), child.clone());
        }
        for (name, value) in fields {
            line.entry(name).or_insert(value);
        }
        vec![Line::out(json::line(&Value::Object(line)))]
    }

    fn finish(&mut self, outcome: TurnOutcome, steps: u32, usage: Usage) -> Vec<Line> {
        let exit = exit::of(&Ended {
            outcome,
            error: self.error.as_ref().and_then(|error| error["code"].as_str()),
            // In a review run, a denied call is not a failure.
            denied: self.denial_stands && self.found.is_none(),
            found: self.found.as_ref().is_some_and(Found::fails),
        });
        self.ending = Some(Ending {
            outcome,
            exit,
            abandoned: false,
        });
        if !self.partial.is_empty() {
            self.answer = Some(std::mem::take(&mut self.partial));
        }
        if let Some(found) = &self.found {
            return self.finish_review(found, outcome, usage);
        }
        match self.output {
            Output::Text => self
                .answer
                .iter()
                .map(|text| Line::out(clean(text.trim_end())))
                .collect(),
            Output::Json => vec![Line::out(json::line(&json!({
                    "session": self.session,
                    "outcome": outcome,
                    "text": self.answer.as_deref().unwrap_or_default(),
                    "files_changed": self.files_changed,
                    "usage": usage,
                    "denied": self.denied,
                    "error": self.error.as_ref().or(self.ended_by.as_ref()).filter(|_| outcome != TurnOutcome::Done),
            })))],
            Output::Plain => vec![Line::out(lang::ended_after(outcome, steps))],
            Output::StreamJson => Vec::new(),
        }
    }

    fn finish_review(&self, found: &Found, outcome: TurnOutcome, usage: Usage) -> Vec<Line> {
        match self.output {
            Output::Text | Output::Plain => {
                let answer = self.answer.iter().map(|text| Line::err(clean(text.trim_end())));
                let mut lines: Vec<Line> = answer.collect();
                lines.extend(found.lines().into_iter().map(Line::out));
                lines.extend((outcome == TurnOutcome::Done).then(|| Line::err(found.count())));
                lines
            }
            Output::Json => vec![Line::out(json::line(&json!({
                "session": self.session,
                "outcome": outcome,
                "text": self.answer.as_deref().unwrap_or_default(),
                "findings": found.all(),
                "usage": usage,
                "denied": self.denied,
                "error": self.error.as_ref().or(self.ended_by.as_ref()).filter(|_| outcome != TurnOutcome::Done),
            })))],
            Output::StreamJson => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
