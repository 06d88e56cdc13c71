//! Tests of questions from the model, answered in the real program.

use serde_json::json;

use crate::support::bench::enter_counts;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn several_questions_are_answered_in_one_dialog_and_nothing_is_sent_before_they_were_seen() {
    let server = Server::start();
    let home = Home::with(&server);
    let asked = json!({
        "questions": [
            {"header": "Database", "question": "Which database?", "options": [
                {"label": "SQLite", "description": "One file, nothing to install."},
                {"label": "PostgreSQL"},
            ]},
            {"header": "名前", "question": "What is it called?"},
        ],
        "footer_note": "All of it can be changed later.",
    });
    server.script([call("ask_user_question", asked), text("Noted.")]);
    let bench = home.bench(&[]);
    bench.ask("set it up");
    bench.wait_for_text("Which database?");
    bench.keys("alt-a");
    bench.wait_for("Enter that counts", |screen| enter_counts(screen, "next"));
    bench.keys("down");
    bench.wait_for("the second option, lit", |screen| {
        screen.text().contains("› 2 ( ) PostgreSQL") && enter_counts(screen, "next")
    });
    bench.keys("enter");
    bench.wait_for("the second question", |screen| {
        screen.text().contains("What is it called?") && enter_counts(screen, "next")
    });
    bench.type_text("購物車");
    bench.wait_for("the name, lit", |screen| {
        screen.text().contains("› 購物車") && enter_counts(screen, "next")
    });
    bench.keys("enter");
    bench.wait_for("all answers", |screen| {
        let text = screen.text();
        text.contains("PostgreSQL") && text.contains("購物車") && enter_counts(screen, "send")
    });
    assert_eq!(server.requests().len(), 1, "nothing is sent yet");
    bench.keys("enter");
    bench.wait_for_text("Noted.");
    assert_eq!(
        server.requests()[1].last("tool"),
        "The user answered:\n- Database: PostgreSQL\n- 名前: 購物車\n"
    );
    bench.leave();
}
