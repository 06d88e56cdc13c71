//! Tests that the file tree shows external changes without a key press.

use std::process::Command;

use crate::support::home::Home;
use crate::support::server::Server;

#[test]
fn what_others_do_in_an_open_folder_shows_by_itself() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 40);
    home.file("src/main.rs", "fn main() {}\n");
    home.file("notes.txt", "one\n");
    let bench = home.bench(&[]);
    bench.wait_for_text("notes.txt");
    home.file("arrived.txt", "two\n");
    bench.wait_for_text("arrived.txt");
    std::fs::rename(home.path("arrived.txt"), home.path("renamed.txt")).expect("a rename");
    bench.wait_for("the new name alone", |screen| {
        screen.has("renamed.txt") && !screen.has("arrived.txt")
    });
    home.file("made/deep.txt", "three\n");
    bench.wait_for_text("made/");
    bench.keys("alt-1");
    bench.wait_for_text("made/");
    bench.keys("home");
    bench.keys("right");
    bench.wait_for_text("deep.txt");
    home.file("made/deeper.txt", "four\n");
    bench.wait_for_text("deeper.txt");
    std::fs::remove_dir_all(home.path("made")).expect("a folder to remove");
    bench.wait_for("the folder gone", |screen| !screen.has("made/") && !screen.has("deep"));
    home.file("made/again.txt", "five\n");
    bench.wait_for_text("again.txt");
    bench.keys("esc");
    bench.wait_for("the prompt to have the keyboard", |screen| screen.cursor_is_shown());
    bench.leave();
}

#[test]
fn gits_letters_follow_what_git_does() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 40);
    home.file("notes.txt", "one\n");
    let bench = home.bench(&[]);
    bench.wait_for_text("notes.txt");
    let git = |arguments: &[&str]| {
        let person = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        let mut git = Command::new("git");
        let status = git.args(person).args(arguments).current_dir(home.project()).status();
        assert!(status.expect("git").success());
    };
    let letter = |letter: &'static str| {
        bench.wait_for(&format!("{letter:?} beside the file"), move |screen| {
            let rows = screen.rows();
            let row = rows.iter().find(|row| row.contains("notes.txt"));
            row.and_then(|row| row.split('│').next().map(str::to_owned))
                .is_some_and(|row| row.replace("notes.txt", "").trim() == letter)
        });
    };
    letter("");
    git(&["init", "-q"]);
    letter("?");
    git(&["add", "."]);
    letter("A");
    git(&["commit", "-q", "-m", "first"]);
    letter("");
    bench.leave();
}

#[test]
fn what_happens_out_of_sight_writes_nothing() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 40);
    home.file("src/main.rs", "fn main() {}\n");
    let bench = home.bench(&[]);
    bench.wait_for_text("src/");
    let before = bench.written();
    for number in 0..50 {
        home.file(&format!("src/{number}.rs"), "one\n");
    }
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert_eq!(bench.written(), before);
    bench.leave();
}

#[test]
fn typing_narrows_the_tree_and_enter_stays_at_what_was_found() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 40);
    home.file("src/deep/main.rs", "fn main() {}\n");
    home.file("docs/说明/主页.md", "one\n");
    home.file("notes.txt", "two\n");
    let bench = home.bench(&[]);
    bench.wait_for_text("notes.txt");
    bench.keys("alt-1");
    bench.keys("/");
    bench.type_text("主");
    bench.wait_for("the file and the folders it is in", |screen| {
        screen.has("▾ docs/") && screen.has("▾ 说明/") && screen.has("主页.md") && screen.has("1 of 1")
    });
    bench.wait_for("nothing else", |screen| !screen.has("notes.txt") && !screen.has("src/"));
    bench.keys("esc");
    bench.wait_for("the tree as it was", |screen| {
        screen.has("▸ docs/") && screen.has("notes.txt")
    });
    bench.keys("/");
    bench.type_text("main");
    bench.wait_for("the file", |screen| screen.has("main.rs") && !screen.has("docs/"));
    bench.keys("enter");
    bench.wait_for("the tree, open there", |screen| {
        screen.has("▾ deep/") && screen.has("main.rs") && screen.has("▸ docs/")
    });
    bench.keys("enter");
    bench.wait_for_text("@src/deep/main.rs");
    bench.keys("ctrl-u");
    bench.leave();
}
