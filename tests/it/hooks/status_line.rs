//! Tests of the line from `status_line` hooks.

use std::fs;
use std::time::Duration;

use serde_json::json;

use super::{home_with, script};
use crate::support::process::look_until;
use crate::support::reply::text;
use crate::support::server::Server;
use crate::support::{PATIENCE, bench::draft_of};

#[test]
fn a_line_of_ones_own_follows_the_session_and_its_program_rests_when_nothing_changes() {
    let server = Server::start();
    let hooks = json!({"status_line": [{"command": ["./line"]}]});
    let home = home_with(&server, &hooks, &json!({}));
    let body = r#"read -r all; echo "$all" >> seen
name=${all#*\"session_name\":\"}
printf '\033[31mabout %s\033[0m\nsecond\n' "<${name%%\"*}>""#;
    script(&home, "line", body);
    server.script([text("Fine.")]);
    let bench = home.bench(&[]);
    bench.wait_for_text("about <>");
    bench.ask("eat a pear");
    bench.wait_for_text("Fine.");
    bench.wait_for_text("about <eat a pear>");
    assert!(!bench.look(|screen| screen.has("second")));
    let lines = || fs::read_to_string(home.path("seen")).unwrap_or_default();
    let is_done = || {
        lines()
            .lines()
            .last()
            .is_some_and(|line| line.contains(r#""state":"idle""#))
    };
    assert!(look_until(PATIENCE, is_done), "{}", lines());
    let before = lines();
    assert!(
        before.contains(r#""context_window_size":"#) && before.contains(r#""display_name":"#),
        "{before}"
    );
    bench.type_text("a draft");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("a draft"));
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(lines(), before);
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn a_line_that_fails_or_hangs_is_said_once_and_holds_nothing_up() {
    for (body, why) in [("exit 3", "exit 3"), ("sleep 30", "it took longer than 2000 ms")] {
        let server = Server::start();
        let home = home_with(
            &server,
            &json!({"status_line": [{"name": "mine", "command": ["./line"]}]}),
            &json!({}),
        );
        script(&home, "line", body);
        server.script([text("Fine."), text("Well.")]);
        let bench = home.bench(&[]);
        bench.ask("eat a pear");
        bench.wait_for_text("Fine.");
        bench.wait_for_text(why);
        bench.ask("eat a plum");
        bench.wait_for_text("Well.");
        assert!(
            bench.look(|screen| screen.picture().concat().matches(why).count()) <= 1,
            "{body}"
        );
        bench.leave();
        home.assert_gone("sleep 30", Duration::from_secs(5));
    }
}
