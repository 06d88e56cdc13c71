//! Removes secrets from tool results before they are stored or shown: configured keys, and keys of published formats. A
//! mark replaces each secret. No file tool writes such a mark to a file.

mod bare;
mod forms;
mod named;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use self::bare::Bare;
pub use self::named::{mask_field, mask_named};
use benchdog_base::text::places;

/// The beginning of every redaction mark. The kind and a bracket follow.
pub const MARK: &str = "[benchdog:redacted:";

/// Minimum length of a configured key that is redacted. A shorter key could be an ordinary word.
const SHORTEST_KEY: usize = 12;

/// Minimum number of characters at the end of an unfinished line that may be the start of a key.
const TELLS: usize = 2;

/// Published key formats: the name in the redaction mark, a regex of the public prefix, and a regex of the rest.
const FORMATS: &[(&str, &str, &str)] = &[
    (
        "private-key",
        r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----",
        r".*?-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----",
    ),
    ("api-key", r"(?:\b|_)sk-", r"[A-Za-z0-9_-]{20,}"),
    ("github-token", r"gh[pousr]_", r"[A-Za-z0-9]{36,}"),
    ("github-token", r"github_pat_", r"[A-Za-z0-9_]{40,}"),
    ("gitlab-token", r"gl(?:pat|dt|rt|ptt|cbt|soat)-", r"[A-Za-z0-9_-]{20,}"),
    ("aws-key", r"(?:AKIA|ASIA)", r"[A-Z0-9]{16}\b"),
    ("google-key", r"\bAIza", r"[A-Za-z0-9_-]{35}"),
    ("google-key", r"\bya29\.", r"[A-Za-z0-9_-]{20,}"),
    ("google-key", r"\bGOCSPX-", r"[A-Za-z0-9_-]{28}"),
    ("slack-token", r"xox[abeprs]-", r"[A-Za-z0-9-]{10,}"),
    ("slack-token", r"xapp-[0-9]-", r"[A-Za-z0-9-]{20,}"),
    ("npm-token", r"npm_", r"[A-Za-z0-9]{36}\b"),
    ("pypi-token", r"pypi-", r"[A-Za-z0-9_-]{50,}"),
    ("hugging-face-token", r"hf_", r"[A-Za-z0-9]{30,}"),
    ("stripe-key", r"\b[rs]k_(?:live|test)_", r"[A-Za-z0-9]{16,}"),
    ("digitalocean-token", r"\bdo[op]_v1_", r"[a-f0-9]{64}\b"),
    ("sendgrid-key", r"\bSG\.", r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b"),
    ("vault-token", r"\bhv[sb]\.", r"[A-Za-z0-9_-]{24,}"),
    (
        "web-token",
        r"\beyJ",
        r"[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    ),
    ("groq-key", r"gsk_", r"[A-Za-z0-9]{40,}"),
    ("xai-key", r"\bxai-", r"[A-Za-z0-9]{40,}"),
    ("perplexity-key", r"pplx-", r"[A-Za-z0-9]{40,}"),
    ("replicate-token", r"\br8_", r"[A-Za-z0-9]{30,}"),
    ("notion-token", r"\bntn_", r"[A-Za-z0-9]{40,}"),
    ("linear-key", r"lin_api_", r"[A-Za-z0-9]{32,}"),
    ("sentry-token", r"sntry[su]_", r"[A-Za-z0-9_=+/-]{30,}"),
    ("shopify-token", r"shp(?:at|ca|pa|ss)_", r"[a-fA-F0-9]{32}"),
    ("webhook-secret", r"whsec_", r"[A-Za-z0-9+/=]{24,}"),
    ("databricks-token", r"\bdapi", r"[a-f0-9]{32}"),
    ("docker-token", r"dckr_pat_", r"[A-Za-z0-9_-]{20,}"),
    ("grafana-token", r"gl(?:sa|c)_", r"[A-Za-z0-9_=+/-]{32,}"),
    ("atlassian-token", r"ATATT3x", r"[A-Za-z0-9_=-]{50,}"),
    ("age-key", r"AGE-SECRET-KEY-1", r"[A-Z0-9]{40,}"),
    (
        "slack-webhook",
        r"hooks\.slack\.com/services/T",
        r"[A-Za-z0-9]+/B[A-Za-z0-9]+/[A-Za-z0-9]{16,}",
    ),
    ("azure-key", r"AccountKey=", r"[A-Za-z0-9+/]{60,}={0,2}"),
    (
        ADDRESS,
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\x22]{1,100}:",
        r"[^\s/@'\x22]{1,200}@",
    ),
];

const ADDRESS: &str = "password-of-an-address";

/// Texts in the first line of a multi-line key. The last line contains both texts of `KEY_ENDS`.
const KEY_BEGINS: (&str, &str) = ("-----BEGIN ", "PRIVATE KEY");
const KEY_ENDS: (&str, &str) = ("-----END ", "PRIVATE KEY");
/// Maximum number of lines in a key. A longer block is ordinary text.
const MOST_KEY_LINES: usize = 200;

/// Maximum bytes of an unfinished line. Of a longer line, the beginning is emitted, and the last `LONGEST_SECRET` bytes
/// are retained, because a secret may begin in them.
const MOST_LINE: usize = 32 * 1024;
const LONGEST_SECRET: usize = 8 * 1024;

/// Bytes of output that are searched at once. If such a piece may contain a secret, its lines are searched one by one.
const PIECE: usize = 4 * 1024;

static PUBLISHED: LazyLock<Option<Regex>> =
    LazyLock::new(|| one_of(FORMATS.iter().map(|(_, begins, rest)| format!("({begins}{rest})"))));

/// Matches a key at the end of a line that may continue. In an address, a colon may precede a port or a password, so
/// the text after the colon counts as unfinished.
static BEGUN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    one_of(FORMATS.iter().map(|(kind, begins, _)| match *kind {
        ADDRESS => format!(r"{begins}[^\s/@'\x22]*$"),
        _ => format!(r"{begins}\S*$"),
    }))
});

fn one_of(formats: impl Iterator<Item = String>) -> Option<Regex> {
    // Unicode word boundaries are slow outside ASCII. ASCII boundaries also end a word before a Chinese character.
    let formats = formats.collect::<Vec<_>>().join("|").replace(r"\b", r"(?-u:\b)");
    // A test ensures that this regex is valid.
    Regex::new(&formats).ok()
}

/// Compiles the regexes, which takes milliseconds. Call it early, so that the first tool call is not delayed.
pub fn make_ready() {
    LazyLock::force(&PUBLISHED);
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redactor {
    /// Configured keys in all encodings, the longest first, so that a key is redacted before its prefix.
    keys: Arc<[String]>,
}

impl Redactor {
    pub fn new(keys: impl IntoIterator<Item = String>) -> Self {
        let keys = keys.into_iter().filter(|key| key.len() >= SHORTEST_KEY);
        let mut keys: Vec<String> = keys.flat_map(|key| forms::of(&key)).collect();
        keys.sort_by_key(|key| Reverse(key.len()));
        keys.dedup();
        Self { keys: keys.into() }
    }

    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.finds(text) {
            return text.into();
        }
        let mut stream = self.stream();
        let mut out = stream.push(text);
        out.push_str(&stream.finish());
        out.into()
    }

    /// Redacts text that arrives in chunks, split anywhere.
    pub fn stream(&self) -> Stream {
        Stream {
            redactor: self.clone(),
            line: String::new(),
            key_lines: None,
        }
    }

    fn finds(&self, text: &str) -> bool {
        self.finds_as_it_stands(text) || Bare::of(text).is_some_and(|bare| self.finds_as_it_stands(&bare.text))
    }

    fn finds_as_it_stands(&self, text: &str) -> bool {
        self.keys.iter().any(|key| text.contains(key.as_str()))
            || text.contains(KEY_BEGINS.0)
            || PUBLISHED.as_ref().is_some_and(|published| published.is_match(text))
    }

    /// Whether the lines contain no secret and no invisible characters, which could hide a secret. Searches all lines
    /// at once, because no format spans lines.
    fn all_can_be_seen(&self, lines: &str) -> bool {
        !self.finds_as_it_stands(lines) && !bare::has_unseen(lines)
    }

    fn line(&self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut from = 0;
        for (secret, kind) in self.secrets(line) {
            out.push_str(line.get(from..secret.start).unwrap_or_default());
            out.push_str(&mark(kind));
            from = secret.end;
        }
        out.push_str(line.get(from..).unwrap_or_default());
        out
    }

    /// Redacts an unfinished line. Omits an end that could be the beginning of a secret.
    fn begun(&self, line: &str) -> String {
        let bare = Bare::of(line);
        let seen = bare.as_ref().map_or(line, |bare| &bare.text);
        // Search the text with and without invisible characters, and use the earlier position.
        let upto = self
            .certain_of(seen)
            .min(bare.as_ref().map_or(usize::MAX, |_| self.certain_of(line)));
        let upto = match &bare {
            Some(bare) if upto < bare.text.len() => bare.place(&(upto..upto + 1)).start,
            _ => upto,
        };
        let upto = self.before_secret(line, line.floor_char_boundary(upto));
        self.line(line.get(..upto).unwrap_or_default())
    }

    /// Returns `at`, or the start of the secret that contains it.
    fn before_secret(&self, line: &str, at: usize) -> usize {
        let secrets = self.secrets(line);
        let across = secrets.iter().find(|(place, _)| place.contains(&at));
        across.map_or(at, |(place, _)| place.start)
    }

    #[cfg(test)]
    fn public_of(&self, secret: &str) -> usize {
        let begins = |(_, begins, _): &(&str, &str, &str)| {
            let begins = Regex::new(&format!("^(?:{begins})")).ok()?;
            Some(begins.find(secret)?.end())
        };
        FORMATS.iter().filter_map(begins).max().unwrap_or(TELLS - 1)
    }

    /// Returns the length of the final part of an unfinished line. Every secret that begins in this part is complete.
    fn certain_of(&self, line: &str) -> usize {
        let published = BEGUN
            .as_ref()
            .and_then(|begun| begun.find(line))
            .map(|found| found.start());
        let lines = line.find(KEY_BEGINS.0);
        let of_key = |key: &String| {
            let longest = key.len().saturating_sub(1).min(line.len());
            let mut lengths = (TELLS..=longest).rev();
            lengths.find(|length| {
                line.as_bytes()
                    .ends_with(key.as_bytes().get(..*length).unwrap_or_default())
            })
        };
        let keys = self
            .keys
            .iter()
            .filter_map(of_key)
            .max()
            .map(|length| line.len() - length);
        [published, lines, keys]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(line.len())
    }

    /// Returns the secrets in a line as ordered, disjoint ranges with their kinds.
    fn secrets(&self, line: &str) -> Vec<(Range<usize>, &'static str)> {
        let mut found = self.secrets_as_they_stand(line);
        if let Some(bare) = Bare::of(line) {
            let unseen = self.secrets_as_they_stand(&bare.text).into_iter();
            found.extend(unseen.map(|(part, kind)| (bare.place(&part), kind)));
        }
        found.sort_by_key(|(place, _)| (place.start, Reverse(place.end)));
        let mut apart: Vec<(Range<usize>, &'static str)> = Vec::with_capacity(found.len());
        for (place, kind) in found {
            match apart.last_mut() {
                Some((last, _)) if place.start < last.end => last.end = last.end.max(place.end),
                _ => apart.push((place, kind)),
            }
        }
        apart
    }

    fn secrets_as_they_stand(&self, line: &str) -> Vec<(Range<usize>, &'static str)> {
        let mut found: Vec<(Range<usize>, &'static str)> = Vec::new();
        for key in self.keys.iter() {
            let places = line.match_indices(key.as_str());
            found.extend(places.map(|(at, _)| (at..at + key.len(), "configured-key")));
        }
        if let Some(published) = PUBLISHED.as_ref() {
            found.extend(published.captures_iter(line).filter_map(|captures| {
                let ((kind, ..), _) = FORMATS
                    .iter()
                    .zip(1..)
                    .find(|(_, group)| captures.get(*group).is_some())?;
                let secret = captures.get(0)?;
                is_random(kind, secret.as_str()).then(|| (secret.range(), *kind))
            }));
        }
        found
    }
}

/// Minimum length at which a part of a match counts as random. Ordinary words are shorter.
const NO_WORD: usize = 32;

/// Whether a match is a key and not an ordinary name. `sk-some-long-package-name` has no digit and consists of words.
fn is_random(kind: &str, text: &str) -> bool {
    let is_no_word = |part: &str| part.len() >= NO_WORD;
    kind != "api-key" || text.contains(|c: char| c.is_ascii_digit()) || text.split(['-', '_']).any(is_no_word)
}

/// Returns the kind of each redaction mark in a text.
pub fn marks(text: &str) -> impl Iterator<Item = &str> {
    text.split(MARK)
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(']')?.0))
}

fn mark(kind: &str) -> String {
    format!("{MARK}{kind}]")
}

/// Whether a text contains a key of a published format, or a password in an address.
pub fn holds_key(text: &str) -> bool {
    Redactor::default().text(text) != text
}

/// Whether `after` has more redaction marks than `before`. If so, its author saw a mark, not the secret.
pub fn adds_mark(before: &[u8], after: &[u8]) -> bool {
    let marks = |bytes: &[u8]| places(bytes, MARK.as_bytes()).len();
    let added = marks(after);
    added > 0 && added > marks(before)
}

/// Redacts a stream line by line. Emitted text contains no secret and never changes.
#[derive(Debug)]
pub struct Stream {
    redactor: Redactor,
    line: String,
    /// Number of lines so far in a key that spans several lines.
    key_lines: Option<usize>,
}

impl Stream {
    /// Adds output, and returns the redacted text that can no longer change.
    pub fn push(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let begun = match self.line.is_empty() {
            true => 0,
            false => text.find('\n').map_or(text.len(), |end| end + 1),
        };
        let (first, rest) = text.split_at_checked(begun).unwrap_or((text, ""));
        let whole = rest.rfind('\n').map_or(0, |end| end + 1);
        let (whole, last) = rest.split_at_checked(whole).unwrap_or((rest, ""));
        self.lines(first, &mut out);
        // Most output contains no secret. Search many lines at once, and emit clean pieces unchanged.
        for lines in pieces(whole) {
            if self.key_lines.is_none() && self.redactor.all_can_be_seen(lines) {
                out.push_str(lines);
            } else {
                self.lines(lines, &mut out);
            }
        }
        self.lines(last, &mut out);
        out
    }

    fn lines(&mut self, text: &str, out: &mut String) {
        for piece in text.split_inclusive('\n') {
            self.line.push_str(piece);
            if piece.ends_with('\n') {
                let line = std::mem::take(&mut self.line);
                self.end_line(&line, out);
            } else if self.line.len() > MOST_LINE {
                self.give_out_most(out);
            }
        }
    }

    /// Previews the unfinished line with `more` appended, without a possible secret. `push` returns the line later.
    pub fn unfinished(&self, more: &str) -> String {
        match (self.key_lines, self.line.as_str()) {
            (Some(_), _) => String::new(),
            (None, "") => self.redactor.begun(more),
            (None, line) => self.redactor.begun(&format!("{line}{more}")),
        }
    }

    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.end_line(&line, &mut out);
        }
        out
    }

    fn end_line(&mut self, line: &str, out: &mut String) {
        match self.key_lines {
            Some(lines)
                if Bare::of(line).map_or_else(|| holds(line, KEY_ENDS), |bare| holds(&bare.text, KEY_ENDS))
                    || lines >= MOST_KEY_LINES =>
            {
                self.key_lines = None
            }
            Some(lines) => self.key_lines = Some(lines + 1),
            None => {
                let mut redacted = self.redactor.line(line);
                if let Some(bare) = Bare::of(&redacted).filter(|bare| holds(&bare.text, KEY_BEGINS)) {
                    redacted = bare.text;
                }
                match redacted.find(KEY_BEGINS.0).filter(|_| holds(&redacted, KEY_BEGINS)) {
                    Some(at) => {
                        out.push_str(redacted.get(..at).unwrap_or_default());
                        out.push_str(&mark("private-key"));
                        out.push('\n');
                        self.key_lines = Some(0);
                    }
                    None => out.push_str(&redacted),
                }
            }
        }
    }

    /// Emits most of an unfinished line that is too long. Retains the end, in which a secret may begin.
    fn give_out_most(&mut self, out: &mut String) {
        if self.key_lines.is_some() {
            self.line.clear();
            return;
        }
        let end = self.line.floor_char_boundary(self.line.len() - LONGEST_SECRET);
        let cut = self.redactor.before_secret(&self.line, end);
        if cut == 0 {
            // The whole line is one secret. The beginning is enough to recognise the secret and to redact the rest.
            let known = self.line.floor_char_boundary(LONGEST_SECRET);
            self.line.truncate(known);
            return;
        }
        out.push_str(&self.redactor.line(self.line.get(..cut).unwrap_or_default()));
        self.line.drain(..cut);
    }
}

/// Splits the text into pieces of whole lines, of about `PIECE` bytes.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let far = rest.as_bytes().get(PIECE..).unwrap_or_default();
        let line_end = far.iter().position(|byte| *byte == b'\n');
        let end = line_end.map_or(rest.len(), |at| PIECE + at + 1);
        let (piece, after) = rest.split_at_checked(end)?;
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

fn holds(line: &str, (begins, has): (&str, &str)) -> bool {
    line.find(begins)
        .and_then(|at| line.get(at..))
        .is_some_and(|rest| rest.contains(has))
}

#[cfg(test)]
mod tests;
