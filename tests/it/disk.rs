//! Tests of disks with little space and of files that cannot be written. The log contains every action, and the
//! messages are helpful.

use serde_json::json;

use crate::headless::assert_scripted;
use crate::onboarding::{choose, set_up};
use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{call, text};
use crate::support::server::Server;
use crate::support::small_disk::SmallDisk;
use crate::support::traced::killer;

#[test]
fn a_disk_that_is_full_ends_the_turn_with_1_and_says_so() {
    let server = Server::start();
    let home = Home::with(&server);
    let noise = "x".repeat(20_000);
    home.file("noise.txt", &noise.replace("xxxxxxxxxx", "0123456789\n"));
    server.script((0..40).map(|_| call("read", json!({"path": "noise.txt"}))));
    let run = home.run_on_small_disk(400, &["run", "--output", "stream-json", "read on and on"]);
    run.assert_code(1);
    let lines = assert_scripted(&run);
    assert_eq!(lines.last().expect("a line")["outcome"], "error", "{run}");
    assert_eq!(run.events("error")[0]["code"], "storage_full", "{run}");
    assert!(server.requests().len() < 40, "nothing went on that was not saved");
}

#[test]
fn a_session_that_cannot_be_written_does_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    std::fs::write(home.benchdog_home().join("data"), "in the way").expect("a file where the folder should be");
    server.script([call("bash", json!({"command": "touch made"})), text("Done.")]);
    let run = home.run(&["run", "--approve", "all", "make it"]);
    run.assert_code(1);
    assert!(run.stderr.contains("data"), "{run}");
    assert!(!home.project().join("made").exists(), "nothing is done without a log");
    assert!(server.requests().is_empty());
}

#[test]
fn outputs_are_kept_while_the_disk_has_room_and_never_take_the_last_of_it() {
    let server = Server::start();
    let mut home = Home::with(&server);
    let Some(disk) = SmallDisk::at(&mut home, "benchdog/cache", "size=4m") else {
        return;
    };
    for lines in [20_000, 200_000, 400_000, 20_001] {
        server.script([call("bash", json!({"command": format!("seq 1 {lines}")}))]);
    }
    server.script([text("Done.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "count"]);
    run.assert_code(0);
    let said: Vec<String> = run
        .events("tool_finished")
        .iter()
        .map(|result| {
            assert_eq!(result["status"], "ok", "{run}");
            result["output"].as_str().unwrap_or_default().to_owned()
        })
        .collect();
    let kept = |at: usize| said[at].contains("the whole output is in `");
    assert!(kept(0) && kept(1) && kept(3), "{run}");
    assert!(
        said[2].contains("the whole output could not be kept: the disk is nearly full"),
        "{run}"
    );
    assert!(
        said[2].starts_with("1\n2\n") && said[2].contains("400000\n"),
        "both ends are there"
    );
    assert!(disk.free() >= (4 << 20) / 20, "{} bytes are free", disk.free());
}

#[test]
fn what_was_kept_of_a_session_goes_with_it() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([call("bash", json!({"command": "seq 1 20000"})), text("Done.")]);
    home.run(&["run", "--approve", "all", "count"]).assert_code(0);
    let outputs = home.benchdog_home().join("cache/outputs");
    let sessions: Vec<_> = std::fs::read_dir(&outputs).expect("outputs").collect();
    assert_eq!(sessions.len(), 1);
    let id = sessions[0].as_ref().expect("a folder").file_name();
    home.run(&["sessions", "delete", &id.to_string_lossy()]).assert_code(0);
    assert!(!outputs.join(&id).exists());
}

/// Checks that the error is reported exactly once, with advice.
#[track_caller]
fn assert_told_once(run: &Finished, error: &str, helps: &str) {
    assert_eq!(run.stderr.matches("could not").count(), 1, "{run}");
    assert!(run.stderr.contains(error) && run.stderr.contains(helps), "{run}");
}

#[test]
fn what_is_durable_stays_on_a_full_disk_and_goes_on_when_there_is_room() {
    let server = Server::start();
    let mut home = Home::with(&server);
    let Some(disk) = SmallDisk::at(&mut home, "benchdog/data", "size=3m") else {
        return;
    };
    disk.fill(0);
    let run = home.run(&["run", "nowhere to keep it"]);
    run.assert_code(1);
    assert_told_once(&run, "No space left", "`benchdog sessions delete`");
    disk.relieve();
    server.script([text("First.")]);
    home.run(&["run", "one"]).assert_code(0);
    disk.fill(0);
    let run = home.run(&["run", "-c", "two"]);
    run.assert_code(1);
    assert_told_once(&run, "No space left", "`benchdog sessions delete`");
    let listed = home.run(&["sessions", "list"]);
    listed.assert_code(0);
    let id = listed.stdout.split(' ').next().unwrap_or_default();
    let shown = home.run(&["sessions", "show", id]);
    assert!(
        shown.stdout.contains("First.") && !shown.stdout.contains("two"),
        "{shown}"
    );
    home.run(&["sessions", "check"]).assert_code(0);
    let bench = home.bench(&["-c"]);
    bench.wait_for_text("First.");
    disk.fill(0);
    bench.ask("three");
    bench.wait_for_text("left on device");
    bench.keys("ctrl-u");
    bench.leave();
    disk.relieve();
    server.script([text("Second.")]);
    home.run(&["run", "-c", "four"]).assert_code(0);
    home.run(&["sessions", "check"]).assert_code(0);
}

#[test]
fn whole_outputs_give_way_to_what_cannot_be_had_again() {
    let server = Server::start();
    let mut home = Home::with(&server);
    let Some(disk) = SmallDisk::at(&mut home, "benchdog", "size=8m") else {
        return;
    };
    let settings = serde_json::to_string(&config(&server.base_url())).expect("JSON");
    std::fs::write(disk.path("config.jsonc"), settings).expect("a configuration");
    server.script([call("bash", json!({"command": "seq 1 200000"})), text("Counted.")]);
    home.run(&["run", "--approve", "all", "count"]).assert_code(0);
    let sessions = || std::fs::read_dir(disk.path("cache/outputs")).expect("outputs").count();
    assert_eq!(sessions(), 1, "it was kept");
    disk.fill(0);
    // The answer exceeds the free space of the session file.
    server.script([text(&"Kept. ".repeat(100_000))]);
    home.run(&["run", "-c", "go on"]).assert_code(0);
    assert_eq!(sessions(), 0);
}

#[test]
fn a_configuration_for_which_there_is_no_room_leaves_the_old_one_in_its_place() {
    let server = Server::start();
    let mut home = Home::bare().env("OPENAI_BASE_URL", &server.base_url());
    let Some(disk) = SmallDisk::at(&mut home, "benchdog", "size=3m") else {
        return;
    };
    let old = "// Mine, with a reason.\n{ \"ui\": { \"theme\": \"dark\" } }\n";
    std::fs::write(disk.path("config.jsonc"), old).expect("a configuration");
    let bench = set_up(&home);
    bench.wait_for_text(&server.base_url());
    disk.fill(0);
    choose(&bench);
    bench.wait_for_text("left on device");
    let found = std::fs::read_to_string(disk.path("config.jsonc")).expect("the old one");
    assert_eq!(found, old);
    assert!(!disk.path("config.jsonc.bak").exists() && !disk.path("config.new").exists());
}

fn left_in(home: &Home) -> usize {
    let items = std::fs::read_dir(home.project()).expect("the project");
    let names = items.map(|item| item.expect("a file").file_name());
    names
        .filter(|name| name.to_string_lossy().starts_with(".benchdog"))
        .count()
}

#[test]
fn what_a_killed_write_leaves_in_the_workspace_is_removed_by_the_next_start_there() {
    let server = Server::start();
    let mut home = Home::with(&server);
    home.file("notes.txt", "old\n").file(".benchdog-write-mine", "mine\n");
    // Only the final step of a file write uses this system call.
    let Some(killer) = killer("renameat") else { return };
    let plain = home.program.clone();
    home.program.splice(0..0, killer);
    server.script([
        call("read", json!({"path": "notes.txt"})),
        call("write", json!({"path": "notes.txt", "content": "new\n"})),
    ]);
    let run = home.run(&["run", "--approve", "all", "write it"]);
    assert_ne!(run.code, Some(0), "{run}");
    assert_eq!((home.read("notes.txt").as_str(), left_in(&home)), ("old\n", 2), "{run}");
    home.program = plain;
    server.script([text("Done.")]);
    home.run(&["run", "go on"]).assert_code(0);
    assert_eq!(left_in(&home), 1);
    assert_eq!(home.read(".benchdog-write-mine"), "mine\n");
    let notes = std::fs::read_dir(home.benchdog_home().join("data/writing")).expect("the notes");
    assert_eq!(notes.count(), 0);
}

#[test]
fn a_patch_for_which_there_is_no_room_changes_no_file() {
    let server = Server::start();
    let mut home = Home::with(&server);
    let Some(disk) = SmallDisk::at(&mut home, "project", "size=1m") else {
        return;
    };
    for name in ["a.txt", "b.txt"] {
        std::fs::write(disk.path(name), format!("{name}\n").repeat(10_000)).expect("a file");
    }
    let wanted = "x".repeat(30_000);
    let part = |name: &str| format!("--- a/{name}\n+++ b/{name}\n@@ -1,1 +1,2 @@\n {name}\n+{wanted}\n");
    let patch = [part("a.txt"), part("b.txt")].concat();
    disk.fill(100_000);
    server.script([call("patch", json!({"patch": patch})), text("Done.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "patch it"]);
    run.assert_code(0);
    let said = &run.events("tool_finished")[0];
    let output = said["output"].as_str().unwrap_or_default();
    assert!(
        output.contains("has no room for it") && output.contains("Nothing was changed"),
        "{run}"
    );
    for name in ["a.txt", "b.txt"] {
        let found = std::fs::read_to_string(disk.path(name)).expect("a file");
        assert_eq!(found.lines().count(), 10_000, "{name}");
    }
    assert_eq!(std::fs::read_dir(disk.path("")).expect("the project").count(), 3);
}
