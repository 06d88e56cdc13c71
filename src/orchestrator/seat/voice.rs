//! `/voice`: records speech with a program that the person configured, and converts it to text with a program or model.
//!
//! The programs run outside the sandbox, so each recording has a private folder that no command of the model can
//! change. The folder is always removed. The text is inserted in the prompt input, where the person can edit it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{interval, timeout};

use super::Seat;
use crate::engine::{Engine, Line};
use benchdog_base::id::fresh;
use benchdog_config::settings::{Transcriber, VoiceSettings};
use benchdog_config::voice::FILE;
use benchdog_domain::voice::{NoVoice, VoiceOrder, VoiceReport, VoiceState};
use benchdog_protocol::{Answer, Event};
use benchdog_provider::Provider;
use benchdog_security::workspace::lock_unused;
use benchdog_tools::program::{self, Around, How, Program};
use benchdog_tools::{Stop, Stopper};

/// Maximum duration of a recording.
const MOST_TIME: Duration = Duration::from_secs(300);

/// Maximum size of a recording in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Interval between two checks of the size of the recording.
const LOOK: Duration = Duration::from_secs(1);

/// Timeout of the conversion to text.
const MOST_WAIT: Duration = Duration::from_secs(120);

/// Maximum time that a stopped recorder has for completing its file.
const GRACE: Duration = Duration::from_secs(2);

/// Maximum length of the text in bytes.
const MOST_TEXT: usize = 64 << 10;

/// Size of a WAV header in bytes. A file of at most this size contains no sound.
const HEADER: u64 = 44;

/// Maximum number of characters shown of a program's error message.
const MOST_SAID: usize = 200;

#[derive(Default)]
pub(super) struct Voice {
    task: JoinSet<()>,
    signals: Option<Signals>,
}

struct Signals {
    finish: Stopper,
    cancel: Stopper,
}

/// The file of a recording, in a separate folder. Dropping this value removes the folder.
struct Recording {
    folder: PathBuf,
    file: PathBuf,
    /// A lock on the folder. Other processes see that the folder is in use.
    _lock: Option<File>,
}

impl Recording {
    fn create(all: &Path) -> io::Result<Self> {
        remove_left(all);
        let folder = all.join(fresh());
        DirBuilder::new().mode(0o700).create(&folder)?;
        let recording = Self {
            file: folder.join("voice.wav"),
            _lock: lock_unused(&folder),
            folder,
        };
        let mut made = OpenOptions::new();
        made.write(true).create_new(true).mode(0o600).open(&recording.file)?;
        Ok(recording)
    }

    /// Reads the file by its path, because some recorders replace the file with a new one.
    fn read(file: &Path) -> io::Result<Vec<u8>> {
        let named = fs::symlink_metadata(file)?;
        let no_file = || io::Error::other("the recording is no regular file");
        named.is_file().then_some(()).ok_or_else(no_file)?;
        let file = File::open(file)?;
        if file.metadata()?.ino() != named.ino() {
            return Err(no_file());
        }
        let mut bytes = Vec::new();
        file.take(MOST_BYTES * 2).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Creates the parent folder of recordings, and removes recordings that a crash has left. Does not remove a locked
/// folder, because it is in use.
pub(crate) fn remove_left(all: &Path) {
    let _ = DirBuilder::new().recursive(true).mode(0o700).create(all);
    for item in fs::read_dir(all).into_iter().flatten().flatten() {
        if let Some(_held) = lock_unused(&item.path()) {
            let _ = fs::remove_dir_all(item.path());
        }
    }
}

struct Job {
    settings: VoiceSettings,
    recording: Recording,
    around: Around,
    home: Option<PathBuf>,
    /// The server in the setting `voice.transcribe`, with its name.
    provider: Option<(String, Arc<dyn Provider>)>,
    finish: Stop,
    cancel: Stop,
}

impl Seat {
    pub(crate) async fn order_voice(&mut self, engine: &mut Engine, order: VoiceOrder) {
        while self.voice.task.try_join_next().is_some() {}
        if self.voice.task.is_empty() {
            return match order {
                VoiceOrder::Start => self.start_voice(engine).await,
                // No recording is running, but the front end does not know this yet.
                VoiceOrder::Finish | VoiceOrder::Cancel => {
                    let off = VoiceReport::State(VoiceState::Off);
                    engine.answer(self.id, Answer::Voice(off)).await;
                }
            };
        }
        match (order, &self.voice.signals) {
            (VoiceOrder::Finish, Some(signals)) => signals.finish.stop(),
            (VoiceOrder::Cancel, Some(signals)) => signals.cancel.stop(),
            (VoiceOrder::Start, _) | (_, None) => {}
        }
    }

    async fn start_voice(&mut self, engine: &mut Engine) {
        let (finish, finished) = Stop::pair();
        let (cancel, cancelled) = Stop::pair();
        let job = match self.voice_job(engine, finished, cancelled) {
            Ok(job) => job,
            Err(why) => return engine.answer(self.id, Answer::Voice(VoiceReport::Failed(why))).await,
        };
        self.voice.signals = Some(Signals { finish, cancel });
        self.voice.task.spawn(attend(job, engine.line(self.id)));
    }

    fn voice_job(&self, engine: &mut Engine, finish: Stop, cancel: Stop) -> Result<Job, NoVoice> {
        let settings = self.settings.voice.clone();
        let transcribe = settings.transcribe.as_ref().ok_or(NoVoice::NotSet)?;
        let provider = match transcribe {
            Transcriber::Command(_) => None,
            Transcriber::Model(model) => {
                let name = model.split_once('/').map_or("", |(name, _)| name);
                let provider = engine.provider(&self.settings, name).ok_or(NoVoice::NotSet)?;
                Some((name.to_owned(), provider))
            }
        };
        let no_file = |error: io::Error| NoVoice::NoFile {
            error: error.to_string(),
        };
        Ok(Job {
            recording: Recording::create(&engine.setup.folders.voice()).map_err(no_file)?,
            around: self.around(engine),
            home: engine.setup.environment.get("HOME").map(Into::into),
            settings,
            provider,
            finish,
            cancel,
        })
    }
}

async fn attend(job: Job, line: Line) {
    let tell = |report| line.tell(Event::Answer(Answer::Voice(report)));
    tell(VoiceReport::State(VoiceState::Recording)).await;
    let cancel = job.cancel.clone();
    let text = async {
        job.record().await?;
        tell(VoiceReport::State(VoiceState::Transcribing)).await;
        job.text().await
    };
    let heard = tokio::select! {
        biased;
        () = cancel.stopped() => None,
        heard = text => Some(heard),
    };
    let report = match heard {
        None => VoiceReport::State(VoiceState::Off),
        Some(Ok(text)) => VoiceReport::Heard(text),
        Some(Err(why)) => VoiceReport::Failed(why),
    };
    drop(job);
    tell(report).await;
}

impl Job {
    async fn record(&self) -> Result<(), NoVoice> {
        let (stopper, stop) = Stop::pair();
        let mut run = pin!(self.run(&self.settings.record, (MOST_TIME, GRACE), &stop));
        let mut looks = interval(LOOK);
        let said = loop {
            tokio::select! {
                said = &mut run => break said?,
                () = self.finish.stopped(), if !stop.is_said() => stopper.stop(),
                _ = looks.tick() => if self.size() >= MOST_BYTES {
                    stopper.stop();
                },
            }
        };
        let program = name_of(&self.settings.record);
        match said.how {
            How::NotStarted(error) => return Err(NoVoice::NotStarted { program, error }),
            How::Ended(status) if !status.success() => {
                return Err(NoVoice::Ended {
                    program,
                    status: status.to_string(),
                    said: last_line(&said.errors),
                });
            }
            How::Ended(_) | How::Stopped | How::TimedOut | How::Endless => {}
        }
        match self.size() {
            // The file may have grown far beyond the limit between two checks of its size.
            size if size > MOST_BYTES + MOST_BYTES / 4 => Err(NoVoice::TooLarge {
                megabytes: MOST_BYTES >> 20,
            }),
            size if size <= HEADER => Err(NoVoice::NothingRecorded { program }),
            _ => Ok(()),
        }
    }

    async fn text(&self) -> Result<String, NoVoice> {
        let (text, by) = match &self.settings.transcribe {
            Some(Transcriber::Command(words)) => (self.text_of_program(words).await?, name_of(words)),
            Some(Transcriber::Model(model)) => (self.text_of_model(model).await?, model.clone()),
            None => return Err(NoVoice::NotSet),
        };
        // Programs insert line breaks where the speaker pauses.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.is_empty() {
            true => Err(NoVoice::NothingHeard { by }),
            false => Ok(text),
        }
    }

    async fn text_of_program(&self, words: &[String]) -> Result<String, NoVoice> {
        let program = name_of(words);
        // The stop signal is unused: if the job is cancelled, the future of the program is dropped.
        let (_stopper, stop) = Stop::pair();
        let said = self.run(words, (MOST_WAIT, Duration::ZERO), &stop).await?;
        match said.how {
            How::Ended(status) if status.success() => Ok(said.output),
            How::Ended(status) => Err(NoVoice::Ended {
                program,
                status: status.to_string(),
                said: last_line(&said.errors),
            }),
            How::NotStarted(error) => Err(NoVoice::NotStarted { program, error }),
            How::TimedOut | How::Stopped | How::Endless => Err(slow(program)),
        }
    }

    async fn text_of_model(&self, model: &str) -> Result<String, NoVoice> {
        let (Some((name, provider)), Some((_, id))) = (&self.provider, model.split_once('/')) else {
            return Err(NoVoice::NotSet);
        };
        let file = self.recording.file.clone();
        let read = spawn_blocking(move || Recording::read(&file)).await;
        let recording = read.unwrap_or_else(|broke| Err(io::Error::other(broke)));
        let recording = recording.map_err(|error| NoVoice::NoFile {
            error: error.to_string(),
        })?;
        let Some(asked) = provider.transcribe(id, &recording, MOST_WAIT) else {
            return Err(NoVoice::NoSpeech { provider: name.clone() });
        };
        match timeout(MOST_WAIT, asked).await {
            Ok(Ok(mut text)) => {
                text.truncate(text.floor_char_boundary(MOST_TEXT));
                Ok(text)
            }
            Ok(Err(error)) => Err(NoVoice::Server(error.failure())),
            Err(_) => Err(slow(model.to_owned())),
        }
    }

    async fn run(
        &self,
        words: &[String],
        (limit, grace): (Duration, Duration),
        stop: &Stop,
    ) -> Result<program::Said, NoVoice> {
        let [word, arguments @ ..] = words else {
            return Err(NoVoice::NotSet);
        };
        let file = self.recording.file.to_string_lossy();
        let base = self.home.as_deref().unwrap_or(Path::new("/"));
        let program = program::resolved(word, base, self.home.as_deref()).map_err(|error| NoVoice::NotStarted {
            program: word.clone(),
            error,
        })?;
        let program = Program {
            program,
            arguments: arguments.iter().map(|word| word.replace(FILE, &file)).collect(),
            folder: self.recording.folder.clone(),
            input: String::new(),
            limit,
            most: MOST_TEXT,
            confined: None,
        };
        Ok(program::run_with_grace(program, &self.around, stop, grace).await)
    }

    fn size(&self) -> u64 {
        fs::symlink_metadata(&self.recording.file).map_or(0, |file| file.len())
    }
}

fn name_of(words: &[String]) -> String {
    words.first().cloned().unwrap_or_default()
}

fn slow(program: String) -> NoVoice {
    NoVoice::Slow {
        program,
        seconds: MOST_WAIT.as_secs(),
    }
}

fn last_line(errors: &str) -> String {
    let line = errors.lines().rev().find(|line| !line.trim().is_empty());
    line.unwrap_or_default().trim().chars().take(MOST_SAID).collect()
}

#[cfg(test)]
mod tests;
