//! Tests of `benchdog demo`: the whole product without a model, with and without a terminal.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::bench::PANES;
use crate::support::home::Home;

/// Parses the folder in the line `benchdog -C FOLDER -c`.
fn folder_of(said: &str) -> PathBuf {
    let found = regex::Regex::new(r"benchdog -C (\S+) -c").expect("a fixed pattern");
    let captures = found
        .captures(said)
        .unwrap_or_else(|| panic!("it does not say how to come back:\n{said}"));
    PathBuf::from(captures[1].trim_matches(['`', '\'', '"']))
}

fn check_passes(folder: &Path) -> bool {
    let check = Command::new("/bin/sh")
        .arg("./check.sh")
        .current_dir(folder)
        .output()
        .expect("a shell");
    check.status.success()
}

#[test]
fn without_a_terminal_it_prints_the_turn_and_the_check_really_passes() {
    let home = Home::bare();
    let run = home.run(&["demo"]);
    run.assert_code(0);
    for word in ["todo", "read", "edit", "check passed"] {
        assert!(run.stdout.contains(word), "the turn does not show {word:?}\n{run}");
    }
    assert!(
        run.stdout.contains("record"),
        "it is honestly called a recording\n{run}"
    );
    assert!(
        run.stdout.lines().any(|line| line.trim_start().starts_with("+ ")),
        "the edit is shown\n{run}"
    );
    assert!(!run.stdout.contains('\u{1b}'), "plain lines\n{run}");
    let folder = folder_of(&format!("{}{}", run.stdout, run.stderr));
    assert!(
        folder.starts_with(home.benchdog_home().join("data/demo")),
        "{}",
        folder.display()
    );
    assert!(check_passes(&folder));
}

#[test]
fn every_demo_has_a_folder_of_its_own_that_starts_with_a_failing_check() {
    let home = Home::bare();
    let first = home.run(&["demo"]);
    let second = home.run(&["demo"]);
    assert_ne!(folder_of(&first.stdout), folder_of(&second.stdout));
    let bench = home.bench(&["demo"]);
    bench.wait_for_review("total.sh");
    let held = std::fs::read_dir(home.benchdog_home().join("data/demo")).expect("the demo folders");
    let failing = held
        .filter_map(Result::ok)
        .filter(|entry| !check_passes(&entry.path()))
        .count();
    assert_eq!(failing, 1, "only the one whose edit is still held");
}

#[test]
fn in_a_terminal_all_six_panes_are_there_and_the_person_approves() {
    let home = Home::bare().window(140, 40);
    let bench = home.bench(&["demo"]);
    bench.wait_for("a word about the recording, and none about a window", |screen| {
        screen.has("This demo plays a recording") && !screen.has("does not report a context size")
    });
    bench.wait_for_review("total.sh");
    bench.accept("total.sh");
    bench.wait_for("all six panes", |screen| PANES.iter().all(|pane| screen.has(pane)));
    bench.wait_for("a ticked list", |screen| {
        screen.has("[x]") && !screen.has("[~]") && !screen.has("[ ]")
    });
    bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
    bench.leave();
    let folder = folder_of(&bench.raw());
    assert!(check_passes(&folder));

    let again = home.bench(&["-C", &folder.to_string_lossy(), "-c"]);
    again.wait_for("the same transcript, without a provider", |screen| {
        screen.has("total.sh") && screen.has("check.sh")
    });
    // The setup form opens, because no server is configured.
    again.wait_for_text(" SETUP ");
    again.keys("esc");
    again.wait_for_text(" PROMPT ");
    again.leave();
}

#[test]
fn a_refusal_ends_the_recording_with_a_word_about_it() {
    let home = Home::bare();
    let bench = home.bench(&["demo"]);
    bench.refuse("total.sh");
    bench.wait_for("the end of the recording", |screen| {
        screen.text().to_lowercase().contains("recording ends")
    });
    bench.leave();
    assert!(!check_passes(&folder_of(&bench.raw())));
}
