//! State that all seats share: storage, providers, context windows, file index, configuration. The state machine of
//! each session decides the course of its turns.
//!
//! One task owns the engine and all seats. Long operations run in separate tasks, which report through one channel.
//! Reports for closed seats are ignored.

mod ahead;
mod archive;
mod auto;
pub(crate) mod children;
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
mod slots;
pub(crate) mod telemetry;
#[cfg(test)]
pub(super) mod tests;
mod trust;
mod worktrees;

pub use archive::{Exporter, SessionSearch, ToExport};
pub use auto::find_model;
pub use children::{AT_ONCE, MOST_STEPS, STEPS, TIME, ToldOfChildren};
pub(crate) use folder::{Folder, FolderId};
pub use models::open;
pub use setup::{Examiner, FolderOpener, FolderSetup, IfShut, OpenWhat, ProjectLayer, Reload, Search, Setup, Survey};

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;

use super::input::{Happened, HookAnswer};
use super::seat::{LookedAhead, MadeAnew, OutsideChanges, WatchReport};
use ahead::Ahead;
use benchdog_base::id::{CallId, SeatId};
use benchdog_config::settings::Settings;
use benchdog_domain::agent::{Knowledge, ModelRef};
use benchdog_domain::child::ChildEnd;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::image::Images;
use benchdog_domain::job::JobName;
use benchdog_domain::mention::{Mention, Unreadable};
use benchdog_domain::message::Messages;
use benchdog_domain::message::ToolCall;
use benchdog_domain::note::Note;
use benchdog_domain::notice::Notice;
use benchdog_domain::server::{Listed, ServerName};
use benchdog_mcp::FormEvent;
use benchdog_protocol::{Answer, Event, Live, Order, Told};
use benchdog_storage::StorageError;
use benchdog_tools::task::Delegation;
use benchdog_tools::{Prepared, Refusal};
use folder::Folders;
pub(crate) use models::PendingKnowledge;
use models::{Checked, Endpoints, Presence};
use onboarding::Chosen;
use seats::Seats;
pub(crate) use slots::SlotOfSeat;
use slots::Slots;
use telemetry::Telemetry;
use worktrees::WorktreeCame;

/// Capacity of the report channel. Tasks wait while it is full.
const REPORTS: usize = 1024;

pub struct Handle {
    pub seat: SeatId,
    pub orders: mpsc::Sender<Order>,
    pub told: mpsc::Receiver<Told>,
    pub task: tokio::task::JoinHandle<()>,
}

pub(super) struct Mentioned {
    pub(super) prompt: String,
    /// The expanded text, if the prompt calls a custom command.
    pub(super) text: Option<String>,
    pub(super) read: Result<Named, Vec<Unreadable>>,
    pub(super) hooked: HookAnswer,
    pub(super) repository: Option<String>,
    /// Files that other programs changed. Set only while `/watch` is on.
    pub(super) outside: Option<OutsideChanges>,
    pub(super) what_for: WhatFor,
}

#[derive(Default)]
pub(super) struct Named {
    pub(super) mentions: Vec<Mention>,
    pub(super) images: Images,
}

impl Named {
    pub(super) fn has_image(&self, of: &Mention) -> bool {
        let mut images = self.mentions.iter().filter(|mention| mention.image.is_some());
        images.any(|mention| mention.path == of.path && mention.image == of.image)
    }
}

pub(super) enum WhatFor {
    /// A prompt for a new turn. The machine finds the prompt of a result by the number `weighing`.
    Turn { weighing: u64, notes: Vec<Note> },
    /// A prompt for a new turn whose command lines run first.
    First { weighing: u64, lines: Vec<String> },
    /// A prompt for the running turn. `stops` is the value of `Seat::stops` when the prompt was sent. If that value is
    /// larger when the result arrives, the turn was stopped in the meantime.
    Steering { stops: u64 },
}

pub(super) enum Report {
    /// An MCP server asks the person a question during a call. `asking` is `None` at the end of the call.
    ServerAsks {
        seat: SeatId,
        call: CallId,
        asking: Option<(ServerName, FormEvent)>,
    },
    Happened {
        seat: SeatId,
        happened: Happened,
    },
    Prepared {
        seat: SeatId,
        call: ToolCall,
        result: Result<Prepared, Refusal>,
    },
    LookedAhead {
        seat: SeatId,
        ahead: LookedAhead,
    },
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
    Watch {
        seat: SeatId,
        report: WatchReport,
    },
    Known {
        settings: Arc<Settings>,
        model: ModelRef,
        known: Knowledge,
    },
    RunsWith {
        settings: Arc<Settings>,
        model: ModelRef,
        tokens: u64,
    },
    Tokenized {
        seat: SeatId,
        messages: Messages,
        tokens: u64,
    },
    ModelFound(ModelRef),
    ServerFound {
        seat: SeatId,
        chosen: Chosen,
    },
    /// The result of the check whether a server lists the model that the person named.
    ModelNamed {
        seat: SeatId,
        model: ModelRef,
        checked: Checked,
    },
    Presence {
        seat: SeatId,
        model: ModelRef,
        presence: Presence,
    },
    ServiceStarted {
        seat: SeatId,
    },
    FoldersChanged {
        of: FolderId,
        paths: BTreeSet<String>,
    },
    Listed {
        seat: SeatId,
        request: u64,
        listed: Vec<Listed>,
    },
    ServersSettled {
        seat: SeatId,
    },
    SignedIn {
        seat: SeatId,
    },
    Worktree {
        seat: SeatId,
        came: WorktreeCame,
    },
    Summarised {
        seat: SeatId,
        number: u64,
        result: Result<String, NoSummary>,
    },
    Titled {
        seat: SeatId,
        number: u64,
        title: Option<String>,
    },
    Delegated(Box<Delegation>),
    ChildIsOver {
        seat: SeatId,
        how: ChildEnd,
    },
    ChildLeaves {
        seat: SeatId,
        jobs: Vec<JobName>,
    },
    LookAtChildren,
}

impl Report {
    fn seat(&self) -> Option<SeatId> {
        match self {
            Self::Happened { seat, .. }
            | Self::Prepared { seat, .. }
            | Self::LookedAhead { seat, .. }
            | Self::FilesSaved { seat, .. }
            | Self::MadeAnew { seat, .. }
            | Self::Mentioned { seat, .. }
            | Self::Watch { seat, .. }
            | Self::Tokenized { seat, .. }
            | Self::Summarised { seat, .. }
            | Self::Titled { seat, .. }
            | Self::Listed { seat, .. }
            | Self::ServersSettled { seat }
            | Self::SignedIn { seat }
            | Self::ServerAsks { seat, .. }
            | Self::ModelNamed { seat, .. }
            | Self::ServerFound { seat, .. }
            | Self::Presence { seat, .. }
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

pub struct Engine {
    pub(super) setup: Setup,
    told: mpsc::Sender<Told>,
    reports: mpsc::Sender<Report>,
    endpoints: Vec<Endpoints>,
    pub(super) model: Option<ModelRef>,
    folders: Folders,
    ahead: Option<Ahead>,
    pub(super) door: mpsc::Sender<Delegation>,
    kin: BTreeSet<SeatId>,
    slots: Slots,
    watched: Option<SeatId>,
    overheard: Mutex<Vec<(SeatId, Event)>>,
    pub(super) telemetry: Telemetry,
}

#[derive(Clone)]
pub(super) struct Line {
    pub(super) seat: SeatId,
    /// The channel to front ends. `None` for a subagent that no front end shows.
    told: Option<mpsc::Sender<Told>>,
    reports: mpsc::Sender<Report>,
}

impl Engine {
    /// Starts the engine's task and returns at once. The task opens the first session.
    pub fn start(setup: Setup, home: FolderSetup) -> Handle {
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
            engine.telemetry.flush().await;
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
            telemetry: Telemetry::start(&home.settings),
            folders: Folders::new(home, &setup.folders.data),
            setup,
            told,
            endpoints: Vec::new(),
            ahead: None,
            door: door(reports.clone()),
            kin: BTreeSet::new(),
            slots: Slots::default(),
            watched: None,
            overheard: Mutex::default(),
            reports,
        }
    }

    pub(super) fn at(&self, id: FolderId) -> &Folder {
        self.folders.get(id)
    }

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

    // --- events ---

    /// Sends an event, and waits until the front end accepts it. The engine thus cannot run ahead of the display.
    pub(super) async fn tell(&self, seat: SeatId, event: Event) {
        if !self.overhear(seat, &event) {
            return;
        }
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

    pub(super) async fn watched(&self, report: WatchReport) {
        let seat = self.seat;
        let _ = self.reports.send(Report::Watch { seat, report }).await;
    }

    pub(super) async fn tell(&self, event: Event) {
        let (seat, Some(told)) = (self.seat, &self.told) else {
            return;
        };
        let _ = told.send(Told { seat, event }).await;
    }

    pub(super) fn say_blocking(&self, live: Live) {
        let (seat, event) = (self.seat, Event::Live(live));
        if let Some(told) = &self.told {
            let _ = told.blocking_send(Told { seat, event });
        }
    }

    pub(super) fn tell_blocking(&self, answer: Answer) {
        let (seat, event) = (self.seat, Event::Answer(answer));
        if let Some(told) = &self.told {
            let _ = told.blocking_send(Told { seat, event });
        }
    }
}

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
