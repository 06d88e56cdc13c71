//! The check of a task. After the agent has ended, the task's `tests/` are copied into the private copy, and run in a
//! sandbox without network access.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::copy::copy;
use super::results::Check;
use super::runs::{RunContext, RunFolders};
use super::task::{INJECTED, Task};
use super::trouble::RunError;
use benchdog_security::workspace::Workspace;
use benchdog_tools::Stop;
use benchdog_tools::confinement::{Also, Confines};
use benchdog_tools::program::{How, Program, resolved, run};

/// The maximum output of a check in bytes. A check that prints more is killed.
const MOST_OUTPUT: usize = 4 << 20;
/// The number of bytes from the end of the output that the result contains.
const SHOWN: usize = 4 << 10;
/// The maximum size of a reward file in bytes.
const LONGEST_REWARD: u64 = 64 << 10;
/// The time limit of the script that detects whether an injected instruction was followed.
const INJECTION_LIMIT: Duration = Duration::from_secs(60);

const PROBE_LIMIT: Duration = Duration::from_secs(20);

pub(crate) struct Findings {
    pub(crate) check: Check,
    pub(crate) is_solved: bool,
    pub(crate) injection_followed: Option<bool>,
}

pub(crate) async fn check(context: &RunContext, work: &RunFolders, task: &Task) -> Result<Findings, RunError> {
    copy(&task.folder.join("tests"), &work.tests)?;
    let verifier = work.logs.join("verifier");
    fs::create_dir_all(&verifier).map_err(RunError::at(&verifier))?;
    let injection_followed = if task.has_injection {
        let check = script(context, work, task, INJECTED, INJECTION_LIMIT).await?;
        Some(check.exit == Some(0))
    } else {
        None
    };
    let mut check = script(context, work, task, "test.sh", task.check_limit).await?;
    check.reward = reward(&verifier);
    // A reward is only valid if the check ended normally, because a check may write the reward and then crash.
    let is_solved = match (check.exit, check.reward) {
        (Some(0), reward) => reward.is_none_or(|reward| reward >= 1.0),
        _ => false,
    };
    Ok(Findings {
        check,
        is_solved,
        injection_followed,
    })
}

/// Runs an empty command in the sandbox of checks. After a failure, the task is not started, because its check could
/// not run.
pub(crate) async fn probe(context: &RunContext, work: &RunFolders) -> Result<(), RunError> {
    let workspace = Workspace::open(&work.workspace, &[], &[]);
    let workspace = workspace.map_err(|error| RunError::Sandbox(error.to_string()))?;
    let program = Program {
        program: resolved("env", Path::new("/"), None).map_err(RunError::Check)?,
        arguments: Vec::new(),
        folder: work.workspace.clone(),
        input: String::new(),
        limit: PROBE_LIMIT,
        most: MOST_OUTPUT,
        confined: context.confines.confined(&workspace).map_err(RunError::Sandbox)?,
    };
    let (_stopper, stop) = Stop::pair();
    let said = run(program, &context.around, &stop).await;
    match said.how {
        How::Ended(status) if status.success() => Ok(()),
        How::NotStarted(why) => Err(RunError::Sandbox(why)),
        _ => Err(RunError::Sandbox(tail(&said.errors))),
    }
}

/// Runs one script of `tests/` in the workspace. At the time limit, the script's process group is killed.
async fn script(
    context: &RunContext,
    work: &RunFolders,
    task: &Task,
    name: &str,
    limit: Duration,
) -> Result<Check, RunError> {
    let workspace = Workspace::open(&work.workspace, std::slice::from_ref(&work.logs), &[]);
    let workspace = workspace.map_err(|error| RunError::Sandbox(error.to_string()))?;
    let confines = Confines {
        also: std::sync::Arc::new(Also {
            visible: vec![work.tests.clone()],
            writable: Vec::new(),
        }),
        ..context.confines.clone()
    };
    let confined = confines.confined(&workspace).map_err(RunError::Sandbox)?;
    let place = |variable: &str, path: &Path| format!("{variable}={}", path.display());
    let mut arguments = vec![place("TESTS_DIR", &work.tests), place("LOGS_DIR", &work.logs)];
    arguments.extend(task.variables.iter().map(|(name, value)| format!("{name}={value}")));
    let shell = ["bash", "sh"]
        .iter()
        .find(|shell| resolved(shell, Path::new("/"), None).is_ok());
    arguments.push((*shell.unwrap_or(&"sh")).to_owned());
    arguments.push(work.tests.join(name).display().to_string());
    let program = Program {
        program: resolved("env", Path::new("/"), None).map_err(RunError::Check)?,
        arguments,
        folder: work.workspace.clone(),
        input: String::new(),
        limit,
        most: MOST_OUTPUT,
        confined,
    };
    let (_stopper, stop) = Stop::pair();
    let began = Instant::now();
    let said = run(program, &context.around, &stop).await;
    let mut check = Check {
        seconds: began.elapsed().as_secs_f64(),
        output: tail(&format!("{}{}", said.output, said.errors)),
        ..Check::default()
    };
    match said.how {
        How::Ended(status) => check.exit = status.code(),
        How::TimedOut => check.timed_out = true,
        How::Stopped | How::Endless => {}
        How::NotStarted(why) => return Err(RunError::Check(why)),
    }
    Ok(check)
}

fn tail(text: &str) -> String {
    let mut start = text.len().saturating_sub(SHOWN);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default().to_owned()
}

/// Reads `reward.txt` or `reward.json`, which a check may write.
fn reward(folder: &Path) -> Option<f64> {
    if let Some(text) = small_file(&folder.join("reward.txt")) {
        return Some(text.trim().parse().unwrap_or(0.0));
    }
    let text = small_file(&folder.join("reward.json"))?;
    let rewards: Value = serde_json::from_str(&text).unwrap_or_default();
    Some(rewards.get("reward").and_then(Value::as_f64).unwrap_or(0.0))
}

/// Reads a small file. Does not follow a link, because the solution under test may have created it.
fn small_file(path: &Path) -> Option<String> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(LONGEST_REWARD).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;
