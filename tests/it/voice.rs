//! Tests of `/voice`. A real recorder program is started and ended, and its recording becomes text in the prompt.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::support::PATIENCE;
use crate::support::bench::draft_of;
use crate::support::home::{Home, config};
use crate::support::process::look_until;
use crate::support::server::Server;

/// Writes a header and some sound, and ends shortly after SIGTERM. Records the modes of its file and folder.
const RECORDER: &str = r#"#!/bin/sh
stat -c '%a' "$2" "$(dirname "$2")" > "$1/modes"
trap 'sleep 0.6; printf TAIL >> "$2"; echo ended > "$1/ended"; exit 0' TERM INT
{ printf 'RIFF'; head -c 100 /dev/zero; } > "$2"
echo "$2" > "$1/started"
while :; do sleep 0.05; done
"#;

/// Prints the end of the recording on two lines.
const TRANSCRIBER: &str = r#"#!/bin/sh
printf ' the end is\n %s \n' "$(tail -c 4 "$1")"
"#;

struct Scene {
    server: Server,
    home: Home,
}

impl Scene {
    fn new(voice: impl FnOnce(&Home) -> Value) -> Self {
        let server = Server::start();
        let home = Home::with(&server).window(200, 40);
        for (name, text) in [("rec", RECORDER), ("stt", TRANSCRIBER)] {
            let path = home.outside().join(name);
            std::fs::write(&path, text).expect("a script");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script");
        }
        let mut config = config(&server.base_url());
        config["voice"] = voice(&home);
        home.configure(&config);
        Self { server, home }
    }

    fn wait_for_recorder(&self) {
        let started = || self.noted("started").is_some();
        assert!(look_until(PATIENCE, started), "the recorder did not start");
    }

    fn noted(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.home.outside().join(name)).ok()
    }
}

fn outside(home: &Home, name: &str) -> String {
    home.outside().join(name).display().to_string()
}

fn recorder(home: &Home) -> Value {
    json!([outside(home, "rec"), outside(home, ""), "{file}"])
}

#[test]
fn a_recording_becomes_text_at_the_caret_and_is_removed() {
    let scene = Scene::new(|home| json!({"record": recorder(home), "transcribe": [outside(home, "stt"), "{file}"]}));
    let bench = scene.home.bench(&[]);
    bench.type_text("say: ");
    bench.keys("ctrl-x v");
    bench.wait_for_text("recording (Ctrl+X v ends");
    scene.wait_for_recorder();
    bench.keys("ctrl-x v");
    bench.wait_for("the text", |screen| draft_of(screen).contains("say: the end is TAIL"));
    assert_eq!(scene.noted("ended").as_deref(), Some("ended\n"));
    assert_eq!(scene.noted("modes").as_deref(), Some("600\n700\n"));
    let path = scene.noted("started").expect("a path");
    assert!(!std::path::Path::new(path.trim()).exists(), "{path}");
    assert_eq!(scene.server.requests().len(), 0, "nothing is sent");
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn a_recording_is_transcribed_by_a_model_of_a_provider() {
    let scene = Scene::new(|home| json!({"record": recorder(home), "transcribe": "kit/whisper-1"}));
    scene
        .server
        .page("/v1/audio/transcriptions", json!({"text": " Hello there. "}));
    let bench = scene.home.bench(&[]);
    bench.ask("/voice");
    scene.wait_for_recorder();
    bench.keys("ctrl-x v");
    bench.wait_for("the text", |screen| draft_of(screen).contains("Hello there."));
    let asked = scene.server.asked_at("/v1/audio/transcriptions");
    assert!(
        asked.contains("name=\"model\"") && asked.contains("whisper-1"),
        "{asked}"
    );
    assert!(asked.contains("RIFF") && asked.contains("TAIL"), "{asked}");
    scene.server.refuse("/v1/audio/transcriptions", 404, "no such model");
    std::fs::remove_file(scene.home.outside().join("started")).expect("a file");
    bench.keys("ctrl-x v");
    scene.wait_for_recorder();
    bench.keys("ctrl-x v");
    bench.wait_for_text("no such model");
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn a_recorder_that_fails_is_named_and_a_project_cannot_name_one() {
    let scene = Scene::new(|home| {
        let script = "#!/bin/sh\necho 'no microphone' >&2; exit 3\n";
        let path = home.outside().join("fails");
        std::fs::write(&path, script).expect("a script");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script");
        json!({"record": [path.display().to_string(), "{file}"], "transcribe": [outside(home, "stt"), "{file}"]})
    });
    let bench = scene.home.bench(&[]);
    bench.keys("ctrl-x v");
    bench.wait_for_text("no microphone");
    bench.leave();
    let evil = json!({"voice": {"record": ["touch", "{file}"], "transcribe": ["cat", "{file}"]}});
    scene.home.file(".benchdog/config.jsonc", &evil.to_string());
    let run = scene.home.run(&["run", "--trust", "hello"]);
    assert!(format!("{run}").contains("a project cannot set `voice"), "{run}");
    assert_eq!(scene.server.requests().len(), 0, "{run}");
}
