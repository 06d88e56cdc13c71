//! Formats answers and errors of MCP servers for the model.

use std::fmt::Write;

use serde_json::Value;

use crate::ToolContext;
use crate::flawed::flawed;
use crate::outputs::kept_whole;
use benchdog_base::disk::bytes_text;
use benchdog_base::json;
use benchdog_domain::image::{self, ImageKind, Picture};
use benchdog_domain::server::{Answered, Part, ServerName, ServerTrouble};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::Outcome;

/// Maximum characters of a result. Longer results are stored in a file.
const SHOWN: usize = 30_000;

pub(super) fn answered(answer: Answered, cx: &ToolContext) -> Outcome {
    let mut images = Vec::new();
    let parts = answer.parts.iter().map(|part| shown_part(part, cx.sees, &mut images));
    let text = text_of(parts.collect(), &answer);
    let (output, truncated) = kept_whole(text, SHOWN, &cx.outputs, &cx.redactor);
    let output = if output.trim().is_empty() {
        "(It answered with nothing.)".to_owned()
    } else {
        output
    };
    let lines = output.lines().count() as u64;
    let is_image = |part: &&Part| matches!(part, Part::Bytes { bytes, .. } if ImageKind::of(bytes).is_some());
    let unseen = answer.parts.iter().filter(|part| !cx.sees && is_image(part)).count() as u64;
    let outcome = match (answer.failed, unseen) {
        (true, _) => Outcome::error("tool_failed", output),
        (false, 0) => Outcome::ok(Summary::Lines { lines }, output),
        (false, images) => Outcome::ok(Summary::Unseen { images }, output),
    };
    Outcome {
        truncated,
        images,
        ..outcome
    }
}

/// Formats one part of a result. Adds an image to `images` if the model accepts images.
fn shown_part(of: &Part, sees: bool, images: &mut Vec<Picture>) -> String {
    let Part::Bytes { bytes, .. } = of else {
        return part(of);
    };
    let picture = match Picture::of(bytes).filter(|_| sees) {
        Some(Ok(picture)) => picture,
        Some(Err(flaw)) => return format!("[{}]", flawed(flaw)),
        None => return part(of),
    };
    let (kind, size) = (picture.kind().name(), bytes_text(bytes.len()));
    let told = if images.len() >= image::MOST {
        format!("it is not shown: at most {} of one result are", image::MOST)
    } else {
        images.push(picture);
        "it stands behind the results".to_owned()
    };
    format!("[an image, {kind}, {size}; {told}]")
}

/// Removes secrets and truncates long text. Also returns whether the text was truncated.
pub fn shown(text: &str, cx: &ToolContext) -> (String, bool) {
    let text = cx.redactor.text(text).into_owned();
    kept_whole(text, SHOWN, &cx.outputs, &cx.redactor)
}

/// Joins the texts of a result. Appends structured data unless a text contains the same data.
fn text_of(mut parts: Vec<String>, answer: &Answered) -> String {
    if let Some(structured) = &answer.structured
        && !says(&answer.parts, structured)
    {
        parts.push(json::line(structured));
    }
    parts.join("\n")
}

fn says(parts: &[Part], structured: &Value) -> bool {
    parts.iter().any(|part| match part {
        Part::Text(text) => serde_json::from_str::<Value>(text).is_ok_and(|value| value == *structured),
        _ => false,
    })
}

pub fn part(part: &Part) -> String {
    match part {
        Part::Text(text) => text.clone(),
        Part::Bytes { media, bytes } => {
            let what = match ImageKind::of(bytes) {
                Some(kind) => format!("an image, {}", kind.name()),
                None => media.clone(),
            };
            format!("[{what}, {}; it cannot be shown here]", bytes_text(bytes.len()))
        }
        Part::Unreadable { media } => format!("[{media} that cannot be read]"),
        Part::Unknown { kind } if kind.is_empty() => "[a part of a kind that is not known]".to_owned(),
        Part::Unknown { kind } => format!("[a part of the kind `{kind}`, which is not known here]"),
        Part::Link { uri, name, description } => {
            let mut line = format!("[resource {name}: {uri}");
            if !description.is_empty() {
                let _ = write!(line, "; {description}");
            }
            line.push(']');
            line
        }
        Part::Resource { uri, text } => format!("[resource {uri}]\n{text}"),
    }
}

pub(super) fn trouble(server: &ServerName, trouble: &ServerTrouble) -> Outcome {
    let (code, what) = why(trouble);
    let end = if what.ends_with(['.', '!', '?']) { "" } else { "." };
    let mut text = if may_have_acted(trouble) {
        format!(
            "The server `{server}` may have done all or part of this: {what}{end} Check the state before you call it again."
        )
    } else if may_go_well(trouble) {
        format!("The server `{server}` did not do this: {what}{end} Continue without it, or try once more.")
    } else {
        format!("The server `{server}` did not do this: {what}{end} Continue without it.")
    };
    if is_gone(trouble) {
        text.push_str(&format!(" The user can restart it: `/mcp restart {server}`."));
    }
    Outcome::error(code, text)
}

/// Returns the code and the text of a server's problem.
pub(crate) fn why(trouble: &ServerTrouble) -> (&'static str, String) {
    let aside = |said: &str| match said {
        "" => String::new(),
        said => format!(" Its last output: {said}"),
    };
    match trouble {
        ServerTrouble::NotFound { program } => ("server_not_found", format!("its program `{program}` was not found")),
        ServerTrouble::NoFolder { folder } => ("server_not_started", format!("its folder `{folder}` does not exist")),
        ServerTrouble::NotStarted { words } => ("server_not_started", format!("it cannot be started: {words}")),
        ServerTrouble::Untrusted => (
            "server_not_started",
            "the sandbox is off, and the user has not trusted this folder".to_owned(),
        ),
        ServerTrouble::NoSandbox { words } => ("server_not_started", format!("this system cannot confine it: {words}")),
        ServerTrouble::Lacks { variable } => (
            "server_not_started",
            format!("the environment variable `{variable}` is not set"),
        ),
        ServerTrouble::Changed { file } => (
            "server_not_started",
            format!("`{file}`, which it runs, has changed since the user trusted it"),
        ),
        ServerTrouble::Unpinned { file, .. } => (
            "server_not_started",
            format!("`{file}`, which it runs, cannot be compared with the version that the user trusted"),
        ),
        ServerTrouble::Floods { .. } => ("server_floods", "it sent too many requests and was stopped".to_owned()),
        ServerTrouble::Ended { code, signal, said } => {
            let how = match (code, signal) {
                (Some(code), _) => format!(" (exit {code})"),
                (None, Some(signal)) => format!(" (signal {signal})"),
                (None, None) => String::new(),
            };
            ("server_ended", format!("it has ended{how}.{}", aside(said)))
        }
        ServerTrouble::Garbage { line } => ("server_garbage", format!("its answer is not a valid message: {line}")),
        ServerTrouble::NoAnswer { seconds, said } => (
            "timeout",
            format!("it did not answer within {seconds} s.{}", aside(said)),
        ),
        ServerTrouble::TooLong { most } => (
            "server_oversized",
            format!(
                "it sent a message of more than {}, which is too large",
                bytes_text(*most)
            ),
        ),
        ServerTrouble::Refused { words } => ("server_refused", format!("it refused: {words}")),
        ServerTrouble::Unhealthy { words } => ("server_unhealthy", words.clone()),
        ServerTrouble::OtherRevision => (
            "server_refused",
            "it supports no protocol version that Benchdog supports".to_owned(),
        ),
        ServerTrouble::Unreadable => ("server_garbage", "its answer cannot be parsed".to_owned()),
        ServerTrouble::Unexpected => ("server_garbage", "it sent an unexpected answer".to_owned()),
        ServerTrouble::Asks { what } => (
            "server_asks",
            format!("it requests {what} from the user or a model, which is not supported"),
        ),
        ServerTrouble::Http { words } => ("server_http", words.clone()),
        ServerTrouble::Status { status, words } => {
            let said = if words.is_empty() {
                String::new()
            } else {
                format!(": {words}")
            };
            ("server_http", format!("it answered HTTP {status}{said}"))
        }
        ServerTrouble::Redirects { to } => ("server_http", format!("it redirects to `{to}`, which is not followed")),
        ServerTrouble::Unauthorized { .. } | ServerTrouble::NoToken { .. } => (
            "server_unauthorized",
            "it needs the user to sign in, or rejects its token; only the user can change that".to_owned(),
        ),
        ServerTrouble::Narrow { scope, .. } | ServerTrouble::NarrowAlone { scope, .. } => (
            "server_unauthorized",
            format!("the user's sign-in lacks the scope `{scope}`, which only the user can add"),
        ),
        ServerTrouble::Alone { .. } => (
            "server_unauthorized",
            "no token was issued for it; only the user can change that, and `/mcp` says why".to_owned(),
        ),
        ServerTrouble::Tokens { words } => (
            "server_unauthorized",
            format!("its tokens cannot be read or stored: {words}"),
        ),
        ServerTrouble::NotRenewed { words } => ("server_http", format!("its token could not be renewed: {words}")),
        ServerTrouble::Off => ("server_off", "the user has switched it off".to_owned()),
    }
}

fn may_have_acted(trouble: &ServerTrouble) -> bool {
    matches!(
        trouble,
        ServerTrouble::Ended { .. }
            | ServerTrouble::Garbage { .. }
            | ServerTrouble::NoAnswer { .. }
            | ServerTrouble::TooLong { .. }
            | ServerTrouble::Unreadable
            | ServerTrouble::Unexpected
            | ServerTrouble::Floods { .. }
            | ServerTrouble::Asks { .. }
            | ServerTrouble::Http { .. }
            | ServerTrouble::Status { status: 500.., .. }
    )
}

fn is_gone(trouble: &ServerTrouble) -> bool {
    matches!(
        trouble,
        ServerTrouble::NotFound { .. }
            | ServerTrouble::NoFolder { .. }
            | ServerTrouble::NotStarted { .. }
            | ServerTrouble::Lacks { .. }
            | ServerTrouble::Floods { .. }
            | ServerTrouble::Ended { .. }
            | ServerTrouble::Garbage { .. }
            | ServerTrouble::OtherRevision
    )
}

/// Whether a retry may succeed without action by the user.
fn may_go_well(trouble: &ServerTrouble) -> bool {
    matches!(
        trouble,
        ServerTrouble::Refused { .. } | ServerTrouble::NotRenewed { .. } | ServerTrouble::Status { .. }
    )
}
