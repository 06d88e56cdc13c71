//! The MCP servers of a session. They start with the first request. The tools in the first request stay declared for
//! the whole session.

pub(super) mod forms;
pub(super) mod prompts;
pub(super) mod resources;
mod statuses;
mod switches;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::Seat;
use super::requests::{Order, Stream};
use crate::engine::{Engine, Report};
use benchdog_base::id::CallId;
use benchdog_context::tokens::estimate;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Layer, Rule};
use benchdog_domain::server::{
    Answered, JOINT, Listed, Offered, Sent, ServerName, ServerNotice, ServerOrder, ServerStage, ServerTools,
    ServerTrouble,
};
use benchdog_domain::skill::SkillOffer;
use benchdog_mcp::{FormRecipient, Servers, SignInAction};
use benchdog_protocol::{Answer, Behind, Event, FoundResources, Live};
use benchdog_tools::served::{Outside, Wanted};
use forms::Person;
use prompts::OfServer;
use resources::Sources;
pub(crate) use switches::Switches;

/// Maximum time that a first request waits for servers whose tools are not known yet.
const PATIENCE: Duration = Duration::from_secs(2);

/// The tools of one server may take up 1/20 of the context window, and the tools of all servers together 1/7. Tools
/// beyond these limits are loaded on demand.
const SHARE_OF_ONE: u64 = 20;
const SHARE_OF_ALL: u64 = 7;

pub const MOST_DECLARED: usize = 40;

/// Estimated number of tokens per tool, in addition to the tokens of its texts.
const PER_TOOL: u64 = 4;

const LISTED: Duration = Duration::from_secs(1);

/// Delay before argument values are requested from a server. No values are needed while the person is still typing.
const PAUSE: Duration = Duration::from_millis(120);

const FORMS: usize = 4;

/// Maximum number of omitted tools that a message names.
const TOLD: usize = 5;

pub(super) struct Served {
    servers: Servers,
    switches: Switches,
    /// Servers of a folder whose trust was revoked. These servers must not be started.
    barred: BTreeSet<ServerName>,
    sent: Option<BTreeMap<ServerName, Sent>>,
    ordered: Option<Order>,
    shown: bool,
    told: BTreeSet<ServerName>,
    told_missing: BTreeSet<ServerName>,
    asks_values: JoinSet<()>,
}

struct Door {
    servers: Servers,
    person: Option<Person>,
    switches: Switches,
}

impl Outside for Door {
    fn listed(&self) -> Vec<Listed> {
        self.switches.told(self.switches.left(self.servers.tools()))
    }

    fn call(
        &self,
        call: CallId,
        wanted: Wanted,
        tell: mpsc::Sender<String>,
    ) -> BoxFuture<'static, Result<Answered, ServerTrouble>> {
        let is_off =
            self.switches.is_off(&wanted.server) || self.switches.rule(&wanted.server.tool(&wanted.tool)).is_some();
        let (servers, person) = (self.servers.clone(), self.person.clone());
        Box::pin(async move {
            if is_off {
                return Err(ServerTrouble::Off);
            }
            let Wanted {
                server,
                tool,
                arguments,
                patience,
            } = wanted;
            let Some(person) = person else {
                return servers.call(&server, &tool, arguments, patience, &tell, None).await;
            };
            let (events, asked) = mpsc::channel(FORMS);
            let asker = FormRecipient {
                seat: person.seat,
                call: call.clone(),
                events,
            };
            let of = (server.clone(), call);
            tokio::select! {
                answered = servers.call(&server, &tool, arguments, patience, &tell, Some(asker)) => answered,
                never = person.asked(of, asked) => match never {},
            }
        })
    }
}

impl Served {
    pub(super) fn of(servers: Servers, switches: Switches) -> Self {
        Self {
            sent: servers.is_empty().then(BTreeMap::new),
            servers,
            switches,
            barred: BTreeSet::new(),
            ordered: None,
            shown: false,
            told: BTreeSet::new(),
            told_missing: BTreeSet::new(),
            asks_values: JoinSet::new(),
        }
    }

    pub(super) fn secrets(&self) -> impl Iterator<Item = String> {
        self.servers.secrets()
    }

    pub(super) fn door(&self, person: Option<Person>) -> Option<Arc<dyn Outside>> {
        (!self.servers.is_empty()).then(|| {
            Arc::new(Door {
                servers: self.servers.clone(),
                person,
                switches: self.switches.clone(),
            }) as Arc<dyn Outside>
        })
    }

    pub(super) fn prompts(&self) -> Vec<SkillOffer> {
        let servers = self.servers.prompts().into_iter();
        let offered = servers.filter(|(server, _)| !self.is_off(server));
        let offers = offered.flat_map(|(server, prompts)| {
            let offers: Vec<SkillOffer> = prompts.iter().map(|prompt| prompts::offer(&server, prompt)).collect();
            offers
        });
        offers.collect()
    }

    pub(super) fn called(&self, prompt: &str) -> Option<OfServer> {
        OfServer::of(&self.servers, |server| self.is_off(server), prompt)
    }

    pub(super) fn sources(&self, consents: bool) -> Option<Sources> {
        (!self.servers.is_empty()).then(|| Sources::of(&self.servers, self.switches.servers_off(), consents))
    }

    /// Loads the data of earlier runs from the cache, to list server prompts before a server has started.
    pub(super) async fn recall(&self) {
        if !self.servers.is_empty() {
            self.servers.load_cache().await;
        }
    }

    pub(super) fn switches(&self) -> Switches {
        self.switches.clone()
    }

    pub(super) fn switched_off(&self, tool: &str) -> Option<Rule> {
        self.switches.rule(tool)
    }

    /// Returns the rule that blocks a call, because its tool or server is switched off.
    pub(super) fn kept_off(&self, tool: &str) -> Option<Rule> {
        self.switches.keeps(tool)
    }

    pub(super) fn is_off(&self, name: &ServerName) -> bool {
        self.switches.is_off(name)
    }
}

impl Seat {
    /// Delays the first request until the tools of all servers are known, for at most `PATIENCE`. Returns whether the
    /// request was delayed.
    pub(super) fn wait_for_servers(&mut self, engine: &Engine, order: &Order) -> bool {
        if self.served.sent.is_some() || !self.has_model {
            return false;
        }
        let (servers, line, reports) = (self.served.servers.clone(), engine.line(self.id), engine.reports());
        servers.start();
        let (seat, request) = (self.id, order.request);
        let task = tokio::spawn(async move {
            servers.load_cache().await;
            let awaited = servers.starting(PATIENCE);
            if !awaited.is_empty() {
                let notice = Notice::Server(ServerNotice::Awaited { servers: awaited });
                line.tell(Event::Live(Live::Notice(notice))).await;
            }
            let listed = servers.initial_tools(PATIENCE).await;
            let _ = reports.send(Report::Listed { seat, request, listed }).await;
        });
        self.stream = Some(Stream::waiting(request, order.model.clone(), task.abort_handle()));
        self.served.ordered = Some(order.clone());
        true
    }

    /// Sends the delayed request when the tools are known. Ignores a late report for an abandoned request.
    pub(crate) async fn on_listed(&mut self, engine: &mut Engine, request: u64, listed: Vec<Listed>) {
        let Some(order) = self.served.ordered.take_if(|order| order.request == request) else {
            return;
        };
        if self.stream.take_if(|stream| stream.request == request).is_none() {
            return;
        }
        self.declare(engine, listed).await;
        if let Some(happened) = self.call_model(engine, order).await {
            self.feed(engine, happened).await;
        }
    }

    async fn declare(&mut self, engine: &mut Engine, listed: Vec<Listed>) {
        let window = engine.window(&self.settings, self.machine.model());
        let listed = self.served.switches.left(listed);
        let mut room = window / SHARE_OF_ALL;
        let (mut sent, mut declared, mut whole, mut on_demand) = (BTreeMap::new(), Vec::new(), Vec::new(), Vec::new());
        for of in listed {
            let tokens = tokens(&of.server, of.tools.iter());
            let fits = of.tools.len() <= MOST_DECLARED && tokens <= room.min(window / SHARE_OF_ONE);
            let row = ServerTools {
                server: of.server.clone(),
                tools: of.tools.len() as u64,
                tokens,
            };
            if fits {
                room -= tokens;
                sent.insert(of.server.clone(), Sent::Whole);
                whole.push(row);
                declared.push(of);
            } else {
                sent.insert(of.server.clone(), Sent::OnDemand);
                on_demand.push(row);
            }
        }
        let (tools, taken) = self.tools.with_servers(&declared);
        self.facts = tools.facts();
        self.tools = tools;
        self.served.sent = Some(sent);
        self.lay_out_anew(engine);
        if !whole.is_empty() || !on_demand.is_empty() {
            let notice = ServerNotice::Declared { whole, on_demand };
            engine.notice(self.id, Notice::Server(notice)).await;
        }
        if !taken.is_empty() {
            let tools = taken.into_iter().map(|taken| taken.0).take(TOLD).collect();
            engine
                .notice(self.id, Notice::Server(ServerNotice::NamesTaken { tools }))
                .await;
        }
        self.watch_servers(engine);
    }

    pub(crate) async fn on_servers_settled(&mut self, engine: &Engine) {
        if std::mem::take(&mut self.served.shown) {
            engine.answer(self.id, Answer::Servers(self.statuses())).await;
        }
        if self
            .served
            .servers
            .prompts()
            .iter()
            .any(|(_, prompts)| !prompts.is_empty())
        {
            engine.answer(self.id, Answer::Invocable(self.skills(engine))).await;
        }
        self.tell_missing(engine).await;
        for standing in self.served.servers.snapshots() {
            let is_dead = standing.stage == ServerStage::Dead && !self.served.is_off(&standing.name);
            if let Some(trouble) = standing.trouble.filter(|_| is_dead)
                && self.served.told.insert(standing.name.clone())
            {
                let server = standing.name;
                self.traces.server_failed(&server, &trouble);
                engine
                    .notice(self.id, Notice::Server(ServerNotice::Dead { server, trouble }))
                    .await;
            }
        }
    }

    pub(crate) fn resources(&self, query: &str, limit: usize) -> FoundResources {
        let mut known = self.served.servers.resources();
        known.retain(|(server, _)| !self.served.is_off(server));
        resources::fitting(&known, query, limit)
    }

    /// Requests values for an argument of a server prompt, after the person has paused typing.
    pub(crate) fn find_values(&mut self, engine: &Engine, behind: Behind) {
        self.served.asks_values.abort_all();
        let servers = self.served.servers.clone();
        let named = behind
            .called
            .split_once(':')
            .map(|(server, _)| ServerName(server.to_owned()));
        let Some(server) = named.filter(|server| !self.served.is_off(server)) else {
            return;
        };
        let line = engine.line(self.id);
        self.served.asks_values.spawn(async move {
            tokio::time::sleep(PAUSE).await;
            let values = servers.complete(&server, &behind.called, &behind.written).await;
            line.tell(Event::Answer(Answer::Values(behind, values))).await;
        });
        while self.served.asks_values.try_join_next().is_some() {}
    }

    /// Starts servers that were not started yet. Sends the current status, and the final status when known.
    pub(crate) async fn list_servers(&mut self, engine: &Engine) {
        let servers = self.served.servers.clone();
        servers.load_cache().await;
        servers.start();
        self.show_servers(engine).await;
        self.watch_servers(engine);
    }

    /// Starts, stops or restarts a server, or signs the person in or out. Checks pending calls again. Declines the open
    /// forms of a stopped server.
    pub(crate) async fn order_server(&mut self, engine: &mut Engine, server: ServerName, order: ServerOrder) {
        let is_there = self.served.servers.names().any(|name| *name == server);
        if !is_there || self.served.barred.contains(&server) {
            engine
                .notice(self.id, Notice::Server(ServerNotice::Unknown { server }))
                .await;
            return self.list_servers(engine).await;
        }
        self.served.switches.server(&server, order);
        if order == ServerOrder::Restart {
            self.served.servers.restart(&server);
            self.served.told.remove(&server);
        }
        if order == ServerOrder::Off {
            self.decline_forms(engine, &server).await;
        }
        self.judge_anew(engine).await;
        let wish = match order {
            ServerOrder::SignIn => SignInAction::In,
            ServerOrder::SignOut => SignInAction::Out,
            ServerOrder::Restart | ServerOrder::On | ServerOrder::Off => return self.list_servers(engine).await,
        };
        // A sign-out does not start the server, because the server would only report that it needs a sign-in.
        self.sign(engine, &server, wish);
        self.show_servers(engine).await;
    }

    /// Switches a tool on or off, and checks pending calls again. Requests declare the tool in both cases.
    pub(crate) async fn switch_tool(&mut self, engine: &mut Engine, tool: String, to: Switched) {
        self.served.recall().await;
        if self.offers(&tool) {
            self.served.switches.tool(&tool, to);
            self.judge_anew(engine).await;
        } else {
            engine
                .notice(self.id, Notice::Server(ServerNotice::NoTool { tool }))
                .await;
        }
        self.list_servers(engine).await;
    }

    /// Stops the servers of a folder whose trust was revoked, and blocks their tools.
    pub(crate) fn bar_servers(&mut self) {
        let servers = self.settings.servers.iter();
        let brought = servers.filter(|server| server.layer == Layer::Project);
        for server in brought.map(|server| server.name.clone()) {
            self.served.switches.server(&server, ServerOrder::Off);
            self.served.servers.disable(&server);
            self.served.barred.insert(server);
        }
    }

    fn sign(&mut self, engine: &Engine, server: &ServerName, wish: SignInAction) {
        self.served.told.remove(server);
        let mut told = self.served.servers.change_sign_in(server, wish);
        let (servers, reports, seat) = (self.served.servers.clone(), engine.reports(), self.id);
        tokio::spawn(async move {
            while told.recv().await.is_some() {
                let _ = reports.send(Report::SignedIn { seat }).await;
            }
            servers.wait_until_settled().await;
            let _ = reports.send(Report::SignedIn { seat }).await;
        });
    }

    pub(crate) async fn on_signed_in(&self, engine: &Engine) {
        engine.answer(self.id, Answer::Servers(self.statuses())).await;
    }

    async fn show_servers(&mut self, engine: &Engine) {
        self.served.shown = true;
        engine.answer(self.id, Answer::Servers(self.statuses())).await;
    }

    fn watch_servers(&self, engine: &Engine) {
        let (servers, reports, seat) = (self.served.servers.clone(), engine.reports(), self.id);
        tokio::spawn(async move {
            servers.wait_until_settled().await;
            servers.wait_for_resources(LISTED).await;
            let _ = reports.send(Report::ServersSettled { seat }).await;
        });
    }
}

fn tokens<'t>(server: &ServerName, tools: impl IntoIterator<Item = &'t Offered>) -> u64 {
    let one = |tool: &Offered| {
        let name = format!("{server}{JOINT}{}", tool.name);
        estimate(&name) + estimate(&tool.description) + estimate(&tool.schema.to_string()) + PER_TOOL
    };
    tools.into_iter().map(one).sum()
}
