//! The tables of the book, written from the tables in the code. A test fails when a page under docs/ is stale.

use std::fmt::Write;

use crate::app::panes::prompt::buffer::LONGEST_TEXT;
use crate::base::disk;
use crate::base::text::grouped;
use crate::children::confined::KEPT_DAYS;
use crate::cli::DocsTable;
use crate::domain::image;
use crate::headless::exit::Exit;
use crate::mcp::limits as mcp;
use crate::orchestrator::engine;
use crate::orchestrator::seat::MOST_DECLARED;
use crate::provider::bounds::Bound;
use crate::provider::textcalls::families;
use crate::storage::{MOST_ARRIVING, MOST_PRINTED};
use crate::terminal::parse::LONGEST_PASTE;
use crate::theme::{Colours, SHIPPED, Scope};
use crate::tools::outputs::{self, Most};
use crate::tools::scratch;
use crate::tools::task;
use crate::{app, config, headless, keys, lang, tools};

pub(super) fn markdown(table: DocsTable) -> String {
    match table {
        DocsTable::Keys => keys_table(),
        DocsTable::Commands => commands_table(),
        DocsTable::Tools => tools_table(),
        DocsTable::Config => config::schema::markdown(),
        DocsTable::Errors => errors_table(),
        DocsTable::Limits => limits_table(),
        DocsTable::Toolcalls => toolcalls_table(),
        DocsTable::Themes => themes_table(),
    }
}

fn keys_table() -> String {
    let mut text = "| action | keys | what it does | where | without such keys |\n|---|---|---|---|---|\n".to_owned();
    for row in keys::action::rows() {
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{}`", escaped(key))).collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {:?} | {} |",
            row.id,
            keys.join(", "),
            escaped(row.title),
            row.scope,
            escaped(row.second)
        );
    }
    text
}

fn limits_table() -> String {
    let mut text = "| an answer ends where it holds |\n|---|\n".to_owned();
    for bound in Bound::ALL {
        let _ = writeln!(text, "| {} |", bound.what());
    }
    let _ = write!(
        text,
        "\n| what is typed and pasted | at the most | beyond that |\n|---|---|---|\n\
         | one paste | {} MiB | the rest comes as a further paste |\n\
         | a text one writes, with its pastes | {} MiB | a paste that does not fit is left out, which is said |\n",
        LONGEST_PASTE >> 20,
        LONGEST_TEXT >> 20,
    );
    text.push_str(&of_images());
    let _ = write!(
        text,
        "\n| a child agent | at the most | beyond that |\n|---|---|---|\n\
         | children of one session that work | {} | further ones wait |\n\
         | the time of one | {} s | it ends with what it has said |\n\
         | its requests | {} where its agent says nothing, {} whatever it says | it ends with what it has said |\n\
         | its answer | {} characters | the whole is kept in a file that the model may read |\n",
        engine::AT_ONCE,
        engine::TIME.as_secs(),
        engine::STEPS,
        engine::MOST_STEPS,
        grouped(task::ANSWER as u64),
    );
    let _ = write!(
        text,
        "\n| a server of tools | at the most | beyond that |\n|---|---|---|\n\
         | one message | {} MiB | it is not read, and its call fails |\n\
         | its tools | {} | further ones are left out |\n\
         | its tools in each request | {}, a twentieth of the window, a seventh with those of others | the model finds them on demand |\n\
         | the description of a tool | {} characters | it is cut |\n\
         | what a tool says of its arguments | {} KiB | the tool is left out |\n\
         | its prompts | {} | further ones are left out |\n\
         | a prompt that is called | {} s | it is given back |\n\
         | its resources and templates | {} | further ones are not offered |\n\
         | reading all resources that one prompt names | {} s | it is given back |\n\
         | what it asks for in a second, or at once | {} | it is ended; `/mcp restart` starts it |\n\
         | a call that reports progress | {} min | it is let go of |\n\
         | starts after it has ended | {} | it is started by `/mcp restart` |\n\
         | what it says beside its answers, in `logs/mcp` | {} KiB | the rest is not kept |\n",
        mcp::MOST_MESSAGE >> 20,
        grouped(mcp::MOST_TOOLS as u64),
        MOST_DECLARED,
        grouped(mcp::MOST_DESCRIPTION as u64),
        mcp::MOST_SCHEMA >> 10,
        mcp::MOST_PROMPTS,
        mcp::LONGEST_PROMPT.as_secs(),
        mcp::MOST_RESOURCES,
        mcp::LONGEST_READING.as_secs(),
        mcp::MOST_REQUESTS,
        mcp::LONGEST_CALL.as_secs() / 60,
        mcp::MOST_RESTARTS,
        mcp::MOST_ASIDE_FILE >> 10,
    );
    text.push_str("\n| what is kept on disk | at the most | beyond that |\n|---|---|---|\n");
    for [what, most, beyond] in kept_rows() {
        let _ = writeln!(text, "| {what} | {most} | {beyond} |");
    }
    text
}

fn of_images() -> String {
    format!(
        "\n| an image | at the most | beyond that |\n|---|---|---|\n\
         | one | {} MiB, {} pixels a side | it is not shown, which is said |\n\
         | with one prompt, or of one result | {} | the prompt is given back, or further ones are named |\n\
         | in the requests of a session | {}, {} MiB | it does not go along, which is said, until `/compact` makes room |\n",
        image::MOST_BYTES >> 20,
        grouped(u64::from(image::MOST_SIDE)),
        image::MOST,
        image::MOST_TOGETHER,
        image::MOST_BYTES_TOGETHER >> 20,
    )
}

/// What is kept on disk beside sessions, how much of it, and what becomes of the rest.
fn kept_rows() -> Vec<[String; 3]> {
    let mib = |bytes: u64| format!("{} MiB", bytes >> 20);
    let outputs = |most: Most| format!("{}, {} files", mib(most.bytes), most.files);
    let of_logs = |key: &str| {
        let row = config::schema::find(&["logs".to_owned(), key.to_owned()]);
        row.map_or("", |row| row.default).to_owned()
    };
    let rows = [
        (
            "the whole output of a command that is too long to show",
            mib(outputs::MOST_OF_ONE),
            "its beginning is kept, which is said",
        ),
        (
            "the output of a command in the background",
            mib(outputs::MOST_OF_JOB),
            "its beginning and its newest end are kept, which is said",
        ),
        (
            "such outputs of one session",
            outputs(outputs::MOST_OF_SESSION),
            "the oldest are removed",
        ),
        (
            "such outputs of all sessions",
            outputs(outputs::MOST_OF_ALL),
            "the oldest are removed",
        ),
        (
            "the time that such an output is kept",
            format!("{} days", outputs::DAYS),
            "it is removed",
        ),
        (
            "such outputs on a nearly full disk",
            format!(
                "all but the last {} % or {} of it",
                disk::LEFT_PERCENT,
                mib(disk::LEFT_MOST)
            ),
            "the oldest are removed, and what still has no room is not kept, which is said",
        ),
        (
            "the scratch folder of one session",
            format!("{}, {} days", mib(scratch::MOST), scratch::DAYS),
            "file tools write nothing more there; one that was left so long is removed",
        ),
        (
            "what has arrived of an answer that still arrives",
            mib(MOST_ARRIVING),
            "what follows is lost if the program is killed",
        ),
        (
            "what a command that still runs has printed",
            format!("{MOST_PRINTED} bytes, some times a second"),
            "its beginning and its newest end are there if the program is killed; nothing is written on a nearly full disk",
        ),
        (
            "log files",
            format!(
                "{} of {} bytes (`logs.files`, `logs.max_bytes`)",
                of_logs("files"),
                of_logs("max_bytes")
            ),
            "the oldest is removed",
        ),
        (
            "what confined commands wrote to caches",
            format!(
                "{} days, until the system is started again or the disk is nearly full",
                KEPT_DAYS
            ),
            "it is removed",
        ),
    ];
    rows.map(|(what, most, beyond)| [what.to_owned(), most, beyond.to_owned()])
        .into()
}

fn commands_table() -> String {
    let mut text = "| command | what it does |\n|---|---|\n".to_owned();
    for row in app::commands::TABLE {
        let name = format!("/{} {}", row.name, row.arguments);
        let _ = writeln!(text, "| `{}` | {} |", name.trim_end(), escaped(row.title));
    }
    text
}

fn tools_table() -> String {
    let mut text = "| tool | what the model is told | arguments |\n|---|---|---|\n".to_owned();
    let all = tools::Registry::builtin().with_proof().with_servers(&[]).0;
    for tool in all.declarations().iter() {
        let properties = tool.parameters.get("properties").and_then(|value| value.as_object());
        let arguments: Vec<String> = properties
            .into_iter()
            .flat_map(|map| map.keys())
            .map(|name| format!("`{name}`"))
            .collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} |",
            tool.name,
            escaped(&tool.description),
            arguments.join(", ")
        );
    }
    text
}

fn errors_table() -> String {
    let mut text = "Exit codes:\n\n| code | meaning |\n|---|---|\n".to_owned();
    let mut rows: Vec<_> = headless::exit::TABLE.iter().collect();
    rows.sort_by_key(|row| row.code);
    for row in rows {
        let _ = writeln!(text, "| {} | {} |", row.code, row.meaning);
    }
    // `usage` and `internal` never compete with another code, so they have no place in the order.
    let outcomes = headless::exit::TABLE
        .iter()
        .filter(|row| !matches!(row.exit, Exit::Usage | Exit::Internal));
    let order: Vec<String> = outcomes.map(|row| row.code.to_string()).collect();
    let _ = writeln!(
        text,
        "\nWhen several apply, the first of these is given: {}.",
        order.join(", ")
    );
    text.push_str("\nWhen a request to a model fails:\n\n| code | what to do |\n|---|---|\n");
    for code in lang::CODES {
        let _ = writeln!(text, "| `{code}` | {} |", escaped(&lang::advice(code)));
    }
    text
}

fn toolcalls_table() -> String {
    let mut text = "| family | a call | models |\n|---|---|---|\n".to_owned();
    for family in families::FAMILIES {
        // Backticks in a cell of code need a longer run around them.
        let fence = if family.example.contains('`') { "```` " } else { "`" };
        let end: String = fence.chars().rev().collect();
        let _ = writeln!(
            text,
            "| {} | {fence}{}{end} | {} |",
            family.name,
            escaped(&family.example.replace('\n', "⏎")),
            escaped(family.models)
        );
    }
    text
}

fn themes_table() -> String {
    let mut text = "| theme | what it looks like | colours |\n|---|---|---|\n".to_owned();
    for theme in SHIPPED {
        let colours = match theme.colours {
            Colours::Own => "Benchdog's own".to_owned(),
            Colours::Published { by, licence } => format!("{by}, {licence}"),
        };
        let _ = writeln!(text, "| `{}` | {} | {colours} |", theme.name, theme.about);
    }
    text.push_str("\n| scope | what it is |\n|---|---|\n");
    for scope in Scope::ALL {
        let _ = writeln!(text, "| `{}` | {} |", scope.name(), escaped(scope.about()));
    }
    text
}

/// A cell may hold no bar and no line break.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
