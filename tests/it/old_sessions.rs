//! Tests that sessions of an earlier binary are read, shown and continued exactly as by that binary.
//!
//! `tests/data/sessions/NAME/` has the session file, `ID.packed`, and `sent.jsonl`, the messages of its last request.
//! Both come from `make` and never change. The other files are golden files like those of `golden`. They are the
//! earlier binary's output for the session in a fresh home: list, transcripts, screen, and a continued run.

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

/// Name in the test data, and the session file in a fresh home.
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
        // With this home, the folder looks the same on every screen.
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

/// Time without a write after which a screen counts as final.
const STILL: Duration = Duration::from_millis(600);
/// Timeout for a screen to match the golden one.
const SOON: Duration = Duration::from_secs(10);

#[track_caller]
fn is_on_the_screen(name: &'static str) {
    // Use a common size, and a height at which the whole session is visible.
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

/// Returns the messages of a request, one per line. The test's folder is replaced by placeholders.
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
    // Skip the system prompt, which belongs to the version. The other messages belong to the log.
    for (index, line) in sent.lines().enumerate().skip(1) {
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
