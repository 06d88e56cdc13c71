//! Tests of answers with evidence. `done` accepts only lines that were read, found or changed.

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{call, calls, text};
use crate::support::request::Request;
use crate::support::server::Server;

/// Configures the agent `prover`, whose turns need evidence.
fn home(server: &Server) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["agent"] = json!({"prover": {"completion": "evidence", "permission": {"edit": "allow"}}});
    home.configure(&settings);
    home
}

fn done(summary: &str, changed: &[&str], claims: &[Value]) -> Value {
    json!({"summary": summary, "files_changed": changed, "evidence": claims})
}

fn claim(path: &str, line: u64) -> Value {
    json!({"path": path, "line": line, "claim": format!("it is shown at {line}")})
}

/// Returns 120 lines. Three contain a needle.
fn lines(name: &str) -> String {
    let line = |n: u64| match n {
        7 | 50 | 90 => format!("{name} {n} needle\n"),
        _ => format!("{name} {n}\n"),
    };
    (1..=120).map(line).collect()
}

fn refused(request: &Request) -> Vec<usize> {
    let told = request.last("tool");
    let numbers = told.lines().filter_map(|line| {
        let rest = line.strip_prefix("- evidence ")?;
        rest.split(',').next()?.parse().ok()
    });
    numbers.collect()
}

/// Returns claims with evidence in the session.
fn true_claims(home: &Home) -> Vec<Value> {
    let mut claims = Vec::new();
    for n in 0..4 {
        // Lines 10 to 39 were read.
        claims.extend([10, 11, 25, 38, 39].map(|line| claim(&format!("src/m{n}.rs"), line)));
        claims.extend([12, 39].map(|line| claim(&format!("./src/m{n}.rs"), line)));
        let absolute = home.path(&format!("src/m{n}.rs")).display().to_string();
        claims.extend([10, 30].map(|line| claim(&absolute, line)));
    }
    claims.extend((1..=40).map(|n| claim("src/m5.rs", n * 3)));
    claims.extend([7, 50, 90].map(|line| claim("src/m6.rs", line)));
    // Lines up to 20 were read, and an edit replaced the fifth line by three.
    claims.extend([1, 4, 5, 6, 7, 8, 20, 22].map(|line| claim("src/m7.rs", line)));
    claims.extend([1, 2, 3].map(|line| claim("new.txt", line)));
    claims.extend(["src/m5.rs", "src/m6.rs", "new.txt"].map(|path| json!({"path": path, "claim": "it is there"})));
    while claims.len() < 100 {
        claims.push(claim("src/m5.rs", claims.len() as u64));
    }
    claims
}

/// Returns claims of a model that read nothing, or other lines.
fn false_claims(home: &Home) -> Vec<Value> {
    let mut claims = Vec::new();
    for n in 0..4 {
        // The lines are next to the read ones, or far from them.
        claims.extend([1, 9, 40, 41, 100].map(|line| claim(&format!("src/m{n}.rs"), line)));
        claims.extend([9, 40].map(|line| claim(&format!("./src/m{n}.rs"), line)));
        claims.extend([10, 11].map(|line| claim(&format!("SRC/m{n}.rs"), line)));
        claims.extend([10, 11].map(|line| claim(&format!("src/M{n}.rs"), line)));
        claims.push(claim(&format!("m{n}.rs"), 10));
    }
    claims.extend((1..=20).map(|line| claim("src/m9.rs", line)));
    claims.extend([6, 8, 49, 51, 89, 91].map(|line| claim("src/m6.rs", line)));
    claims.extend([23, 40, 121].map(|line| claim("src/m7.rs", line)));
    claims.extend([1, 7, 50].map(|line| claim("src/m8.rs", line)));
    claims.extend([121, 500].map(|line| claim("src/m5.rs", line)));
    claims.extend([4, 9].map(|line| claim("new.txt", line)));
    claims.extend(
        ["/etc/hosts", "../outside.txt", "src/nothing.rs", "src"].map(|path| json!({"path": path, "claim": "x"})),
    );
    let sibling = home.outside().join("elsewhere/src/m0.rs").display().to_string();
    claims.push(claim(&sibling, 10));
    while claims.len() < 100 {
        claims.push(claim("src/m9.rs", claims.len() as u64));
    }
    claims
}

#[test]
fn of_two_hundred_claims_every_false_one_is_named_and_no_true_one() {
    let server = Server::start();
    let home = home(&server);
    for n in 0..10 {
        home.file(&format!("src/m{n}.rs"), &lines(&format!("m{n}")));
    }
    let (held, not_held) = (true_claims(&home), false_claims(&home));
    assert_eq!((held.len(), not_held.len()), (100, 100));
    let all: Vec<Value> = held
        .iter()
        .zip(&not_held)
        .flat_map(|(a, b)| [a.clone(), b.clone()])
        .collect();
    let read = |n: u64| {
        (
            "read",
            json!({"path": format!("src/m{n}.rs"), "offset": 10, "limit": 30}),
        )
    };
    let whole = |n: u64| ("read", json!({"path": format!("src/m{n}.rs")}));
    let changed = ["src/m7.rs", "./new.txt", "src/m8.rs"];
    server.script([
        calls([read(0), read(1), read(2), read(3)]),
        calls([
            whole(5),
            ("grep", json!({"pattern": "needle", "path": "src/m6.rs"})),
            ("read", json!({"path": "src/m7.rs", "limit": 20})),
            whole(8),
        ]),
        calls([
            (
                "edit",
                json!({"path": "src/m7.rs", "edits": [{"old": "m7 5\n", "new": "one\ntwo\nthree\n"}]}),
            ),
            ("write", json!({"path": "new.txt", "content": "a\nb\nc\n"})),
            (
                "patch",
                json!({"patch": "*** Begin Patch\n*** Delete File: src/m8.rs\n*** End Patch\n"}),
            ),
        ]),
        call("done", done("All of it.", &["src/m7.rs", "src/m5.rs", "new.txt"], &all)),
        call("done", done("What holds.", &changed, &held)),
    ]);
    let run = home.run(&["run", "-a", "prover", "--approve", "all", "look and change"]);
    run.assert_code(0);
    assert!(!home.path("src/m8.rs").exists(), "{run}");
    let told = server.request(5);
    let wanted: Vec<usize> = (1..=100).map(|n| n * 2).collect();
    assert_eq!(refused(&told), wanted, "{}", told.last("tool"));
    let told = told.last("tool").to_owned();
    assert!(told.contains("`src/m5.rs` was not changed"), "{told}");
    assert!(told.contains("101 of your statements could not be confirmed"), "{told}");
    assert!(told.contains("did you mean `src/m0.rs`?"), "{told}");
    assert_eq!(server.requests().len(), 5, "what was taken ends the turn");
    assert!(
        run.stdout.starts_with("What holds.") && run.stdout.contains("`src/m7.rs:22`"),
        "{run}"
    );
    server.assert_append_only();
}

#[test]
fn a_text_alone_is_asked_about_twice_and_then_taken() {
    let server = Server::start();
    let home = home(&server);
    server.script([text("First."), text("Second."), text("Third.")]);
    let run = home.run(&["run", "-a", "prover", "what is it?"]);
    run.assert_code(0);
    assert_eq!(run.stdout.trim(), "Third.");
    assert!(run.stderr.contains("Accepted without evidence"), "{run}");
    assert_eq!(server.requests().len(), 3);
    assert!(server.request(3).raw.matches("was not taken yet").count() == 2);
    server.assert_append_only();
    // A plain text answer needs no evidence.
    server.script([text("Plain.")]);
    home.run(&["run", "what is it?"]).assert_code(0);
    assert_eq!(server.requests().len(), 4);
    assert!(
        server.request(4).raw.contains("\"name\":\"done\""),
        "the tools are those of the session"
    );
}

#[test]
fn what_was_seen_counts_after_a_resume() {
    let server = Server::start();
    let home = home(&server);
    home.file("a.txt", "one\ntwo\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("done", done("It has two lines.", &[], &[claim("a.txt", 2)])),
        call("done", done("As before.", &[], &[claim("a.txt", 1)])),
    ]);
    home.run(&["run", "-a", "prover", "how long is it?"]).assert_code(0);
    let run = home.run(&["run", "-c", "and now?"]);
    run.assert_code(0);
    assert!(run.stdout.contains("As before."), "{run}");
    server.assert_append_only();
}

#[test]
fn a_file_that_a_command_changed_may_be_named_and_what_is_not_named_is_told() {
    let server = Server::start();
    let home = home(&server);
    home.file("a.txt", "one\n").file("b.txt", "one\n");
    server.script([
        calls([
            ("bash", json!({"command": "printf 'x\\n' >> a.txt"})),
            ("write", json!({"path": "c.txt", "content": "c\n"})),
            ("read", json!({"path": "a.txt"})),
        ]),
        call("done", done("Wrong.", &["b.txt"], &[claim("a.txt", 2)])),
        call("done", done("Right.", &["a.txt"], &[claim("a.txt", 2)])),
    ]);
    let run = home.run(&["run", "-a", "prover", "--approve", "all", "add a line"]);
    run.assert_code(0);
    assert!(server.request(3).last("tool").contains("`b.txt` was not changed"));
    let shown = home.run(&["sessions", "list"]);
    shown.assert_code(0);
    server.script([text("ok"), text("ok"), text("ok")]);
    home.run(&["run", "-c", "more"]).assert_code(0);
    assert!(server.request(4).says("Also changed but not named: `c.txt`"));
}

#[test]
fn a_model_may_be_one_whose_turns_end_with_places() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    let models = settings["provider"]["kit"]["models"].as_object_mut().expect("models");
    models
        .values_mut()
        .for_each(|model| model["completion"] = json!("evidence"));
    home.configure(&settings);
    home.file("a.txt", "one\n");
    server.script([
        text("It is one."),
        call("read", json!({"path": "a.txt"})),
        call("done", done("It is one.", &[], &[claim("a.txt", 1)])),
    ]);
    let run = home.run(&["run", "what is it?"]);
    run.assert_code(0);
    assert!(run.stdout.contains("`a.txt:1`"), "{run}");
}

#[test]
fn what_was_seen_counts_after_a_compaction() {
    let server = Server::start();
    let home = home(&server).window(120, 45);
    home.file("a.txt", "one\n");
    let long = "One thought of many, and another one. ".repeat(200);
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("done", done(&long, &[], &[claim("a.txt", 1)])),
        call("done", done(&long, &[], &[claim("a.txt", 1)])),
        call("done", done(&long, &[], &[claim("a.txt", 1)])),
        text("## Goal\n\nA file was looked at."),
        call("done", done("Still so.", &[], &[claim("a.txt", 1)])),
    ]);
    home.run(&["run", "-a", "prover", "read it"]).assert_code(0);
    home.run(&["run", "-c", "again"]).assert_code(0);
    home.run(&["run", "-c", "and again"]).assert_code(0);
    let bench = home.bench(&["-c"]);
    bench.ask("/compact");
    bench.wait_for("the summary", |screen| screen.has("A file was looked at"));
    bench.keys("y");
    bench.wait_for_text("Summarised earlier turns");
    bench.ask("and now?");
    bench.wait_for_text("Still so.");
    bench.leave();
    assert!(
        !server.request(6).raw.contains("1\\tone"),
        "the output is not carried any more"
    );
}
