//! Reads the mentions of a prompt with the reading tools and their rules. Skips files that need approval.

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use tokio::sync::mpsc;

use crate::engine::{Named, PendingKnowledge};
use crate::seat::calls::grants;
use crate::seat::prompt::custom_command::Invoked;
use crate::seat::prompt::mention_kind::{Meant, Target, means};
use crate::seat::prompt::read_failure::{refused, why};
use crate::seat::prompt::waits::Waits;
use crate::seat::requests::call_protocol::awaited;
use crate::seat::servers::resources::Sources;
use benchdog_base::id::CallId;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::image::{self, Picture, Room};
use benchdog_domain::mention::{Found, Lines, Mention, MentionKind, Part, Unreadable, WhyUnreadable};
use benchdog_domain::message::ToolCall;
use benchdog_domain::permission::{Action, Decision, Kept, Subject, ToolRules, Verdict};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, Outcome};
use benchdog_files::picture;
use benchdog_mcp::limits::LONGEST_READING;
use benchdog_security::policy::{Grants, Policy};
use benchdog_storage::Storage;
use benchdog_tools::{Refusal, Registry, ToolContext};

const MOST: usize = 50;

pub(in crate::seat) struct Reader {
    pub(in crate::seat) tools: Registry,
    pub(in crate::seat) cx: ToolContext,
    pub(in crate::seat) rules: Rules,
    pub(in crate::seat) invoked: Option<Invoked>,
    pub(in crate::seat) child: bool,
    /// Resources of MCP servers. `None` if the prompt is not from a person.
    pub(in crate::seat) sources: Option<Sources>,
    /// A running query for facts about the model. Set if only the server knows whether it reads images.
    pub(in crate::seat) pending: Option<PendingKnowledge>,
    pub(in crate::seat) shows: Shows,
    /// Shows the person which server the prompt is waiting for.
    pub(in crate::seat) waits: Waits,
}

pub(in crate::seat) struct Rules {
    pub(in crate::seat) policy: Policy,
    pub(in crate::seat) grants: Grants,
    pub(in crate::seat) storage: Storage,
    pub(in crate::seat) folder: String,
}

pub(in crate::seat) struct Shows {
    pub(in crate::seat) blind: Option<ModelRef>,
    pub(in crate::seat) room: Room,
}

impl Rules {
    async fn verdict(&self, rules: &ToolRules, subjects: &[Subject]) -> Verdict {
        let verdict = self.policy.judge(&self.grants, rules, subjects);
        if verdict.action != Action::Ask || verdict.scopes.is_empty() {
            return verdict;
        }
        match grants::in_time(&self.storage, &self.folder).await {
            Some(remembered) => {
                let mut grants = self.grants.clone();
                grants.set_remembered(remembered);
                self.policy.judge(&grants, rules, subjects)
            }
            None => verdict,
        }
    }
}

impl Reader {
    pub(in crate::seat) async fn read(mut self, found: Vec<Found>) -> Result<Named, Vec<Unreadable>> {
        if !found.is_empty() && awaited(self.pending.take()).await.and_then(|known| known.vision) == Some(true) {
            (self.cx.sees, self.shows.blind) = (true, None);
        }
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
        let until = Instant::now() + LONGEST_READING;
        for target in targets {
            let read = match target.kind {
                MentionKind::Resource => self.resource(&target, until).await,
                MentionKind::Image => self.picture(&target).await,
                MentionKind::File | MentionKind::Folder | MentionKind::Skill => self.read_one(&target).await,
            };
            match read {
                Ok(read) => read.into_iter().for_each(|one| one.join(&mut named)),
                Err(why) => unreadable.push(Unreadable { path: target.path, why }),
            }
        }
        unreadable.extend(self.shows.too_many(&named));
        if unreadable.is_empty() {
            Ok(named)
        } else {
            Err(unreadable)
        }
    }

    async fn read_one(&self, target: &Target) -> Result<Vec<One>, WhyUnreadable> {
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
        let verdict = self.rules.verdict(&prepared.rules(), &prepared.subjects).await;
        if verdict.action != Action::Allow {
            return Err(WhyUnreadable::NotAllowed {
                because: verdict.because,
            });
        }
        // A reading tool sends no output before its end.
        let (output, _) = mpsc::channel(1);
        let decision = Decision::Once { kept: Kept::default() };
        let mut outcome = prepared.run(&decision, &self.cx, output).await;
        match outcome.image.take() {
            Some(picture) => Ok(vec![self.shows.image(&target.path, picture)?]),
            None if outcome.status == CallStatus::Ok => Ok(vec![One::Text(self.mention(target, outcome))]),
            None => Err(why(&outcome)),
        }
    }

    async fn resource(&self, target: &Target, until: Instant) -> Result<Vec<One>, WhyUnreadable> {
        let Some(sources) = &self.sources else {
            return Err(WhyUnreadable::Missing);
        };
        let (rules, subjects) = Sources::asks(&target.path);
        let verdict = self.rules.verdict(&rules, &subjects).await;
        let allowed = match verdict.action {
            Action::Allow => true,
            // The person typed the name of the resource, which counts as approval.
            Action::Ask => sources.consents,
            Action::Deny => false,
        };
        if !allowed {
            return Err(WhyUnreadable::NotAllowed {
                because: verdict.because,
            });
        }
        let read = sources.read(&target.path, &self.cx, (&self.waits, until)).await?;
        let text = read.mention(&target.path).map(|mention| Ok(One::Text(mention)));
        let images = read.images.into_iter();
        let images = images.map(|picture| self.shows.image(&target.path, picture));
        text.into_iter().chain(images).collect()
    }

    async fn picture(&self, target: &Target) -> Result<Vec<One>, WhyUnreadable> {
        let path = target.path.clone();
        let read = tokio::task::spawn_blocking(move || picture::read(Path::new(&path)));
        let read = read.await.ok().flatten().ok_or(WhyUnreadable::Outside)?;
        let picture = read.map_err(WhyUnreadable::Picture)?;
        Ok(vec![self.shows.image(&target.path, picture)?])
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

enum One {
    Text(Mention),
    Image(Mention, Picture),
}

impl One {
    fn join(self, named: &mut Named) {
        match self {
            Self::Text(mention) => named.mentions.push(mention),
            // The image is already included. The same image may be mentioned again with other line numbers.
            Self::Image(mention, _) if named.has_image(&mention) => {}
            Self::Image(mention, picture) => {
                named
                    .images
                    .extend(mention.hash.clone().map(|blob| (blob, Arc::clone(picture.bytes()))));
                named.mentions.push(mention);
            }
        }
    }
}

impl Shows {
    fn image(&self, path: &str, picture: Picture) -> Result<One, WhyUnreadable> {
        let kind = picture.kind();
        if let Some(model) = &self.blind {
            let model = model.to_string();
            return Err(WhyUnreadable::NotSeen { kind, model });
        }
        let image = picture.image();
        let mention = Mention {
            kind: MentionKind::Image,
            path: path.to_owned(),
            lines: None,
            hash: Some(image.blob.clone()),
            text: format!(
                "It is a {} image and goes along as it was when this was sent.",
                kind.name()
            ),
            truncated: false,
            image: Some(image),
        };
        Ok(One::Image(mention, picture))
    }

    fn too_many(&self, named: &Named) -> Option<Unreadable> {
        let images = named.mentions.iter().filter_map(|one| Some((one, one.image.as_ref()?)));
        let mut room = self.room;
        let (first, why) = images.enumerate().find_map(|(at, (mention, image))| {
            if at >= image::MOST {
                return Some((mention, WhyUnreadable::TooManyImages { most: image::MOST }));
            }
            (!room.put(image.bytes)).then_some((mention, WhyUnreadable::NoRoomForImages))
        })?;
        let path = first.path.clone();
        Some(Unreadable { path, why })
    }
}
