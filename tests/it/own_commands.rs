//! Tests of custom commands: text files that `/name` sends, with command lines that need permission.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn of_person(home: &Home, name: &str, text: &str) {
    let folder = home.benchdog_home().join("commands");
    std::fs::create_dir_all(&folder).expect("a folder of commands");
    std::fs::write(folder.join(name), text).expect("the file of a command");
}

fn home_that(server: &Server, bash: &serde_json::Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"bash": bash});
    home.configure(&settings);
    home
}

/// Types a command, waits for the completion list, and presses Enter.
fn send(bench: &crate::support::pty::Pty, command: &str) {
    bench.type_text(command);
    bench.wait_for("the command with its source", |screen| screen.has("yours"));
    bench.keys("enter");
}

#[test]
fn what_comes_through_a_pipe_calls_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    of_person(&home, "mend.md", "Mend issue $1.");
    server.script([text("one"), text("two"), text("three")]);
    home.run_with_input(&["run"], "/mend 7\n").assert_code(0);
    assert_eq!(server.request(1).last("user"), "/mend 7");
    home.run(&["run", "/mend 7"]).assert_code(0);
    assert!(server.request(2).last("user").starts_with("Mend issue 7."));
    home.run_with_input(&["--linear"], "/mend 7\n").assert_code(0);
    assert_eq!(server.request(3).last("user"), "/mend 7");
}

#[test]
fn further_folders_with_commands_go_first_and_a_check_looks_at_each_file() {
    let server = Server::start();
    let home = Home::with(&server);
    let further = home.outside().join("further");
    std::fs::create_dir_all(&further).expect("a folder");
    std::fs::write(further.join("mend.md"), "From further away.").expect("a command");
    of_person(&home, "mend.md", "Mend issue $1.");
    let mut settings = config(&server.base_url());
    settings["commands"] = json!({"paths": [further.to_string_lossy()]});
    home.configure(&settings);
    server.script([text("one")]);
    home.run(&["run", "/mend"]).assert_code(0);
    assert!(server.request(1).last("user").starts_with("From further away."));
    home.run(&["config", "check"]).assert_code(0);
    std::fs::write(further.join("odd.md"), "---\nallowed-tools: x\n---\nText").expect("a command");
    let tools = home.benchdog_home().join("tools");
    std::fs::create_dir_all(&tools).expect("a folder");
    std::fs::write(tools.join("weather.json"), "{\"description\": \"Rain.\"}").expect("a tool");
    let check = home.run(&["config", "check"]);
    check.assert_code(2);
    assert!(check.stdout.contains("odd.md:2"), "{check}");
    assert!(check.stdout.contains("allowed-tools"), "{check}");
    assert!(check.stdout.contains("weather.json"), "{check}");
}

#[test]
fn why_a_command_is_not_read_stands_whole_below_the_list() {
    let server = Server::start();
    let home = Home::with(&server).window(80, 24);
    of_person(&home, "odd.md", "---\nallowed-tools: x\n---\nText");
    let bench = home.bench(&[]);
    bench.ask("/commands");
    let why = home.run(&["config", "check"]).stdout;
    let why = why
        .lines()
        .find(|line| line.contains("odd.md:2"))
        .expect("a line")
        .to_owned();
    let end: String = why
        .split(' ')
        .rev()
        .take(2)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect::<Vec<_>>()
        .join(" ");
    bench.wait_for("the end of the reason", |screen| {
        screen.has("not read") && screen.has(&end)
    });
    bench.keys("esc");
    bench.wait_for("no list", |screen| !screen.has("not read"));
    bench.leave();
}

#[test]
fn what_is_sent_is_the_text_of_the_file_with_the_arguments_and_the_files_it_names() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("total.txt", "one plum\n");
    of_person(
        &home,
        "fix.md",
        "---\ndescription: Fixes an issue\n---\nFix issue $1 by @total.txt ($ARGUMENTS).\n",
    );
    server.script([text("Fixed."), text("Again.")]);
    let run = home.run(&["run", "--output", "stream-json", "/fix 12 soon"]);
    run.assert_code(0);
    let sent = server.request(1).last("user").to_owned();
    assert!(sent.contains("Fix issue 12 by @total.txt (12 soon)."), "{sent}");
    assert!(sent.contains("one plum"), "what it names goes along: {sent}");
    assert!(!server.request(1).says("/fix"));
    home.run(&["run", "--continue", "hello"]).assert_code(0);
    server.assert_append_only();
}

#[test]
fn a_line_that_a_rule_allows_is_run_first_and_told_before_the_text() {
    let server = Server::start();
    let home = home_that(&server, &json!("allow"));
    of_person(
        &home,
        "state.md",
        "Look: !`echo plum $1`. Again !`echo plum $1`. Say what it is.",
    );
    server.script([text("A plum."), text("Still.")]);
    home.run(&["run", "/state tree"]).assert_code(0);
    let request = server.request(1);
    assert!(request.says("!echo plum tree"), "{}", request.raw);
    assert_eq!(
        request.raw.matches("Its output:").count(),
        1,
        "run once: {}",
        request.raw
    );
    let sent = request.last("user");
    assert!(
        sent.contains("Look: (what `echo plum tree` printed stands above)."),
        "{sent}"
    );
    request.assert_well_formed();
    home.run(&["run", "--continue", "and now?"]).assert_code(0);
    server.assert_append_only();
}

#[test]
fn a_line_that_nobody_allows_is_not_run_and_nothing_is_sent() {
    let server = Server::start();
    let home = Home::with(&server);
    of_person(
        &home,
        "make.md",
        "!`touch made.txt` and !`touch other.txt`, then say so.",
    );
    let run = home.run(&["run", "/make"]);
    run.assert_code(3);
    assert!(!home.path("made.txt").exists() && !home.path("other.txt").exists());
    assert!(server.requests().is_empty(), "nothing is sent");
    assert!(
        run.stderr
            .contains("`/make` was not sent, because its shell command `touch made.txt` was not run."),
        "{run}"
    );
    home.run(&["run", "--approve", "all", "/make"]);
    assert!(home.path("made.txt").exists(), "as a command of the model");
}

#[test]
fn a_person_is_asked_about_each_line_and_a_refusal_brings_the_prompt_back() {
    let server = Server::start();
    let home = Home::with(&server);
    of_person(
        &home,
        "make.md",
        "---\nargument-hint: NAME\n---\n!`touch $1.txt`\nSay that $1 is made.",
    );
    server.script([text("It is made.")]);
    let bench = home.bench(&[]);
    bench.type_text("/mak");
    bench.wait_for("the command with its source and its hint", |screen| {
        screen.has("make") && screen.has("yours") && screen.has("NAME")
    });
    bench.type_text("e plum");
    bench.keys("enter");
    bench.refuse("touch plum.txt");
    bench.wait_for("the prompt again", |screen| {
        crate::support::bench::draft_of(screen).contains("/make plum")
    });
    assert!(server.requests().is_empty() && !home.path("plum.txt").exists());
    bench.wait_for_text("was not sent");
    bench.keys("enter");
    bench.accept("touch plum.txt");
    bench.wait_for_text("It is made.");
    assert!(
        bench.look(|screen| screen.has("Say that plum is made.")),
        "what was sent is shown"
    );
    assert!(home.path("plum.txt").exists());
    bench.leave();
    server.assert_append_only();
}

#[test]
fn those_of_a_project_count_when_it_is_trusted_and_a_built_in_name_stays_what_it_is() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file(".benchdog/commands/greet.md", "Greet $1.");
    home.file(".benchdog/commands/commit.md", "Commit all.");
    home.file(".benchdog/commands/odd.md", "---\nallowed-tools: bash\n---\nx");
    server.script([text("Text."), text("Hello.")]);
    home.run(&["run", "/greet Ann"]).assert_code(0);
    assert_eq!(server.request(1).last("user"), "/greet Ann", "no trust, no command");
    let run = home.run(&["run", "--trust", "/greet Ann"]);
    run.assert_code(0);
    assert_eq!(server.request(2).last("user"), "Greet Ann.");
    for said in [
        "`/commit` is a built-in command",
        "odd.md:2: there is no field `allowed-tools`",
    ] {
        assert!(run.stderr.contains(said), "{said}: {run}");
    }
    let run = home.run(&["run", "--trust", "/odd"]);
    run.assert_code(2);
    assert!(run.stderr.contains("the command `/odd` cannot be sent"), "{run}");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn the_agent_and_the_model_of_a_command_work_for_its_turn_only() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"edit": "allow"});
    home.configure(&settings);
    of_person(&home, "think.md", "---\nagent: plan\nmodel: deep\n---\nThink.");
    of_person(&home, "odd.md", "---\nagent: nobody\n---\nThink.");
    server.script([
        call("write", json!({"path": "a.txt", "content": "x\n"})),
        text("I only plan."),
        call("write", json!({"path": "a.txt", "content": "x\n"})),
        text("Written."),
    ]);
    let bench = home.bench(&[]);
    send(&bench, "/think");
    bench.wait_for_text("I only plan.");
    assert!(!home.path("a.txt").exists(), "the plan agent writes nothing");
    assert_eq!(server.request(1).body["model"], "deep");
    bench.ask("write it");
    bench.wait_for_text("Written.");
    assert!(home.path("a.txt").exists(), "the agent from before works again");
    assert_ne!(server.request(3).body["model"], "deep");
    send(&bench, "/odd");
    bench.wait_for_text("there is no agent");
    bench.keys("ctrl-c");
    bench.wait_for("an empty prompt", |screen| {
        !crate::support::bench::draft_of(screen).contains("/odd")
    });
    bench.leave();
}

#[test]
fn lines_have_them_too() {
    let server = Server::start();
    let home = Home::with(&server);
    of_person(&home, "greet.md", "Greet $1.");
    server.script([text("Hello.")]);
    let pty = home.open(&["--linear"]);
    pty.wait_for_text(">");
    pty.type_text("/commands");
    pty.keys("enter");
    pty.wait_for_text("greet: Greet $1.");
    pty.type_text("/greet Ann");
    pty.keys("enter");
    pty.wait_for_text("Hello.");
    assert_eq!(server.request(1).last("user"), "Greet Ann.");
}

#[test]
fn an_escape_while_a_line_runs_ends_it_and_sends_nothing() {
    let server = Server::start();
    let home = home_that(&server, &json!("allow"));
    of_person(&home, "slow.md", "!`sleep 987` Then go on.");
    let bench = home.bench(&[]);
    send(&bench, "/slow");
    home.wait_for_process("sleep 987");
    bench.keys("esc");
    bench.wait_for("the prompt again", |screen| {
        crate::support::bench::draft_of(screen).contains("/slow")
    });
    home.assert_gone("sleep 987", std::time::Duration::from_secs(5));
    assert!(server.requests().is_empty());
    bench.keys("ctrl-c");
    bench.leave();
}
