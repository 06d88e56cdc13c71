//! Formats events as lines of text. Lines already printed are never changed. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::commands::{self, Commands};
use benchdog_base::id::{CallId, TurnId};
use benchdog_base::text::{clean, reveal};
use benchdog_domain::awaited::{Awaited, Who};
use benchdog_domain::call::SHELL;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::notice::{Notice, Until};
use benchdog_domain::summary::without_last_line;
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::CallStatus;
use benchdog_headless::{plain, words};
use benchdog_lang::{self as lang, Label, Word, word};
use benchdog_protocol::{Live, Opened};
use benchdog_transcript::script::denied_because;
use benchdog_transcript::{Mark, Shown, one_line, shown};

pub const SHOWN_LINES: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Line(String),
    Text(String),
}

#[derive(Default)]
pub(super) struct Telling {
    is_streaming: bool,
    thinks: bool,
    /// The end of the streamed text, held back because it may begin an escape sequence.
    held: String,
    todo: TodoList,
    prompt: (TurnId, String),
    seen: BTreeSet<String>,
    commands: Commands,
    /// The reasons of denials by rules, agents or hooks, until the results of the calls arrive.
    denied: BTreeMap<CallId, String>,
}

/// The maximum length of an escape sequence in bytes. A longer sequence is treated as text.
const LONGEST_SEQUENCE: usize = 256;

impl Telling {
    pub(super) fn saw(&mut self, prompt: &str) {
        self.seen.insert(prompt.to_owned());
    }

    pub(super) fn opened(&mut self, opened: &Opened) -> Vec<Piece> {
        *self = Self {
            todo: opened.todo.clone(),
            seen: std::mem::take(&mut self.seen),
            ..Self::default()
        };
        opened.entries.iter().for_each(|entry| self.hears(entry));
        let model = opened.model.as_ref().map(ToString::to_string);
        let begins = lang::begins(model.as_deref(), &opened.meta.workspace);
        let mut pieces = vec![line(&begins)];
        pieces.extend(self.last_said(&opened.entries));
        pieces
    }

    /// Stores the first prompt of each turn.
    fn hears(&mut self, entry: &Entry) {
        if let Body::User { text, .. } = &entry.body
            && self.prompt.0 != entry.turn
        {
            self.prompt = (entry.turn, text.clone());
        }
    }

    fn last_said(&self, entries: &[Arc<Entry>]) -> Vec<Piece> {
        let is_prompt = |entry: &Arc<Entry>| matches!(entry.body, Body::User { .. });
        let from = entries.iter().rposition(is_prompt).unwrap_or(entries.len());
        let last = entries.iter().skip(from);
        last.flat_map(|entry| self.entry(&entry.body)).collect()
    }

    pub(super) fn live(&mut self, live: &Live) -> Vec<Piece> {
        match live {
            Live::Text(text) => self.stream(text),
            Live::Reasoning(_) if self.thinks => Vec::new(),
            Live::Reasoning(_) => {
                self.thinks = true;
                vec![Piece::Line(lang::label(Label::Thinking).into_owned())]
            }
            Live::Retrying {
                attempt,
                wait_ms,
                reason,
                ..
            } => {
                self.is_streaming = false;
                vec![Piece::Line(words::retrying(*attempt, *wait_ms, reason))]
            }
            // Another function prints this trust question, together with the possible answers.
            Live::Notice(Notice::Untrusted {
                until: Until::Answered, ..
            }) => Vec::new(),
            Live::Notice(notice) => vec![Piece::Line(words::notice(&lang::notice(notice).joined()))],
            Live::WaitBegan(Awaited {
                who: Who::Server(server),
                most_ms,
            }) => vec![Piece::Line(words::notice(&lang::waits_for_server(server, *most_ms)))],
            Live::Endpoint(Some(trouble)) => vec![Piece::Line(lang::endpoint_trouble(*trouble).to_owned())],
            Live::Error(failure) => failed(failure),
            Live::ToolStarted { call, tool, .. } => {
                self.commands.started(call, tool);
                Vec::new()
            }
            Live::ToolOutput(chunk) => self.commands.printed(chunk).into_iter().map(Piece::Line).collect(),
            Live::State(_)
            | Live::Stage(_)
            | Live::Endpoint(None)
            | Live::Confinement(_)
            | Live::StatusLine(_)
            | Live::Context(_)
            | Live::Queued(_)
            | Live::Jobs(_)
            | Live::WaitBegan(_)
            | Live::WaitEnded(_)
            | Live::ApprovalGone { .. }
            | Live::Ahead(_)
            | Live::Child(_)
            | Live::ApprovalRequested(_) => Vec::new(),
        }
    }

    fn stream(&mut self, text: &str) -> Vec<Piece> {
        self.held.push_str(text);
        let begun = self.held.rfind('\u{1b}').unwrap_or(self.held.len());
        let ends = self.held.len() - begun > LONGEST_SEQUENCE;
        let whole = if ends { self.held.len() } else { begun };
        let rest = self.held.split_off(whole);
        let text = clean(&std::mem::replace(&mut self.held, rest)).into_owned();
        if text.is_empty() {
            return Vec::new();
        }
        self.is_streaming = true;
        vec![Piece::Text(text)]
    }

    pub(super) fn fact(&mut self, entry: &Entry) -> Vec<Piece> {
        self.hears(entry);
        match &entry.body {
            Body::User { text, .. } if self.seen.remove(text) => {
                // The prompt itself was printed before, so print only its mentions.
                self.entry(&entry.body).into_iter().skip(1).collect()
            }
            Body::Assistant { .. } => self.answered(&entry.body),
            Body::Todo { items } if *items == self.todo => Vec::new(),
            Body::Todo { items } => {
                self.todo = items.clone();
                match items.progress() {
                    // All items were cancelled, so there is nothing to print.
                    (_, 0) => Vec::new(),
                    // The only todo item repeats the prompt, so it is not printed.
                    _ if items.is_task(&self.prompt.1) => Vec::new(),
                    _ => plain::list(items).iter().map(|item| line(item)).collect(),
                }
            }
            Body::Approval {
                call,
                decision,
                by,
                because,
                ..
            } => {
                let because = denied_because(decision, *by, because);
                self.denied.extend(because.map(|because| (call.clone(), because)));
                Vec::new()
            }
            Body::Shell { call: Some(call), .. } if self.commands.take_told(call) => Vec::new(),
            Body::Shell { call: Some(call), .. } => self.ended(call, &entry.body),
            // Print the end of the person's command now. The entry for the model follows later and is not printed.
            Body::CallEnded { call, tool, .. } if tool == SHELL => match entry.body.as_shell() {
                Some(body) => {
                    self.commands.tell_once(call);
                    self.ended(call, &body)
                }
                None => Vec::new(),
            },
            Body::ToolResult { call, .. } => self.ended(call, &entry.body),
            body => self.entry(body),
        }
    }

    /// Formats a finished command. Adds the last lines of the output, unless they were printed while the command ran.
    fn ended(&mut self, call: &CallId, body: &Body) -> Vec<Piece> {
        let mut pieces = self.entry(body);
        if let Some(because) = self.denied.remove(call) {
            let _ = self.commands.ended(call, "");
            // Omit the output of a denied call, because the output is a text for the model.
            pieces.truncate(1);
            let why = words::indented(&because, SHOWN_LINES).into_iter();
            pieces.extend(why.map(Piece::Line));
            return pieces;
        }
        let (Body::Shell { output, summary, .. } | Body::ToolResult { output, summary, .. }) = body else {
            return pieces;
        };
        let output = without_last_line(output, summary);
        let Some(printed) = self.commands.ended(call, output) else {
            return pieces;
        };
        pieces.truncate(1);
        let last = commands::last(output, printed);
        pieces.extend(last.into_iter().map(Piece::Line));
        if let Some(Shown::Ran { findings, .. }) = shown(body) {
            pieces.extend(findings.lines().map(line));
        }
        pieces
    }

    /// Formats an answer of the model. The streamed part was printed before, so only the rest follows.
    fn answered(&mut self, body: &Body) -> Vec<Piece> {
        let rest = clean(&std::mem::take(&mut self.held)).into_owned();
        self.thinks = false;
        if !std::mem::take(&mut self.is_streaming) {
            return self.entry(body);
        }
        let cut = match shown(body) {
            Some(Shown::Answered { cut, .. }) => cut,
            _ => None,
        };
        let rest = (!rest.is_empty()).then_some(Piece::Text(rest));
        rest.into_iter().chain(cut.as_deref().map(line)).collect()
    }

    fn entry(&self, body: &Body) -> Vec<Piece> {
        let Some(shown) = shown(body) else {
            return Vec::new();
        };
        match shown {
            Shown::Said { label, text, along } => {
                let said = line(&format!("{}: {}", lang::label(label), text.trim_end()));
                std::iter::once(said)
                    .chain(along.iter().map(|one| line(&format!("  {one}"))))
                    .collect()
            }
            Shown::Answered { text, cut, .. } => {
                let text = text.trim_end();
                let said = (!text.is_empty()).then(|| line(text));
                said.into_iter().chain(cut.as_deref().map(line)).collect()
            }
            Shown::Ran {
                status,
                name,
                title,
                summary,
                output,
                findings,
            } => {
                let output = match body.summary() {
                    Some(how) => without_last_line(&output, how),
                    None => &*output,
                };
                let mut pieces = ran(status, &format!("{name} {title}: {summary}"), output, &name);
                pieces.extend(findings.lines().map(line));
                pieces
            }
            Shown::Findings(text) => text.lines().map(line).collect(),
            Shown::Remark(text) => vec![Piece::Line(words::notice(&text))],
            Shown::Compacted { text, .. } => vec![Piece::Line(words::notice(&text))],
            // The question whether to go on is printed next.
            Shown::Ended { text, .. } if !is_done(body) => vec![line(text)],
            // Lines about the results of calls already contain this information.
            Shown::Ended { .. } | Shown::Change { .. } | Shown::Approval { .. } | Shown::Todo(_) | Shown::Plan(_) => {
                Vec::new()
            }
        }
    }
}

fn is_done(body: &Body) -> bool {
    matches!(
        body,
        Body::TurnEnded {
            outcome: TurnOutcome::Done,
            ..
        }
    )
}

/// Formats a call in one line. Failed calls and the person's own commands also show output.
fn ran(status: CallStatus, said: &str, output: &str, name: &str) -> Vec<Piece> {
    let said = format!("{} {said}", Mark::of(status).sign());
    let mut pieces = vec![Piece::Line(one_line(&reveal(&said)))];
    let shown = match status {
        CallStatus::Cancelled => words::indented_end(output, SHOWN_LINES),
        CallStatus::Error => words::indented(output, SHOWN_LINES),
        CallStatus::Ok | CallStatus::Denied if name == SHELL => words::indented(output, SHOWN_LINES),
        CallStatus::Ok | CallStatus::Denied => Vec::new(),
    };
    pieces.extend(shown.into_iter().map(Piece::Line));
    pieces
}

/// Formats an error, with advice that works in linear mode.
fn failed(failure: &Failure) -> Vec<Piece> {
    let said = lang::failure(failure);
    let hint = match failure {
        // Searching for servers needs the full screen.
        Failure::NoModel => word(Word::LinearNoModel),
        _ => said.hint.as_str(),
    };
    let lines = words::error(&said.text, hint).into_iter();
    lines.map(Piece::Line).collect()
}

fn line(text: &str) -> Piece {
    Piece::Line(clean(text).into_owned())
}
