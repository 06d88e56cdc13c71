//! Tests of slow servers before a prompt is sent. The person sees the server's name, and can skip the wait.

use super::peer;
use crate::support::bench::draft_of;
use crate::support::reply::text;
use crate::support::server::Server;

#[test]
fn who_is_waited_for_is_shown_and_esc_gives_back_what_was_typed() {
    let server = Server::start();
    let home = peer::home(&server, &[("files", "resources")]);
    server.script([text("Here.")]);
    let bench = home.bench(&[]);
    bench.ask("see @files:mute://dog and say");
    bench.wait_for_text("waiting for files 0:0");
    bench.wait_for_text("0:20 at most");
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| {
        draft_of(screen).contains("see @files:mute://dog and say") && !screen.has("waiting for files")
    });
    bench.keys("ctrl-c");
    bench.ask("just say");
    bench.wait_for_text("Here.");
    bench.leave();
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_prompt_that_is_waited_for_is_left_with_esc() {
    let server = Server::start();
    let home = peer::home(&server, &[("files", "prompts that never come")]);
    let bench = home.bench(&[]);
    bench.ask("/files:help");
    bench.wait_for_text("0:15 at most");
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| {
        draft_of(screen).contains("/files:help") && !screen.has("waiting for files")
    });
    bench.keys("ctrl-c");
    bench.leave();
    assert!(server.requests().is_empty());
}
