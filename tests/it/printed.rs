//! Tests of kills while a command runs. Its output is recovered for the person and the model.

use rustix::process::Signal;
use serde_json::json;

use crate::support::PATIENCE;
use crate::support::home::{Home, config};
use crate::support::process::look_until;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn kept(home: &Home) -> String {
    let folder = home.benchdog_home().join("data/sessions");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = files.map(|file| file.path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "printed"));
    files.filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

const PRINTS: &str = "touch made; for n in $(seq 1 12); do echo row-$n; done; printf half-a-row; sleep 67";

#[test]
fn what_a_command_had_printed_before_a_kill_is_in_its_row_and_reaches_the_model() {
    for (columns, rows) in [(80, 24), (160, 45)] {
        let server = Server::start();
        let home = Home::with(&server).window(columns, rows);
        server.script([call("bash", json!({"command": PRINTS}))]);
        let bench = home.bench(&[]);
        bench.ask("build it");
        bench.accept("sleep 67");
        bench.wait_for_text("half-a-row");
        assert!(
            look_until(PATIENCE, || kept(&home).contains("half-a-row")),
            "{}",
            kept(&home)
        );
        bench.signal(Signal::KILL);
        bench.wait_exit();
        let bench = home.bench(&["-c"]);
        bench.wait_for("the row with its last lines", |screen| {
            screen.has("result unknown") && screen.has("row-12") && screen.has("half-a-row")
        });
        server.script([text("I look first.")]);
        bench.ask("go on");
        bench.wait_for_text("I look first.");
        let told = server.request(2).last("tool").to_owned();
        assert!(
            told.starts_with("row-1\nrow-2\n") && told.contains("row-12\nhalf-a-row\n"),
            "{told}"
        );
        assert!(told.contains("What it did is unknown"), "{told}");
        assert!(look_until(PATIENCE, || kept(&home).is_empty()), "it is in the log");
        bench.leave();
    }
}

#[test]
fn the_same_of_ones_own_command_and_nothing_stays_of_one_that_ended() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.type_text("!echo before; sleep 1; echo after");
    bench.keys("enter");
    bench.wait_for_text("┊ after");
    assert!(look_until(PATIENCE, || kept(&home).is_empty()), "{}", kept(&home));
    bench.type_text("!echo row-12; printf half-a-row; sleep 67");
    bench.keys("enter");
    bench.wait_for_text("half-a-row");
    assert!(
        look_until(PATIENCE, || kept(&home).contains("half-a-row")),
        "{}",
        kept(&home)
    );
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let bench = home.bench(&["-c"]);
    bench.wait_for("the row with its last lines", |screen| {
        screen.has("result unknown") && screen.has("row-12")
    });
    bench.type_text("!echo going on");
    bench.keys("enter");
    bench.wait_for_text("┊ going on");
    assert!(look_until(PATIENCE, || kept(&home).is_empty()), "{}", kept(&home));
    bench.leave();
}

#[test]
fn what_may_begin_a_secret_is_not_kept_before_it_is_known() {
    let key = "house-key-of-the-endpoint-0815";
    let server = Server::start();
    let home = Home::bare().env("KIT_API_KEY", key);
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api_key_env"] = json!(["KIT_API_KEY"]);
    home.configure(&settings);
    home.file("key.txt", key);
    let (begin, _) = key.split_at(20);
    let command = "touch made; echo first; cat key.txt; echo; echo between; head -c 20 key.txt; sleep 67";
    server.script([call("bash", json!({"command": command}))]);
    let bench = home.bench(&[]);
    bench.ask("show it");
    bench.accept("sleep 67");
    assert!(
        look_until(PATIENCE, || kept(&home).contains("between")),
        "{}",
        kept(&home)
    );
    assert!(!kept(&home).contains(begin), "{}", kept(&home));
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let bench = home.bench(&["-c"]);
    bench.wait_for_text("between");
    server.script([text("I see.")]);
    bench.ask("go on");
    bench.wait_for_text("I see.");
    let told = server.request(2).last("tool").to_owned();
    assert!(told.contains("between") && !told.contains(begin), "{told}");
    bench.leave();
}
