//! Tests of custom agents from the configuration, from files, and from a project.

use serde_json::{Value, json};

use super::{sent, write};
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::{MODEL, Server};

fn home(server: &Server, agents: Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["agent"] = agents;
    home.configure(&settings);
    home
}

fn own(home: &Home, name: &str, text: &str) {
    let folder = home.benchdog_home().join("agents");
    std::fs::create_dir_all(&folder).expect("a folder for agents");
    std::fs::write(folder.join(name), text).expect("an agent");
}

const REVIEWER: &str = "---\ndescription: Reads changes, line by line\nsteps: 2\ntemperature: 0.4\ntools: [read, grep]\n---\n\nLook for mistakes.\n";

#[test]
fn an_agent_of_a_file_is_told_of_and_uses_only_its_tools() {
    let server = Server::start();
    let home = home(&server, json!({}));
    own(&home, "reviewer.md", REVIEWER);
    server.script([call("write", write("made.txt")), text("Noted.")]);
    let run = home.run(&["run", "-a", "reviewer", "--approve", "all", "review it"]);
    assert!(!home.path("made.txt").exists(), "{run}");
    assert!(
        sent(&server, 1).contains("agent.reviewer.tools"),
        "{}",
        sent(&server, 1)
    );
    let first = server.request(1);
    assert_eq!(first.body["temperature"], json!(0.4));
    assert!(
        first.body["tools"].to_string().contains("\"write\""),
        "what is sent stays"
    );
    assert!(sent(&server, 0).contains("chose the agent `reviewer`") && sent(&server, 0).contains("Look for mistakes."));
    server.assert_append_only();
}

#[test]
fn its_steps_end_a_run_and_the_flag_wins_over_them() {
    let server = Server::start();
    let home = home(&server, json!({}));
    own(&home, "reviewer.md", REVIEWER);
    server.model(|_| Some(call("grep", json!({"pattern": "x"}))));
    home.run(&["run", "-a", "reviewer", "review it"]).assert_code(4);
    assert_eq!(server.take_requests().len(), 2);
    home.run(&["run", "-a", "reviewer", "--max-steps", "1", "review it"])
        .assert_code(4);
    assert_eq!(server.take_requests().len(), 1);
}

#[test]
fn its_model_is_asked_from_the_next_request_on_and_the_sessions_again_behind_it() {
    let server = Server::start();
    let other = format!("kit/{MODEL}-small");
    let home = home(&server, json!({"quick": {"model": other, "prompt": "Be quick."}}));
    server.model(|_| Some(text("ok")));
    let asked = |arguments: &[&str]| {
        home.run(arguments).assert_code(0);
        server.take_requests().last().expect("a request").body["model"].clone()
    };
    let (own, other) = (json!(MODEL), json!(format!("{MODEL}-small")));
    assert_eq!(asked(&["run", "one"]), own);
    assert_eq!(asked(&["run", "-c", "-a", "quick", "two"]), other);
    assert_eq!(asked(&["run", "-c", "three"]), other, "who works is remembered");
    assert_eq!(asked(&["run", "-c", "-a", "build", "four"]), own);
    assert_eq!(asked(&["run", "-c", "five"]), own);
    assert_eq!(asked(&["run", "-a", "quick", "six"]), other);
    assert_eq!(asked(&["run", "-c", "-a", "plan", "seven"]), own);
    assert_eq!(
        asked(&["run", "-a", "quick", "-m", MODEL, "eight"]),
        own,
        "the flag wins"
    );
}

#[test]
fn twenty_switches_between_agents_with_prompts_and_tools_of_their_own_keep_the_prefix() {
    let server = Server::start();
    let home = home(
        &server,
        json!({"careful": {"prompt": "Be careful.", "tools": ["read"]}, "fast": {"prompt": "Be fast.", "tools": ["-bash"]}}),
    );
    server.model(|request| {
        let asked = request.last("user");
        let number = asked
            .rsplit("say ")
            .next()?
            .split(|c: char| !c.is_ascii_digit())
            .next()?
            .to_owned();
        Some(text(&format!("heard {number}.")))
    });
    let bench = home.bench(&[]);
    let names = ["plan", "accept-edits", "careful", "fast", "build"];
    for (number, name) in names.into_iter().cycle().take(20).enumerate() {
        bench.keys("shift-tab");
        bench.wait_for_text(&format!("{name} ·"));
        bench.ask(&format!("say {number}"));
        bench.wait_for_text(&format!("heard {number}"));
        bench.wait_for("the prompt", |screen| screen.cursor_is_shown());
    }
    bench.leave();
    server.assert_append_only();
    let last = server.requests().last().expect("a request").body["messages"].to_string();
    assert_eq!(last.matches("chose the agent").count(), 20);
}

#[test]
fn what_one_works_with_is_said_where_another_is_named() {
    let server = Server::start();
    let home = home(
        &server,
        json!({"helper": {"mode": "subagent"}, "writer": {"description": "Writes prose"}}),
    );
    for (name, told) in [
        ("explore", "is a subagent"),
        ("helper", "is a subagent"),
        ("summary", "is used only inside"),
        ("writre", "-a writer"),
    ] {
        let run = home.run(&["run", "-a", name, "go"]);
        run.assert_code(2);
        assert!(run.stderr.contains(told), "{name}: {run}");
    }
    server.script([text("ok"), text("ok")]);
    home.run(&["run", "-a", "default", "go"]).assert_code(0);
    home.run(&["run", "-a", "auto-approve", "go"]).assert_code(0);
    assert!(sent(&server, 1).contains("agent `accept-edits`"));
    let bench = home.bench(&[]);
    bench.type_text("/agent");
    bench.keys("enter");
    bench.wait_for_text("Writes prose");
    assert!(bench.look(|screen| !screen.has("helper") && !screen.has("explore")));
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| !screen.has("Writes prose"));
    bench.leave();
}

#[test]
fn agents_of_a_folder_count_once_it_is_trusted() {
    let server = Server::start();
    let home = home(&server, json!({}));
    home.file(".benchdog/agents/theirs.md", "Do as we do.\n");
    let run = home.run(&["run", "-a", "theirs", "go"]);
    run.assert_code(2);
    server.script([text("ok"), text("ok")]);
    let run = home.run(&["run", "go"]);
    assert!(run.stderr.contains(".benchdog/agents/theirs.md"), "{run}");
    home.run(&["run", "--trust", "-a", "theirs", "go"]).assert_code(0);
    assert!(sent(&server, 1).contains("Do as we do."));
    home.file(".benchdog/agents/theirs.md", "---\nstep: 3\n---\n");
    let check = home.run(&["config", "check", "--trust"]);
    check.assert_code(2);
    assert!(
        check
            .stdout
            .contains("theirs.md:2:1: `agent.theirs.step` is not a known key"),
        "{check}"
    );
}

#[test]
fn a_plan_is_not_loosened_by_what_is_written_of_it() {
    let server = Server::start();
    let home = home(
        &server,
        json!({"plan": {"permission": {"edit": "allow", "bash": "allow"}, "tools": ["write", "bash"], "prompt": "Write."}}),
    );
    server.script([
        call("write", write("made.txt")),
        call("bash", json!({"command": "touch made.txt"})),
        text("ok"),
    ]);
    let run = home.run(&["run", "-a", "plan", "--approve", "all", "write it"]);
    assert!(!home.path("made.txt").exists(), "{run}");
}

#[test]
fn the_tools_of_a_run_are_those_it_names() {
    let server = Server::start();
    let home = home(&server, json!({}));
    server.script([call("write", write("made.txt")), text("Noted.")]);
    let run = home.run(&["run", "--tools", "+read,-bash", "--approve", "all", "write it"]);
    assert!(!home.path("made.txt").exists(), "{run}");
    assert!(sent(&server, 1).contains("--tools"), "{}", sent(&server, 1));
    let run = home.run(&["run", "--tools", "-wirte", "go"]);
    run.assert_code(2);
    assert!(run.stderr.contains("`-write`"), "{run}");
}

#[test]
fn explaining_commands_know_what_an_agent_may() {
    let server = Server::start();
    let home = home(
        &server,
        json!({"quiet": {"tools": ["-bash"]}, "free": {"permission": {"bash": {"make *": "allow"}}}}),
    );
    let verdict = |agent: &str| {
        let run = home.run(&["policy", "explain", "-a", agent, "make all"]);
        serde_json::from_str::<Value>(&run.stdout).expect("JSON")["verdict"].clone()
    };
    assert_eq!(
        (verdict("quiet"), verdict("free"), verdict("build")),
        (json!("deny"), json!("allow"), json!("ask"))
    );
    let explained = home.run(&["config", "explain", "agent.quiet"]);
    assert!(
        explained.stdout.contains("agent.quiet.tools = [\"-bash\"]"),
        "{explained}"
    );
}

#[test]
fn who_writes_summaries_has_a_model_a_temperature_and_words_of_its_own() {
    let server = Server::start();
    let small = format!("{MODEL}-small");
    let home = home(
        &server,
        json!({"summary": {"model": format!("kit/{small}"), "temperature": 0.7, "prompt": "Name every file."}}),
    );
    let thoughts = "One thought of many, and another one. ".repeat(200);
    server.model(move |request| {
        Some(if request.is_for_summary() {
            text("## Goal\n\nThoughts were asked for and given; nothing was changed.")
        } else {
            text(&thoughts)
        })
    });
    home.run(&["run", "think"]).assert_code(0);
    for prompt in ["think more", "think again"] {
        home.run(&["run", "-c", prompt]).assert_code(0);
    }
    let bench = home.bench(&["-c"]);
    bench.ask("/compact keep the numbers");
    bench.wait_for("the request for a summary", |_| {
        server.requests().iter().any(|request| request.is_for_summary())
    });
    let requests = server.requests();
    let asked = requests
        .iter()
        .find(|request| request.is_for_summary())
        .expect("a request");
    assert_eq!(
        (&asked.body["model"], &asked.body["temperature"]),
        (&json!(small), &json!(0.7))
    );
    assert!(asked.says("Name every file.\n\nkeep the numbers"), "{}", asked.raw);
    bench.wait_for_text("Thoughts were asked for");
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| !screen.has("Thoughts were asked for"));
    bench.leave();
}

#[test]
fn an_agent_is_added_from_a_file_listed_and_removed() {
    let home = home(&Server::start(), json!({}));
    home.file("reviewer.md", REVIEWER);
    home.run(&["agent", "add", "reviewer.md"]).assert_code(0);
    let file = home.benchdog_home().join("agents/reviewer.md");
    assert_eq!(std::fs::read_to_string(&file).expect("a copy"), REVIEWER);
    home.run(&["agent", "add", "reviewer.md"]).assert_code(2);
    let listed = home.run(&["agent", "list"]).stdout;
    for said in ["build: ", "reviewer: Reads changes", "explore: (subagent)"] {
        assert!(listed.contains(said), "{listed}");
    }
    // A rejected file is not added.
    home.file("wrong.md", "---\nsteps: many\n---\nLook.\n");
    let run = home.run(&["agent", "add", "wrong.md"]);
    run.assert_code(2);
    assert!(run.stderr.contains("wrong.md:2") && !home.benchdog_home().join("agents/wrong.md").exists());
    // Opening a FIFO would wait for a writer.
    let fifo = std::process::Command::new("mkfifo").arg(home.path("fifo.md")).status();
    assert!(fifo.expect("mkfifo").success());
    home.run(&["agent", "add", "fifo.md"]).assert_code(2);
    home.run(&["agent", "remove", "../config"]).assert_code(2);
    home.run(&["agent", "remove", "reviewer", "--trust"]).assert_code(2);
    home.run(&["agent", "remove", "reviewer"]).assert_code(0);
    assert!(!file.exists());
    home.run(&["agent", "remove", "reviewer"]).assert_code(2);
}
