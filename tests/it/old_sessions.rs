//! Sessions that an earlier binary wrote: read, shown, and gone on with exactly as that binary did it.
//!
//! `tests/data/sessions/NAME/` holds the session file as it was left on disk, `ID.packed`, and `sent.jsonl`, the messages of the last
//! request of that session; both come from `make` and are never written again. Beside them stands what the earlier binary made of
//! the file in a fresh home: the list, the transcripts, the screen, and a run that goes on with it. Those are golden files
//! like the ones of `golden`, written anew and held in the same way.

mod make;
mod packed;

use std::time::Duration;

use serde_json::Value;

use crate::golden::normal::Normal;
use crate::golden::pages::{data, hold, writes};
use crate::golden::stage::plain_home;
use crate::support::home::Home;
use crate::support::process::look_until;
use crate::support::reply::text;
use crate::support::server::Server;
use make::settings;

/// What a session is called in the test data, and its file put into a fresh home.
struct Old {
    name: &'static str,
    id: String,
    home: Home,
    server: Server,
}

impl Old {
    fn of(name: &'static str, window: (u16, u16)) -> Self {
        let folder = std::fs::read_dir(data(&format!("sessions/{name}"))).expect("a session of an earlier binary");
        let file = folder
            .filter_map(|file| Some(file.ok()?.path()))
            .find(|path| path.extension().is_some_and(|extension| extension == "packed"))
            .expect("its file");
        let id = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let server = Server::start();
        let home = plain_home().window(window.0, window.1).env("TZ", "UTC");
        // The folder is the same on every screen.
        let above = home.project().parent().expect("a folder above").display().to_string();
        let home = home.env("HOME", &above);
        home.configure(&settings(&server));
        let sessions = home.benchdog_home().join("data/sessions");
        std::fs::create_dir_all(&sessions).expect("a folder for sessions");
        let bytes = packed::unpacked(&std::fs::read(&file).expect("a packed file"));
        std::fs::write(sessions.join(format!("{id}.redb")), bytes).expect("the file of the session");
        Self { name, id, home, server }
    }

    #[track_caller]
    fn hold(&self, file: &str, lines: &[String]) {
        hold(&format!("sessions/{}/{file}", self.name), lines);
    }

    /// A command's stdout, byte for byte.
    #[track_caller]
    fn hold_output(&self, file: &str, arguments: &[&str]) {
        let run = self.home.run(arguments);
        run.assert_code(0);
        let lines: Vec<String> = run.stdout.lines().map(str::to_owned).collect();
        self.hold(file, &lines);
    }
}

#[track_caller]
fn is_listed_and_printed(name: &'static str) {
    let old = Old::of(name, (100, 30));
    old.hold_output("list.json", &["sessions", "list", "--format", "json"]);
    old.hold_output("list.txt", &["sessions", "list"]);
    for (format, file) in [
        ("text", "show.txt"),
        ("markdown", "show.md"),
        ("jsonl", "show.jsonl"),
        ("json", "show.json"),
    ] {
        old.hold_output(file, &["sessions", "show", &old.id, "--format", format]);
    }
}

/// How long nothing is drawn before a screen counts as it will stay.
const STILL: Duration = Duration::from_millis(600);
/// How long a screen may take to become the golden one.
const SOON: Duration = Duration::from_secs(10);

#[track_caller]
fn is_on_the_screen(name: &'static str) {
    // As a person sees it, and once so tall that the whole session stands there.
    for (file, window) in [("screen.txt", (100, 30)), ("screen-tall.txt", (100, 140))] {
        let old = Old::of(name, window);
        let bench = old.home.bench(&["-r", &old.id]);
        let rows = || bench.look(|screen| screen.rows());
        if writes() {
            bench.written_in(STILL, Duration::ZERO);
        } else {
            let golden = std::fs::read_to_string(data(&format!("sessions/{name}/{file}"))).expect("a golden screen");
            look_until(SOON, || {
                rows().iter().map(|row| format!("{row}\n")).collect::<String>() == golden
            });
        }
        old.hold(file, &rows());
    }
}

/// The messages of a request, one a line; the first of them and the note of the scratch folder name the folder of the test.
fn messages(messages: &[Value], home: &Home) -> Vec<String> {
    let home = home.outside().to_string_lossy().into_owned();
    let mut lines: Vec<String> = messages.iter().map(Value::to_string).collect();
    if let Some(system) = lines.first_mut() {
        *system = system.replace(&home, "HOME");
    }
    if let Some(last) = lines.last_mut() {
        *last = last.replace(&home, "HOME");
    }
    lines
}

#[track_caller]
fn goes_on(name: &'static str) {
    let old = Old::of(name, (100, 30));
    old.server.script([text("Going on.")]);
    let run = old
        .home
        .run(&["run", "--output", "stream-json", "-r", &old.id, "and now?"]);
    run.assert_code(0);
    let request = old.server.request(1);
    request.assert_well_formed();
    let now = messages(request.messages(), &old.home);
    let sent = std::fs::read_to_string(data(&format!("sessions/{name}/sent.jsonl"))).expect("what was sent");
    for (index, line) in sent.lines().enumerate() {
        assert_eq!(
            now.get(index).map(String::as_str),
            Some(line),
            "message {index} of `{name}` is another one"
        );
    }
    old.hold("request.jsonl", &now);
    let lines = Normal::of(old.home.outside()).stream(run.json_lines());
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    old.hold("resumed.jsonl", &lines);
}

#[test]
fn a_session_with_every_kind_of_entry_is_listed_and_printed() {
    is_listed_and_printed("kinds");
}

#[test]
fn a_session_with_every_kind_of_entry_is_on_the_screen() {
    is_on_the_screen("kinds");
}

#[test]
fn a_session_with_every_kind_of_entry_goes_on() {
    goes_on("kinds");
}

#[test]
fn a_session_killed_in_a_command_is_listed_and_printed() {
    is_listed_and_printed("killed");
}

#[test]
fn a_session_killed_in_a_command_is_on_the_screen() {
    is_on_the_screen("killed");
}

#[test]
fn a_session_killed_in_a_command_goes_on() {
    goes_on("killed");
}

#[test]
fn a_session_in_wide_letters_is_listed_and_printed() {
    is_listed_and_printed("wide");
}

#[test]
fn a_session_in_wide_letters_is_on_the_screen() {
    is_on_the_screen("wide");
}

#[test]
fn a_session_in_wide_letters_goes_on() {
    goes_on("wide");
}

#[test]
fn a_session_of_turns_that_ended_badly_is_listed_and_printed() {
    is_listed_and_printed("ended");
}

#[test]
fn a_session_of_turns_that_ended_badly_is_on_the_screen() {
    is_on_the_screen("ended");
}

#[test]
fn a_session_of_turns_that_ended_badly_goes_on() {
    goes_on("ended");
}
