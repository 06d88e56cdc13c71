//! Tests with corpora of command lines. Each line is judged with the default rules and with a rule that allows
//! everything. Lines that are allowed by default are also run, in a folder full of traps.

mod alone;
mod mutations;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{Reply, calls, text};
use crate::support::server::Server;

const CORPORA: [&str; 3] = [
    include_str!("../data/shell.tsv"),
    include_str!("../data/shell_2.tsv"),
    include_str!("../data/shell_3.tsv"),
];

/// Content of every secret, and of every file outside the project.
const TRAP: &str = "trap-4711-was-read";

/// File that each executed trap creates.
const TOUCHED: &str = "trap-was-sprung";

struct Row {
    id: String,
    is_hostile: bool,
    class: String,
    command: String,
}

fn rows(corpus: &str) -> Vec<Row> {
    let lines = corpus.lines().skip(1).filter(|line| !line.trim().is_empty());
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        Row {
            id: columns[0].to_owned(),
            is_hostile: columns[2] != "benign",
            class: columns[3].to_owned(),
            command: serde_json::from_str(columns[4]).expect("a command"),
        }
    };
    lines.map(row).collect()
}

/// Creates the folder in which the corpora were observed. Its surroundings must not be reached without approval.
fn home(permission: Value) -> Home {
    let home = Home::bare_in(std::path::Path::new("/var/tmp"));
    let mut settings = config("http://127.0.0.1:9/v1");
    settings["permission"] = permission;
    home.configure(&settings);
    for (file, text) in [
        ("notes.txt", "alpha\nbeta\n"),
        ("data.csv", "a,b\n1,2\n"),
        ("README.md", "# r\n"),
        ("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\n"),
        ("files.lst", "notes.txt\n"),
        ("big.lst", "ls\nrm notes.txt\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/lib.rs", "\n"),
        ("build/out.o", "x\n"),
        ("old/a.txt", "x\n"),
        ("old/b.tmp", "x\n"),
        ("run.sh", "#!/bin/sh\necho hi\n"),
        ("rmnotes.sh", "#!/bin/sh\nrm notes.txt\n"),
        ("pre.sh", "#!/bin/sh\nrm -f notes.txt\ncat\n"),
        ("tests/test_a.py", "def test_a(): pass\n"),
        ("package.json", "{\"name\": \"x\"}\n"),
    ] {
        home.file(file, text);
    }
    for script in ["rmnotes.sh", "pre.sh"] {
        fs::set_permissions(home.path(script), fs::Permissions::from_mode(0o755)).expect("a script");
    }
    home.file(
        "Makefile",
        &format!("x := $(shell touch {TOUCHED})\nall:\n\t+touch {TOUCHED}\n"),
    );
    symlink("notes.txt", home.path("link.txt")).expect("a link");
    let git: [&[&str]; 5] = [
        &["init", "-q"],
        &["add", "-A"],
        &["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "one"],
        &[
            "-c",
            "user.name=n",
            "-c",
            "user.email=e",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "two",
        ],
        &["remote", "add", "origin", "https://host/x.git"],
    ];
    for arguments in git {
        let done = Command::new("git").args(arguments).current_dir(home.project()).output();
        assert!(done.is_ok_and(|done| done.status.success()), "git {arguments:?}");
    }
    home
}

fn verdicts(home: &Home, rows: &[Row]) -> Vec<Value> {
    let is_one_line = |row: &&Row| !row.command.contains(['\n', '\r']);
    let lines: Vec<&str> = rows
        .iter()
        .filter(is_one_line)
        .map(|row| row.command.as_str())
        .collect();
    let told = home.run_with_input(&["policy", "explain", "--stdin"], lines.join("\n"));
    let mut told = told
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let verdict = |row: &Row| {
        if is_one_line(&row) {
            return told.next().expect("a verdict on each line");
        }
        let one = home.run(&["policy", "explain", "--", &row.command]);
        serde_json::from_str(one.stdout.trim()).expect("JSON")
    };
    rows.iter().map(verdict).collect()
}

fn is(verdict: &Value, key: &str, wanted: &[&str]) -> bool {
    verdict[key].as_str().is_some_and(|word| wanted.contains(&word))
}

fn told<'r>(rows: impl Iterator<Item = (&'r Row, &'r Value)>) -> Vec<String> {
    rows.map(|(row, verdict)| format!("{} {:?}: {}", row.id, row.command, verdict["because"]))
        .collect()
}

#[test]
fn no_hostile_line_is_allowed_by_default_and_few_reading_lines_are_asked_about() {
    let (by_default, with_rule) = (home(json!({})), home(json!({"bash": "allow"})));
    for corpus in CORPORA {
        let rows = rows(corpus);
        let judged = verdicts(&by_default, &rows);
        let all = || rows.iter().zip(&judged);
        let wrong = told(all().filter(|(row, verdict)| row.is_hostile && is(verdict, "verdict", &["allow"])));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let worse = told(
            all().filter(|(row, verdict)| !row.is_hostile && is(verdict, "class", &["dangerous", "catastrophic"])),
        );
        assert!(worse.is_empty(), "{}", worse.join("\n"));
        let reading = || all().filter(|(row, _)| !row.is_hostile && row.class == "read");
        let asked = told(reading().filter(|(_, verdict)| !is(verdict, "verdict", &["allow"])));
        assert!(
            asked.len() * 100 <= reading().count() * 8,
            "{}\n{}",
            asked.len(),
            asked.join("\n")
        );
        let allowing = verdicts(&with_rule, &rows);
        let hostile = || rows.iter().zip(&allowing).filter(|(row, _)| row.is_hostile);
        let allowed = told(hostile().filter(|(_, verdict)| is(verdict, "verdict", &["allow"])));
        assert!(
            allowed.len() * 200 <= hostile().count(),
            "{}\n{}",
            allowed.len(),
            allowed.join("\n")
        );
        let both = rows.iter().zip(judged.iter().zip(&allowing));
        let more = both.filter(|(_, (one, other))| is(one, "verdict", &["allow"]) && !is(other, "verdict", &["allow"]));
        assert_eq!(told(more.map(|(row, (_, other))| (row, other))), Vec::<String>::new());
    }
}

/// Writes the trap's text into secrets and outside files. Creates project files that make other programs run traps.
fn set_traps(home: &Home) {
    for secret in [".env", "secrets.json", "deploy/prod.env", ".netrc"] {
        home.file(secret, &format!("{TRAP}\n"));
    }
    for file in [
        ".ssh/id_rsa",
        ".aws/credentials",
        ".config/some-tool/token",
        "notes-of-mine.txt",
    ] {
        let path = home.user_home().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, format!("{TRAP}\n")).expect("a secret");
    }
    for file in ["outside.txt", "x"] {
        fs::write(home.outside().join(file), format!("{TRAP}\n")).expect("a file outside");
    }
    home.file("rust-toolchain.toml", "[toolchain]\npath = \"./tool\"\n");
    for program in [
        "tool/bin/rustc",
        "tool/bin/cargo",
        "node_modules/.bin/node",
        "jq",
        "man",
        "python3",
        "less",
    ] {
        home.file(program, &format!("#!/bin/sh\ntouch {TOUCHED}\n"));
        fs::set_permissions(home.path(program), fs::Permissions::from_mode(0o755)).expect("a program");
    }
    home.file("json.py", &format!("open('{TOUCHED}', 'w')\n"));
    home.file("x.1", ".so ../outside.txt\n");
    home.file("evil.jq", "include \"../outside\";\n");
    home.file(
        "x.xml",
        &format!(
            "<!DOCTYPE x [<!ENTITY e SYSTEM \"file://{}\">]><x>&e;</x>\n",
            home.outside().join("outside.txt").display()
        ),
    );
    home.file(".sqliterc", &format!(".shell touch {TOUCHED}\n"));
}

#[test]
fn lines_that_are_allowed_by_default_read_no_secret_and_touch_nothing_when_they_are_run() {
    let server = Server::start();
    let home = home(json!({}));
    let mut settings = config(&server.base_url());
    settings["validation"] = json!({"auto": false});
    home.configure(&settings);
    set_traps(&home);
    let rows: Vec<Row> = CORPORA.iter().flat_map(|corpus| rows(corpus)).collect();
    let judged = verdicts(&home, &rows);
    let allowed: Vec<&Row> = rows
        .iter()
        .zip(&judged)
        .filter(|(_, verdict)| is(verdict, "verdict", &["allow"]))
        .map(|(row, _)| row)
        .collect();
    assert!(allowed.len() > 150, "{}", allowed.len());
    let before = names(&home);
    for some in allowed.chunks(30) {
        let all = some
            .iter()
            .map(|row| ("bash", json!({"command": row.command, "timeout_ms": 5_000})));
        let replies: [Reply; 2] = [calls(all), text("Done.")];
        server.script(replies);
        home.run(&["run", "go"]).assert_code(0);
    }
    let told: String = server
        .requests()
        .iter()
        .map(|request| json!(request.messages()).to_string())
        .collect();
    assert!(
        !told.contains(TRAP),
        "{}",
        told.split(TRAP)
            .next()
            .unwrap_or_default()
            .chars()
            .rev()
            .take(600)
            .collect::<String>()
            .chars()
            .rev()
            .collect::<String>()
    );
    assert!(told.matches("[exit 0").count() > allowed.len() / 2, "most of them ran");
    assert_eq!(names(&home), before);
}

/// Returns all paths in the project and in the person's home, with their sizes.
fn names(home: &Home) -> Vec<String> {
    let done = Command::new("find")
        .arg(home.project())
        .arg(home.user_home())
        .args(["-not", "-path", "*/benchdog/*", "-printf", "%p %s\n"])
        .output()
        .expect("a list");
    let mut names: Vec<String> = String::from_utf8_lossy(&done.stdout)
        .lines()
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}
