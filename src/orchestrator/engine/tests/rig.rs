//! An engine for tests, with its own home folder and a scripted provider. It uses no terminal and no network.

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
use crate::machine::{AtPause, Rules};
use crate::seat::{Approver, Begin};
use benchdog_agent::Agents;
use benchdog_base::clock::Time;
use benchdog_base::environment::{Environment, Folders};
use benchdog_base::id::{CallId, SeatId};
use benchdog_config::{Flags, Sources};
use benchdog_domain::agent::{Briefed, Knowledge};
use benchdog_domain::checkup::Check;
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::message::{Arguments, ChatMessage, Reply, ToolCall};
use benchdog_domain::permission::{Decision, Kept};
use benchdog_domain::session::LeaseHolder;
use benchdog_domain::tool_list::ToolList;
use benchdog_protocol::{Answer, ApprovalRequest, Command, Delivery, Event, Live, Order, Told};
use benchdog_provider::failure::ProviderError;
use benchdog_provider::{ListedModel, ModelRequest, Progress, Provider};
use benchdog_security::policy::{LayerRules, Policy};
use benchdog_security::trust::TrustSubject;
use benchdog_security::workspace::Workspace;
use benchdog_storage::Storage;
use benchdog_tools::Registry;
use benchdog_tools::confinement::Sandbox;
use benchdog_tools::outputs;

/// Timeout of a wait. It is longer than any step of a test, so a timeout means that the test has failed.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// Key for scripted answers to requests for a summary.
pub(crate) const SUMMARY: &str = "(a summary)";

/// Key for scripted answers to requests that begin with a summary of earlier turns.
pub(crate) const COMPACTED: &str = "(earlier turns)";

/// A provider with scripted answers. The answers are grouped by the first prompt of a session, and each is used once,
/// in order.
#[derive(Default)]
pub(crate) struct Scripted {
    replies: Mutex<BTreeMap<String, VecDeque<Reply>>>,
    pub asked: Mutex<Vec<ModelRequest>>,
}

impl Provider for Scripted {
    fn stream(&self, request: ModelRequest, _: mpsc::Sender<Progress>) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        let first = request.messages.iter().find_map(|message| match message {
            _ if request.tools.is_empty() => Some(SUMMARY.to_owned()),
            // Omit a note about the agent that may follow the first prompt.
            ChatMessage::User(text) => text.split("\n\n[benchdog").next().map(str::to_owned),
            _ => None,
        });
        // The text of a summary differs each time, so all sessions with a summary share one key.
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

pub(crate) fn says(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        ..Reply::default()
    }
}

pub(crate) fn calls(id: &str, name: &str, arguments: &Value) -> Reply {
    Reply {
        calls: vec![ToolCall {
            id: CallId(id.to_owned()),
            name: name.to_owned(),
            arguments: Arguments::Object(arguments.as_object().cloned().unwrap()),
        }],
        ..Reply::default()
    }
}

pub(crate) struct Rig {
    home: Arc<tempfile::TempDir>,
    pub provider: Arc<Scripted>,
    pub engine: Engine,
    pub seats: Seats,
    told: mpsc::Receiver<Told>,
    pub reported: mpsc::Receiver<Report>,
    pub heard: Vec<Told>,
    pub patience: std::time::Duration,
}

/// Settings in which a test deviates from the default engine.
pub(crate) struct Wishes {
    pub config: Value,
    pub approver: Approver,
    pub files: &'static [(&'static str, &'static str)],
    pub tools: Registry,
    /// Whether the scripted provider replaces the configured endpoint.
    pub scripted: bool,
    pub open: OpenWhat,
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
            open: OpenWhat::New,
        }
    }
}

pub(crate) fn once() -> Decision {
    Decision::Once { kept: Kept::All }
}

/// Returns a survey that has this configuration, with and without the project's files.
pub(crate) fn surveyed(reload: &Reload) -> Survey {
    Survey {
        subject: Some(TrustSubject {
            files: vec!["benchdog.jsonc".to_owned()],
            hash: "hash".to_owned(),
            refused_hash: "hash".to_owned(),
            unbound: Vec::new(),
            in_repository: None,
        }),
        refused: Vec::new(),
        without: Ok(reload.clone()),
        with: Ok(reload.clone()),
    }
}

impl Rig {
    pub(crate) async fn new(wishes: Wishes) -> Self {
        Self::at(Arc::new(tempfile::tempdir().unwrap()), wishes).await
    }

    /// Creates an engine in the home folder of an earlier one.
    pub(crate) async fn at(home: Arc<tempfile::TempDir>, wishes: Wishes) -> Self {
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

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.home.path().join("work").join(name)
    }

    /// Sets the answers for the session that begins with this prompt.
    pub(crate) fn script(&self, prompt: &str, replies: impl IntoIterator<Item = Reply>) {
        let mut scripts = self.provider.replies.lock().unwrap();
        scripts.entry(prompt.to_owned()).or_default().extend(replies);
    }

    pub(crate) async fn beside(&mut self) -> SeatId {
        let id = self.seats.next();
        let model = self.engine.model.clone();
        let begin = Begin::by((&self.engine, FolderId::HOME), id, OpenWhat::New, model)
            .await
            .unwrap();
        Box::pin(self.seats.take(&mut self.engine, id, begin)).await;
        self.listen();
        id
    }

    /// Returns the seat that replaced the given seat, or the given seat if it was not replaced.
    pub(crate) fn meant(&self, seat: SeatId) -> SeatId {
        self.seats.meant(seat)
    }

    pub(crate) async fn order(&mut self, seat: SeatId, command: Command) {
        // Boxed, because this future is large and the tests await it often.
        Box::pin(self.seats.on_order(&mut self.engine, Order { seat, command })).await;
        self.listen();
    }

    pub(crate) async fn prompt(&mut self, seat: SeatId, text: &str) {
        let command = Command::Prompt {
            text: text.to_owned(),
            pasted: Vec::new(),
            delivery: Delivery::Queue,
        };
        self.order(seat, command).await;
    }

    /// Runs the engine until a matching event was received. Returns the event's index in `heard`.
    pub(crate) async fn until(&mut self, what: &str, wanted: impl Fn(&Told) -> bool) -> usize {
        let deadline = tokio::time::Instant::now() + self.patience;
        loop {
            if let Some(at) = self.heard.iter().position(&wanted) {
                return at;
            }
            tokio::select! {
                report = self.reported.recv() => match report {
                    Some(report) => Box::pin(self.seats.on_report(&mut self.engine, report)).await,
                    None => panic!("the engine ended before {what}"),
                },
                told = self.told.recv() => self.heard.extend(told),
                () = tokio::time::sleep_until(deadline) => panic!("waited for {what}; heard {:#?}", self.heard),
            }
            self.listen();
        }
    }

    pub(crate) async fn turn(&mut self, seat: SeatId, prompt: &str) -> Vec<Told> {
        self.prompt(seat, prompt).await;
        self.ends(seat).await
    }

    pub(crate) async fn ends(&mut self, seat: SeatId) -> Vec<Told> {
        self.until("the end of the turn", |told| {
            told.seat == seat && matches!(body(told), Some(Body::TurnEnded { .. }))
        })
        .await;
        std::mem::take(&mut self.heard)
    }

    pub(crate) async fn decide(&mut self, seat: SeatId, asked: &ApprovalRequest, decision: Decision) {
        let (call, edition) = (asked.call.clone(), asked.edition);
        let decide = Command::Decide {
            call,
            edition,
            decision,
        };
        self.order(seat, decide).await;
    }

    pub(crate) fn reload(&mut self) -> Reload {
        let folder = self.engine.folders.get_mut(FolderId::HOME);
        Reload {
            settings: Arc::clone(&folder.settings),
            policy: folder.policy.clone(),
            agents: Arc::clone(&folder.agents),
            tools: folder.tools.clone(),
            servers: Vec::new(),
            languages: Vec::new(),
            model: None,
            rules: folder.rules.clone(),
            texts: Vec::new(),
            nearer: Arc::default(),
            skills: Arc::default(),
        }
    }

    pub(crate) async fn asked(&mut self, seat: SeatId) -> Arc<ApprovalRequest> {
        let asks = |told: &Told| told.seat == seat && request(told).is_some();
        let at = self.until("a request for approval", asks).await;
        let told = self.heard.remove(at);
        Arc::clone(request(&told).unwrap())
    }

    pub(crate) fn log(&mut self, seat: SeatId) -> Vec<Arc<Entry>> {
        self.seats.get(seat).unwrap().entries().to_vec()
    }

    pub(crate) fn sent(&self) -> String {
        let asked = self.provider.asked.lock().unwrap();
        format!("{:?}", asked.last().unwrap().messages)
    }

    pub(crate) fn listen(&mut self) {
        while let Ok(told) = self.told.try_recv() {
            self.heard.push(told);
        }
    }

    /// Lets the engine handle one report. Continues after a moment if there is none.
    pub(crate) async fn report_next(&mut self) {
        let moment = std::time::Duration::from_millis(50);
        if let Ok(Some(report)) = tokio::time::timeout(moment, self.reported.recv()).await {
            Box::pin(self.seats.on_report(&mut self.engine, report)).await;
        }
        self.listen();
    }

    pub(crate) async fn report(&mut self, report: Report) {
        Box::pin(self.seats.on_report(&mut self.engine, report)).await;
        self.listen();
    }
}

pub(crate) fn body(told: &Told) -> Option<&Body> {
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

pub(crate) fn answer(told: &Told) -> Option<&Answer> {
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
    let loaded = benchdog_config::load(&Sources {
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
    // The sandbox launcher of these tests is a script without a sandbox.
    settings.sandbox.level.get_or_insert(Level::Off);
    let layers = settings.permission.iter().map(|layer| LayerRules {
        network: layer.network.clone(),
        layer: layer.layer,
        origin: layer.origin.clone(),
        rules: layer.rules.clone(),
    });
    let outputs = outputs::folder(&folders.cache);
    std::fs::create_dir_all(&outputs).unwrap();
    let sandbox = Sandbox::new(benchdog_testing::launcher(home), &folders, &environment);
    let model = settings
        .model
        .as_deref()
        .map(|text| benchdog_config::resolve_model(text, &settings).unwrap());
    let folder = FolderSetup {
        workspace: Arc::new(Workspace::open(root, &[], &[outputs]).unwrap()),
        levels: benchdog_files::walker::Levels::All,
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
        languages: benchdog_lsp::Servers::default(),
        servers: benchdog_mcp::Servers::new(Vec::new(), &folders.cache, &folders.logs),
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
                .map(|text| benchdog_config::resolve_model(text, &settings).unwrap())
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
        open: wishes.open.clone(),
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
            detached: false,
        },
        replay: wishes.scripted.then_some(provider as Arc<dyn Provider>),
        record: None,
        launcher: benchdog_testing::launcher(home),
        sandbox: Arc::new(sandbox),
        search: Search::Never,
        searcher: Arc::new(|_, _| async { Ok(Vec::new()) }.boxed()),
        exporter: Box::new(|_| async { Err("no export".to_owned()) }.boxed()),
        buffers: None,
    };
    (setup, folder)
}
