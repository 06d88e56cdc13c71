//! Disks that become full at any moment, file size limits, and kills during writes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{call, stream, text};
use crate::support::server::Server;
use crate::support::small_disk::SmallDisk;
use crate::{Measured, Row};

/// Number of runs killed while writing, and of files that each run writes.
const KILLS: u64 = 60;
const FILES: u64 = 6;

/// Number of runs during which the disk becomes full.
const FILLS: u64 = 30;

/// Largest tested limit for file sizes, in blocks of 512 bytes.
const MOST_BLOCKS: u32 = 4_096;

pub fn rows() -> Vec<Row> {
    vec![
        Row {
            test: "disk: 60 kills in the middle of writes",
            limit: "0 bodies left, 0 torn files",
            run: killed_writes,
        },
        Row {
            test: "disk: 30 times full at a random moment of a run",
            limit: "0 unsound, 0 panics, goes on each time",
            run: full_at_any_moment,
        },
        Row {
            test: "disk: data folders of 16 KB to 3 MB",
            limit: "0 panics, each an end with 0 or 1",
            run: small_disks,
        },
        Row {
            test: "disk: files limited to 0, 1, 2, 4 … 4096 blocks",
            limit: "0 killed, 0 panics, 0 unsound",
            run: limited_files,
        },
    ]
}

fn unmountable() -> Measured {
    Measured {
        figure: "not checked: nothing can be mounted".to_owned(),
        holds: false,
    }
}

/// Returns the content of a file. It repeats one letter, so a mix of two contents is detectable.
fn body(number: u64) -> String {
    let letter = char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
    letter.to_string().repeat(300_000)
}

fn killed_writes() -> Measured {
    let server = Server::start();
    let home = Home::with(&server);
    let mut turn = 0;
    server.model(move |request| {
        if request.last("user").contains("once more") {
            return Some(text("Done."));
        }
        turn += 1;
        let write = |file| json!({"path": format!("file-{turn}-{file}.txt"), "content": body(turn + file)});
        let calls = (0..FILES).fold(stream(), |reply, file| reply.calls("write", write(file)));
        Some(calls.ends())
    });
    let (mut left_by_kills, mut torn) = (0, 0);
    for _ in 0..KILLS {
        let before = bodies(&home);
        let run = home.start(&["run", "--approve", "all", "write"], None);
        // A write takes only milliseconds, so check without pauses.
        let began = Instant::now();
        while bodies(&home).is_subset(&before) && began.elapsed() < Duration::from_secs(10) {}
        run.signal(Signal::KILL);
        run.wait();
        left_by_kills += u64::from(!bodies(&home).is_empty());
    }
    home.run(&["run", "--approve", "all", "once more"]);
    for item in std::fs::read_dir(home.project()).expect("the project") {
        let bytes = std::fs::read(item.expect("a file").path()).expect("a file");
        let is_whole = bytes.len() == 300_000 && bytes.iter().all(|byte| Some(byte) == bytes.first());
        torn += u64::from(!is_whole);
    }
    let left = bodies(&home).len();
    Measured {
        figure: format!("{left_by_kills} kills left one, {left} at the end; {torn} torn"),
        holds: left == 0 && torn == 0 && left_by_kills > 0,
    }
}

fn bodies(home: &Home) -> BTreeSet<OsString> {
    let items = std::fs::read_dir(home.project()).expect("the project");
    let names = items.map(|item| item.expect("a file").file_name());
    names
        .filter(|name| name.to_string_lossy().starts_with(".benchdog-write-"))
        .collect()
}

fn full_at_any_moment() -> Measured {
    let server = Server::start();
    let mut home = Home::with(&server);
    home.file("lines.txt", &"a line of some length, and then some\n".repeat(400));
    let Some(disk) = SmallDisk::at(&mut home, "benchdog/data", "size=24m") else {
        return unmountable();
    };
    let mut turn = 0;
    server.model(move |_| {
        turn += 1;
        Some(match turn % 25 {
            0 => text("Done."),
            _ => call("read", json!({"path": "lines.txt", "offset": turn % 300 + 1})),
        })
    });
    let mut dice = fastrand::Rng::with_seed(12);
    let (mut full, mut unsound, mut panics, mut stuck) = (0, 0, 0, 0);
    for number in 0..FILLS {
        let line = ["run", "--approve", "all", "--output", "stream-json", "read on"];
        let run = home.start(&line, None);
        moment(Duration::from_millis(dice.u64(..300)));
        disk.fill(dice.u64(..3) * 40_000);
        let run = run.wait();
        full += u64::from(run.events("error").iter().any(|error| error["code"] == "storage_full"));
        let listed = home.run(&["sessions", "list", "--format", "json"]);
        disk.relieve();
        let checked = home.run(&["sessions", "check"]);
        unsound += u64::from(checked.code != Some(0));
        stuck += u64::from(home.run(&["run", "--approve", "all", "-c", "go on"]).code != Some(0));
        panics += [&run, &listed, &checked]
            .into_iter()
            .filter(|run| has_panicked(run))
            .count() as u64;
        // Delete the listed sessions to make space for the next runs.
        if number % 3 == 2 {
            forget_all(&home);
        }
    }
    Measured {
        figure: format!("{full} met it, {unsound} unsound, {panics} panics, {stuck} stuck"),
        holds: unsound + panics + stuck == 0 && full > 0,
    }
}

fn forget_all(home: &Home) {
    let listed = home.run(&["sessions", "list", "--format", "json"]).json_lines();
    let ids = listed.first().and_then(Value::as_array).into_iter().flatten();
    for id in ids.filter_map(|session| session["id"].as_str()) {
        home.run(&["sessions", "delete", id]);
    }
}

fn small_disks() -> Measured {
    let server = Server::start();
    server.model(|_| Some(text("Done.")));
    let (mut ends, mut panics, mut wrong) = ([0, 0], 0, 0);
    for size in [16, 32, 64, 128, 256, 512, 768, 1024, 1280, 1536, 1792, 2048, 2560, 3072] {
        let mut home = Home::with(&server);
        let Some(_disk) = SmallDisk::at(&mut home, "benchdog/data", &format!("size={size}k")) else {
            return unmountable();
        };
        for line in [
            &["run", "hello"][..],
            &["sessions", "list"],
            &["sessions", "check"],
            &["run", "again"],
        ] {
            let run = home.run(line);
            panics += u64::from(has_panicked(&run));
            match run.code {
                Some(0) => ends[0] += 1,
                Some(1) if run.stderr.matches("could not").count() == 1 => ends[1] += 1,
                _ => {
                    println!("{size} KB, {line:?}: {run}");
                    wrong += 1;
                }
            }
        }
    }
    Measured {
        figure: format!(
            "{} done, {} refused, {wrong} otherwise, {panics} panics",
            ends[0], ends[1]
        ),
        holds: panics + wrong == 0,
    }
}

fn limited_files() -> Measured {
    let server = Server::start();
    server.model(|_| Some(text("Done.")));
    let (mut runs, mut killed, mut panics, mut unsound) = (0, 0, 0, 0);
    let sizes = std::iter::successors(Some(1), |blocks| Some(blocks * 2)).take_while(|blocks| *blocks <= MOST_BLOCKS);
    for blocks in std::iter::once(0).chain(sizes) {
        let home = Home::with(&server);
        home.run(&["run", "before it"]);
        for line in [
            &["run", "hello"][..],
            &["run", "-c", "hello"],
            &["sessions", "list"],
            &["doctor"],
            &["docs", "config"],
        ] {
            for run in [
                home.run_on_small_disk(blocks, line),
                home.run_into_small_file(blocks, line),
            ] {
                runs += 1;
                killed += u64::from(run.signal.is_some());
                panics += u64::from(has_panicked(&run));
            }
        }
        unsound += u64::from(home.run(&["sessions", "check"]).code != Some(0));
    }
    Measured {
        figure: format!("{runs} runs, {killed} killed, {panics} panics, {unsound} unsound"),
        holds: killed + panics + unsound == 0,
    }
}

fn has_panicked(run: &Finished) -> bool {
    run.stderr.contains("panicked") || run.code == Some(101)
}

/// Waits for a random time that decides when the disk becomes full. Waits for no event.
fn moment(length: Duration) {
    let (_never, clock) = mpsc::channel::<()>();
    let _ = clock.recv_timeout(length);
}
