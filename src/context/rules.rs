//! Rule files of a person or project, as a part of the prompt. The caller determines which files apply and may be read.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::neutral::neutral;
use benchdog_domain::note::Note;

/// Maximum bytes of one file in the prompt.
const MOST_BYTES: usize = 32 * 1024;

const MOST_READ: u64 = 256 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesFile {
    pub path: PathBuf,
    /// Text of the rules, escaped so that it cannot imitate calls and notes.
    pub text: String,
}

/// Rule files of subfolders, by the folder's relative path with `/`. A rule file applies to the files in its folder.
pub type Nearer = BTreeMap<String, RulesFile>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectRules {
    Counted,
    Ignored,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutRules {
    pub path: String,
    pub told: usize,
    pub whole: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToldRules {
    pub text: String,
    pub files: Vec<(String, String)>,
    pub cut: Vec<CutRules>,
}

pub fn own(path: &Path) -> Option<RulesFile> {
    // The file may be a FIFO, and opening a FIFO could block.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let file = std::fs::File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_READ).read_to_end(&mut bytes).ok()?;
    of_bytes(path.to_path_buf(), &bytes)
}

pub fn of_bytes(path: PathBuf, bytes: &[u8]) -> Option<RulesFile> {
    let text = String::from_utf8_lossy(bytes);
    let text = neutral(text.trim_start_matches('\u{feff}').trim()).into_owned();
    (!text.is_empty()).then_some(RulesFile { path, text })
}

/// Combines rule files into a text of at most `room` bytes, with the nearest file last. If the text is too long,
/// truncates the most distant files first.
pub fn told(files: &[RulesFile], room: usize) -> ToldRules {
    if files.is_empty() {
        return ToldRules::default();
    }
    let mut left = room;
    let mut shares: Vec<usize> = files
        .iter()
        .rev()
        .map(|file| {
            let share = file.text.len().min(MOST_BYTES).min(left);
            left -= share;
            share
        })
        .collect();
    shares.reverse();
    let mut rules = ToldRules {
        text: "\n# Rules\nThese were written for this work. Where two of them contradict each other, the later one counts; what the user \
               says in the conversation comes before all of them. Rules of a folder further inside come with the first file read there, \
               and come before these for its files.\n"
            .to_owned(),
        files: Vec::new(),
        cut: Vec::new(),
    };
    for (file, share) in files.iter().zip(shares) {
        let path = file.path.display().to_string();
        let section = format!("\n## Rules from {path}\n\n{}\n", part(file, share));
        rules.text.push_str(&section);
        rules.files.push((path.clone(), section));
        if share < file.text.len() {
            rules.cut.push(CutRules {
                path,
                told: share,
                whole: file.text.len(),
            });
        }
    }
    rules
}

/// Returns the rule files in the folders above `path` that were not sent yet. Each is returned with its folder, and the
/// nearest is last.
pub fn nearer(rules: &Nearer, path: &str, room: usize, is_told: impl Fn(&str) -> bool) -> Vec<(String, Note)> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    let folders = ends.filter_map(|at| path.get(..at));
    folders
        .filter_map(|folder| Some((folder, rules.get(folder)?)))
        .filter(|(folder, _)| !is_told(folder))
        .map(|(folder, file)| (folder.to_owned(), note(folder, file, room)))
        .collect()
}

fn note(folder: &str, file: &RulesFile, room: usize) -> Note {
    let text = part(file, file.text.len().min(MOST_BYTES).min(room));
    let text = format!(
        "Rules of `{folder}/`, from {}. They count for the files below it, and come before the rules told until now:\n\n{text}",
        file.path.display()
    );
    Note::rules(folder, text)
}

fn part(file: &RulesFile, share: usize) -> String {
    if share >= file.text.len() {
        return file.text.clone();
    }
    let mut end = share;
    while !file.text.is_char_boundary(end) {
        end -= 1;
    }
    let kept = file.text.get(..end).unwrap_or_default();
    let kept = kept.rfind('\n').and_then(|line| kept.get(..line)).unwrap_or(kept);
    let whole = file.text.len();
    format!("{kept}\n[benchdog] cut: {} of {whole} bytes are told here.", kept.len())
}

#[cfg(test)]
mod tests;
