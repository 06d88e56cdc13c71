//! Tests that voice is off until the person's own configuration names a recorder and a way to text.

use super::*;
use crate::settings::{Transcriber, VoiceSettings};

const PROVIDER: &str = r#""provider": {"local": {"base_url": "http://127.0.0.1:9/v1"}}"#;

fn voice(keys: &str) -> Fixture {
    Fixture::user(&format!(r#"{{{PROVIDER}, "voice": {{{keys}}}}}"#))
}

#[test]
fn a_recorder_and_a_command_or_a_model_are_read() {
    assert_eq!(Fixture::new().settings().voice, VoiceSettings::default());
    let read = voice(r#""record": ["arecord", "{file}"], "transcribe": ["whisper-cli", "-f", "{file}"]"#).settings();
    assert_eq!(read.voice.record, ["arecord", "{file}"]);
    let words = ["whisper-cli", "-f", "{file}"].map(str::to_owned).to_vec();
    assert_eq!(read.voice.transcribe, Some(Transcriber::Command(words)));
    let read = voice(r#""record": ["arecord", "{file}"], "transcribe": "local/org/whisper""#).settings();
    let model = "local/org/whisper".to_owned();
    assert_eq!(read.voice.transcribe, Some(Transcriber::Model(model)));
}

#[test]
fn a_voice_that_could_not_work_is_an_error() {
    for (keys, said) in [
        (
            r#""record": ["arecord"], "transcribe": "local/m""#,
            "`voice.record` has no `{file}`",
        ),
        (
            r#""record": ["{file}"], "transcribe": "local/m""#,
            "`voice.record` has no `{file}`",
        ),
        (
            r#""record": ["a", "{file}"], "transcribe": ["b"]"#,
            "`voice.transcribe` has no `{file}`",
        ),
        (
            r#""record": ["a", "{file}"], "transcribe": "other/m""#,
            "names no model of a configured provider",
        ),
        (
            r#""record": ["a", "{file}"], "transcribe": "whisper""#,
            "write `PROVIDER/MODEL` instead of `whisper`",
        ),
        (
            r#""record": ["a", "{file}"]"#,
            "has no effect without `voice.transcribe`",
        ),
        (r#""transcribe": "local/m""#, "has no effect without `voice.record`"),
    ] {
        let problems = voice(keys).problems();
        assert!(
            problems.len() == 1 && problems[0].starts_with("user.jsonc:1:") && problems[0].contains(said),
            "{keys}: {problems:?}"
        );
    }
}
