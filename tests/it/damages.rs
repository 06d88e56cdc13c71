//! Tests that random damage to session files and the index causes no panic, and is either reported or harmless.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{call, text};
use crate::support::server::Server;

const ANSWER: &str = "That is all.";

/// Number of damaged files per run. The torture suite damages more.
const DAMAGES: u64 = 20;

#[test]
fn a_random_damage_of_a_session_or_the_index_is_told_or_harmless() {
    let tally = damage_and_look(DAMAGES);
    assert_eq!(tally.wrong, Vec::<String>::new());
    assert!(tally.told > 0, "no damage was ever noticed");
}

#[derive(Default)]
pub struct Tally {
    pub told: u64,
    pub harmless: u64,
    /// Failures, each with the seed to reproduce it.
    pub wrong: Vec<String>,
}

/// Damages a session file or the index in one of six ways, runs every reading command, and restores the file.
pub fn damage_and_look(damages: u64) -> Tally {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("part.txt", &"a line of some length\n".repeat(900));
    for prompt in ["first", "second"] {
        let reads = (1..5).map(|part| call("read", json!({"path": "part.txt", "offset": part * 100, "limit": 90})));
        server.script(reads.chain([text(ANSWER)]));
        home.run(&["run", "--approve", "all", prompt]).assert_code(0);
    }
    let data = home.benchdog_home().join("data");
    let mut files = files_in(&data.join("sessions"));
    let session = files.remove(0);
    let id = session
        .file_stem()
        .and_then(|name| name.to_str())
        .expect("an id")
        .to_owned();
    let kept = Kept::of(&[session.clone(), data.join("index.redb")]);
    let sound = Looks::at(&home, &id);
    let mut tally = Tally::default();
    for seed in 0..damages {
        let mut dice = fastrand::Rng::with_seed(seed);
        let what = if dice.u8(..4) == 0 { &kept.0[1] } else { &kept.0[0] };
        let how = damage(what, seed, &mut dice);
        let found = Looks::at(&home, &id);
        match found.judged(&sound) {
            Ok(true) => tally.told += 1,
            Ok(false) => tally.harmless += 1,
            Err(wrong) => tally.wrong.push(format!("seed {seed}, {how}: {wrong}")),
        }
        kept.put_back(&data);
    }
    tally
}

struct Kept(Vec<(PathBuf, Vec<u8>)>);

impl Kept {
    fn of(files: &[PathBuf]) -> Self {
        let whole = |path: &PathBuf| (path.clone(), std::fs::read(path).expect("a file of the home"));
        Self(files.iter().map(whole).collect())
    }

    /// Restores the files, and removes those that were moved aside.
    fn put_back(&self, data: &Path) {
        for aside in files_in(data)
            .iter()
            .filter(|path| path.to_string_lossy().contains("damaged-"))
        {
            std::fs::remove_file(aside).expect("an index that was put aside");
        }
        for (path, bytes) in &self.0 {
            std::fs::write(path, bytes).expect("a file of the home");
        }
    }
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let items = std::fs::read_dir(folder).expect("a folder of the home");
    let mut files: Vec<_> = items
        .flatten()
        .map(|item| item.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

fn damage((path, sound): &(PathBuf, Vec<u8>), kind: u64, dice: &mut fastrand::Rng) -> String {
    let mut bytes = sound.clone();
    let used: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect();
    let how = match kind % 6 {
        0 => {
            let at = used[dice.usize(..used.len())];
            bytes[at] ^= 1 << dice.u8(..8);
            format!("a bit at {at}")
        }
        1 => {
            let length = dice.usize(..bytes.len());
            bytes.truncate(length);
            format!("cut to {length}")
        }
        2 => {
            let page = used[dice.usize(..used.len())] / 4_096 * 4_096;
            let end = bytes.len().min(page + 4_096);
            bytes[page..end].fill(0);
            format!("zeros from {page}")
        }
        3 => {
            for _ in 0..64 {
                bytes[used[dice.usize(..used.len())]] = dice.u8(..);
            }
            "64 bytes".to_owned()
        }
        4 => {
            // Change a letter of the answer. Only a checksum detects this damage.
            let letter = dice.usize(..ANSWER.len());
            let places: Vec<usize> = (0..bytes.len())
                .filter(|at| bytes[*at..].starts_with(ANSWER.as_bytes()))
                .collect();
            places.iter().for_each(|at| bytes[at + letter] = b'#');
            format!("letter {letter} of the answer")
        }
        _ => {
            bytes.iter_mut().for_each(|byte| *byte = dice.u8(..));
            "garbage".to_owned()
        }
    };
    std::fs::write(path, bytes).expect("a file of the home");
    format!("{} with {how}", path.display())
}

struct Looks {
    listed: Finished,
    shown: Finished,
    checked: Finished,
}

impl Looks {
    fn at(home: &Home, id: &str) -> Self {
        Self {
            listed: home.run(&["sessions", "list"]),
            shown: home.run(&["sessions", "show", id]),
            checked: home.run(&["sessions", "check"]),
        }
    }

    /// Returns whether the damage was reported. Returns an error if it was neither reported nor harmless.
    fn judged(&self, sound: &Self) -> Result<bool, String> {
        for look in [&self.listed, &self.shown, &self.checked] {
            if look.stderr.contains("panicked") || !matches!(look.code, Some(0 | 1)) {
                return Err(format!("a panic\n{look}"));
            }
        }
        let said = |look: &Finished| look.stderr.contains("damaged") || look.stdout.contains("  damaged  ");
        let told = [&self.listed, &self.shown, &self.checked].into_iter().any(said);
        let same = self.shown.stdout == sound.shown.stdout && self.listed.stdout == sound.listed.stdout;
        if !told && !same {
            return Err(format!(
                "nobody told\n{}\n{}\n{}",
                self.listed, self.shown, self.checked
            ));
        }
        Ok(told)
    }
}
