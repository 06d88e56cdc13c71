//! Texts for the model about denied calls, and titles of calls of unknown tools.

use benchdog_domain::call::Wanted;
use benchdog_domain::command::Instead;
use benchdog_domain::message::Arguments;
use benchdog_domain::permission::{Because, DecidedBy};
use benchdog_domain::tool::REFUSED;
use benchdog_domain::undo::of_line;

pub(super) fn denial(by: DecidedBy, reason: Option<&str>) -> String {
    let who = match by {
        DecidedBy::User => "The user refused this call",
        DecidedBy::Policy => "Nobody is here to approve this call, so it was denied",
        DecidedBy::Timeout => "Nobody answered, so this call was denied",
    };
    match reason.map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{who}: {reason}\n{REFUSED}"),
        None => format!("{who}. {REFUSED}"),
    }
}

pub(super) fn refusal(because: &Because) -> String {
    match because {
        Because::Rule(rule) if rule.is_switch() => format!(
            "This session does not have the tool `{}`: `{}` switches it off. Nothing was done.",
            rule.key, rule.origin
        ),
        Because::Rule(rule) => format!("The rule `{rule}` denies this call. {REFUSED}"),
        Because::Catastrophic { why } => format!(
            "This command is catastrophic: {why}. It is never run from here; only the user can run it, in a shell of their own. \
             {REFUSED}"
        ),
        Because::Interactive(interactive) => format!(
            "`{}` is interactive: it would wait for a terminal, and a command here has none. Instead, {}. Nothing was done.",
            interactive.program,
            instead(interactive.instead)
        ),
        Because::ReadOnlyAgent { agent } => {
            format!("The user chose the agent `{agent}`, which changes nothing. {REFUSED}")
        }
        Because::Hook { hook, reason } => {
            format!("The hook `{hook}` of the user refused this call: {reason}\n{REFUSED}")
        }
        _ => format!("This call is denied here. {REFUSED}"),
    }
}

fn instead(instead: Instead) -> &'static str {
    match instead {
        Instead::Edit => "change the file with the `edit` tool",
        Instead::Debug => {
            "give the debugger all its commands at once, as in `gdb -batch -ex run -ex bt`, or print what you want to know"
        }
        Instead::Person => "ask the user to run it in a terminal of their own",
        Instead::Run => "run the command itself, whose output you get",
        Instead::Script => "write a script and run that, or give the code with `-c` or `-e`",
        Instead::Query => "give it a statement, as in `psql -c` or `sqlite3 file.db 'select 1'`",
        Instead::Print => "use the `read` tool, or `head` and `tail`",
        Instead::Snapshot => "take one picture, with `ps aux` or `top -b -n 1`",
    }
}

/// Maximum number of characters of a title that is made from raw arguments.
const TITLE_CHARS: usize = 60;

pub(super) fn brief(wanted: &Wanted) -> String {
    let text = match wanted {
        Wanted::Tool {
            arguments: Arguments::Object(map),
            ..
        } => map.values().find_map(|value| value.as_str()).unwrap_or_default(),
        Wanted::Tool {
            arguments: Arguments::Raw(text),
            ..
        } => text,
        Wanted::Command(text) | Wanted::Patch { line: text, .. } | Wanted::Review { line: text, .. } => text,
        Wanted::Undo { line, .. } => of_line(line).unwrap_or_default(),
        Wanted::Question(_) => "",
    };
    text.lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(TITLE_CHARS)
        .collect()
}
