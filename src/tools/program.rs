//! A program that is told one JSON value on its standard input and answers on its outputs: hooks, and tools of the person's own. It is ended
//! with all it started when its time is over, when it is told to stop, or when it does not stop writing.

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
use super::bash::{Withheld, variables};
use super::confinement::Confined;
use super::last_words::lying_in;
use crate::base::environment::Environment;
use crate::children::confined::Plan;
use crate::children::{self, Launch, find_program};
use crate::domain::confinement::View;

/// What is kept of the errors it writes.
const MOST_ERRORS: usize = 16 << 10;

/// What is read at once.
const READ: usize = 64 << 10;

/// Once it has ended, its last words are waited for so long: a grandchild may hold the pipe.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// It was told to end, and is made to after a moment.
const EVER: Duration = Duration::from_secs(3_600);

/// Where programs are looked for without a `PATH`.
const USUAL: &str = "/usr/local/bin:/usr/bin:/bin";

/// One to be run.
pub(crate) struct Program {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) folder: PathBuf,
    pub(crate) input: String,
    pub(crate) limit: Duration,
    /// The bytes of its output that are read.
    pub(crate) most: usize,
    /// Confinement by the kernel. `None`: that of Benchdog itself.
    pub(crate) confined: Option<Confined>,
}

/// What every program of a session is started with.
#[derive(Clone)]
pub(crate) struct Around {
    /// Our own executable.
    pub(crate) launcher: PathBuf,
    /// Variables that hold keys of endpoints.
    pub(crate) keys: Arc<[String]>,
    /// Variables it gets although they look like secrets.
    pub(crate) passed: Arc<[String]>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) how: How,
    pub(crate) output: String,
    /// The beginning of what it wrote as errors.
    pub(crate) errors: String,
}

#[derive(Debug)]
pub(crate) enum How {
    Ended(ExitStatus),
    TimedOut,
    Stopped,
    /// It wrote more than is read.
    Endless,
    NotStarted(String),
}

/// The program that a word names: a path, or a name that is looked for in `PATH`. `base`: where a relative path begins.
pub(crate) fn resolved(word: &str, base: &Path, home: Option<&Path>) -> Result<PathBuf, String> {
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

pub(crate) async fn run(program: Program, around: &Around, stop: &Stop) -> Said {
    let started = Instant::now();
    match attend(program, around, stop, started).await {
        Ok(said) => said,
        Err(error) => Said {
            how: How::NotStarted(error.to_string()),
            output: String::new(),
            errors: String::new(),
        },
    }
}

/// One of its outputs as it comes.
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

    /// What lies in it is heard, and no more is waited for.
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

async fn attend(mut program: Program, around: &Around, stop: &Stop, started: Instant) -> io::Result<Said> {
    let input = told(&program.input)?;
    let until_limit = started + program.limit;
    let most = program.most;
    // What the sandbox lasts on lives as long as the program.
    let confined = program.confined.take();
    let launch = launch(program, around, confined.as_ref());
    let (mut running, [output, errors]) = children::start_apart(launch, input).await?;
    let mut output = Heard::of(output, most)?;
    let mut errors = Heard::of(errors, MOST_ERRORS)?;
    let mut ended: Option<(io::Result<ExitStatus>, Instant)> = None;
    let mut by = None;
    let status = loop {
        let until = match (&ended, &by) {
            (Some((_, at)), _) => *at + LAST_WORDS,
            (None, None) => until_limit,
            (None, Some(_)) => started + EVER,
        };
        tokio::select! {
            () = output.hear(), if output.is_open => {
                if output.is_over && by.is_none() && ended.is_none() {
                    by = Some(How::Endless);
                    running.stop();
                }
            }
            () = errors.hear(), if errors.is_open => {}
            status = &mut running.exited, if ended.is_none() => {
                let status = status.unwrap_or_else(|_| Err(io::Error::other("its thread is gone")));
                ended = Some((status, Instant::now()));
            }
            () = stop.stopped(), if ended.is_none() && by.is_none() => {
                by = Some(How::Stopped);
                running.stop();
            }
            () = tokio::time::sleep_until(until.into()) => match ended.take() {
                Some((status, _)) => {
                    output.hear_last();
                    errors.hear_last();
                    break status;
                }
                None => {
                    by = Some(How::TimedOut);
                    running.stop();
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
    // What it left behind ends with it.
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

/// What it reads, as a file in memory: it may read it whenever it likes, or never.
fn told(input: &str) -> io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create("benchdog-input", MemfdFlags::CLOEXEC)?);
    file.write_all(input.as_bytes())?;
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
        variables: variables(&ours, &withheld, &program.folder.to_string_lossy()),
        program: program.program,
        arguments: program.arguments,
        folder: program.folder,
        confined: plan,
        then: confined.and_then(Confined::afterwards),
    }
}
