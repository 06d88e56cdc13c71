//! Tests of a session that cannot be opened or created. The problem is reported, and nothing is written elsewhere.

use serde_json::Value;

use crate::headless::assert_scripted;
use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::text;
use crate::support::server::Server;

pub fn sessions(home: &Home) -> Vec<Value> {
    let listed = home.run(&["sessions", "list", "--format", "json"]);
    listed.assert_code(0);
    let mut lines = listed.json_lines();
    lines[0].as_array_mut().map(std::mem::take).unwrap_or_default()
}

pub fn one_session(server: &Server) -> (Home, String) {
    let home = Home::with(server);
    server.script([text("The answer.")]);
    home.run(&["run", "a question"]).assert_code(0);
    let id = sessions(&home)[0]["id"].as_str().expect("an id").to_owned();
    (home, id)
}

fn damage(home: &Home, id: &str) -> std::path::PathBuf {
    let path = home.benchdog_home().join(format!("data/sessions/{id}.redb"));
    std::fs::write(&path, "not a session at all\n".repeat(900)).expect("a file of the home");
    path
}

#[track_caller]
fn assert_said_and_nothing_done(run: &Finished, code: i32, words: &[&str], server: &Server, asked: usize) {
    run.assert_code(code);
    for word in words {
        assert!(run.stderr.contains(word), "{word:?} is missing\n{run}");
    }
    assert_eq!(server.requests().len(), asked, "nothing is sent\n{run}");
}

#[test]
fn a_run_with_nothing_to_go_on_with_is_a_wrong_argument() {
    let server = Server::start();
    let home = Home::with(&server);
    let project = home.project().to_string_lossy().into_owned();
    let run = home.run(&["run", "-c", "hello"]);
    assert_said_and_nothing_done(&run, 2, &["no earlier session", &project, "sessions list"], &server, 0);
    let run = home.run(&["run", "-r", "nobody", "hello"]);
    assert_said_and_nothing_done(&run, 2, &["`nobody`", "sessions list"], &server, 0);
    let run = home.run(&["run", "--output", "stream-json", "-r", "nobody", "hello"]);
    run.assert_code(2);
    let last = run.json_lines().pop().expect("a last line");
    assert_eq!(last["type"], "turn_finished", "{run}");
    assert!(last["session"].is_null() && last["outcome"] == "error", "{run}");
    assert!(sessions(&home).is_empty(), "no session came of it");
}

#[test]
fn a_run_says_which_of_several_sessions_it_could_be() {
    let server = Server::start();
    let (home, first) = one_session(&server);
    server.script([text("Another answer.")]);
    home.run(&["run", "another question"]).assert_code(0);
    let second = sessions(&home)[0]["id"].as_str().expect("an id").to_owned();
    let shared: String = first
        .chars()
        .zip(second.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a)
        .collect();
    assert!(!shared.is_empty(), "ids of one hour begin alike: {first} {second}");
    let run = home.run(&["run", "-r", &shared, "hello"]);
    assert_said_and_nothing_done(&run, 2, &[&first, &second], &server, 2);
}

#[test]
fn a_run_on_a_damaged_session_names_its_file_and_does_nothing_else() {
    let server = Server::start();
    let (home, id) = one_session(&server);
    let path = damage(&home, &id);
    let before = std::fs::read(&path).expect("the file");
    for arguments in [&["run", "-c", "hello"][..], &["run", "-r", &id, "hello"]] {
        let run = home.run(arguments);
        let path = path.to_string_lossy();
        assert_said_and_nothing_done(&run, 1, &[&path, "damaged", "backup"], &server, 1);
    }
    let run = home.run(&["run", "--output", "stream-json", "-c", "hello"]);
    run.assert_code(1);
    let lines = assert_scripted(&run);
    assert_eq!(lines.last().expect("a line")["outcome"], "error", "{run}");
    assert_eq!(run.events("error")[0]["code"], "session_damaged", "{run}");
    assert_eq!(std::fs::read(&path).expect("the file"), before, "it is left as it is");
    assert_eq!(sessions(&home).len(), 1, "no other session came of it");
}

#[test]
fn a_run_on_a_session_that_is_open_elsewhere_names_the_process_and_its_terminal() {
    let server = Server::start();
    let (home, id) = one_session(&server);
    let bench = home.bench(&["-c"]);
    bench.wait_for_text("The answer.");
    let holder = format!("process {}", bench.pid());
    for arguments in [&["run", "-c", "hello"][..], &["run", "-r", &id, "hello"]] {
        let run = home.run(arguments);
        assert_said_and_nothing_done(&run, 1, &[&holder, "/dev/pts/", "sessions fork"], &server, 1);
    }
    bench.leave();
    assert_eq!(sessions(&home).len(), 1, "no other session came of it");
}

#[test]
fn the_workbench_takes_no_prompt_for_a_session_it_could_not_open() {
    let server = Server::start();
    let (home, id) = one_session(&server);
    damage(&home, &id);
    // The prompt on the command line is only for that session.
    let bench = home.bench(&["-r", &id, "meant for the old session"]);
    bench.wait_for("what is wrong and the prompt given back", |screen| {
        screen.has("damaged") && screen.has("Nothing was done") && draft_of(screen).contains("meant for the old")
    });
    bench.keys("enter");
    bench.wait_for("the prompt given back again", |screen| {
        screen.text().matches("Nothing was done").count() == 2 && draft_of(screen).contains("meant for the old")
    });
    assert_eq!(server.requests().len(), 1, "nothing was sent");
    bench.keys("ctrl-c");
    bench.wait_for("an empty prompt", |screen| !draft_of(screen).contains("meant for"));
    // The person chose the new session. From here on, it is a normal session.
    server.script([text("A new beginning.")]);
    bench.ask("/new");
    bench.wait_for("the new session", |screen| !screen.has("damaged"));
    bench.ask("start over");
    bench.wait_for_text("A new beginning.");
    bench.leave();
    assert!(!server.request(2).says("meant for the old session"));
}

#[test]
fn a_session_that_could_not_be_begun_is_begun_with_its_first_entry_or_nothing_is_done() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    let folder = home.benchdog_home().join("data/sessions");
    let away = home.outside().join("away");
    std::fs::rename(&folder, &away).expect("the folder moves");
    std::fs::write(&folder, "in the way").expect("a file in its place");
    bench.ask("/new");
    bench.wait_for("that the session has no lease", |screen| screen.has("could not lock"));
    bench.ask("said into nothing");
    bench.wait_for("the prompt and that it was not saved", |screen| {
        screen.has("said into nothing") && screen.text().matches("could not lock").count() > 1
    });
    assert!(server.requests().is_empty(), "without a log nothing is done");
    std::fs::remove_file(&folder).expect("the file goes");
    std::fs::rename(&away, &folder).expect("the folder is back");
    server.script([text("Now it is saved.")]);
    bench.ask("said once more");
    bench.wait_for_text("Now it is saved.");
    bench.leave();
    let again = home.bench(&["-c"]);
    again.wait_for("all of it", |screen| {
        ["said into nothing", "said once more", "Now it is saved."]
            .iter()
            .all(|text| screen.has(text))
    });
    again.leave();
}
