//! Tests that text typed for a request survives the end of the program. The next start has it among the earlier
//! prompts.

use rustix::process::Signal;
use serde_json::json;

use crate::support::home::Home;
use crate::support::reply::call;
use crate::support::server::Server;

#[test]
fn a_reason_that_was_being_written_before_a_kill_is_an_earlier_prompt() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", "one\n");
    server.script([call("edit", json!({"path": "a.txt", "old": "one", "new": "two"}))]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.wait_for_review("two");
    bench.enter_review();
    bench.keys("r");
    bench.type_text("三 is wrong");
    bench.wait_for_text("三 is wrong");
    // A background thread saves at most half a second after the last key press.
    home.wait_for_index("三 is wrong");
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let bench = home.bench(&["-c"]);
    bench.wait_for_review("two");
    bench.keys("up");
    bench.wait_for_text("三 is wrong");
    assert_eq!(home.read("a.txt"), "one\n", "nothing is decided by that");
    bench.signal(Signal::TERM);
    bench.wait_exit();
}
