//! What all seats share: storage, providers, windows, the file index, the configuration. It decides nothing about a turn.
//!
//! One task owns the engine and its seats. Whatever takes time runs in a task of its own whose handle the seat keeps, and
//! reports back through one channel with the number of the seat; a report for a seat that is gone changes nothing.

mod ahead;
mod auto;
pub(in crate::orchestrator) mod children;
mod files;
mod folder;
mod models;
mod onboarding;
mod orders;
mod plans;
mod project;
mod seats;
mod service;
mod setup;
#[cfg(test)]
pub(super) mod tests;
mod trust;
mod worktrees;

pub(crate) use auto::find_model;
pub(crate) use children::{AT_ONCE, MOST_STEPS, STEPS, TIME, ToldOfChildren};
pub(in crate::orchestrator) use folder::{Folder, FolderId};
pub(crate) use models::open;
pub(crate) use setup::{
    Examiner, FolderOpener, FolderSetup, IfShut, OpenWhat, ProjectLayer, Reload, Search, Setup, Survey,
};

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;

use super::input::{Happened, HookAnswer};
use super::seat::{LookedAhead, MadeAnew};
use crate::base::id::{CallId, SeatId};
use crate::config::settings::Settings;
use crate::domain::agent::{Knowledge, ModelRef};
use crate::domain::child::ChildEnd;
use crate::domain::compaction::NoSummary;
use crate::domain::image::Images;
use crate::domain::job::JobName;
use crate::domain::mention::{Mention, Unreadable};
use crate::domain::message::Messages;
use crate::domain::message::ToolCall;
use crate::domain::note::Note;
use crate::domain::notice::Notice;
use crate::domain::server::{Listed, ServerName};
use crate::mcp::Asking;
use crate::protocol::{Answer, Event, Live, Order, Told};
use crate::storage::StorageError;
use crate::tools::task::Delegation;
use crate::tools::{Prepared, Refusal};
use ahead::Ahead;
use folder::Folders;
use models::{Checked, Endpoints};
use onboarding::Chosen;
use seats::Seats;
use worktrees::WorktreeCame;

/// How many reports may wait for the engine. Tasks wait when it is full.
const REPORTS: usize = 1024;

/// The ends a front end holds.
pub(crate) struct Handle {
    /// The seat the engine begins with.
    pub(crate) seat: SeatId,
    pub(crate) orders: mpsc::Sender<Order>,
    pub(crate) told: mpsc::Receiver<Told>,
    pub(crate) task: tokio::task::JoinHandle<()>,
}

/// What a prompt names, read.
pub(super) struct Mentioned {
    pub(super) prompt: String,
    /// What is sent in its place.
    pub(super) text: Option<String>,
    pub(super) read: Result<Named, Vec<Unreadable>>,
    /// What hooks say of it.
    pub(super) hooked: HookAnswer,
    /// What git says of the folder, where this is the first prompt.
    pub(super) repository: Option<String>,
    pub(super) what_for: WhatFor,
}

/// What goes along with a prompt.
#[derive(Default)]
pub(super) struct Named {
    pub(super) mentions: Vec<Mention>,
    /// The bytes of those that are images.
    pub(super) images: Images,
}

impl Named {
    pub(super) fn has_image(&self, of: &Mention) -> bool {
        let mut images = self.mentions.iter().filter(|mention| mention.image.is_some());
        images.any(|mention| mention.path == of.path && mention.image == of.image)
    }
}

/// Where a prompt is to go whose mentions are read.
pub(super) enum WhatFor {
    /// It begins a turn, with these notes; the machine waits for the number.
    Turn { weighing: u64, notes: Vec<Note> },
    /// It begins a turn, and hooks were asked about it before these lines of it are run.
    First { weighing: u64, lines: Vec<String> },
    /// It goes into the turn that runs, unless that was stopped since: `stops` so far when it was sent.
    Steering { stops: u64 },
}

/// What a task reports.
pub(super) enum Report {
    /// A server asks the person while this call runs; `None`: that call is over.
    ServerAsks {
        seat: SeatId,
        call: CallId,
        asking: Option<(ServerName, Asking)>,
    },
    /// Something that happened to a seat's machine.
    Happened {
        seat: SeatId,
        happened: Happened,
    },
    Prepared {
        seat: SeatId,
        call: ToolCall,
        result: Result<Prepared, Refusal>,
    },
    /// The calls behind one that is asked about.
    LookedAhead {
        seat: SeatId,
        ahead: LookedAhead,
    },
    /// Files of a request that waits were saved elsewhere.
    FilesSaved {
        seat: SeatId,
        call: CallId,
    },
    MadeAnew {
        seat: SeatId,
        made: MadeAnew,
    },
    Mentioned {
        seat: SeatId,
        mentioned: Mentioned,
    },
    /// What a server tells of a model.
    Known {
        settings: Arc<Settings>,
        model: ModelRef,
        known: Knowledge,
    },
    /// The window a model was found to run with.
    RunsWith {
        settings: Arc<Settings>,
        model: ModelRef,
        tokens: u64,
    },
    /// What the server's tokenizer counted for a request of these messages.
    Tokenized {
        seat: SeatId,
        messages: Messages,
        tokens: u64,
    },
    ModelFound(ModelRef),
    /// The first search found one model on this machine.
    ServerFound {
        seat: SeatId,
        chosen: Chosen,
    },
    /// What the server of a model that the person named in a seat lists.
    ModelNamed {
        seat: SeatId,
        model: ModelRef,
        checked: Checked,
    },
    /// A server that the person had started answers.
    ServiceStarted {
        seat: SeatId,
    },
    /// Something came, went or was written in these folders, whose listings are on a screen.
    FoldersChanged {
        of: FolderId,
        paths: BTreeSet<String>,
    },
    /// What the servers of a seat offer, for the first request, which waits for it.
    Listed {
        seat: SeatId,
        request: u64,
        listed: Vec<Listed>,
    },
    /// Each server of a seat is ready or cannot be.
    ServersSettled {
        seat: SeatId,
    },
    /// A sign-in at a server of a seat has come a step further.
    SignedIn {
        seat: SeatId,
    },
    /// What came of a worktree that a seat asked for, or of its removal.
    Worktree {
        seat: SeatId,
        came: WorktreeCame,
    },
    /// The summary a seat has waited for.
    Summarised {
        seat: SeatId,
        number: u64,
        result: Result<String, NoSummary>,
    },
    /// A call wants a child.
    Delegated(Box<Delegation>),
    /// A child is to end, and why.
    ChildIsOver {
        seat: SeatId,
        how: ChildEnd,
    },
    /// The commands that a child had left in the background have ended: which they were.
    ChildLeaves {
        seat: SeatId,
        jobs: Vec<JobName>,
    },
    /// The rows of children may have changed since they were told.
    LookAtChildren,
}

impl Report {
    /// The seat it is about, if it is about one.
    fn seat(&self) -> Option<SeatId> {
        match self {
            Self::Happened { seat, .. }
            | Self::Prepared { seat, .. }
            | Self::LookedAhead { seat, .. }
            | Self::FilesSaved { seat, .. }
            | Self::MadeAnew { seat, .. }
            | Self::Mentioned { seat, .. }
            | Self::Tokenized { seat, .. }
            | Self::Summarised { seat, .. }
            | Self::Listed { seat, .. }
            | Self::ServersSettled { seat }
            | Self::SignedIn { seat }
            | Self::ServerAsks { seat, .. }
            | Self::ModelNamed { seat, .. }
            | Self::ServerFound { seat, .. }
            | Self::ServiceStarted { seat } => Some(*seat),
            Self::Known { .. }
            | Self::RunsWith { .. }
            | Self::ModelFound(_)
            | Self::FoldersChanged { .. }
            | Self::Worktree { .. }
            | Self::Delegated(_)
            | Self::ChildIsOver { .. }
            | Self::ChildLeaves { .. }
            | Self::LookAtChildren => None,
        }
    }
}

pub(crate) struct Engine {
    pub(super) setup: Setup,
    told: mpsc::Sender<Told>,
    reports: mpsc::Sender<Report>,
    /// One for each configuration that a seat began with.
    endpoints: Vec<Endpoints>,
    /// The model of new seats; `None` until one is configured, chosen or found.
    pub(super) model: Option<ModelRef>,
    folders: Folders,
    /// The model that is loaded while a prompt is typed.
    ahead: Option<Ahead>,
    /// What the person chose while a configuration was there already.
    chosen: Option<Chosen>,
    /// Where calls that want a child say so.
    pub(super) door: mpsc::Sender<Delegation>,
    /// The seats that are children, and what they told since it was last looked at.
    kin: BTreeSet<SeatId>,
    /// The child whose session somebody reads as it goes on.
    watched: Option<SeatId>,
    overheard: Mutex<Vec<(SeatId, Event)>>,
}

/// Where the tasks of one seat report, and tell what needs no decision.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) seat: SeatId,
    /// `None`: nobody hears it.
    told: Option<mpsc::Sender<Told>>,
    reports: mpsc::Sender<Report>,
}

impl Engine {
    /// Starts the engine with one seat, in the folder that the program was started in. Returns at once; opening the session happens in the
    /// engine's own task.
    pub(crate) fn start(setup: Setup, home: FolderSetup) -> Handle {
        let (orders_in, mut orders) = mpsc::channel(64);
        let (told, told_out) = mpsc::channel(4096);
        let (reports, mut reported) = mpsc::channel(REPORTS);
        let task = tokio::spawn(async move {
            let mut engine = Self::new(setup, home, told, reports);
            let mut seats = Seats::default();
            let mut goes_on = seats.open_first(&mut engine).await.is_ok();
            while goes_on {
                tokio::select! {
                    biased;
                    order = orders.recv() => match order {
                        Some(order) => seats.on_order(&mut engine, order).await,
                        None => goes_on = false,
                    },
                    Some(report) = reported.recv() => seats.on_report(&mut engine, report).await,
                }
            }
            seats.close(&mut engine, &mut reported).await;
        });
        Handle {
            seat: seats::FIRST,
            orders: orders_in,
            told: told_out,
            task,
        }
    }

    fn new(setup: Setup, home: FolderSetup, told: mpsc::Sender<Told>, reports: mpsc::Sender<Report>) -> Self {
        Self {
            model: setup.model.clone(),
            folders: Folders::new(home),
            setup,
            told,
            endpoints: Vec::new(),
            ahead: None,
            chosen: None,
            door: door(reports.clone()),
            kin: BTreeSet::new(),
            watched: None,
            overheard: Mutex::default(),
            reports,
        }
    }

    /// What depends on the folder of a seat.
    pub(super) fn at(&self, id: FolderId) -> &Folder {
        self.folders.get(id)
    }

    /// The model of new seats in a folder.
    pub(super) fn model_in(&self, of: FolderId) -> Option<ModelRef> {
        self.at(of).model.clone().or_else(|| self.model.clone())
    }

    pub(super) fn line(&self, seat: SeatId) -> Line {
        Line {
            seat,
            told: self.is_heard(seat).then(|| self.told.clone()),
            reports: self.reports.clone(),
        }
    }

    pub(super) fn reports(&self) -> mpsc::Sender<Report> {
        self.reports.clone()
    }

    // --- telling ---

    /// Waits until the front end takes it, so that the engine never runs ahead of what is shown.
    pub(super) async fn tell(&self, seat: SeatId, event: Event) {
        if !self.overhear(seat, &event) {
            return;
        }
        // A front end that is gone needs no more events.
        let _ = self.told.send(Told { seat, event }).await;
    }

    pub(super) async fn live(&self, seat: SeatId, live: Live) {
        self.tell(seat, Event::Live(live)).await;
    }

    pub(super) async fn answer(&self, seat: SeatId, answer: Answer) {
        self.tell(seat, Event::Answer(answer)).await;
    }

    pub(super) async fn notice(&self, seat: SeatId, notice: Notice) {
        self.live(seat, Live::Notice(notice)).await;
    }

    pub(super) async fn storage_failed(&self, seat: SeatId, error: &StorageError) {
        self.live(seat, Live::Error(error.failure())).await;
    }

    /// What storage had to say beside its answers.
    pub(super) async fn tell_notices(&self, seat: SeatId) {
        for notice in self.setup.storage.take_notices() {
            self.notice(seat, notice).await;
        }
    }
}

impl Line {
    pub(super) async fn happened(&self, happened: Happened) {
        let seat = self.seat;
        let _ = self.reports.send(Report::Happened { seat, happened }).await;
    }

    pub(super) async fn prepared(&self, call: ToolCall, result: Result<Prepared, Refusal>) {
        let seat = self.seat;
        let _ = self.reports.send(Report::Prepared { seat, call, result }).await;
    }

    pub(super) async fn looked_ahead(&self, ahead: LookedAhead) {
        let seat = self.seat;
        let _ = self.reports.send(Report::LookedAhead { seat, ahead }).await;
    }

    pub(super) async fn files_saved(&self, call: CallId) {
        let seat = self.seat;
        let _ = self.reports.send(Report::FilesSaved { seat, call }).await;
    }

    pub(super) async fn made_anew(&self, made: MadeAnew) {
        let seat = self.seat;
        let _ = self.reports.send(Report::MadeAnew { seat, made }).await;
    }

    pub(super) async fn mentioned(&self, mentioned: Mentioned) {
        let seat = self.seat;
        let _ = self.reports.send(Report::Mentioned { seat, mentioned }).await;
    }

    pub(super) async fn tell(&self, event: Event) {
        let (seat, Some(told)) = (self.seat, &self.told) else {
            return;
        };
        let _ = told.send(Told { seat, event }).await;
    }

    /// The same of what goes on.
    pub(super) fn say_blocking(&self, live: Live) {
        let (seat, event) = (self.seat, Event::Live(live));
        if let Some(told) = &self.told {
            let _ = told.blocking_send(Told { seat, event });
        }
    }

    /// The same from a thread that may wait.
    pub(super) fn tell_blocking(&self, answer: Answer) {
        let (seat, event) = (self.seat, Event::Answer(answer));
        if let Some(told) = &self.told {
            let _ = told.blocking_send(Told { seat, event });
        }
    }
}

/// The way by which calls reach the seats.
fn door(reports: mpsc::Sender<Report>) -> mpsc::Sender<Delegation> {
    let (door, mut delegated) = mpsc::channel(REPORTS);
    tokio::spawn(async move {
        while let Some(delegation) = delegated.recv().await {
            if reports.send(Report::Delegated(Box::new(delegation))).await.is_err() {
                return;
            }
        }
    });
    door
}
