//! How a command ended, in the words the model reads.

use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use super::collect::{Collected, Whole};
use super::follow::{By, End};
use crate::children::Left;
use crate::domain::tool::{CallStatus, Outcome};
use crate::tools::size::{bytes_text, grouped};

/// How many leftovers are named.
const MOST_NAMED: usize = 5;

pub(super) fn report(end: &End, collected: Collected, timeout_ms: u64) -> Outcome {
    let (kept, whole) = collected.into_kept();
    let truncated = !matches!(whole, Whole::Shown);
    let mut output = kept.head;
    if truncated {
        line_end(&mut output);
        let lost = format!("{} lines, {}", grouped(kept.lost_lines), bytes_text(kept.lost_bytes));
        let _ = writeln!(output, "[… {lost} are left out here; {} …]", whole_text(&whole));
    }
    output.push_str(&kept.tail);
    if output.trim().is_empty() {
        output = "(no output)\n".to_owned();
    }
    line_end(&mut output);
    let took = seconds(end.took);
    let (status, code, short) = verdict(end);
    let _ = match (&end.status, end.by) {
        (_, By::Interrupt) => writeln!(output, "[interrupted after {took}: what it did until then stays]"),
        (_, By::Timeout) => writeln!(
            output,
            "[timeout: stopped after {took}, the time limit of {} ms. A larger `timeout_ms` is possible up to 600000.]",
            grouped(timeout_ms)
        ),
        (Err(error), By::Itself) => writeln!(output, "[unknown: how it ended cannot be told: {error}]"),
        (Ok(_), By::Itself) => writeln!(output, "[{short}, {took}]"),
    };
    leftovers(end, &mut output);
    Outcome {
        status,
        code: code.map(str::to_owned),
        truncated,
        ..Outcome::ok(
            match end.by {
                By::Interrupt => short,
                By::Itself | By::Timeout => format!("{short} {took}"),
            },
            output.trim_end(),
        )
    }
}

fn verdict(end: &End) -> (CallStatus, Option<&'static str>, String) {
    match end.by {
        By::Itself => {}
        By::Timeout => return (CallStatus::Error, Some("timeout"), "timeout".to_owned()),
        By::Interrupt => return (CallStatus::Cancelled, Some("cancelled"), "interrupted".to_owned()),
    }
    match &end.status {
        Ok(status) if status.success() => (CallStatus::Ok, None, "exit 0".to_owned()),
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => (CallStatus::Error, Some("exit"), format!("exit {code}")),
            (None, signal) => (CallStatus::Error, Some("signal"), signal_text(signal.unwrap_or(0))),
        },
        Err(_) => (CallStatus::Error, Some("unknown"), "unknown".to_owned()),
    }
}

fn signal_text(signal: i32) -> String {
    let name = match signal {
        1 => "HUP",
        2 => "INT",
        3 => "QUIT",
        4 => "ILL",
        6 => "ABRT",
        7 => "BUS",
        8 => "FPE",
        9 => "KILL",
        11 => "SEGV",
        13 => "PIPE",
        15 => "TERM",
        24 => "XCPU",
        25 => "XFSZ",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
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

fn leftovers(end: &End, output: &mut String) {
    let name = |left: &Left| format!("{} (pid {})", left.name, left.pid);
    let (ended, alive): (Vec<_>, Vec<_>) = end.left.iter().partition(|left| left.ended);
    for (what, list) in [
        ("still ran when the command ended, and were stopped", ended),
        ("could not be stopped", alive),
    ] {
        // All of an interrupted command was to end: that it did is no news.
        if list.is_empty() || (end.by == By::Interrupt && list.iter().all(|left| left.ended)) {
            continue;
        }
        let more = list.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 {
            format!(", and {more} more")
        } else {
            String::new()
        };
        let names: Vec<String> = list.into_iter().take(MOST_NAMED).map(name).collect();
        let _ = writeln!(output, "[these {what}: {}{more}]", names.join(", "));
    }
}

fn line_end(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// `0.4s`, `12s`, `2m 05s`.
fn seconds(took: Duration) -> String {
    let whole = took.as_secs();
    match whole {
        0..10 => format!("{:.1}s", took.as_secs_f64()),
        10..60 => format!("{whole}s"),
        _ => format!("{}m {:02}s", whole / 60, whole % 60),
    }
}

#[cfg(test)]
mod tests;
