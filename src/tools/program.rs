//! Runs hooks and custom tools. A program gets one JSON value on stdin, and answers on stdout and stderr.
//!
//! A timeout, a stop signal or too much output stops the program's process group.

use std::fs::File;
use std::io::{self, PipeReader, Seek, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::fs::MemfdFlags;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

use super::Stop;
use super::bash::{Withheld, variables, with_port_offset};
use super::confinement::Confined;
use super::last_words::lying_in;
use benchdog_base::environment::Environment;
use benchdog_children::confined::Plan;
use benchdog_children::{self as children, Launch, find_program};
use benchdog_domain::confinement::View;

/// Maximum bytes of stderr that are read.
const MOST_ERRORS: usize = 16 << 10;

const READ: usize = 64 << 10;

/// Maximum wait for the end of the output after the program has exited. Otherwise, a grandchild with the open pipe
/// would block.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Delay between SIGTERM and SIGKILL.
pub(super) const GRACE: Duration = Duration::from_millis(200);

/// Practically unlimited time, for a program that was told to stop. Stopping already includes a delay and SIGKILL.
const EVER: Duration = Duration::from_secs(3_600);

/// Search path if `PATH` is not set.
const USUAL: &str = "/usr/local/bin:/usr/bin:/bin";

pub struct Program {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub folder: PathBuf,
    pub input: String,
    pub limit: Duration,
    pub most: usize,
    pub confined: Option<Confined>,
}

/// Settings shared by all programs of a session.
#[derive(Clone)]
pub struct Around {
    pub launcher: PathBuf,
    pub keys: Arc<[String]>,
    pub passed: Arc<[String]>,
    pub port_offset: u32,
}

#[derive(Debug)]
pub struct Said {
    pub how: How,
    pub output: String,
    /// Beginning of stderr.
    pub errors: String,
}

#[derive(Debug)]
pub enum How {
    Ended(ExitStatus),
    TimedOut,
    Stopped,
    /// The output exceeded the limit, so the program was stopped.
    Endless,
    NotStarted(String),
}

/// Returns the path of a program. `word` is relative to `base` or to the home folder, or a name in `PATH`.
pub fn resolved(word: &str, base: &Path, home: Option<&Path>) -> Result<PathBuf, String> {
    if let (Some(rest), Some(home)) = (word.strip_prefix("~/"), home) {
        return Ok(home.join(rest));
    }
    if word.contains('/') {
        return Ok(base.join(word));
    }
    let ours = Environment::of_process();
    let path = ours.get("PATH").unwrap_or(USUAL);
    find_program(word, path).ok_or_else(|| format!("there is no program `{word}` in PATH"))
}

pub async fn run(program: Program, around: &Around, stop: &Stop) -> Said {
    run_with_grace(program, around, stop, GRACE).await
}

/// Runs a program that gets the time `grace` after SIGTERM to finish its work.
pub async fn run_with_grace(program: Program, around: &Around, stop: &Stop, grace: Duration) -> Said {
    match attend(program, around, stop, grace).await {
        Ok(said) => said,
        Err(error) => Said {
            how: How::NotStarted(error.to_string()),
            output: String::new(),
            errors: String::new(),
        },
    }
}

struct Heard {
    pipe: pipe::Receiver,
    buffer: Vec<u8>,
    bytes: Vec<u8>,
    most: usize,
    is_open: bool,
    is_over: bool,
}

impl Heard {
    fn of(reader: PipeReader, most: usize) -> io::Result<Self> {
        Ok(Self {
            pipe: pipe::Receiver::from_owned_fd(OwnedFd::from(reader))?,
            buffer: vec![0; READ],
            bytes: Vec::new(),
            most,
            is_open: true,
            is_over: false,
        })
    }

    async fn hear(&mut self) {
        match self.pipe.read(&mut self.buffer).await {
            Ok(0) | Err(_) => self.is_open = false,
            Ok(count) => {
                let room = self.most.saturating_sub(self.bytes.len());
                let came = self.buffer.get(..count.min(room)).unwrap_or_default();
                self.bytes.extend_from_slice(came);
                self.is_over |= count > room;
            }
        }
    }

    /// Reads the rest in the pipe without waiting for more.
    fn hear_last(&mut self) {
        let room = self.most.saturating_sub(self.bytes.len());
        let mut last = lying_in(&self.pipe, room + 1);
        self.is_over |= last.len() > room;
        last.truncate(room);
        self.bytes.extend_from_slice(&last);
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

async fn attend(mut program: Program, around: &Around, stop: &Stop, grace: Duration) -> io::Result<Said> {
    let started = Instant::now();
    let input = input_file(program.input.as_bytes())?;
    let within = Within {
        until: started + program.limit,
        most: program.most,
        grace,
    };
    // Keep `confined` in this scope, so that the sandbox's resources exist as long as the program runs.
    let confined = program.confined.take();
    let launch = launch(program, around, confined.as_ref());
    follow(launch, input, within, stop).await
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    pub(super) until: Instant,
    pub(super) most: usize,
    pub(super) grace: Duration,
}

/// Starts a program with `input` as stdin, and reads its outputs until all its processes have ended.
pub(super) async fn follow(launch: Launch, input: File, within: Within, stop: &Stop) -> io::Result<Said> {
    let (mut running, [output, errors]) = children::start_with_input(launch, input).await?;
    let mut output = Heard::of(output, within.most)?;
    let mut errors = Heard::of(errors, MOST_ERRORS)?;
    let mut ended: Option<(io::Result<ExitStatus>, Instant)> = None;
    let mut by = None;
    let status = loop {
        let until = match (&ended, &by) {
            (Some((_, at)), _) => *at + LAST_WORDS,
            (None, None) => within.until,
            (None, Some(_)) => within.until + EVER,
        };
        tokio::select! {
            () = output.hear(), if output.is_open => {
                if output.is_over && by.is_none() && ended.is_none() {
                    by = Some(How::Endless);
                    running.stop_within(within.grace);
                }
            }
            () = errors.hear(), if errors.is_open => {}
            status = &mut running.exited, if ended.is_none() => {
                let status = status.unwrap_or_else(|_| Err(io::Error::other("its thread is gone")));
                ended = Some((status, Instant::now()));
            }
            () = stop.stopped(), if ended.is_none() && by.is_none() => {
                by = Some(How::Stopped);
                running.stop_within(within.grace);
            }
            () = tokio::time::sleep_until(until.into()) => match ended.take() {
                Some((status, _)) => {
                    output.hear_last();
                    errors.hear_last();
                    break status;
                }
                None => {
                    by = Some(How::TimedOut);
                    running.stop_within(within.grace);
                }
            },
        }
        if !output.is_open
            && !errors.is_open
            && let Some((status, _)) = ended.take()
        {
            break status;
        }
    };
    running.finish().await;
    let how = match (by, status) {
        (Some(by), _) => by,
        (None, _) if output.is_over => How::Endless,
        (None, Ok(status)) => How::Ended(status),
        (None, Err(error)) => How::NotStarted(error.to_string()),
    };
    Ok(Said {
        how,
        output: output.text(),
        errors: errors.text(),
    })
}

/// Creates a memory file for stdin. Unlike a pipe, the file never blocks Benchdog, even if the program never reads it.
pub(super) fn input_file(input: &[u8]) -> io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create("benchdog-input", MemfdFlags::CLOEXEC)?);
    file.write_all(input)?;
    file.rewind()?;
    Ok(file)
}

fn launch(program: Program, around: &Around, confined: Option<&Confined>) -> Launch {
    let plan = confined.map(|confined| Plan {
        input: Some(program.input.clone()),
        ..confined.plan.clone()
    });
    let withheld = Withheld {
        keys: &around.keys,
        passed: &around.passed,
        view: confined.map_or(View::Whole, Confined::view),
        tmp: confined.map(|confined| &confined.tmp),
    };
    let ours = Environment::of_process();
    Launch {
        launcher: around.launcher.clone(),
        variables: with_port_offset(
            variables(&ours, &withheld, &program.folder.to_string_lossy()),
            around.port_offset,
        ),
        program: program.program,
        arguments: program.arguments,
        folder: program.folder,
        confined: plan,
        then: confined.and_then(Confined::afterwards),
    }
}
