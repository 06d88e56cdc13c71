//! Tests of the setup of a new worktree: ignored files listed in `.worktreeinclude`, hooks, and a number for ports.

use serde_json::json;

use super::worktree;
use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::text;
use crate::support::server::Server;

#[test]
fn a_new_worktree_gets_the_ignored_files_that_are_named_its_setup_and_its_own_ports() {
    let server = Server::start();
    let home = Home::with(&server).window(240, 40);
    let mut settings = config(&server.base_url());
    let setup = "echo \"$BENCHDOG_PORT_OFFSET\" >> setup.txt";
    settings["hooks"] = json!({"worktree_setup": [{"name": "prepare", "command": ["sh", "-c", setup]}]});
    home.configure(&settings);
    home.file(".gitignore", ".env\n*.key\nnode/\n");
    home.file(".worktreeinclude", ".env\nnode/kept/\n");
    home.file(".env", "PORT=8000\n");
    home.file("own.key", "not named\n");
    home.file("node/kept/deep/a.js", "kept\n");
    home.file("node/b.js", "not named\n");
    home.repository();
    server.script([text("Done."), text("Done twice.")]);
    let offset_to = |bench: &Pty, name: &str| {
        bench.ask(&format!("!echo \"of $BENCHDOG_PORT_OFFSET\" > {name}"));
        bench.wait_for_text(name);
    };
    let bench = home.bench(&["--worktree", "fix"]);
    bench.wait_for_text("Copied 2 ignored files");
    bench.wait_for_text("own.key");
    bench.ask("go");
    bench.wait_for_text("Done.");
    let root = worktree(&home, "fix");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap_or_default();
    assert_eq!(
        (&*read(".env"), &*read("node/kept/deep/a.js")),
        ("PORT=8000\n", "kept\n")
    );
    assert!(!root.join("own.key").exists() && !root.join("node/b.js").exists());
    assert_eq!(read("setup.txt"), "10\n");
    offset_to(&bench, "ports.txt");
    bench.wait_for("the number of the worktree", |_| read("ports.txt") == "of 10\n");
    bench.leave();

    // The setup runs once, and the number stays the same.
    let bench = home.bench(&["--worktree", "fix"]);
    bench.ask("go");
    bench.wait_for_text("Done twice.");
    assert_eq!(read("setup.txt"), "10\n");
    offset_to(&bench, "again.txt");
    bench.wait_for("the number of the worktree", |_| read("again.txt") == "of 10\n");
    bench.leave();

    let bench = home.bench(&[]);
    offset_to(&bench, "main.txt");
    bench.wait_for("the number of the main tree", |_| home.path("main.txt").exists());
    bench.wait_for("the number of the main tree", |_| home.read("main.txt") == "of 0\n");
    bench.leave();
}
