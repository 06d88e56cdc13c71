//! Tests of damaged, foreign-version, missing or read-only files. Each gives one clear error, nothing is overwritten,
//! and everything else works.

use std::path::PathBuf;

use redb::{Database, ReadableDatabase, TableDefinition};
use serde_json::json;

use crate::shut::{one_session, sessions};
use crate::support::home::Home;
use crate::support::reply::text;
use crate::support::server::Server;

fn index(home: &Home) -> PathBuf {
    home.benchdog_home().join("data/index.redb")
}

/// Adds an entry of a later version directly to the file.
fn add_entry(home: &Home, id: &str, entry: &serde_json::Value) {
    const ENTRIES: TableDefinition<u64, &[u8]> = TableDefinition::new("entries");
    let path = home.benchdog_home().join(format!("data/sessions/{id}.redb"));
    let database = Database::open(path).expect("a session file");
    let transaction = database.begin_write().expect("a transaction");
    let number = entry["id"].as_u64().expect("an id");
    let bytes = serde_json::to_vec(entry).expect("an entry is JSON");
    transaction
        .open_table(ENTRIES)
        .expect("the entries")
        .insert(number, bytes.as_slice())
        .expect("one more");
    transaction.commit().expect("a commit");
    drop(database.begin_read());
}

#[test]
fn an_index_that_is_damaged_in_any_way_is_kept_aside_and_made_anew() {
    for (name, bytes) in [("empty", Vec::new()), ("garbage", b"no index\n".repeat(900))] {
        let server = Server::start();
        let (home, _) = one_session(&server);
        std::fs::write(index(&home), &bytes).expect("an index");
        server.script([text("It goes on.")]);
        let run = home.run(&["run", "-c", "go on"]);
        run.assert_code(0);
        assert!(
            server.request(2).says("a question"),
            "{name}: the session was found\n{run}"
        );
        assert!(run.stderr.contains("index.redb.damaged-"), "{name}: it is said\n{run}");
        let aside = std::fs::read_dir(home.benchdog_home().join("data")).expect("the data folder");
        let aside: Vec<_> = aside
            .filter_map(|item| Some(item.ok()?.path()))
            .filter(|path| path.to_string_lossy().contains("index.redb.damaged-"))
            .collect();
        assert_eq!(aside.len(), 1, "{name}: {aside:?}");
        assert_eq!(std::fs::read(&aside[0]).expect("what was there"), bytes, "{name}");
    }
}

#[test]
fn an_index_of_a_later_version_is_left_as_it_is_and_a_new_session_works_beside_it() {
    let server = Server::start();
    let (home, id) = one_session(&server);
    let mut bytes = std::fs::read(index(&home)).expect("an index");
    // Each of the two commit slots in the header begins with the format version.
    for slot in [64, 192] {
        bytes[slot] = 200;
    }
    std::fs::write(index(&home), &bytes).expect("an index");
    let listed = home.run(&["sessions", "list"]);
    listed.assert_code(1);
    assert!(
        listed.stderr.contains("index.redb") && listed.stderr.contains("another version"),
        "{listed}"
    );
    server.script([text("A new one.")]);
    home.run(&["run", "something else"]).assert_code(0);
    assert_eq!(
        std::fs::read(index(&home)).expect("an index"),
        bytes,
        "not a byte is changed"
    );
    // Remove the index, as the message advises. It is created again.
    std::fs::remove_file(index(&home)).expect("the index goes");
    let all = sessions(&home);
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all.iter().any(|session| session["id"] == id.as_str()));
}

#[test]
fn a_damaged_session_is_named_by_the_list_and_the_others_are_shown() {
    let server = Server::start();
    let (home, hurt) = one_session(&server);
    server.script([text("Whole.")]);
    home.run(&["run", "a whole one"]).assert_code(0);
    let whole = sessions(&home)[0]["id"].as_str().expect("an id").to_owned();
    let path = home.benchdog_home().join(format!("data/sessions/{hurt}.redb"));
    std::fs::write(&path, "no session\n".repeat(900)).expect("a file");
    std::fs::remove_file(index(&home)).expect("the index goes");
    let listed = home.run(&["sessions", "list", "--format", "json"]);
    listed.assert_code(0);
    assert!(listed.stdout.contains(&whole), "{listed}");
    assert!(
        listed.stderr.contains(&hurt) && listed.stderr.contains("backup"),
        "{listed}"
    );
    home.run(&["sessions", "show", &whole]).assert_code(0);
    let shown = home.run(&["sessions", "show", &hurt]);
    assert_ne!(shown.code, Some(0), "{shown}");
}

#[test]
fn entries_that_are_not_understood_stay_in_the_log_and_the_session_goes_on() {
    let server = Server::start();
    let (home, id) = one_session(&server);
    let number = sessions(&home)[0]["entries"].as_u64().expect("a number") + 1;
    let unknown = json!({"v": 1, "id": number, "turn": 1, "time": 7, "kind": "hologram", "depth": [1, 2]});
    add_entry(&home, &id, &unknown);
    server.script([text("Still here.")]);
    home.run(&["run", "-c", "go on"]).assert_code(0);
    server.assert_append_only();
    let shown = home.run(&["sessions", "show", &id, "--format", "json"]);
    shown.assert_code(0);
    let entries = shown.json_lines()[0]["entries"].clone();
    let place = usize::try_from(number - 1).expect("a place");
    assert_eq!(entries[place], unknown, "{shown}");
}

#[test]
fn a_session_with_entries_of_a_later_version_is_shown_and_nothing_is_written_to_it() {
    let server = Server::start();
    let (home, id) = one_session(&server);
    let number = sessions(&home)[0]["entries"].as_u64().expect("a number") + 1;
    let later = json!({"v": 9, "id": number, "turn": 1, "time": 8, "kind": "user", "text": "in another way"});
    add_entry(&home, &id, &later);
    let path = home.benchdog_home().join(format!("data/sessions/{id}.redb"));
    let before = std::fs::read(&path).expect("a session");
    let run = home.run(&["run", "-c", "go on"]);
    run.assert_code(1);
    assert!(run.stderr.contains("entries of version 9"), "{run}");
    let bench = home.bench(&["-c"]);
    bench.wait_for("the session and why it is not written to", |screen| {
        screen.has("The answer.") && screen.has("entries of version 9")
    });
    bench.ask("go on");
    bench.wait_for_text("is not open");
    bench.keys("ctrl-c");
    bench.leave();
    assert_eq!(server.requests().len(), 1, "nothing is asked");
    assert!(
        std::fs::read(&path).expect("a session") == before,
        "not a byte is changed"
    );
}

#[test]
fn the_check_reads_every_session_and_saves_what_it_can_of_a_damaged_one() {
    let server = Server::start();
    let (home, hurt) = one_session(&server);
    server.script([text("Whole.")]);
    home.run(&["run", "a whole one"]).assert_code(0);
    let sound = home.run(&["sessions", "check"]);
    sound.assert_code(0);
    assert_eq!(sound.stdout.matches("  intact  ").count(), 2, "{sound}");
    let path = home.benchdog_home().join(format!("data/sessions/{hurt}.redb"));
    let mut bytes = std::fs::read(&path).expect("a session");
    let letter = b"The answer.";
    while let Some(at) = bytes.windows(letter.len()).position(|here| here == letter) {
        bytes[at] = b'A';
    }
    std::fs::write(&path, &bytes).expect("a session");
    let found = home.run(&["sessions", "check"]);
    found.assert_code(1);
    assert!(found.stdout.contains(&format!("{hurt}  damaged  ")), "{found}");
    assert_eq!(found.stdout.matches("  intact  ").count(), 1, "{found}");
    assert_eq!(sessions(&home).len(), 2, "a look saves nothing");
    let saved = home.run(&["sessions", "check", &hurt, "--repair"]);
    saved.assert_code(1);
    assert!(saved.stdout.contains("in the new session"), "{saved}");
    assert!(
        std::fs::read(&path).expect("a session") == bytes,
        "not a byte is changed"
    );
    let all = sessions(&home);
    assert_eq!(all.len(), 3);
    let new = all
        .iter()
        .filter_map(|one| one["id"].as_str())
        .find(|id| saved.stdout.contains(&format!("session {id}")));
    let shown = home.run(&["sessions", "show", new.expect("the new one")]);
    shown.assert_code(0);
    assert!(shown.stdout.contains("a question"), "{shown}");
}

/// The pages contain random numbers. redb panics on some of them.
#[test]
fn a_session_whose_pages_contradict_each_other_is_an_error_and_no_panic_is_shown() {
    let server = Server::start();
    let (home, id) = one_session(&server);
    let path = home.benchdog_home().join(format!("data/sessions/{id}.redb"));
    let sound = std::fs::read(&path).expect("a session");
    for seed in 0..12 {
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut bytes = sound.clone();
        // Skip the header, which has a separate checksum.
        for byte in bytes.iter_mut().skip(4_096).filter(|byte| **byte != 0) {
            if dice.u8(..) < 40 {
                *byte = dice.u8(..);
            }
        }
        std::fs::write(&path, bytes).expect("a session");
        for arguments in [&["sessions", "show", &id][..], &["sessions", "check"][..]] {
            let run = home.run(arguments);
            run.assert_code(1);
            assert!(
                !run.stderr.contains("panicked") && !run.stdout.contains("panicked"),
                "{seed}\n{run}"
            );
            assert!(
                run.stderr.contains("is damaged") || run.stdout.contains("  damaged  "),
                "{seed}\n{run}"
            );
        }
    }
}

#[test]
fn a_data_folder_that_goes_away_while_a_session_is_open_stops_the_turn_and_says_so() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("The answer.")]);
    let bench = home.bench(&[]);
    bench.ask("a question");
    bench.wait_for_text("The answer.");
    let data = home.benchdog_home().join("data");
    let away = home.outside().join("away");
    std::fs::rename(&data, &away).expect("the folder moves");
    // The session file is closed shortly after the last write.
    bench.written_in(std::time::Duration::from_millis(600), std::time::Duration::ZERO);
    bench.ask("make it");
    bench.wait_for("which file is gone", |screen| {
        screen.has("✗ could not open or write") && screen.has("Ctrl+P commands")
    });
    assert_eq!(
        bench.look(|screen| screen.text().matches("✗ could not open or write").count()),
        1,
        "it is said once\n{}",
        bench.look(|screen| screen.text())
    );
    assert_eq!(server.requests().len(), 1, "without a log nothing is done");
    std::fs::remove_dir_all(&data).ok();
    std::fs::rename(&away, &data).expect("the folder is back");
    server.script([text("Saved again.")]);
    bench.ask("and now?");
    bench.wait_for_text("Saved again.");
    bench.leave();
    let id = sessions(&home)[0]["id"].as_str().expect("an id").to_owned();
    let shown = home.run(&["sessions", "show", &id]);
    for words in ["a question", "make it", "and now?", "Saved again."] {
        assert!(shown.stdout.contains(words), "{words:?} is missing\n{shown}");
    }
}
