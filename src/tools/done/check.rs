//! Checks claims against the session's history and the current files.

use crate::ToolContext;
use benchdog_base::spelling::nearest;
use benchdog_base::text::last_part;
use benchdog_domain::places::{Known, Lines};

/// Maximum size of a file whose lines are counted.
const MOST_FILE: u64 = 64 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) path: String,
    pub(super) line: Option<u64>,
    pub(super) claim: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) wrong: Vec<String>,
    pub(super) unnamed: Vec<String>,
}

pub(super) fn check(changed: &[String], claims: &[Claim], cx: &ToolContext) -> Found {
    let mut wrong: Vec<String> = Vec::new();
    let mut named = Vec::new();
    for path in changed {
        match shown(path, cx) {
            Ok(shown) => {
                wrong.extend(not_changed(path, &shown, cx));
                named.push(shown);
            }
            Err(why) => wrong.push(format!("`files_changed`: `{path}`: {why}")),
        }
    }
    if !changed.is_empty() && claims.is_empty() {
        wrong.push(
            "`evidence` is empty, and files were changed: name at least one place that shows what came of it"
                .to_owned(),
        );
    }
    for (number, claim) in (1..).zip(claims) {
        if let Some(why) = unproven(claim, cx) {
            let place = match claim.line {
                Some(line) => format!("{}:{line}", claim.path),
                None => claim.path.clone(),
            };
            wrong.push(format!("evidence {number}, `{place}`: {why}"));
        }
    }
    let unnamed = cx
        .witnessed
        .changed()
        .filter(|path| !named.iter().any(|named| named == path));
    Found {
        wrong,
        unnamed: unnamed.map(str::to_owned).collect(),
    }
}

fn shown(path: &str, cx: &ToolContext) -> Result<String, String> {
    let resolved = cx.workspace.resolve(path);
    resolved
        .map(|path| path.shown().to_owned())
        .map_err(|error| error.reason)
}

fn not_changed(path: &str, shown: &str, cx: &ToolContext) -> Option<String> {
    let known = cx.witnessed.file(shown);
    if known.is_some_and(Known::is_changed) || (cx.witnessed.ran() && changed_by_a_program(shown, cx)) {
        return None;
    }
    Some(format!(
        "`files_changed`: `{path}` was not changed in this session{}",
        near(shown, cx)
    ))
}

/// Whether the file changed or disappeared since the session began.
fn changed_by_a_program(shown: &str, cx: &ToolContext) -> bool {
    match cx.workspace.resolve(shown).and_then(|path| path.stat()) {
        Ok(Some(stat)) => stat.modified > cx.began,
        Ok(None) => cx.witnessed.file(shown).is_some(),
        Err(_) => false,
    }
}

fn unproven(claim: &Claim, cx: &ToolContext) -> Option<String> {
    let shown = match shown(&claim.path, cx) {
        Ok(shown) => shown,
        Err(why) => return Some(why),
    };
    let Some(known) = cx.witnessed.file(&shown) else {
        return Some(format!(
            "it was not read, searched or changed in this session{}",
            near(&shown, cx)
        ));
    };
    let there = cx.workspace.resolve(&shown).and_then(|path| path.stat());
    if !matches!(there, Ok(Some(_))) {
        // The session deleted the file, and the deletion may be the evidence.
        let is_claim = claim.line.is_none() && known.is_changed();
        return (!is_claim).then(|| "the file no longer exists".to_owned());
    }
    let line = claim.line?;
    if !known.holds(line) {
        return Some(format!(
            "line {line} was not read, searched or changed; {}",
            told(known.lines())
        ));
    }
    let text = cx
        .workspace
        .resolve(&shown)
        .and_then(|path| path.read(MOST_FILE))
        .ok()?;
    let lines = String::from_utf8_lossy(&text).lines().count() as u64;
    (line > lines).then(|| format!("the file has {lines} lines now"))
}

fn told(lines: &[Lines]) -> String {
    const SHOWN: usize = 8;
    if lines.is_empty() {
        return "no line of it was: read it at that line".to_owned();
    }
    let stretch = |lines: &Lines| match lines {
        Lines(first, last) if first == last => first.to_string(),
        Lines(first, last) => format!("{first}-{last}"),
    };
    let told: Vec<String> = lines.iter().take(SHOWN).map(stretch).collect();
    let more = if lines.len() > SHOWN { " and others" } else { "" };
    format!("seen were lines {}{more}", told.join(", "))
}

fn near(shown: &str, cx: &ToolContext) -> String {
    let same_letters = cx.witnessed.paths().find(|known| known.eq_ignore_ascii_case(shown));
    let name = last_part(shown);
    let same_name = || cx.witnessed.paths().find(|known| last_part(known) == name);
    let near = same_letters
        .or_else(same_name)
        .or_else(|| nearest(shown, cx.witnessed.paths()));
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
