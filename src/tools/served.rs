//! Tools of MCP servers, as rows after the built-in ones. Calls of these tools need approval unless a rule allows them.
//! Two further rows, `mcp_find` and `mcp_call`, find and call undeclared tools.
//!
//! The tool context gives access to the servers.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::arguments::Args;
use super::bash::environment::{self, Withheld};
use super::row::{Another, Declares, Draft, Row, Run, Serves, Work};
use super::{Refusal, ToolContext, cancelled};
use benchdog_base::environment::Environment;
use benchdog_base::id::CallId;
use benchdog_domain::adjustment::Settable;
use benchdog_domain::confinement::View;
use benchdog_domain::message::Arguments;
use benchdog_domain::permission::Subject;
use benchdog_domain::review::Review;
use benchdog_domain::server::{Answered, Listed, Offered, ServerName, ServerTrouble, server_of};
use benchdog_domain::tool::{EffectClass, Outcome, OutputChunk, Success, ToolFacts};

mod call;
mod find;
mod report;

pub(crate) use report::why;
pub use report::{part as text_of_part, shown};

/// Maximum characters of a call's title, and of one argument in the title.
const TITLE: usize = 80;
const IN_TITLE: usize = 40;

/// Capacity of the channel for progress messages.
const PROGRESS: usize = 8;

pub trait Outside: Send + Sync {
    /// Lists the servers and their tools, in the order of the configuration.
    fn listed(&self) -> Vec<Listed>;

    /// Calls a tool. `wanted` has the tool's name on the server. Dropping the future cancels the call.
    fn call(
        &self,
        call: CallId,
        wanted: Wanted,
        tell: mpsc::Sender<String>,
    ) -> BoxFuture<'static, Result<Answered, ServerTrouble>>;
}

/// Returns the environment variables of a server, which are those of a command, without secrets.
pub fn variables(ours: &Environment, keys: &[String], folder: &str) -> Vec<(String, String)> {
    let withheld = Withheld {
        keys,
        passed: &[],
        view: View::Whole,
        tmp: None,
    };
    environment::variables(ours, &withheld, folder)
}

#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    pub server: ServerName,
    /// The tool's name on the server.
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub patience: Option<Duration>,
}

pub(crate) fn on_demand() -> [Row; 2] {
    [find::row(), call::row()]
}

pub(crate) fn row(server: &ServerName, tool: &Offered) -> Row {
    let (of, known) = (server.clone(), tool.clone());
    Row {
        facts: ToolFacts {
            // The tool has unknown effects outside the workspace.
            success: Success::Informed,
            settable: Settable::SERVED,
            ..ToolFacts::of(server.tool(&tool.name), EffectClass::Network)
        },
        aliases: &[],
        description: tool.description.clone().into(),
        declares: Declares::Whole,
        parameters: tool.schema.clone(),
        arguments: &[],
        more: "Ask the tool for less of it.",
        serves: Some(Serves::Elsewhere),
        prepare: Box::new(move |args, cx| prepare(args, cx, &of, &known)),
    }
}

/// Returns the call of an undeclared tool by its full name, if a server currently offers the tool.
pub(super) fn by_name(name: &str, given: &Arguments, cx: &ToolContext) -> Option<Result<Another, Refusal>> {
    server_of(name)?;
    let listed = cx.outside.as_ref()?.listed();
    let row = all(&listed)
        .find(|(known, _, _)| known == name)
        .map(|(_, server, tool)| Arc::new(row(server, tool)))?;
    Some(another_of(row, given, cx))
}

fn another_of(row: Arc<Row>, given: &Arguments, cx: &ToolContext) -> Result<Another, Refusal> {
    let args = Args::of(&row, given)?;
    let draft = (row.prepare)(&args, cx)?;
    let arguments = args.into_understood();
    Ok(Another { row, draft, arguments })
}

struct Plan {
    wanted: Wanted,
    outside: Arc<dyn Outside>,
}

fn prepare(args: &Args<'_>, cx: &ToolContext, server: &ServerName, tool: &Offered) -> Result<Draft, Refusal> {
    let outside = cx.outside.clone().ok_or_else(|| none(server))?;
    let arguments = args.all().clone();
    args.has_required()?;
    let shown = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_else(|_| other.to_string()),
    };
    let mut fields = vec![
        ("server".to_owned(), server.0.clone()),
        ("tool".to_owned(), tool.name.clone()),
    ];
    fields.extend(arguments.iter().map(|(name, value)| (name.clone(), shown(value))));
    Ok(Draft {
        title: title(&arguments),
        subjects: vec![Subject::Served { server: server.clone() }],
        review: Review::Fields(fields),
        work: Work::of(
            Plan {
                wanted: Wanted {
                    server: server.clone(),
                    tool: tool.name.clone(),
                    arguments,
                    patience: None,
                },
                outside,
            },
            |plan, it| Box::pin(run(plan, it)),
        ),
    })
}

fn none(server: &ServerName) -> Refusal {
    Refusal::new("no_server", format!("This session has no server `{server}`."))
}

fn title(arguments: &Map<String, Value>) -> String {
    let mut title = String::new();
    for (name, value) in arguments {
        let words = match value {
            Value::String(text) => text.lines().next().unwrap_or_default().to_owned(),
            other => other.to_string(),
        };
        let between = if title.is_empty() { "" } else { ", " };
        let _ = write!(title, "{between}{name}: {}", cut(&words, IN_TITLE));
    }
    cut(&title, TITLE)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

async fn run(plan: Plan, it: Run<'_>) -> Outcome {
    if it.cx.stop.is_said() {
        return cancelled("It had not started; nothing was done.");
    }
    let Plan { mut wanted, outside } = plan;
    wanted.patience = it.cx.limits.timeout_ms.map(Duration::from_millis);
    let server = wanted.server.clone();
    let (tell, mut told) = mpsc::channel(PROGRESS);
    let mut answer = outside.call(it.call.clone(), wanted, tell);
    loop {
        tokio::select! {
            biased;
            answer = &mut answer => return match answer {
                Ok(answer) => report::answered(answer, it.cx),
                Err(trouble) => report::trouble(&server, &trouble),
            },
            () = it.cx.stop.stopped() => {
                return cancelled("The server was told to stop. Its effects until then are not known.");
            }
            Some(progress) = told.recv() => {
                // Remove secrets, because the text goes to the screen and the log.
                let text = format!("{}\n", it.cx.redactor.text(&progress));
                let _ = it.output.send(OutputChunk { call: it.call.clone(), text, unfinished: String::new() }).await;
            }
        }
    }
}

/// Returns every tool with its full name. Of tools with the same full name, callers use the first.
fn all(listed: &[Listed]) -> impl Iterator<Item = (String, &ServerName, &Offered)> {
    listed.iter().flat_map(|of| {
        let tools = of.tools.iter();
        tools.map(|tool| (of.server.tool(&tool.name), &of.server, tool))
    })
}
