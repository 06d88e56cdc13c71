//! Tests of sessions in git worktrees. Each has its own files and branch, the main tree keeps its index and stash, and
//! a kill loses nothing.

mod setup;

use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;
use serde_json::json;

use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn git_in(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("git");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn git(home: &Home, arguments: &[&str]) -> String {
    git_in(&home.project(), arguments)
}

/// Creates a repository with a commit, a stash, and a staged change.
fn repository(home: &Home) {
    git(home, &["init", "-q", "-b", "main"]);
    home.file("a.txt", "one\n");
    git(home, &["add", "a.txt"]);
    git(home, &["commit", "-qm", "words"]);
    home.file("a.txt", "stashed\n");
    git(home, &["stash", "-q"]);
    home.file("b.txt", "staged\n");
    git(home, &["add", "b.txt"]);
}

/// Returns the repository's files that worktrees must not change.
fn untouched(home: &Home) -> (Vec<u8>, Vec<u8>) {
    let read = |name: &str| std::fs::read(home.path(name)).expect("a file of the repository");
    (read(".git/index"), read(".git/logs/refs/stash"))
}

fn worktree(home: &Home, name: &str) -> PathBuf {
    let kept = home.benchdog_home().join("data/worktrees");
    let kept = if kept.is_dir() {
        kept
    } else {
        home.benchdog_home().join("worktrees")
    };
    let mut repositories = std::fs::read_dir(&kept).expect("the folder of worktrees");
    repositories
        .next()
        .expect("a repository")
        .expect("its folder")
        .path()
        .join(name)
}

#[test]
fn three_sessions_in_three_worktrees_work_at_once_and_each_is_approved_after_going_there() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 45);
    repository(&home);
    let before = untouched(&home);
    let write = |text: &str| call("write", json!({"path": "made.txt", "content": format!("{text}\n")}));
    server.script([
        write("of one"),
        write("of two"),
        write("of three"),
        text("Done."),
        text("Done."),
        text("Done."),
    ]);
    let bench = home.bench(&[]);
    for name in ["one", "two", "three"] {
        bench.ask(&format!("/worktree {name}"));
        bench.wait_for_text(&format!("benchdog/{name}"));
        bench.ask(&format!("make it in {name}"));
        bench.wait_for_review(&format!("of {name}"));
    }
    bench.wait_for_text("2 waiting");
    for name in ["three", "one", "two"] {
        bench.wait_for_review(&format!("of {name}"));
        bench.accept(&format!("of {name}"));
        bench.wait_for_text("Done.");
        if name != "two" {
            bench.keys("ctrl-x o");
        }
    }
    for name in ["one", "two", "three"] {
        let made = std::fs::read_to_string(worktree(&home, name).join("made.txt"));
        assert_eq!(made.ok(), Some(format!("of {name}\n")));
    }
    assert!(!home.path("made.txt").exists());
    bench.leave();
    assert_eq!(untouched(&home), before);
    git(&home, &["fsck", "--strict"]);
}

#[test]
fn three_worktrees_at_work_are_found_again_after_a_kill_with_what_waits_and_what_was_typed() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 45);
    repository(&home);
    let before = untouched(&home);
    let write = |text: &str| call("write", json!({"path": "made.txt", "content": format!("{text}\n")}));
    let names = ["one", "two", "three"];
    let writes = names.map(|name| write(&format!("of {name}")));
    server.script(writes.into_iter().chain(names.map(|_| text("Done."))));
    let bench = home.bench(&[]);
    for name in names {
        bench.ask(&format!("/worktree {name}"));
        bench.wait_for_text(&format!("benchdog/{name}"));
        bench.ask(&format!("make it in {name}"));
        bench.wait_for_review(&format!("of {name}"));
    }
    for name in ["three", "one", "two"] {
        bench.wait_for_review(&format!("of {name}"));
        let draft = format!("more for {name}");
        bench.type_text(&draft);
        bench.wait_for("the draft", |screen| draft_of(screen).contains(&draft));
        home.wait_for_index(&draft);
        bench.keys("ctrl-x o");
    }
    bench.wait_for_review("of three");
    bench.type_text(" too");
    // The later text proves that the others were written.
    home.wait_for_index("more for three too");
    bench.signal(Signal::KILL);
    bench.wait_exit();
    for name in names {
        assert!(
            !worktree(&home, name).join("made.txt").exists(),
            "nobody has allowed it"
        );
    }

    let bench = home.bench(&[]);
    for name in names {
        bench.ask(&format!("/worktree {name}"));
        bench.wait_for_text(&format!("make it in {name}"));
        bench.wait_for_review(&format!("of {name}"));
        bench.wait_for("the draft", |screen| {
            draft_of(screen).contains(&format!("more for {name}"))
        });
        bench.accept(&format!("of {name}"));
        bench.wait_for_text("Done.");
        let made = std::fs::read_to_string(worktree(&home, name).join("made.txt"));
        assert_eq!(made.ok(), Some(format!("of {name}\n")));
        bench.keys("ctrl-x o");
        bench.wait_for("the first session", |screen| !screen.has(&format!("make it in {name}")));
    }
    bench.leave();
    assert_eq!(untouched(&home), before);
    git(&home, &["fsck", "--strict"]);
}

#[test]
fn worktrees_are_found_again_after_a_kill_and_removed_only_when_told() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    repository(&home);
    let before = untouched(&home);
    server.script([
        call("write", json!({"path": "made.txt", "content": "new\n"})),
        text("Written."),
        text("Again."),
    ]);
    let bench = home.open(&["--worktree", "fix it"]);
    bench.wait_for_text("benchdog/fix-it");
    bench.ask("make it");
    bench.accept("new");
    bench.wait_for_text("Written.");
    bench.signal(Signal::KILL);
    bench.wait_exit();

    let bench = home.bench(&[]);
    bench.ask("/worktree fix it");
    // The log contains the change. The kill may have truncated the answer about it.
    bench.wait_for_text("created +1");
    bench.ask("and again");
    bench.wait_for_text("Again.");
    bench.ask("/worktree list");
    bench.wait_for_text("1 changed file");
    bench.keys("ctrl-x w");
    bench.wait_for_text("Removing `fix-it`");
    bench.keys("down enter");
    bench.wait_for_text("Close it first");
    bench.keys("ctrl-x w");
    bench.wait_for("the first session", |screen| !screen.has("benchdog/fix-it"));
    bench.ask("/worktree list");
    bench.wait_for_text("1 changed file");
    bench.keys("ctrl-x w");
    bench.wait_for_text("Removing `fix-it`");
    bench.keys("enter");
    bench.wait_for("the prompt", |screen| !draft_of(screen).contains("list"));
    assert!(
        worktree(&home, "fix-it").join("made.txt").exists(),
        "the first answer keeps it"
    );
    bench.ask("/worktree list");
    bench.wait_for_text("1 changed file");
    bench.keys("ctrl-x w");
    bench.wait_for_text("Removing `fix-it`");
    bench.keys("down enter");
    bench.wait_for_text("and its branch were removed");
    assert!(!worktree(&home, "fix-it").exists());
    bench.leave();
    assert_eq!(git(&home, &["branch", "--list", "benchdog/*"]), "");
    assert_eq!(untouched(&home), before);
    git(&home, &["fsck", "--strict"]);
}

#[test]
fn where_no_worktree_can_be_a_sentence_says_why() {
    let server = Server::start();
    let home = Home::with(&server);
    let run = home.open(&["--worktree"]);
    run.wait_exit();
    assert!(run.raw().contains("not in a git repository"), "{}", run.raw());
    home.run(&["run", "--worktree", "x", "hello"]).assert_code(2);
    let bench = home.bench(&[]);
    bench.ask("/worktree fix");
    bench.wait_for_text("not in a git repository");
    bench.leave();
}

#[test]
fn worktrees_are_merged_one_by_one_and_what_conflicts_is_said_and_not_written() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 45);
    repository(&home);
    let lines: String = (1..=20).map(|line| format!("line {line}\n")).collect();
    home.file("long.txt", &lines);
    git(&home, &["add", "long.txt"]);
    git(&home, &["commit", "-qm", "long"]);
    home.file("c.txt", "staged\n");
    git(&home, &["add", "c.txt"]);
    let before = untouched(&home);
    let bench = home.bench(&[]);
    for (name, line) in [("one", "line 3\n"), ("two", "line 18\n"), ("three", "line 3\n")] {
        bench.ask(&format!("/worktree {name}"));
        bench.wait_for_text(&format!("benchdog/{name}"));
        let place = worktree(&home, name).join("long.txt");
        std::fs::write(place, lines.replace(line, &format!("{name} was here\n"))).expect("a change there");
    }
    // Switch from the third worktree to the main tree, which reviews each merge.
    for name in ["one", "two"] {
        bench.ask(&format!("/merge {name}"));
        bench.accept(&format!("{name} was here"));
        bench.wait_for("the end of the turn", |screen| {
            !screen.has("y allow") && home.read("long.txt").contains(&format!("{name} was here"))
        });
    }
    let merged = lines
        .replace("line 3\n", "one was here\n")
        .replace("line 18\n", "two was here\n");
    assert_eq!(home.read("long.txt"), merged);
    bench.ask("/merge three");
    bench.wait_for_text("Nothing was changed");
    bench.wait_for("what was, what is here and what is there", |screen| {
        screen.has("before | line 3") && screen.has("here   | one was here") && screen.has("there  | three was here")
    });
    assert_eq!(home.read("long.txt"), merged, "a conflict overwrites nothing");
    let place = worktree(&home, "three").join("long.txt");
    let there = lines.replace("line 3\n", "three was here\n");
    std::fs::write(place, there.replace("line 10\n", "three was here, too\n")).expect("a change there");
    bench.ask("/merge three");
    bench.accept("changed on both sides, not merged: line 3");
    bench.wait_for("what fits is here", |screen| {
        !screen.has("y allow") && home.read("long.txt").contains("three was here, too")
    });
    let merged = merged.replace("line 10\n", "three was here, too\n");
    assert_eq!(home.read("long.txt"), merged, "and nothing else");
    for name in ["FIRST.md", "SECOND.md"] {
        std::fs::write(worktree(&home, "one").join(name), format!("{name} is new\n")).expect("a new file there");
        bench.ask("/merge one");
        bench.accept(&format!("{name} is new"));
        bench.wait_for("the new file", |screen| {
            !screen.has("y allow") && home.path(name).exists()
        });
    }
    bench.leave();
    assert_eq!(untouched(&home), before);
    git(&home, &["fsck", "--strict"]);
}
