//! Parses `voice`: the recorder, and the program or model that converts speech to text.

use super::layers::Layers;
use super::read::{text, texts};
use super::settings::{ProviderSettings, Transcriber, VoiceSettings};
use benchdog_base::problem::Problem;

pub const FILE: &str = "{file}";

pub(super) fn read(layers: &Layers, providers: &[(String, ProviderSettings)]) -> Result<VoiceSettings, Problem> {
    let record = texts(layers, &["voice", "record"]);
    let (record_at, transcribe_at) = (["voice", "record"], ["voice", "transcribe"]);
    let has_file = |words: &[String]| words.iter().skip(1).any(|word| word.contains(FILE));
    let without_file = |at: &[&str]| {
        let key = at.join(".");
        let told = format!("`{key}` has no `{FILE}`: write it where the program expects the path of the recording");
        layers.problem(at, told)
    };
    let transcribe = match text(layers, &transcribe_at) {
        Some(model) => Some(Transcriber::Model(model)),
        None => Some(texts(layers, &transcribe_at))
            .filter(|words| !words.is_empty())
            .map(Transcriber::Command),
    };
    if !record.is_empty() && !has_file(&record) {
        return Err(without_file(&record_at));
    }
    match &transcribe {
        Some(Transcriber::Command(words)) if !has_file(words) => return Err(without_file(&transcribe_at)),
        Some(Transcriber::Model(model)) => {
            let provider = model.split_once('/').filter(|(_, id)| !id.is_empty());
            let is_known = provider.is_some_and(|(name, _)| providers.iter().any(|(known, _)| known == name));
            if !is_known {
                let told = format!(
                    "`voice.transcribe` names no model of a configured provider: write `PROVIDER/MODEL` instead of \
                     `{model}`, or a command as a list"
                );
                return Err(layers.problem(&transcribe_at, told));
            }
        }
        _ => {}
    }
    match (record.is_empty(), &transcribe) {
        (false, None) => {
            let told = "`voice.record` has no effect without `voice.transcribe`";
            Err(layers.problem(&record_at, told.to_owned()))
        }
        (true, Some(_)) => {
            let told = "`voice.transcribe` has no effect without `voice.record`";
            Err(layers.problem(&transcribe_at, told.to_owned()))
        }
        _ => Ok(VoiceSettings { record, transcribe }),
    }
}
