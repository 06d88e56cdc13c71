//! Requests to the model: built from the log, counted, and streamed in a separate task.

pub(super) mod call_protocol;
pub(super) mod commit_message;
pub(super) mod context_window;
pub(super) mod model_stream;
pub(super) mod server_counts;
pub(super) mod side_model;
pub(super) mod summary;
pub(super) mod title;

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use tokio::task::AbortHandle;
use tracing::Instrument;

use super::Seat;
use super::prompt::custom_command::{self, Called};
use super::prompt::prefix::Untold;
use crate::effect::Room;
use crate::engine::{Engine, WhatFor};
use crate::input::{Along, Happened, Weighed};
use benchdog_base::clock::Time;
use benchdog_base::id::EntryId;
use benchdog_config::settings::ToolStyle;
use benchdog_context::assembly;
use benchdog_context::tokens::estimate;
use benchdog_domain::agent::{ModelRef, Program, Protocol};
use benchdog_domain::failure::{Failure, Overweight};
use benchdog_domain::image;
use benchdog_domain::message::{Arguments, Reply, Written};
use benchdog_domain::note::Note;
use benchdog_domain::notice::Notice;
use benchdog_domain::skill::BrokenSkill;
use benchdog_protocol::Delivery;
use benchdog_provider::ModelRequest;
use benchdog_security::redact::make_ready;
use benchdog_storage::{Arriving, Partial};
use call_protocol::Wanted;
use model_stream::{Asked, stream};

/// The step by which the temperature is raised. `HOTTEST` is the maximum. `UNKNOWN` is the first raised value if no
/// temperature is configured.
const NUDGE: f64 = 0.2;
const HOTTEST: f64 = 1.0;
const UNKNOWN: f64 = 0.3;

#[derive(Clone)]
pub(super) struct Order {
    pub(super) request: u64,
    pub(super) model: ModelRef,
    pub(super) upto: EntryId,
    pub(super) room: Room,
    pub(super) nudge: u8,
}

pub(super) struct Stream {
    pub(super) request: u64,
    /// The model of the request. The session may have changed to another model since.
    model: ModelRef,
    /// The estimated number of tokens.
    used: u64,
    pub(super) began: Instant,
    pub(super) task: AbortHandle,
}

impl Stream {
    /// Creates a stream for a request that is still waiting for the tools of MCP servers.
    pub(super) fn waiting(request: u64, model: ModelRef, task: AbortHandle) -> Self {
        Self {
            request,
            model,
            used: 0,
            began: Instant::now(),
            task,
        }
    }
}

/// The token count of a request together with its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// The server sent a count. `room` is the space for requests in tokens.
    Told {
        used: u64,
        room: u64,
    },
    /// The server counted only a part of the request.
    NotTold,
    /// The server sent no count. `tokens` is an estimate that includes the answer.
    Uncounted {
        tokens: u64,
    },
    NothingNew,
}

impl Seat {
    /// Reads the mentions of a prompt and checks its size. Returns the result at once if there is nothing to read.
    /// `ran_first` is set if the command lines of the prompt have already run.
    pub(super) fn weigh(
        &mut self,
        engine: &Engine,
        (weighing, ran_first): (u64, bool),
        prompt: &str,
        notes: Vec<Note>,
    ) -> Option<Happened> {
        let called = self.called(prompt);
        if let Some(Ok(called)) = &called
            && !ran_first
            && !called.expansion.lines.is_empty()
        {
            let asks = self.ask_first(engine, weighing, prompt, called);
            return (!asks).then(|| Happened::Weighed {
                weighing,
                weighed: Weighed::First {
                    lines: called.expansion.lines.clone().into(),
                    told: Vec::new(),
                },
            });
        }
        let what_for = WhatFor::Turn {
            weighing,
            notes: notes.clone(),
        };
        let along = self.read_mentions(engine, prompt, called, what_for)?;
        let weighed = self.weighed(engine, prompt, along, &notes);
        Some(Happened::Weighed { weighing, weighed })
    }

    /// Checks whether a prompt alone fits into the context window. A compaction can remove the rest.
    pub(super) fn weighed(&self, engine: &Engine, prompt: &str, along: Along, notes: &[Note]) -> Weighed {
        let window = self.window(engine);
        let all: Vec<Note> = notes.iter().chain(&along.notes).cloned().collect();
        let images = along.mentions.iter().filter(|mention| mention.image.is_some()).count();
        let used = self.alone(
            window,
            &assembly::user(along.text.as_deref().unwrap_or(prompt), &along.mentions, &all),
        ) + image::TOKENS * images as u64;
        let limit = window.room();
        // Without a model, the context window is unknown. The request will report the missing model.
        if self.has_model && used > limit {
            let fixed = self.estimator.fixed();
            Weighed::Over(Overweight { used, limit, fixed })
        } else {
            Weighed::Fits(along)
        }
    }

    /// Returns the custom command at the start of a prompt. `None` for text from a model, a pipe or a paste.
    fn called(&self, prompt: &str) -> Option<Result<Called, BrokenSkill>> {
        let is_of_person = self.above.is_none() && !self.pastes.begin(prompt);
        is_of_person.then(|| custom_command::called(&self.instructed.skills, prompt))?
    }

    /// Handles a prompt. A prompt for the running turn is checked here and logged with the next request.
    pub(crate) async fn prompt(&mut self, engine: &mut Engine, text: String, delivery: Delivery) {
        let called = self.called(&text);
        if let Err(refused) = Box::pin(self.lend(engine, called.as_ref(), &text)).await {
            return engine.answer(self.id, refused).await;
        }
        // A prompt with command lines needs a separate turn.
        let runs = matches!(&called, Some(Ok(called)) if !called.expansion.lines.is_empty());
        if delivery == Delivery::Steer && self.is_busy() && !runs {
            let stops = self.stops;
            if let Some(along) = self.read_mentions(engine, &text, called, WhatFor::Steering { stops }) {
                let weighed = self.weighed(engine, &text, along, &[]);
                self.steer(engine, text, weighed).await;
            }
            return;
        }
        let prompt = Happened::Prompt {
            text,
            along: Along::default(),
            delivery,
        };
        self.feed(engine, prompt).await;
    }

    /// Sends a request with the log up to `upto`. If the request does not fit, starts a compaction.
    pub(super) async fn call_model(&mut self, engine: &mut Engine, order: Order) -> Option<Happened> {
        let Order {
            request,
            model,
            upto,
            room,
            nudge,
        } = order;
        if !self.has_model {
            return Some(unsent(request, Failure::NoModel));
        }
        let Some(provider) = engine.provider(&self.settings, &model.provider) else {
            let failure = Failure::NoProvider {
                provider: model.provider.clone(),
                model,
            };
            return Some(unsent(request, failure));
        };
        let began = Instant::now();
        let window = self.window_of(engine, &model);
        let messages = self.assembly.extend(self.log.history(), upto).clone();
        let terms = self.terms.hold(&model, self.assembly.point(), self.log.history());
        self.estimator.count_tools(terms.have_tools());
        self.estimator.follow(&self.assembly);
        let ledger = self.estimator.before(&messages, window);
        let used = ledger.used;
        if let Some(first) = self.make_room(engine, request, used, window, room) {
            return Some(first);
        }
        // A rejected request must not be sent again unchanged.
        if used > window.room() || room.refused {
            let limit = window.room();
            let fixed = self.estimator.fixed();
            let over = Overweight { used, limit, fixed };
            return Some(Happened::OverWindow { request, over });
        }
        self.tell_untold(engine).await;
        let is_first = !std::mem::replace(&mut self.has_asked, true);
        engine.end_ahead_unless_for(&model);
        let configured = self.settings.model_settings(&model);
        let output = room_for_answer(configured.output, used, window.tokens);
        let images = self.pictures(engine, &messages, &model).await;
        let span = self.traces.request(request, &model, upto, used, began.elapsed());
        self.say_context(engine, ledger).await;
        let body = ModelRequest {
            model: model.id.clone(),
            messages: assembly::without_hidden(messages, &images, &self.assembly.mark()),
            images,
            tools: self.tools.declarations(),
            protocol: Protocol::Native,
            calls_itself: self.calls_itself.as_ref() == Some(&model),
            short_ids: false,
            reasoning: configured.reasoning,
            strict: false,
            output,
            tells_reading: engine
                .known(&self.settings, &model)
                .is_some_and(|known| known.is(Program::LlamaCpp)),
            window: engine.told_window(&self.settings, &model),
            temperature: nudged(self.temperature(configured.temperature), nudge),
            top_p: self.agent.top_p.or(configured.top_p),
            thinking: self.log.history().sampling().thinking.or(configured.thinking),
            extra_body: configured.extra_body,
        };
        let wanted = self.wanted(engine, &model, configured.tools);
        let asked = Asked {
            request,
            order: body,
            terms,
            wanted,
            slot: engine.slot_of_seat(self.id, &self.settings, &model),
            reports: engine.reports(),
            settings: Arc::clone(&self.settings),
            model: model.clone(),
        };
        let partial = self.partial(engine, &model, upto);
        let answer = stream(provider, asked, partial, engine.line(self.id));
        let task = tokio::spawn(answer.instrument(span));
        self.stream = Some(Stream {
            request,
            model,
            used,
            began: Instant::now(),
            task: task.abort_handle(),
        });
        if is_first {
            tokio::task::spawn_blocking(make_ready);
        }
        None
    }

    fn wanted(&self, engine: &Engine, model: &ModelRef, style: ToolStyle) -> Wanted {
        Wanted {
            style,
            strict: self.settings.strict_tools(model),
            known: engine.known(&self.settings, model).cloned(),
            pending: engine.pending_knowledge(&self.settings, model),
        }
    }

    /// Returns the temperature that the person chose, or else that of the agent, or else that of the model.
    fn temperature(&self, of_model: Option<f64>) -> Option<f64> {
        let chosen = self.log.history().sampling().temperature;
        let insisted = self.settings.insisted.temperature;
        chosen.or(insisted).or(self.agent.temperature).or(of_model)
    }

    fn partial(&self, engine: &Engine, model: &ModelRef, upto: EntryId) -> Partial {
        engine.setup.storage.partial(Arriving {
            session: self.session.id.clone(),
            turn: self.log.history().last_turn(),
            after: upto,
            time: Time::now(),
            model: model.clone(),
        })
    }

    async fn tell_untold(&mut self, engine: &Engine) {
        let Untold {
            rules,
            skills: (told, all),
        } = std::mem::take(&mut self.untold);
        if told < all {
            engine.notice(self.id, Notice::SkillsUntold { told, all }).await;
        }
        for cut in rules {
            let notice = Notice::RulesCut {
                file: cut.path,
                told: cut.told as u64,
                whole: cut.whole as u64,
            };
            engine.notice(self.id, notice).await;
        }
    }

    /// Reports that the model writes calls as text. Sends a notice the first time, and whenever such calls had to be
    /// repaired or were shown as text.
    async fn tell_written(&mut self, engine: &Engine, written: Written) {
        if written == Written::default() {
            return;
        }
        tracing::info!(
            calls = written.calls,
            repaired = written.repaired,
            leaked = written.leaked,
            unusable = written.unusable,
            "calls written as text"
        );
        let first = !std::mem::replace(&mut self.writes_calls, true);
        if first || written.repaired > 0 || written.leaked > 0 {
            engine.notice(self.id, Notice::CallsRead { written }).await;
        }
    }

    /// Replaces the estimate of a request by the server's token count. If the count is missing or incomplete, adds an
    /// estimate for the reply.
    pub(super) async fn note_reply(&mut self, engine: &mut Engine, happened: &Happened) -> Counted {
        let (Happened::Replied { request, .. } | Happened::Failed { request, .. }) = happened else {
            return Counted::NothingNew;
        };
        // A late reply to an abandoned request has another number.
        let Some(stream) = self.stream.take_if(|stream| stream.request == *request) else {
            return Counted::NothingNew;
        };
        self.traces
            .request_over(happened, stream.request, stream.began.elapsed());
        if let Happened::Failed {
            failure: Failure::ContextOverflow { limit, .. },
            ..
        } = happened
        {
            self.learn_refusal(engine, &stream.model, stream.used, *limit).await;
        }
        let Happened::Replied { reply, .. } = happened else {
            return Counted::NothingNew;
        };
        if reply.calls_itself {
            self.calls_itself = Some(stream.model.clone());
        }
        self.tell_written(engine, reply.written).await;
        let Some(usage) = reply.usage else {
            let tokens = stream.used.saturating_add(self.estimator.calibrated(answer(reply)));
            return Counted::Uncounted { tokens };
        };
        let model = stream.model;
        self.estimator.count_tools(self.terms.have_tools());
        self.ask_what_it_runs_with(engine, &model);
        self.tell_cache(engine, &model, usage).await;
        if let Some(sent) = self.estimator.cut(usage) {
            if self.told_of_cut.as_ref() != Some(&model) {
                let read = usage.prompt;
                engine.notice(self.id, Notice::PromptCut { read, sent }).await;
                self.told_of_cut = Some(model);
            }
            return Counted::NotTold;
        }
        let window = self.window_of(engine, &model);
        let ledger = self.estimator.after(usage, window);
        let (used, room) = (ledger.used, window.room());
        self.say_context(engine, ledger).await;
        Counted::Told { used, room }
    }
}

fn answer(reply: &Reply) -> u64 {
    let calls = reply.calls.iter().map(|call| match &call.arguments {
        Arguments::Object(fields) => estimate(&Value::Object(fields.clone()).to_string()),
        Arguments::Raw(text) => estimate(text),
    });
    estimate(&reply.text) + estimate(&reply.reasoning) + calls.sum::<u64>()
}

fn unsent(request: u64, failure: Failure) -> Happened {
    Happened::Failed {
        request,
        failure,
        spent: None,
        elsewhere: false,
    }
}

fn nudged(configured: Option<f64>, nudge: u8) -> Option<f64> {
    let more = f64::from(nudge) * NUDGE;
    let raised = match configured {
        _ if nudge == 0 => return configured,
        Some(temperature) if temperature >= HOTTEST => return configured,
        Some(temperature) => temperature + more,
        None => UNKNOWN + more - NUDGE,
    };
    // Round, so that 0.2 plus 0.1 is 0.3.
    Some((raised.min(HOTTEST) * 100.0).round() / 100.0)
}

/// Returns the maximum length of the answer in tokens. A tenth of the free space is reserved for estimation errors.
/// Servers reject a request if prompt and answer together exceed the window.
fn room_for_answer(configured: u64, used: u64, window: u64) -> u64 {
    let free = window.saturating_sub(used);
    configured.min(free - free / 10).max(1)
}
