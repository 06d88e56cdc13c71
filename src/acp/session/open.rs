//! Opens a session: waits for its state, replays its log, and responds.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agent_client_protocol_schema::v1::{
    ContentChunk, Error, ForkSessionResponse, LoadSessionResponse, NewSessionResponse, ResumeSessionResponse,
    SessionUpdate,
};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::events::plan;
use super::{Held, Session};
use crate::Ends;
use crate::calls::Calls;
use crate::options::Options;
use crate::outbox::Outbox;
use crate::trouble::{self, failed};
use benchdog_base::id::EntryId;
use benchdog_base::text::clean;
use benchdog_domain::entry::{Body, Entry};
use benchdog_lang::{Word, word};
use benchdog_protocol::{Answer, Command, Event, Live, Opened, Order, Told};

const OPEN_PATIENCE: Duration = Duration::from_secs(20);
/// Time limit for the model lists of the servers. A list that arrives later is sent as an update.
const MODELS_PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    New,
    /// The log is replayed before the response.
    Load,
    Resume,
    Fork,
}

impl Session {
    /// Waits until the session is open. If opening fails, ends the engine.
    pub(crate) async fn open(ends: Ends, outbox: Outbox, has_forms: bool) -> Result<(Self, Arc<Opened>), Error> {
        let Ends {
            seat,
            orders,
            mut told,
            task,
        } = ends;
        let until = Instant::now() + OPEN_PATIENCE;
        let mut early = Vec::new();
        let mut error = None;
        let opened = loop {
            match timeout_at(until, told.recv()).await {
                Ok(Some(Told { seat: of, event })) if of == seat => match event {
                    Event::Answer(Answer::Opened(opened)) => break opened,
                    Event::Live(Live::Error(failure)) => error = Some(trouble::of(&failure)),
                    event => early.push(event),
                },
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return Err(error.unwrap_or_else(|| failed(word(Word::AcpNotOpened)))),
            }
        };
        let root = PathBuf::from(&opened.meta.workspace);
        let mut session = Self {
            id: opened.meta.id.clone(),
            calls: Calls::new(root.clone(), Arc::clone(&opened.tools)),
            root,
            seat,
            orders,
            told,
            engine: task,
            outbox,
            commands: VecDeque::new(),
            running: None,
            asking: Vec::new(),
            replies: JoinSet::new(),
            rejected: Vec::new(),
            options: Options {
                agent: opened.meta.agent.clone(),
                model: opened.model.clone(),
                ..Options::default()
            },
            changes: VecDeque::new(),
            skills: opened.skills.clone(),
            title: opened.meta.title.clone(),
            prompted: String::new(),
            held: Held::default(),
            flush_at: None,
            comparing: VecDeque::new(),
            is_closing: false,
            has_forms,
        };
        for event in early {
            session.before_response(event).await;
        }
        session.learn_options(until).await?;
        Ok((session, opened))
    }

    /// Requests agents, models and status. Waits for the models only briefly, because their servers may not answer.
    async fn learn_options(&mut self, until: Instant) -> Result<(), Error> {
        for command in [Command::ListModels, Command::ListAgents, Command::ShowStatus] {
            let seat = self.seat;
            let order = self.orders.send(Order { seat, command });
            if !matches!(timeout_at(until, order).await, Ok(Ok(()))) {
                return Err(failed(word(Word::AcpNotOpened)));
            }
        }
        let mut has_status = false;
        let mut until = until;
        let mut has_models = false;
        while !has_status || !has_models {
            match timeout_at(until, self.told.recv()).await {
                Ok(Some(Told { seat, event })) if seat == self.seat => {
                    match &event {
                        Event::Answer(Answer::Status(_)) => {
                            has_status = true;
                            until = Instant::now() + MODELS_PATIENCE;
                        }
                        Event::Answer(Answer::Models { .. }) => has_models = true,
                        _ => {}
                    }
                    self.before_response(event).await;
                }
                Ok(Some(_)) => {}
                Ok(None) => return Err(failed(word(Word::AcpNotOpened))),
                Err(_) if has_status => return Ok(()),
                Err(_) => return Err(failed(word(Word::AcpNotOpened))),
            }
        }
        Ok(())
    }

    /// Stores the state from an event that arrives before the client knows the session. Sends nothing to the client.
    async fn before_response(&mut self, event: Event) {
        match event {
            Event::Answer(Answer::Agents(agents)) => self.options.agents = agents,
            Event::Answer(Answer::Models { offers, current, .. }) => {
                self.options.models = offers;
                self.options.model = current.or(self.options.model.take());
            }
            Event::Answer(Answer::Status(status)) => self.take_status(&status),
            Event::Answer(Answer::Invocable(skills)) => self.skills = skills,
            // Updates for these events are stored until a prompt is running.
            Event::Live(Live::Context(_) | Live::Notice(_)) => self.event(event).await,
            _ => {}
        }
    }

    pub(crate) async fn respond(&mut self, request: &Value, opening: Opening, opened: &Opened) {
        let (modes, options) = (self.options.modes(), self.options.list());
        match opening {
            Opening::New => {
                let response = NewSessionResponse::new(self.id.0.clone());
                let response = response.modes(modes).config_options(options);
                self.outbox.respond(request, Ok(response)).await;
            }
            Opening::Fork => {
                let response = ForkSessionResponse::new(self.id.0.clone());
                let response = response.modes(modes).config_options(options);
                self.outbox.respond(request, Ok(response)).await;
            }
            Opening::Load => {
                self.replay(opened).await;
                let response = LoadSessionResponse::new().modes(modes).config_options(options);
                self.outbox.respond(request, Ok(response)).await;
            }
            Opening::Resume => {
                let response = ResumeSessionResponse::new().modes(modes).config_options(options);
                self.outbox.respond(request, Ok(response)).await;
            }
        }
        self.tell_commands().await;
    }

    async fn replay(&mut self, opened: &Opened) {
        let upto = opened.gone.upto;
        for entry in self.earlier(upto).await {
            self.replay_entry(&entry).await;
        }
        for entry in opened.entries.iter().filter(|entry| entry.id > upto) {
            self.replay_entry(entry).await;
        }
        if !opened.todo.is_empty() && !opened.todo.is_task(&self.prompted) {
            self.update(plan(&opened.todo)).await;
        }
        self.calls.forget();
    }

    /// Reads entries before `upto` that are not in memory.
    async fn earlier(&mut self, upto: EntryId) -> Vec<Arc<Entry>> {
        if upto == EntryId::default() {
            return Vec::new();
        }
        let (seat, command) = (self.seat, Command::LoadEarlier { upto });
        if self.orders.send(Order { seat, command }).await.is_err() {
            return Vec::new();
        }
        let until = Instant::now() + OPEN_PATIENCE;
        while let Ok(Some(Told { seat, event })) = timeout_at(until, self.told.recv()).await {
            match event {
                Event::Answer(Answer::Earlier(entries)) if seat == self.seat => return entries,
                event if seat == self.seat => self.before_response(event).await,
                _ => {}
            }
        }
        Vec::new()
    }

    async fn replay_entry(&mut self, entry: &Entry) {
        match &entry.body {
            Body::User { text, .. } if !text.is_empty() => {
                self.prompted.clone_from(text);
                let chunk = ContentChunk::new(clean(text).into_owned().into());
                self.update(SessionUpdate::UserMessageChunk(chunk)).await;
            }
            Body::Assistant {
                text, reasoning, calls, ..
            } => {
                if !reasoning.is_empty() {
                    let chunk = ContentChunk::new(clean(reasoning).into_owned().into());
                    self.update(SessionUpdate::AgentThoughtChunk(chunk)).await;
                }
                if !text.is_empty() {
                    let chunk = ContentChunk::new(clean(text).into_owned().into());
                    self.update(SessionUpdate::AgentMessageChunk(chunk)).await;
                }
                for call in calls {
                    let update = self.calls.wanted(call);
                    self.update(update).await;
                }
            }
            Body::ToolResult { call, tool, title, .. } => {
                let update = self.calls.prepared(call, tool, title);
                self.update(update).await;
                for update in self.calls.ended(&entry.body) {
                    self.update(update).await;
                }
            }
            Body::Validation { .. } | Body::Shell { .. } => {
                for update in self.calls.ended(&entry.body) {
                    self.update(update).await;
                }
            }
            _ => {}
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}
