//! Files that match a pattern of `instructions`. It lists names within limits and opens nothing.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

use benchdog_lang::{Word, word};

const MOST_FILES: usize = 100;

/// Most folders read per pattern, and the depth of `**`.
const MOST_FOLDERS: usize = 2_000;
const DEEPEST: usize = 6;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Matched {
    /// Relative paths with `/`, sorted.
    pub(super) files: Vec<String>,
    pub(super) trouble: Option<String>,
}

struct Search<'p> {
    base: &'p Path,
    matcher: GlobMatcher,
    enters_hidden: bool,
    deepest: usize,
    folders: usize,
    files: Vec<String>,
}

/// Returns whether a name is a pattern. An existing file of that name is not, nor is a path with `..`.
pub(super) fn is_pattern(base: &Path, name: &str) -> bool {
    name.contains(['*', '?', '[', '{']) && !name.split('/').any(|part| part == "..") && !base.join(name).is_file()
}

/// Matches below `base`. Does not follow links, and enters hidden folders only if the pattern names them.
pub(super) fn matched(base: &Path, pattern: &str) -> Matched {
    let pattern = pattern.trim_start_matches("./");
    let matcher = match GlobBuilder::new(pattern).literal_separator(true).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => {
            return Matched {
                files: Vec::new(),
                trouble: Some(error.kind().to_string()),
            };
        }
    };
    let parts: Vec<&str> = pattern.split('/').collect();
    let fixed = parts
        .iter()
        .take(parts.len() - 1)
        .take_while(|part| !part.contains(['*', '?', '[', '{']));
    let start = fixed.copied().collect::<Vec<_>>().join("/");
    let deepest = if pattern.contains("**") { DEEPEST } else { 0 };
    let mut search = Search {
        base,
        matcher,
        enters_hidden: parts.iter().any(|part| part.starts_with('.')),
        deepest: deepest.max(parts.len()),
        folders: 0,
        files: Vec::new(),
    };
    search.look(&start, 0);
    let mut files = search.files;
    files.sort_unstable();
    let trouble = if files.is_empty() {
        Some(Word::PatternFindsNothing)
    } else if files.len() > MOST_FILES || search.folders > MOST_FOLDERS {
        files.clear();
        Some(Word::PatternFindsTooMuch)
    } else {
        None
    };
    Matched {
        files,
        trouble: trouble.map(|trouble| word(trouble).to_owned()),
    }
}

impl Search<'_> {
    fn look(&mut self, folder: &str, depth: usize) {
        self.folders += 1;
        if self.folders > MOST_FOLDERS {
            return;
        }
        let Ok(entries) = std::fs::read_dir(self.base.join(folder)) else {
            return;
        };
        let mut inside = Vec::new();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let (Some(name), Ok(kind)) = (name.to_str(), entry.file_type()) else {
                continue;
            };
            let path = if folder.is_empty() {
                name.to_owned()
            } else {
                format!("{folder}/{name}")
            };
            if !kind.is_dir() {
                if self.matcher.is_match(&path) {
                    self.files.push(path);
                }
            } else if self.enters_hidden || !name.starts_with('.') {
                inside.push(path);
            }
        }
        if depth < self.deepest {
            inside.sort_unstable();
            inside.iter().for_each(|folder| self.look(folder, depth + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Matched, is_pattern, matched};

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "text").unwrap();
        }
        folder
    }

    #[test]
    fn a_pattern_means_files_in_order_and_one_star_stays_in_its_folder() {
        let folder = folder(&[
            "docs/b.md",
            "docs/a.md",
            "docs/deep/c.md",
            "docs/x.txt",
            ".hidden/d.md",
            "top.md",
        ]);
        let files = |pattern: &str| matched(folder.path(), pattern).files;
        assert_eq!(files("docs/*.md"), ["docs/a.md", "docs/b.md"]);
        assert_eq!(files("./docs/*.md"), ["docs/a.md", "docs/b.md"]);
        assert_eq!(files("**/*.md"), ["docs/a.md", "docs/b.md", "docs/deep/c.md", "top.md"]);
        assert_eq!(files("docs/{x.txt,b.md}"), ["docs/b.md", "docs/x.txt"]);
        assert_eq!(files(".hidden/*.md"), [".hidden/d.md"]);
        assert_eq!(files("*/deep/*.md"), ["docs/deep/c.md"]);
    }

    #[test]
    fn nothing_too_much_and_a_broken_pattern_are_said() {
        let names: Vec<String> = (0..120).map(|number| format!("n/{number:03}.md")).collect();
        let folder = folder(&names.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(
            matched(folder.path(), "none/*.md")
                .trouble
                .is_some_and(|why| why.contains("no file"))
        );
        let Matched { files, trouble } = matched(folder.path(), "n/*.md");
        assert!(files.is_empty() && trouble.is_some_and(|why| why.contains("more files")));
        assert_eq!(matched(folder.path(), "n/0*.md").files.len(), 100);
        assert!(matched(folder.path(), "n/[").trouble.is_some());
    }

    #[test]
    fn a_file_of_just_this_name_and_a_way_out_are_no_patterns() {
        let folder = folder(&["a[1].md"]);
        assert!(!is_pattern(folder.path(), "a[1].md"));
        assert!(!is_pattern(folder.path(), "../*.md"));
        assert!(!is_pattern(folder.path(), "plain.md"));
        assert!(is_pattern(folder.path(), "a[2].md"));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_a_link_is_not_entered() {
        let folder = folder(&["real/a.md"]);
        std::os::unix::fs::symlink(folder.path().join("real"), folder.path().join("link")).unwrap();
        assert_eq!(matched(folder.path(), "*/a.md").files, ["real/a.md"]);
    }
}
