//! Tests that the person's editor takes over the terminal, and that Benchdog restores the terminal whatever the editor
//! does.

use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::server::Server;

/// Sets `script` as the editor. `$1` is the file with the text.
fn with_editor(server: &Server, script: &str) -> Home {
    let home = Home::with(server);
    let path = home.outside().join("editor");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("an editor");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("an editor that can be started");
    home.env("EDITOR", &path.to_string_lossy())
}

#[track_caller]
fn edit(home: &Home) -> Pty {
    let bench = home.bench(&[]);
    bench.type_text("my draft");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("my draft"));
    bench.keys("ctrl-g");
    bench
}

#[track_caller]
fn assert_leaves_well(bench: &Pty) {
    bench.keys("ctrl-c");
    bench.leave();
    assert_eq!(
        bench.left_behind(),
        Vec::<String>::new(),
        "{}",
        bench.raw().escape_debug()
    );
}

#[test]
fn what_the_editor_wrote_is_the_draft() {
    let server = Server::start();
    let home = with_editor(&server, "printf ' and 漢字' >> \"$1\"");
    let bench = edit(&home);
    bench.wait_for("the new draft", |screen| draft_of(screen).contains("my draft and 漢字"));
    assert_leaves_well(&bench);
}

#[test]
fn an_editor_that_dies_in_the_middle_leaves_neither_its_modes_nor_its_text() {
    let server = Server::start();
    // Sets raw mode, scroll region, origin mode, insert mode, mouse motion, application keys, and a hidden cursor.
    let mess = r"stty raw -echo; printf '\033[?1049hNOISE\033[3;10r\033[?6h\033[4h\033[?1003h\033[?1h\033=\033[?25l'";
    let home = with_editor(&server, &format!("{mess}; kill -9 $$"));
    let bench = edit(&home);
    bench.wait_for("what became of the editor", |screen| screen.has("SIGKILL"));
    bench.wait_for("the draft", |screen| draft_of(screen).contains("my draft"));
    assert!(!bench.look(|screen| screen.has("NOISE")));
    bench.type_text(" goes on");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("my draft goes on"));
    // A repaint shows the same screen, so the changed modes had no effect.
    bench.wait_for("the advice to be gone", |screen| !screen.has("SIGKILL"));
    let before = bench.look(|screen| screen.picture());
    let written = bench.written();
    bench.signal(Signal::CONT);
    bench.wait_for("the same picture anew", |screen| {
        screen.written() > written + 1_000 && screen.picture() == before
    });
    assert_leaves_well(&bench);
}

#[test]
fn an_editor_that_is_not_there_is_named() {
    let server = Server::start();
    let home = Home::with(&server).env("EDITOR", "no-such-editor");
    let bench = edit(&home);
    bench.wait_for_text("`no-such-editor` could not be started");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("my draft"));
    assert_leaves_well(&bench);
}

/// An editor that takes the terminal, saves, and does not exit.
const STAYS: &str = r#"stty raw -echo; printf '\033[?1049hNOISE\033[?1003h\033[?25l'; printf ' and saved' >> "$1"
trap '' TERM HUP; while :; do sleep 66.1; done"#;

#[test]
fn when_we_are_told_to_end_the_editor_ends_first_and_the_terminal_is_given_back() {
    for signal in [Signal::TERM, Signal::HUP] {
        let server = Server::start();
        let home = with_editor(&server, STAYS);
        let bench = edit(&home);
        bench.wait_for_text("NOISE");
        home.wait_for_process("sleep 66.1");
        bench.signal(signal);
        let status = bench.wait_exit();
        assert_eq!(status.exit_code(), 130, "{signal:?}");
        assert_eq!(
            bench.left_behind(),
            Vec::<String>::new(),
            "{}",
            bench.raw().escape_debug()
        );
        home.assert_gone("", std::time::Duration::from_secs(2));
        // The saved text is the draft.
        let again = home.bench(&[]);
        again.wait_for("the saved draft", |screen| {
            draft_of(screen).contains("my draft and saved")
        });
        again.keys("ctrl-c");
        again.leave();
    }
}

#[test]
fn what_was_typed_right_behind_the_key_that_opens_the_editor_was_overwritten_by_what_that_wrote() {
    let server = Server::start();
    let home = with_editor(&server, "printf ' and more' >> \"$1\"");
    let bench = home.bench(&[]);
    bench.type_text("my draft");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("my draft"));
    // Ctrl+G and text arrive in one write, as over a slow connection.
    bench.send(b"\x07 typed on");
    bench.wait_for("both texts", |screen| {
        draft_of(screen).contains("my draft and more typed on")
    });
    assert_leaves_well(&bench);
}
