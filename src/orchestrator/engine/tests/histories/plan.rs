//! Random calls of the model, and the files that they are expected to produce.

use serde_json::{Value, json};

use super::Story;
use super::oracle::{Files, OnDisk, Regions, head, text};
use crate::engine::tests::rig::calls;
use benchdog_domain::message::Reply;

pub(super) const NAMES: [&str; 7] = ["a.txt", "b.txt", "c.txt", "d/a.txt", "d/b.txt", "e/a.txt", "e/b.txt"];

const MODES: [u32; 4] = [0o644, 0o600, 0o755, 0o640];

/// A change of a file: its path, the content before, and the content after.
pub(super) type Change = (String, Option<Regions>, Option<Regions>);

/// Returns the differences as the list of changes that the log of one command contains.
pub(super) fn changes(before: &Files, after: &Files) -> Vec<Change> {
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    let regions = |files: &Files, name: &String| files.get(name).map(|file| file.regions);
    changed
        .map(|name| (name.clone(), regions(before, name), regions(after, name)))
        .collect()
}

impl Story {
    pub(super) fn next_number(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    pub(super) fn numbers(&mut self) -> Regions {
        std::array::from_fn(|_| self.next_number())
    }

    pub(super) fn one_of<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        let at = self.chance.below(of.len().max(1) as u64) as usize;
        of.get(at).cloned()
    }

    pub(super) fn any_name(&mut self) -> String {
        self.one_of(&NAMES).unwrap().to_owned()
    }

    pub(super) fn other_mode(&mut self, mode: u32) -> u32 {
        let others: Vec<u32> = MODES.into_iter().filter(|other| *other != mode).collect();
        self.one_of(&others).unwrap()
    }

    fn a_file(&mut self) -> Option<String> {
        let names: Vec<String> = self.files.keys().cloned().collect();
        self.one_of(&names)
    }

    fn a_free_name(&mut self) -> Option<String> {
        let free = NAMES.into_iter().filter(|name| !self.files.contains_key(*name));
        let free: Vec<String> = free.map(str::to_owned).collect();
        self.one_of(&free)
    }

    fn called(&mut self, name: &str, arguments: &Value) -> Reply {
        self.calls += 1;
        calls(&format!("c{}", self.calls), name, arguments)
    }

    /// Generates a call of a tool or command that changes a file, and applies the change to the expected files.
    pub(super) fn call(&mut self) -> Vec<Reply> {
        match (self.chance.below(4), self.a_file(), self.a_free_name()) {
            (0, Some(name), _) => {
                let at = self.chance.below(4) as usize;
                let new = self.next_number();
                let file = self.files.get_mut(&name).unwrap();
                let old = std::mem::replace(&mut file.regions[at], new);
                let edits = json!([{"old": head(at, old), "new": head(at, new)}]);
                self.say(format!("edit {name}: {old} -> {new}"));
                self.contents.note(&self.files);
                let read = self.called("read", &json!({"path": name}));
                vec![read, self.called("edit", &json!({"path": name, "edits": edits}))]
            }
            (1, _, Some(name)) => {
                let regions = self.numbers();
                let mode = self.mode;
                self.files.insert(name.clone(), OnDisk { regions, mode });
                self.say(format!("write {name}: {regions:?}"));
                self.contents.note(&self.files);
                vec![self.called("write", &json!({"path": name, "content": text(regions)}))]
            }
            _ => {
                let (command, files) = self.command();
                self.say(format!("bash: {command}"));
                self.files = files;
                self.contents.note(&self.files);
                vec![self.called("bash", &json!({"command": command}))]
            }
        }
    }

    /// Generates a command. Also returns the files as they are after the command.
    pub(super) fn command(&mut self) -> (String, Files) {
        let mut files = self.files.clone();
        let mut parts = Vec::new();
        for _ in 0..=self.chance.below(2) {
            let before = std::mem::replace(&mut self.files, files);
            parts.push(self.part());
            files = std::mem::replace(&mut self.files, before);
        }
        (parts.join("\n"), files)
    }

    fn part(&mut self) -> String {
        let folder = |name: &str| name.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
        let way = self.chance.below(8);
        match (way, self.a_file(), self.a_free_name()) {
            (0..3, Some(name), _) => {
                let at = self.chance.below(4) as usize;
                let new = self.next_number();
                self.files.get_mut(&name).unwrap().regions[at] = new;
                format!("sed -i 's/^region {at} has .*/{}/' {name}", head(at, new))
            }
            (3, Some(name), Some(to)) => {
                let file = self.files.remove(&name).unwrap();
                self.files.insert(to.clone(), file);
                format!("mkdir -p {} && mv {name} {to}", folder(&to))
            }
            (4, Some(name), _) => {
                self.files.remove(&name);
                format!("rm {name}")
            }
            (5, Some(name), _) => {
                let file = self.files[&name];
                let mode = self.other_mode(file.mode);
                self.files.insert(name.clone(), OnDisk { mode, ..file });
                format!("chmod {mode:o} {name}")
            }
            (6, Some(name), Some(to)) => {
                let file = self.files[&name];
                let mode = file.mode & (self.mode | 0o111);
                self.files.insert(to.clone(), OnDisk { mode, ..file });
                format!("mkdir -p {} && cp {name} {to}", folder(&to))
            }
            _ => {
                let name = self.any_name();
                let regions = self.numbers();
                let mode = self.files.get(&name).map_or(self.mode, |file| file.mode);
                self.files.insert(name.clone(), OnDisk { regions, mode });
                format!(
                    "mkdir -p {} && cat > {name} <<'END'\n{}END",
                    folder(&name),
                    text(regions)
                )
            }
        }
    }
}
