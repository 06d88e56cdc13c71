//! Tests of `/review` in the workbench. Findings are rows that open their places.

use serde_json::json;

use super::{changed, found};
use crate::support::home::Home;
use crate::support::reply::{Gate, call, calls, stream, text};
use crate::support::server::Server;

#[test]
fn findings_are_rows_that_open_their_places_and_the_model_knows_them() {
    let server = Server::start();
    let home = changed(&server);
    let status = home.git(&["status", "--porcelain"]);
    server.script([found("error"), text("One real problem."), text("Mended.")]);
    let bench = home.bench(&[]);
    bench.ask("/review");
    bench.wait_for_text("One real problem.");
    bench.wait_for("the rows", |screen| {
        screen.has("2 findings")
            && screen.has("error    src/money.rs:2  divides by zero")
            && screen.has("Check first.")
            && screen.has("note     購物車/新.rs:1  no test")
    });
    let asked = server.request(1);
    assert!(asked.last("user").contains("+fn round() { 1 / 0 }"), "{}", asked.raw);
    assert!(asked.body["tools"].to_string().contains("\"findings\""));
    bench.keys("alt-2");
    bench.keys("up");
    bench.keys("up");
    bench.keys("enter");
    bench.wait_for("the place of the first", |screen| screen.has("fn round() { 1 / 0 }"));
    bench.keys("esc");
    bench.wait_for("the viewer is closed", |screen| !screen.has("Esc closes"));
    bench.keys("down");
    bench.keys("p");
    bench.wait_for("the place of the second", |screen| screen.has("fn new() {}"));
    bench.keys("esc");
    bench.wait_for("the viewer is closed", |screen| !screen.has("Esc closes"));
    bench.keys("alt-3");
    bench.ask("mend the first");
    bench.wait_for_text("Mended.");
    let told = server.request(3);
    assert!(
        told.raw.contains("src/money.rs:2: error: divides by zero"),
        "{}",
        told.raw
    );
    assert!(!told.body["tools"].to_string().contains("\"findings\""));
    assert_eq!(home.git(&["status", "--porcelain"]), status);
    bench.leave();
    let again = home.bench(&["-c"]);
    again.wait_for("the rows of before", |screen| {
        screen.has("src/money.rs:2  divides by zero") && screen.has("Mended.")
    });
    again.leave();
}

#[test]
fn nothing_found_nothing_different_and_no_range_are_each_one_sentence() {
    let server = Server::start();
    let home = changed(&server);
    server.script([call("findings", json!({"findings": []})), text("All well.")]);
    let bench = home.bench(&[]);
    bench.ask("/review nosuch");
    bench.wait_for_text("`nosuch` is neither a path here");
    bench.ask("/review HEAD");
    bench.wait_for_text("The review found no problems.");
    home.git(&["add", "."]);
    home.git(&["commit", "-qm", "second"]);
    bench.ask("/review");
    bench.wait_for_text("no differences");
    assert_eq!(server.requests().len(), 2);
    bench.leave();
    let bare = Home::with(&server);
    let bench = bare.bench(&[]);
    bench.ask("/review");
    bench.wait_for_text("not in a git repository");
    bench.leave();
}

#[test]
fn who_reviews_changes_nothing_also_where_edits_are_accepted() {
    let server = Server::start();
    let home = changed(&server);
    let status = home.git(&["status", "--porcelain"]);
    server.script([
        calls([
            ("write", json!({"path": "src/money.rs", "content": "mended\n"})),
            ("bash", json!({"command": "touch planted"})),
        ]),
        found("warning"),
        text("Looked."),
    ]);
    let bench = home.bench(&["-a", "accept-edits"]);
    bench.ask("/review");
    bench.refuse("touch planted");
    bench.wait_for_text("Looked.");
    bench.wait_for_text("warning  src/money.rs:2");
    assert_eq!(home.git(&["status", "--porcelain"]), status);
    assert!(!home.path("planted").exists() && home.read("src/money.rs").contains("1 / 0"));
    bench.leave();
}

#[test]
fn esc_stops_it_and_what_is_asked_for_meanwhile_comes_back() {
    let server = Server::start();
    let home = changed(&server);
    let gate = Gate::new();
    server.script([stream().says("I look").holds(&gate).ends(), text("Here.")]);
    let bench = home.bench(&[]);
    bench.ask("/review");
    bench.wait_for_text("review");
    server.request(1);
    bench.ask("/review HEAD");
    bench.wait_for("the line in the prompt again", |screen| screen.has("› /review HEAD"));
    bench.keys("esc");
    bench.wait_for_text("interrupted");
    bench.keys("ctrl-c");
    bench.wait_for("an empty prompt", |screen| !screen.has("› /review HEAD"));
    bench.ask("are you there?");
    bench.wait_for_text("Here.");
    gate.open();
    bench.leave();
}

#[test]
fn where_there_are_only_lines_each_finding_is_one() {
    let server = Server::start();
    let home = changed(&server);
    server.script([found("error"), text("One real problem.")]);
    let bench = home.open(&["--linear"]);
    bench.wait_for_text(">");
    for line in ["/review nosuch", "/review"] {
        bench.type_text(line);
        bench.keys("enter");
        if line.ends_with("nosuch") {
            bench.wait_for_text("`nosuch` is neither a path here");
        }
    }
    bench.wait_for("what was found", |screen| {
        screen.has("src/money.rs:2") && screen.has("divides by zero") && screen.has("One real problem.")
    });
    assert_eq!(server.requests().len(), 2);
    bench.keys("ctrl-d");
    bench.wait_exit();
}
