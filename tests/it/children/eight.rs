//! Tests of eight simultaneous subagents, most with different outcomes.

use serde_json::json;

use super::{may_give_work, plays, requests_of, results, task, write};
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{Gate, calls, never, status, stream, text};
use crate::support::request::Request;
use crate::support::server::Server;

const EIGHT: [(&str, &str); 8] = [
    ("explore", "find callers"),
    ("general", "write one"),
    ("general", "write two"),
    ("explore", "never ends"),
    ("explore", "fails"),
    ("explore", "makes steps"),
    ("explore", "fills up"),
    ("explore", "find tests"),
];

/// Starts eight subagents. Those that change something wait for the gate.
fn eight(server: &Server, gate: &Gate) {
    let gate = gate.clone();
    plays(server, move |who, turn| match (who, turn) {
        ("go", 0) => calls(EIGHT.map(|(agent, prompt)| task(agent, prompt))),
        ("go", _) => text("All eight are back."),
        ("write one", 0) => stream()
            .says("One.")
            .holds(&gate)
            .calls("write", write("one.txt"))
            .ends(),
        ("write two", 0) => stream()
            .says("Two.")
            .holds(&gate)
            .calls("write", write("two.txt"))
            .ends(),
        ("never ends", _) => never(),
        ("fails", _) => status(500, "broken").header("retry-after", "0"),
        ("makes steps", n) => stream()
            .says(&format!("Step {n}."))
            .calls("glob", json!({"pattern": format!("*.{n}")}))
            .ends(),
        ("fills up", _) => status(400, "This model's maximum context length is 900 tokens."),
        ("find callers" | "find tests", 0) => stream().says("Looking.").holds(&gate).calls("list", json!({})).ends(),
        (who, _) => text(&format!("Answer of {who}.")),
    });
}

fn row_of(bench: &Pty, who: &str) -> String {
    let row = bench.look(|screen| screen.row(&format!("· {who}")));
    row.unwrap_or_else(|| panic!("no row of {who}"))
}

fn eight_in_a_window(columns: u16, rows: u16) {
    let server = Server::start();
    let home = Home::with(&server).window(columns, rows);
    may_give_work(&home, &server);
    let gate = Gate::new();
    eight(&server, &gate);
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.wait_for("a row for each child", |screen| {
        EIGHT.iter().all(|(agent, who)| screen.has(&format!("{agent} · {who}")))
    });
    for (who, how) in [
        ("makes steps", "request limit reached"),
        ("fills up", "context window full"),
        ("fails", "failed"),
    ] {
        bench.wait_for(&format!("the end of {who}"), |screen| {
            screen.row(&format!("· {who}")).is_some_and(|row| row.contains(how))
        });
    }
    assert!(
        row_of(&bench, "find callers").contains(" 0:"),
        "{}",
        row_of(&bench, "find callers")
    );
    bench.keys("alt-2 up up up up up esc");
    bench.wait_for("the one that was stopped", |screen| {
        screen
            .row("· never ends")
            .is_some_and(|row| row.contains("interrupted"))
    });
    assert!(row_of(&bench, "find callers").contains(" 0:"), "the others go on");
    gate.open();
    bench.wait_for("a request in its child's name", |screen| screen.has("general · write"));
    bench.accept("new");
    bench.accept("new");
    bench.wait_for_text("All eight are back.");
    assert_eq!(
        (home.read("one.txt"), home.read("two.txt")),
        ("new\n".to_owned(), "new\n".to_owned())
    );
    bench.keys("alt-3");
    bench.leave();
    let all = requests_of(&server, "go");
    all.iter().for_each(Request::assert_well_formed);
    let said = [
        "Answer of find callers.\n\n[done: 2 steps",
        "Answer of write one.\n\n[done: 2 steps",
        "Answer of write two.\n\n[done: 2 steps",
        "The user stopped it",
        "[failed: 1 step",
        "[steps_over: 10 steps",
        "[window_over: ",
        "Answer of find tests.\n\n[done: 2 steps",
    ];
    let got = results(&all[1]);
    assert_eq!(got.len(), 8);
    for (said, got) in said.iter().zip(&got) {
        assert!(got.contains(said), "{said:?} is not in {got:?}");
    }
}

#[test]
fn eight_children_work_at_once_and_end_each_in_its_way_in_a_small_window() {
    eight_in_a_window(80, 24);
}

#[test]
fn eight_children_work_at_once_and_end_each_in_its_way_in_a_large_window() {
    eight_in_a_window(160, 45);
}
