//! Reads the mentions of a prompt after hooks have checked the prompt.

use std::sync::{Arc, PoisonError};

use tokio::sync::oneshot;

use crate::engine::{Engine, Mentioned, Named, WhatFor};
use crate::input::{Along, Happened, HookAnswer, Weighed};
use crate::seat::hooks;
use crate::seat::prompt::custom_command::{Called, Invoked};
use crate::seat::prompt::mention_reader::{Reader, Rules, Shows};
use crate::seat::prompt::repository::Repository;
use crate::seat::prompt::waits::Waits;
use crate::seat::servers::prompts;
use crate::seat::{Approver, Seat};
use benchdog_context::assembly;
use benchdog_domain::call::Origin;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::mention::MentionKind;
use benchdog_domain::note::Note;
use benchdog_domain::skill::BrokenSkill;
use benchdog_protocol::{Answer, Delivery};
use benchdog_tools::{Stop, ToolContext};

impl Seat {
    pub(in crate::seat) fn note_seen(&self, entry: &Entry) {
        let Body::User { mentions, .. } = &entry.body else {
            return;
        };
        let files = mentions.iter().filter(|mention| mention.kind == MentionKind::File);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend(files.filter_map(|file| Some((file.path.clone(), file.hash.clone()?))));
    }

    /// Reads the mentions of a prompt in a separate task, which sends a report with the result. Returns the result at
    /// once if there is nothing to read or wait for.
    pub(in crate::seat) fn read_mentions(
        &mut self,
        engine: &Engine,
        prompt: &str,
        called: Option<Result<Called, BrokenSkill>>,
        what_for: WhatFor,
    ) -> Option<Along> {
        while self.readings.try_join_next().is_some() {}
        let found = match &called {
            Some(Ok(called)) => self.pastes.find_in(prompt, called),
            Some(Err(_)) | None => self.pastes.find(prompt),
        };
        let (text, invoked) = match called {
            Some(Ok(called)) => (Some(called.expansion.text), None),
            Some(Err(broken)) => (None, Some(Invoked::Broken(broken))),
            None if self.pastes.begin(prompt) => (None, None),
            None => (None, Invoked::by(&self.instructed.skills, prompt)),
        };
        let is_typed = self.above.is_none() && !self.pastes.begin(prompt);
        let of_server = (is_typed && text.is_none() && invoked.is_none())
            .then(|| self.served.called(prompt))
            .flatten();
        let sent = text.as_deref().unwrap_or(prompt);
        let said_before = self.said_before(sent);
        let at_prompt = match &said_before {
            Some(_) => None,
            None => self.asked_at_prompt(engine, sent),
        };
        let unasked = said_before.is_none() && at_prompt.is_none();
        let nothing = found.is_empty() && invoked.is_none() && of_server.is_none() && unasked;
        // Do not report changes during a turn, because calls may be changing files.
        let outside = match what_for {
            WhatFor::Turn { .. } => self.outside_changes(),
            WhatFor::Steering { .. } | WhatFor::First { .. } => None,
        };
        if nothing && self.readings.is_empty() && !self.repository.is_due() && outside.is_none() {
            return Some(Along {
                text,
                ..Along::default()
            });
        }
        if self.readings.is_empty() {
            self.reading_stops.clear();
        }
        // The person can stop waiting for a slow server. A report that arrives later has no effect.
        let (stopper, stop) = Stop::pair();
        self.reading_stops.push(stopper);
        let reader = self.reads_for(engine, invoked, stop);
        let line = engine.line(self.id);
        let prompt = prompt.to_owned();
        let repository = self.repository.take();
        let (done, next) = oneshot::channel();
        let before = self.last_reading.replace(next);
        self.readings.spawn(async move {
            let mut at_prompt = at_prompt;
            let made = prompts::made(of_server, &reader.cx.redactor, &reader.waits).await;
            if let (Ok(Some(made)), Some(at_prompt)) = (&made, &mut at_prompt) {
                at_prompt.about(made);
            }
            let hooked = async {
                match at_prompt {
                    Some(_) if made.is_err() => HookAnswer::default(),
                    Some(at_prompt) => at_prompt.ask().await,
                    None => said_before.unwrap_or_default(),
                }
            };
            let heard_and_read = async {
                let hooked = hooked.await;
                // If the prompt will not be sent, its mentions need not be read.
                let is_sent = hooked.denied.is_none() && made.is_ok();
                let read = match is_sent {
                    true => reader.read(found).await,
                    false => Ok(Named::default()),
                };
                (hooked, read)
            };
            let outside = async { outside?.await };
            let ((hooked, read), repository, outside) = tokio::join!(heard_and_read, repository.note(), outside);
            let (text, read) = match made {
                Ok(made) => (made.or(text), read),
                Err(why) => (None, Err(vec![why])),
            };
            // Wait for the earlier task, so that prompts are reported in the order in which they were sent.
            if let Some(before) = before {
                let _ = before.await;
            }
            let mentioned = Mentioned {
                prompt,
                text,
                read,
                hooked,
                repository,
                outside,
                what_for,
            };
            line.mentioned(mentioned).await;
            drop(done);
        });
        None
    }

    fn reads_for(&self, engine: &Engine, invoked: Option<Invoked>, stop: Stop) -> Reader {
        let (settings, model) = (&self.settings, self.machine.model());
        let vision = engine.vision(settings, model);
        let consents = matches!(engine.setup.approver, Approver::Person | Approver::All);
        Reader {
            tools: self.tools.clone(),
            waits: Waits::new(engine.line(self.id), stop.clone()),
            cx: ToolContext {
                // Use a separate list of read files. If the prompt is not sent, the model does not see its mentions.
                seen: Arc::default(),
                ..self.tool_context(engine, stop, Origin::Person)
            },
            rules: Rules {
                policy: self.policy.clone(),
                grants: self.grants.clone(),
                storage: engine.setup.storage.clone(),
                folder: engine.at(self.folder()).name(),
            },
            invoked,
            child: self.above.is_some(),
            sources: self.served.sources(consents).filter(|_| self.above.is_none()),
            pending: match vision {
                None => engine.pending_knowledge(settings, model),
                Some(_) => None,
            },
            shows: Shows {
                blind: (vision != Some(true)).then(|| model.clone()),
                room: assembly::room(self.log.history()),
            },
        }
    }

    pub(crate) async fn on_mentioned(&mut self, engine: &mut Engine, mentioned: Mentioned) {
        let Mentioned {
            prompt,
            text,
            read,
            mut hooked,
            repository,
            outside,
            what_for,
        } = mentioned;
        let what_for = match what_for {
            WhatFor::First { weighing, lines } => {
                let text = text.unwrap_or_default();
                let asked = self.on_asked_first(engine, (weighing, lines), text, hooked);
                return Box::pin(asked).await;
            }
            other => other,
        };
        let read = match hooked.denied.take() {
            // The reason is shown with the returned prompt.
            Some(denied) => Err(vec![hooks::refused(denied)]),
            None => read,
        };
        let told = hooked.told.clone();
        // If an earlier prompt with the note was stopped, the note is stored again and must still be sent.
        let repository = repository.or_else(|| self.repository.known());
        let notes = match &what_for {
            WhatFor::Turn { notes, .. } => notes.as_slice(),
            WhatFor::Steering { stops } if *stops != self.stops => {
                self.tell_unlogged(engine, told).await;
                // The turn was stopped while this prompt was waiting, so return the prompt.
                return engine.answer(self.id, Answer::Unqueued { text: prompt }).await;
            }
            WhatFor::Steering { .. } | WhatFor::First { .. } => &[],
        };
        let weighed = match read {
            Ok(Named { mentions, images }) => {
                let files = mentions.iter().filter(|mention| mention.kind == MentionKind::File);
                let rules = self.rules_for(engine, files.map(|file| file.path.as_str()));
                let of_hooks = hooked.notes.into_iter().map(Note::from);
                let ours = repository
                    .iter()
                    .cloned()
                    .map(Note::repository)
                    .chain(outside.iter().map(|outside| outside.text.clone().into()))
                    .chain(rules)
                    .chain(of_hooks)
                    .collect();
                let along = Along {
                    text,
                    mentions,
                    notes: ours,
                    told: hooked.told,
                };
                let weighed = self.weighed(engine, &prompt, along, notes);
                if let Weighed::Fits(_) = weighed {
                    self.pictures.expect(images);
                    outside.into_iter().for_each(|outside| self.watch.expect(outside));
                }
                weighed
            }
            Err(unreadable) => Weighed::Unread(unreadable),
        };
        if !matches!(weighed, Weighed::Fits(_)) {
            self.tell_unlogged(engine, told).await;
        }
        let begins = matches!(what_for, WhatFor::Turn { .. });
        if let Some(note) = repository.filter(|_| begins || !matches!(weighed, Weighed::Fits(_))) {
            // Keep the note until a log entry contains it, because the turn may have been stopped since.
            self.repository = Repository::Known(note);
        }
        match what_for {
            WhatFor::Turn { weighing, .. } => self.feed(engine, Happened::Weighed { weighing, weighed }).await,
            WhatFor::Steering { .. } => self.steer(engine, prompt, weighed).await,
            WhatFor::First { .. } => {}
        }
    }

    pub(in crate::seat) async fn steer(&mut self, engine: &mut Engine, text: String, weighed: Weighed) {
        let refused = match weighed {
            Weighed::Fits(along) => {
                let delivery = Delivery::Steer;
                let prompt = Happened::Prompt { text, along, delivery };
                return self.feed(engine, prompt).await;
            }
            Weighed::Over(over) => Answer::TooLarge { prompt: text, over },
            Weighed::Unread(mentions) => Answer::Unread { prompt: text, mentions },
            // A prompt with command lines needs a separate turn.
            Weighed::First { .. } => Answer::Unqueued { text },
        };
        engine.answer(self.id, refused).await;
    }
}
