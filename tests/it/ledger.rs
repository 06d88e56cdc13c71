//! Tests of the context window's fill level, with servers that count, count wrong, or do not count.

use crate::support::home::Home;
use crate::support::reply::{stream, text};
use crate::support::server::Server;

#[test]
fn a_server_that_cuts_the_prompt_in_silence_is_found_out_at_the_first_reply() {
    let server = Server::start();
    let home = Home::with(&server);
    // The test server counts 1,000 tokens for every prompt.
    server.script([text("Yes."), text("Yes again.")]);
    let long = "a long question about one thing and another ".repeat(500);
    let run = home.run(&["run", "--output", "stream-json", &long]);
    run.assert_code(0);
    let notices = run.events("notice");
    let told = notices.iter().find(|notice| notice["code"] == "prompt_cut");
    let said = told.map(|notice| notice["text"].to_string()).unwrap_or_default();
    assert!(said.contains("1000 of about") && said.contains("`context`"), "{run}");
    let last = run.events("context").pop().expect("a count");
    assert_eq!(last["estimated"], true, "the count of a part is no count\n{run}");
    let short = home.run(&["run", "--output", "stream-json", "a short question"]);
    assert!(short.events("notice").is_empty(), "{short}");
}

#[test]
fn after_the_first_count_estimates_of_any_language_are_within_five_percent() {
    let server = Server::start();
    let home = Home::with(&server);
    let texts = [
        (
            "english.txt",
            "The quick brown fox reads the ledger of the shop twice. ",
        ),
        ("chinese.txt", "購物車的優惠券在結帳時四捨五入，請檢查帳簿。"),
        ("japanese.txt", "レジの端数は四捨五入してください。テストを書きます。"),
        ("korean.txt", "장바구니의 할인은 반올림합니다. 테스트를 작성하세요. "),
        (
            "code.rs",
            "    let total = cart.items.iter().map(|i| i.price * i.count).sum::<u64>();\n",
        ),
    ];
    for (name, text) in texts {
        home.file(name, &text.repeat(12));
    }
    server.model(move |request| {
        let step = request
            .messages()
            .iter()
            .filter(|message| message["role"] == "tool")
            .count();
        let count = request.tokens();
        Some(match texts.get(step % 5).filter(|_| step < 50) {
            Some((name, _)) => stream()
                .calls("read", serde_json::json!({ "path": name, "limit": 2_000 - step }))
                .counts(count)
                .ends(),
            None => stream().says("All read.").counts(count).ends(),
        })
    });
    let run = home.run(&["run", "--max-steps", "60", "--output", "stream-json", "read them all"]);
    run.assert_code(0);
    let guesses = run
        .events("context")
        .into_iter()
        .filter(|event| event["estimated"] == true);
    let guesses: Vec<u64> = guesses.filter_map(|event| event["used"].as_u64()).collect();
    let sent = server.requests();
    assert_eq!(sent.len(), 51);
    // Skip the estimates of the opened session and of the first request, which are not calibrated.
    let guesses = guesses.iter().rev().take(50).rev();
    for (place, (guess, request)) in guesses.zip(sent.iter().skip(1)).enumerate() {
        let truth = request.tokens();
        let (name, _) = texts[place % 5];
        assert!(
            guess.abs_diff(truth) * 20 <= truth,
            "{name}, step {place}: {guess} for {truth}"
        );
    }
}

#[test]
fn an_answer_that_nobody_counted_is_guessed_with_the_rest() {
    let server = Server::start();
    let home = Home::with(&server);
    let answer = "words of an answer ".repeat(3_000);
    server.script([stream()
        .says(&answer)
        .raw("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    // The answer is a fifth of the window. The previous request was a twentieth.
    bench.wait_for("the answer in the count", |screen| {
        (12..40).any(|percent| screen.has(&format!("{percent} %")))
    });
    bench.leave();
}
