//! Tests of hooks that fail, hang, are numerous, are stopped, or are invalid.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::{bash, guard, home_with, script};
use crate::support::PATIENCE;
use crate::support::process::kill;
use crate::support::reply::text;
use crate::support::server::Server;

#[test]
fn a_hook_that_crashes_is_slow_writes_nonsense_or_without_end_is_said_and_denies_only_where_it_is_strict() {
    let endless = "yes 2>/dev/null";
    let failures = [
        ("exit 3", "exit 3"),
        ("kill -9 $$", "signal 9"),
        ("sleep 30", "it took longer than 400 ms"),
        ("echo '{\"decision\": '", "its output is no JSON object"),
        ("echo '{\"decison\": \"deny\"}'", "`decison` means nothing here"),
        (endless, "its output exceeded"),
    ];
    for (body, why) in failures {
        let limit = if body == "sleep 30" { 400 } else { 60_000 };
        for strict in [false, true] {
            let server = Server::start();
            let hooks = guard("before_tool", json!({"timeout_ms": limit, "strict": strict}));
            let home = home_with(&server, &hooks, &json!({"bash": "allow", "edit": "allow"}));
            script(&home, "guard", body);
            server.script([bash("touch made.txt"), text("So.")]);
            let run = home.run(&["run", "go"]);
            assert!(run.stderr.contains(why), "{body}: {run}");
            assert_eq!(home.path("made.txt").exists(), !strict, "{body}: {run}");
            home.assert_gone("sleep 30", Duration::from_secs(5));
        }
    }
}

#[test]
fn a_program_that_is_not_there_is_said() {
    let server = Server::start();
    let hooks = json!({"before_tool": [{"command": ["no-such-program-anywhere"]}]});
    let home = home_with(&server, &hooks, &json!({"bash": "allow", "edit": "allow"}));
    server.script([bash("true"), text("So.")]);
    let run = home.run(&["run", "go"]);
    assert!(
        run.stderr.contains("there is no program `no-such-program-anywhere`"),
        "{run}"
    );
    // The process that starts the hook resolves its path.
    let home = home_with(&server, &guard("before_tool", json!({})), &json!({"bash": "allow"}));
    server.script([bash("true"), text("So.")]);
    let run = home.run(&["run", "go"]);
    assert!(run.stderr.contains("/guard`: No such file"), "{run}");
}

#[test]
fn ten_in_a_row_are_asked_in_their_order_and_each_sees_what_the_one_before_made_of_it() {
    let server = Server::start();
    let ten: Vec<Value> = (0..10)
        .map(|number| json!({"name": format!("h{number}"), "command": ["./add", number.to_string()]}))
        .collect();
    let home = home_with(
        &server,
        &json!({"before_tool": ten}),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    script(
        &home,
        "add",
        r#"line=$(sed 's/.*"command":"\([^"]*\)".*/\1/'); printf '{"hook_specific_output":{"tool_input":{"command":"%s%s"}}}' "$line" "$1""#,
    );
    server.script([bash("echo n"), text("So.")]);
    home.run(&["run", "go"]).assert_code(0);
    let told = server.request(2).last("tool").to_owned();
    assert!(told.contains("n0123456789"), "{told}");
}

#[test]
fn an_escape_ends_a_hook_with_all_it_started_and_a_kill_of_the_program_leaves_none() {
    let server = Server::start();
    let home = home_with(
        &server,
        &guard("before_tool", json!({})),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    script(&home, "guard", "(setsid sleep 876 &) ; sleep 877");
    server.script([bash("touch made.txt"), bash("touch made.txt")]);
    let bench = home.bench(&[]);
    bench.ask("go");
    home.wait_for_process("sleep 877");
    home.wait_for_process("sleep 876");
    bench.keys("esc");
    home.assert_gone("sleep 87", Duration::from_secs(5));
    bench.wait_for_text("interrupted");
    bench.ask("once more");
    home.wait_for_process("sleep 877");
    kill(bench.pid(), rustix::process::Signal::KILL);
    home.assert_gone("sleep 87", Duration::from_secs(5));
    assert!(!home.path("made.txt").exists());
    // The session is intact. Pending calls need approval again, or are closed.
    server.script([text("Back.")]);
    script(&home, "guard", "exit 0");
    home.run(&["run", "--continue", "still there?"]).assert_code(0);
}

#[test]
fn what_is_wrong_with_a_hook_is_told_with_its_line() {
    let server = Server::start();
    let wrong = [
        (json!({"before_tool": [{"comand": ["x"]}]}), "did you mean `command`?"),
        (
            json!({"before_tool": [{"command": "x"}]}),
            "the `command` of a hook is a list",
        ),
        (
            json!({"turn_end": [{"command": ["x"], "match": "bash"}]}),
            "concerns no tool",
        ),
        (
            json!({"approval": [{"command": ["x"], "strict": true}]}),
            "cannot deny anything",
        ),
        (
            json!({"session_end": [{"command": ["x"], "timeout_ms": 60000}]}),
            "from 1 to 2000",
        ),
        (json!({"before_tools": []}), "did you mean `hooks.before_tool`?"),
    ];
    for (hooks, said) in wrong {
        let home = home_with(&server, &hooks, &json!({"bash": "allow", "edit": "allow"}));
        let run = home.run(&["run", "go"]);
        run.assert_code(2);
        assert!(run.stderr.contains(said), "{said}: {run}");
    }
}

#[test]
fn a_kill_while_a_hook_is_asked_about_a_result_does_not_make_that_result_unknown() {
    let server = Server::start();
    let hooks = guard("after_tool", json!({"match": "bash"}));
    let home = home_with(&server, &hooks, &json!({"bash": "allow", "edit": "allow"}));
    script(&home, "guard", "sleep 71.5");
    server.script([bash("echo what came; touch made.txt"), text("So.")]);
    let run = home.start(&["run", "go"], None);
    home.wait_for_process("sleep 71.5");
    run.signal(Signal::KILL);
    run.wait();
    home.assert_gone("sleep 71.5", PATIENCE);
    script(&home, "guard", "exit 0");
    server.script([text("I see.")]);
    home.run(&["run", "-c", "go on"]).assert_code(0);
    let told = server.request(2).last("tool").to_owned();
    assert!(told.contains("what came") && !told.contains("unknown"), "{told}");
    assert!(
        told.contains("Benchdog ended while hooks of the user were asked"),
        "{told}"
    );
    server.assert_append_only();
}

#[test]
fn arguments_that_a_hook_made_and_no_tool_takes_are_said_to_be_its() {
    let server = Server::start();
    let home = home_with(&server, &guard("before_tool", json!({})), &json!({"bash": "allow"}));
    let answer = json!({"hook_specific_output": {"tool_input": {"speed": 7}}});
    script(&home, "guard", &format!("echo '{answer}'"));
    server.script([bash("true"), text("So.")]);
    let run = home.run(&["run", "go"]);
    let told = server.request(2).last("tool").to_owned();
    assert!(
        told.starts_with("The hook `guard` of the user changed the arguments"),
        "{told}"
    );
    assert!(
        run.stderr
            .contains("Hook `guard` (before_tool) changed the arguments to ones the tool rejects"),
        "{run}"
    );
}
