//! Reading what a prompt names with `@`, before it is sent: by the tools that read, under the rules that hold for them. What
//! they would ask about is not read; the prompt goes back and the person is told why.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use tokio::sync::{mpsc, oneshot};

use super::invoked::{Called, Invoked};
use super::meant::{Meant, Target, means};
use super::repository::Repository;
use super::resources::Sources;
use super::unread::{refused, why};
use super::waits::Waits;
use super::{Approver, Seat};
use super::{grants, hooks, spoken};
use crate::base::id::{BlobId, CallId};
use crate::domain::agent::ModelRef;
use crate::domain::call::Origin;
use crate::domain::entry::{Body, Entry};
use crate::domain::image::{self, Image, ImageKind};
use crate::domain::mention::{Found, Lines, Mention, MentionKind, Part, Unreadable, WhyUnreadable};
use crate::domain::message::ToolCall;
use crate::domain::note::Note;
use crate::domain::permission::{Action, Decision, Kept, Verdict};
use crate::domain::skill::BrokenSkill;
use crate::domain::summary::Summary;
use crate::domain::tool::{CallStatus, Outcome};
use crate::files::picture;
use crate::orchestrator::engine::{Engine, Mentioned, Named, WhatFor};
use crate::orchestrator::input::{Along, Happened, HookAnswer, Weighed};
use crate::protocol::{Answer, Delivery};
use crate::security::policy::{Grants, Policy};
use crate::storage::Storage;
use crate::tools::{Prepared, Refusal, Registry, Stop, ToolContext};

/// What one prompt may name.
const MOST: usize = 50;

/// All that reading needs of its seat.
struct Reader {
    tools: Registry,
    cx: ToolContext,
    policy: Policy,
    grants: Grants,
    /// Where the workspace's own answers are remembered, and its name there.
    storage: Storage,
    folder: String,
    invoked: Option<Invoked>,
    /// The model, where it reads no images.
    blind: Option<ModelRef>,
    /// A model wrote the prompt.
    child: bool,
    /// Whoever typed the prompt is there, or has allowed what would ask.
    consents: bool,
    /// Only a person names what servers have to be read.
    sources: Option<Sources>,
    waits: Waits,
}

impl Seat {
    /// What a prompt took along is known to the model once the log has it.
    pub(super) fn note_seen(&self, entry: &Entry) {
        let Body::User { mentions, .. } = &entry.body else {
            return;
        };
        let files = mentions.iter().filter(|mention| mention.kind == MentionKind::File);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend(files.filter_map(|file| Some((file.path.clone(), file.hash.clone()?))));
    }

    /// Reads what the prompt names in a task of its own, which reports. Where it names nothing and nothing is waited for, what goes
    /// along comes back at once.
    pub(super) fn read_mentions(
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
            None => (None, Invoked::by(&self.instructed.skills, prompt)),
        };
        let of_server = (self.above.is_none() && text.is_none() && invoked.is_none())
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
        if nothing && self.readings.is_empty() && !self.repository.is_due() {
            return Some(Along {
                text,
                ..Along::default()
            });
        }
        if self.readings.is_empty() {
            self.reading_stops.clear();
        }
        // What a server does not give soon keeps nobody; of all else a report that comes too late changes nothing.
        let (stopper, stop) = Stop::pair();
        self.reading_stops.push(stopper);
        let model = self.machine.model();
        let reader = Reader {
            tools: self.tools.clone(),
            waits: Waits::new(engine.line(self.id), stop.clone()),
            cx: ToolContext {
                // A prompt that is not sent shows the model nothing.
                seen: Arc::default(),
                ..self.tool_context(engine, stop, Origin::Person)
            },
            policy: self.policy.clone(),
            grants: self.grants.clone(),
            storage: engine.setup.storage.clone(),
            folder: engine.at(self.folder()).name(),
            invoked,
            child: self.above.is_some(),
            consents: matches!(engine.setup.approver, Approver::Person | Approver::All),
            sources: self.served.sources().filter(|_| self.above.is_none()),
            blind: (!self.settings.model_settings(model).vision).then(|| model.clone()),
        };
        let line = engine.line(self.id);
        let prompt = prompt.to_owned();
        let repository = self.repository.take();
        let (done, next) = oneshot::channel();
        let before = self.last_reading.replace(next);
        self.readings.spawn(async move {
            let mut at_prompt = at_prompt;
            let made = spoken::made(of_server, &reader.cx.redactor, &reader.waits).await;
            if let (Ok(Some(made)), Some(at_prompt)) = (&made, &mut at_prompt) {
                at_prompt.about(made);
            }
            let hooked = async {
                match at_prompt {
                    // Nothing is sent.
                    Some(_) if made.is_err() => HookAnswer::default(),
                    Some(at_prompt) => at_prompt.ask().await,
                    None => said_before.unwrap_or_default(),
                }
            };
            let (read, repository, hooked) = tokio::join!(reader.read(found), repository.note(), hooked);
            let (text, read) = match made {
                Ok(made) => (made.or(text), read),
                Err(why) => (None, read.and(Err(vec![why]))),
            };
            // What was sent first is reported first, however long it took to read.
            if let Some(before) = before {
                let _ = before.await;
            }
            let mentioned = Mentioned {
                prompt,
                text,
                read,
                hooked,
                repository,
                what_for,
            };
            line.mentioned(mentioned).await;
            drop(done);
        });
        None
    }

    pub(in crate::orchestrator) async fn on_mentioned(&mut self, engine: &mut Engine, mentioned: Mentioned) {
        let Mentioned {
            prompt,
            text,
            read,
            mut hooked,
            repository,
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
            // It is said with the prompt that comes back.
            Some(denied) => Err(vec![hooks::refused(denied)]),
            None => read,
        };
        let told = hooked.told.clone();
        // That of a prompt before this one, which was stopped.
        let repository = repository.or_else(|| self.repository.known());
        let notes = match &what_for {
            WhatFor::Turn { notes, .. } => notes.as_slice(),
            WhatFor::Steering { stops } if *stops != self.stops => {
                self.tell_unlogged(engine, told).await;
                // What waits when a turn is stopped goes back rather than running.
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
            // The log says when it was told: the turn may have been stopped meanwhile.
            self.repository = Repository::Known(note);
        }
        match what_for {
            WhatFor::Turn { weighing, .. } => self.feed(engine, Happened::Weighed { weighing, weighed }).await,
            WhatFor::Steering { .. } => self.steer(engine, prompt, weighed).await,
            WhatFor::First { .. } => {}
        }
    }

    /// What was weighed goes into the turn that runs, or back to where it was typed.
    pub(super) async fn steer(&mut self, engine: &mut Engine, text: String, weighed: Weighed) {
        let refused = match weighed {
            Weighed::Fits(along) => {
                let delivery = Delivery::Steer;
                let prompt = Happened::Prompt { text, along, delivery };
                return self.feed(engine, prompt).await;
            }
            Weighed::Over(over) => Answer::TooLarge { prompt: text, over },
            Weighed::Unread(mentions) => Answer::Unread { prompt: text, mentions },
            // It is a turn of its own.
            Weighed::First { .. } => Answer::Unqueued { text },
        };
        engine.answer(self.id, refused).await;
    }
}

impl Reader {
    async fn read(self, found: Vec<Found>) -> Result<Named, Vec<Unreadable>> {
        let workspace = self.cx.workspace.clone();
        let (anywhere, sources) = (!self.child, self.sources.clone());
        let look = move || {
            let mut meant: Vec<Meant> = Vec::new();
            for found in &found {
                meant.push(match means(found, &workspace, anywhere) {
                    Meant::Target(target) => Meant::Target(target),
                    other => sources
                        .as_ref()
                        .and_then(|sources| sources.means(found))
                        .unwrap_or(other),
                });
            }
            meant
        };
        // It looks at the disk: on a thread that may wait.
        let meant = tokio::task::spawn_blocking(look).await.unwrap_or_default();
        let (mut targets, mut unreadable) = (Vec::new(), Vec::new());
        for meant in meant {
            match meant {
                Meant::Target(target) if !targets.contains(&target) => targets.push(target),
                Meant::Unreadable(one) if !unreadable.contains(&one) => unreadable.push(one),
                Meant::Target(_) | Meant::Unreadable(_) | Meant::Text => {}
            }
        }
        if let Some(first_left_out) = targets.get(MOST) {
            unreadable.push(Unreadable {
                path: first_left_out.path.clone(),
                why: WhyUnreadable::TooMany {
                    most: MOST,
                    named: targets.len(),
                },
            });
            targets.clear();
        }
        let mut named = Named::default();
        if let Some(invoked) = &self.invoked {
            match invoked.read(self.cx.limits.result_bytes) {
                Ok(skill) => named.mentions.push(skill),
                Err(why) => {
                    let path = invoked.name().to_owned();
                    unreadable.push(Unreadable { path, why });
                }
            }
        }
        for target in targets {
            if target.kind == MentionKind::Resource {
                match self.resource(&target, &mut named).await {
                    Ok(()) => {}
                    Err(why) => unreadable.push(Unreadable { path: target.path, why }),
                }
                continue;
            }
            match self.read_one(&target).await {
                // Lines of an image are the image.
                Ok((mention, Some(_))) if named.has_image(&mention.path) => {}
                Ok((mention, image)) => {
                    named.images.extend(image);
                    named.mentions.push(mention);
                }
                Err(why) => unreadable.push(Unreadable { path: target.path, why }),
            }
        }
        let too_many = named
            .mentions
            .iter()
            .filter(|mention| mention.image.is_some())
            .nth(image::MOST);
        unreadable.extend(too_many.map(|first_left_out| Unreadable {
            path: first_left_out.path.clone(),
            why: WhyUnreadable::TooManyImages { most: image::MOST },
        }));
        if unreadable.is_empty() {
            Ok(named)
        } else {
            Err(unreadable)
        }
    }

    /// With the bytes of an image.
    async fn read_one(&self, target: &Target) -> Result<(Mention, Option<(BlobId, Arc<[u8]>)>), WhyUnreadable> {
        if target.kind == MentionKind::Image {
            return self.picture(target).await;
        }
        let call = self.call(target).map_err(refused)?;
        let (tools, cx) = (self.tools.clone(), self.cx.clone());
        let prepared = tokio::task::spawn_blocking(move || tools.prepare(&call, &cx));
        let prepared = match prepared.await {
            Ok(prepared) => prepared.map_err(refused)?,
            Err(error) => {
                return Err(WhyUnreadable::Failed {
                    words: error.to_string(),
                });
            }
        };
        let verdict = self.verdict(&prepared).await;
        if verdict.action != Action::Allow {
            return Err(WhyUnreadable::NotAllowed {
                because: verdict.because,
            });
        }
        // Reading says nothing before its end.
        let (output, _) = mpsc::channel(1);
        let decision = Decision::Once { kept: Kept::default() };
        let outcome = prepared.run(&decision, &self.cx, output).await;
        match outcome.image {
            Some((kind, bytes)) => {
                let mention = self.image(target, kind, &bytes)?;
                let blob = mention.hash.clone();
                Ok((mention, blob.map(|blob| (blob, bytes))))
            }
            None if outcome.status == CallStatus::Ok => Ok((self.mention(target, outcome), None)),
            None => Err(why(&outcome)),
        }
    }

    /// What a server has at this address: its text, and its images as images.
    async fn resource(&self, target: &Target, named: &mut Named) -> Result<(), WhyUnreadable> {
        let Some(sources) = &self.sources else {
            return Err(WhyUnreadable::Missing);
        };
        let (rules, subjects) = Sources::asks(&target.path);
        let verdict = self.policy.judge(&self.grants, &rules, &subjects);
        let allowed = match verdict.action {
            Action::Allow => true,
            // Who typed the name has asked for it. A prompt that comes through a pipe was typed by nobody.
            Action::Ask => self.consents,
            Action::Deny => false,
        };
        if !allowed {
            return Err(WhyUnreadable::NotAllowed {
                because: verdict.because,
            });
        }
        let read = sources.read(&target.path, &self.cx, &self.waits).await?;
        named.mentions.extend(read.mention(&target.path));
        for (kind, bytes) in read.images {
            let image = self.image(target, kind, &bytes)?;
            named.images.insert(BlobId::of(&bytes), bytes);
            named.mentions.push(image);
        }
        Ok(())
    }

    /// An image outside the folders of the session.
    async fn picture(&self, target: &Target) -> Result<(Mention, Option<(BlobId, Arc<[u8]>)>), WhyUnreadable> {
        let path = target.path.clone();
        let read = tokio::task::spawn_blocking(move || picture::read(Path::new(&path)));
        let (kind, bytes) = read.await.ok().flatten().ok_or(WhyUnreadable::Outside)?;
        let mention = self.image(target, kind, &bytes)?;
        Ok((mention, Some((BlobId::of(&bytes), bytes))))
    }

    /// As of a call of the model.
    async fn verdict(&self, prepared: &Prepared) -> Verdict {
        let judge = |grants: &Grants| self.policy.judge(grants, &prepared.rules(), &prepared.subjects);
        let verdict = judge(&self.grants);
        if verdict.action != Action::Ask || verdict.scopes.is_empty() {
            return verdict;
        }
        match grants::in_time(&self.storage, &self.folder).await {
            Some(remembered) => {
                let mut grants = self.grants.clone();
                grants.set_remembered(remembered);
                judge(&grants)
            }
            None => verdict,
        }
    }

    fn image(&self, target: &Target, kind: ImageKind, bytes: &[u8]) -> Result<Mention, WhyUnreadable> {
        if let Some(model) = &self.blind {
            let model = model.to_string();
            return Err(WhyUnreadable::NotSeen { kind, model });
        }
        let blob = BlobId::of(bytes);
        let image = Image {
            kind,
            blob: blob.clone(),
            bytes: bytes.len() as u64,
        };
        Ok(Mention {
            kind: MentionKind::Image,
            path: target.path.clone(),
            lines: None,
            hash: Some(blob),
            text: format!(
                "It is a {} image and goes along as it was when this was sent.",
                kind.name()
            ),
            truncated: false,
            image: Some(image),
        })
    }

    fn call(&self, target: &Target) -> Result<ToolCall, Refusal> {
        let id = CallId("mention".to_owned());
        match target.kind {
            MentionKind::Folder => self.tools.folder_call(id, &target.path),
            MentionKind::File | MentionKind::Image | MentionKind::Skill | MentionKind::Resource => {
                let first = target.lines.map_or(1, |lines| lines.first);
                self.tools
                    .file_call(id, &target.path, first, target.lines.and_then(Lines::count))
            }
        }
    }

    fn mention(&self, target: &Target, outcome: Outcome) -> Mention {
        let first = target.lines.map_or(1, |lines| lines.first);
        let lines = match outcome.summary {
            Summary::Lines { lines } => Some((lines, lines)),
            Summary::SomeLines { shown, lines } => Some((first + shown.saturating_sub(1), lines)),
            _ => None,
        };
        let lines = lines.map(|(last, total)| Part { first, last, total });
        let wanted = target.lines.and_then(|lines| lines.last);
        let has_all = lines.is_some_and(|part| wanted.is_some_and(|wanted| part.last >= wanted.min(part.total)));
        let seen = self.cx.seen.lock().unwrap_or_else(PoisonError::into_inner);
        Mention {
            kind: target.kind,
            path: target.path.clone(),
            lines,
            hash: seen
                .get(&target.path)
                .cloned()
                .filter(|_| target.kind == MentionKind::File),
            text: outcome.output,
            truncated: outcome.truncated && !has_all,
            image: None,
        }
    }
}
