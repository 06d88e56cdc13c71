//! The docs page of limits, with the numbers from the code.

use std::fmt::Write;

use crate::run::project::NAMED_LEVELS;
use benchdog_acp as acp;
use benchdog_app::diff_view::MOST_COUNTED;
use benchdog_app::find::MOST_SOUGHT;
use benchdog_app::panes::changes::COUNTED;
use benchdog_app::panes::conversation::{BETWEEN_COUNTS, MOST_BLOCKS};
use benchdog_app::panes::prompt::buffer::LONGEST_TEXT;
use benchdog_app::panes::prompt::{WRITTEN_OUT_BYTES, WRITTEN_OUT_LINES};
use benchdog_base::disk;
use benchdog_base::text::grouped;
use benchdog_children::confined::KEPT_DAYS;
use benchdog_config as config;
use benchdog_domain::image;
use benchdog_headless as headless;
use benchdog_linear as linear;
use benchdog_lsp::limits as lsp;
use benchdog_mcp::limits as mcp;
use benchdog_orchestrator::engine;
use benchdog_orchestrator::seat::{MOST_DECLARED, watched_files};
use benchdog_provider::bounds::Bound;
use benchdog_storage::{MOST_ARRIVING, MOST_PRINTED};
use benchdog_terminal::parse::LONGEST_PASTE;
use benchdog_tools::language;
use benchdog_tools::outputs::{self, Most};
use benchdog_tools::scratch;
use benchdog_tools::task;
use benchdog_web::limits as web;

/// A row: the limited item, the limit, and the effect of exceeding it.
type Row = (&'static str, String, &'static str);

pub(super) fn table() -> String {
    let mut text = "| an answer ends where it holds |\n|---|\n".to_owned();
    for bound in Bound::ALL {
        let _ = writeln!(text, "| {} |", bound.what());
    }
    for (of, rows) in [
        ("what is typed and pasted", typed()),
        ("the find line, while one types", finds()),
        ("an image", images()),
        ("a proposal whose files are saved elsewhere", proposals()),
        ("the list of changes", changes()),
        ("a folder that is no project", no_projects()),
        ("a child agent", children()),
        ("an MCP server", servers()),
        ("a [language server](lsp.md)", language_servers()),
        ("`webfetch`", web_pages()),
        ("[line by line](linear.md)", lines()),
        ("`benchdog run`", scripts()),
        ("[an editor](editors.md)", editors()),
        ("what is kept on disk", kept()),
    ] {
        let _ = write!(text, "\n| {of} | at the most | beyond that |\n|---|---|---|\n");
        for (what, most, beyond) in rows {
            let _ = writeln!(text, "| {what} | {most} | {beyond} |");
        }
    }
    text
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

fn typed() -> Vec<Row> {
    vec![
        (
            "one paste",
            mib(LONGEST_PASTE as u64),
            "the rest comes as a further paste",
        ),
        (
            "a paste that is not folded",
            format!("{WRITTEN_OUT_LINES} lines, {} KiB", WRITTEN_OUT_BYTES >> 10),
            "it is folded, with its size; `Alt+E` writes it out",
        ),
        (
            "a text one writes, with its pastes",
            mib(LONGEST_TEXT as u64),
            "a paste that does not fit is left out, which is said",
        ),
    ]
}

fn finds() -> Vec<Row> {
    vec![
        (
            "what is looked through of a conversation at each key",
            format!(
                "{}, {} messages and calls",
                mib(MOST_SOUGHT as u64),
                grouped(MOST_BLOCKS as u64)
            ),
            "what is newest is counted, which is said (`3 lines or more`); going to a match counts all",
        ),
        (
            "what is looked through of a diff at each key",
            format!("{} lines, {}", grouped(MOST_COUNTED as u64), mib(MOST_SOUGHT as u64)),
            "the first lines are counted, which is said in the same way",
        ),
        (
            "counts of what arrives meanwhile in a conversation",
            format!("{} a second", 1_000 / BETWEEN_COUNTS),
            "it is counted with the next one",
        ),
    ]
}

fn images() -> Vec<Row> {
    vec![
        (
            "one",
            format!(
                "{}, {} pixels a side",
                mib(image::MOST_BYTES),
                grouped(u64::from(image::MOST_SIDE))
            ),
            "it is not shown, which is said",
        ),
        (
            "with one prompt, or of one result",
            image::MOST.to_string(),
            "the prompt is given back, or further ones are named",
        ),
        (
            "in the requests of a session",
            format!("{}, {}", image::MOST_TOGETHER, mib(image::MOST_BYTES_TOGETHER)),
            "it does not go along, which is said, until `/compact` makes room",
        ),
    ]
}

fn proposals() -> Vec<Row> {
    vec![
        (
            "it is made anew",
            format!("every {} s", watched_files::PAUSE.as_secs()),
            "it is made anew once for all that was saved meanwhile",
        ),
        (
            "it is made anew where they keep changing",
            format!(
                "every {} s, after more than {} changes within {} s of each other",
                watched_files::LONG_PAUSE.as_secs(),
                watched_files::OFTEN,
                watched_files::SOON.as_secs()
            ),
            "the same, and it says that they keep changing",
        ),
        (
            "a decision waits for a look at the files",
            format!("{} ms", watched_files::LOOK.as_millis()),
            "it counts: whoever writes a file looks at it once more",
        ),
    ]
}

fn no_projects() -> Vec<Row> {
    vec![(
        "levels in which `@` and the filter of the tree find names",
        NAMED_LEVELS.to_string(),
        "what lies further inside is named by its path; the start says so",
    )]
}

fn changes() -> Vec<Row> {
    vec![(
        "what differs is counted at once",
        format!("{COUNTED} files, as far from the one under the cursor"),
        "further ones are counted behind them, or when the cursor comes near",
    )]
}

fn children() -> Vec<Row> {
    vec![
        (
            "children of one session that work",
            engine::AT_ONCE.to_string(),
            "further ones wait",
        ),
        (
            "the time of one",
            format!("{} s", engine::TIME.as_secs()),
            "it ends with what it has said",
        ),
        (
            "its requests",
            format!(
                "{} where its agent says nothing, {} whatever it says",
                engine::STEPS,
                engine::MOST_STEPS
            ),
            "it ends with what it has said",
        ),
        (
            "its answer",
            format!("{} characters", grouped(task::ANSWER as u64)),
            "the whole is kept in a file that the model may read",
        ),
    ]
}

fn servers() -> Vec<Row> {
    let mut rows = offered();
    rows.extend([
        (
            "what it asks for in a second, or at once",
            mcp::MOST_REQUESTS.to_string(),
            "it is ended; `/mcp restart` starts it",
        ),
        (
            "a call that reports progress",
            format!("{} min", mcp::LONGEST_CALL.as_secs() / 60),
            "it is let go of",
        ),
        (
            "starts after it has ended",
            mcp::MOST_RESTARTS.to_string(),
            "it is started by `/mcp restart`",
        ),
        (
            "what it says beside its answers, in `logs/mcp`",
            format!("{} KiB", mcp::MOST_STDERR_FILE >> 10),
            "the rest is not kept",
        ),
    ]);
    rows
}

fn language_servers() -> Vec<Row> {
    vec![
        (
            "the wait after an edit",
            format!("{} s", language::PATIENCE.as_secs()),
            "the edit ends without it, and later ones do not wait until it has answered",
        ),
        (
            "the wait for a late answer, in the background",
            format!("{} min", lsp::CATCH_UP.as_secs() / 60),
            "the next edit starts another wait",
        ),
        (
            "diagnostics in the result of an edit",
            language::MOST_AFTER_EDIT.to_string(),
            "the others are counted",
        ),
        ("crashes", lsp::MOST_CRASHES.to_string(), "it is not used any more"),
        ("one message", mib(lsp::MOST_MESSAGE), "it is skipped"),
        ("data in a second", mib(lsp::PER_SECOND), "it waits"),
        (
            "diagnostics of a file",
            format!("{} errors, {} others", lsp::MOST_ERRORS, lsp::MOST_OTHERS),
            "further ones are left out",
        ),
        (
            "open files",
            format!("{}, each up to {}", lsp::MOST_OPEN, mib(lsp::MOST_TEXT as u64)),
            "the one used longest ago is closed; larger ones are not checked",
        ),
    ]
}

fn web_pages() -> Vec<Row> {
    vec![
        (
            "a page, unpacked",
            mib(web::MOST_BYTES as u64),
            "the rest is omitted, which the result says",
        ),
        (
            "HTML of a page",
            format!("{} nodes, {} levels", grouped(web::MOST_NODES as u64), web::DEEPEST),
            "the rest is omitted, which the result says",
        ),
        ("redirects", web::MOST_REDIRECTS.to_string(), "the call fails"),
        (
            "a call",
            format!("{} s", web::PATIENCE.as_secs()),
            "it fails with `timeout`",
        ),
    ]
}

fn offered() -> Vec<Row> {
    vec![
        (
            "one message",
            mib(mcp::MOST_MESSAGE as u64),
            "it is not read, and its call fails",
        ),
        (
            "its tools",
            grouped(mcp::MOST_TOOLS as u64),
            "further ones are left out",
        ),
        (
            "its tools in each request",
            format!("{MOST_DECLARED}, a twentieth of the window, a seventh with those of others"),
            "the model finds them on demand",
        ),
        (
            "the description of a tool",
            format!("{} characters", grouped(mcp::MOST_DESCRIPTION as u64)),
            "it is cut",
        ),
        (
            "what a tool says of its arguments",
            format!("{} KiB", mcp::MOST_SCHEMA >> 10),
            "the tool is left out",
        ),
        (
            "its prompts",
            mcp::MOST_PROMPTS.to_string(),
            "further ones are left out",
        ),
        (
            "a prompt that is called",
            format!("{} s", mcp::LONGEST_PROMPT.as_secs()),
            "it is given back",
        ),
        (
            "its resources and templates",
            mcp::MOST_RESOURCES.to_string(),
            "further ones are not offered",
        ),
        (
            "reading all resources that one prompt names",
            format!("{} s", mcp::LONGEST_READING.as_secs()),
            "it is given back",
        ),
    ]
}

fn lines() -> Vec<Row> {
    vec![
        (
            "one line of a file or a program",
            mib(linear::LONGEST_LINE),
            "nothing of it counts, nothing behind it is read, and the program ends",
        ),
        (
            "what a request asks about, at once",
            format!("{} lines", linear::PAGE),
            "`more` prints the next page",
        ),
        (
            "a request waits for an answer",
            format!("{} min", headless::PATIENCE.as_secs() / 60),
            "it is denied",
        ),
        (
            "what is printed of a `!command`",
            format!(
                "{} lines while it runs, {} of its end",
                linear::MOST_OF_COMMAND,
                linear::LAST_OF_COMMAND
            ),
            "what lies between is not printed, which is said",
        ),
        (
            "what is printed of a command that the model runs",
            format!("{} lines while it runs", linear::MOST_OF_MODEL),
            "the rest is not printed, which is said",
        ),
        (
            "what is printed of a call that failed or was stopped",
            format!("{} lines", linear::SHOWN_LINES),
            "the rest is not printed, which is said",
        ),
    ]
}

fn scripts() -> Vec<Row> {
    vec![
        (
            "standard input as a prompt",
            mib(headless::LONGEST_INPUT),
            "nothing is sent, and the run ends with an error",
        ),
        (
            "one line of a program",
            mib(headless::LONGEST_INPUT),
            "the line is skipped, which an `error` line says",
        ),
        (
            "prompts of a program that wait for the running turn",
            headless::MOST_PROMPTS.to_string(),
            "further ones are refused, which an `error` line says",
        ),
        (
            "a request waits for a program or a person",
            format!("{} min", headless::PATIENCE.as_secs() / 60),
            "it is denied",
        ),
    ]
}

fn editors() -> Vec<Row> {
    vec![
        (
            "a message of the editor",
            mib(acp::LONGEST_LINE as u64),
            "it is not read, and gets an error",
        ),
        (
            "a prompt with attached text",
            mib(acp::LONGEST_PROMPT as u64),
            "it gets an error",
        ),
        (
            "open sessions of one connection",
            acp::MOST_SESSIONS.to_string(),
            "further ones get an error",
        ),
        (
            "the editor reads nothing",
            format!("{} s", acp::READER_PATIENCE.as_secs()),
            "the program ends",
        ),
    ]
}

fn kept() -> Vec<Row> {
    let of_logs = |key: &str| {
        let row = config::schema::find(&["logs".to_owned(), key.to_owned()]);
        row.map_or("", |row| row.default).to_owned()
    };
    let mut rows = outputs_kept();
    rows.extend([
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
    ]);
    rows
}

fn outputs_kept() -> Vec<Row> {
    let together = |most: Most| format!("{}, {} files", mib(most.bytes), most.files);
    vec![
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
            together(outputs::MOST_OF_SESSION),
            "the oldest are removed",
        ),
        (
            "such outputs of all sessions",
            together(outputs::MOST_OF_ALL),
            "the oldest are removed",
        ),
        (
            "the time that such an output is kept",
            format!("{} days, or `cache.days`", outputs::DAYS),
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
    ]
}
