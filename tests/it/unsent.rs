//! Tests of queued prompts at the end of the program. The resumed session shows them, and only the person sends them.

use std::thread::sleep;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::bench::draft_of;
use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::{Gate, stream, text};
use crate::support::server::Server;

/// Starts a turn with one steering prompt and two queued prompts.
fn three_wait(home: &Home) -> Pty {
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("Talking");
    bench.ask("/steer stop soon");
    bench.wait_for_text("sent to the running task  stop soon");
    bench.ask("then test");
    bench.ask("then rest");
    bench.wait_for_text("queued  then rest");
    bench
}

fn stand_again(home: &Home, server: &Server) {
    let asked = server.requests().len();
    let bench = home.bench(&["-c"]);
    bench.wait_for("what was not sent", |screen| {
        let all = ["/steer stop soon", "then test", "then rest"];
        let named = |prompt: &str| screen.has(&format!("not sent  {prompt}"));
        all.iter().all(|prompt| named(prompt)) && screen.has("Not sent before Benchdog ended")
    });
    bench.keys("up");
    bench.wait_for("the oldest in the prompt", |screen| {
        draft_of(screen).contains("/steer stop soon") && !screen.has("not sent  /steer")
    });
    bench.keys("ctrl-c");
    bench.keys("up");
    bench.wait_for("the next one in the prompt", |screen| {
        draft_of(screen).contains("then test")
    });
    server.script([text("Tested.")]);
    bench.keys("enter");
    bench.wait_for_text("Tested.");
    assert_eq!(server.requests().len(), asked + 1, "nothing was sent by itself");
    assert!(bench.look(|screen| screen.has("not sent  then rest")));
    bench.leave();
    let bench = home.bench(&["-c"]);
    bench.wait_for_text("not sent  then rest");
    assert!(!bench.look(|screen| screen.has("not sent  then test")), "it was sent");
    bench.leave();
}

#[test]
fn a_draft_that_comes_back_to_a_fresh_session_says_from_when_it_is() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.type_text("half a thought");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("half a thought"));
    bench.signal(Signal::TERM);
    bench.wait_exit();
    let bench = home.bench(&[]);
    bench.wait_for("where the draft is from", |screen| {
        draft_of(screen).contains("half a thought") && screen.has("Your draft from")
    });
    // The next key press closes the hint.
    bench.keys("x");
    bench.wait_for("the line gone", |screen| !screen.has("Your draft from"));
}

#[test]
fn a_first_prompt_whose_program_is_killed_before_it_is_logged_comes_back_as_the_draft() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    // The session has no log while the hook runs.
    settings["hooks"] = json!({"user_prompt": [{"name": "slow", "command": ["sleep", "60"], "timeout_ms": 60_000}]});
    home.configure(&settings);
    let bench = home.bench(&[]);
    bench.ask("fix it all");
    bench.wait_for("the empty prompt", |screen| !draft_of(screen).contains("fix it all"));
    // The index batches the emptied draft for 500 ms.
    sleep(Duration::from_secs(1));
    bench.signal(Signal::KILL);
    bench.wait_exit();
    for _ in 0..2 {
        let bench = home.bench(&[]);
        bench.wait_for("the prompt", |screen| draft_of(screen).contains("fix it all"));
        bench.signal(Signal::TERM);
        bench.wait_exit();
    }
    assert!(server.requests().is_empty());
}

#[test]
fn what_waited_when_the_program_was_killed_stands_above_the_prompt() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([stream().says("Talking").falls_silent()]);
    let bench = three_wait(&home);
    bench.signal(Signal::KILL);
    bench.wait_exit();
    stand_again(&home, &server);
}

#[test]
fn what_waited_when_the_program_was_left_stands_above_the_prompt() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([stream().says("Talking").holds(&gate).ends()]);
    let bench = three_wait(&home);
    bench.leave();
    gate.open();
    stand_again(&home, &server);
}
