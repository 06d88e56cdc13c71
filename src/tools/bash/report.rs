//! Command results as text for the model.

use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use super::BashPlan;
use super::collect::{Collected, Whole, gap};
use super::follow::{By, End};
use crate::ToolContext;
use crate::confinement::{Confined, Found};
use benchdog_base::text::grouped;
use benchdog_children::Leftover;
use benchdog_domain::confinement::{Level, Network, View};
use benchdog_domain::review::Runs;
use benchdog_domain::summary::{INTERRUPTED_AFTER, NO_OUTPUT, Summary, duration};
use benchdog_domain::tool::{CallStatus, Outcome};
use benchdog_security::sandbox::Wanted;

/// Maximum number of names in a list of leftover processes or files.
const MOST_NAMED: usize = 5;

/// Data for the report on a confined command: its sandbox, and the findings after it ended.
pub(super) struct Held<'r> {
    pub(super) wanted: Wanted,
    pub(super) found: Found,
    pub(super) root: &'r Path,
    /// Secret files of the workspace that were hidden from the command.
    pub(super) hidden: Vec<String>,
}

pub(super) fn held<'r>(cx: &'r ToolContext, confined: Option<&Confined>, plan: &BashPlan) -> Option<Held<'r>> {
    let root = cx.workspace.root();
    confined.map(|confined| Held {
        wanted: cx.confines.wanted,
        found: confined.found(),
        root,
        hidden: hidden(confined, root, plan),
    })
}

/// Returns the paths that were hidden from the command. Paths in the command line come first. Empty if the command only
/// reads files and its command line refers to no secret file.
fn hidden(confined: &Confined, root: &Path, plan: &BashPlan) -> Vec<String> {
    if plan.reads_only && plan.hidden.is_empty() {
        return Vec::new();
    }
    let shown = |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let mut names: Vec<String> = confined.hidden().iter().map(shown).collect();
    names.sort_by_key(|name| !plan.hidden.contains(name));
    names
}

pub(super) fn report(end: &End, collected: Collected, runs: Runs, held: Option<&Held<'_>>) -> Outcome {
    let (kept, whole) = collected.into_kept();
    let truncated = !matches!(whole, Whole::Shown);
    let gap = truncated.then(|| gap(&kept, Some(&whole_text(&whole))));
    let mut output = kept.head;
    if let Some(gap) = gap {
        line_end(&mut output);
        output.push_str(&gap);
    }
    output.push_str(&kept.tail);
    if output.trim().is_empty() {
        output = format!("{NO_OUTPUT}\n");
    }
    line_end(&mut output);
    let ending = ending(end, runs, held, &output);
    output.push_str(&ending);
    let Verdict { status, code, summary } = verdict(end, runs);
    Outcome {
        status,
        code: code.map(str::to_owned),
        truncated,
        ..Outcome::ok(summary, output.trim_end())
    }
}

pub(super) fn ending(end: &End, runs: Runs, held: Option<&Held<'_>>, said: &str) -> String {
    let mut output = String::new();
    let Verdict { status, summary, .. } = verdict(end, runs);
    let took = duration(millis(end));
    if let Some(held) = held.filter(|_| status == CallStatus::Error) {
        let limits = match held.wanted.view {
            View::Whole => Some(confinement(held.wanted)),
            View::Project => refusals(said),
        };
        let _ = limits.map(|limits| writeln!(output, "{limits}"));
    }
    if let Some(held) = held.filter(|held| !held.hidden.is_empty()) {
        let files = some(held.hidden.iter().map(|path| format!("`{path}`")).collect());
        let _ = writeln!(output, "[secret files are closed to it: {files}]");
    }
    held.into_iter().for_each(|held| obeyed(held, &mut output));
    let _ = match (&end.status, end.by, runs) {
        (_, By::Interrupt, Runs::UntilDone { .. }) => {
            writeln!(output, "{INTERRUPTED_AFTER}{took}: what it did until then stays]")
        }
        (_, By::Interrupt, Runs::Behind { .. }) => {
            writeln!(output, "[stopped after {took}: what it did until then stays]")
        }
        (_, By::Timeout, Runs::UntilDone { limit_ms }) => writeln!(
            output,
            "[timeout: stopped after {took}, the time limit of {} ms. A larger `timeout_ms` is possible up to 600000.]",
            grouped(limit_ms)
        ),
        (_, By::Timeout, Runs::Behind { .. }) => {
            writeln!(output, "[timeout: stopped after {took}, its lifetime]")
        }
        (Err(error), By::Itself, _) => writeln!(output, "[unknown: how it ended cannot be told: {error}]"),
        (Ok(_), By::Itself, _) => writeln!(output, "{}", summary.last_line().unwrap_or_default()),
    };
    leftovers(end, runs, &mut output);
    output
}

/// Phrases in program output that indicate a refusal by the sandbox, grouped by the refused access.
const REFUSALS: [(&str, &[&str]); 4] = [
    (
        "writing a file (EROFS, the files are read-only)",
        &["read-only file system", "erofs", "readonly database"],
    ),
    (
        "the network",
        &[
            "could not resolve",
            "couldn't resolve",
            "temporary failure in name resolution",
            "name or service not known",
            "network is unreachable",
            "getaddrinfo",
            "eai_again",
            "enotfound",
            "dns error",
            "failed to lookup address",
            "no such host",
        ],
    ),
    (
        "a file or call (EACCES, EPERM)",
        &["permission denied", "operation not permitted", "eacces", "eperm"],
    ),
    (
        "a file outside the workspace, or a hidden one",
        &[
            "no such file or directory",
            "enoent",
            "not a git repository",
            "unable to open database file",
            "failed to sign",
        ],
    ),
];

/// Returns a note on the accesses that the sandbox may have refused, according to phrases in the output of a failed
/// command.
fn refusals(said: &str) -> Option<String> {
    let said = said.to_lowercase();
    // "Not found" errors are common, so they matter only if the path may be outside the workspace.
    let lies_outside = [" /", "'/", "\"/", "../", "~", "not a git repository", "failed to sign"]
        .iter()
        .any(|mark| said.contains(mark));
    let refused: Vec<&str> = REFUSALS
        .iter()
        .filter(|(what, words)| {
            let is_told = words.iter().any(|word| said.contains(word));
            is_told && (!what.contains("outside") || lies_outside)
        })
        .map(|(what, _)| *what)
        .collect();
    (!refused.is_empty()).then(|| {
        format!(
            "[the sandbox may have refused: {}. If the command needs that, call `bash` with `unconfined: true`: the user is asked to run it outside. The user can also type `!` and the command.]",
            refused.join("; ")
        )
    })
}

/// Lists the sandbox restrictions that may have stopped a failed command. The kernel does not report its refusals.
fn confinement(held: Wanted) -> String {
    let files = match held.level {
        Level::Off => "",
        Level::Workspace => "writing outside the workspace and `/tmp` is refused, secret files are closed",
        Level::ReadOnly => "writing outside `/tmp` is refused, secret files are closed",
    };
    let network = match held.network {
        Network::Inherit => "",
        Network::None => "there is no network",
    };
    let limits: Vec<&str> = [files, network].into_iter().filter(|limit| !limit.is_empty()).collect();
    format!(
        "[it ran confined: {}. If it failed for that, only the user can widen it: `sandbox.level` ({}), `sandbox.writable`, `sandbox.network`.]",
        limits.join(", "),
        held.level.word()
    )
}

/// Reports new or changed files that programs outside the sandbox execute or read as settings.
fn obeyed(held: &Held<'_>, output: &mut String) {
    let shown = |path: &Path| format!("`{}`", path.strip_prefix(held.root).unwrap_or(path).display());
    let Found {
        held_back,
        stays,
        too_many,
    } = &held.found;
    if !held_back.is_empty() {
        let back = held_back.iter().map(|(path, now)| match now {
            Ok(now) => format!("{} is now {}", shown(path), shown(now)),
            Err(error) => format!("{} could not be renamed: {error}", shown(path)),
        });
        let _ = writeln!(
            output,
            "[git would have run or obeyed this outside, so it was given another name: {}. Only the user can put it back.]",
            some(back.collect())
        );
    }
    if !stays.is_empty() {
        let files = some(stays.iter().map(|path| shown(path)).collect());
        let _ = writeln!(
            output,
            "[it made or changed what other programs obey or run by themselves: {files}. Tell the user, who should look at that before it is committed or opened.]"
        );
    }
    if *too_many {
        let _ = writeln!(
            output,
            "[there are too many folders now to look for all that programs outside obey]"
        );
    }
}

fn some(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    let more = if more > 0 {
        format!(", and {more} more")
    } else {
        String::new()
    };
    format!("{}{more}", names.join(", "))
}

pub(super) struct Verdict {
    pub(super) status: CallStatus,
    pub(super) code: Option<&'static str>,
    pub(super) summary: Summary,
}

pub(super) fn verdict(end: &End, runs: Runs) -> Verdict {
    let (status, code, summary) = judged(end, runs);
    Verdict { status, code, summary }
}

fn judged(end: &End, runs: Runs) -> (CallStatus, Option<&'static str>, Summary) {
    let took_ms = millis(end);
    match (end.by, runs) {
        (By::Itself, _) => {}
        (By::Timeout, _) => return (CallStatus::Error, Some("timeout"), Summary::TimedOut { took_ms }),
        (By::Interrupt, Runs::UntilDone { .. }) => {
            return (CallStatus::Cancelled, Some("cancelled"), Summary::Interrupted);
        }
        (By::Interrupt, Runs::Behind { .. }) => return (CallStatus::Ok, None, Summary::Stopped { took_ms }),
    }
    match &end.status {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => {
                let ended = Summary::Exit { code, took_ms };
                match code {
                    0 => (CallStatus::Ok, None, ended),
                    _ => (CallStatus::Error, Some("exit"), ended),
                }
            }
            (None, signal) => {
                let signal = signal.unwrap_or(0);
                (CallStatus::Error, Some("signal"), Summary::Signal { signal, took_ms })
            }
        },
        Err(_) => (CallStatus::Error, Some("unknown"), Summary::EndUnknown { took_ms }),
    }
}

fn millis(end: &End) -> u64 {
    u64::try_from(end.took.as_millis()).unwrap_or(u64::MAX)
}

fn whole_text(whole: &Whole) -> String {
    match whole {
        Whole::Shown => "nothing is missing".to_owned(),
        Whole::In { path, complete: true } => {
            format!(
                "the whole output is in `{}`: `read` it with `offset`, or `grep` it",
                path.display()
            )
        }
        Whole::In { path, complete: false } => format!(
            "the first part of the output is in `{}`; it was too long to keep whole",
            path.display()
        ),
        Whole::Nowhere(error) => format!("the whole output could not be kept: {error}"),
    }
}

fn leftovers(end: &End, runs: Runs, output: &mut String) {
    let name = |left: &Leftover| format!("{} (pid {})", left.name, left.pid);
    let (ended, alive): (Vec<_>, Vec<_>) = end.left.iter().partition(|left| left.ended);
    for (what, list) in [
        ("still ran when the command ended, and were stopped", ended),
        ("could not be stopped", alive),
    ] {
        // Omit the stopped processes after an interrupt, because an interrupt stops all processes of the command.
        if list.is_empty() || (end.by == By::Interrupt && list.iter().all(|left| left.ended)) {
            continue;
        }
        let names = some(list.into_iter().map(name).collect());
        let _ = writeln!(output, "[these {what}: {names}]");
    }
    if end.by == By::Itself && !end.left.is_empty() {
        let hint = match runs {
            Runs::UntilDone { .. } => "call `bash` with `background: true`",
            Runs::Behind { .. } => "let the command itself go on",
        };
        let _ = writeln!(
            output,
            "[what is to go on is not started with `&`, nohup, setsid or disown: {hint}]"
        );
    }
}

pub(super) fn line_end(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests;
