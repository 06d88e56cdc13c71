//! Tests of a file that another program saves during its review. The review reports the change, shows the new content,
//! and keeps the person's choices.

use serde_json::{Value, json};

use crate::hooks::script;
use crate::support::bench::letters_count;
use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn numbered() -> String {
    (1..=40).map(|n| format!("line {n}\n")).collect()
}

fn edits() -> Value {
    let edits = json!([{"old": "line 5\n", "new": "fifth\n"}, {"old": "line 30\n", "new": "thirtieth\n"}]);
    json!({"path": "a.txt", "edits": edits})
}

/// Returns a workbench with an edit under review, whose first hunk is discarded. The model has read the file.
fn reviewed(home: &Home) -> Pty {
    home.file("a.txt", &numbered());
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.wait_for_review("fifth");
    bench.enter_review();
    bench.keys("space");
    bench.wait_for_text("[ ] hunk 1");
    bench
}

#[test]
fn a_review_shows_the_change_against_what_was_saved_meanwhile_and_keeps_what_was_dropped() {
    for (columns, rows) in [(80, 24), (160, 45)] {
        let server = Server::start();
        let home = Home::with(&server).window(columns, rows);
        server.script([
            call("read", json!({"path": "a.txt"})),
            call("edit", edits()),
            text("Changed."),
        ]);
        let bench = reviewed(&home);
        home.file("a.txt", &format!("mine\n{}", numbered()));
        bench.wait_for("the sign and what was dropped", |screen| {
            screen.has("updated: changed") && screen.has("[ ] hunk 1")
        });
        assert!(!home.read("a.txt").contains("thirtieth"), "nothing is written by that");
        bench.wait_for("the letters to light up", letters_count);
        bench.keys("y");
        bench.wait_for_text("Changed.");
        let now = home.read("a.txt");
        assert!(
            now.starts_with("mine\n") && now.contains("line 5\n") && now.contains("thirtieth\n"),
            "{now}"
        );
        let request = server.request(3);
        assert!(
            request.last("tool").contains("saved elsewhere"),
            "{}",
            request.last("tool")
        );
        bench.leave();
    }
}

#[test]
fn a_review_says_at_once_that_its_change_does_not_fit_any_more_and_what_was_said_of_it_reaches_the_model() {
    let server = Server::start();
    let home = Home::with(&server).window(80, 24);
    server.script([call("edit", edits()), text("I read it again.")]);
    let bench = reviewed(&home);
    bench.keys("c");
    bench.wait_for_text("Comment on");
    bench.type_text("integers only");
    bench.keys("enter");
    bench.wait_for_text("» integers only");
    home.file("a.txt", &numbered().replace("line 30\n", "line thirty\n"));
    bench.wait_for_text("out of date");
    bench.wait_for("the letters to light up", letters_count);
    bench.keys("y");
    bench.wait_for_text("I read it again.");
    let request = server.request(2);
    assert!(
        request.says("integers only") && request.says("conflict"),
        "{:?}",
        request.messages()
    );
    assert_eq!(home.read("a.txt"), numbered().replace("line 30\n", "line thirty\n"));
    bench.leave();
}

#[test]
fn what_was_written_in_an_editor_outside_while_the_file_was_saved_elsewhere_is_what_is_proposed() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["hooks"] = json!({"approval": [{"name": "tell", "command": ["./tell"]}]});
    home.configure(&settings);
    let (heard, file) = (home.outside().join("heard"), home.path("a.txt"));
    let (heard, file) = (heard.display(), file.display());
    script(&home, "tell", &format!("cat > /dev/null; echo heard >> '{heard}'"));
    // Another program saves the file during the edit. The editor exits after Benchdog has noticed this.
    let writes = format!("sed -i 's/^fifth$/my fifth/' \"$1\"; echo theirs >> '{file}'");
    let waits = format!("for i in $(seq 600); do [ $(wc -l < '{heard}') -ge 2 ] && exit; sleep 0.1; done");
    script(&home, "editor", &format!("{writes}\n{waits}"));
    let editor = home.benchdog_home().join("editor");
    let home = home.env("EDITOR", &editor.to_string_lossy());
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", edits()),
        text("Changed."),
    ]);
    home.file("a.txt", &numbered());
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.wait_for_review("fifth");
    bench.enter_review();
    bench.keys("E");
    bench.wait_for("the text of the editor", |screen| {
        screen.has("my fifth") && screen.has("edited by you")
    });
    bench.wait_for("the letters to light up", letters_count);
    bench.keys("y");
    bench.wait_for_text("Changed.");
    let now = home.read("a.txt");
    assert!(
        now.contains("my fifth\n") && now.contains("thirtieth\n") && now.ends_with("theirs\n"),
        "{now}"
    );
    bench.leave();
}
