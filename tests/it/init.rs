//! Tests of `/init` and the plan. The prompt contains the facts, and only reviewed files are written.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn the_rules_of_a_folder_are_written_through_the_review_or_not_at_all() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["validation"] = json!({"auto": false});
    home.configure(&settings);
    home.file("Cargo.toml", "[package]\nname = \"x\"\n");
    home.file("Makefile", "lint:\n\tcargo clippy\n");
    home.file("src/main.rs", "fn main() {}\n");
    let write = || {
        call(
            "write",
            json!({"path": "AGENTS.md", "content": "# Rules\n\n`cargo test`\n"}),
        )
    };
    server.script([write(), text("Not written."), write(), text("Written.")]);
    let bench = home.bench(&[]);
    bench.ask("/init");
    bench.wait_for_review("cargo test");
    let asked = server.request(1);
    let told = asked.last("user");
    for part in [
        "Study this project",
        "Write `AGENTS.md`",
        "Rust, Cargo",
        "`make lint`",
        "`src` 1",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!home.path("AGENTS.md").exists());
    bench.refuse("cargo test");
    bench.wait_for_text("Not written.");
    assert!(!home.path("AGENTS.md").exists());
    bench.ask("/init");
    bench.accept("cargo test");
    bench.wait_for_text("Written.");
    assert_eq!(home.read("AGENTS.md"), "# Rules\n\n`cargo test`\n");
    server.script([text("Nothing to mend.")]);
    bench.ask("/init");
    bench.wait_for_text("Nothing to mend.");
    assert!(server.request(5).last("user").contains("Improve `AGENTS.md`"));
    server.assert_append_only();
    bench.leave();
}

const PLAN: &str = "# Mend the rounding\n\n1. Read `a.rs`.\n2. Change 購物車.";

#[test]
fn a_plan_that_waits_is_carried_out_by_a_command_and_written_to_a_new_file_only() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    server.script([
        call("plan_done", json!({"plan": PLAN})),
        call("write", json!({"path": "made.txt", "content": "new\n"})),
        text("Made."),
    ]);
    let bench = home.bench(&["-a", "plan"]);
    bench.ask("/execute");
    bench.wait_for_text("No plan yet");
    bench.ask("plan it");
    bench.wait_for_text("do it, apply edits without asking");
    bench.ask("/execute");
    // The plan's agent needs approval for each change.
    bench.accept("new");
    bench.wait_for_text("Made.");
    bench.wait_for_text("build ·");
    bench.ask("/plan export out/計画.md");
    bench.wait_for_text("The plan is saved in out/計画.md");
    assert_eq!(home.read("out/計画.md"), format!("{PLAN}\n"));
    home.file("out/計画.md", "mine\n");
    bench.ask("/plan export out/計画.md");
    bench.wait_for_text("Could not save the plan");
    assert_eq!(home.read("out/計画.md"), "mine\n");
    bench.ask("/plan export");
    bench.wait_for_text("-mend-the-rounding.md");
    let named = std::fs::read_dir(home.project())
        .expect("the project")
        .filter_map(Result::ok);
    let named: Vec<String> = named
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(
        named
            .iter()
            .any(|name| name.starts_with("plan-") && name.ends_with("-mend-the-rounding.md")),
        "{named:?}"
    );
    bench.ask("/plan list");
    bench.wait_for_text("Plans in this folder, newest first");
    bench.ask("/plan export ../outside.md");
    bench.wait_for_text("Could not save the plan");
    assert!(!home.outside().join("outside.md").exists());
    bench.leave();
}

#[test]
fn a_plan_that_nobody_answered_is_carried_out_later() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    server.script([call("plan_done", json!({"plan": PLAN})), text("It waits.")]);
    home.run(&["run", "-a", "plan", "plan it"]).assert_code(0);
    server.script([text("I begin.")]);
    let bench = home.bench(&["-c"]);
    bench.wait_for_text("It waits.");
    bench.ask("/execute");
    bench.wait_for_text("I begin.");
    bench.wait_for_text("build ·");
    let asked = server.request(3);
    let told = asked.last("user");
    assert!(
        told.contains("Carry out the plan now") && told.contains("agent `build`"),
        "{told}"
    );
    server.assert_append_only();
    bench.leave();
}

#[test]
fn the_plan_of_a_file_is_taken_up_by_another_session() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    let bench = home.bench(&[]);
    bench.ask("/plan list");
    bench.wait_for_text("This folder has no plan yet");
    home.file("plan-2026-01-02-cents.md", "# Cents\n\n1. Round `a.txt`\n2. Test it\n");
    home.file("plan-2026-01-03-more-cents.md", "# More\n");
    bench.ask("/plan open cents");
    bench.wait_for_text("Several plans match");
    bench.ask("/plan open nosuch");
    bench.wait_for_text("no plan or file `nosuch`");
    bench.ask("/plan open 01-02");
    bench.wait_for_text("Loaded the plan in plan-2026-01-02-cents.md");
    server.script([text("I begin.")]);
    bench.ask("/execute");
    bench.wait_for_text("I begin.");
    bench.wait_for_text("Round `a.txt`");
    let asked = server.request(1);
    let told = asked.last("user");
    assert!(
        told.contains("took up the plan of `plan-2026-01-02-cents.md`"),
        "{told}"
    );
    assert!(told.contains("2. Test it"), "{told}");
    bench.leave();
}
