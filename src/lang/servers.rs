//! Messages about MCP servers.

use super::{Word, form, message, word};
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
        ServerNotice::Awaited { servers } => message::notice_servers_awaited(&names(servers)),
        ServerNotice::Declared { whole, on_demand } => {
            let line = |said: fn(&str) -> String, of: &[ServerTools]| {
                let all: Vec<String> = of.iter().map(tool_offers).collect();
                (!of.is_empty()).then(|| said(&all.join(", ")))
            };
            let lines = [
                line(message::notice_servers_declared, whole),
                line(message::notice_servers_on_demand, on_demand),
            ];
            lines.into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
        ServerNotice::NamesTaken { tools } => message::notice_server_names_taken(&tools.join(", ")),
        ServerNotice::Unknown { server } => message::notice_no_server(&server.0),
        ServerNotice::NoTool { tool } => message::notice_no_server_tool(tool),
        ServerNotice::Missing { server, tools } => {
            message::notice_server_missing(&server.0, &short_list(tools, MOST_LEFT_OUT))
        }
        ServerNotice::Dead { server, trouble } => {
            let said = match trouble.wants_sign_in() {
                true => message::notice_server_signed_out,
                false => message::notice_server_dead,
            };
            let what = server_trouble(trouble);
            let row = said(&server.0, &what);
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
fn tool_offers(of: &ServerTools) -> String {
    let tools = usize::try_from(of.tools).unwrap_or(usize::MAX);
    message::server_tool_count(tools, of.server.0.as_str(), &of.tokens.to_string())
}

/// Describes the problem of a server, without a full stop.
pub fn server_trouble(trouble: &ServerTrouble) -> String {
    match trouble {
        ServerTrouble::NotFound { program } => message::server_not_found(program),
        ServerTrouble::NoFolder { folder } => message::server_no_folder(folder),
        ServerTrouble::NotStarted { words } => message::server_not_started(words),
        ServerTrouble::Untrusted => word(Word::ServerUntrusted).to_owned(),
        ServerTrouble::NoSandbox { words } => message::server_no_sandbox(words),
        ServerTrouble::Lacks { variable } => message::server_lacks(variable),
        ServerTrouble::Changed { file } => message::server_changed(file),
        ServerTrouble::Unpinned { file, error } => message::server_unpinned(error, file),
        ServerTrouble::Floods { most } => message::server_floods(&most.to_string()),
        ServerTrouble::Ended { code, signal, said } => {
            let how = match (code, signal) {
                (Some(code), _) => message::server_ended_code(&code.to_string()),
                (None, Some(signal)) => message::server_ended_signal(&signal.to_string()),
                (None, None) => word(Word::ServerEnded).to_owned(),
            };
            with_output(how, said)
        }
        ServerTrouble::Garbage { line } => message::server_garbage(line),
        ServerTrouble::NoAnswer { seconds, said } => with_output(message::server_no_answer(&seconds.to_string()), said),
        ServerTrouble::TooLong { most } => message::server_too_long(&bytes_text(*most)),
        ServerTrouble::Refused { words } => message::server_refused(words),
        ServerTrouble::Unhealthy { words } => words.clone(),
        ServerTrouble::OtherRevision => word(Word::ServerOtherRevision).to_owned(),
        ServerTrouble::Unreadable => word(Word::ServerUnreadable).to_owned(),
        ServerTrouble::Unexpected => word(Word::ServerUnexpected).to_owned(),
        ServerTrouble::Asks { what } => message::server_requests(what),
        ServerTrouble::Http { words } => message::server_http(words),
        ServerTrouble::Status { status, words } => {
            let status = status.to_string();
            match words.as_str() {
                "" => message::server_status(&status),
                words => message::server_status_words(&status, words),
            }
        }
        ServerTrouble::Redirects { to } => message::server_redirects(to),
        ServerTrouble::Unauthorized { server, why } => {
            let said = match why {
                WhyUnauthorized::NoSignIn => message::server_wants_sign_in,
                WhyUnauthorized::NoToken => message::server_wants_token,
                WhyUnauthorized::Nothing => message::server_gets_no_token,
                WhyUnauthorized::TokenRefused => message::server_refuses_token,
                WhyUnauthorized::Over => message::server_sign_in_over,
                WhyUnauthorized::NotTaken => return word(Word::ServerNotTaken).to_owned(),
            };
            said(&server.0)
        }
        ServerTrouble::NoToken { server, variable } => message::server_no_token(&server.0, variable),
        ServerTrouble::Narrow { server, scope } => message::server_narrow(scope, &server.0),
        ServerTrouble::Alone { server, why } => message::server_alone(&super::sign_in_trouble(&server.0, why)),
        ServerTrouble::NarrowAlone { server, scope } => message::server_narrow_alone(scope, &server.0),
        ServerTrouble::Tokens { words } => message::server_tokens_file(words),
        ServerTrouble::NotRenewed { words } => message::server_not_renewed(words),
        ServerTrouble::Off => word(Word::ServerSwitchedOff).to_owned(),
    }
}

fn restarts_it(server: &ServerName, trouble: &ServerTrouble) -> Option<String> {
    let restarts = trouble.ends_with_restart();
    restarts.then(|| message::server_row_restart(&server.0))
}

fn with_output(what: String, said: &str) -> String {
    match said {
        "" => what,
        said => message::server_said(said, &what),
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
    let shown = &shown.to_string();
    match left_out {
        LeftUntold::None => String::new(),
        LeftUntold::Of(all) => message::values_first_of(&all.to_string(), shown),
        LeftUntold::Some => message::values_first(shown),
    }
}

/// Describes the details of a server, one sentence each.
pub fn server_rows(server: &ServerStatus) -> Vec<String> {
    let mut rows = Vec::new();
    if !server.tools.is_empty() {
        let on = server.tools.iter().filter(|tool| tool.switched == Switched::On).count();
        let tools = message::server_row_tools(on, &server.tokens.to_string());
        rows.push(match server.sent {
            _ if server.stage == ServerStage::Off => tools,
            Sent::Whole => message::server_row_sent(&tools),
            Sent::OnDemand => message::server_row_on_demand(&tools),
            Sent::NotYet => tools,
        });
        rows.extend(tool_names(server, Switched::On).map(|tools| message::server_row_names(&tools)));
        rows.extend(tool_names(server, Switched::Off).map(|tools| message::server_row_off(&tools)));
    }
    rows.extend(server_tools_missing(&server.missing));
    if !server.prompts.is_empty() && server.stage != ServerStage::Off {
        rows.push(prompts(&server.prompts));
    }
    let (resources, templates) = (server.resources, server.templates);
    rows.extend((resources > 0).then(|| message::server_row_resources(resources, &server.name.0)));
    rows.extend((templates > 0).then(|| message::server_row_templates(templates)));
    // A sign-in is in progress, so it may resolve the error.
    let is_mended = matches!(server.sign_in, Some(SignIn::Begun | SignIn::Link(_)));
    rows.extend(server.trouble.as_ref().filter(|_| !is_mended).map(server_trouble));
    if let (ServerStage::Dead, Some(trouble)) = (server.stage, &server.trouble) {
        rows.extend(restarts_it(&server.name, trouble));
    }
    if server.restarts > 0 {
        let times = usize::try_from(server.restarts).unwrap_or(usize::MAX);
        rows.push(message::server_row_restarts(times));
    }
    rows.extend(server_remarks(&server.asked, &server.left_out));
    rows.extend(server.sign_in.as_ref().map(|stands| signing(&server.name, stands)));
    rows
}

pub fn server_tools_missing(tools: &[String]) -> Option<String> {
    (!tools.is_empty()).then(|| message::server_row_missing(&short_list(tools, MOST_LEFT_OUT)))
}

/// Lists the tools with this state, by the names that the server uses. `None` if no tool has this state.
fn tool_names(server: &ServerStatus, switched: Switched) -> Option<String> {
    let of = format!("{}{JOINT}", server.name);
    let named = server.tools.iter().filter(|tool| tool.switched == switched);
    let names: Vec<&str> = named
        .map(|tool| tool.name.strip_prefix(&of).unwrap_or(&tool.name))
        .collect();
    (!names.is_empty()).then(|| short_list(&names, MOST_NAMED))
}

/// Joins the first `most` names with commas, and adds the number of omitted names.
fn short_list(names: &[impl AsRef<str>], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => message::server_names_more(&more.to_string(), &shown.join(", ")),
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
        0 => message::server_row_prompts(&names),
        more => message::server_row_prompts_more(&more.to_string(), &names),
    }
}

/// Describes the state of a sign-in. The link itself is not translated.
fn signing(server: &ServerName, stands: &SignIn) -> String {
    match stands {
        SignIn::Begun => word(Word::ServerRowSigning).to_owned(),
        SignIn::Link(_) => word(Word::ServerRowLink).to_owned(),
        SignIn::Done => word(Word::ServerRowSignedIn).to_owned(),
        SignIn::Out => word(Word::ServerRowSignedOut).to_owned(),
        SignIn::NotIn => message::not_signed_in(&server.0),
        SignIn::Failed(trouble) => {
            let (name, told) = (server.0.as_str(), super::sign_in_trouble(&server.0, trouble));
            message::trouble_not_signed_in(name, &told)
        }
    }
}

pub fn no_resource(server: &ServerName, wanted: &str) -> String {
    match wanted {
        "" => message::completion_no_resources(&server.0),
        wanted => message::completion_no_resource(&server.0, wanted),
    }
}

pub fn resources_of_server(all: usize) -> String {
    let number = all.to_string();
    message::completion_resources(all, &number)
}

/// Lists the requests of a server that Benchdog refused, and the tools that Benchdog skipped.
pub fn server_remarks(asked: &[String], left: &[LeftOut]) -> Vec<String> {
    let mut rows = Vec::new();
    if !asked.is_empty() {
        rows.push(message::server_row_asked(&asked.join(", ")));
    }
    if !left.is_empty() {
        let all: Vec<String> = left_out_of(left);
        rows.push(message::server_row_left_out(&short_list(&all, MOST_LEFT_OUT)));
    }
    rows
}

/// Lists skipped tools. A single message for all tools beyond the limits comes first.
fn left_out_of(left: &[LeftOut]) -> Vec<String> {
    let beyond = left.iter().find(|one| one.why == WhyLeftOut::TooMany);
    let others = left.iter().filter(|one| one.why != WhyLeftOut::TooMany);
    beyond.into_iter().chain(others).map(left_out).collect()
}

fn left_out(one: &LeftOut) -> String {
    let said = match one.why {
        WhyLeftOut::NameTaken => message::server_left_name,
        WhyLeftOut::Misnamed => message::server_left_misnamed,
        WhyLeftOut::Schema => message::server_left_schema,
        WhyLeftOut::NoTool => message::server_left_no_tool,
        WhyLeftOut::TooMany => {
            return message::server_left_many(&grouped(server::MOST_TOOLS as u64), &one.tool);
        }
        WhyLeftOut::Unlisted => {
            let most = [server::MOST_PAGES, server::MOST_PROMPTS, server::MOST_RESOURCES];
            let most = most.map(|most| most.to_string());
            let [pages, prompts, resources] = &most;
            return message::server_left_unlisted(pages, prompts, resources);
        }
    };
    said(&one.tool)
}
