//! Tests of skills: the index in the prompt, the instructions of loaded skills, and the permission rules.

mod many;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn put(folder: &std::path::Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folders of a file");
    std::fs::write(path, text).expect("a file of a skill");
}

fn skill(name: &str, description: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\n{body}\n")
}

fn home(server: &Server, rules: &Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"skill": rules});
    home.configure(&settings);
    home
}

fn of_person(home: &Home, name: &str, text: &str) {
    put(&home.benchdog_home().join("skills"), name, text);
}

#[test]
fn only_the_index_is_in_the_prompt_and_the_instructions_come_once_with_their_files() {
    let server = Server::start();
    let home = home(&server, &json!("allow"));
    of_person(
        &home,
        "pdf/SKILL.md",
        &skill("pdf", "Reads PDFs.", "Follow the plum path."),
    );
    of_person(&home, "pdf/scripts/read.py", "print('x')\n");
    of_person(&home, "pdf/reference.md", "the reference\n");
    let reference = home.benchdog_home().join("skills/pdf/reference.md");
    server.script([
        call("skill", json!({"name": "PDF"})),
        call("read", json!({"path": reference.to_str().unwrap()})),
        call("skill", json!({"name": "pdf"})),
        text("Done."),
        call("skill", json!({"name": "pdf"})),
        text("Again."),
    ]);
    home.run(&["run", "read it"]).assert_code(0);
    let first = server.request(1);
    assert!(first.last("system").contains("- pdf: Reads PDFs. ("), "{}", first.raw);
    assert!(!first.says("plum"));
    let loaded = server.request(2).last("tool").to_owned();
    assert!(
        loaded.contains("Follow the plum path.") && loaded.contains("- reference.md\n- scripts/read.py"),
        "{loaded}"
    );
    assert!(
        server.request(3).last("tool").contains("the reference"),
        "what lies beside it can be read"
    );
    assert!(server.request(4).last("tool").contains("loaded already"));
    home.run(&["run", "--continue", "once more"]).assert_code(0);
    assert!(
        server.request(6).last("tool").contains("loaded already"),
        "a resumed session knows it"
    );
    assert_eq!(server.request(6).raw.matches("plum path").count(), 1);
    server.assert_append_only();
}

#[test]
fn without_skills_nothing_is_declared_and_nothing_is_said() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Fine.")]);
    home.run(&["run", "hello"]).assert_code(0);
    let request = server.request(1);
    assert!(!request.last("system").contains("# Skills"));
    assert!(!request.body["tools"].to_string().contains("\"skill\""));
}

#[test]
fn rules_ask_by_default_and_a_deny_hides_a_skill_everywhere() {
    let server = Server::start();
    let asking = Home::with(&server);
    of_person(&asking, "a/SKILL.md", &skill("a", "One.", "The words of a."));
    server.script([call("skill", json!({"name": "a"})), text("No.")]);
    asking.run(&["run", "go"]).assert_code(3);
    assert!(!server.request(2).says("The words of a."));

    let server = Server::start();
    let home = home(&server, &json!({"*": "allow", "internal-*": "deny"}));
    of_person(&home, "a/SKILL.md", &skill("a", "One.", "The words of a."));
    of_person(
        &home,
        "internal-x/SKILL.md",
        &skill("internal-x", "Two.", "The words of x."),
    );
    server.script([
        call("skill", json!({"name": "internal-x"})),
        call("skill", json!({})),
        text("No."),
    ]);
    home.run(&["run", "go"]);
    assert!(!server.request(1).says("internal-x"));
    assert!(
        server
            .request(2)
            .last("tool")
            .contains("There is no skill `internal-x`")
    );
    assert!(
        !server.request(3).last("tool").contains("internal"),
        "{}",
        server.request(3).raw
    );
    server.script([text("Text.")]);
    home.run(&["run", "/internal-x now"]).assert_code(0);
    assert_eq!(
        server.request(4).last("user"),
        "/internal-x now",
        "it is no command either"
    );
}

#[test]
fn skills_of_a_project_count_only_when_it_is_trusted_and_the_first_of_a_name_counts() {
    let server = Server::start();
    let home = home(&server, &json!("allow"));
    home.file(".agents/skills/fix/SKILL.md", &skill("fix", "Of the agents.", "x"));
    home.file(".benchdog/skills/fix/SKILL.md", &skill("fix", "Of the project.", "x"));
    home.file(".benchdog/skills/own.md", "A flat one of the project.");
    of_person(&home, "fix/SKILL.md", &skill("fix", "Of the person.", "x"));
    put(
        &home.user_home().join(".agents/skills"),
        "far/SKILL.md",
        &skill("far", "From afar.", "x"),
    );
    server.script([text("One."), text("Two.")]);
    let run = home.run(&["run", "hello"]);
    run.assert_code(0);
    assert!(run.stderr.contains(".agents/skills/fix/SKILL.md"), "{run}");
    let request = server.request(1);
    let system = request.last("system");
    assert!(
        system.contains("- fix: Of the person.") && system.contains("- far: From afar."),
        "{system}"
    );
    assert!(!system.contains("- own:"));
    home.run(&["run", "--trust", "hello"]).assert_code(0);
    let request = server.request(2);
    let system = request.last("system");
    assert!(
        system.contains("- fix: Of the project.") && system.contains("- own: A flat one of the project."),
        "{system}"
    );
    assert!(!system.contains("Of the person.") && !system.contains("Of the agents."));
}

#[test]
fn folders_of_the_configuration_come_first() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    let folder = home.outside().join("more");
    settings["skills"] = json!({"paths": [folder.to_str().unwrap()]});
    home.configure(&settings);
    put(&folder, "fix/SKILL.md", &skill("fix", "Of the configuration.", "x"));
    of_person(&home, "fix/SKILL.md", &skill("fix", "Of the person.", "x"));
    server.script([text("One.")]);
    home.run(&["run", "hello"]).assert_code(0);
    assert!(
        server
            .request(1)
            .last("system")
            .contains("- fix: Of the configuration.")
    );
}

#[test]
fn a_skill_is_a_command_with_arguments_and_broken_ones_are_one_notice() {
    let server = Server::start();
    let home = Home::with(&server);
    of_person(
        &home,
        "fix/SKILL.md",
        &skill("fix", "Mends an issue.", "Mend issue $ARGUMENTS today."),
    );
    of_person(&home, "bad/SKILL.md", "---\nname: bad\n");
    of_person(
        &home,
        "worse/SKILL.md",
        "---\nname: worse\ndescription: x\nmetadata: [1\n---\nx\n",
    );
    server.script([text("Mended."), text("Again.")]);
    let run = home.run(&["run", "/fix 12 and 13"]);
    run.assert_code(0);
    let request = server.request(1);
    let user = request.last("user");
    assert!(
        user.starts_with("/fix 12 and 13\n\n[benchdog] The user invoked the skill `fix`"),
        "{user}"
    );
    assert!(user.contains("Mend issue 12 and 13 today."), "{user}");
    let notices = run.stderr.matches("These skills could not be read").count();
    assert_eq!(notices, 1, "{run}");
    assert!(
        run.stderr.contains("bad/SKILL.md:1: ") && run.stderr.contains("worse/SKILL.md:"),
        "{run}"
    );
}

#[test]
fn a_broken_skill_that_a_run_invokes_is_an_error_that_says_where_and_nothing_is_sent() {
    let server = Server::start();
    let home = home(&server, &json!("allow"));
    of_person(
        &home,
        "worse/SKILL.md",
        "---\nname: worse\ndescription: x\nmetadata: [1\n---\nx\n",
    );
    let run = home.run(&["run", "/worse for all of it"]);
    run.assert_code(2);
    let said = run.stderr.lines().find(|line| line.contains("was not sent"));
    let said = said.unwrap_or_default();
    assert!(
        said.contains("the skill `/worse` cannot be read: ") && said.contains("worse/SKILL.md:4: "),
        "{run}"
    );
    assert!(run.stderr.contains("Fix the file at that line"), "{run}");
    assert_eq!(server.requests().len(), 0);
    server.script([text("It is text.")]);
    home.run(&["run", "what is /worse"]).assert_code(0);
}

#[test]
fn the_list_shows_source_tokens_and_state_and_a_command_is_completed() {
    let server = Server::start();
    let home = home(&server, &json!("allow"));
    of_person(
        &home,
        "fix-it/SKILL.md",
        &skill("fix-it", "Mends an issue.", &"Words. ".repeat(100)),
    );
    of_person(
        &home,
        "quiet/SKILL.md",
        "---\nname: quiet\ndescription: For the model.\nuser-invocable: false\n---\nx\n",
    );
    server.script([call("skill", json!({"name": "fix-it"})), text("Loaded.")]);
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.wait_for_text("Loaded.");
    bench.ask("/skills");
    bench.wait_for("the list", |screen| {
        let row = screen.row("Mends an issue.").unwrap_or_default();
        row.contains("fix-it") && row.contains("~174 tokens") && row.contains("yours") && row.contains("loaded")
    });
    assert!(bench.look(|screen| screen.row("quiet").is_some_and(|row| row.contains("for the model"))));
    bench.keys("esc");
    bench.wait_for("the list to go", |screen| !screen.has("2 of 2"));
    bench.type_text("/fix");
    bench.wait_for("the skill among the commands", |screen| {
        let is_it = |row: &String| row.contains("› fix-it") && row.contains("yours  Mends an issue.");
        screen.rows().iter().any(is_it)
    });
    bench.keys("ctrl-u");
    bench.leave();
}

#[test]
fn a_long_skill_that_is_invoked_is_cut_at_a_line_and_the_model_is_told_how_to_read_on() {
    let server = Server::start();
    let home = home(&server, &json!("allow"));
    let body = "Do the next step with great care and say what came of it.\n".repeat(3_000);
    of_person(&home, "big/SKILL.md", &skill("big", "Many steps.", &body));
    server.script([text("Done.")]);
    home.run(&["run", "/big go"]).assert_code(0);
    let user = server.request(1).last("user").to_owned();
    let (told, rest) = user.split_once("[these are the first ").expect("it is said");
    assert!(told.ends_with("say what came of it.\n"), "{told}");
    let path = home.benchdog_home().join("skills/big/SKILL.md");
    assert!(
        rest.contains("read the rest with `read` of") && rest.contains(path.to_str().unwrap()),
        "{rest}"
    );
}
