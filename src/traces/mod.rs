//! The log files: which lines go in, how a line looks, and that writing them never holds anything up. What is logged is
//! said where it happens, with `tracing`; here is only the way from there to the disk.
//!
//! A line has times, sizes, numbers, names and codes. It never has a prompt, an answer, the output of a tool, the content
//! of a file, a command line, a key or a header, at no level: whoever logs must not hand them over.

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

use crate::config::settings::LogSettings;
use crate::config::{LogFilter, LogLevel};
use file::LogFile;
use queue::Queue;

/// How long the way out waits for the last lines.
const PATIENCE: Duration = Duration::from_secs(1);

/// Lines are taken while this lives. Dropping it waits for the last of them, not for ever, and says so where the log could
/// not be written.
pub(crate) struct Traces(Option<Open>);

struct Open {
    queue: Arc<Queue>,
    folder: PathBuf,
    complain: fn(&str),
}

/// Takes what is logged from here on to files in `folder`. Touches no disk: the folder is made and the file opened by the
/// thread that writes. With everything off nothing is started, and a line costs what looking at one number costs.
pub(crate) fn start(folder: &Path, logs: &LogSettings, complain: fn(&str)) -> Traces {
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
    // One process has one log; another subscriber can only be a mistake of ours, and the first one goes on.
    let _ = tracing::subscriber::set_global_default(subscriber(&logs.level, Arc::clone(&queue)));
    panics::log_them();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), filter = %logs.level, "started");
    Traces(Some(Open {
        queue,
        folder: folder.to_path_buf(),
        complain,
    }))
}

/// Bytes of a log that are shown at most.
const SHOWN: u64 = 64 * 1024;

/// The last lines of the log in `folder`, of every process that writes there; `None` where nothing was logged.
pub(crate) fn last_lines(folder: &Path) -> Result<Option<String>, String> {
    file::last_lines(folder, SHOWN).map_err(|error| format!("`{}` cannot be read: {error}", folder.display()))
}

fn subscriber(filter: &LogFilter, queue: Arc<Queue>) -> impl Subscriber + Send + Sync {
    let lines = tracing_subscriber::fmt::layer()
        .with_timer(Process)
        .with_writer(move || Line(Arc::clone(&queue)));
    tracing_subscriber::registry().with(targets(filter)).with(lines)
}

impl Traces {
    /// Ends it where something larger is told: what keeps the program from its work may keep lines from the disk as well.
    pub(crate) fn end_untold(mut self) {
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

/// Only our own rooms are in it: what libraries say of their work may hold what must not be logged.
fn targets(filter: &LogFilter) -> Targets {
    let parts = filter
        .levels()
        .map(|(part, level)| (format!("benchdog::{part}"), of(level)));
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

/// The process, which a line names behind its time: several may write one file.
struct Process;

impl FormatTime for Process {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{}", std::process::id())
    }
}

/// One line on its way, which gets its time where it takes its place. It is handed over whole.
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

/// The longest line, in characters. What is logged is short; a name from outside may not be.
const LONGEST: usize = 2_000;

/// Without line breaks and other signs that could make one line look like two.
fn one_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let plain = |sign: char| if sign.is_control() { ' ' } else { sign };
    let mut line: String = text.trim_end().chars().take(LONGEST).map(plain).collect();
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
