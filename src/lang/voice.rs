//! Messages about `/voice`.

use super::{Word, message, word};
use benchdog_domain::voice::NoVoice;

pub fn no_voice(why: &NoVoice) -> String {
    match why {
        NoVoice::NotSet => word(Word::VoiceNotSet).to_owned(),
        NoVoice::NoFile { error } => message::voice_no_file(error),
        NoVoice::NotStarted { program, error } => message::voice_not_started(error, program),
        NoVoice::Ended { program, status, said } if said.is_empty() => message::voice_ended(program, status),
        NoVoice::Ended { program, status, said } => message::voice_ended_saying(program, said, status),
        NoVoice::NothingRecorded { program } => message::voice_nothing_recorded(program),
        NoVoice::TooLarge { megabytes } => message::voice_too_large(&megabytes.to_string()),
        NoVoice::Slow { program, seconds } => message::voice_slow(program, &seconds.to_string()),
        NoVoice::NothingHeard { by } => message::voice_nothing_heard(by),
        NoVoice::NoSpeech { provider } => message::voice_no_speech(provider),
        NoVoice::Server(failure) => super::failure(failure).joined(),
    }
}
