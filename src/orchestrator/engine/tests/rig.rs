//! An engine on a bench: a home of its own, a provider that answers what the test wrote, and no terminal or network.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::super::seats::Seats;
use super::super::{
    Engine, FolderId, FolderSetup, IfShut, OpenWhat, ProjectLayer, Reload, Report, Search, Setup, Survey,
    ToldOfChildren,
};
use crate::agent::Agents;
use crate::base::clock::Time;
use crate::base::environment::{Environment, Folders};
use crate::base::id::{CallId, SeatId};
use crate::config::{Flags, Sources};
use crate::domain::agent::{Briefed, Knowledge};
use crate::domain::checkup::Check;
use crate::domain::confinement::{Level, Network};
use crate::domain::entry::{Body, Entry};
use crate::domain::message::{Arguments, ChatMessage, Reply, ToolCall};
use crate::domain::permission::{Decision, Kept};
use crate::domain::session::LeaseHolder;
use crate::domain::tool_list::ToolList;
use crate::orchestrator::machine::{AtPause, Rules};
use crate::orchestrator::seat::{Approver, Begin};
use crate::protocol::{Answer, ApprovalRequest, Command, Delivery, Event, Live, Order, Told};
use crate::provider::failure::ProviderError;
use crate::provider::{ListedModel, ModelRequest, Progress, Provider};
use crate::security::policy::{LayerRules, Policy};
use crate::security::trust::TrustSubject;
use crate::security::workspace::Workspace;
use crate::storage::Storage;
use crate::tools::Registry;
use crate::tools::confinement::Sandbox;
use crate::tools::outputs;

/// Longer than anything here takes; a wait that reaches it fails.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// What answers requests for a summary is written under this prompt.
pub(in crate::orchestrator) const SUMMARY: &str = "(a summary)";

/// And what answers those that begin with what stands in the place of earlier turns, under this one.
pub(in crate::orchestrator) const COMPACTED: &str = "(earlier turns)";

/// Answers by the first prompt of the session that asks, in the order they were written.
#[derive(Default)]
pub(in crate::orchestrator) struct Scripted {
    replies: Mutex<BTreeMap<String, VecDeque<Reply>>>,
    pub(in crate::orchestrator) asked: Mutex<Vec<ModelRequest>>,
}

impl Provider for Scripted {
    fn stream(&self, request: ModelRequest, _: mpsc::Sender<Progress>) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        let first = request.messages.iter().find_map(|message| match message {
            _ if request.tools.is_empty() => Some(SUMMARY.to_owned()),
            // What is told along with it, of who works, stands behind it.
            ChatMessage::User(text) => text.split("\n\n[benchdog").next().map(str::to_owned),
            _ => None,
        });
        // What stands in the place of earlier turns begins with other words each time.
        let first = first.map(|first| {
            if first.starts_with("[benchdog") {
                COMPACTED.to_owned()
            } else {
                first
            }
        });
        self.asked.lock().unwrap().push(request);
        let reply = self
            .replies
            .lock()
            .unwrap()
            .get_mut(&first.unwrap_or_default())
            .and_then(VecDeque::pop_front);
        async move {
            match reply {
                Some(reply) => Ok(reply),
                None => std::future::pending().await,
            }
        }
        .boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>> {
        async { Ok(Vec::new()) }.boxed()
    }

    fn about(&self, _: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>> {
        async { Ok(Knowledge::default()) }.boxed()
    }
}

pub(in crate::orchestrator) fn says(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        ..Reply::default()
    }
}

pub(in crate::orchestrator) fn calls(id: &str, name: &str, arguments: &Value) -> Reply {
    Reply {
        calls: vec![ToolCall {
            id: CallId(id.to_owned()),
            name: name.to_owned(),
            arguments: Arguments::Object(arguments.as_object().cloned().unwrap()),
        }],
        ..Reply::default()
    }
}

pub(in crate::orchestrator) struct Rig {
    home: tempfile::TempDir,
    pub(in crate::orchestrator) provider: Arc<Scripted>,
    pub(in crate::orchestrator) engine: Engine,
    pub(in crate::orchestrator) seats: Seats,
    told: mpsc::Receiver<Told>,
    pub(in crate::orchestrator) reported: mpsc::Receiver<Report>,
    /// Everything that was told, oldest first.
    pub(in crate::orchestrator) heard: Vec<Told>,
    /// How long one thing is waited for.
    pub(in crate::orchestrator) patience: std::time::Duration,
}

/// What a test may want otherwise.
pub(in crate::orchestrator) struct Wishes {
    pub(in crate::orchestrator) config: Value,
    pub(in crate::orchestrator) approver: Approver,
    /// Files of the workspace before the session begins.
    pub(in crate::orchestrator) files: &'static [(&'static str, &'static str)],
    pub(in crate::orchestrator) tools: Registry,
    /// The scripted provider answers instead of the configured endpoint.
    pub(in crate::orchestrator) scripted: bool,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            config: json!({
                "model": "p/m",
                "provider": {"p": {"base_url": "http://127.0.0.1:9/v1", "models": {"m": {"context": 32_768}}}},
                "validation": {"auto": false}
            }),
            approver: Approver::Person,
            files: &[],
            tools: Registry::builtin(),
            scripted: true,
        }
    }
}

/// The answer that allows all of it, this time.
pub(in crate::orchestrator) fn once() -> Decision {
    Decision::Once { kept: Kept::All }
}

/// A folder that is read as this, with its project and without.
pub(in crate::orchestrator) fn surveyed(reload: &Reload) -> Survey {
    Survey {
        subject: Some(TrustSubject {
            files: vec!["benchdog.jsonc".to_owned()],
            hash: "hash".to_owned(),
        }),
        refused: Vec::new(),
        without: Ok(reload.clone()),
        with: Ok(reload.clone()),
    }
}

impl Rig {
    /// One seat with a new session.
    pub(in crate::orchestrator) async fn new(wishes: Wishes) -> Self {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("work");
        std::fs::create_dir_all(&root).unwrap();
        for (name, content) in wishes.files {
            std::fs::write(root.join(name), content).unwrap();
        }
        let provider = Arc::new(Scripted::default());
        let (told_in, told) = mpsc::channel(4096);
        let (reports, reported) = mpsc::channel(1024);
        let (setup, folder) = setup(home.path(), &root, &wishes, Arc::clone(&provider));
        let mut rig = Self {
            engine: Engine::new(setup, folder, told_in, reports),
            seats: Seats::default(),
            home,
            provider,
            told,
            reported,
            heard: Vec::new(),
            patience: PATIENCE,
        };
        Box::pin(rig.seats.open_first(&mut rig.engine)).await.unwrap();
        rig.listen();
        rig
    }

    pub(in crate::orchestrator) fn file(&self, name: &str) -> PathBuf {
        self.home.path().join("work").join(name)
    }

    /// The answers to the requests of the session that begins with this prompt.
    pub(in crate::orchestrator) fn script(&self, prompt: &str, replies: impl IntoIterator<Item = Reply>) {
        let mut scripts = self.provider.replies.lock().unwrap();
        scripts.entry(prompt.to_owned()).or_default().extend(replies);
    }

    /// A seat of its own with a new session.
    pub(in crate::orchestrator) async fn beside(&mut self) -> SeatId {
        let id = self.seats.next();
        let model = self.engine.model.clone();
        let begin = Begin::by((&self.engine, FolderId::HOME), id, OpenWhat::New, model)
            .await
            .unwrap();
        Box::pin(self.seats.take(&mut self.engine, id, begin)).await;
        self.listen();
        id
    }

    /// The seat that took the place of this one.
    pub(in crate::orchestrator) fn meant(&self, seat: SeatId) -> SeatId {
        self.seats.meant(seat)
    }

    pub(in crate::orchestrator) async fn order(&mut self, seat: SeatId, command: Command) {
        // The work of the engine lies on the heap: a test waits for it many times over.
        Box::pin(self.seats.on_order(&mut self.engine, Order { seat, command })).await;
        self.listen();
    }

    pub(in crate::orchestrator) async fn prompt(&mut self, seat: SeatId, text: &str) {
        let command = Command::Prompt {
            text: text.to_owned(),
            pasted: Vec::new(),
            delivery: Delivery::Queue,
        };
        self.order(seat, command).await;
    }

    /// Lets the engine work until this was told; returns where in `heard` it stands.
    pub(in crate::orchestrator) async fn until(&mut self, what: &str, wanted: impl Fn(&Told) -> bool) -> usize {
        let deadline = tokio::time::Instant::now() + self.patience;
        loop {
            if let Some(at) = self.heard.iter().position(&wanted) {
                return at;
            }
            match tokio::time::timeout_at(deadline, self.reported.recv()).await {
                Ok(Some(report)) => Box::pin(self.seats.on_report(&mut self.engine, report)).await,
                Ok(None) | Err(_) => panic!("waited for {what}; heard {:#?}", self.heard),
            }
            self.listen();
        }
    }

    /// Lets a turn of the seat end, and forgets what was heard until then.
    pub(in crate::orchestrator) async fn turn(&mut self, seat: SeatId, prompt: &str) -> Vec<Told> {
        self.prompt(seat, prompt).await;
        self.ends(seat).await
    }

    pub(in crate::orchestrator) async fn ends(&mut self, seat: SeatId) -> Vec<Told> {
        self.until("the end of the turn", |told| {
            told.seat == seat && matches!(body(told), Some(Body::TurnEnded { .. }))
        })
        .await;
        std::mem::take(&mut self.heard)
    }

    /// The person decides a request as it is shown.
    pub(in crate::orchestrator) async fn decide(&mut self, seat: SeatId, asked: &ApprovalRequest, decision: Decision) {
        let (call, edition) = (asked.call.clone(), asked.edition);
        let decide = Command::Decide {
            call,
            edition,
            decision,
        };
        self.order(seat, decide).await;
    }

    /// What the folder would be read as now, where nothing of it has changed.
    pub(in crate::orchestrator) fn reload(&mut self) -> Reload {
        let folder = self.engine.folders.get_mut(FolderId::HOME);
        Reload {
            settings: Arc::clone(&folder.settings),
            policy: folder.policy.clone(),
            agents: Arc::clone(&folder.agents),
            tools: folder.tools.clone(),
            servers: Vec::new(),
            model: None,
            rules: folder.rules.clone(),
            texts: Vec::new(),
            nearer: Arc::default(),
            skills: Arc::default(),
        }
    }

    /// The next request for approval of the seat.
    pub(in crate::orchestrator) async fn asked(&mut self, seat: SeatId) -> Arc<ApprovalRequest> {
        let asks = |told: &Told| told.seat == seat && request(told).is_some();
        let at = self.until("a request for approval", asks).await;
        let told = self.heard.remove(at);
        Arc::clone(request(&told).unwrap())
    }

    /// The session of a seat, as it is on disk.
    pub(in crate::orchestrator) fn log(&mut self, seat: SeatId) -> Vec<Arc<Entry>> {
        self.seats.get(seat).unwrap().entries().to_vec()
    }

    /// The messages of the newest request.
    pub(in crate::orchestrator) fn sent(&self) -> String {
        let asked = self.provider.asked.lock().unwrap();
        format!("{:?}", asked.last().unwrap().messages)
    }

    pub(in crate::orchestrator) fn listen(&mut self) {
        while let Ok(told) = self.told.try_recv() {
            self.heard.push(told);
        }
    }

    /// Lets the engine take one report, or goes on where none comes for a moment.
    pub(in crate::orchestrator) async fn report_next(&mut self) {
        let moment = std::time::Duration::from_millis(50);
        if let Ok(Some(report)) = tokio::time::timeout(moment, self.reported.recv()).await {
            Box::pin(self.seats.on_report(&mut self.engine, report)).await;
        }
        self.listen();
    }

    pub(in crate::orchestrator) async fn report(&mut self, report: Report) {
        Box::pin(self.seats.on_report(&mut self.engine, report)).await;
        self.listen();
    }
}

pub(in crate::orchestrator) fn body(told: &Told) -> Option<&Body> {
    match &told.event {
        Event::Fact(entry) => Some(&entry.body),
        Event::Live(_) | Event::Answer(_) => None,
    }
}

fn request(told: &Told) -> Option<&Arc<ApprovalRequest>> {
    match &told.event {
        Event::Live(Live::ApprovalRequested(request)) => Some(request),
        _ => None,
    }
}

pub(in crate::orchestrator) fn answer(told: &Told) -> Option<&Answer> {
    match &told.event {
        Event::Answer(answer) => Some(answer),
        Event::Fact(_) | Event::Live(_) => None,
    }
}

#[expect(clippy::too_many_lines, reason = "a flat table, a field each")]
fn setup(home: &Path, root: &Path, wishes: &Wishes, provider: Arc<Scripted>) -> (Setup, FolderSetup) {
    let environment = Environment::of([("BENCHDOG_HOME".to_owned(), home.display().to_string())]);
    let folders = Folders::resolve(&environment).unwrap();
    std::fs::write(&folders.config_file, wishes.config.to_string()).unwrap();
    let loaded = crate::config::load(&Sources {
        user: folders.config_file.clone(),
        project: None,
        file: None,
        tools: &wishes.tools.rules(),
        stored_keys: PathBuf::new(),
        environment: &environment,
        flags: Flags::default(),
    })
    .unwrap();
    let mut settings = loaded.settings;
    // The launcher of these tests is a script that cannot confine.
    settings.sandbox.level.get_or_insert(Level::Off);
    let layers = settings.permission.iter().map(|layer| LayerRules {
        network: layer.network.clone(),
        layer: layer.layer,
        origin: layer.origin.clone(),
        rules: layer.rules.clone(),
    });
    let outputs = outputs::folder(&folders.cache);
    std::fs::create_dir_all(&outputs).unwrap();
    let sandbox = Sandbox::new(crate::children::tests::launcher(home), &folders, &environment);
    let model = settings
        .model
        .as_deref()
        .map(|text| crate::config::resolve_model(text, &settings).unwrap());
    let folder = FolderSetup {
        workspace: Arc::new(Workspace::open(root, &[], &[outputs]).unwrap()),
        levels: crate::files::walker::Levels::All,
        policy: Policy::new(&wishes.tools.rules(), layers.collect()),
        settings_lister: Box::new(|_| Ok(Vec::new())),
        settings_writer: Box::new(|_, _, _| Ok(())),
        loader: Box::new(|| Survey {
            subject: None,
            refused: Vec::new(),
            without: Err(String::new()),
            with: Err(String::new()),
        }),
        agents: Agents::of(&settings).into(),
        tools: wishes.tools.clone(),
        servers: crate::mcp::Servers::new(Vec::new(), &folders.cache, &folders.logs),
        rules: Rules {
            hooks: Default::default(),
            agent: Briefed::default(),
            max_steps: 50,
            insisted_steps: None,
            at_pause: AtPause::Ask,
            max_tokens: None,
            max_cost: None,
            prices: Vec::new(),
            validate: settings.validation.auto,
            validation_rounds: 3,
            opens_list: true,
            fallback: (settings.fallback.iter())
                .map(|text| crate::config::resolve_model(text, &settings).unwrap())
                .collect(),
            held: (Level::Off, Network::Inherit),
            scratch: None,
            subagents: Vec::new(),
            warn: vec![50, 80],
            proving: Vec::new(),
            tools: wishes.tools.facts(),
        },
        settings: Arc::new(settings),
    };
    let setup = Setup {
        storage: Storage::start(&folders.data).unwrap(),
        open_folder: Box::new(|_| Err("there is one folder".to_owned())),
        started_from: None,
        added: Vec::new(),
        warnings: Vec::new(),
        examiner: Box::new(|_, model| {
            let detail = model.map_or_else(String::new, |model| model.to_string());
            async move { vec![Check::ok("model", detail)] }.boxed()
        }),
        agent: None,
        may_use: ToolList::default(),
        approver: wishes.approver,
        children: ToldOfChildren::Rows,
        project: ProjectLayer::Ignore,
        open: OpenWhat::New,
        if_shut: IfShut::End,
        model,
        model_insisted: false,
        environment,
        folders,
        holder: LeaseHolder {
            pid: std::process::id(),
            host: "here".to_owned(),
            tty: None,
            started: Time::now(),
        },
        replay: wishes.scripted.then_some(provider as Arc<dyn Provider>),
        record: None,
        launcher: crate::children::tests::launcher(home),
        sandbox: Arc::new(sandbox),
        search: Search::Never,
    };
    (setup, folder)
}
