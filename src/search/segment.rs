//! A file of the index: sources, their documents, the postings of each term, and the dictionary.
//!
//! ```text
//! magic, counts and lengths | sources | number of each document | postings | end of each posting | "\nterm\nterm\n"
//! ```

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::builder::{Builder, each_doc};
use super::index::Candidate;
use super::terms::{Pattern, SEPARATOR};
use benchdog_base::id::fresh;
use benchdog_base::text::{newlines, places};

const MAGIC: &[u8; 8] = b"BDSRCH2\n";

/// Maximum distance of two terms in the dictionary whose postings are read together.
const NEAR: usize = 64;

/// Length of the header: `MAGIC`, and six numbers of eight bytes.
const HEADER: usize = 8 + 6 * 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub time: i64,
    pub size: u64,
}

impl Stamp {
    /// A stamp that no source has. A source with this stamp counts as changed.
    pub(super) const UNKNOWN: Self = Self {
        time: i64::MIN,
        size: 0,
    };
}

#[derive(Debug, Clone)]
pub(super) struct Indexed {
    pub(super) id: String,
    pub(super) stamp: Stamp,
    /// Index of the source's first document. The source's documents end before the first document of the next source.
    pub(super) first: u32,
    /// Whether no newer segment contains the source.
    pub(super) is_current: bool,
}

#[derive(Debug)]
pub(super) struct Segment {
    file: File,
    pub(super) path: PathBuf,
    pub(super) number: u64,
    pub(super) sources: Vec<Indexed>,
    docs: usize,
    terms: usize,
    places: Places,
    dictionary: OnceLock<Dictionary>,
}

/// The part of a segment that every search reads.
#[derive(Debug)]
struct Dictionary {
    /// `\nterm\nterm\n`.
    terms: Vec<u8>,
    /// The end of each term's postings, four bytes each.
    ends: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Places {
    docs: u64,
    postings: u64,
    ends: u64,
    dictionary: u64,
    end: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Docs(Vec<u64>);

impl Docs {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn add(&mut self, doc: u32) {
        let doc = usize::try_from(doc).unwrap_or(usize::MAX);
        if let Some(word) = self.0.get_mut(doc / 64) {
            *word |= 1 << (doc % 64);
        }
    }

    fn keep(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    pub(super) fn has(&self, doc: usize) -> bool {
        self.0.get(doc / 64).is_some_and(|word| word & (1 << (doc % 64)) != 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

impl Segment {
    /// Opens a segment. Fails if the file is not a segment or is truncated.
    pub(super) fn open(path: &Path, number: u64) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0)?;
        let (magic, numbers) = header.split_at(8);
        let mut numbers = numbers.chunks_exact(8).map(number_of);
        let mut next = || numbers.next().unwrap_or_default();
        let [sources, docs, terms, table, postings, dictionary] = [next(), next(), next(), next(), next(), next()];
        let places = || {
            let docs_at = (HEADER as u64).checked_add(table)?;
            let postings_at = docs_at.checked_add(docs.checked_mul(4)?)?;
            let ends_at = postings_at.checked_add(postings)?;
            let dictionary_at = ends_at.checked_add(terms.checked_mul(4)?)?;
            Some(Places {
                docs: docs_at,
                postings: postings_at,
                ends: ends_at,
                dictionary: dictionary_at,
                end: dictionary_at.checked_add(dictionary)?,
            })
        };
        let size = file.metadata()?.len();
        let places = places().filter(|places| magic == MAGIC && size == places.end);
        let places = places.ok_or_else(damaged)?;
        let rows = read(&file, HEADER as u64, places.docs)?;
        let sources = sources_of(&rows, sources).ok_or_else(damaged)?;
        Ok(Self {
            file,
            path: path.to_owned(),
            number,
            sources,
            docs: usize::try_from(docs).map_err(|_| damaged())?,
            terms: usize::try_from(terms).map_err(|_| damaged())?,
            places,
            dictionary: OnceLock::new(),
        })
    }

    fn dictionary(&self) -> io::Result<&Dictionary> {
        if let Some(dictionary) = self.dictionary.get() {
            return Ok(dictionary);
        }
        let dictionary = Dictionary {
            terms: read(&self.file, self.places.dictionary, self.places.end)?,
            ends: read(&self.file, self.places.ends, self.places.dictionary)?,
        };
        Ok(self.dictionary.get_or_init(|| dictionary))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.places.end
    }

    pub(super) fn docs(&self) -> io::Result<Vec<u32>> {
        Ok(numbers_of(&read(&self.file, self.places.docs, self.places.postings)?))
    }

    /// Returns the range of documents of the source at this index in `sources`.
    pub(super) fn docs_of(&self, source: usize) -> std::ops::Range<usize> {
        let first = |at: usize| {
            let indexed = self.sources.get(at);
            let first = indexed.and_then(|one| usize::try_from(one.first).ok());
            first.map_or(self.docs, |first| first.min(self.docs))
        };
        first(source)..first(source + 1)
    }

    /// Returns the source at this index in `sources` with the numbers of its `matching` documents.
    pub(super) fn candidate(&self, source: usize, matching: &Docs) -> io::Result<Option<Candidate>> {
        let docs = self.docs_of(source);
        let at = |doc: usize| self.places.docs + 4 * doc as u64;
        let numbers = numbers_of(&read(&self.file, at(docs.start), at(docs.end))?);
        let numbers = docs.zip(numbers).filter(|(doc, _)| matching.has(*doc));
        Ok(self.sources.get(source).map(|source| Candidate {
            source: source.id.clone(),
            numbers: numbers.map(|(_, number)| number).collect(),
        }))
    }

    /// Returns the documents whose terms match all patterns.
    pub(super) fn matching(&self, patterns: &[Pattern]) -> io::Result<Docs> {
        let Dictionary {
            terms: dictionary,
            ends,
        } = self.dictionary()?;
        let mut all: Option<Docs> = None;
        for pattern in patterns {
            let mut some = Docs::none(self.docs);
            for near in terms_with(dictionary, pattern).chunk_by(|term, next| next - term <= NEAR) {
                let (Some(first), Some(last)) = (near.first(), near.last()) else {
                    continue;
                };
                let (start, _) = of_term(ends, *first);
                let (_, end) = of_term(ends, *last);
                let postings = self.postings(start, end)?;
                for term in near {
                    let (from, to) = of_term(ends, *term);
                    let range = offset(from, start)..offset(to, start);
                    each_doc(postings.get(range).unwrap_or_default(), |doc| some.add(doc));
                }
            }
            match &mut all {
                Some(all) => all.keep(&some),
                None => all = Some(some),
            }
            if all.as_ref().is_some_and(Docs::is_empty) {
                break;
            }
        }
        // A query of only punctuation has no pattern, so every document is a candidate.
        Ok(all.unwrap_or_else(|| Docs(vec![u64::MAX; self.docs.div_ceil(64)])))
    }

    pub(super) fn docs_with(&self, terms: &[String]) -> io::Result<Vec<Vec<u32>>> {
        let Dictionary {
            terms: dictionary,
            ends,
        } = self.dictionary()?;
        let docs_of = |term: &String| {
            let mut docs = Vec::new();
            for at in terms_with(dictionary, &Pattern::whole(term)) {
                let (start, end) = of_term(ends, at);
                each_doc(&self.postings(start, end)?, |doc| docs.push(doc));
            }
            Ok(docs)
        };
        terms.iter().map(docs_of).collect()
    }

    fn postings(&self, start: u64, end: u64) -> io::Result<Vec<u8>> {
        let first = self.places.postings;
        let end = first.checked_add(end).filter(|end| *end <= self.places.ends);
        read(&self.file, first + start, end.ok_or_else(damaged)?)
    }

    /// Calls `take` with each term and its postings, in the order of the dictionary.
    pub(super) fn each_term(&self, mut take: impl FnMut(&str, &[u8])) -> io::Result<()> {
        let Dictionary {
            terms: dictionary,
            ends,
        } = self.dictionary()?;
        let dictionary = String::from_utf8_lossy(dictionary);
        for (at, term) in dictionary.split('\n').skip(1).take(self.terms).enumerate() {
            let (start, end) = of_term(ends, at);
            take(term, &self.postings(start, end)?);
        }
        Ok(())
    }
}

/// Returns the start and the end of a term's postings, in bytes from the start of all postings.
fn of_term(ends: &[u8], term: usize) -> (u64, u64) {
    let end_of = |term: usize| {
        let bytes = ends.get(term * 4..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)))
    };
    let start = term.checked_sub(1).map_or(0, end_of);
    (start, end_of(term).max(start))
}

fn offset(place: u64, start: u64) -> usize {
    usize::try_from(place.saturating_sub(start)).unwrap_or(usize::MAX)
}

fn terms_with(dictionary: &[u8], pattern: &Pattern) -> Vec<usize> {
    let mut terms: Vec<usize> = Vec::new();
    let (mut counted, mut upto) = (0, 0);
    for at in places(dictionary, pattern.bytes()) {
        // In a match of a whole-term pattern, skip the separator before the term.
        let at = at + usize::from(pattern.is_whole());
        counted += dictionary.get(upto..at).map_or(0, newlines);
        upto = at;
        let term = counted.saturating_sub(1);
        if terms.last() != Some(&term) {
            terms.push(term);
        }
    }
    terms
}

/// Writes a segment under a temporary name and renames it, so that no reader gets an incomplete file.
pub(super) fn write(folder: &Path, number: u64, built: &Builder) -> io::Result<PathBuf> {
    let path = folder.join(format!("{number:08}.seg"));
    let part = folder.join(format!("{number:08}.{}.part", fresh()));
    let written = write_new(&part, built).and_then(|()| std::fs::rename(&part, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written.map(|()| path)
}

fn write_new(part: &Path, built: &Builder) -> io::Result<()> {
    let file = File::options().write(true).create_new(true).mode(0o600).open(part)?;
    let mut out = BufWriter::with_capacity(256 << 10, file);
    let mut terms: Vec<(&str, &[u8])> = Vec::with_capacity(built.terms.len());
    terms.extend(
        built
            .terms
            .iter()
            .map(|(term, postings)| (&**term, postings.bytes.as_slice())),
    );
    terms.sort_unstable_by_key(|(term, _)| *term);
    let mut rows = Vec::new();
    for source in &built.sources {
        let id = source.id.as_bytes();
        let length = u16::try_from(id.len()).map_err(|_| damaged())?;
        rows.extend_from_slice(&length.to_le_bytes());
        rows.extend_from_slice(id);
        rows.extend_from_slice(&source.stamp.time.to_le_bytes());
        rows.extend_from_slice(&source.stamp.size.to_le_bytes());
        rows.extend_from_slice(&source.first.to_le_bytes());
    }
    let postings: usize = terms.iter().map(|(_, bytes)| bytes.len()).sum();
    let dictionary: usize = 1 + terms.iter().map(|(term, _)| term.len() + 1).sum::<usize>();
    out.write_all(MAGIC)?;
    for count in [
        built.sources.len(),
        built.docs.len(),
        terms.len(),
        rows.len(),
        postings,
        dictionary,
    ] {
        out.write_all(&u64::try_from(count).unwrap_or_default().to_le_bytes())?;
    }
    out.write_all(&rows)?;
    for number in &built.docs {
        out.write_all(&number.to_le_bytes())?;
    }
    for (_, bytes) in &terms {
        out.write_all(bytes)?;
    }
    let mut end = 0_u32;
    for (_, bytes) in &terms {
        end = end.saturating_add(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        out.write_all(&end.to_le_bytes())?;
    }
    out.write_all(&[SEPARATOR])?;
    for (term, _) in &terms {
        out.write_all(term.as_bytes())?;
        out.write_all(&[SEPARATOR])?;
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(())
}

fn sources_of(rows: &[u8], count: u64) -> Option<Vec<Indexed>> {
    let mut rest = rows;
    let mut sources = Vec::new();
    for _ in 0..count {
        let (length, after) = rest.split_at_checked(2)?;
        let length = u16::from_le_bytes(length.try_into().ok()?);
        let (id, after) = after.split_at_checked(usize::from(length))?;
        let (facts, after) = after.split_at_checked(20)?;
        let (time, facts) = facts.split_at_checked(8)?;
        let (size, first) = facts.split_at_checked(8)?;
        sources.push(Indexed {
            id: String::from_utf8(id.to_vec()).ok()?,
            stamp: Stamp {
                time: i64::from_le_bytes(time.try_into().ok()?),
                size: number_of(size),
            },
            first: u32::from_le_bytes(first.try_into().ok()?),
            is_current: false,
        });
        rest = after;
    }
    Some(sources)
}

fn read(file: &File, from: u64, to: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(to.saturating_sub(from)).map_err(|_| damaged())?];
    file.read_exact_at(&mut bytes, from)?;
    Ok(bytes)
}

fn number_of(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

fn numbers_of(bytes: &[u8]) -> Vec<u32> {
    let numbers = bytes
        .chunks_exact(4)
        .map(|bytes| bytes.try_into().map_or(0, u32::from_le_bytes));
    numbers.collect()
}

fn damaged() -> io::Error {
    io::ErrorKind::InvalidData.into()
}
