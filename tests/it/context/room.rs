//! Tests of requests that fit the window, of requests that do not, and of the server's errors.

use serde_json::{Value, json};

use super::{OUTPUT, ROOM, WINDOW, home, settings};
use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::reply::{Reply, call, refusal, stream, text};
use crate::support::request::Request;
use crate::support::server::Server;

/// Returns the text of a file with about `tokens` tokens, by the test server's count.
fn lines(tokens: usize) -> String {
    (0..tokens / 9)
        .map(|line| format!("line {line}: let value = f({line});\n"))
        .collect()
}

fn summary(request: &Request) -> Option<Reply> {
    request
        .is_for_summary()
        .then(|| text("Objective: what the person asked for. Next: go on."))
}

fn refusals() -> Vec<(String, u16, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sse/");
    let file = |name: &str| std::fs::read_to_string(format!("{folder}{name}")).expect("a body of the corpus");
    let index: Value = serde_json::from_str(&file("index.json")).expect("the corpus is JSON");
    let cases = index["cases"].as_array().expect("cases").iter();
    let refused = cases.filter(|case| case["expected"]["error"]["kind"] == "context_overflow");
    let refused = refused.map(|case| {
        let status = case["status"].as_u64().and_then(|status| u16::try_from(status).ok());
        let body = file(case["file"].as_str().unwrap_or_default());
        (case["id"].to_string(), status.unwrap_or(400), body)
    });
    refused.collect()
}

#[test]
fn a_server_that_says_its_window_is_full_is_asked_once_more_with_less_and_the_turn_goes_on() {
    let all = refusals();
    assert!(all.len() >= 6, "{all:?}");
    for (id, status, body) in all {
        let server = Server::start();
        let home = home(&server);
        home.file("big.txt", &lines(3_000));
        let mut refused = false;
        server.model(move |request| {
            if let Some(summary) = summary(request) {
                return Some(summary);
            }
            if request
                .messages()
                .last()
                .is_some_and(|message| message["role"] == "user")
                && !refused
                && request.number == 1
            {
                return Some(call("read", json!({"path": "big.txt"})));
            }
            if !refused {
                refused = true;
                return Some(refusal(status, &body));
            }
            Some(text("The turn went on."))
        });
        let run = home.run(&["run", "--output", "stream-json", "read big.txt"]);
        run.assert_code(0);
        assert!(run.stdout.contains("The turn went on."), "{id}: {run}");
        let sent: Vec<Request> = server
            .requests()
            .into_iter()
            .filter(|request| !request.is_for_summary())
            .collect();
        assert_eq!(sent.len(), 3, "{id}: one retry");
        assert!(
            sent[2].tokens() * 10 <= sent[1].tokens() * 9,
            "{id}: {} and {}",
            sent[1].tokens(),
            sent[2].tokens()
        );
        assert!(sent[2].says("read big.txt"), "{id}");
        sent.iter().for_each(Request::assert_well_formed);
    }
}

#[test]
fn a_server_that_refuses_whatever_it_is_sent_ends_the_turn_and_not_the_session() {
    let server = Server::start();
    let home = home(&server);
    let body = r#"{"error": {"message": "This model's maximum context length is 4096 tokens.", "code": 400}}"#;
    server.when(
        |request| !request.is_for_summary() && !request.says("a last question"),
        refusal(400, body),
    );
    server.when(
        |request| request.is_for_summary(),
        text("Objective: a question was asked."),
    );
    let run = home.run(&[
        "run",
        "--output",
        "stream-json",
        &format!("what is this? {}", lines(800)),
    ]);
    assert_ne!(run.code, Some(0), "{run}");
    assert!(
        server
            .requests()
            .iter()
            .filter(|request| !request.is_for_summary())
            .count()
            <= 2,
        "one retry"
    );
    server.script([text("Here I am.")]);
    home.run(&["run", "-c", "a last question"]).assert_code(0);
}

#[test]
fn a_refusal_of_a_small_request_teaches_no_small_window() {
    let stated = r#"{"error": {"message": "This model's maximum context length is 60000 tokens.", "code": 400}}"#;
    let bare = r#"{"error": {"message": "the prompt is too long", "code": "context_length_exceeded"}}"#;
    for body in [stated, bare] {
        let server = Server::start();
        let home = Home::bare();
        home.configure(&settings(&server, 60_000, 4_000));
        server.when(|request| request.messages().len() == 2, refusal(400, body));
        let bench = home.bench(&[]);
        bench.ask("a first question");
        bench.wait_for_text("Set `context` of the model");
        assert!(!bench.look(|screen| screen.has("to free context")), "{body}: none was");
        for (prompt, answer) in [("a second question", "Here I am."), ("a third one", "Still here.")] {
            let count = 2_500;
            server.script([stream().says(answer).counts(count).ends()]);
            bench.ask(prompt);
            bench.wait_for_text(answer);
        }
        assert!(
            !bench.look(|screen| screen.has("truncates")),
            "{body}: the count is the whole count"
        );
        bench.leave();
    }
}

#[test]
fn seven_reads_in_a_window_of_nine_thousand_tokens_are_no_end() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&settings(&server, 9_000, 2_000));
    let mut reads = Vec::new();
    for file in 0..7 {
        home.file(&format!("f{file}.txt"), &lines(1_500));
        reads.push(("read", json!({"path": format!("f{file}.txt")})));
    }
    server.model(move |request| {
        let replied = summary(request);
        replied.or_else(|| {
            let count = request.tokens();
            Some(match request.messages().last() {
                Some(message) if message["role"] == "user" && !request.says("Read them") => text("Fine."),
                Some(message) if message["role"] == "user" => {
                    let calls = (reads.iter()).fold(stream(), |reply, (tool, file)| reply.calls(tool, file.clone()));
                    calls.counts(count).ends()
                }
                _ => stream().says("All read.").counts(count).ends(),
            })
        })
    });
    for (turn, prompt) in ["Read them all.", "Read them again.", "Read them once more."]
        .into_iter()
        .enumerate()
    {
        let arguments: &[&str] = if turn == 0 { &[] } else { &["-c"] };
        let run = home.run(&[&["run", "--output", "stream-json", prompt], arguments].concat());
        run.assert_code(0);
        assert!(run.stdout.contains("All read."), "{run}");
    }
    for request in server.requests() {
        assert!(
            request.tokens() <= 7_000,
            "request {} has {}",
            request.number,
            request.tokens()
        );
        request.assert_well_formed();
    }
}

#[test]
fn a_paste_that_no_window_holds_stays_in_the_prompt_and_blocks_nothing() {
    let server = Server::start();
    let home = home(&server);
    server.script([text("The short answer.")]);
    let bench = home.bench(&[]);
    let book = "A line of a whole book.\n".repeat(50_000);
    bench.send(format!("\x1b[200~{book}\x1b[201~").as_bytes());
    bench.wait_for_text("50000 lines");
    bench.keys("enter");
    bench.wait_for("the numbers, and the paste where it was", |screen| {
        screen.has("are instructions and tools") && screen.has("12000") && draft_of(screen).contains("50000 lines")
    });
    assert!(server.requests().is_empty());
    bench.keys("ctrl-c");
    bench.ask("a short question");
    bench.wait_for_text("The short answer.");
    assert!(!server.request(1).says("whole book"), "it is not in the log");
    bench.leave();
}

#[test]
fn a_session_larger_than_the_window_of_a_new_model_goes_on() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&settings(&server, 120_000, 4_000));
    server.model(|request| Some(summary(request).unwrap_or_else(|| text(&format!("Said. {}", lines(3_000))))));
    home.run(&["run", "The task: port the ledger."]).assert_code(0);
    for _ in 0..12 {
        home.run(&["run", "-c", "say more"]).assert_code(0);
    }
    let before = server.requests().len();
    assert!(server.request(before).tokens() > 30_000);
    home.configure(&settings(&server, 16_000, 4_000));
    home.run(&["run", "-c", "and now?"]).assert_code(0);
    let sent = server.requests();
    let last = sent.last().expect("a request");
    assert!(last.says("and now?") && last.says("The task: port the ledger."));
    assert!(last.tokens() <= ROOM, "{}", last.tokens());
    let asked: Vec<&Request> = sent
        .iter()
        .skip(before)
        .filter(|request| request.is_for_summary())
        .collect();
    assert!(
        asked.len() > 1,
        "what is too long for one request is summarised in several"
    );
    assert!(asked.iter().all(|request| request.tokens() <= ROOM));
}

#[test]
fn it_is_said_once_at_each_level_how_full_the_window_is_to_person_and_model() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = settings(&server, WINDOW, OUTPUT);
    settings["compaction"] = json!({"threshold": 0.95});
    home.configure(&settings);
    let answers = ["one", "two", "three", "four", "five"];
    server.script(
        [5_000, 6_500, 7_000, 9_590, 9_595]
            .into_iter()
            .zip(answers)
            .map(|(count, answer)| stream().says(answer).counts(count).ends()),
    );
    let mut said = Vec::new();
    for (turn, answer) in answers.iter().enumerate() {
        let arguments: &[&str] = if turn == 0 { &[] } else { &["-c"] };
        let run = home.run(&[&["run", "--output", "stream-json", answer], arguments].concat());
        run.assert_code(0);
        let notices = run.events("notice").into_iter();
        said.extend(
            notices
                .filter(|notice| notice["code"] == "context_filled")
                .map(|notice| notice["text"].to_string()),
        );
    }
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("54 % full") && said[1].contains("80 % full"),
        "{said:?}"
    );
    assert!(!server.request(2).raw.contains("Your window is"));
    let third = server.request(5);
    let notes = third.raw.matches("Your window is").count();
    assert_eq!(notes, 2, "{}", third.raw);
}
