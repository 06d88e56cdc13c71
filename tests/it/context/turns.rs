//! Tests two hundred turns in a context window of 16,000 tokens, in the workbench.

use std::collections::BTreeSet;

use serde_json::json;

use super::{ROOM, home};
use crate::support::reply::{Reply, stream, text};
use crate::support::request::Request;
use crate::support::server::Server;

const TURNS: usize = 200;
const TASK: &str = "Port the ledger to cents; round as chapter seven.";
const RULE: &str = "Every file of this person ends with a newline, and no function is longer than forty lines.";
const ITEMS: [&str; 3] = ["read chapter seven", "port the ledger", "write the proof sheet"];

/// Returns a fact that occurs only in this turn's prompt or answer.
fn fact(turn: usize) -> Option<String> {
    (turn % 10 == 4).then(|| {
        format!(
            "FACT-{turn:03}-{}",
            ["amber", "cobalt", "ochre", "violet"][turn / 10 % 4]
        )
    })
}

fn facts_in(text: &str) -> BTreeSet<&str> {
    let starts = text.match_indices("FACT-").map(|(at, _)| at);
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
    starts.filter_map(|at| text.get(at..)?.split(ends).next()).collect()
}

/// Answers with reads, edits or text, by the turn's number. A summary contains only the facts of its request.
fn model(request: &Request) -> Reply {
    if request.is_for_summary() {
        let facts: Vec<&str> = facts_in(&request.raw).into_iter().collect();
        text(&format!(
            "Objective: the ledger in cents.\nFacts: {}\nNext: go on.",
            facts.join(" ")
        ))
    } else {
        turn(request)
    }
}

fn counted(request: &Request) -> u64 {
    request.tokens()
}

fn turn(request: &Request) -> Reply {
    let number = number(request);
    let count = counted(request);
    let newest = request
        .messages()
        .last()
        .map_or("", |message| message["role"].as_str().unwrap_or_default());
    if newest == "user" && number == 1 {
        let items: Vec<_> = ITEMS.map(|text| json!({"text": text, "status": "pending"})).to_vec();
        return stream()
            .calls("todowrite", json!({ "items": items }))
            .counts(count)
            .ends();
    }
    if newest == "user" {
        let file = format!("part{}.txt", number % 8);
        let read = ("read", json!({ "path": file }));
        return if number.is_multiple_of(5) {
            let edit = json!({"path": "ledger.txt", "edits": [{"old": format!("line {}\n", number - 5), "new": format!("line {number}\n")}]});
            stream().calls("read", read.1).calls("edit", edit).counts(count).ends()
        } else {
            stream().calls(read.0, read.1).counts(count).ends()
        };
    }
    let known = fact(number).filter(|_| number % 20 == 4).unwrap_or_default();
    stream()
        .says(&format!("Answer {number} done. {known}"))
        .counts(count)
        .ends()
}

/// Parses the number of the turn in the newest prompt.
fn number(request: &Request) -> usize {
    let at = request
        .raw
        .rfind("Turn ")
        .unwrap_or_else(|| panic!("no turn in {}", request.raw));
    let rest = request.raw.get(at + 5..).unwrap_or_default();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("the number of a turn")
}

fn prompt(turn: usize) -> String {
    let known = fact(turn).filter(|_| turn % 20 != 4).unwrap_or_default();
    match turn {
        1 => format!("{TASK} Turn 1."),
        _ if turn.is_multiple_of(7) => format!("Turn {turn}. 請檢查帳簿的四捨五入並且繼續下一步 {known}"),
        _ => format!("Turn {turn}. Go on with the next part {known}"),
    }
}

#[test]
fn two_hundred_turns_fit_a_small_window_and_nothing_that_matters_is_lost() {
    let server = Server::start();
    let home = home(&server).window(120, 40);
    std::fs::write(home.benchdog_home().join("AGENTS.md"), RULE).expect("rules");
    for part in 0..8 {
        let lines: String = (0..40)
            .map(|line| format!("part {part}, line {line}: so many cents, 元角分\n"))
            .collect();
        home.file(&format!("part{part}.txt"), &lines);
    }
    home.file("ledger.txt", "line 0\n");
    server.model(|request| Some(model(request)));
    let bench = home.bench(&[]);
    for turn in 1..=TURNS {
        bench.ask(prompt(turn).trim_end());
        let answer = format!("Answer {turn} done.");
        bench.wait_for(&format!("the end of turn {turn}"), |screen| {
            screen.has(&answer) && !screen.has("Esc stop")
        });
    }
    bench.leave();
    assert_eq!(home.read("ledger.txt"), format!("line {TURNS}\n"));
    check(&server.requests());
}

fn check(requests: &[Request]) {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut extended = 0;
    let mut compactions = 0;
    let mut before: Option<&Request> = None;
    for request in requests {
        assert!(
            request.tokens() <= ROOM,
            "request {} has {} tokens",
            request.number,
            request.tokens()
        );
        let said = facts_in(&request.raw);
        if request.is_for_summary() {
            // A summary omits the newest turns, because they stay verbatim.
            compactions += 1;
            continue;
        }
        for fact in &known {
            let there = said.contains(fact.as_str());
            assert!(there, "{fact} is gone in request {}", request.number);
        }
        known.extend(said.into_iter().map(str::to_owned));
        request.assert_well_formed();
        assert!(request.says(TASK) && request.says(RULE), "request {}", request.number);
        if request.number > 1 {
            let all = ITEMS.iter().all(|item| request.raw.contains(item));
            assert!(all, "no todo list in request {}", request.number);
        }
        if let Some(before) = before {
            extended += usize::from(request.growing_part().starts_with(before.growing_part()));
        }
        before = Some(request);
    }
    let requests = requests.len() - compactions;
    assert_eq!(known.len(), TURNS / 10, "{known:?}");
    assert!(compactions > 0, "nothing was ever summarised");
    assert!(
        extended * 100 >= (requests - 1) * 90,
        "{extended} of {requests} requests extend the one before"
    );
}
