//! The log files: filter, line format, and non-blocking output.
//!
//! A line contains times, sizes, numbers, names and codes. At no level does it contain prompts,
//! answers, tool output, file content, command lines, keys or headers.

mod file;
mod panics;
mod queue;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt;

use benchdog_config::settings::LogSettings;
use benchdog_config::{LogFilter, LogLevel};
use file::LogFile;
use queue::Queue;

const PATIENCE: Duration = Duration::from_secs(1);

/// The running log writer. Dropping this value waits for the last lines, up to a time limit. If the log could not be
/// written, the drop reports the error.
pub struct Traces(Option<Open>);

struct Open {
    queue: Arc<Queue>,
    folder: PathBuf,
    complain: fn(&str),
}

/// Starts logging to files in `folder`. The writer thread creates the folder and the file. If all levels are off,
/// nothing is started, and a line costs only one comparison.
pub fn start(folder: &Path, logs: &LogSettings, complain: fn(&str)) -> Traces {
    if logs.level.is_off() {
        return Traces(None);
    }
    let file = LogFile::new(folder, logs.max_bytes, logs.files);
    let queue = match Queue::start(file) {
        Ok(queue) => queue,
        Err(error) => {
            complain(&lost(folder, &error.to_string()));
            return Traces(None);
        }
    };
    // A process has one log. An existing subscriber, which would be a bug, stays in use.
    let _ = tracing::subscriber::set_global_default(subscriber(&logs.level, Arc::clone(&queue)));
    panics::log_them();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), filter = %logs.level, "started");
    Traces(Some(Open {
        queue,
        folder: folder.to_path_buf(),
        complain,
    }))
}

const SHOWN: u64 = 64 * 1024;

/// Returns the last lines of the log in `folder`. They are from all processes. `None` if the log is empty.
pub fn last_lines(folder: &Path) -> Result<Option<String>, String> {
    file::last_lines(folder, SHOWN).map_err(|error| format!("`{}` cannot be read: {error}", folder.display()))
}

fn subscriber(filter: &LogFilter, queue: Arc<Queue>) -> impl Subscriber + Send + Sync {
    let lines = tracing_subscriber::fmt::layer()
        .with_timer(Process)
        .with_writer(move || Line(Arc::clone(&queue)));
    tracing_subscriber::registry().with(targets(filter)).with(lines)
}

impl Traces {
    /// Stops the log without reporting write errors. Used when a more serious error is reported, which may also be the
    /// cause of the write errors.
    pub fn end_untold(mut self) {
        if let Some(open) = self.0.take() {
            let _ = open.queue.close(PATIENCE);
        }
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        let Some(open) = self.0.take() else { return };
        tracing::info!("ended");
        if let Some(trouble) = open.queue.close(PATIENCE) {
            (open.complain)(&lost(&open.folder, &trouble));
        }
    }
}

fn lost(folder: &Path, why: &str) -> String {
    format!(
        "benchdog: The log in `{}` could not be written: {why}. Nothing else depends on it; `--log-level off` does without.",
        folder.display()
    )
}

/// Returns a filter for Benchdog's own modules. Messages of libraries may contain data that must not be logged.
fn targets(filter: &LogFilter) -> Targets {
    let parts = filter
        .levels()
        .map(|(part, level)| (format!("benchdog_{part}"), of(level)));
    Targets::new().with_targets(parts)
}

fn of(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}

/// Formats the process id after the time, because several processes write to the same file.
struct Process;

impl FormatTime for Process {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{}", std::process::id())
    }
}

struct Line(Arc<Queue>);

impl io::Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(&one_line(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The maximum line length in characters. Names from models and servers may be long.
const LONGEST: usize = 2_000;

fn one_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let plain = |sign: char| if sign.is_control() { ' ' } else { sign };
    let mut line: String = text.trim_end().chars().take(LONGEST).map(plain).collect();
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
