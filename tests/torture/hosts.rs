//! `kill -9` of a detached workbench, and of its terminal, while an answer streams.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::kills::{moment, newest};
use crate::support::home::{Home, config};
use crate::support::process::kill;
use crate::support::pty::Pty;
use crate::support::reply::{Reply, stream};
use crate::support::server::Server;
use crate::{Measured, Row};

const KILLS: usize = 150;
const WORDS: usize = 20;
const PAUSE: Duration = Duration::from_millis(8);

pub fn rows() -> Vec<Row> {
    vec![Row {
        test: "150 kills of a host, 150 of its terminal, while it streams",
        limit: "0 lost, 0 panics, attach < 1 s",
        run: of_both_sides,
    }]
}

/// Returns an answer that streams for 160 ms. Its words occur nowhere else.
fn answer(turn: usize) -> Reply {
    let word = |reply: Reply, word| reply.says(&format!("w{turn}-{word}. ")).keeps_alive(PAUSE, PAUSE);
    (0..WORDS).fold(stream(), word).says(&format!("end-{turn}.")).ends()
}

fn has_whole_answer(text: &str, turn: usize) -> bool {
    let word = |word| text.contains(&format!("w{turn}-{word}."));
    (0..WORDS).all(word) && text.contains(&format!("end-{turn}."))
}

fn host(home: &Home) -> Option<u32> {
    let listed = home.run(&["agents", "--json"]).json_lines();
    u32::try_from(listed.first()?["pid"].as_u64()?).ok()
}

/// Attaches again, and returns the milliseconds until the workbench is on the screen.
fn attach(home: &Home) -> (Pty, u128) {
    let began = Instant::now();
    let bench = home.bench(&["attach"]);
    (bench, began.elapsed().as_millis())
}

fn of_both_sides() -> Measured {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&config(&server.base_url()));
    server.model(move |request| {
        let text = request.body["messages"].to_string();
        let number = text.rsplit_once("prompt ").and_then(|(_, rest)| rest.split_once('.'));
        let turn = number.and_then(|(number, _)| number.parse().ok());
        Some(turn.map_or_else(|| stream().says("A title").ends(), answer))
    });
    let mut dice = fastrand::Rng::with_seed(11);
    let (mut lost, mut panics) = (0, 0);
    let mut times = Vec::new();
    let mut bench = home.bench(&["--detached"]);
    for turn in 1..=2 * KILLS {
        let prompt = format!("prompt {turn}.");
        bench.ask(&prompt);
        moment(Duration::from_millis(dice.u64(1..200)));
        let shown = bench.look(|screen| screen.text());
        if turn % 2 == 0 {
            bench.signal(Signal::KILL);
            bench.wait_exit();
            let took;
            (bench, took) = attach(&home);
            times.push(took);
            // The turn has continued without a terminal.
            bench.wait_for("the whole answer", |screen| has_whole_answer(&screen.text(), turn));
        } else {
            kill(host(&home).expect("a running host"), Signal::KILL);
            assert_eq!(bench.wait_exit().exit_code(), 1);
            panics += usize::from(bench.raw().contains("panicked") || !bench.left_behind().is_empty());
            bench = home.bench(&["--detached", "-c"]);
        }
        let kept = newest(&home);
        let told = shown.contains("you") && shown.contains(&prompt) && !shown.contains(&format!("› {prompt}"));
        let missing = (told && !kept.contains(&prompt)) || (turn % 2 == 0 && !has_whole_answer(&kept, turn));
        if missing {
            println!("{prompt} or its answer is not in the log");
        }
        lost += usize::from(missing);
    }
    bench.leave();
    let is_sound = home.run(&["sessions", "check"]).code == Some(0);
    times.sort_unstable();
    let (p50, max) = (times.get(times.len() / 2).copied(), times.last().copied());
    let (p50, max) = (p50.unwrap_or_default(), max.unwrap_or_default());
    Measured {
        figure: format!("{lost} lost, {panics} panics; attach p50 {p50} ms, max {max} ms"),
        holds: lost + panics == 0 && is_sound && max < 1_000,
    }
}
