//! Finding `@…` in what was typed. Pure: whether something of the name exists is for the caller to see.

use std::ops::RangeInclusive;

use crate::base::text::last_part;

/// An `@` and what may be meant by it, the likeliest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) candidates: Vec<Candidate>,
    /// It can be nothing but a path, so that one which does not exist is worth saying.
    pub(crate) is_path: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) path: String,
    pub(crate) wanted: Wanted,
}

/// How much of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    Whole,
    Lines(Lines),
    /// What stands behind the colon is meant as lines and names none: `20-10`.
    Unclear(String),
}

/// From this line on, up to the last that is wanted; both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) first: u64,
    pub(crate) last: Option<u64>,
}

impl Lines {
    /// How many; `None` for all that follow.
    pub(crate) fn count(self) -> Option<u64> {
        self.last.map(|last| last - self.first + 1)
    }
}

/// An `@` beyond these is text: nobody writes so many, and each is looked up on the disk.
const MOST: usize = 1_000;

/// In bytes. No path is longer.
const LONGEST: usize = 4_096;

/// Places in a name where a sentence may go on instead.
const MOST_CUTS: usize = 16;

/// Signs that belong to the sentence rather than to a name at their end.
const PUNCTUATION: &str = ".,;:!?)]}>'\"`…，。：；、！？）】》」』”’";

/// What stands before the lines of a file.
const COLONS: [char; 2] = [':', '：'];

/// What stands between the first and the last of them.
const DASHES: [char; 6] = ['-', '‐', '–', '—', '−', '－'];

/// East Asian letters, which are written without spaces between words.
const UNSPACED: RangeInclusive<char> = '\u{2e80}'..='\u{ffef}';

/// Endings of names that no decorator and no person has.
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

/// Whether an `@` after this character may begin a mention. After a letter of a word it is the middle of an address.
pub(crate) fn begins(before: Option<char>) -> bool {
    before.is_none_or(|c| UNSPACED.contains(&c) || !(c.is_alphanumeric() || "_-+.@/=&".contains(c)))
}

/// How a path is written so that `find` finds it: in quotes where it has a space.
pub(crate) fn written(path: &str) -> String {
    let splits = path.contains(|c: char| c.is_whitespace() || c == '"' || c == '\\');
    if splits || second_at(path).is_some() {
        let inside = path.replace('\\', "\\\\").replace('"', "\\\"");
        format!("@\"{inside}\"")
    } else {
        format!("@{path}")
    }
}

/// A name while it is written, and the lines behind it with their colon; empty: there are none. A server's name has a colon, too, and a
/// number may stand behind it: lines belong behind an ending that files have or a name with a `/`, a colon alone behind such an ending.
pub(crate) fn with_lines(name: &str) -> (&str, &str) {
    let parts = name.find(COLONS).and_then(|at| name.split_at_checked(at));
    let Some((path, behind)) = parts else { return (name, "") };
    let is_lines = match behind.strip_prefix(COLONS) {
        Some("") => has_an_ending(path),
        Some(range) => (path.contains('/') || has_an_ending(path)) && wanted(range).is_some(),
        None => false,
    };
    if is_lines { (path, behind) } else { (name, "") }
}

/// What stands behind a colon and names no lines, whatever follows: `20-10`, and not yet `20-1`.
pub(crate) fn unclear(behind: &str) -> Option<&str> {
    let range = behind.strip_prefix(COLONS)?;
    let both = range.split_once(DASHES);
    let goes_on = both.is_some_and(|(first, last)| last.len() < first.len());
    let is_unclear = matches!(wanted(range), Some(Wanted::Unclear(_)));
    (is_unclear && !goes_on && !range.ends_with(|c: char| PUNCTUATION.contains(c))).then_some(range)
}

/// Every `@` of a text that may name something, in order.
pub(crate) fn find(text: &str) -> Vec<Found> {
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

/// The next `@` that begins a mention, and what stands behind it.
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

/// Where in a name without spaces the next mention begins.
fn second_at(word: &str) -> Option<usize> {
    let first = word.chars().next()?;
    next_at(word, first.len_utf8()).map(|(at, _)| at)
}

/// `path with spaces":10-20`, behind the opening quote. Answers also how many bytes it took.
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
    // Names one after the other, with a comma between.
    let word = second_at(word).and_then(|at| word.get(..at)).unwrap_or(word);
    let mut candidates = Vec::new();
    for part in cuts(word) {
        candidates.extend(ranges(part, word));
        candidates.push(Candidate {
            path: part.to_owned(),
            wanted: Wanted::Whole,
        });
    }
    // The shortest is the name without what the sentence added.
    let is_path = candidates.last().is_some_and(|last| looks_like_a_path(&last.path))
        || candidates
            .iter()
            .any(|candidate| candidate.wanted != Wanted::Whole && has_an_ending(&candidate.path));
    let found = (!candidates.is_empty()).then_some(Found { candidates, is_path });
    (found, word.len())
}

/// The word, and what is left of it where the sentence may have gone on: behind punctuation, and where East Asian letters
/// begin. The longest first.
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

/// The part of a word as a path with lines behind a colon. A compiler's `path:line:column` has two colons.
fn ranges<'w>(part: &'w str, word: &'w str) -> impl Iterator<Item = Candidate> + 'w {
    let bare = part.trim_end_matches(|c| PUNCTUATION.contains(c));
    part.match_indices(COLONS).filter_map(move |(at, colon)| {
        let (path, range) = (part.get(..at)?, part.get(at + colon.len()..)?);
        let wanted = wanted(range).filter(|_| !path.is_empty())?;
        // Behind the colon of an East Asian sentence a number may begin the next words.
        let is_sentence = colon != ":" && bare.len() < word.len() && !range.contains(DASHES) && word.starts_with(bare);
        let goes_on = is_sentence && !word.get(bare.len()..)?.chars().all(|c| PUNCTUATION.contains(c));
        let unclear = matches!(wanted, Wanted::Unclear(_)) && part != bare;
        (!goes_on && !unclear).then(|| Candidate {
            path: path.to_owned(),
            wanted,
        })
    })
}

/// `10`, `10-20`, `10-`, `10:5` with the column of a compiler. `None`: it is no number.
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
