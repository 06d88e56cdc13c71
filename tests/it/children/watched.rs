//! Tests that a running subagent's conversation can be shown instead of its parent's.

use super::{plays, task};
use crate::support::home::Home;
use crate::support::reply::{Gate, calls, never, stream, text};
use crate::support::server::Server;

#[test]
fn what_a_child_says_is_followed_while_it_works_and_esc_leads_back_to_its_row() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    let held = gate.clone();
    plays(&server, move |who, turn| match (who, turn) {
        ("go", 0) => calls([task("explore", "look"), task("explore", "look elsewhere")]),
        ("go", _) => text("All is known."),
        ("look", 0) => stream()
            .says("# Looking\n\nAt **one**.")
            .holds(&held)
            .says("\n\nAnd found.")
            .ends(),
        _ => never(),
    });
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.wait_for_text("explore · look elsewhere");
    gate.wait_reached();
    bench.keys("alt-2 up up enter");
    bench.wait_for("what it says", |screen| {
        screen.has("At one.") && !screen.has("# Looking")
    });
    assert!(
        bench.look(|screen| screen.has("explore · look ─") && !screen.has("look elsewhere")),
        "the title names the child"
    );
    gate.open();
    bench.wait_for_text("And found.");
    bench.keys("esc");
    bench.wait_for("its row", |screen| {
        screen.has("look elsewhere") && screen.row("· look ").is_some_and(|row| row.contains('✓'))
    });
    bench.keys("alt-3 esc");
    bench.wait_for_text("interrupted");
    bench.leave();
}
