//! Speech input for the prompt: recording and transcription.

use super::failure::Failure;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceOrder {
    Start,
    Finish,
    Cancel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VoiceState {
    #[default]
    Off,
    Recording,
    Transcribing,
}

#[derive(Debug, Clone, PartialEq)]
pub enum VoiceReport {
    State(VoiceState),
    /// Text of the recording. Voice input is off again.
    Heard(String),
    /// The recording gave no text, for the reason in `NoVoice`. Voice input is off again.
    Failed(NoVoice),
}

#[derive(Debug, Clone, PartialEq)]
pub enum NoVoice {
    NotSet,
    NoFile {
        error: String,
    },
    NotStarted {
        program: String,
        error: String,
    },
    /// A program failed. Contains its exit status and the last line of its stderr.
    Ended {
        program: String,
        status: String,
        said: String,
    },
    NothingRecorded {
        program: String,
    },
    TooLarge {
        megabytes: u64,
    },
    Slow {
        program: String,
        seconds: u64,
    },
    NothingHeard {
        by: String,
    },
    NoSpeech {
        provider: String,
    },
    Server(Failure),
}
