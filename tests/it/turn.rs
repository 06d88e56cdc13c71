//! Tests one complete turn in the workbench: streamed, reviewed, accepted, written, checked, fixed.

use serde_json::json;

use crate::support::bench::draft_of;
use crate::support::home::{Home, config};
use crate::support::reply::{self, Gate, call, stream, text};
use crate::support::server::Server;

fn edit(old: &str, new: &str) -> reply::Reply {
    call(
        "edit",
        json!({"path": "total.txt", "edits": [{"old": old, "new": new}]}),
    )
}

#[test]
fn text_is_on_the_screen_before_the_stream_ends() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([stream()
        .says("The first half")
        .holds(&gate)
        .says(" and the rest.")
        .ends()]);
    let bench = home.bench(&[]);
    bench.ask("say something");
    bench.wait_for_text("The first half");
    assert!(bench.look(|screen| !screen.has("and the rest.")));
    gate.open();
    bench.wait_for_text("The first half and the rest.");
    bench.leave();
}

#[test]
fn an_edit_is_held_until_accepted_and_a_failing_check_is_fed_back_and_fixed() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["validation"] = json!({"command": "sh check.sh"});
    home.configure(&settings);
    home.file("total.txt", "alpha\r\nbeta\ngamma");
    home.file(
        "check.sh",
        "grep -q fixed total.txt || { echo 'the total is not fixed'; exit 1; }\n",
    );
    let gate = Gate::new();
    server.script([
        stream()
            .says("I read the total first.")
            .holds(&gate)
            .calls("read", json!({"path": "total.txt"}))
            .ends(),
        edit("beta", "wrong"),
        text("I changed it."),
        edit("wrong", "fixed"),
        text("Now the check passes."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("fix the total");
    bench.wait_for_text("I read the total first.");
    gate.open();

    bench.wait_for_review("wrong");
    assert_eq!(
        home.read("total.txt"),
        "alpha\r\nbeta\ngamma",
        "held: nothing is written yet"
    );
    assert_eq!(server.requests().len(), 2);
    bench.accept("wrong");
    bench.wait_for_review("fixed");
    // The file has exactly the approved bytes. Other lines keep their line endings, and no final newline is added.
    assert_eq!(home.read("total.txt"), "alpha\r\nwrong\ngamma");
    assert!(
        server.request(4).says("the total is not fixed"),
        "the failure goes back to the model"
    );
    bench.accept("fixed");
    bench.wait_for_text("Now the check passes.");
    assert_eq!(home.read("total.txt"), "alpha\r\nfixed\ngamma");
    bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
    assert_eq!(server.requests().len(), 5);
    server.assert_append_only();
    bench.leave();
}

#[test]
fn a_todo_list_of_the_model_is_shown_and_ticked() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    let items = json!([{"text": "look closely", "status": "in_progress"}, {"text": "tell", "status": "pending"}]);
    server.script([
        call("todowrite", json!({"items": items})),
        stream()
            .calls("todowrite", json!({"set": {"id": 1, "status": "completed"}}))
            .holds(&gate)
            .ends(),
        text("Told."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("do two things");
    bench.wait_for("the list with its first item going", |screen| {
        screen.has("[~] look closely") && screen.has("[ ] tell")
    });
    gate.open();
    bench.wait_for_text("[x] look closely");
    bench.wait_for_text("Told.");
    bench.leave();
}

#[test]
fn a_command_of_the_person_runs_without_the_model_and_is_told_to_it_later() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("seen.txt", "x\n");
    server.script([text("I saw it.")]);
    let bench = home.bench(&[]);
    bench.ask("!ls seen.txt");
    bench.wait_for("the command's end", |screen| screen.has("exit 0"));
    assert_eq!(server.requests().len(), 0);
    bench.ask("what did I run?");
    bench.wait_for_text("I saw it.");
    let request = server.request(1);
    request.assert_well_formed();
    assert!(request.says("seen.txt"), "{}", request.raw);
    bench.leave();
}

#[test]
fn what_is_typed_meanwhile_waits_its_turn_or_steers_the_very_next_request() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\n");
    let gate = Gate::new();
    server.script([stream()
        .says("Looking.")
        .holds(&gate)
        .calls("read", json!({"path": "notes.txt"}))
        .ends()]);
    server.when(
        |request| request.last("user").contains("the queued one"),
        text("Queued and answered."),
    );
    server.script([text("Steered and answered.")]);
    let bench = home.bench(&[]);
    bench.ask("look at the notes");
    bench.wait_for_text("Looking.");
    bench.ask("the queued one");
    bench.type_text("count words too");
    bench.wait_for_text("count words too");
    bench.keys("alt-s");
    bench.wait_for("an empty prompt", |screen| !draft_of(screen).contains("count"));
    gate.open();
    bench.wait_for_text("Queued and answered.");
    let told: Vec<bool> = server
        .requests()
        .iter()
        .map(|request| request.says("count words too"))
        .collect();
    assert_eq!(
        told,
        [false, true, true],
        "the steering text went into the very next request"
    );
    let asked: Vec<bool> = server
        .requests()
        .iter()
        .map(|request| request.says("the queued one"))
        .collect();
    assert_eq!(asked, [false, false, true], "the queued one after the turn");
    server.assert_append_only();
    bench.leave();
}
