//! `kill -9` at random moments, and damaged session files.

use std::sync::mpsc;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{stream, text};
use crate::support::server::{MODEL, Server};
use crate::{Measured, Row, damages, kill};

/// Number of home folders. In each, `KILLS` runs are killed.
const HOMES: u64 = 35;
const KILLS: u64 = 20;

const BENCH_KILLS: u64 = 300;

pub fn rows() -> Vec<Row> {
    vec![
        Row {
            test: "700 kills of a run, streaming and in tools",
            limit: "0 lost, 0 panics",
            run: of_runs,
        },
        Row {
            test: "300 kills of the workbench, in approvals and compactions",
            limit: "0 lost, 0 panics, all sound",
            run: of_the_workbench,
        },
    ]
}

pub fn damages() -> Vec<Row> {
    vec![Row {
        test: "200 random damages of sessions and the index",
        limit: "0 panics, all told or harmless",
        run: of_files,
    }]
}

fn of_runs() -> Measured {
    // `survives` panics if anything is lost.
    (0..HOMES).for_each(|home| kill::survives(home, KILLS));
    Measured {
        figure: format!("{} kills, 0 lost", HOMES * KILLS),
        holds: true,
    }
}

/// Kills workbenches. The small context window makes compactions frequent. Some edits wait for approval.
fn of_the_workbench() -> Measured {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"] = json!({ MODEL: {"context": 12_000, "output": 1_000} });
    settings["validation"] = json!({"auto": false});
    home.configure(&settings);
    home.file("part.txt", &"a line of some length, and then some\n".repeat(150));
    let mut turn = 0;
    server.model(move |request| {
        if request.body["tools"].as_array().is_none_or(Vec::is_empty) {
            return Some(text("A summary of what was done."));
        }
        turn += 1;
        let path = format!("new-{turn}.txt");
        Some(match turn % 4 {
            0 => stream()
                .says("I read it.")
                .calls("read", json!({"path": "part.txt", "offset": turn % 50 + 1}))
                .ends(),
            1 => stream()
                .says("I write it.")
                .calls("write", json!({"path": path, "content": "new\n"}))
                .ends(),
            2 => stream().says(&"a long answer in many words ".repeat(120)).ends(),
            _ => text("Done."),
        })
    });
    let mut dice = fastrand::Rng::with_seed(7);
    let (mut lost, mut panics, mut unsound) = (0, 0, 0);
    for number in 0..BENCH_KILLS {
        let bench = if number == 0 {
            home.bench(&[])
        } else {
            home.bench(&["-c"])
        };
        let prompt = format!("prompt {number}.");
        bench.ask(&prompt);
        let end = dice.u64(1..160);
        moment(Duration::from_millis(end));
        if dice.bool() {
            bench.keys("alt-a");
            moment(Duration::from_millis(dice.u64(..1_100)));
            bench.keys("y");
            moment(Duration::from_millis(dice.u64(..40)));
        }
        // A prompt that the conversation shows must already be on the disk.
        let told = bench.look(|screen| {
            screen.has("you") && screen.text().matches(&prompt).count() > 0 && !screen.has(&format!("› {prompt}"))
        });
        bench.signal(Signal::KILL);
        bench.wait_exit();
        panics += u64::from(bench.raw().contains("panicked"));
        let checked = home.run(&["sessions", "check"]);
        unsound += u64::from(checked.code != Some(0));
        let listed = home.run(&["sessions", "list", "--format", "json"]);
        panics += u64::from(checked.stderr.contains("panicked") || listed.stderr.contains("panicked"));
        let sessions = listed.json_lines().remove(0);
        let shown = sessions[0]["id"]
            .as_str()
            .map(|id| home.run(&["sessions", "show", id, "--format", "jsonl"]));
        let kept = shown.is_some_and(|shown| shown.stdout.contains(&prompt));
        if told && !kept {
            lost += 1;
            println!("{prompt} was told and is not in the log");
        }
    }
    let compactions = newest(&home).matches("\"kind\":\"compaction\"").count();
    let approvals = newest(&home).matches("\"kind\":\"approval\"").count();
    Measured {
        figure: format!(
            "{lost} lost, {panics} panics, {unsound} unsound; {compactions} compactions, {approvals} approvals"
        ),
        holds: lost + panics + unsound == 0 && compactions > 0 && approvals > 0,
    }
}

pub fn newest(home: &Home) -> String {
    let sessions = home
        .run(&["sessions", "list", "--format", "json"])
        .json_lines()
        .remove(0);
    let id = sessions[0]["id"].as_str().unwrap_or_default().to_owned();
    home.run(&["sessions", "show", &id, "--format", "jsonl"]).stdout
}

fn of_files() -> Measured {
    let tally = damages::damage_and_look(200);
    tally.wrong.iter().for_each(|wrong| println!("{wrong}"));
    Measured {
        figure: format!(
            "{} told, {} harmless, {} neither",
            tally.told,
            tally.harmless,
            tally.wrong.len()
        ),
        holds: tally.wrong.is_empty(),
    }
}

/// Waits for a random time that decides when the kill happens. Waits for no event.
pub fn moment(length: Duration) {
    let (_never, clock) = mpsc::channel::<()>();
    let _ = clock.recv_timeout(length);
}
