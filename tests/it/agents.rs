//! Tests of agents: `plan` changes nothing, `accept-edits` asks for no edit, and the model learns the agent's name.

mod own;

use serde_json::{Value, json};

use crate::support::bench::enter_counts;
use crate::support::home::Home;
use crate::support::reply::{call, calls, text};
use crate::support::server::Server;

fn write(path: &str) -> Value {
    json!({"path": path, "content": "new\n"})
}

fn sent(server: &Server, request: usize) -> String {
    server.request(request + 1).body["messages"].to_string()
}

#[test]
fn a_plan_changes_nothing_whatever_is_approved() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", "first\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        calls([
            ("write", write("made.txt")),
            (
                "edit",
                json!({"path": "a.txt", "edits": [{"old": "first", "new": "second"}]}),
            ),
            ("bash", json!({"command": "echo x > made.txt; touch a.txt"})),
            ("bash", json!({"command": "mkdir made"})),
        ]),
        text("The plan."),
    ]);
    let run = home.run(&["run", "-a", "plan", "--approve", "all", "plan it"]);
    assert_eq!(home.read("a.txt"), "first\n", "{run}");
    assert!(!home.path("made.txt").exists() && !home.path("made").exists(), "{run}");
    assert!(
        sent(&server, 0).contains("chose the agent `plan`"),
        "{}",
        sent(&server, 0)
    );
    assert!(
        sent(&server, 2).contains("which changes nothing"),
        "{}",
        sent(&server, 2)
    );
}

#[test]
fn edits_are_accepted_and_commands_are_not() {
    let server = Server::start();
    let home = Home::with(&server);
    for flag in [
        "-y",
        "--yes",
        "--yolo",
        "--auto-approve",
        "--dangerously-skip-permissions",
    ] {
        server.script([
            calls([
                ("write", write("made.txt")),
                ("bash", json!({"command": "python3 -c 'open(\"ran\", \"w\")'"})),
            ]),
            text("ok"),
        ]);
        let run = home.run(&["run", flag, "make it"]);
        run.assert_code(3);
        assert_eq!(home.read("made.txt"), "new\n", "{flag}: {run}");
        assert!(!home.path("ran").exists(), "{flag}: {run}");
        std::fs::remove_file(home.path("made.txt")).unwrap();
    }
    let both = home.run(&["run", "-y", "-a", "plan", "make it"]);
    both.assert_code(2);
}

#[test]
fn the_key_switches_the_agent_and_the_next_prompt_says_so() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Planned."), call("write", write("made.txt")), text("Made.")]);
    let bench = home.bench(&[]);
    bench.wait_for_text("build ·");
    bench.keys("shift-tab");
    bench.wait_for_text("plan ·");
    bench.ask("plan it");
    bench.wait_for_text("Planned.");
    bench.type_text("/agent acept-edits");
    bench.keys("enter");
    bench.wait_for_text("Did you mean `accept-edits`");
    bench.type_text("/yes");
    bench.keys("enter");
    bench.wait_for_text("accept-edits ·");
    bench.ask("make it");
    bench.wait_for_text("Made.");
    assert_eq!(home.read("made.txt"), "new\n");
    bench.leave();
    assert!(sent(&server, 0).contains("chose the agent `plan`"));
    let first = sent(&server, 0);
    let begins = first.trim_end_matches(']');
    assert!(sent(&server, 1).starts_with(begins), "what was sent stays as it was");
    assert!(sent(&server, 1).contains("chose the agent `accept-edits`"));

    let again = home.bench(&["-c"]);
    again.wait_for_text("accept-edits ·");
    again.leave();
}

#[test]
fn what_waits_is_denied_where_the_person_wants_a_plan() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([call("write", write("made.txt")), text("Noted.")]);
    let bench = home.bench(&[]);
    bench.ask("make it");
    bench.wait_for_review("new");
    bench.keys("shift-tab");
    bench.wait_for_text("Answer it first");
    bench.ask("/agent plan");
    bench.wait_for_text("Noted.");
    assert!(!home.path("made.txt").exists());
    assert!(
        sent(&server, 1).contains("which changes nothing"),
        "{}",
        sent(&server, 1)
    );
    bench.leave();
}

const PLAN: &str = "# Rounding\n\n1. Read `a.txt`\n2. Change it\n";

#[test]
fn an_accepted_plan_is_carried_out_and_its_steps_are_the_list() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        call("plan_done", json!({"plan": PLAN})),
        call("write", write("made.txt")),
        text("Made."),
    ]);
    let bench = home.bench(&["-a", "plan"]);
    bench.ask("plan it");
    bench.wait_for_text("do it, apply edits without asking");
    bench.keys("alt-a");
    // The more permissive answer is not preselected.
    bench.keys("down");
    bench.wait_for("Enter that counts", |screen| enter_counts(screen, "answer"));
    bench.keys("enter");
    bench.wait_for_text("Made.");
    assert_eq!(home.read("made.txt"), "new\n", "edits are accepted");
    bench.wait_for_text("accept-edits ·");
    bench.wait_for_text("Read `a.txt`");
    bench.type_text("/plan");
    bench.keys("enter");
    bench.wait_for_text("2. Change it");
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| screen.cursor_is_shown());
    bench.leave();
    assert!(
        sent(&server, 1).contains("The user accepted the plan") && sent(&server, 1).contains("agent `accept-edits`")
    );
    server.assert_append_only();
}

#[test]
fn words_about_a_plan_go_to_the_model_and_the_agent_stays() {
    let server = Server::start();
    let home = Home::with(&server);
    let long: String = (1..80).map(|n| format!("{n}. Step {n}\n")).collect();
    server.script([
        call("exit_plan_mode", json!({"plan": long})),
        call("plan_done", json!({"plan": PLAN})),
        text("Left."),
    ]);
    let bench = home.bench(&["-a", "plan"]);
    bench.ask("plan it");
    bench.wait_for_text("leave it for now");
    bench.keys("alt-a");
    bench.wait_for("Enter that counts", |screen| enter_counts(screen, "answer"));
    assert!(bench.look(|screen| screen.has("1. Step 1") && screen.has("scroll") && !screen.has("Step 79")));
    bench.keys("pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn");
    bench.wait_for_text("79. Step 79");
    assert!(
        bench.look(|screen| screen.has("leave it for now")),
        "the answers stay in view"
    );
    bench.keys("up");
    bench.type_text("fewer steps");
    bench.wait_for("the words, lit", |screen| {
        screen.has("fewer steps") && enter_counts(screen, "answer")
    });
    bench.keys("enter");
    bench.wait_for_text("2. Change it");
    assert!(server.request(2).last("tool").contains("to be different: fewer steps"));
    bench.keys("alt-a");
    bench.wait_for("Enter that counts", |screen| enter_counts(screen, "answer"));
    bench.keys("down down");
    bench.wait_for("the last option, lit", |screen| {
        screen.has("› 3 ( ) leave it") && enter_counts(screen, "answer")
    });
    bench.keys("enter");
    bench.wait_for_text("Left.");
    assert!(bench.look(|screen| screen.has("plan ·")));
    bench.leave();
}

#[test]
fn a_plan_is_handed_over_where_nobody_is_there_and_nothing_is_changed() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        call("plan_done", json!({"plan": PLAN})),
        text("The plan: read, change."),
    ]);
    let run = home.run(&["run", "-a", "plan", "plan it"]);
    run.assert_code(0);
    assert!(run.stdout.contains("The plan: read, change."), "{run}");
    assert!(sent(&server, 1).contains("Nobody can answer now"));
    server.script([call("plan_done", json!({"plan": PLAN})), text("Going on.")]);
    home.run(&["run", "do it"]).assert_code(0);
    assert!(
        sent(&server, 3).contains("no plan is asked for"),
        "{}",
        sent(&server, 3)
    );
}

fn lines_that_change() -> Vec<String> {
    let corpora = [
        (include_str!("../data/shell.tsv"), 2, 4),
        (include_str!("../data/shell_2.tsv"), 2, 4),
        (include_str!("../data/shell_own.tsv"), 1, 2),
    ];
    let mut lines = Vec::new();
    for (corpus, label, command) in corpora {
        for row in corpus.lines() {
            let fields: Vec<&str> = row.split('\t').collect();
            if ["dangerous", "guarded"].contains(&fields[label]) {
                lines.push(serde_json::from_str::<String>(fields[command]).expect("a command as JSON"));
            }
        }
    }
    // An approval request shows a single line.
    lines.retain(|line| !line.contains('\n') && !line.contains('\r'));
    lines
}

#[test]
fn no_line_that_changes_something_is_allowed_while_the_agent_plans() {
    let home = Home::bare();
    let lines = lines_that_change();
    assert!(lines.len() > 2_000, "{}", lines.len());
    let run = home.run_with_input(&["policy", "explain", "--stdin", "-a", "plan"], lines.join("\n"));
    run.assert_code(0);
    let told = run.json_lines();
    assert_eq!(told.len(), lines.len());
    let allowed: Vec<&Value> = told.iter().filter(|told| told["verdict"] == "allow").collect();
    assert!(allowed.is_empty(), "{allowed:#?}");
    assert!(told.iter().all(|told| told["agent"]["reads_only"] == true));
}
