//! Makes hostile tool calls through the whole engine, with the most permissive configuration possible. With
//! `BENCHDOG_HOSTILE=full`, every case makes every call. Otherwise, each case makes a part of the calls, and the cases
//! with a complete sandbox together make all calls.

mod case;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::bench::{Looks, difference, grounds, inside, level, outside};
use super::hostile;
use crate::support::home::Home;
use crate::support::server::Server;

const CALLS: &str = include_str!("../../data/hostile_calls.tsv");

/// Maximum number of calls in one session. Some calls last until their time limit.
const IN_A_SESSION: usize = 12;

/// Time limit of a command in milliseconds.
const TIME_LIMIT: u32 = 3_000;

const OWN_KEY: &str = "house-key-of-the-endpoint-0815";

/// Paths outside the test's folders that the commands try to write.
const ON_THE_MACHINE: [&str; 7] = [
    "/etc/hostile-mark",
    "/usr/local/bin/hostile-mark",
    "/var/tmp/hostile-mark",
    "/root/hostile-mark",
    "/dev/shm/hostile-mark",
    "/opt/hostile-mark",
    "/dev/hostile-mark",
];

/// A line of the data: its number, the tool, and the tool's arguments or the build's script.
#[derive(Clone, Copy)]
struct Hostile {
    number: usize,
    tool: &'static str,
    what: &'static str,
}

fn all() -> Vec<Hostile> {
    let lines = CALLS.lines().filter(|line| !line.starts_with('#'));
    let split = lines.zip(1..).map(|(line, number)| {
        let (tool, what) = line.split_once('\t').expect("a tool and what it is asked");
        Hostile { number, tool, what }
    });
    split.collect()
}

#[expect(clippy::disallowed_methods, reason = "a variable of the test run, not of benchdog")]
fn chosen(case: usize, of: usize) -> Vec<Hostile> {
    let full = std::env::var("BENCHDOG_HOSTILE").is_ok_and(|value| value == "full");
    let mut all = all();
    all.retain(|hostile| full || hostile.number % of == case % of);
    all
}

impl Hostile {
    /// Returns the tool and the arguments for the model's call.
    fn call(&self, home: &Home) -> (&'static str, Value) {
        match self.tool {
            "make" => (
                "bash",
                json!({"command": format!("make call-{}", self.number), "timeout_ms": TIME_LIMIT}),
            ),
            tool => {
                let out = home.outside().display().to_string();
                let arguments = self.what.replace("$OUT", &out);
                let mut arguments: Value = serde_json::from_str(&arguments).expect("arguments");
                if tool == "bash" {
                    arguments["timeout_ms"] = json!(TIME_LIMIT);
                }
                (tool, arguments)
            }
        }
    }
}

/// Allows every command and every tool that the configuration can allow.
fn configured(home: &Home) {
    let path = home.benchdog_home().join("config.jsonc");
    let mut config: Value = serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
    let mut commands = json!({"*": "allow"});
    for program in [
        "curl", "wget", "kill", "pkill", "git push", "ssh", "docker", "sudo", "crontab", "make", "rm", "mv",
    ] {
        commands[format!("{program} *")] = json!("allow");
    }
    config["permission"] = json!({"*": "allow", "bash": commands, "edit": "allow", "external_directory": "allow"});
    config["provider"]["kit"]["api_key_env"] = json!(["KIT_API_KEY"]);
    fs::write(path, config.to_string()).expect("a configuration");
}

fn published() -> [String; 2] {
    [format!("AKIA{}", "Q7".repeat(8)), format!("ghp_{}", "a1B2".repeat(9))]
}

fn arrange(home: &Home) {
    hostile::plant(home);
    configured(home);
    let [aws, github] = published();
    home.file(
        "notes.txt",
        &format!("aws = {aws}\ngithub = {github}\nown = {OWN_KEY}\n"),
    );
    home.file("Makefile", "call-%:\n\t@bash ./calls/$@\n")
        .file("kept", "as it was\n");
    for hostile in all().into_iter().filter(|hostile| hostile.tool == "make") {
        home.file(
            &format!("calls/call-{}", hostile.number),
            &hostile.what.replace("\\n", "\n"),
        );
    }
    for folder in ["other/deep", "user/.cache"] {
        fs::create_dir_all(home.outside().join(folder)).expect("a folder outside");
    }
    for file in ["other/file", "other/deep/file", "user/.profile", "user/.cache/known"] {
        fs::write(home.outside().join(file), "as it was\n").expect("a file outside");
    }
    for folder in ["docs", "deep"] {
        fs::create_dir_all(home.path(folder)).expect("a folder");
    }
    fs::hard_link(home.path(".env"), home.path("docs/notes")).expect("a hard link");
    for (leads, name) in [
        (home.outside().join("other"), "out"),
        (home.user_home(), "to-home"),
        (home.user_home().join(".profile"), "to-profile"),
        (PathBuf::from("/"), "deep/to-root"),
    ] {
        symlink(leads, home.path(name)).expect("a link");
    }
    run("mkfifo", &["pipe"], &home.project());
    for tree in [".", "near"] {
        fs::create_dir_all(home.path(tree)).expect("a folder");
        run("git", &["init", "-q"], &home.path(tree));
    }
    run("git", &["add", "kept", "Makefile"], &home.project());
    run(
        "git",
        &["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"],
        &home.project(),
    );
}

fn run(program: &str, arguments: &[&str], folder: &Path) {
    let done = Command::new(program).args(arguments).current_dir(folder).output();
    assert!(done.is_ok_and(|done| done.status.success()), "{program} {arguments:?}");
}

struct Case {
    who: &'static str,
    agent: &'static str,
    home: Home,
    server: Server,
    told: Vec<String>,
    said: Vec<String>,
}

fn made(sandbox: &Value, case: usize, without: Option<&str>) -> Vec<(Case, [Looks; 2], [Looks; 2])> {
    made_by("build", sandbox, case, without)
}

fn made_by(
    agent: &'static str,
    sandbox: &Value,
    case: usize,
    without: Option<&str>,
) -> Vec<(Case, [Looks; 2], [Looks; 2])> {
    let homes = grounds(&Server::start(), sandbox, arrange);
    let cases = homes.into_iter().enumerate().map(|(user, (who, home))| {
        let server = Server::start();
        let path = home.benchdog_home().join("config.jsonc");
        let text = fs::read_to_string(&path).expect("a configuration");
        let mut config: Value = serde_json::from_str(&text).expect("JSON");
        config["provider"]["kit"]["base_url"] = json!(server.base_url());
        fs::write(&path, config.to_string()).expect("a configuration");
        let mut home = home.env("KIT_API_KEY", OWN_KEY).env("BENCHDOG_LOG", "debug");
        if let Some(part) = without {
            home = home.env("BENCHDOG_TEST_WITHOUT", part);
        }
        let (told, said) = (Vec::new(), Vec::new());
        let mut case_ = Case {
            who,
            agent,
            home: home.guarded(),
            server,
            told,
            said,
        };
        let _service = UnixListener::bind(case_.home.outside().join("service.sock")).expect("a socket");
        let before = (outside(&case_.home), inside(&case_.home));
        for batch in chosen(case * 2 + user, without.map_or(4, |_| 16)).chunks(IN_A_SESSION) {
            case_.session(batch);
        }
        let after = (outside(&case_.home), inside(&case_.home));
        (case_, [before.0, after.0], [before.1, after.1])
    });
    cases.collect()
}

#[test]
fn there_are_two_hundred_hostile_calls_of_every_tool_that_acts() {
    let all = all();
    assert!(all.len() >= 200, "{}", all.len());
    for tool in ["write", "edit", "patch", "read", "grep", "list", "glob", "bash", "make"] {
        assert!(all.iter().any(|hostile| hostile.tool == tool), "{tool}");
    }
}

#[test]
fn hostile_calls_change_nothing_outside_and_carry_no_secret_away() {
    for (user, (case, outside, _)) in made(&level("workspace"), 0, None).into_iter().enumerate() {
        case.assert_ran(&chosen(user, 4));
        assert_eq!(difference(&outside), Vec::<String>::new(), "as {}", case.who);
        case.assert_no_secret();
        case.assert_nothing_on_the_machine();
        case.assert_nothing_is_obeyed();
    }
}

#[test]
fn hostile_calls_change_not_one_byte_where_nothing_may_be_written() {
    for (user, (case, outside, inside)) in made(&level("read-only"), 1, None).into_iter().enumerate() {
        case.assert_ran(&chosen(2 + user, 4));
        assert_eq!(difference(&outside), Vec::<String>::new(), "as {}", case.who);
        assert_eq!(difference(&inside), Vec::<String>::new(), "as {}", case.who);
        case.assert_no_secret();
        case.assert_nothing_on_the_machine();
    }
}

/// The rules allow everything, and the sandbox is off.
#[test]
fn hostile_calls_change_not_one_byte_while_the_agent_plans() {
    for (user, (case, outside, inside)) in made_by("plan", &level("off"), 1, None).into_iter().enumerate() {
        case.assert_ran(&chosen(2 + user, 4));
        assert_eq!(difference(&outside), Vec::<String>::new(), "as {}", case.who);
        assert_eq!(difference(&inside), Vec::<String>::new(), "as {}", case.who);
        case.assert_nothing_on_the_machine();
    }
}

#[test]
fn without_any_one_part_no_hostile_command_runs() {
    // The last case corresponds to a system without user namespaces.
    let all = [
        "mounts",
        "processes",
        "landlock",
        "calls",
        "network",
        "mounts,processes,network",
    ];
    for part in all {
        let sandbox = json!({"level": "workspace", "network": "none"});
        for (case, outside, inside) in made(&sandbox, part.len(), Some(part)) {
            // File tools still work. Commands are not started, and each result states the reason.
            let ran = ["[exit ", "[signal ", "[timeout"];
            let started: Vec<&String> = case
                .told
                .iter()
                .filter(|told| ran.iter().any(|end| told.contains(end)))
                .collect();
            assert!(started.is_empty(), "without {part}, as {}: {started:?}", case.who);
            assert_eq!(
                difference(&outside),
                Vec::<String>::new(),
                "without {part}, as {}",
                case.who
            );
            let touched = difference(&inside).into_iter().filter(|path| path.starts_with(".git"));
            assert_eq!(touched.count(), 0, "without {part}, as {}", case.who);
            case.assert_no_secret();
        }
    }
}
