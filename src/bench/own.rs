//! A model through `benchdog run`, with a home of its own for each run, so that no session of the person is touched.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::peer::Peer;
use super::results::{Tokens, Turn};
use super::runs::{Ground, Work};
use super::trouble::RunError;

/// Tools whose failed calls count as refused edits.
const EDITS: [&str; 4] = ["edit", "write", "patch", "notebook_edit"];
/// The time beyond the limit until a run that ignores it is killed.
const BEYOND: Duration = Duration::from_secs(15);
/// A run of Benchdog in a run of Benchdog must not share these.
const OWN_VARIABLES: [&str; 3] = ["BENCHDOG_HOME", "BENCHDOG_CACHE", "BENCHDOG_MODEL"];

pub(crate) async fn solve(
    ground: &Ground,
    work: &Work,
    model: &str,
    instruction: &str,
    limit: Duration,
) -> Result<Turn, RunError> {
    furnish(ground, &work.home).map_err(RunError::at(&work.home))?;
    let words = words(ground, model, limit);
    let environment = ground.environment.iter();
    let mut variables: Vec<(String, String)> = environment
        .filter(|(name, _)| !OWN_VARIABLES.contains(name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    variables.push(("BENCHDOG_HOME".to_owned(), work.home.display().to_string()));
    let mut peer = Peer::start(&ground.launcher, &words, &work.workspace, variables).await?;
    let mut tally = Tally::default();
    let heard = tokio::time::timeout(limit + BEYOND, hear(&mut peer, instruction, &mut tally)).await;
    let errors = peer.end().await;
    match heard {
        Ok(Err(error)) => Err(error),
        Ok(Ok(())) => tally.turn(&errors),
        Err(_) => {
            "timeout".clone_into(&mut tally.turn.outcome);
            Ok(tally.turn)
        }
    }
}

/// Links the person's configuration and keys, which stay where they are.
fn furnish(ground: &Ground, home: &Path) -> std::io::Result<()> {
    fs::create_dir_all(home.join("data"))?;
    for (file, name) in [
        (&ground.config_file, "config.jsonc"),
        (&ground.stored_keys, "data/credentials.json"),
    ] {
        if file.exists() {
            symlink(file, home.join(name))?;
        }
    }
    Ok(())
}

fn words(ground: &Ground, model: &str, limit: Duration) -> Vec<String> {
    let limit = limit.as_secs().max(1).to_string();
    let program = ground.launcher.display().to_string();
    let own = ["run", "-", "--output", "stream-json", "--approve", "all"];
    let own = own.into_iter().chain(["--timeout", &limit, "--model", model]);
    let words = own.map(str::to_owned).chain(ground.flags.iter().cloned());
    std::iter::once(program).chain(words).collect()
}

async fn hear(peer: &mut Peer, instruction: &str, tally: &mut Tally) -> Result<(), RunError> {
    peer.send(instruction).await;
    peer.close();
    while let Some(line) = peer.line().await? {
        if let Ok(line) = serde_json::from_slice(&line) {
            tally.count(&line);
        }
    }
    peer.exit().await;
    Ok(())
}

/// The counts of the lines of `stream-json`.
#[derive(Default)]
struct Tally {
    turn: Turn,
    error: Option<String>,
    is_ended: bool,
}

impl Tally {
    fn count(&mut self, line: &Value) {
        let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_own = line.get("child").is_none();
        match text("type") {
            "tool_finished" => {
                let is_failed = matches!(text("status"), "error" | "denied");
                self.turn.edits_refused += u32::from(is_failed && EDITS.contains(&text("tool")));
                self.turn.calls_denied += u32::from(text("status") == "denied");
            }
            "notice" if text("code") == "calls_read" => self.turn.calls_repaired += repaired(text("text")),
            "error" if is_own => self.error = Some(text("text").to_owned()),
            "turn_finished" if is_own => {
                text("outcome").clone_into(&mut self.turn.outcome);
                let usage = line.get("usage").cloned().unwrap_or_default();
                self.turn.tokens = serde_json::from_value::<Tokens>(usage).ok();
                self.is_ended = true;
            }
            _ => {}
        }
    }

    /// An error of the server says nothing about the model, so that the run has no result.
    fn turn(self, errors: &str) -> Result<Turn, RunError> {
        if !self.is_ended {
            return Err(RunError::NoAnswer(errors.to_owned()));
        }
        if self.turn.outcome == "error" {
            let error = self.error.unwrap_or_else(|| errors.trim().to_owned());
            return Err(RunError::Answer(error));
        }
        Ok(self.turn)
    }
}

/// Returns the number in `…, 2 repaired.` The lines of `run` have no other place for it, and are always in English.
fn repaired(notice: &str) -> u32 {
    let before = notice.split_once(" repaired").map(|(before, _)| before);
    let number = before.and_then(|before| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
