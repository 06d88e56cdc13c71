//! Tests of `/commit`. The prompt gets a message for the staged changes, and sending it commits with the person's git.

mod co_author;

use std::os::unix::fs::PermissionsExt;

use crate::support::home::Home;
use crate::support::reply::{status, text};
use crate::support::server::Server;

fn staged(server: &Server) -> Home {
    let home = Home::with(server).window(120, 40);
    home.file("src/money.rs", "fn total() {}\n");
    home.repository();
    home.file("src/money.rs", "fn total() { round() }\n");
    home.git(&["add", "."]);
    home
}

fn hook(home: &Home, name: &str, script: &str) {
    let path = home.path(&format!(".git/hooks/{name}"));
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder of hooks");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a hook");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("a hook that runs");
}

#[test]
fn the_message_is_proposed_changed_in_the_prompt_and_committed_with_the_hooks() {
    let server = Server::start();
    let home = staged(&server);
    hook(&home, "pre-commit", "echo the hook ran; touch .git/ran");
    server.script([text("```\nfix(money): round the total\n\nIt lost cents.\n```")]);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("/commit fix(money): round the total");
    bench.wait_for_text("src/money.rs | 2 +-");
    assert_eq!(
        home.git(&["log", "--format=%s"]).lines().count(),
        1,
        "nothing is done yet"
    );
    bench.type_text(" 購物車");
    bench.wait_for_text("cents. 購物車");
    bench.keys("enter");
    bench.wait_for_text("the hook ran");
    bench.wait_for_text("[trunk ");
    assert_eq!(
        home.git(&["log", "-1", "--format=%an %B"]).trim(),
        "Ada fix(money): round the total\n\nIt lost cents. 購物車"
    );
    assert!(home.path(".git/ran").exists());
    let asked = server.request(1);
    let told = asked.last("user");
    assert!(
        told.contains("first: everything") && told.contains("+fn total() { round() }"),
        "{told}"
    );
    bench.leave();
    let home = staged(&server);
    server.script([text("fix: one")]);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("/commit fix: one");
    bench.keys("ctrl-c");
    bench.leave();
    assert_eq!(home.git(&["log", "--format=%s"]).lines().count(), 1);
    assert_eq!(home.git(&["diff", "--cached", "--name-only"]).trim(), "src/money.rs");
}

#[test]
fn where_nothing_is_staged_the_files_are_named_and_staged_when_the_person_says_so() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("not in a git repository");
    bench.leave();
    home.file("購物車.txt", "one\n");
    home.repository();
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("There is nothing to commit.");
    home.file("購物車.txt", "two\n");
    home.file("unknown.txt", "not known\n");
    home.file(".env", "KEY=secret\n");
    home.file(".git/info/exclude", "ignored.txt\n");
    home.file("ignored.txt", "not looked at\n");
    bench.ask("/commit");
    bench.wait_for_text("Nothing is staged.");
    bench.wait_for("the files and the answer in the prompt", |screen| {
        screen.has("Changed: 購物車.txt")
            && screen.has("New: unknown.txt")
            && screen.has("contain secrets: .env")
            && screen.has("› /commit all")
    });
    bench.type_text("/commit all");
    bench.keys("enter");
    bench.wait_for_text("still contains `/commit`");
    bench.keys("ctrl-c");
    bench.ask("/commit alll");
    bench.wait_for_text("with the message `alll`");
    bench.keys("ctrl-c");
    assert_eq!(home.git(&["diff", "--cached", "--name-only"]), "");
    server.script([text("docs: the second")]);
    bench.ask("/commit all");
    bench.wait_for_text("/commit docs: the second");
    bench.wait_for("both files and their counts", |screen| {
        screen.has("unknown.txt | 1 +") && screen.has("購物車.txt  | 2 +-")
    });
    bench.keys("enter");
    bench.wait_for_text("[trunk ");
    assert_eq!(home.git(&["status", "--porcelain"]).trim(), "?? .env");
    let committed = home.git(&["show", "--format=", "--name-only", "-z"]);
    assert_eq!(
        committed
            .split('\0')
            .filter(|path| !path.is_empty())
            .collect::<Vec<_>>(),
        ["unknown.txt", "購物車.txt"]
    );
    home.file("later.txt", "one\n");
    bench.ask("/commit all");
    bench.wait_for("what it would take, before anything is staged", |screen| {
        screen.has("New: later.txt") && screen.has("› /commit all")
    });
    assert_eq!(home.git(&["diff", "--cached", "--name-only"]), "");
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn a_hook_that_fails_shows_what_it_says_and_loses_no_message() {
    let server = Server::start();
    let home = staged(&server);
    hook(&home, "commit-msg", "echo the message is too short >&2; exit 1");
    server.script([text("fix: one")]);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("/commit fix: one");
    bench.keys("enter");
    bench.wait_for_text("the message is too short");
    bench.wait_for("the message in the prompt again", |screen| {
        screen.has("Nothing was committed. The message is back") && screen.has("› /commit fix: one")
    });
    std::fs::remove_file(home.path(".git/hooks/commit-msg")).expect("removes");
    bench.keys("enter");
    bench.wait_for_text("[trunk ");
    bench.leave();
}

#[test]
fn no_model_no_identity_a_conflict_and_secrets_are_each_said() {
    let server = Server::start();
    let home = staged(&server);
    home.file(".env", "KEY=ghp_0123456789abcdefghijklmnopqrstuvwxyzA\n");
    home.file("config.py", "t = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzA'\n");
    home.git(&["add", "-f", "."]);
    let nobody = "[user]\n\tuseConfigOnly = true\n";
    std::fs::write(home.user_home().join(".gitconfig"), nobody).expect("settings without a name");
    server.script([status(400, "no"), status(400, "no")]);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("No message was proposed");
    bench.wait_for_text("may contain secrets: .env");
    assert!(!server.request(1).raw.contains("ghp_0123456789"), "keys stay here");
    bench.type_text("feat: mine");
    bench.wait_for_text("/commit feat: mine");
    bench.keys("enter");
    bench.wait_for_text("Please tell me who you are");
    bench.wait_for_text("› /commit feat: mine");
    bench.keys("ctrl-c");
    bench.leave();
    let home = Home::with(&server).window(120, 40);
    home.file("a", "1\n");
    home.repository();
    home.git(&["switch", "-qc", "side"]);
    home.file("a", "side\n");
    home.git(&["commit", "-qam", "side"]);
    home.git(&["switch", "-q", "trunk"]);
    home.file("a", "trunk\n");
    home.git(&["commit", "-qam", "trunk"]);
    assert!(!home.git_tries(&["merge", "-q", "side"]).status.success());
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("Resolve these conflicts first: a");
    bench.leave();
}

#[test]
fn the_first_commit_of_a_branch_is_made_like_any_other() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    let settings = "[user]\n\tname = Ada\n\temail = ada@example.org\n";
    std::fs::write(home.user_home().join(".gitconfig"), settings).expect("settings of git");
    home.git(&["init", "-q", "-b", "trunk"]);
    home.file("a", "1\n");
    home.git(&["add", "."]);
    server.script([text("feat: begin")]);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("/commit feat: begin");
    bench.keys("enter");
    bench.wait_for_text("root-commit");
    bench.leave();
}

#[test]
fn what_is_staged_otherwise_while_the_message_stands_is_shown_before_it_is_committed() {
    let server = Server::start();
    let home = staged(&server);
    server.script([text("fix: one")]);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for_text("/commit fix: one");
    home.file("other.rs", "fn other() {}\n");
    home.git(&["add", "other.rs"]);
    bench.type_text(" of mine");
    bench.wait_for_text("one of mine");
    bench.keys("enter");
    bench.wait_for("the files as they are now, and the message again", |screen| {
        screen.has("Nothing was committed: the staged changes")
            && screen.has("other.rs")
            && screen.has("› /commit fix: one of mine")
    });
    assert_eq!(home.git(&["log", "--format=%s"]).lines().count(), 1);
    bench.keys("enter");
    bench.wait_for_text("[trunk ");
    assert_eq!(home.git(&["log", "-1", "--format=%s"]).trim(), "fix: one of mine");
    home.file("other.rs", "fn others() {}\n");
    home.git(&["add", "other.rs"]);
    server.script([text("fix: two")]);
    bench.ask("/commit");
    bench.wait_for_text("/commit fix: two");
    home.git(&["reset", "-q"]);
    bench.keys("enter");
    bench.wait_for("that nothing is staged, and the message again", |screen| {
        screen.has("Nothing is staged.") && screen.has("› /commit fix: two")
    });
    bench.keys("ctrl-c");
    // If no file list was shown, `/commit` with a message commits at once.
    home.git(&["add", "other.rs"]);
    bench.leave();
    let bench = home.bench(&[]);
    bench.ask("/commit fix: two");
    bench.wait_for_text("[trunk ");
    assert_eq!(server.requests().len(), 2);
    bench.leave();
}

#[test]
fn what_is_listed_is_what_is_staged_also_from_a_folder_of_the_repository() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    let settings = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = trunk\n";
    std::fs::write(home.user_home().join(".gitconfig"), settings).expect("settings of git");
    home.file("inside.txt", "one\n");
    home.file("../beside.txt", "one\n");
    let above = home.path("..").display().to_string();
    home.git(&["-C", &above, "init", "-q"]);
    home.git(&["add", "inside.txt", "../beside.txt"]);
    home.git(&["commit", "-qm", "first"]);
    home.file("inside.txt", "two\n");
    home.file("../beside.txt", "two\n");
    server.script([text("docs: both")]);
    let bench = home.bench(&[]);
    bench.ask("/commit");
    bench.wait_for("both files", |screen| {
        screen.has("Nothing is staged.") && screen.has("beside.txt") && screen.has("inside.txt")
    });
    bench.keys("enter");
    bench.wait_for_text("/commit docs: both");
    bench.keys("enter");
    bench.wait_for_text("[trunk ");
    let committed = home.git(&["show", "--format=", "--name-only"]);
    assert!(
        committed.contains("beside.txt") && committed.contains("inside.txt"),
        "{committed}"
    );
    bench.leave();
}
