//! Tests `kill -9` of the real binary at any moment of a turn. Every reported event is in the log, and the session
//! continues.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{stream, text};
use crate::support::request::assert_append_only;
use crate::support::server::Server;

/// Number of homes, and kills in each. All kills of a home extend the same session.
const HOMES: u64 = 2;
const KILLS: u64 = 20;

/// Maximum lines of a run until the kill.
const LINES: u64 = 24;

#[test]
fn a_kill_at_any_moment_of_a_turn_loses_nothing_that_anybody_was_told_of() {
    for home in 0..HOMES {
        survives(home, KILLS);
    }
}

/// Checks the log after each kill, and that the session continues after the last kill.
pub fn survives(seed: u64, kills: u64) {
    let server = Server::start();
    let home = Home::with(&server);
    // Make every call different, because the loop guard would stop the turn.
    server.script((0..kills * LINES).map(|number| {
        let command = format!("echo {number} >> effects");
        stream()
            .says("I go on.")
            .calls("bash", json!({ "command": command }))
            .ends()
    }));
    let mut told = Told::default();
    let mut dice = fastrand::Rng::with_seed(seed);
    for kill in 0..kills {
        let lines = dice.u64(..LINES);
        let prompt = format!("kill {kill}");
        // Continue the session only if an earlier run saved one.
        let log = log(&home);
        let mut arguments = vec!["run", "--approve", "all", "--output", "stream-json", &prompt];
        if log.is_some() {
            arguments.push("-c");
        }
        let run = home.start(&arguments, None);
        if lines > 0 {
            run.wait_for_stdout(&format!("\"seq\":{lines},"));
        }
        moment(Duration::from_micros(dice.u64(..6_000)));
        run.signal(Signal::KILL);
        told.by(&run.wait());
        told.is_in(&home, &format!("home {seed}, kill {kill} after {lines} lines"));
    }
    server.when(
        |request| request.raw.contains("the last prompt"),
        text("Here to the end."),
    );
    home.run(&["run", "-c", "the last prompt"]).assert_code(0);
    // Each request contains all earlier messages, even after a kill, and every call has its result.
    let mut requests = server.requests();
    requests.retain(|request| !request.raw.is_empty());
    requests.iter().for_each(|request| request.assert_well_formed());
    assert_append_only(&requests);
}

#[derive(Default)]
struct Told {
    prompts: BTreeSet<String>,
    calls: BTreeSet<String>,
    results: BTreeSet<String>,
}

impl Told {
    fn by(&mut self, run: &Finished) {
        // Ignore the last line, which the kill may have truncated.
        let whole = run
            .stdout
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for line in whole {
            let field = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            match line["type"].as_str() {
                Some("turn_started") => drop(self.prompts.insert(field("prompt"))),
                Some("tool_finished") => drop(self.results.insert(field("call"))),
                Some("message") => {
                    let calls = line["calls"].as_array().into_iter().flatten();
                    self.calls
                        .extend(calls.filter_map(|call| Some(call["id"].as_str()?.to_owned())));
                }
                _ => {}
            }
        }
    }

    #[track_caller]
    fn is_in(&self, home: &Home, when: &str) {
        let entries = log(home).unwrap_or_default();
        let having = |kind: &str, name: &str| -> BTreeSet<String> {
            let of_kind = entries.iter().filter(|entry| entry["kind"] == kind);
            of_kind
                .filter_map(|entry| Some(entry[name].as_str()?.to_owned()))
                .collect()
        };
        let calls: BTreeSet<String> = entries
            .iter()
            .flat_map(|entry| entry["calls"].as_array().into_iter().flatten())
            .filter_map(|call| Some(call["id"].as_str()?.to_owned()))
            .collect();
        let (prompts, results, started) = (
            having("user", "text"),
            having("tool_result", "call"),
            having("call_started", "call"),
        );
        assert!(
            self.prompts.is_subset(&prompts),
            "{when}: {:?} in {prompts:?}",
            self.prompts
        );
        assert!(self.calls.is_subset(&calls), "{when}: {:?} in {calls:?}", self.calls);
        assert!(
            self.results.is_subset(&results),
            "{when}: {:?} in {results:?}",
            self.results
        );
        // The log announces each effect before it happens.
        let effects = std::fs::read_to_string(home.path("effects")).unwrap_or_default();
        let done = effects.lines().count();
        assert!(
            done <= started.len(),
            "{when}: {done} effects, {} starts",
            started.len()
        );
        let ids: Vec<_> = entries.iter().filter_map(|entry| entry["id"].as_u64()).collect();
        assert!(ids.iter().copied().eq(1..=ids.len() as u64), "{when}: gaps in {ids:?}");
    }
}

fn log(home: &Home) -> Option<Vec<Value>> {
    let listed = home.run(&["sessions", "list", "--format", "json"]);
    listed.assert_code(0);
    let sessions = listed.json_lines().remove(0);
    assert!(sessions.as_array().is_some_and(|all| all.len() <= 1), "{listed}");
    let id = sessions[0]["id"].as_str()?;
    let shown = home.run(&["sessions", "show", id, "--format", "json"]);
    shown.assert_code(0);
    let mut whole = shown.json_lines().remove(0);
    whole["entries"].as_array_mut().map(std::mem::take)
}

/// Sets the time of the kill between two lines. Waits for no event.
fn moment(length: Duration) {
    let (_never, clock) = mpsc::channel::<()>();
    let _ = clock.recv_timeout(length);
}
