//! A home with its server. Makes the hostile calls, and checks their effects.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::{Case, Hostile, ON_THE_MACHINE, OWN_KEY, published};
use crate::support::PATIENCE;
use crate::support::reply::{Reply, calls, text};

impl Case {
    pub(super) fn session(&mut self, batch: &[Hostile]) {
        // Add a harmless call after each hostile one. Otherwise, several denials in a row would end the turn.
        let replies = batch.iter().map(|hostile| -> Reply {
            let harmless = (
                "grep",
                json!({"pattern": format!("call {}", hostile.number), "path": "Makefile"}),
            );
            calls([hostile.call(&self.home), harmless])
        });
        let replies: Vec<Reply> = replies.chain([text("Done.")]).collect();
        self.server.script(replies);
        let run = self
            .home
            .start(
                &[
                    "run",
                    "-a",
                    self.agent,
                    "--approve",
                    "all",
                    "--output",
                    "stream-json",
                    "go",
                ],
                None,
            )
            .wait_within(PATIENCE * 6);
        let finished = run.events("tool_finished");
        assert_eq!(finished.len(), batch.len() * 2, "as {}: {run}", self.who);
        self.told.extend(
            finished
                .iter()
                .step_by(2)
                .map(|event| event["output"].as_str().unwrap_or_default().to_owned()),
        );
        self.said.extend([run.stdout, run.stderr]);
        for arguments in [
            &["sessions", "show"][..],
            &["sessions", "show", "--format", "jsonl"],
            &["sessions", "export"],
        ] {
            let shown = self.home.run(arguments);
            self.said.extend([shown.stdout, shown.stderr]);
        }
    }

    /// Checks all sent, printed, exported, logged and stored data.
    pub(super) fn assert_no_secret(&self) {
        let mut texts: Vec<(String, Vec<u8>)> = Vec::new();
        let requests = self.server.requests().into_iter();
        texts.extend(requests.map(|request| (format!("request {}", request.number), request.raw.into_bytes())));
        texts.extend(
            self.said
                .iter()
                .map(|said| ("output".to_owned(), said.clone().into_bytes())),
        );
        texts.extend(files_below(&self.home.benchdog_home()));
        let [aws, github] = published();
        let planted = (1..=6).map(|number| format!("planted-{number}-secret"));
        let planted: Vec<String> = planted.collect();
        let keys = [aws, github, OWN_KEY.to_owned()];
        for (place, bytes) in &texts {
            let text = String::from_utf8_lossy(bytes);
            // Checkpoints contain the project's files, even with a key in them, but no secret file.
            let keys = keys.iter().filter(|_| !place.contains("/data/checkpoints/"));
            for secret in planted.iter().chain(keys) {
                if let Some(at) = text.find(secret.as_str()) {
                    let from = text.floor_char_boundary(at.saturating_sub(300));
                    panic!(
                        "as {}: {place} holds {secret}: {}",
                        self.who,
                        text.get(from..at + secret.len()).unwrap_or_default()
                    );
                }
            }
        }
    }

    /// Runs git outside the sandbox in every folder. It must not run anything that a command left.
    pub(super) fn assert_nothing_is_obeyed(&self) {
        let mut open = vec![self.home.project()];
        while let Some(folder) = open.pop() {
            let mut git = Command::new("git");
            git.args(["-c", "safe.directory=*", "status"]).current_dir(&folder);
            git.env("OUT", self.home.outside()).env("HOME", self.home.user_home());
            let _ = git.output();
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            open.extend(folders.map(|entry| entry.path()).filter(|path| !path.ends_with(".git")));
        }
        assert!(!self.home.outside().join("escaped").exists(), "as {}", self.who);
    }

    pub(super) fn assert_nothing_on_the_machine(&self) {
        let left: Vec<&str> = ON_THE_MACHINE
            .into_iter()
            .filter(|path| fs::remove_file(path).is_ok())
            .collect();
        assert!(left.is_empty(), "as {}: {left:?}", self.who);
    }

    /// Checks that the commands run by `make` were started and not refused.
    pub(super) fn assert_ran(&self, hostile: &[Hostile]) {
        for (hostile, told) in hostile
            .iter()
            .zip(&self.told)
            .filter(|(hostile, _)| hostile.tool == "make")
        {
            let ended = ["[exit ", "[signal ", "[timeout"].iter().any(|end| told.contains(end));
            assert!(ended, "as {}: {}: {told}", self.who, hostile.what);
        }
    }
}

fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.flat_map(|entry| match entry.path() {
        folder if folder.is_dir() => files_below(&folder),
        // Skip the person's own configuration, which contains one of the secrets.
        file if file.ends_with("config.jsonc") => Vec::new(),
        file => vec![(file.display().to_string(), fs::read(file).unwrap_or_default())],
    });
    files.collect()
}
