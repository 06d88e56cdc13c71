//! `sessions export`: a session as JSON Lines, Markdown or one HTML page, without the secrets that Benchdog knows.
//!
//! Every format is written from the redacted entries, so even JSON Lines contains no secrets. Nothing else is removed
//! from JSON Lines.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::SessionsError;
use super::html::write_html;
use super::transcript::write_markdown;
use benchdog_base::id::{BlobId, EntryId, fresh};
use benchdog_base::json;
use benchdog_base::text::clean;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::session::SessionMeta;
use benchdog_lang::{self as lang, Word, word};
use benchdog_security::redact::{MARK, Redactor, marks, mask_field, mask_named};
use benchdog_storage::Storage;

/// The maximum number of lines in the list of redactions.
const LISTED: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Jsonl,
    Markdown,
    Html,
}

impl Form {
    /// Returns the format with this name, or with this file extension.
    pub fn of(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "jsonl" => Some(Self::Jsonl),
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }
}

/// A session with its secrets replaced, ready to be written.
#[derive(Debug)]
pub struct Export {
    meta: SessionMeta,
    log: Vec<Arc<Entry>>,
    blobs: BTreeMap<BlobId, Arc<[u8]>>,
    redactions: Redactions,
}

impl Export {
    pub async fn of(storage: &Storage, partial: &str, redactor: &Redactor) -> Result<Self, SessionsError> {
        let id = storage.find_one(partial).await?;
        let (meta, log) = storage.read_session(&id).await?;
        let blobs = storage.blobs(&id).await?;
        let mut pass = Pass {
            redactor,
            paths: paths(&log),
            renamed: BTreeMap::new(),
            found: Redactions::default(),
        };
        let blobs = blobs.into_iter().map(|blob| pass.blob(blob)).collect();
        let log = log
            .into_iter()
            .map(|entry| pass.entry(entry))
            .collect::<Result<_, _>>()?;
        let meta = pass.described(&meta)?;
        Ok(Self {
            meta,
            log,
            blobs,
            redactions: pass.found,
        })
    }

    pub fn redactions(&self) -> &Redactions {
        &self.redactions
    }

    pub fn write(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        match form {
            Form::Jsonl => self.write_lines(out),
            Form::Markdown => write_markdown(&self.meta, &History::of(self.log.clone()), out),
            Form::Html => write_html(&self.meta, &History::of(self.log.clone()), &self.blobs, out),
        }
    }

    /// Writes the export as JSON Lines: the description, the entries, and the blobs to which entries refer.
    fn write_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", json::line(&json!({"session": self.meta})))?;
        for entry in &self.log {
            writeln!(out, "{}", json::line(&json!(entry.as_ref())))?;
        }
        for (id, bytes) in &self.blobs {
            let line = match std::str::from_utf8(bytes) {
                Ok(text) => json!({"blob": id, "text": text}),
                Err(_) => json!({"blob": id, "base64": STANDARD.encode(bytes)}),
            };
            writeln!(out, "{}", json::line(&line))?;
        }
        Ok(())
    }

    /// Creates a file with the whole export, and returns the number of redaction marks in the file. Never replaces an
    /// existing file. After a failure, no file remains.
    pub fn create(&self, form: Form, path: &Path) -> Result<usize, SessionsError> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(SessionsError::Exists(path.to_owned()));
        }
        let part = part_of(path);
        let written = self.write_new(form, &part);
        let written = written.and_then(|marks| publish(&part, path).map(|()| marks));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => SessionsError::Exists(path.to_owned()),
            _ => SessionsError::Unwritable {
                file: path.to_owned(),
                error,
            },
        })
    }

    fn write_new(&self, form: Form, part: &Path) -> io::Result<usize> {
        let file = OpenOptions::new().write(true).create_new(true).open(part)?;
        let mut out = BufWriter::new(Counting {
            file,
            tail: Vec::new(),
            marks: 0,
        });
        self.write(form, &mut out)?;
        let counting = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        counting.file.sync_all()?;
        Ok(counting.marks)
    }
}

/// A file that counts the redaction marks written to it. The count includes marks that the session already contained.
struct Counting {
    file: File,
    /// The last bytes, which may be the beginning of a redaction mark.
    tail: Vec<u8>,
    marks: usize,
}

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.tail.extend_from_slice(bytes.get(..count).unwrap_or_default());
        self.marks += self
            .tail
            .windows(MARK.len())
            .filter(|window| *window == MARK.as_bytes())
            .count();
        // The tail is shorter than a redaction mark, so that each mark is counted once.
        let done = self.tail.len().saturating_sub(MARK.len() - 1);
        self.tail.drain(..done);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", fresh()))
}

/// Renames the finished file. Uses a hard link, which fails if another process has created a file of this name. On file
/// systems without hard links, replaces such a file.
fn publish(part: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(part, path) {
        Ok(()) => fs::remove_file(part),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) => fs::rename(part, path),
    }
}

fn paths(log: &[Arc<Entry>]) -> BTreeMap<BlobId, String> {
    let mut paths = BTreeMap::new();
    for entry in log {
        if let Body::Change {
            path, before, after, ..
        } = &entry.body
        {
            for blob in [before, after].into_iter().flatten() {
                paths.entry(blob.clone()).or_insert_with(|| path.clone());
            }
        }
    }
    paths
}

/// The part of the session that contains a redaction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Description,
    Entry(EntryId, String),
    /// A stored file, named by its path if known.
    File(String),
}

/// The number of redactions, by part of the session and kind of secret. Contains no secret.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Redactions {
    rows: BTreeMap<(Place, String), usize>,
}

impl Redactions {
    /// Returns the number of places where a secret was redacted. A secret that occurs twice counts twice.
    pub fn count(&self) -> usize {
        self.rows.values().sum()
    }

    /// Returns the list of redactions as text. The person sees this list before anything is written.
    pub fn lines(&self) -> Vec<String> {
        if self.rows.is_empty() {
            return vec![word(Word::NothingRedacted).to_owned()];
        }
        let mut lines = vec![lang::message::redacted(self.count())];
        for ((place, kind), count) in self.rows.iter().take(LISTED) {
            let place = match place {
                Place::Description => word(Word::RedactedDescription).to_owned(),
                Place::Entry(id, kind) => lang::message::redacted_entry(&id.0.to_string(), kind),
                Place::File(path) => lang::message::redacted_file(&clean(path)),
            };
            lines.push(format!(
                "  {}",
                lang::message::redacted_row(&count.to_string(), kind, &place)
            ));
        }
        if let Some(more) = self.rows.len().checked_sub(LISTED).filter(|more| *more > 0) {
            lines.push(format!("  {}", lang::more_flaws(more)));
        }
        lines
    }

    fn add(&mut self, place: &Place, before: &str, after: &str) {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for kind in marks(after) {
            *kinds.entry(kind).or_default() += 1;
        }
        // Do not count the marks in outputs that were already redacted when they were recorded.
        for kind in marks(before) {
            if let Some(count) = kinds.get_mut(kind) {
                *count = count.saturating_sub(1);
            }
        }
        for (kind, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
            *self.rows.entry((place.clone(), kind.to_owned())).or_default() += count;
        }
    }
}

struct Pass<'r> {
    redactor: &'r Redactor,
    paths: BTreeMap<BlobId, String>,
    /// The new ids of redacted blobs, by their old ids.
    renamed: BTreeMap<String, String>,
    found: Redactions,
}

impl Pass<'_> {
    fn blob(&mut self, (id, bytes): (BlobId, Arc<[u8]>)) -> (BlobId, Arc<[u8]>) {
        let Some(redacted) = self.redacted_file(&id, &bytes) else {
            return (id, bytes);
        };
        let new = BlobId::of(&redacted);
        self.renamed.insert(id.0, new.0.clone());
        (new, redacted)
    }

    fn redacted_file(&mut self, id: &BlobId, bytes: &[u8]) -> Option<Arc<[u8]>> {
        let text = String::from_utf8_lossy(bytes);
        let place = Place::File(self.paths.get(id).unwrap_or(&id.0).clone());
        let redacted = self.text(&text, &place)?;
        Some(Arc::from(redacted.into_bytes()))
    }

    fn entry(&mut self, entry: Arc<Entry>) -> Result<Arc<Entry>, serde_json::Error> {
        let mut value = serde_json::to_value(entry.as_ref())?;
        let kind = value.get("kind").and_then(Value::as_str).unwrap_or_default();
        let place = Place::Entry(entry.id, kind.to_owned());
        if self.value(&mut value, &place) {
            return serde_json::from_value(value).map(Arc::new);
        }
        Ok(entry)
    }

    fn described(&mut self, meta: &SessionMeta) -> Result<SessionMeta, serde_json::Error> {
        let mut value = serde_json::to_value(meta)?;
        self.value(&mut value, &Place::Description);
        serde_json::from_value(value)
    }

    /// Replaces the secrets in all texts of a value, and the ids of redacted blobs. Returns whether anything changed.
    fn value(&mut self, value: &mut Value, place: &Place) -> bool {
        match value {
            Value::String(text) => match self.text(text, place) {
                Some(new) => {
                    *text = new;
                    true
                }
                None => false,
            },
            Value::Array(values) => values
                .iter_mut()
                .fold(false, |changed, value| self.value(value, place) | changed),
            Value::Object(fields) => {
                let mut changed = false;
                for (name, mut value) in std::mem::take(fields) {
                    changed |= self.field(&name, &mut value, place) | self.value(&mut value, place);
                    let new = self.text(&name, place);
                    changed |= new.is_some();
                    fields.insert(new.unwrap_or(name), value);
                }
                changed
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Masks a text if the name of its field indicates a secret.
    fn field(&mut self, name: &str, value: &mut Value, place: &Place) -> bool {
        let Value::String(text) = value else { return false };
        let Some(masked) = mask_field(name, text) else {
            return false;
        };
        self.found.add(place, text, &masked);
        *text = masked;
        true
    }

    fn text(&mut self, text: &str, place: &Place) -> Option<String> {
        if let Some(renamed) = self.renamed.get(text) {
            return Some(renamed.clone());
        }
        let redacted = match self.redactor.text(text) {
            Cow::Borrowed(text) => mask_named(text),
            Cow::Owned(text) => Cow::Owned(mask_named(&text).into_owned()),
        };
        if redacted == text {
            return None;
        }
        self.found.add(place, text, &redacted);
        Some(redacted.into_owned())
    }
}

#[cfg(test)]
pub(crate) mod tests;
