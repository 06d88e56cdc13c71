//! Tests of automatic summaries, and of failed ones.

use serde_json::json;

use super::{long, settings};
use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{Reply, call, never, status, stream, text};
use crate::support::request::Request;
use crate::support::server::{MODEL, Server};

type Summariser = Box<dyn Fn(&Request) -> Reply + Send>;

/// Gives long answers. `summary` answers requests for summaries.
pub(super) fn talks(server: &Server, summary: impl Fn(&Request) -> Reply + Send + 'static) {
    server.model(move |request| {
        Some(if request.is_for_summary() {
            summary(request)
        } else {
            stream().says(&long("answer")).counts(request.tokens()).ends()
        })
    });
}

/// Runs twelve turns, which fill the window once or twice.
fn twelve_turns(home: &Home) -> Vec<Finished> {
    let turn = |number: usize| {
        let prompt = format!("Question number {number}.");
        let mut arguments = vec!["run", "--output", "stream-json", &prompt];
        arguments.extend((number > 0).then_some("-c"));
        let run = home.run(&arguments);
        run.assert_code(0);
        run
    };
    (0..12).map(turn).collect()
}

fn notices(runs: &[Finished], code: &str) -> Vec<String> {
    let notices = runs.iter().flat_map(|run| run.events("notice"));
    let wanted = notices.filter(|notice| notice["code"] == code);
    wanted.map(|notice| notice["text"].to_string()).collect()
}

#[test]
fn a_summariser_that_does_not_summarise_ends_no_session() {
    let repeats = |request: &Request| text(request.messages()[1]["content"].as_str().unwrap_or_default());
    let cases: [(&str, Summariser); 6] = [
        ("HTTP 400", Box::new(|_| status(400, "no summaries here"))),
        ("empty answer", Box::new(|_| text(" "))),
        (
            "too long",
            Box::new(|_| text(&"word, ".repeat(50_000).replace(' ', ""))),
        ),
        ("called a tool", Box::new(|_| call("read", json!({"path": "a"})))),
        ("conversation", Box::new(repeats)),
        ("in time", Box::new(|_| never())),
    ];
    for (said, summary) in cases {
        let server = Server::start();
        let home = Home::bare();
        let mut settings = settings(&server, 12_000, 2_000);
        settings["provider"]["kit"]["idle_timeout_s"] = json!(2);
        home.configure(&settings);
        talks(&server, summary);
        let runs = twelve_turns(&home);
        let told = notices(&runs, "not_summarised");
        assert!(
            !told.is_empty() && told[0].contains(said) || said == "conversation",
            "{said}: {told:?}"
        );
        assert!(!told.is_empty(), "{said}");
        let sent = server.requests();
        assert!(sent.iter().all(|request| request.tokens() <= 10_000), "{said}");
        let last = sent
            .iter()
            .rfind(|request| !request.is_for_summary())
            .expect("a request");
        assert!(
            last.says("Question number 0.") && last.says("Question number 11."),
            "{said}: {}",
            last.raw
        );
        assert!(last.raw.contains("dropped without a summary"), "{said}: {}", last.raw);
    }
}

#[test]
fn the_small_model_summarises_where_there_is_one() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = settings(&server, 12_000, 2_000);
    settings["small_model"] = json!("kit/small");
    settings["provider"]["kit"]["models"]["small"] = json!({"context": 8_000, "output": 1_000});
    home.configure(&settings);
    talks(&server, |_| text("Objective: questions were asked and answered."));
    let runs = twelve_turns(&home);
    assert!(notices(&runs, "not_summarised").is_empty());
    assert!(!notices(&runs, "compacted").is_empty());
    for request in server.requests() {
        let model = if request.is_for_summary() { "small" } else { MODEL };
        assert_eq!(request.body["model"], model);
        let room = if request.is_for_summary() { 7_000 } else { 10_000 };
        assert!(request.tokens() <= room, "request {}", request.number);
    }
}

#[test]
fn a_server_that_knows_no_switch_for_thinking_is_asked_without_it() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&settings(&server, 12_000, 2_000));
    talks(&server, |request| match request.body.get("chat_template_kwargs") {
        Some(_) => status(400, "unknown field chat_template_kwargs"),
        None => text("Objective: questions were asked and answered."),
    });
    let runs = twelve_turns(&home);
    assert!(notices(&runs, "not_summarised").is_empty());
}

#[test]
fn without_auto_nothing_is_summarised_and_no_prompt_is_refused() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = settings(&server, 12_000, 2_000);
    settings["compaction"] = json!({"auto": false});
    home.configure(&settings);
    talks(&server, |_| panic!("nobody asked for a summary"));
    twelve_turns(&home);
    assert!(
        server
            .requests()
            .iter()
            .all(|request| !request.is_for_summary() && request.tokens() <= 10_000)
    );
}

#[test]
fn a_skill_that_a_summary_took_out_is_loaded_anew() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = settings(&server, 16_000, 4_000);
    settings["permission"]["skill"] = json!("allow");
    home.configure(&settings);
    home.file("a.txt", "a\n");
    let folder = home.benchdog_home().join("skills/deploy");
    std::fs::create_dir_all(&folder).expect("a folder");
    let skill = format!(
        "---\nname: deploy\ndescription: Deploys.\n---\n{}The plum end.\n",
        "Deploy on a Monday morning, never later.\n".repeat(300)
    );
    std::fs::write(folder.join("SKILL.md"), skill).expect("a skill");
    let (mut begun, mut summarised, mut again) = (false, false, false);
    server.model(move |request| {
        if request.is_for_summary() {
            summarised = true;
            return Some(text("Objective: deploy with the skill."));
        }
        let load = || call("skill", json!({"name": "deploy"}));
        Some(if !begun {
            begun = true;
            load()
        } else if !summarised {
            let read = json!({"path": "a.txt", "limit": request.number});
            stream()
                .says(&long("thought"))
                .calls("read", read)
                .counts(request.tokens())
                .ends()
        } else if !again {
            again = true;
            load()
        } else {
            text("Deployed.")
        })
    });
    let run = home.run(&["run", "deploy it"]);
    run.assert_code(0);
    let last = server.requests().pop().expect("a request");
    let told = last.last("tool");
    assert!(
        told.contains("Deploy on a Monday") && !told.contains("loaded already"),
        "{told:.300}"
    );
}
