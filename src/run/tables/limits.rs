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
    let mut text = "| an answer ends if it has |\n|---|\n".to_owned();
    for bound in Bound::ALL {
        let _ = writeln!(text, "| {} |", bound.what());
    }
    for (of, rows) in [
        ("typing and pasting", typed()),
        ("find, while you type", finds()),
        ("an image", images()),
        ("a pending change whose files are saved elsewhere", proposals()),
        ("the list of changes", changes()),
        ("a folder without a project", no_projects()),
        ("a subagent", children()),
        ("an MCP server", servers()),
        ("a [language server](lsp.md)", language_servers()),
        ("`webfetch`", web_pages()),
        ("[line mode](linear.md)", lines()),
        ("`benchdog run`", scripts()),
        ("[an editor](editors.md)", editors()),
        ("files that Benchdog keeps on disk", kept()),
    ] {
        let _ = write!(text, "\n| {of} | limit | beyond the limit |\n|---|---|---|\n");
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
            "the rest arrives as another paste",
        ),
        (
            "a paste that is shown in full",
            format!("{WRITTEN_OUT_LINES} lines, {} KiB", WRITTEN_OUT_BYTES >> 10),
            "a longer paste is folded to its size; `Alt+E` shows it",
        ),
        (
            "a text with its pastes",
            mib(LONGEST_TEXT as u64),
            "a paste that does not fit is omitted, with a message",
        ),
    ]
}

fn finds() -> Vec<Row> {
    vec![
        (
            "part of a conversation that each key press searches",
            format!(
                "{}, {} messages and calls",
                mib(MOST_SOUGHT as u64),
                grouped(MOST_BLOCKS as u64)
            ),
            "only matches in the newest part are counted (`3 lines or more`); a jump to a match counts all",
        ),
        (
            "part of a diff that each key press searches",
            format!("{} lines, {}", grouped(MOST_COUNTED as u64), mib(MOST_SOUGHT as u64)),
            "only matches in the first part are counted, shown in the same way",
        ),
        (
            "counts while text arrives",
            format!("{} a second", 1_000 / BETWEEN_COUNTS),
            "the next count includes the new text",
        ),
    ]
}

fn images() -> Vec<Row> {
    vec![
        (
            "one image",
            format!(
                "{}, {} pixels a side",
                mib(image::MOST_BYTES),
                grouped(u64::from(image::MOST_SIDE))
            ),
            "the image is omitted, with a message",
        ),
        (
            "images in one prompt or one result",
            image::MOST.to_string(),
            "the prompt returns to the editor; a result only lists further images",
        ),
        (
            "images in a session's requests",
            format!("{}, {}", image::MOST_TOGETHER, mib(image::MOST_BYTES_TOGETHER)),
            "further images are not sent, with a message, until `/compact` removes older ones",
        ),
    ]
}

fn proposals() -> Vec<Row> {
    vec![
        (
            "rebuilds of the change",
            format!("every {} s", watched_files::PAUSE.as_secs()),
            "the next rebuild covers all changes since then",
        ),
        (
            "rebuilds while the files keep changing",
            format!(
                "every {} s, after more than {} changes within {} s of each other",
                watched_files::LONG_PAUSE.as_secs(),
                watched_files::OFTEN,
                watched_files::SOON.as_secs()
            ),
            "the same; the request says that the files keep changing",
        ),
        (
            "a decision waits for a check of the files",
            format!("{} ms", watched_files::LOOK.as_millis()),
            "the decision takes effect; the write checks each file again",
        ),
    ]
}

fn no_projects() -> Vec<Row> {
    vec![(
        "folder levels that `@` and the tree filter list",
        NAMED_LEVELS.to_string(),
        "type the path of a deeper file; a message at the start says so",
    )]
}

fn changes() -> Vec<Row> {
    vec![(
        "files whose changed lines are counted at once",
        format!("{COUNTED} files before and after the cursor"),
        "further files are counted later, or when the cursor comes near",
    )]
}

fn children() -> Vec<Row> {
    vec![
        (
            "running subagents of one session",
            engine::AT_ONCE.to_string(),
            "others wait",
        ),
        (
            "its time",
            format!("{} s", engine::TIME.as_secs()),
            "it ends, and its last text is the answer",
        ),
        (
            "its requests",
            format!(
                "{} by default, {} with `steps` of its agent",
                engine::STEPS,
                engine::MOST_STEPS
            ),
            "it ends, and its last text is the answer",
        ),
        (
            "its answer",
            format!("{} characters", grouped(task::ANSWER as u64)),
            "the whole answer is in a file that the model may read",
        ),
    ]
}

fn servers() -> Vec<Row> {
    let mut rows = offered();
    rows.extend([
        (
            "its requests per second, or without an answer",
            mcp::MOST_REQUESTS.to_string(),
            "it is stopped; `/mcp restart` starts it",
        ),
        (
            "a call that reports progress",
            format!("{} min", mcp::LONGEST_CALL.as_secs() / 60),
            "the call fails",
        ),
        (
            "restarts after it has ended",
            mcp::MOST_RESTARTS.to_string(),
            "only `/mcp restart` starts it",
        ),
        (
            "its stderr, in `logs/mcp`",
            format!("{} KiB", mcp::MOST_STDERR_FILE >> 10),
            "the rest is dropped",
        ),
    ]);
    rows
}

fn language_servers() -> Vec<Row> {
    vec![
        (
            "the wait after an edit",
            format!("{} s", language::PATIENCE.as_secs()),
            "the edit ends without diagnostics, and later edits do not wait until the server has answered",
        ),
        (
            "the wait for a late answer, in the background",
            format!("{} min", lsp::CATCH_UP.as_secs() / 60),
            "the next edit starts another wait",
        ),
        (
            "diagnostics in the result of an edit",
            language::MOST_AFTER_EDIT.to_string(),
            "only the number of the others is shown",
        ),
        ("crashes", lsp::MOST_CRASHES.to_string(), "the server is no longer used"),
        ("one message", mib(lsp::MOST_MESSAGE), "the message is skipped"),
        ("data in a second", mib(lsp::PER_SECOND), "the server waits"),
        (
            "diagnostics of a file",
            format!("{} errors, {} others", lsp::MOST_ERRORS, lsp::MOST_OTHERS),
            "the others are omitted",
        ),
        (
            "open files",
            format!("{}, each up to {}", lsp::MOST_OPEN, mib(lsp::MOST_TEXT as u64)),
            "the least recently used file is closed; larger files are not checked",
        ),
    ]
}

fn web_pages() -> Vec<Row> {
    vec![
        (
            "a page, unpacked",
            mib(web::MOST_BYTES as u64),
            "the rest is omitted; the result says so",
        ),
        (
            "HTML of a page",
            format!("{} nodes, {} levels", grouped(web::MOST_NODES as u64), web::DEEPEST),
            "the rest is omitted; the result says so",
        ),
        ("redirects", web::MOST_REDIRECTS.to_string(), "the call fails"),
        (
            "a call",
            format!("{} s", web::PATIENCE.as_secs()),
            "the call fails with `timeout`",
        ),
    ]
}

fn offered() -> Vec<Row> {
    vec![
        (
            "one message",
            mib(mcp::MOST_MESSAGE as u64),
            "the message is dropped, and its call fails",
        ),
        ("its tools", grouped(mcp::MOST_TOOLS as u64), "the others are omitted"),
        (
            "its tools in each request",
            format!("{MOST_DECLARED}, a twentieth of the window; with the tools of the servers before it, a seventh"),
            "the model finds the tools on demand",
        ),
        (
            "the description of a tool",
            format!("{} characters", grouped(mcp::MOST_DESCRIPTION as u64)),
            "it is truncated",
        ),
        (
            "the schema of a tool's arguments",
            format!("{} KiB", mcp::MOST_SCHEMA >> 10),
            "the tool is omitted",
        ),
        ("its prompts", mcp::MOST_PROMPTS.to_string(), "the others are omitted"),
        (
            "the result of a prompt",
            format!("{} s", mcp::LONGEST_PROMPT.as_secs()),
            "the prompt returns to the editor",
        ),
        (
            "its resources and templates",
            mcp::MOST_RESOURCES.to_string(),
            "the others are not offered",
        ),
        (
            "reading all resources of one prompt",
            format!("{} s", mcp::LONGEST_READING.as_secs()),
            "the prompt returns to the editor",
        ),
    ]
}

fn lines() -> Vec<Row> {
    vec![
        (
            "one line of piped input",
            mib(linear::LONGEST_LINE),
            "the line is ignored, nothing more is read, and Benchdog ends",
        ),
        (
            "lines of a request that are printed at once",
            format!("{} lines", linear::PAGE),
            "`more` prints the next page",
        ),
        (
            "the wait for an answer to a request",
            format!("{} min", headless::PATIENCE.as_secs() / 60),
            "the request is denied",
        ),
        (
            "printed output of a `!command`",
            format!(
                "{} lines while it runs, then the last {}",
                linear::MOST_OF_COMMAND,
                linear::LAST_OF_COMMAND
            ),
            "the lines between are omitted, with a message",
        ),
        (
            "printed output of a command of the model",
            format!("{} lines while it runs", linear::MOST_OF_MODEL),
            "the rest is omitted, with a message",
        ),
        (
            "printed output of a call that failed or was stopped",
            format!("{} lines", linear::SHOWN_LINES),
            "the rest is omitted, with a message",
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
            "one line that a program sends",
            mib(headless::LONGEST_INPUT),
            "the line is skipped, with an `error` line",
        ),
        (
            "prompts that wait for the running turn",
            headless::MOST_PROMPTS.to_string(),
            "further prompts are refused, with an `error` line",
        ),
        (
            "the wait for an answer of a program or a person",
            format!("{} min", headless::PATIENCE.as_secs() / 60),
            "the request is denied",
        ),
    ]
}

fn editors() -> Vec<Row> {
    vec![
        (
            "a message of the editor",
            mib(acp::LONGEST_LINE as u64),
            "the message is dropped, and the editor gets an error",
        ),
        (
            "a prompt with attached text",
            mib(acp::LONGEST_PROMPT as u64),
            "the editor gets an error",
        ),
        (
            "open sessions of one connection",
            acp::MOST_SESSIONS.to_string(),
            "a further session gets an error",
        ),
        (
            "time in which the editor reads nothing",
            format!("{} s", acp::READER_PATIENCE.as_secs()),
            "Benchdog ends",
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
            "file tools refuse to write there; a folder unused for that time is deleted",
        ),
        (
            "text of an unfinished answer, saved for the case of a kill",
            mib(MOST_ARRIVING),
            "the rest is lost in a kill",
        ),
        (
            "output of a running command, saved for the case of a kill",
            format!("{MOST_PRINTED} bytes, several times a second"),
            "the start and the end are saved; nothing is saved on a nearly full disk",
        ),
        (
            "log files",
            format!(
                "{} of {} bytes (`logs.files`, `logs.max_bytes`)",
                of_logs("files"),
                of_logs("max_bytes")
            ),
            "the oldest file is deleted",
        ),
        (
            "data that confined commands wrote to caches",
            format!("{} days, but only until a reboot or a nearly full disk", KEPT_DAYS),
            "it is deleted",
        ),
    ]);
    rows
}

fn outputs_kept() -> Vec<Row> {
    let together = |most: Most| format!("{}, {} files", mib(most.bytes), most.files);
    vec![
        (
            "the saved output of a command whose output is too long to show",
            mib(outputs::MOST_OF_ONE),
            "only the start is saved, with a message",
        ),
        (
            "the output of a background command",
            mib(outputs::MOST_OF_JOB),
            "only the start and the end are saved, with a message",
        ),
        (
            "saved outputs of one session",
            together(outputs::MOST_OF_SESSION),
            "the oldest are deleted",
        ),
        (
            "saved outputs of all sessions",
            together(outputs::MOST_OF_ALL),
            "the oldest are deleted",
        ),
        (
            "age of a saved output",
            format!("{} days, or `cache.days`", outputs::DAYS),
            "it is deleted",
        ),
        (
            "saved outputs on a nearly full disk",
            format!(
                "until {} % of the disk, or {} if that is less, are left",
                disk::LEFT_PERCENT,
                mib(disk::LEFT_MOST)
            ),
            "the oldest are deleted; output that still has no room is not saved, with a message",
        ),
    ]
}
