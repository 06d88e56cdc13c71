//! Runs a model with `benchdog run`. Each run has a separate home folder, so that the person's sessions stay unchanged.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::peer::AgentProcess;
use super::results::{Tokens, Turn};
use super::runs::{RunContext, RunFolders};
use super::trouble::RunError;

/// Time between the time limit and the kill of a run that ignores the limit.
const BEYOND: Duration = Duration::from_secs(15);
/// Variables that are removed, because they would select the person's folders. The configuration is passed as a flag
/// instead, as an absolute path.
const OWN_VARIABLES: [&str; 3] = ["BENCHDOG_HOME", "BENCHDOG_CACHE", "BENCHDOG_CONFIG"];

pub(crate) async fn solve(
    context: &RunContext,
    work: &RunFolders,
    model: &str,
    instruction: &str,
    limit: Duration,
) -> Result<Turn, RunError> {
    link_configuration(context, &work.home).map_err(RunError::at(&work.home))?;
    let words = command_line(context, model, limit);
    let environment = context.environment.iter();
    let mut variables: Vec<(String, String)> = environment
        .filter(|(name, _)| !OWN_VARIABLES.contains(name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    variables.push(("BENCHDOG_HOME".to_owned(), work.home.display().to_string()));
    let mut peer = AgentProcess::start(&context.launcher, &words, &work.workspace, variables).await?;
    let mut tally = Tally::new(&context.edit_tools);
    let heard = tokio::time::timeout(limit + BEYOND, read_lines(&mut peer, instruction, &mut tally)).await;
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

/// Creates links to the person's configuration and keys in the home folder of the run.
fn link_configuration(context: &RunContext, home: &Path) -> std::io::Result<()> {
    fs::create_dir_all(home.join("data"))?;
    for (file, name) in [
        (&context.config_file, "config.jsonc"),
        (&context.stored_keys, "data/credentials.json"),
    ] {
        if file.exists() {
            symlink(file, home.join(name))?;
        }
    }
    Ok(())
}

fn command_line(context: &RunContext, model: &str, limit: Duration) -> Vec<String> {
    let limit = limit.as_secs().max(1).to_string();
    let program = context.launcher.display().to_string();
    let own = ["run", "-", "--output", "stream-json", "--approve", "all"];
    let own = own.into_iter().chain(["--timeout", &limit, "--model", model]);
    let words = own.map(str::to_owned).chain(context.flags.iter().cloned());
    std::iter::once(program).chain(words).collect()
}

async fn read_lines(peer: &mut AgentProcess, instruction: &str, tally: &mut Tally<'_>) -> Result<(), RunError> {
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

/// Counts of a run, from the `stream-json` lines of `benchdog run`.
struct Tally<'t> {
    /// Tools whose failed calls count as refused edits.
    edit_tools: &'t [String],
    turn: Turn,
    error: Option<String>,
    is_ended: bool,
}

impl<'t> Tally<'t> {
    fn new(edit_tools: &'t [String]) -> Self {
        Self {
            edit_tools,
            turn: Turn::default(),
            error: None,
            is_ended: false,
        }
    }

    fn count(&mut self, line: &Value) {
        let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_own = line.get("child").is_none();
        match text("type") {
            "tool_finished" => {
                let is_failed = matches!(text("status"), "error" | "denied");
                let is_edit = self.edit_tools.iter().any(|tool| tool == text("tool"));
                self.turn.edits_refused += u32::from(is_failed && is_edit);
                self.turn.calls_denied += u32::from(text("status") == "denied");
            }
            "notice" if text("code") == "calls_read" => self.turn.calls_repaired += repair_count(text("text")),
            "notice" if text("code") == "calls_written" => self.turn.tools_notice = Some(text("text").to_owned()),
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

    /// Returns the counts. Fails after a server error. Such an error says nothing about the model, so the run then has
    /// no result.
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

/// Returns the number in `…, 2 repaired.` The output of `run` contains the number only in this text, which is always
/// English.
fn repair_count(notice: &str) -> u32 {
    let before = notice.split_once(" repaired").map(|(before, _)| before);
    let number = before.and_then(|before| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
