//! Messages about MCP servers.

use super::{Word, count, form, say, word};
use benchdog_base::disk::bytes_text;
use benchdog_base::text::grouped;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::server::{
    self, JOINT, LeftOut, LeftUntold, Sent, ServerName, ServerNotice, ServerStage, ServerStatus, ServerTool,
    ServerTools, ServerTrouble, WhyLeftOut, WhyUnauthorized,
};
use benchdog_domain::sign_in::SignIn;

const MOST_PROMPTS: usize = 8;

const MOST_NAMED: usize = 12;

const MOST_LEFT_OUT: usize = 5;

pub(super) fn servers(notice: &ServerNotice) -> String {
    match notice {
        ServerNotice::Awaited { servers } => say("notice-servers-awaited", &[("servers", &names(servers))]),
        ServerNotice::Declared { whole, on_demand } => {
            let line = |id: &str, of: &[ServerTools]| {
                let all: Vec<String> = of.iter().map(offered).collect();
                (!of.is_empty()).then(|| say(id, &[("servers", &all.join(", "))]))
            };
            let lines = [
                line("notice-servers-declared", whole),
                line("notice-servers-on-demand", on_demand),
            ];
            lines.into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
        ServerNotice::NamesTaken { tools } => say("notice-server-names-taken", &[("tools", &tools.join(", "))]),
        ServerNotice::Unknown { server } => say("notice-no-server", &[("server", &server.0)]),
        ServerNotice::NoTool { tool } => say("notice-no-server-tool", &[("tool", tool)]),
        ServerNotice::Missing { server, tools } => say(
            "notice-server-missing",
            &[("server", &server.0), ("tools", &few(tools, MOST_LEFT_OUT))],
        ),
        ServerNotice::Dead { server, trouble } => {
            let id = match trouble.wants_sign_in() {
                true => "notice-server-signed-out",
                false => "notice-server-dead",
            };
            let what = server_trouble(trouble);
            let row = say(id, &[("server", &server.0), ("trouble", &what)]);
            let restart = restarts_it(server, trouble);
            [Some(row), restart].into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
        ServerNotice::Form { server, came_to } => form::form_end(server, *came_to),
        ServerNotice::FormRefused { server, why } => form::form_refused(server, why),
    }
}

fn names(servers: &[ServerName]) -> String {
    let names: Vec<&str> = servers.iter().map(|server| server.0.as_str()).collect();
    names.join(", ")
}

/// Formats `files (14 tools, ~2100 tokens)`.
fn offered(of: &ServerTools) -> String {
    let tools = usize::try_from(of.tools).unwrap_or(usize::MAX);
    let values = [("server", of.server.0.as_str()), ("tokens", &of.tokens.to_string())];
    count("server-tools", tools, &values)
}

/// Describes the problem of a server, without a full stop.
pub fn server_trouble(trouble: &ServerTrouble) -> String {
    match trouble {
        ServerTrouble::NotFound { program } => say("server-not-found", &[("program", program)]),
        ServerTrouble::NoFolder { folder } => say("server-no-folder", &[("folder", folder)]),
        ServerTrouble::NotStarted { words } => say("server-not-started", &[("words", words)]),
        ServerTrouble::Lacks { variable } => say("server-lacks", &[("variable", variable)]),
        ServerTrouble::Changed { file } => say("server-changed", &[("file", file)]),
        ServerTrouble::Unpinned { file, error } => say("server-unpinned", &[("file", file), ("error", error)]),
        ServerTrouble::Floods { most } => say("server-floods", &[("most", &most.to_string())]),
        ServerTrouble::Ended { code, signal, said } => {
            let how = match (code, signal) {
                (Some(code), _) => say("server-ended-code", &[("code", &code.to_string())]),
                (None, Some(signal)) => say("server-ended-signal", &[("signal", &signal.to_string())]),
                (None, None) => say("server-ended", &[]),
            };
            and_said(how, said)
        }
        ServerTrouble::Garbage { line } => say("server-garbage", &[("line", line)]),
        ServerTrouble::NoAnswer { seconds, said } => {
            and_said(say("server-no-answer", &[("seconds", &seconds.to_string())]), said)
        }
        ServerTrouble::TooLong { most } => say("server-too-long", &[("most", &bytes_text(*most))]),
        ServerTrouble::Refused { words } => say("server-refused", &[("words", words)]),
        ServerTrouble::OtherRevision => say("server-other-revision", &[]),
        ServerTrouble::Unreadable => say("server-unreadable", &[]),
        ServerTrouble::Unexpected => say("server-unexpected", &[]),
        ServerTrouble::Asks { what } => say("server-asks", &[("what", what)]),
        ServerTrouble::Http { words } => say("server-http", &[("words", words)]),
        ServerTrouble::Status { status, words } => {
            let status = status.to_string();
            match words.as_str() {
                "" => say("server-status", &[("status", &status)]),
                words => say("server-status-words", &[("status", &status), ("words", words)]),
            }
        }
        ServerTrouble::Redirects { to } => say("server-redirects", &[("to", to)]),
        ServerTrouble::Unauthorized { server, why } => {
            let id = match why {
                WhyUnauthorized::NoSignIn => "server-wants-sign-in",
                WhyUnauthorized::NoToken => "server-wants-token",
                WhyUnauthorized::Nothing => "server-gets-no-token",
                WhyUnauthorized::TokenRefused => "server-refuses-token",
                WhyUnauthorized::Over => "server-sign-in-over",
                WhyUnauthorized::NotTaken => "server-not-taken",
            };
            say(id, &[("server", &server.0)])
        }
        ServerTrouble::NoToken { server, variable } => {
            say("server-no-token", &[("server", &server.0), ("variable", variable)])
        }
        ServerTrouble::Narrow { server, scope } => say("server-narrow", &[("server", &server.0), ("scope", scope)]),
        ServerTrouble::Alone { server, why } => {
            say("server-alone", &[("told", &super::sign_in_trouble(&server.0, why))])
        }
        ServerTrouble::NarrowAlone { server, scope } => {
            say("server-narrow-alone", &[("server", &server.0), ("scope", scope)])
        }
        ServerTrouble::Tokens { words } => say("server-tokens-file", &[("words", words)]),
        ServerTrouble::NotRenewed { words } => say("server-not-renewed", &[("words", words)]),
        ServerTrouble::Off => say("server-off", &[]),
    }
}

fn restarts_it(server: &ServerName, trouble: &ServerTrouble) -> Option<String> {
    let restarts = trouble.ends_with_restart();
    restarts.then(|| say("server-row-restart", &[("server", &server.0)]))
}

fn and_said(what: String, said: &str) -> String {
    match said {
        "" => what,
        said => say("server-said", &[("what", &what), ("said", said)]),
    }
}

pub fn server_stage(stage: ServerStage, trouble: Option<&ServerTrouble>) -> &'static str {
    word(match stage {
        ServerStage::Dead if trouble.is_some_and(ServerTrouble::wants_sign_in) => Word::ServerSignedOut,
        ServerStage::Waiting => Word::ServerWaiting,
        ServerStage::Starting => Word::ServerStarting,
        ServerStage::Ready => Word::ServerReady,
        ServerStage::Dead => Word::ServerDead,
        ServerStage::Off => Word::ServerOff,
    })
}

pub fn values_left_out(shown: usize, left_out: LeftUntold) -> String {
    let shown = ("shown", &*shown.to_string());
    match left_out {
        LeftUntold::None => String::new(),
        LeftUntold::Of(all) => say("values-first-of", &[shown, ("all", &all.to_string())]),
        LeftUntold::Some => say("values-first", &[shown]),
    }
}

pub fn values_not_yet(server: &str) -> String {
    say("values-not-yet", &[("server", server)])
}

pub fn resource_template(title: &str) -> String {
    say("resource-template", &[("title", title)])
}

/// Describes the other facts about a server, one sentence each.
pub fn server_rows(server: &ServerStatus) -> Vec<String> {
    let mut rows = Vec::new();
    if !server.tools.is_empty() {
        let on = server.tools.iter().filter(|tool| tool.switched == Switched::On).count();
        let tools = count("server-row-tools", on, &[("tokens", &server.tokens.to_string())]);
        rows.push(match server.sent {
            _ if server.stage == ServerStage::Off => tools,
            Sent::Whole => say("server-row-sent", &[("tools", &tools)]),
            Sent::OnDemand => say("server-row-on-demand", &[("tools", &tools)]),
            Sent::NotYet => tools,
        });
        rows.extend(named(server, Switched::On).map(|tools| say("server-row-names", &[("tools", &tools)])));
        rows.extend(named(server, Switched::Off).map(|tools| say("server-row-off", &[("tools", &tools)])));
    }
    rows.extend(server_tools_missing(&server.missing));
    if !server.prompts.is_empty() && server.stage != ServerStage::Off {
        rows.push(prompts(&server.prompts));
    }
    let counted = |id: &str, number: usize| (number > 0).then(|| count(id, number, &[("server", &server.name.0)]));
    rows.extend(counted("server-row-resources", server.resources));
    rows.extend(counted("server-row-templates", server.templates));
    // A sign-in is in progress, so the error is about to be resolved.
    let is_mended = matches!(server.sign_in, Some(SignIn::Begun | SignIn::Link(_)));
    rows.extend(server.trouble.as_ref().filter(|_| !is_mended).map(server_trouble));
    if let (ServerStage::Dead, Some(trouble)) = (server.stage, &server.trouble) {
        rows.extend(restarts_it(&server.name, trouble));
    }
    if server.restarts > 0 {
        let times = usize::try_from(server.restarts).unwrap_or(usize::MAX);
        rows.push(count("server-row-restarts", times, &[]));
    }
    rows.extend(server_remarks(&server.asked, &server.left_out));
    rows.extend(server.sign_in.as_ref().map(|stands| signing(&server.name, stands)));
    rows
}

pub fn server_tools_missing(tools: &[String]) -> Option<String> {
    (!tools.is_empty()).then(|| say("server-row-missing", &[("tools", &few(tools, MOST_LEFT_OUT))]))
}

/// Lists tools with this state, by the server's own names.
fn named(server: &ServerStatus, switched: Switched) -> Option<String> {
    let of = format!("{}{JOINT}", server.name);
    let named = server.tools.iter().filter(|tool| tool.switched == switched);
    let names: Vec<&str> = named
        .map(|tool| tool.name.strip_prefix(&of).unwrap_or(&tool.name))
        .collect();
    (!names.is_empty()).then(|| few(&names, MOST_NAMED))
}

/// Joins the first names with commas, and adds the number of further ones.
fn few(names: &[impl AsRef<str>], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => say(
            "server-names-more",
            &[("names", &shown.join(", ")), ("count", &more.to_string())],
        ),
    }
}

pub fn about_server_tool(tool: &ServerTool) -> String {
    match (tool.switched, tool.about.as_str()) {
        (Switched::On, about) => about.to_owned(),
        (Switched::Off, "") => word(Word::ServerToolOff).to_owned(),
        (Switched::Off, about) => format!("{} · {about}", word(Word::ServerToolOff)),
    }
}

pub fn server_tool_line(tool: &ServerTool) -> String {
    match about_server_tool(tool).as_str() {
        "" => tool.name.clone(),
        about => format!("{}: {about}", tool.name),
    }
}

fn prompts(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_PROMPTS).map(|name| format!("/{name}")).collect();
    let more = names.len().saturating_sub(shown.len());
    let names = shown.join(", ");
    match more {
        0 => say("server-row-prompts", &[("prompts", &names)]),
        more => say(
            "server-row-prompts-more",
            &[("prompts", &names), ("count", &more.to_string())],
        ),
    }
}

/// Describes the state of a sign-in. The link itself is not translated.
fn signing(server: &ServerName, stands: &SignIn) -> String {
    match stands {
        SignIn::Begun => say("server-row-signing", &[]),
        SignIn::Link(_) => say("server-row-link", &[]),
        SignIn::Done => say("server-row-signed-in", &[]),
        SignIn::Out => say("server-row-signed-out", &[]),
        SignIn::NotIn => super::not_signed_in(&server.0),
        SignIn::Failed(trouble) => {
            let (name, told) = (server.0.as_str(), super::sign_in_trouble(&server.0, trouble));
            say("trouble-not-signed-in", &[("name", name), ("told", &told)])
        }
    }
}

pub fn no_resource(server: &ServerName, wanted: &str) -> String {
    match wanted {
        "" => say("completion-no-resources", &[("server", &server.0)]),
        wanted => say("completion-no-resource", &[("server", &server.0), ("wanted", wanted)]),
    }
}

pub fn resources_of_server(all: usize) -> String {
    let number = all.to_string();
    count("completion-resources", all, &[("number", &number)])
}

/// Lists refused requests of a server and its skipped tools.
pub fn server_remarks(asked: &[String], left: &[LeftOut]) -> Vec<String> {
    let mut rows = Vec::new();
    if !asked.is_empty() {
        rows.push(say("server-row-asked", &[("what", &asked.join(", "))]));
    }
    if !left.is_empty() {
        let all: Vec<String> = left_out_of(left);
        rows.push(say("server-row-left-out", &[("tools", &few(&all, MOST_LEFT_OUT))]));
    }
    rows
}

pub fn server_added(server: &str, file: &str) -> String {
    say("mcp-added", &[("server", server), ("file", file)])
}

pub fn server_removed(server: &str) -> String {
    say("mcp-removed", &[("server", server)])
}

pub fn server_and_tokens_removed(server: &str) -> String {
    say("mcp-removed-tokens", &[("server", server)])
}

/// Lists tools beyond the limits first, as a single message.
fn left_out_of(left: &[LeftOut]) -> Vec<String> {
    let beyond = left.iter().find(|one| one.why == WhyLeftOut::TooMany);
    let others = left.iter().filter(|one| one.why != WhyLeftOut::TooMany);
    beyond.into_iter().chain(others).map(left_out).collect()
}

fn left_out(one: &LeftOut) -> String {
    let id = match one.why {
        WhyLeftOut::NameTaken => "server-left-name",
        WhyLeftOut::Misnamed => "server-left-misnamed",
        WhyLeftOut::Schema => "server-left-schema",
        WhyLeftOut::NoTool => "server-left-no-tool",
        WhyLeftOut::TooMany => {
            return say(
                "server-left-many",
                &[("tool", &one.tool), ("most", &grouped(server::MOST_TOOLS as u64))],
            );
        }
        WhyLeftOut::Unlisted => {
            let most = [server::MOST_PAGES, server::MOST_PROMPTS, server::MOST_RESOURCES];
            let most = most.map(|most| most.to_string());
            let [pages, prompts, resources] = &most;
            return say(
                "server-left-unlisted",
                &[("pages", pages), ("prompts", prompts), ("resources", resources)],
            );
        }
    };
    say(id, &[("tool", &one.tool)])
}
