//! `stream-json`: the output lines for scripts. One function derives all lines from log entries and live events.
//!
//! Names and fields are public and never change their meaning. Events that only the workbench needs have no line.

mod proposal;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use benchdog_base::id::{BlobId, CallId, SessionId, TurnId};
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::budget::{Ledger, Usage};
use benchdog_domain::call::CHECK;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::finding::Finding;
use benchdog_domain::mention::{Mention, MentionKind, Part};
use benchdog_domain::message::ToolCall;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Because, CommandClass, DecidedBy, Decision};
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::{CallStatus, OutputChunk};
use benchdog_lang as lang;
use benchdog_protocol::{Answer, ApprovalRequest, Event, Live, TurnState};
pub use proposal::{Always, Choice, OpenQuestion, Proposal, Shown};

/// One line, without `session`, `seq` and `time`. The caller adds these.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ScriptLine {
    Session {
        session: SessionId,
        workspace: String,
        /// The model, as `provider/model`.
        #[serde(serialize_with = "as_written")]
        #[schemars(with = "Option<String>")]
        model: Option<ModelRef>,
        agent: AgentName,
    },
    TurnStarted {
        turn: TurnId,
        prompt: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<Named>,
    },
    State {
        state: TurnState,
    },
    TextDelta {
        text: String,
    },
    ReasoningDelta {
        text: String,
    },
    Message {
        role: MessageRole,
        text: String,
        calls: Vec<ToolCall>,
    },
    ToolStarted {
        call: CallId,
        tool: String,
        title: String,
    },
    ToolOutput {
        call: CallId,
        text: String,
    },
    ToolFinished {
        call: CallId,
        tool: String,
        status: CallStatus,
        #[serde(serialize_with = "Summary::notation")]
        #[schemars(with = "String")]
        summary: Summary,
        output: String,
        truncated: bool,
    },
    ApprovalRequested {
        call: CallId,
        tool: String,
        because: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        class: Option<CommandClass>,
        /// The id of the request, which a program repeats in its answer. A rebuilt proposal has a new id.
        #[serde(skip_serializing_if = "Option::is_none")]
        request: Option<String>,
        /// The content of the request, for a program that answers the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        proposal: Option<Box<Proposal>>,
    },
    ApprovalDecided {
        call: CallId,
        decision: DecisionName,
        by: DecidedBy,
        /// The rule, agent, hook or finding that denied the call. Missing if a person denied it.
        #[serde(skip_serializing_if = "Option::is_none")]
        because: Option<String>,
    },
    Todo {
        items: TodoList,
    },
    Findings {
        call: CallId,
        findings: Vec<Finding>,
    },
    Context {
        #[serde(flatten)]
        ledger: Ledger,
    },
    Notice {
        code: String,
        text: String,
    },
    Error {
        code: String,
        text: String,
        hint: String,
    },
    TurnFinished {
        outcome: TurnOutcome,
        steps: u32,
        usage: Usage,
    },
}

/// A mention in a prompt. The text of the mentioned file is in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Named {
    path: String,
    kind: MentionKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<BlobId>,
    truncated: bool,
}

impl From<&Mention> for Named {
    fn from(mention: &Mention) -> Self {
        Self {
            path: mention.path.clone(),
            kind: mention.kind,
            lines: mention.lines,
            sha256: mention.hash.clone(),
            truncated: mention.truncated,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageRole {
    /// Text that the person sent during a turn. A prompt is in `TurnStarted`.
    User,
    Assistant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionName {
    Once,
    Confined,
    Always,
    Deny,
}

impl DecisionName {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Confined => "confined",
            Self::Always => "always",
            Self::Deny => "deny",
        }
    }
}

impl ScriptLine {
    /// Formats an approval request. `call` is the id of the requested call in the session of the output line.
    pub fn asked(request: &ApprovalRequest, call: &CallId) -> Self {
        Self::ApprovalRequested {
            call: call.clone(),
            tool: request.tool.clone(),
            because: lang::because(&request.verdict.because),
            class: request.verdict.class,
            request: None,
            proposal: None,
        }
    }

    fn notice(notice: &Notice) -> Self {
        Self::Notice {
            code: notice.code().to_owned(),
            text: lang::notice(notice).joined(),
        }
    }

    fn error(failure: &Failure) -> Self {
        let words = lang::failure(failure);
        Self::Error {
            code: failure.code().to_owned(),
            text: words.text,
            hint: words.hint,
        }
    }
}

#[derive(Debug, Default)]
pub struct Script {
    /// The turn in progress. A user message with the same turn was sent during the turn, and is not a new prompt.
    turn: TurnId,
    /// The tools of running calls, by call id. Some result entries do not contain the tool.
    tools: BTreeMap<CallId, String>,
}

impl Script {
    pub fn lines(&mut self, event: &Event) -> Vec<ScriptLine> {
        match event {
            Event::Fact(entry) => self.fact(entry).into_iter().collect(),
            Event::Live(live) => self.live(live).into_iter().collect(),
            Event::Answer(Answer::Opened(opened)) => vec![
                ScriptLine::Session {
                    session: opened.meta.id.clone(),
                    workspace: opened.meta.workspace.clone(),
                    model: opened.model.clone(),
                    agent: opened.meta.agent.clone(),
                },
                ScriptLine::Todo {
                    items: opened.todo.clone(),
                },
            ],
            Event::Answer(Answer::TooLarge { prompt, over }) => not_taken(
                self.turn,
                prompt,
                Some(&Failure::ContextFull(*over)),
                TurnOutcome::Limit,
            ),
            Event::Answer(Answer::Unread { prompt, mentions }) => {
                let mentions = mentions.clone();
                not_taken(
                    self.turn,
                    prompt,
                    Some(&Failure::MentionUnread { mentions }),
                    TurnOutcome::Error,
                )
            }
            Event::Answer(Answer::NotBegun { prompt, outcome }) => not_taken(self.turn, prompt, None, *outcome),
            Event::Answer(_) => Vec::new(),
        }
    }

    fn fact(&mut self, entry: &Entry) -> Option<ScriptLine> {
        Some(match &entry.body {
            Body::User { text, .. } if text.is_empty() && entry.turn == self.turn => return None,
            Body::User { text, mentions, .. } => self.said(entry.turn, text, mentions),
            Body::Assistant {
                text,
                calls,
                error: None,
                ..
            } => ScriptLine::Message {
                role: MessageRole::Assistant,
                text: text.clone(),
                calls: calls.clone(),
            },
            Body::ToolResult { .. } | Body::Validation { .. } | Body::Shell { .. } => {
                return self.finished(&entry.body);
            }
            Body::Approval {
                call,
                decision,
                by,
                because,
                ..
            } => ScriptLine::ApprovalDecided {
                call: call.clone(),
                decision: decision.into(),
                by: *by,
                because: denied_because(decision, *by, because),
            },
            Body::Findings { call, findings } => ScriptLine::Findings {
                call: call.clone(),
                findings: findings.clone(),
            },
            Body::Todo { items } => ScriptLine::Todo { items: items.clone() },
            Body::Notice(notice) => ScriptLine::notice(notice),
            Body::Compaction(compaction) => ScriptLine::Notice {
                code: "compacted".to_owned(),
                text: lang::compacted(compaction),
            },
            Body::TurnEnded { outcome, steps, usage } => ScriptLine::TurnFinished {
                outcome: *outcome,
                steps: *steps,
                usage: *usage,
            },
            // The text of an answer that failed was already streamed, so it needs no line.
            Body::Assistant { error: Some(_), .. }
            | Body::CallStarted { .. }
            | Body::CallEnded { .. }
            | Body::Change { .. }
            | Body::Model { .. }
            | Body::Agent { .. }
            | Body::Plan(_)
            | Body::Child(_)
            | Body::Sampling(_)
            | Body::Retried
            | Body::CompactionUndone { .. }
            | Body::Pinned { .. }
            | Body::Terms { .. }
            | Body::Spent(_)
            | Body::Unknown(_) => return None,
        })
    }

    fn said(&mut self, turn: TurnId, text: &str, mentions: &[Mention]) -> ScriptLine {
        if turn == self.turn {
            return ScriptLine::Message {
                role: MessageRole::User,
                text: text.to_owned(),
                calls: Vec::new(),
            };
        }
        self.turn = turn;
        ScriptLine::TurnStarted {
            turn,
            prompt: text.to_owned(),
            mentions: mentions.iter().map(Named::from).collect(),
        }
    }

    /// Returns the `ToolFinished` line of a finished tool call, check or command of the person.
    fn finished(&mut self, body: &Body) -> Option<ScriptLine> {
        let line =
            |call: &CallId, tool: &str, status, summary: &Summary, output: &str, truncated| ScriptLine::ToolFinished {
                call: call.clone(),
                tool: tool.to_owned(),
                status,
                summary: summary.clone(),
                output: output.to_owned(),
                truncated,
            };
        match body {
            Body::ToolResult {
                call,
                tool,
                status,
                summary,
                output,
                truncated,
                ..
            } => {
                self.tools.remove(call);
                Some(line(call, tool, *status, summary, output, *truncated))
            }
            Body::Validation {
                call,
                passed,
                summary,
                output,
                unfinished,
                ..
            } => {
                let status = CallStatus::of_check(*passed, *unfinished);
                Some(line(call, CHECK, status, summary, output, false))
            }
            Body::Shell {
                call: Some(call),
                output,
                summary,
                status,
                ..
            } => {
                let tool = self.tools.remove(call).unwrap_or_default();
                Some(line(call, &tool, *status, summary, output, false))
            }
            _ => None,
        }
    }

    fn live(&mut self, live: &Live) -> Option<ScriptLine> {
        Some(match live {
            Live::State(state) => ScriptLine::State { state: *state },
            Live::Text(text) => ScriptLine::TextDelta { text: text.clone() },
            Live::Reasoning(text) => ScriptLine::ReasoningDelta { text: text.clone() },
            Live::ToolStarted { call, tool, title } => {
                self.tools.insert(call.clone(), tool.clone());
                ScriptLine::ToolStarted {
                    call: call.clone(),
                    tool: tool.clone(),
                    title: title.clone(),
                }
            }
            // Scripts receive only complete lines.
            Live::ToolOutput(OutputChunk { text, .. }) if text.is_empty() => return None,
            Live::ToolOutput(OutputChunk { call, text, .. }) => ScriptLine::ToolOutput {
                call: call.clone(),
                // In the public format, lines have no line break at the end.
                text: text.strip_suffix('\n').unwrap_or(text).to_owned(),
            },
            Live::ApprovalRequested(request) => ScriptLine::asked(request, &request.call),
            Live::Context(ledger) => ScriptLine::Context { ledger: ledger.clone() },
            Live::Notice(notice) => ScriptLine::notice(notice),
            Live::Error(failure) => ScriptLine::error(failure),
            // Subagents have lines of their own session.
            Live::Child(_) | Live::ApprovalGone { .. } | Live::Ahead(_) => return None,
            Live::Stage(_)
            | Live::Retrying { .. }
            | Live::Queued(_)
            | Live::Endpoint(_)
            | Live::Confinement(_)
            | Live::StatusLine(_)
            | Live::Jobs(_)
            | Live::WaitBegan(_)
            | Live::WaitEnded(_) => {
                return None;
            }
        })
    }
}

/// Returns the lines of a rejected prompt. These lines describe a turn that ended before it began.
fn not_taken(last: TurnId, prompt: &str, failure: Option<&Failure>, outcome: TurnOutcome) -> Vec<ScriptLine> {
    let started = ScriptLine::TurnStarted {
        turn: TurnId(last.0 + 1),
        prompt: prompt.to_owned(),
        mentions: Vec::new(),
    };
    let finished = ScriptLine::TurnFinished {
        outcome,
        steps: 0,
        usage: Usage::default(),
    };
    [Some(started), failure.map(ScriptLine::error), Some(finished)]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns the reason of a denial by a rule, agent or hook. `None` if a person denied the call.
pub fn denied_because(decision: &Decision, by: DecidedBy, because: &Because) -> Option<String> {
    let is_denied = matches!(decision, Decision::Deny { .. }) && by == DecidedBy::Policy;
    is_denied.then(|| lang::because(because))
}

impl From<&Decision> for DecisionName {
    fn from(decision: &Decision) -> Self {
        match decision {
            Decision::Once { .. } | Decision::Answer { .. } => Self::Once,
            Decision::Confined => Self::Confined,
            Decision::Always { .. } => Self::Always,
            Decision::Deny { .. } => Self::Deny,
        }
    }
}

/// Returns the id with which a program answers a request: the call id in the session of the run, and the edition.
pub fn request_name(request: &ApprovalRequest) -> String {
    format!("{}.{}", request.call.0, request.edition)
}

fn as_written<S: serde::Serializer>(model: &Option<ModelRef>, serializer: S) -> Result<S::Ok, S::Error> {
    model.as_ref().map(ToString::to_string).serialize(serializer)
}
