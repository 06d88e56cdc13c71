//! Converts events of the engine to updates for the client.

use std::sync::Arc;

use agent_client_protocol_schema::v1::{
    AvailableCommandsUpdate, ConfigOptionUpdate, ContentChunk, Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus,
    SessionInfoUpdate, SessionUpdate, StopReason, UsageUpdate,
};
use tokio::time::Instant;

use super::{Asking, OUTPUT_PAUSE, Session, What};
use crate::options;
use crate::trouble;
use benchdog_base::text::clean;
use benchdog_domain::budget::Ledger;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::history::title;
use benchdog_domain::notice::{Limit, Notice};
use benchdog_domain::status::Status;
use benchdog_domain::todo::{TodoList, TodoStatus};
use benchdog_lang as lang;
use benchdog_protocol::{Answer, ChildLive, Command, Event, Live};

const MOST_NOTES: usize = 16;

impl Session {
    pub(super) async fn event(&mut self, event: Event) {
        match event {
            Event::Fact(entry) => self.fact(&entry).await,
            Event::Live(live) => self.live(live).await,
            Event::Answer(answer) => self.answer(answer).await,
        }
    }

    async fn fact(&mut self, entry: &Arc<Entry>) {
        match &entry.body {
            Body::User { text, .. } => {
                self.prompted.clone_from(text);
                self.titled(entry).await;
            }
            Body::Assistant { text, calls, error, .. } => {
                let streamed = self
                    .running
                    .as_mut()
                    .map_or(0, |running| std::mem::take(&mut running.streamed));
                if streamed == 0 && error.is_none() && !text.is_empty() {
                    self.say(text).await;
                }
                for call in calls {
                    let update = self.calls.wanted(call);
                    self.update(update).await;
                }
            }
            Body::CallStarted { call, .. } => {
                if let Some(update) = self.calls.started(call) {
                    self.update(update).await;
                }
            }
            Body::Approval { call, .. } => self.withdraw(&call.clone()).await,
            Body::ToolResult { call, .. } => {
                self.withdraw(&call.clone()).await;
                self.ended_call(&entry.body).await;
            }
            Body::Validation { .. } | Body::Shell { .. } => self.ended_call(&entry.body).await,
            Body::Change { call, path, before, .. } if !self.calls.has_diff(call) => {
                self.comparing.push_back(call.clone());
                let files = vec![(path.clone(), before.clone())];
                self.send(Command::Compare { files });
            }
            // A todo list that contains only the prompt itself is not shown.
            Body::Todo { items } if !items.is_task(&self.prompted) => self.update(plan(items)).await,
            Body::Notice(notice) => self.notice(notice).await,
            Body::Compaction(compaction) => {
                self.note(&lang::compacted(compaction)).await;
                self.compaction_ended(TurnOutcome::Done);
            }
            Body::Agent { agent, .. } => {
                self.options.agent = agent.clone();
                self.tell_mode().await;
                self.tell_options().await;
            }
            Body::Model { model, .. } => {
                self.options.model = Some(model.clone());
                self.tell_options().await;
            }
            Body::TurnEnded { outcome, .. } => self.ended(*outcome),
            _ => {}
        }
    }

    async fn ended_call(&mut self, body: &Body) {
        for update in self.calls.ended(body) {
            self.update(update).await;
        }
    }

    async fn live(&mut self, live: Live) {
        match live {
            Live::State(state) if !state.is_rest() => {
                if let Some(running) = &mut self.running {
                    running.has_begun = true;
                }
            }
            Live::Text(text) if self.running.is_some() => {
                if let Some(running) = &mut self.running {
                    running.streamed += text.len();
                }
                self.say(&text).await;
            }
            Live::Reasoning(text) if self.running.is_some() => {
                let chunk = ContentChunk::new(clean(&text).into_owned().into());
                self.update(SessionUpdate::AgentThoughtChunk(chunk)).await;
            }
            Live::ToolStarted { call, tool, title } => {
                let update = self.calls.prepared(&call, &tool, &title);
                self.update(update).await;
            }
            Live::ToolOutput(chunk) if self.calls.prints(&chunk) => {
                self.flush_at.get_or_insert(Instant::now() + OUTPUT_PAUSE);
            }
            Live::ApprovalRequested(request) => self.ask(Asking::new(request)).await,
            Live::ApprovalGone { call } => self.withdraw(&call).await,
            Live::Child(child) => self.child(&child).await,
            Live::Context(ledger) => self.usage(&ledger).await,
            Live::Retrying {
                attempt,
                wait_ms,
                reason,
                ..
            } if self.running.is_some() => {
                if let Some(running) = &mut self.running {
                    running.streamed = 0;
                }
                let seconds = format!("{}.{}", wait_ms / 1_000, wait_ms % 1_000 / 100);
                self.note(&lang::trying_again(attempt, &lang::retry_reason(&reason), &seconds))
                    .await;
            }
            Live::Notice(notice) => self.notice(&notice).await,
            Live::Error(failure) => self.failed(&failure),
            _ => {}
        }
    }

    async fn answer(&mut self, answer: Answer) {
        match answer {
            Answer::TooLarge { over, .. } => self.refused(&Failure::ContextFull(over)),
            Answer::Unread { mentions, .. } => self.refused(&Failure::MentionUnread { mentions }),
            Answer::NotBegun { outcome, .. } => self.ended(outcome),
            Answer::CompactionReady(preview) => match preview.unfit {
                None => {
                    let summary = preview.summary;
                    self.send(Command::AcceptCompaction { summary });
                }
                Some(unfit) => {
                    self.send(Command::DropCompaction);
                    self.note(&lang::unfit(unfit)).await;
                    self.compaction_ended(TurnOutcome::Done);
                }
            },
            Answer::Compared(files) => {
                let call = self.comparing.pop_front();
                if let Some(update) = call.and_then(|call| self.calls.changes(&call, &files)) {
                    self.update(update).await;
                }
            }
            Answer::Agents(agents) => {
                self.options.agents = agents;
            }
            Answer::Models { offers, current, .. } => {
                self.options.models = offers;
                self.options.model = current.or(self.options.model.take());
                self.tell_options().await;
            }
            Answer::Status(status) => {
                self.take_status(&status);
                self.changed().await;
            }
            Answer::Invocable(skills) => {
                self.skills = skills;
                self.tell_commands().await;
            }
            _ => {}
        }
    }

    pub(super) fn take_status(&mut self, status: &Status) {
        self.options.agent = status.agent.clone();
        self.options.thinking = status.sampling.thinking;
        if let Some(asked) = &status.asked {
            self.options.model = Some(asked.model.clone());
        }
    }

    // --- the end of a prompt ---

    fn refused(&mut self, failure: &Failure) {
        if let Some(running) = &mut self.running {
            running.error = Some(trouble::of(failure));
        }
        self.ended(TurnOutcome::Error);
    }

    fn failed(&mut self, failure: &Failure) {
        let Some(running) = &mut self.running else { return };
        running.error = Some(trouble::of(failure));
        // The turn has not begun, so no `TurnEnded` will follow.
        if !running.has_begun || running.what == What::Compaction {
            self.ended(TurnOutcome::Error);
        }
    }

    fn compaction_ended(&mut self, outcome: TurnOutcome) {
        if self
            .running
            .as_ref()
            .is_some_and(|running| running.what == What::Compaction)
        {
            self.ended(outcome);
        }
    }

    async fn notice(&mut self, notice: &Notice) {
        if let Some(running) = &mut self.running {
            match notice {
                Notice::OutputLimit | Notice::WindowEnd | Notice::Limit(Limit::Tokens { .. } | Limit::Cost { .. }) => {
                    running.stop = Some(StopReason::MaxTokens);
                }
                Notice::Limit(Limit::Steps { .. } | Limit::Time) => running.stop = Some(StopReason::MaxTurnRequests),
                Notice::Filtered => running.stop = Some(StopReason::Refusal),
                _ => {}
            }
        }
        self.note(&lang::notice(notice).joined()).await;
        match notice {
            Notice::NothingToCompact | Notice::NotSummarised(_) | Notice::PreviewStale => {
                self.compaction_ended(TurnOutcome::Done)
            }
            Notice::SummaryStopped => self.compaction_ended(TurnOutcome::Interrupted),
            Notice::Busy => {
                self.ended(TurnOutcome::Error);
            }
            _ => {}
        }
    }

    // --- updates ---

    async fn say(&self, text: &str) {
        let chunk = ContentChunk::new(clean(text).into_owned().into());
        self.update(SessionUpdate::AgentMessageChunk(chunk)).await;
    }

    /// Sends a message from Benchdog between the model's texts. Without a running prompt, stores the message for the
    /// next prompt.
    pub(super) async fn note(&mut self, text: &str) {
        if self.running.is_none() {
            if self.held.notes.len() < MOST_NOTES {
                self.held.notes.push(text.to_owned());
            }
            return;
        }
        let quoted: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
        self.say(&format!("\n\n{}\n\n", quoted.join("\n"))).await;
    }

    async fn titled(&mut self, prompt: &Entry) {
        let Some(title) = title(prompt).filter(|_| self.title.is_empty()) else {
            return;
        };
        self.title = clean(&title).into_owned();
        let info = SessionInfoUpdate::new().title(self.title.clone());
        self.update(SessionUpdate::SessionInfoUpdate(info)).await;
    }

    async fn usage(&mut self, ledger: &Ledger) {
        let usage = SessionUpdate::UsageUpdate(UsageUpdate::new(ledger.used, ledger.limit));
        match self.running {
            Some(_) => self.update(usage).await,
            None => self.held.usage = Some(usage),
        }
    }

    async fn child(&mut self, child: &ChildLive) {
        let text = format!("{} · {}\n{}", child.agent, child.task, child.doing);
        if let Some(update) = self.calls.progress(&child.call, &text) {
            self.update(update).await;
        }
    }

    async fn tell_options(&mut self) {
        let update = ConfigOptionUpdate::new(self.options.list());
        self.update(SessionUpdate::ConfigOptionUpdate(update)).await;
    }

    pub(super) async fn tell_commands(&mut self) {
        let commands = AvailableCommandsUpdate::new(options::commands(&self.skills));
        self.update(SessionUpdate::AvailableCommandsUpdate(commands)).await;
    }
}

pub(super) fn plan(items: &TodoList) -> SessionUpdate {
    let kept = items.0.iter().filter(|item| item.status != TodoStatus::Cancelled);
    let entries = kept.map(|item| {
        let status = match item.status {
            TodoStatus::Pending | TodoStatus::Cancelled => PlanEntryStatus::Pending,
            TodoStatus::InProgress => PlanEntryStatus::InProgress,
            TodoStatus::Completed => PlanEntryStatus::Completed,
        };
        PlanEntry::new(clean(&item.text), PlanEntryPriority::Medium, status)
    });
    SessionUpdate::Plan(Plan::new(entries.collect()))
}
