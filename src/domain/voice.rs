//! Speech for the prompt: recording, and turning it into text.

use super::failure::Failure;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceOrder {
    Start,
    /// Ends the recording and starts the transcription.
    Finish,
    /// Drops the recording or its text.
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
    /// The text of the recording. Voice is off again.
    Heard(String),
    /// There is no text. Voice is off again.
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
    /// A program that failed, with its exit status and the last line of its errors.
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
