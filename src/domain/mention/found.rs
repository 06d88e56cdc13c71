//! Parses `@` mentions. The caller checks whether a target exists.

use std::ops::RangeInclusive;

use benchdog_base::text::last_part;

/// An `@` mention with its possible targets, the most likely one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub candidates: Vec<Candidate>,
    /// Whether the text can only be a path. If so, a missing file is reported.
    pub is_path: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub path: String,
    pub wanted: Wanted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Whole,
    Lines(Lines),
    Unclear(String),
}

/// A range of lines, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    pub first: u64,
    pub last: Option<u64>,
}

impl Lines {
    pub fn count(self) -> Option<u64> {
        self.last.map(|last| last - self.first + 1)
    }
}

/// Maximum number of mentions. Each one costs a file lookup.
const MOST: usize = 1_000;

const LONGEST: usize = 4_096;

const MOST_CUTS: usize = 16;

/// Punctuation at the end of a sentence. Such a character is not a part of the name before it.
const PUNCTUATION: &str = ".,;:!?)]}>'\"`…，。：；、！？）】》」』”’";

const COLONS: [char; 2] = [':', '：'];

const DASHES: [char; 6] = ['-', '‐', '–', '—', '−', '－'];

/// East Asian characters, which are written without spaces between words.
const UNSPACED: RangeInclusive<char> = '\u{2e80}'..='\u{ffef}';

const ENDINGS: &[&str] = &[
    "adoc",
    "astro",
    "bat",
    "bib",
    "c",
    "cc",
    "cfg",
    "clj",
    "cmake",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cxx",
    "dart",
    "diff",
    "dockerfile",
    "el",
    "erl",
    "ex",
    "exs",
    "fish",
    "fs",
    "ftl",
    "gif",
    "go",
    "gql",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "hcl",
    "hpp",
    "hrl",
    "hs",
    "htm",
    "html",
    "ini",
    "ipynb",
    "java",
    "jpeg",
    "jpg",
    "jl",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "log",
    "lua",
    "m",
    "make",
    "md",
    "mdx",
    "mjs",
    "mk",
    "ml",
    "mli",
    "nim",
    "nix",
    "org",
    "pdf",
    "php",
    "pl",
    "pm",
    "png",
    "proto",
    "ps1",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scss",
    "sh",
    "sql",
    "styl",
    "svelte",
    "svg",
    "swift",
    "tcl",
    "tex",
    "tf",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "vim",
    "vue",
    "webp",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zsh",
];

/// Whether an `@` after this character may begin a mention. An `@` after a word character belongs to an e-mail address.
pub fn begins(before: Option<char>) -> bool {
    before.is_none_or(|c| UNSPACED.contains(&c) || !(c.is_alphanumeric() || "_-+.@/=&".contains(c)))
}

/// Formats a path as a mention that `find` recognises. Quotes paths with spaces.
pub fn written(path: &str) -> String {
    let splits = path.contains(|c: char| c.is_whitespace() || c == '"' || c == '\\');
    if splits || second_at(path).is_some() {
        let inside = path.replace('\\', "\\\\").replace('"', "\\\"");
        format!("@\"{inside}\"")
    } else {
        format!("@{path}")
    }
}

/// Splits a mention into path and line range. Resource names also contain a colon, so a range must follow a file
/// extension or a name with `/`.
pub fn with_lines(name: &str) -> (&str, &str) {
    let parts = name.find(COLONS).and_then(|at| name.split_at_checked(at));
    let Some((path, behind)) = parts else { return (name, "") };
    let is_lines = match behind.strip_prefix(COLONS) {
        Some("") => has_an_ending(path),
        Some(range) => (path.contains('/') || has_an_ending(path)) && wanted(range).is_some(),
        None => false,
    };
    if is_lines { (path, behind) } else { (name, "") }
}

/// Returns an invalid line range after a colon, such as `20-10`. Accepts `20-1`, which may be an unfinished `20-100`.
pub fn unclear(behind: &str) -> Option<&str> {
    let range = behind.strip_prefix(COLONS)?;
    let both = range.split_once(DASHES);
    let goes_on = both.is_some_and(|(first, last)| last.len() < first.len());
    let is_unclear = matches!(wanted(range), Some(Wanted::Unclear(_)));
    (is_unclear && !goes_on && !range.ends_with(|c: char| PUNCTUATION.contains(c))).then_some(range)
}

pub fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, rest)) = next_at(text, from).filter(|_| found.len() < MOST) {
        let rest = beginning(rest);
        let (mention, taken) = match rest.strip_prefix('"') {
            Some(inside) => quoted(inside).map_or((None, 0), |(mention, taken)| (Some(mention), taken + 1)),
            None => plain(rest),
        };
        found.extend(mention);
        from = at + 1 + taken;
    }
    found
}

fn beginning(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

fn next_at(text: &str, mut from: usize) -> Option<(usize, &str)> {
    loop {
        let at = from + text.get(from..)?.find('@')?;
        let before = text.get(..at)?.chars().next_back();
        if begins(before) {
            return Some((at, text.get(at + 1..)?));
        }
        from = at + 1;
    }
}

fn second_at(word: &str) -> Option<usize> {
    let first = word.chars().next()?;
    next_at(word, first.len_utf8()).map(|(at, _)| at)
}

fn quoted(inside: &str) -> Option<(Found, usize)> {
    let mut path = String::new();
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' => path.extend(chars.next().map(|(_, next)| next)),
            '"' if path.is_empty() => return None,
            '"' => {
                let behind = inside.get(at + 1..).unwrap_or_default();
                let word = behind.split(char::is_whitespace).next().unwrap_or_default();
                let cut = (0..=word.len()).rev().filter_map(|end| word.get(..end));
                let wanted = cut
                    .into_iter()
                    .find_map(|part| Some((wanted(part.strip_prefix(COLONS)?)?, part.len())));
                let (wanted, taken) = wanted.unwrap_or((Wanted::Whole, 0));
                let found = Found {
                    candidates: vec![Candidate { path, wanted }],
                    is_path: true,
                };
                return Some((found, at + 1 + taken));
            }
            other => path.push(other),
        }
    }
    None
}

fn plain(rest: &str) -> (Option<Found>, usize) {
    let word = rest.split(char::is_whitespace).next().unwrap_or_default();
    // The word may contain several mentions, separated by commas. Parse the first one.
    let word = second_at(word).and_then(|at| word.get(..at)).unwrap_or(word);
    let mut candidates = Vec::new();
    for part in cuts(word) {
        candidates.extend(ranges(part, word));
        candidates.push(Candidate {
            path: part.to_owned(),
            wanted: Wanted::Whole,
        });
    }
    // The last candidate is the shortest, so it has no punctuation.
    let is_path = candidates.last().is_some_and(|last| looks_like_a_path(&last.path))
        || candidates
            .iter()
            .any(|candidate| candidate.wanted != Wanted::Whole && has_an_ending(&candidate.path));
    let found = (!candidates.is_empty()).then_some(Found { candidates, is_path });
    (found, word.len())
}

/// Returns the word and its prefixes, longest first. Prefixes end at punctuation and East Asian characters.
fn cuts(word: &str) -> Vec<&str> {
    let mut ends = vec![word.len()];
    let mut before = None;
    for (at, c) in word.char_indices() {
        let asian = UNSPACED.contains(&c) && before.is_some_and(|before: char| before.is_ascii());
        if asian || (PUNCTUATION.contains(c) && !c.is_ascii()) {
            ends.push(at);
        }
        before = Some(c);
    }
    ends.sort_unstable();
    ends.dedup();
    let mut cuts: Vec<&str> = Vec::new();
    for end in ends.into_iter().rev().take(MOST_CUTS) {
        let part = word.get(..end).unwrap_or_default();
        let bare = part.trim_end_matches(|c| PUNCTUATION.contains(c));
        cuts.extend([part, bare]);
    }
    cuts.retain(|part| !part.is_empty() && *part != "/");
    cuts.dedup();
    cuts
}

fn ranges<'w>(part: &'w str, word: &'w str) -> impl Iterator<Item = Candidate> + 'w {
    let bare = part.trim_end_matches(|c| PUNCTUATION.contains(c));
    part.match_indices(COLONS).filter_map(move |(at, colon)| {
        let (path, range) = (part.get(..at)?, part.get(at + colon.len()..)?);
        let wanted = wanted(range).filter(|_| !path.is_empty())?;
        // After the colon of an East Asian sentence, a number may begin the next clause.
        let is_sentence = colon != ":" && bare.len() < word.len() && !range.contains(DASHES) && word.starts_with(bare);
        let goes_on = is_sentence && !word.get(bare.len()..)?.chars().all(|c| PUNCTUATION.contains(c));
        let unclear = matches!(wanted, Wanted::Unclear(_)) && part != bare;
        (!goes_on && !unclear).then(|| Candidate {
            path: path.to_owned(),
            wanted,
        })
    })
}

/// Parses a line range: `10`, `10-20`, `10-`, or `10:5` with a compiler's column. `None` for any other text.
fn wanted(range: &str) -> Option<Wanted> {
    let is_sign = |c: char| c.is_ascii_digit() || c == ',' || COLONS.contains(&c) || DASHES.contains(&c);
    if !range.starts_with(|c: char| c.is_ascii_digit()) || !range.chars().all(is_sign) {
        return None;
    }
    Some(lines(range).map_or_else(|| Wanted::Unclear(range.to_owned()), Wanted::Lines))
}

fn lines(range: &str) -> Option<Lines> {
    let number = |digits: &str| digits.parse::<u64>().ok().filter(|number| *number > 0);
    let range = match range.split_once(COLONS) {
        Some((line, column)) => number(column).map(|_| line)?,
        None => range,
    };
    let (first, last) = match range.split_once(DASHES) {
        None => (range, Some(range)),
        Some((first, "")) => (first, None),
        Some((first, last)) => (first, Some(last)),
    };
    let first = number(first)?;
    let last = match last {
        Some(last) => Some(number(last)?),
        None => None,
    };
    last.is_none_or(|last| last >= first).then_some(Lines { first, last })
}

fn looks_like_a_path(word: &str) -> bool {
    let starts = ["./", "../", "/", "~/"].iter().any(|start| word.starts_with(start));
    let is_spelled =
        |c: char| c.is_alphanumeric() || "_-./+~@ ".contains(c) || !(c.is_ascii() || PUNCTUATION.contains(c));
    word.chars().all(is_spelled) && (starts || has_an_ending(word))
}

fn has_an_ending(word: &str) -> bool {
    let name = last_part(word);
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| ENDINGS.contains(&&*ending.to_ascii_lowercase()))
}
