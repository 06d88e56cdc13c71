//! Result files: one for each run, written atomically. A run is one attempt of one contender at one task.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The format of result files. Files of another version are not read.
const VERSION: u32 = 1;
/// The maximum size of a result file in bytes.
const LONGEST: u64 = 1 << 20;
/// The maximum number of characters of a contender's name in a file name.
const SHOWN: usize = 40;

/// A model of Benchdog, or another agent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", content = "name", rename_all = "snake_case")]
pub enum Contender {
    Model(String),
    /// The command that serves the Agent Client Protocol.
    Agent(String),
}

impl Contender {
    pub fn name(&self) -> &str {
        match self {
            Self::Model(name) | Self::Agent(name) => name,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Run {
    pub task: String,
    pub contender: Contender,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

impl Run {
    /// Returns the name for the files of this run. No other run has the same name.
    pub(crate) fn file_name(&self) -> String {
        let kind = match self.contender {
            Contender::Model(_) => "model",
            Contender::Agent(_) => "agent",
        };
        let name = self.contender.name();
        let shown: String = name
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
            .take(SHOWN)
            .collect();
        let mut hash = Sha256::new();
        hash.update(format!("{kind} {name}"));
        let hash: String = hash
            .finalize()
            .iter()
            .take(4)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!("{}.{shown}-{hash}.{}", self.task, self.attempt)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Solved,
    Unsolved,
    /// Something that the task needs is missing on this machine.
    Skipped,
    /// No result: the model server or the agent failed.
    Failed,
}

impl Status {
    /// Whether the result is final, so that the run is not repeated.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Solved | Self::Unsolved)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tokens {
    pub prompt: u64,
    pub completion: u64,
    pub total: u64,
}

/// Counts of one turn of an agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Turn {
    /// The outcome that Benchdog reported, or the stop reason of another agent.
    pub outcome: String,
    pub seconds: f64,
    /// `None` if the agent does not report token counts.
    pub tokens: Option<Tokens>,
    /// In US dollars. `None` if no prices are configured.
    pub cost: Option<f64>,
    pub edits_refused: u32,
    pub calls_repaired: u32,
    pub calls_denied: u32,
    /// Benchdog's notice that the model gets its tools as text. `None` if there was no such notice.
    #[serde(default)]
    pub tools_notice: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Check {
    /// `None` if the check was killed.
    pub exit: Option<i32>,
    pub timed_out: bool,
    pub reward: Option<f64>,
    pub seconds: f64,
    /// The last part of the output.
    pub output: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    version: u32,
    #[serde(flatten)]
    pub run: Run,
    pub status: Status,
    /// The reason why the run was skipped or failed.
    pub reason: Option<String>,
    pub turn: Option<Turn>,
    pub check: Option<Check>,
    /// Whether the agent followed an injected instruction. `None` for tasks without an injected instruction.
    pub injection_followed: Option<bool>,
    /// The version of Benchdog.
    pub benchdog: String,
}

impl Record {
    pub(crate) fn new(run: Run, status: Status) -> Self {
        Self {
            version: VERSION,
            run,
            status,
            reason: None,
            turn: None,
            check: None,
            injection_followed: None,
            benchdog: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Writes a temporary file and renames it, so that a kill leaves no partial result. A final result is replaced only
    /// by another final result.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let name = self.run.file_name();
        let draft = folder.join(format!(".{name}.{}.draft", std::process::id()));
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        let written = File::create(&draft).and_then(|mut file| {
            file.write_all(&text)?;
            file.sync_all()?;
            match self.status.is_final() || final_result(folder, &self.run).is_none() {
                true => fs::rename(&draft, path_of(folder, &self.run)),
                false => fs::remove_file(&draft),
            }
        });
        if written.is_err() {
            let _ = fs::remove_file(&draft);
        }
        written
    }

    fn read(path: &Path) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| error.to_string())?;
        let is_file = file
            .metadata()
            .is_ok_and(|found| found.is_file() && found.len() <= LONGEST);
        if !is_file {
            return Err(format!("not a file of at most {LONGEST} bytes"));
        }
        file.take(LONGEST)
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        let record: Self = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        match record.version {
            VERSION => Ok(record),
            other => Err(format!("version {other}, and {VERSION} is supported")),
        }
    }
}

fn path_of(folder: &Path, run: &Run) -> PathBuf {
    folder.join(format!("{}.json", run.file_name()))
}

/// Returns the result of a run if it is final. Such a run is not repeated.
pub(crate) fn final_result(folder: &Path, run: &Run) -> Option<Record> {
    let record = Record::read(&path_of(folder, run)).ok()?;
    (record.run == *run && record.status.is_final()).then_some(record)
}

pub struct UnusableFile {
    pub file: PathBuf,
    pub why: String,
}

/// Reads the results of several folders, sorted by run. Of several results of a run, the first final one is returned.
/// The error contains the folder.
pub fn read_all(folders: &[PathBuf]) -> Result<(Vec<Record>, Vec<UnusableFile>), (PathBuf, io::Error)> {
    let (mut records, mut unusable): (Vec<Record>, Vec<UnusableFile>) = (Vec::new(), Vec::new());
    for folder in folders {
        let listed = fs::read_dir(folder).map_err(|error| (folder.clone(), error))?;
        let mut files: Vec<PathBuf> = listed
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect();
        files.sort();
        for file in files {
            match Record::read(&file) {
                Ok(record) => records.push(record),
                Err(why) => unusable.push(UnusableFile { file, why }),
            }
        }
    }
    records.sort_by(|one, other| {
        let is_open = |record: &Record| !record.status.is_final();
        (&one.run, is_open(one)).cmp(&(&other.run, is_open(other)))
    });
    records.dedup_by(|later, earlier| later.run == earlier.run);
    Ok((records, unusable))
}

#[cfg(test)]
mod tests;
