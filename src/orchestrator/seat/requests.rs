//! Requests to the model: assembled from the log, counted, streamed in a task of their own.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use tokio::task::AbortHandle;
use tracing::Instrument;

use super::Seat;
use super::asked::{Asked, stream};
use super::invoked::{self, Called};
use super::laid::Untold;
use super::terms::Wanted;
use crate::base::clock::Time;
use crate::base::id::EntryId;
use crate::context::assembly;
use crate::context::tokens::estimate;
use crate::domain::agent::{ModelRef, Program, Protocol};
use crate::domain::failure::{Failure, Overweight};
use crate::domain::image;
use crate::domain::message::{Arguments, Reply, Written};
use crate::domain::note::Note;
use crate::domain::notice::Notice;
use crate::domain::skill::BrokenSkill;
use crate::orchestrator::effect::Room;
use crate::orchestrator::engine::{Engine, WhatFor};
use crate::orchestrator::input::{Along, Happened, Weighed};
use crate::protocol::{Delivery, Live};
use crate::provider::ModelRequest;
use crate::security::redact::make_ready;
use crate::storage::{Arriving, Partial};

/// By how much a temperature is raised, how far, and what is sent first where none is configured.
const NUDGE: f64 = 0.2;
const HOTTEST: f64 = 1.0;
const UNKNOWN: f64 = 0.3;

/// A request as the machine orders it.
#[derive(Clone)]
pub(super) struct Order {
    pub(super) request: u64,
    pub(super) model: ModelRef,
    pub(super) upto: EntryId,
    pub(super) room: Room,
    pub(super) nudge: u8,
}

/// A request under way.
pub(super) struct Stream {
    pub(super) request: u64,
    /// The model it was sent to; another may have been chosen since.
    model: ModelRef,
    /// Its tokens, as they were estimated.
    used: u64,
    pub(super) began: Instant,
    pub(super) task: AbortHandle,
}

impl Stream {
    /// It is not sent yet: it waits for what it declares.
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

/// What a report said of the tokens in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// The server's count, and the room for requests that it is a part of.
    Told {
        used: u64,
        room: u64,
    },
    /// Nothing that holds for the whole request.
    NotTold,
    /// Nothing at all: with the answer it is about so many tokens.
    Uncounted {
        tokens: u64,
    },
    NothingNew,
}

impl Seat {
    /// Answers at once where the prompt names nothing that is to be read first. `ran_first`: what it has to run was run.
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

    /// Whether a prompt fits the window by itself: for whatever else is there, room can be made.
    pub(super) fn weighed(&self, engine: &Engine, prompt: &str, along: Along, notes: &[Note]) -> Weighed {
        let window = self.window(engine);
        let all: Vec<Note> = notes.iter().chain(&along.notes).cloned().collect();
        let images = along.mentions.iter().filter(|mention| mention.image.is_some()).count();
        let used = self.alone(
            window,
            &assembly::user(along.text.as_deref().unwrap_or(prompt), &along.mentions, &all),
        ) + image::TOKENS * images as u64;
        let limit = window.room();
        // Without a model nothing is known of a window, and the request says so.
        if self.has_model && used > limit {
            let fixed = self.estimator.fixed();
            Weighed::Over(Overweight { used, limit, fixed })
        } else {
            Weighed::Fits(along)
        }
    }

    /// The command of the person's own that a prompt begins with. What a model wrote for a child is text, and so is what came through
    /// a pipe.
    fn called(&self, prompt: &str) -> Option<Result<Called, BrokenSkill>> {
        let is_of_person = self.above.is_none() && !self.pastes.begin(prompt);
        is_of_person.then(|| invoked::called(&self.instructed.skills, prompt))?
    }

    /// A prompt. What goes into a turn that runs is weighed here: the machine writes it into the log with the next request.
    pub(in crate::orchestrator) async fn prompt(&mut self, engine: &mut Engine, text: String, delivery: Delivery) {
        let called = self.called(&text);
        if let Err(refused) = Box::pin(self.lend(engine, called.as_ref(), &text)).await {
            return engine.answer(self.id, refused).await;
        }
        // What runs command lines is a turn of its own.
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

    /// Sends what is carried of the log up to `upto`, or says how room is made for it.
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
        self.estimator.follow(&self.assembly);
        let ledger = self.estimator.before(&messages, window);
        let used = ledger.used;
        if let Some(first) = self.make_room(engine, request, used, window, room) {
            return Some(first);
        }
        // What was refused is not sent a second time as it was.
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
        let images = self.pictures(engine, &messages, configured.vision).await;
        let span = self.traces.request(request, &model, upto, used, began.elapsed());
        engine.live(self.id, Live::Context(ledger)).await;
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
            thinking: self.log.history().sampling().thinking,
            extra_body: configured.extra_body,
        };
        let terms = self.terms.hold(&model, self.assembly.point(), self.log.history());
        let wanted = Wanted {
            style: configured.tools,
            strict: self.settings.strict_tools(&model),
            known: engine.known(&self.settings, &model).cloned(),
        };
        let asked = Asked {
            request,
            order: body,
            terms,
            wanted,
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

    /// What the person chose in this session or at its start, else what the agent or the model is set to.
    fn temperature(&self, of_model: Option<f64>) -> Option<f64> {
        let chosen = self.log.history().sampling().temperature;
        let insisted = self.settings.insisted.temperature;
        chosen.or(insisted).or(self.agent.temperature).or(of_model)
    }

    /// Where the answer of this model to the log up to `upto` is kept while it arrives.
    fn partial(&self, engine: &Engine, model: &ModelRef, upto: EntryId) -> Partial {
        engine.setup.storage.partial(Arriving {
            session: self.session.id.clone(),
            turn: self.log.history().last_turn(),
            after: upto,
            time: Time::now(),
            model: model.clone(),
        })
    }

    /// Said once.
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

    /// Calls that came as text are worth a word the first time, and each time they had to be repaired or leaked.
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

    /// The request under way is over. The server's count replaces the estimate; where it sent none, or the count of a part,
    /// the reply has to be estimated, too.
    pub(super) async fn note_reply(&mut self, engine: &mut Engine, happened: &Happened) -> Counted {
        let (Happened::Replied { request, .. } | Happened::Failed { request, .. }) = happened else {
            return Counted::NothingNew;
        };
        // A late report belongs to a request that was given up.
        let Some(stream) = self.stream.take_if(|stream| stream.request == *request) else {
            return Counted::NothingNew;
        };
        self.traces.request_over(stream.began.elapsed());
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
        engine.live(self.id, Live::Context(ledger)).await;
        Counted::Told { used, room }
    }
}

/// What an answer takes, as it is estimated.
fn answer(reply: &Reply) -> u64 {
    let calls = reply.calls.iter().map(|call| match &call.arguments {
        Arguments::Object(fields) => estimate(&Value::Object(fields.clone()).to_string()),
        Arguments::Raw(text) => estimate(text),
    });
    estimate(&reply.text) + estimate(&reply.reasoning) + calls.sum::<u64>()
}

/// A request that cannot even be sent.
fn unsent(request: u64, failure: Failure) -> Happened {
    Happened::Failed {
        request,
        failure,
        spent: None,
        elsewhere: false,
    }
}

/// The temperature of a request, higher by as much as the answers before it came to nothing.
fn nudged(configured: Option<f64>, nudge: u8) -> Option<f64> {
    let more = f64::from(nudge) * NUDGE;
    let raised = match configured {
        _ if nudge == 0 => return configured,
        Some(temperature) if temperature >= HOTTEST => return configured,
        Some(temperature) => temperature + more,
        None => UNKNOWN + more - NUDGE,
    };
    // As people write it: 0.2 and 0.1 make 0.3.
    Some((raised.min(HOTTEST) * 100.0).round() / 100.0)
}

/// The longest answer to ask for. Servers refuse a request whose prompt and answer together exceed the window, so near its
/// end less is asked for; a tenth of what is free is left for the error of the estimate.
fn room_for_answer(configured: u64, used: u64, window: u64) -> u64 {
    let free = window.saturating_sub(used);
    configured.min(free - free / 10).max(1)
}
