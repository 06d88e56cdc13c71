//! Tests that pasted text never answers a question.

use std::time::Duration;

use super::{ASKS, BEFORE, edit, lines, write};
use crate::support::home::Home;
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::Server;

#[test]
fn a_paste_that_goes_on_while_a_question_is_printed_answers_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", BEFORE);
    let gate = Gate::new();
    server.script([
        call("read", serde_json::json!({"path": "a.txt"})),
        stream().says("So.").holds(&gate).calls("edit", edit()).ends(),
        text("Noted."),
    ]);
    let pty = lines(&home);
    write(&pty, "change it");
    pty.wait_for_text("So.");
    gate.open();
    // The typing ends only after the question appears, but long before the paste timeout.
    for _ in 0..60 {
        write(&pty, "yes");
        std::thread::sleep(Duration::from_millis(10));
    }
    pty.wait_for_text(ASKS);
    assert_eq!(home.read("a.txt"), BEFORE);
    write(&pty, "no");
    pty.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), BEFORE);
}
