//! The table of slash commands. Completion, help and the table in the documentation are generated from this table.

pub(crate) mod alike;
pub mod git;

use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::Thinking;
use benchdog_domain::job::JobId;
use benchdog_domain::server::{ServerName, ServerOrder, server_of};
use benchdog_domain::skill::{SkillOffer, SkillState};
use benchdog_domain::todo::TodoEdit;
use benchdog_domain::watch::NotWatched;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, Everyday};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slash {
    Help,
    Models,
    Agents,
    Yes,
    No,
    Plan,
    Execute,
    Init,
    Status,
    Cost,
    Privacy,
    AutoTest,
    Doctor,
    Debug,
    Jobs,
    Loop,
    Watch,
    Voice,
    Temperature,
    Thinking,
    Theme,
    Config,
    Context,
    Tokens,
    Compact,
    Diff,
    Commit,
    Review,
    Git,
    Todo,
    New,
    Fork,
    Resume,
    Search,
    Rename,
    Export,
    Log,
    Save,
    Close,
    Worktree,
    Merge,
    Approvals,
    Permissions,
    Skills,
    Hooks,
    Mcp,
    Retry,
    Undo,
    Redo,
    Rewind,
    Copy,
    Transcript,
    Steer,
    Setup,
    Serve,
    Pull,
    Trust,
    Distrust,
    Reload,
    Quit,
}

#[derive(Debug, PartialEq, Eq)]
pub struct SlashRow {
    pub command: Slash,
    pub name: &'static str,
    pub arguments: &'static str,
    pub title: &'static str,
}

impl SlashRow {
    pub fn title(&self) -> &'static str {
        lang::title(&format!("/{}", self.name), self.title)
    }

    pub(crate) fn told(&self) -> String {
        match self.arguments {
            "" => self.title().to_owned(),
            arguments => format!("{arguments}  {}", self.title()),
        }
    }

    pub fn only_word(&self) -> &'static str {
        self.arguments.trim_matches(['[', ']'])
    }

    /// Whether the arguments are valid: a keyword of the command, or free text that the command checks itself.
    fn takes(&self, arguments: &str) -> bool {
        let mut words = self.only_word().split(" | ");
        let is_free = |word: &str| word.chars().any(|c| !c.is_ascii_lowercase());
        arguments.is_empty() || words.clone().any(is_free) || words.any(|word| word == arguments)
    }

    /// Returns the keywords that the command accepts as arguments. Names in capitals are placeholders.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'static str> {
        let parts = self.arguments.split(|c: char| !c.is_alphanumeric());
        parts.filter(|part| !part.is_empty() && part.chars().all(char::is_lowercase))
    }
}

const fn row(command: Slash, name: &'static str, arguments: &'static str, title: &'static str) -> SlashRow {
    SlashRow {
        command,
        name,
        arguments,
        title,
    }
}

pub const TABLE: &[SlashRow] = &[
    row(Slash::Help, "help", "", "Keys valid now"),
    row(Slash::Models, "model", "[ID]", "List models, or switch to one"),
    row(Slash::Models, "models", "[ID]", "The same as /model"),
    row(Slash::Agents, "agent", "[NAME]", "List agents, or switch to one"),
    row(
        Slash::Yes,
        "yes",
        "",
        "Accept edits without asking: /agent accept-edits",
    ),
    row(Slash::No, "no", "", "Ask before every edit again: /agent build"),
    row(
        Slash::Plan,
        "plan",
        "[on | off | change | export [PATH] | list | open [NAME]]",
        "Switch plan mode; show, edit or save the plan",
    ),
    row(Slash::Execute, "execute", "", "Do the plan, ask before each change"),
    row(Slash::Init, "init", "", "Write AGENTS.md, or improve it"),
    row(Slash::Status, "status", "", "Status of this session"),
    row(Slash::Cost, "cost", "", "What this session cost, by model"),
    row(Slash::Privacy, "privacy", "", "Show where data is sent and stored"),
    row(Slash::Doctor, "doctor", "", "Check server, storage and terminal"),
    row(
        Slash::Temperature,
        "temperature",
        "[N | default]",
        "Set the sampling temperature, from 0 to 2",
    ),
    row(
        Slash::Thinking,
        "thinking",
        "[off | low | medium | high | default]",
        "How much the model thinks before it answers",
    ),
    row(Slash::Theme, "theme", "[NAME]", "List themes, or switch to one"),
    row(Slash::Config, "config", "", "Change settings permanently"),
    row(Slash::Context, "context", "", "Show what fills the context window"),
    row(Slash::Tokens, "tokens", "", "The same as /context"),
    row(
        Slash::Compact,
        "compact",
        "[INSTRUCTIONS] | undo",
        "Summarise earlier turns, or undo that",
    ),
    row(
        Slash::Diff,
        "diff",
        "[session | PATH | RANGE]",
        "Show uncommitted or session changes",
    ),
    row(
        Slash::Commit,
        "commit",
        "[all | MESSAGE]",
        "Commit staged changes; edit the message first",
    ),
    row(
        Slash::Review,
        "review",
        "[RANGE]",
        "Let an agent review uncommitted changes",
    ),
    row(
        Slash::Git,
        "git",
        "[ARGUMENTS]",
        "Run git, and tell the model; alone: git status",
    ),
    row(
        Slash::Todo,
        "todo",
        "[add TEXT | change N TEXT]",
        "Go to the todo list, or change it",
    ),
    row(
        Slash::AutoTest,
        "autotest",
        "on | off",
        "Switch the check after changes on or off",
    ),
    row(Slash::Jobs, "jobs", "[end ID]", "Background jobs, or end one"),
    row(
        Slash::Loop,
        "loop",
        "[INTERVAL PROMPT | stop N | stop all]",
        "Repeat a prompt at an interval",
    ),
    row(
        Slash::Watch,
        "watch",
        "[on | off]",
        "Report changes by other programs; act on AI comments",
    ),
    row(Slash::Voice, "voice", "", "Record speech, or end the recording"),
    row(Slash::Debug, "debug", "", "Last lines of the log, live"),
    row(
        Slash::New,
        "new",
        "[beside]",
        "New session in place of this one, or beside it",
    ),
    row(Slash::New, "clear", "", "The same as /new"),
    row(Slash::Fork, "fork", "", "Copy this session and continue in the copy"),
    row(Slash::Resume, "resume", "", "Sessions open here and on disk"),
    row(Slash::Resume, "continue", "", "The same as /resume"),
    row(Slash::Search, "search", "[TEXT]", "Find a text in all sessions"),
    row(Slash::Rename, "rename", "[TITLE]", "Give this session another title"),
    row(
        Slash::Export,
        "export",
        "[FILE] [jsonl | md | html]",
        "Write this session to a file, without secrets",
    ),
    row(Slash::Log, "log", "", "Show the path of the session file"),
    row(Slash::Save, "save", "", "Nothing to do: every entry is saved"),
    row(
        Slash::Worktree,
        "worktree",
        "[list | NAME]",
        "New session in a git worktree, or list worktrees",
    ),
    row(
        Slash::Merge,
        "merge",
        "[NAME]",
        "Review the changes of a worktree, and merge them",
    ),
    row(Slash::Close, "close", "", "Close this session; the others stay"),
    row(Slash::Approvals, "approvals", "", "Go to the pending request"),
    row(Slash::Approvals, "approve", "", "The same as /approvals"),
    row(Slash::Permissions, "permissions", "", "Active permissions"),
    row(Slash::Skills, "commands", "", "Custom commands and skills"),
    row(Slash::Hooks, "hooks", "", "List hooks with their last results"),
    row(Slash::Skills, "skills", "", "List skills"),
    row(
        Slash::Mcp,
        "mcp",
        "[tools | restart | on | off | login | logout NAME]",
        "MCP servers: state, restart, switch, sign in",
    ),
    row(Slash::Retry, "retry", "", "Retry the last prompt"),
    row(
        Slash::Undo,
        "undo",
        "[PATH]",
        "Undo the last change, or that of one file",
    ),
    row(Slash::Undo, "rollback", "[PATH]", "The same as /undo"),
    row(Slash::Redo, "redo", "", "Redo the last undone change"),
    row(Slash::Rewind, "rewind", "", "Go back to an earlier prompt"),
    row(Slash::Copy, "copy", "", "Copy the last answer as text"),
    row(Slash::Transcript, "transcript", "", "Read the conversation in $EDITOR"),
    row(Slash::Steer, "steer", "TEXT", "Send this text into the running turn"),
    row(
        Slash::Setup,
        "setup",
        "[server]",
        "Choose language, theme and model server",
    ),
    row(Slash::Serve, "serve", "", "Start the offered model server"),
    row(Slash::Pull, "pull", "", "Download the missing model to its server"),
    row(
        Slash::Trust,
        "trust",
        "[files | repository]",
        "Use this folder's rules, or list them",
    ),
    row(Slash::Reload, "reload", "", "Reload configuration, rules and skills"),
    row(Slash::Distrust, "distrust", "", "Ignore this folder's rules"),
    row(Slash::Quit, "quit", "", "Quit"),
    row(Slash::Quit, "exit", "", "The same as /quit"),
    row(Slash::Quit, "q", "", "The same as /quit"),
];

pub(crate) fn todo_line(item: Option<(u32, &str)>) -> String {
    match item {
        Some((id, text)) => format!("/todo change {id} {text}"),
        None => "/todo add ".to_owned(),
    }
}

pub fn todo_edit(arguments: &str) -> Option<TodoEdit> {
    let (what, rest) = arguments.split_once(char::is_whitespace).unwrap_or((arguments, ""));
    let (number, words) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest, ""));
    match (what, number.trim().parse()) {
        ("add", _) if !rest.trim().is_empty() => Some(TodoEdit::Add {
            text: rest.trim().to_owned(),
        }),
        ("change", Ok(id)) if !words.trim().is_empty() => Some(TodoEdit::Set {
            id,
            status: None,
            text: Some(words.trim().to_owned()),
        }),
        _ => None,
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum McpOrder {
    Tools(Option<ServerName>),
    Server(ServerName, ServerOrder),
    Tool(String, Switched),
}

pub fn mcp_order(arguments: &str) -> Option<McpOrder> {
    let (word, name) = match arguments.trim().split_once(char::is_whitespace) {
        Some((word, name)) => (word, name.trim()),
        None if arguments.trim() == "tools" => return Some(McpOrder::Tools(None)),
        None => return None,
    };
    let is_tool = server_of(name).is_some();
    let order = match word {
        "tools" => return Some(McpOrder::Tools(Some(ServerName(name.to_owned())))),
        "on" if is_tool => return Some(McpOrder::Tool(name.to_owned(), Switched::On)),
        "off" if is_tool => return Some(McpOrder::Tool(name.to_owned(), Switched::Off)),
        "restart" => ServerOrder::Restart,
        "on" => ServerOrder::On,
        "off" => ServerOrder::Off,
        "login" => ServerOrder::SignIn,
        "logout" => ServerOrder::SignOut,
        _ => return None,
    };
    Some(McpOrder::Server(ServerName(name.to_owned()), order))
}

const FORMATS: [&str; 3] = ["jsonl", "md", "html"];

/// Splits the arguments of `/export` into file and format. The last word may be a format.
pub fn export_target(arguments: &str) -> (String, String) {
    let (before, last) = arguments.rsplit_once(char::is_whitespace).unwrap_or(("", arguments));
    let (file, format) = match FORMATS.contains(&last) {
        true => (before.trim(), last),
        false => (arguments, ""),
    };
    (file.to_owned(), format.to_owned())
}

/// Returns the engine command for `/watch`. Without an argument, the engine only answers whether the files are watched.
pub fn watch(arguments: &str) -> Command {
    let to = switched(arguments);
    Command::Everyday(Everyday::Watch { to })
}

/// Formats the answer to `/watch`. The flag tells whether the answer is an error.
pub fn watching(answer: &Result<Switched, NotWatched>) -> (String, bool) {
    match answer {
        Ok(Switched::On) => (word(Word::WatchOn).to_owned(), false),
        Ok(Switched::Off) => (word(Word::WatchOff).to_owned(), false),
        Err(why) => (lang::not_watched(why), true),
    }
}

pub fn switched(arguments: &str) -> Option<Switched> {
    match arguments {
        "on" => Some(Switched::On),
        "off" => Some(Switched::Off),
        _ => None,
    }
}

/// Returns the engine command that changes `validation.auto`. The engine answers with `Answer::CheckSwitched`.
pub fn switch_check(to: Switched) -> Command {
    let written = match to {
        Switched::On => "true",
        Switched::Off => "false",
    };
    Command::Configure {
        path: vec!["validation".to_owned(), "auto".to_owned()],
        written: written.to_owned(),
    }
}

pub fn check_switched(to: Switched) -> &'static str {
    word(match to {
        Switched::On => Word::AutoTestOn,
        Switched::Off => Word::AutoTestOff,
    })
}

pub fn undo_path(arguments: &str) -> Option<String> {
    let path = arguments.trim_start_matches('@').trim_matches('"');
    Some(path.to_owned()).filter(|path| !path.is_empty())
}

pub fn job_to_end(arguments: &str) -> Option<JobId> {
    JobId::of(arguments.strip_prefix("end")?)
}

pub(crate) const COMMIT_ALL: &str = "all";

pub(crate) fn commit_line(message: &str) -> String {
    format!("{COMMIT} {message}")
}

pub(crate) const COMMIT: &str = "/commit";

/// Prompts that exit Benchdog. Users know these words from other programs.
const EXIT_WORDS: [&str; 5] = ["exit", "quit", "bye", ":q", ":quit"];

pub(crate) fn written(command: Slash) -> String {
    let row = TABLE.iter().find(|row| row.command == command);
    row.map(|row| format!("/{}", row.name)).unwrap_or_default()
}

pub(crate) fn find(name: &str) -> Option<&'static SlashRow> {
    TABLE.iter().find(|row| row.name == name)
}

const DEFAULT: &str = "default";
const TEMPERATURES: std::ops::RangeInclusive<f64> = 0.0..=2.0;

/// Parses the argument of `/temperature`. `None` for an invalid argument, `Some(None)` for the word `DEFAULT`.
pub fn temperature(written: &str) -> Option<Option<f64>> {
    if written == DEFAULT {
        return Some(None);
    }
    let value = written.parse::<f64>().ok()?;
    TEMPERATURES.contains(&value).then_some(Some(value))
}

/// Parses the argument of `/thinking`. `None` for an invalid argument, `Some(None)` for the word `DEFAULT`.
pub fn thinking(written: &str) -> Option<Option<Thinking>> {
    if written == DEFAULT {
        return Some(None);
    }
    Thinking::of(written).map(Some)
}

pub fn invokes(skill: &SkillOffer) -> bool {
    let found = matches!(
        skill.state,
        SkillState::Offered | SkillState::Untold | SkillState::Loaded
    );
    skill.invocable && found && !is_command(&skill.name)
}

pub(crate) fn is_word(command: Slash, argument: &str) -> bool {
    let mut rows = TABLE.iter().filter(|row| row.command == command);
    rows.any(|row| row.words().any(|word| word == argument))
}

pub fn is_command(name: &str) -> bool {
    find(name).is_some()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent<'a> {
    Prompt(&'a str),
    Shell(&'a str),
    Slash(Slash, &'a str),
    TooMuch(&'static SlashRow),
    UnknownSlash(&'a str),
}

/// Determines the kind of an input. The text of a skill is sent as a prompt.
pub fn parse(text: &str, is_skill: impl Fn(&str) -> bool) -> Sent<'_> {
    if EXIT_WORDS.contains(&text) {
        return Sent::Slash(Slash::Quit, "");
    }
    if let Some(command) = text.strip_prefix('!') {
        return Sent::Shell(command.trim());
    }
    let Some(rest) = text.strip_prefix('/') else {
        return Sent::Prompt(text);
    };
    let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match find(name) {
        Some(row) if !row.takes(arguments.trim()) => Sent::TooMuch(row),
        Some(row) => Sent::Slash(row.command, arguments.trim()),
        None if is_skill(name) => Sent::Prompt(text),
        // An unknown name, such as `/modles` or `/proxy-setup`, is a typo. Other texts, such as the path
        // `/usr/bin/env`, may begin a prompt.
        None if looks_like_name(name) => Sent::UnknownSlash(name),
        None => Sent::Prompt(text),
    }
}

fn looks_like_name(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(is_part)
}

#[cfg(test)]
mod tests;
