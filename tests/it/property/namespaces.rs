//! Starts the inner process of the property test: this test binary, as the first process of new namespaces.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::changes::Change;
use super::inside;
use super::judged::Judged;
use crate::support::home::Home;

/// Variables of the inner process: its working folder, and the folder for exchanged files.
const FOLDER: &str = "BENCHDOG_PROPERTY_FOLDER";
const EXCHANGE: &str = "BENCHDOG_PROPERTY_EXCHANGE";

/// Unprivileged user and group. The inner process cannot affect the machine.
const NOBODY: &str = "65534";

pub struct Namespaces {
    folder: PathBuf,
    exchange: tempfile::TempDir,
    program: Vec<OsString>,
}

impl Namespaces {
    /// Prepares the namespaces. The error states why they are unavailable.
    pub fn of(home: &Home) -> Result<Self, String> {
        let exchange = tempfile::Builder::new().prefix("benchdog-it-inside-").tempdir();
        let exchange = exchange.map_err(|error| error.to_string())?;
        let ours = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut program: Vec<OsString> = Vec::new();
        let mut binary = ours.clone();
        if rustix::process::geteuid().is_root() {
            // That user may be unable to read the build folder.
            binary = exchange.path().join("inside");
            std::fs::copy(&ours, &binary).map_err(|error| error.to_string())?;
            for given in [home.outside(), exchange.path()] {
                let owner = format!("{NOBODY}:{NOBODY}");
                let chown = Command::new("chown").args(["-R", &owner]).arg(given).status();
                assert!(chown.expect("chown starts").success(), "the folder is given to nobody");
            }
            let become_nobody = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"];
            program.extend(become_nobody.map(OsString::from));
        }
        std::fs::create_dir_all(exchange.path().join("root")).map_err(|error| error.to_string())?;
        program.extend(["unshare", "-Urmpnif", "--kill-child"].map(OsString::from));
        program.push(binary.into());
        let namespaces = Self {
            folder: home.outside().to_owned(),
            exchange,
            program,
        };
        let probe = namespaces.try_run(&["true".to_owned()])?;
        assert_eq!(probe, [Vec::new()], "`true` changes nothing");
        Ok(namespaces)
    }

    #[expect(
        clippy::print_stdout,
        reason = "a check that is left out says so in the report of its test"
    )]
    pub fn run_judged(&self, judged: &[Judged]) -> Vec<Vec<Change>> {
        let lines: Vec<String> = judged.iter().map(|judged| judged.line.clone()).collect();
        let mut answers = Vec::new();
        // If a line breaks the inner process, only its own answer is lost.
        while answers.len() < lines.len() {
            let rest = lines.get(answers.len()..).unwrap_or_default();
            let more = self.try_run(rest).unwrap_or_default();
            if more.len() < rest.len() {
                let ender = rest.get(more.len());
                println!("no answer to {ender:?}");
                answers.extend(more);
                answers.push(Vec::new());
            } else {
                answers.extend(more);
            }
        }
        answers
    }

    fn try_run(&self, lines: &[String]) -> Result<Vec<Vec<Change>>, String> {
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let (told, answers) = (self.exchange.path().join("lines"), self.exchange.path().join("answers"));
        let _ = std::fs::remove_file(&answers);
        std::fs::write(&told, serde_json::to_vec(lines).expect("lines are JSON")).expect("the lines are told");
        let (first, rest) = self.program.split_first().expect("a program");
        let output = Command::new(first)
            .args(rest)
            .args([
                "--ignored",
                "--exact",
                "--nocapture",
                "property::namespaces::the_half_inside",
            ])
            .env(FOLDER, &self.folder)
            .env(EXCHANGE, self.exchange.path())
            .current_dir("/")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("`unshare` does not start: {error}"))?;
        let read = std::fs::read_to_string(&answers).unwrap_or_default();
        let answered: Vec<Vec<Change>> = read
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        if answered.is_empty() {
            let said = [output.stdout, output.stderr].concat();
            return Err(format!("no namespaces: {}", String::from_utf8_lossy(&said).trim()));
        }
        Ok(answered)
    }
}

#[test]
#[ignore = "the inner half of the property test, which starts it"]
#[expect(
    clippy::disallowed_methods,
    reason = "the variables of the test run, not of benchdog"
)]
fn the_half_inside() {
    let folder = |name| std::env::var_os(name).map(PathBuf::from);
    let (Some(work), Some(exchange)) = (folder(FOLDER), folder(EXCHANGE)) else {
        return;
    };
    let at = |name: &str| Path::new(&exchange).join(name);
    inside::serve(&work, &at("lines"), &at("answers"), &at("root")).expect("the inner half works");
}
