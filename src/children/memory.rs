//! Memory available to a local model: the larger of system memory and graphics memory.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

/// Timeout for a graphics driver that hangs.
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns the memory in GB, or `None` if unknown. `path` has the folders in which to search for programs.
pub async fn for_models(path: &str) -> Option<u64> {
    let own = std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| total(&text));
    let cards = tokio::time::timeout(PATIENCE, cards(path)).await.ok().flatten();
    own.max(cards)
}

fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    // Round up, because a machine with 32 GB reports slightly less.
    Some(kilobytes.div_ceil(1 << 20))
}

async fn cards(path: &str) -> Option<u64> {
    let output = Command::new("nvidia-smi")
        .args(["--query-gpu=memory.total", "--format=csv,noheader,nounits"])
        // Clear Benchdog's variables, because they contain API keys.
        .env_clear()
        .env("PATH", path)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .ok()?;
    sum(&String::from_utf8_lossy(&output.stdout))
}

fn sum(lines: &str) -> Option<u64> {
    let cards: Vec<u64> = lines.lines().filter_map(|line| line.trim().parse().ok()).collect();
    (!cards.is_empty()).then(|| cards.iter().sum::<u64>().div_ceil(1 << 10))
}

#[cfg(test)]
mod tests;
