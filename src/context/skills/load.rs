//! Finds skills: folders with a `SKILL.md`, and single `.md` files. Personal skills are read from disk when needed.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Content, Skill, format};
use benchdog_domain::skill::{BrokenSkill, OfferKind, SkillSource};

/// Names of skill files. The reference implementation also accepts lower case.
const FILES: [&str; 2] = ["SKILL.md", "skill.md"];

const MOST_BYTES: u64 = 256 * 1024;

type Held = (Arc<str>, Arc<[String]>);

#[derive(Debug)]
pub struct Found {
    path: PathBuf,
    source: SkillSource,
    /// The trusted content, or the reason why it could not be read. `None` for a skill that is read from disk.
    held: Option<Result<Held, &'static str>>,
}

impl Found {
    pub fn in_folder(folder: &Path, source: SkillSource) -> Vec<Self> {
        let of = |path: PathBuf| Self {
            path,
            source,
            held: None,
        };
        // The given folder may be a skill itself.
        if let Some(path) = file_of(folder) {
            return vec![of(path)];
        }
        let Ok(entries) = std::fs::read_dir(folder) else {
            return Vec::new();
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let skill = |path: PathBuf| {
            let inside = file_of(&path);
            inside.or_else(|| (is_flat(&path) && path.is_file()).then_some(path))
        };
        paths.into_iter().filter_map(skill).map(of).collect()
    }

    /// Parses the skills in a project's folder. `names` contains all files of the folder with `/` as separator, and
    /// `bytes` returns the content of a file.
    pub fn held<'b>(
        root: &Path,
        folder: &str,
        names: &[String],
        bytes: impl Fn(&str) -> Option<&'b [u8]>,
    ) -> Vec<Self> {
        let prefix = format!("{}/", folder.trim_end_matches('/'));
        // Ignore a `skill.md` if the same folder also contains a `SKILL.md`.
        let is_second = |name: &str| {
            let other = name
                .strip_suffix(FILES[1])
                .map(|folder| format!("{folder}{}", FILES[0]));
            other.is_some_and(|other| names.contains(&other))
        };
        let is_skill = |name: &&String| {
            name.strip_prefix(&prefix)
                .is_some_and(|inside| match inside.split_once('/') {
                    Some((_, file)) => FILES.contains(&file) && !is_second(name),
                    None => is_flat(Path::new(inside)) && !is_second(name),
                })
        };
        let found = names.iter().filter(is_skill).map(|name| {
            let own = FILES
                .iter()
                .find_map(|file| name.strip_suffix(file))
                .unwrap_or_default();
            let beside = names.iter().filter(|other| !own.is_empty() && *other != name);
            let beside: Arc<[String]> = beside
                .filter_map(|other| other.strip_prefix(own))
                .map(str::to_owned)
                .collect();
            let text = bytes(name).map(|bytes| String::from_utf8_lossy(bytes).into());
            Self {
                path: root.join(name),
                source: SkillSource::Project,
                held: Some(text.map(|text| (text, beside)).ok_or("it is too long")),
            }
        });
        found.collect()
    }

    pub(super) fn read(self) -> Result<Skill, BrokenSkill> {
        let broken = |line: u64, why: String| BrokenSkill {
            kind: OfferKind::Skill,
            name: format::normal(&self.called()),
            source: self.source,
            file: self.path.display().to_string(),
            line,
            why,
        };
        let (text, content) = match &self.held {
            Some(Ok((text, files))) => {
                let content = Content::Held {
                    text: Arc::clone(text),
                    files: Arc::clone(files),
                };
                (text.to_string(), content)
            }
            Some(Err(why)) => return Err(broken(1, (*why).to_owned())),
            None => match text(&self.path) {
                Ok(text) => (text, Content::OnDisk),
                Err(error) => return Err(broken(1, error.to_string())),
            },
        };
        let parsed = format::parse(&text, &self.called()).map_err(|wrong| broken(wrong.line, wrong.why))?;
        Ok(Skill {
            name: parsed.name,
            description: parsed.description,
            invocable: parsed.invocable,
            // Estimate: Latin text has about four bytes per token.
            tokens: parsed.body.len() as u64 / 4,
            path: self.path,
            source: self.source,
            content,
        })
    }

    fn called(&self) -> String {
        let named = if is_own(&self.path) {
            self.path.parent().and_then(Path::file_name)
        } else {
            self.path.file_stem()
        };
        named.unwrap_or_default().to_string_lossy().into_owned()
    }
}

fn file_of(folder: &Path) -> Option<PathBuf> {
    FILES.iter().map(|file| folder.join(file)).find(|path| path.is_file())
}

fn is_own(path: &Path) -> bool {
    FILES.iter().any(|file| path.ends_with(file))
}

pub(crate) fn is_flat(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".md") && !name.starts_with('.') && !name.eq_ignore_ascii_case("readme.md")
}

pub(crate) fn text(path: &Path) -> std::io::Result<String> {
    // The file may be a FIFO, and opening a FIFO could block.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(std::io::Error::other("it is too long"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the other files in the folder of a `SKILL.md`, two levels deep. Empty for a skill in a single file.
pub(super) fn beside(path: &Path) -> Vec<String> {
    let (true, Some(folder)) = (is_own(path), path.parent()) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    let names = |folder: &Path| -> Vec<(String, bool)> {
        let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
        let mut names: Vec<(String, bool)> = entries
            .unwrap_or_default()
            .iter()
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path().is_dir()))
            .filter(|(name, _)| !name.starts_with('.'))
            .collect();
        names.sort();
        names
    };
    for (name, is_folder) in names(folder) {
        if is_folder {
            let inside = names(&folder.join(&name))
                .into_iter()
                .filter(|(_, is_folder)| !is_folder);
            files.extend(inside.map(|(file, _)| format!("{name}/{file}")));
        } else if !FILES.contains(&name.as_str()) {
            files.push(name);
        }
    }
    files
}
