//! Messages about commands that could not start or not finish their work.

use super::{Word, Words, advice, message, word};

/// The reason why a command cannot be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle<'a> {
    // --- arguments ---
    /// A flag that has no effect on the command.
    NoEffect {
        flag: &'a str,
    },
    /// A folder without tasks for `bench`.
    NoTasks {
        folder: &'a str,
    },
    /// `bench report` without any result.
    NoResults {
        folder: &'a str,
    },
    NoAgent {
        name: &'a str,
        nearest: Option<&'a str>,
        known: &'a str,
    },
    /// The agent can only be used as a subagent.
    Subagent {
        name: &'a str,
        known: &'a str,
    },
    InnerAgent {
        name: &'a str,
        known: &'a str,
    },
    /// `--tools` contains an unknown name.
    NoTool {
        told: &'a str,
        instead: Option<&'a str>,
    },
    NoPrompt,
    InputTooLong {
        mib: u64,
    },
    /// `--approve ask` without a terminal.
    NoOneToAsk,
    /// `--input stream-json` without `--output stream-json`, which contains the ids of requests.
    InputNeedsOutput,
    Stopped,
    OutOfTime,
    NoSession {
        folder: &'a str,
    },
    /// `-r` without an id, and no terminal that could show the list of sessions.
    NoSessionId,

    // --- environment ---
    NoModel,
    /// The provider's server does not support pulling models.
    NoPull {
        provider: &'a str,
    },
    NoAgentFile {
        file: &'a str,
        error: &'a str,
    },
    AgentThere {
        name: &'a str,
        file: &'a str,
    },
    NoAgentThere {
        name: &'a str,
        file: &'a str,
    },
    NoHome,
    NoFolder {
        folder: &'a str,
        error: &'a str,
    },
    NoTerminal,
    /// No running workbench has this session or name.
    NotRunning {
        id: &'a str,
    },
    NoneRunning,
    /// A detached workbench ended because it was idle for this time.
    EndedIdle {
        minutes: u64,
        id: &'a str,
    },
    SeveralRunning {
        id: &'a str,
    },
    /// The session is open in a workbench that is not detached, so it ends with its terminal.
    NotDetached {
        pid: &'a str,
    },
    AttachFailed {
        error: &'a str,
    },
    /// The folder of sockets and status files cannot be used.
    LiveFolder {
        error: &'a str,
    },
    HostFailed {
        error: &'a str,
    },
    WaitedLong {
        seconds: &'a str,
    },
    SetupNeedsTerminal {
        /// The configuration file that setup would write.
        file: &'a str,
    },
    /// No tool can run commands, so a command line cannot be explained.
    NoCommandTool,
    NoPrice,
    NoProvider {
        name: &'a str,
        known: &'a str,
    },
    NoServer {
        base_url: &'a str,
    },
    /// The provider requires a key, but none is stored.
    KeyMissing {
        name: &'a str,
        /// The variables that may contain the key, separated by `` `, ` ``.
        variables: &'a str,
    },
    NoKey,
    NoStoredKey {
        name: &'a str,
    },

    NoServerOfTools {
        name: &'a str,
        known: &'a str,
    },
    NotSignedIn {
        name: &'a str,
        told: &'a str,
    },
    /// The server was removed, but its tokens could not be deleted.
    TokensKept {
        name: &'a str,
        told: &'a str,
    },
    /// The given address contains a password or a key.
    SecretInAddress {
        url: &'a str,
    },
    BadServerName {
        name: &'a str,
    },
    ServerThere {
        name: &'a str,
    },
    /// The configuration of the server is in a file that does not belong to the person.
    ServerElsewhere {
        name: &'a str,
    },

    // --- failures ---
    Demo {
        folder: &'a str,
        error: &'a str,
    },
    File {
        file: &'a str,
        error: &'a str,
    },
    NotWritten {
        file: &'a str,
        error: &'a str,
    },
    /// The file already exists. Benchdog does not replace it.
    FileExists {
        file: &'a str,
    },
    NotCreated {
        file: &'a str,
        error: &'a str,
    },
    Input {
        error: &'a str,
    },
    Output {
        error: &'a str,
    },
    Signals {
        error: &'a str,
    },
    Threads {
        error: &'a str,
    },
}

fn server_obstacle(obstacle: Obstacle<'_>) -> (String, String) {
    match obstacle {
        Obstacle::NoServerOfTools { name, known: "" } => (
            message::trouble_no_server_of_tools(name),
            word(Word::NoServers).to_owned(),
        ),
        Obstacle::NoServerOfTools { name, known } => (
            message::trouble_no_server_of_tools(name),
            message::trouble_no_server_of_tools_hint(known),
        ),
        Obstacle::NotSignedIn { name, told } => (
            message::trouble_not_signed_in(name, told),
            message::trouble_not_signed_in_hint(name),
        ),
        Obstacle::TokensKept { name, told } => (
            message::trouble_tokens_kept(name, told),
            message::trouble_tokens_kept_hint(name),
        ),
        Obstacle::SecretInAddress { url } => (
            message::trouble_secret_in_address(url),
            word(Word::TroubleSecretInAddressHint).to_owned(),
        ),
        Obstacle::BadServerName { name } => (
            message::trouble_bad_server_name(name),
            word(Word::TroubleBadServerNameHint).to_owned(),
        ),
        Obstacle::ServerThere { name } => (
            message::trouble_server_there(name),
            message::trouble_server_there_hint(name),
        ),
        Obstacle::ServerElsewhere { name } => (
            message::trouble_server_elsewhere(name),
            message::trouble_server_elsewhere_hint(name),
        ),
        _ => (String::new(), String::new()),
    }
}

fn no_agent(name: &str, nearest: Option<&str>, known: &str) -> (String, String) {
    let hint = match nearest {
        Some(nearest) => message::trouble_no_agent_but(known, nearest),
        None => message::trouble_no_agent_hint(known),
    };
    (message::trouble_no_agent(name), hint)
}

#[expect(clippy::too_many_lines, reason = "a flat table, an arm each")]
pub fn obstacle(obstacle: Obstacle<'_>) -> Words {
    let (text, hint) = match obstacle {
        Obstacle::NoEffect { flag } => (
            message::trouble_no_effect(flag),
            word(Word::TroubleNoEffectHint).to_owned(),
        ),
        Obstacle::NoTasks { folder } => (
            message::trouble_no_tasks(folder),
            word(Word::TroubleNoTasksHint).to_owned(),
        ),
        Obstacle::NoResults { folder } => (
            message::trouble_no_results(folder),
            word(Word::TroubleNoResultsHint).to_owned(),
        ),
        Obstacle::NoAgent { name, nearest, known } => no_agent(name, nearest, known),
        Obstacle::Subagent { name, known } => (message::trouble_subagent(name), message::trouble_no_agent_hint(known)),
        Obstacle::InnerAgent { name, known } => (
            message::trouble_inner_agent(name),
            message::trouble_no_agent_hint(known),
        ),
        Obstacle::NoTool { told, instead } => (
            message::trouble_no_tool(told),
            instead.map_or_else(|| word(Word::TroubleNoToolHint).to_owned(), str::to_owned),
        ),
        Obstacle::NoPrompt => (
            word(Word::TroubleNoPrompt).to_owned(),
            word(Word::TroubleNoPromptHint).to_owned(),
        ),
        Obstacle::InputTooLong { mib } => (
            message::trouble_input_too_long(&mib.to_string()),
            word(Word::TroubleInputTooLongHint).to_owned(),
        ),
        Obstacle::NoOneToAsk => (
            word(Word::TroubleNoOneToAsk).to_owned(),
            word(Word::TroubleNoOneToAskHint).to_owned(),
        ),
        Obstacle::InputNeedsOutput => (
            word(Word::TroubleInputOutput).to_owned(),
            word(Word::TroubleInputOutputHint).to_owned(),
        ),
        Obstacle::Stopped => (
            word(Word::TroubleStopped).to_owned(),
            word(Word::TroubleNotBegunHint).to_owned(),
        ),
        Obstacle::OutOfTime => (
            word(Word::TroubleOutOfTime).to_owned(),
            word(Word::TroubleNotBegunHint).to_owned(),
        ),
        Obstacle::NoSession { folder } => (message::trouble_no_session(folder), advice("no_session").to_owned()),
        Obstacle::NoSessionId => (
            word(Word::TroubleNoSessionId).to_owned(),
            advice("session_not_found").to_owned(),
        ),
        Obstacle::NoModel => (
            word(Word::TroubleNoModel).to_owned(),
            word(Word::TroubleNoModelHint).to_owned(),
        ),
        Obstacle::NoPull { provider } => (
            message::trouble_no_pull(provider),
            word(Word::TroubleNoPullHint).to_owned(),
        ),
        Obstacle::NoAgentFile { file, error } => (
            message::trouble_no_agent_file(error, file),
            word(Word::TroubleNoAgentFileHint).to_owned(),
        ),
        Obstacle::AgentThere { name, file } => (
            message::trouble_agent_there(file, name),
            message::trouble_agent_there_hint(name),
        ),
        Obstacle::NoAgentThere { name, file } => (
            message::trouble_no_agent_there(file, name),
            word(Word::TroubleNoAgentThereHint).to_owned(),
        ),
        Obstacle::NoHome => (
            word(Word::TroubleNoHome).to_owned(),
            word(Word::TroubleNoHomeHint).to_owned(),
        ),
        Obstacle::NoFolder { folder, error } => (
            message::trouble_no_folder(error, folder),
            word(Word::TroubleNoFolderHint).to_owned(),
        ),
        Obstacle::SetupNeedsTerminal { file } => (
            word(Word::TroubleSetupNeedsTerminal).to_owned(),
            message::trouble_setup_needs_terminal_hint(file),
        ),
        Obstacle::NoTerminal => (
            word(Word::TroubleNoTerminal).to_owned(),
            word(Word::TroubleNoTerminalHint).to_owned(),
        ),
        Obstacle::NotRunning { id } => (message::trouble_not_running(id), message::trouble_not_running_hint(id)),
        Obstacle::EndedIdle { minutes, id } => (
            message::trouble_ended_idle(id, &minutes.to_string()),
            message::trouble_ended_idle_hint(id),
        ),
        Obstacle::NoneRunning => (
            word(Word::TroubleNoneRunning).to_owned(),
            word(Word::TroubleNoneRunningHint).to_owned(),
        ),
        Obstacle::SeveralRunning { id } => (
            message::trouble_several_running(id),
            word(Word::TroubleSeveralRunningHint).to_owned(),
        ),
        Obstacle::NotDetached { pid } => (
            message::trouble_not_detached(pid),
            word(Word::TroubleNotDetachedHint).to_owned(),
        ),
        Obstacle::AttachFailed { error } => (
            message::trouble_attach_failed(error),
            word(Word::TroubleAttachFailedHint).to_owned(),
        ),
        Obstacle::LiveFolder { error } => (
            message::trouble_live_folder(error),
            word(Word::TroubleLiveFolderHint).to_owned(),
        ),
        Obstacle::HostFailed { error } => (message::trouble_host_failed(error), String::new()),
        Obstacle::WaitedLong { seconds } => (message::trouble_waited_long(seconds), String::new()),
        Obstacle::NoCommandTool => (word(Word::TroubleNoCommandTool).to_owned(), String::new()),
        Obstacle::NoPrice => (
            word(Word::TroubleNoPrice).to_owned(),
            word(Word::TroubleNoPriceHint).to_owned(),
        ),
        Obstacle::NoProvider { name, known } => (
            message::trouble_no_provider(name),
            message::trouble_no_provider_hint(known),
        ),
        Obstacle::NoServer { base_url } => (message::trouble_no_server(base_url), String::new()),
        Obstacle::KeyMissing { name, variables } => (
            message::trouble_key_missing(name, variables),
            message::trouble_key_missing_hint(name),
        ),
        Obstacle::NoKey => (
            word(Word::TroubleNoKey).to_owned(),
            word(Word::TroubleNoKeyHint).to_owned(),
        ),
        Obstacle::NoStoredKey { name } => (
            message::trouble_no_stored_key(name),
            word(Word::TroubleNoStoredKeyHint).to_owned(),
        ),
        Obstacle::NoServerOfTools { .. }
        | Obstacle::NotSignedIn { .. }
        | Obstacle::TokensKept { .. }
        | Obstacle::SecretInAddress { .. }
        | Obstacle::BadServerName { .. }
        | Obstacle::ServerThere { .. }
        | Obstacle::ServerElsewhere { .. } => server_obstacle(obstacle),
        Obstacle::NotWritten { file, error } => (
            message::trouble_not_written(error, file),
            word(Word::TroubleNotWrittenHint).to_owned(),
        ),
        Obstacle::FileExists { file } => (
            message::trouble_file_exists(file),
            word(Word::TroubleFileExistsHint).to_owned(),
        ),
        Obstacle::NotCreated { file, error } => (
            message::trouble_not_created(error, file),
            word(Word::TroubleNotCreatedHint).to_owned(),
        ),
        Obstacle::Demo { folder, error } => (
            message::trouble_demo(error, folder),
            word(Word::TroubleDemoHint).to_owned(),
        ),
        Obstacle::File { file, error } => (message::trouble_file(error, file), String::new()),
        Obstacle::Input { error } => (message::trouble_input(error), String::new()),
        Obstacle::Output { error } => (message::trouble_output(error), word(Word::TroubleOutputHint).to_owned()),
        Obstacle::Signals { error } => (message::trouble_signals(error), String::new()),
        Obstacle::Threads { error } => (message::trouble_threads(error), String::new()),
    };
    Words { text, hint }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFrom<'a> {
    Variable(&'a str),
    Stored,
    Nowhere,
    /// A stored key for a server that no provider uses.
    Unused,
}

pub fn key_of(provider: &str, server: &str, from: KeyFrom<'_>) -> String {
    let from = match from {
        KeyFrom::Variable(name) => message::auth_variable(name),
        KeyFrom::Stored => word(Word::AuthStored).to_owned(),
        KeyFrom::Nowhere => word(Word::AuthNowhere).to_owned(),
        KeyFrom::Unused => word(Word::AuthUnused).to_owned(),
    };
    message::auth_row(&from, provider, server)
}
