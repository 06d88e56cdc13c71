//! Vectors of the chunks of files, in one vector file for each model. A vector file may be damaged: damaged records are
//! ignored, and their workspace files are embedded again.
//!
//! ```text
//! magic | dimension | length of the model's name | name | records
//! record: length of the body | checksum of the body | body
//! body:   length of the path | path | stamp | first chunk | number of all chunks | vectors
//! ```
//!
//! Records are only appended. The records of a file are in the order of its chunks. A record with the first chunk
//! replaces all earlier records of its file.

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::segment::Stamp;
use benchdog_base::id::fresh;

const MAGIC: &[u8; 8] = b"BDVECT1\n";

/// Prefix of the names of vector files and lock files.
const NAME: &str = "vectors";
const LOCK: &str = "lock";

/// Maximum size of a vector file in bytes. Each search reads the whole file once.
const MOST_STORED: u64 = 512 << 20;

/// Maximum number of models with a vector file. Above it, the file that was unused for the longest time is deleted.
const MOST_MODELS: usize = 4;

/// Time without use after which the file of a model is deleted.
const UNUSED: Duration = Duration::from_hours(30 * 24);

/// Maximum size of a record's body in bytes. A larger size means that the record is damaged.
const MOST_BODY: u32 = 8 << 20;

/// Length of the frame before each body: size and checksum.
const FRAME: u64 = 4 + 8;

/// Length of the scale before the components of each vector.
const SCALE: usize = 4;

#[derive(Debug)]
pub(super) struct Vectors {
    folder: PathBuf,
    model: String,
    /// The normalised vector of the question. Empty if there is no question.
    question: Vec<f32>,
    /// The open file. `None` if there is no file for this model.
    stored: Option<Stored>,
}

#[derive(Debug)]
struct Stored {
    file: File,
    dimension: usize,
    files: HashMap<String, Embedded>,
    end: u64,
    /// The size of the file when it was read. It is larger than `end` if the last record is incomplete.
    size: u64,
}

/// The records of a workspace file. Its first `done` of `all` chunks have vectors.
#[derive(Debug)]
struct Embedded {
    stamp: Stamp,
    done: u32,
    all: u32,
    records: Vec<(u64, u64)>,
    /// The chunk that is most similar to the question. `None` if no vector has the dimension of the question.
    best: Option<(u32, f32)>,
}

#[derive(Debug)]
pub(super) struct Record<'r> {
    pub(super) path: &'r str,
    pub(super) stamp: Stamp,
    pub(super) first: u32,
    pub(super) all: u32,
    pub(super) vectors: &'r [Vec<f32>],
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Near {
    pub(super) path: String,
    pub(super) chunk: u32,
    pub(super) similarity: f32,
}

/// Holds the lock for writing. Other processes can still read.
pub(super) struct Writer<'v> {
    vectors: &'v mut Vectors,
    _lock: File,
}

impl Vectors {
    /// Opens the vectors of a model, and compares them with the vector of a question.
    pub(super) fn open(folder: &Path, model: &str, question: &[f32]) -> io::Result<Self> {
        let mut vectors = Self {
            folder: folder.to_owned(),
            model: model.to_owned(),
            question: normalize(question),
            stored: None,
        };
        vectors.load()?;
        Ok(vectors)
    }

    /// Returns the path of the model's file, which contains a hash of the model's name. A file of another model with
    /// the same hash is ignored, because its header contains the other name.
    fn path(&self) -> PathBuf {
        self.folder
            .join(format!("{NAME}-{:016x}", checksum(self.model.as_bytes())))
    }

    /// Reads the model's file, unless the same file is already open and has not grown.
    fn load(&mut self) -> io::Result<()> {
        let file = match File::options().read(true).write(true).open(self.path()) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.stored = None;
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        if self.stored.as_ref().map(|stored| stored.is(&file)).transpose()? != Some(true) {
            self.stored = Stored::of(file, &self.model, &self.question)?;
        }
        Ok(())
    }

    /// Returns the number of a file's chunks with vectors, and whether all chunks of the file have vectors.
    pub(super) fn progress(&self, path: &str, stamp: Stamp) -> (u32, bool) {
        let known = self.stored.as_ref().and_then(|stored| stored.files.get(path));
        let known = known.filter(|known| known.stamp == stamp);
        known.map_or((0, false), |known| (known.done, known.done == known.all))
    }

    pub(super) fn is_full(&self) -> bool {
        self.stored.as_ref().is_some_and(|stored| stored.end >= MOST_STORED)
    }

    /// Takes the lock for writing, and reads the records that other processes added. Returns `None` while another
    /// process has the lock.
    pub(super) fn writer(&mut self) -> io::Result<Option<Writer<'_>>> {
        let lock = private_file().open(self.path().with_added_extension(LOCK))?;
        if lock.try_lock().is_err() {
            return Ok(None);
        }
        self.load()?;
        Ok(Some(Writer {
            vectors: self,
            _lock: lock,
        }))
    }

    /// Returns the most similar chunk of each file, the best files first.
    pub(super) fn nearest(&self, now: &HashMap<&str, Stamp>, most: usize) -> Vec<Near> {
        let files = self.stored.iter().flat_map(|stored| &stored.files);
        let current = files.filter(|(path, known)| now.get(path.as_str()) == Some(&known.stamp));
        let near = |(path, known): (&String, &Embedded)| {
            let (chunk, similarity) = known.best?;
            Some(Near {
                path: path.clone(),
                chunk,
                similarity,
            })
        };
        let mut ranked: Vec<Near> = current.filter_map(near).collect();
        ranked.sort_by(|one, other| {
            let by_similarity = other.similarity.total_cmp(&one.similarity);
            by_similarity.then_with(|| one.path.cmp(&other.path))
        });
        ranked.truncate(most);
        ranked
    }

    /// Sets the time of the last use. If this fails, the only effect is that the file may be deleted too early.
    fn mark_used(&self, now: SystemTime) {
        if let Some(stored) = &self.stored {
            let _ = stored.file.set_modified(now);
        }
    }

    /// Deletes the files of other models that were not used for a long time, and those beyond `MOST_MODELS`. Another
    /// process that has such a file open can still read it.
    fn delete_unused(&self, now: SystemTime) {
        let own = self.path();
        let found = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let others = found.map(|file| file.path()).filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(NAME) && path.extension().is_none() && *path != own
        });
        let mut others: Vec<(Duration, PathBuf)> = others
            .filter_map(|path| {
                let used = fs::symlink_metadata(&path).ok()?.modified().ok()?;
                Some((now.duration_since(used).unwrap_or_default(), path))
            })
            .collect();
        others.sort();
        for (place, (since, path)) in (1..).zip(others) {
            let lock = path.with_added_extension(LOCK);
            let is_in_use = || File::open(&lock).is_ok_and(|lock| lock.try_lock().is_err());
            if (place >= MOST_MODELS || since > UNUSED) && !is_in_use() {
                let _ = fs::remove_file(&path);
                let _ = fs::remove_file(&lock);
            }
        }
    }
}

impl Writer<'_> {
    /// Starts a new vector file if there is none or if its vectors have another dimension. Removes the vectors of
    /// workspace files that are not `listed`, and the files of models that are no longer used.
    pub(super) fn prepare(
        &mut self,
        dimension: usize,
        listed: &HashMap<&str, Stamp>,
        now: SystemTime,
    ) -> io::Result<()> {
        self.prepare_own(dimension, listed)?;
        self.vectors.mark_used(now);
        self.vectors.delete_unused(now);
        Ok(())
    }

    fn prepare_own(&mut self, dimension: usize, listed: &HashMap<&str, Stamp>) -> io::Result<()> {
        let fits = |stored: &&mut Stored| stored.dimension == dimension;
        let Some(stored) = self.vectors.stored.as_mut().filter(fits) else {
            return self.replace(dimension, &[]);
        };
        let is_current = |path: &str, known: &Embedded| listed.get(path) == Some(&known.stamp);
        let live = stored.files.iter().filter(|(path, known)| is_current(path, known));
        let live: Vec<(u64, u64)> = live.flat_map(|(_, known)| known.records.iter().copied()).collect();
        let size: u64 = live.iter().map(|(_, size)| size).sum();
        // Rewrite the file even for a single deleted workspace file, because its vectors must not remain on disk.
        let has_deleted = stored.files.keys().any(|path| !listed.contains_key(path.as_str()));
        if has_deleted || is_wasteful(size, stored.end) {
            return self.replace(dimension, &live);
        }
        stored.size = stored.end;
        stored.file.set_len(stored.end)
    }

    fn replace(&mut self, dimension: usize, live: &[(u64, u64)]) -> io::Result<()> {
        let folder = self.vectors.folder.clone();
        let part = folder.join(format!("{NAME}.{}.part", fresh()));
        let written = self
            .write_new(&part, dimension, live)
            .and_then(|()| fs::rename(&part, self.vectors.path()));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written?;
        self.vectors.load()
    }

    fn write_new(&self, part: &Path, dimension: usize, live: &[(u64, u64)]) -> io::Result<()> {
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(part)?;
        let model = self.vectors.model.as_bytes();
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&number(dimension)?.to_le_bytes());
        header.extend_from_slice(&number(model.len())?.to_le_bytes());
        header.extend_from_slice(model);
        file.write_all(&header)?;
        let mut live = live.to_vec();
        live.sort_unstable();
        for (at, size) in live {
            let stored = self.vectors.stored.as_ref();
            if let Some(body) = stored.map(|stored| stored.body(at, size)).transpose()?.flatten() {
                file.write_all(&frame(&body)?)?;
            }
        }
        Ok(())
    }

    pub(super) fn progress(&self, path: &str, stamp: Stamp) -> (u32, bool) {
        self.vectors.progress(path, stamp)
    }

    /// Returns the number of the next chunk to append. Returns 0 if the number of chunks changed, such as after a key
    /// was configured that is redacted.
    pub(super) fn next_chunk(&self, path: &str, stamp: Stamp, all: u32) -> u32 {
        let stored = self.vectors.stored.as_ref();
        let known = stored.and_then(|stored| stored.files.get(path));
        let known = known.filter(|known| (known.stamp, known.all) == (stamp, all));
        known.map_or(0, |known| known.done)
    }

    pub(super) fn is_full(&self) -> bool {
        self.vectors.is_full()
    }

    /// Appends a record. The record must begin with the file's first chunk, or directly after the last stored chunk.
    pub(super) fn append(&mut self, record: &Record<'_>) -> io::Result<()> {
        let Vectors { stored, question, .. } = &mut *self.vectors;
        let stored = stored.as_mut().ok_or(ErrorKind::NotFound)?;
        let mut body = number(record.path.len())?.to_le_bytes().to_vec();
        body.extend_from_slice(record.path.as_bytes());
        body.extend_from_slice(&record.stamp.time.to_le_bytes());
        body.extend_from_slice(&record.stamp.size.to_le_bytes());
        body.extend_from_slice(&record.first.to_le_bytes());
        body.extend_from_slice(&record.all.to_le_bytes());
        for vector in record.vectors {
            body.extend_from_slice(&quantize(vector));
        }
        let bytes = frame(&body)?;
        stored.file.write_all_at(&bytes, stored.end)?;
        let at = stored.end;
        stored.add(&body, at, question);
        stored.size = stored.end;
        Ok(())
    }
}

impl Stored {
    /// Reads all complete records. `None` for a file of another model or format.
    fn of(file: File, model: &str, question: &[f32]) -> io::Result<Option<Self>> {
        let size = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(1 << 20, &file);
        let Some((dimension, end)) = read_header(&mut reader, model)? else {
            return Ok(None);
        };
        let mut stored = Self {
            file: file.try_clone()?,
            dimension,
            files: HashMap::new(),
            end,
            size,
        };
        while let Some(body) = next_body(&mut reader)? {
            let at = stored.end;
            stored.add(&body, at, question);
        }
        Ok(Some(stored))
    }

    /// Whether `other` is the open file, and has the same size as when the open file was read.
    fn is(&self, other: &File) -> io::Result<bool> {
        let (own, other) = (self.file.metadata()?, other.metadata()?);
        Ok((own.dev(), own.ino()) == (other.dev(), other.ino()) && other.len() == self.size)
    }

    /// Adds a complete record. Ignores a record whose chunks do not follow the stored chunks of the workspace file.
    fn add(&mut self, body: &[u8], at: u64, question: &[f32]) {
        let size = FRAME + body.len() as u64;
        self.end = at + size;
        let Some(row) = Row::of(body) else { return };
        let width = SCALE + self.dimension;
        let count = u32::try_from(row.vectors.len() / width).unwrap_or(u32::MAX);
        let done = row.first.saturating_add(count);
        if row.vectors.len() % width != 0 || done > row.all {
            return;
        }
        let best = row.best(question, self.dimension);
        if row.first == 0 {
            let embedded = Embedded {
                stamp: row.stamp,
                done,
                all: row.all,
                records: vec![(at, size)],
                best,
            };
            self.files.insert(row.path.to_owned(), embedded);
        } else if let Some(known) = self.files.get_mut(row.path)
            && (known.stamp, known.done, known.all) == (row.stamp, row.first, row.all)
        {
            known.done = done;
            known.records.push((at, size));
            known.best = better(known.best, best);
        }
    }

    /// Returns the body of a record, or `None` if it was damaged after the first read.
    fn body(&self, at: u64, size: u64) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = vec![0; usize::try_from(size).map_err(io::Error::other)?];
        match self.file.read_exact_at(&mut bytes, at) {
            Ok(()) => next_body(&mut bytes.as_slice()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}

struct Row<'b> {
    path: &'b str,
    stamp: Stamp,
    first: u32,
    all: u32,
    vectors: &'b [u8],
}

impl<'b> Row<'b> {
    fn of(body: &'b [u8]) -> Option<Self> {
        let (length, rest) = split_number(body)?;
        let (path, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        let (time, rest) = rest.split_first_chunk()?;
        let (size, rest) = rest.split_first_chunk()?;
        let (first, rest) = split_number(rest)?;
        let (all, vectors) = split_number(rest)?;
        Some(Self {
            path: std::str::from_utf8(path).ok()?,
            stamp: Stamp {
                time: i64::from_le_bytes(*time),
                size: u64::from_le_bytes(*size),
            },
            first,
            all,
            vectors,
        })
    }
}

impl Row<'_> {
    /// Returns the chunk that is most similar to the question. `None` if the question has another dimension.
    fn best(&self, question: &[f32], dimension: usize) -> Option<(u32, f32)> {
        let vectors = self.vectors.chunks_exact(SCALE + dimension);
        let chunks = (self.first..).zip(vectors).filter(|_| question.len() == dimension);
        let scored = chunks.map(|(number, vector)| Some((number, similarity(question, vector))));
        scored.fold(None, better)
    }
}

/// Returns the chunk with the higher similarity, or else the first one.
fn better(one: Option<(u32, f32)>, other: Option<(u32, f32)>) -> Option<(u32, f32)> {
    match (one, other) {
        (Some((_, first)), Some((_, second))) if second > first => other,
        (Some(_), _) => one,
        (None, _) => other,
    }
}

/// Returns the dimension and the size of the header, if the file belongs to `model`.
fn read_header(reader: &mut impl Read, model: &str) -> io::Result<Option<(usize, u64)>> {
    let mut header = vec![0; 8 + 4 + 4 + model.len()];
    if !is_filled(reader, &mut header)? {
        return Ok(None);
    }
    let size = header.len() as u64;
    let dimension = || {
        let (dimension, rest) = split_number(header.strip_prefix(MAGIC)?)?;
        let (length, name) = split_number(rest)?;
        let is_ours = usize::try_from(length).ok()? == model.len() && name == model.as_bytes();
        usize::try_from(dimension)
            .ok()
            .filter(|dimension| is_ours && *dimension > 0)
    };
    Ok(dimension().map(|dimension| (dimension, size)))
}

/// Fills the buffer. Returns `false` at the end of the file.
fn is_filled(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reads a record's body. Returns `None` at the end, or if the record is damaged or incomplete.
fn next_body(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut frame = [0; 4 + 8];
    if !is_filled(reader, &mut frame)? {
        return Ok(None);
    }
    let Some((length, sum)) = split_number(&frame).filter(|(length, _)| *length <= MOST_BODY) else {
        return Ok(None);
    };
    let mut body = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    let is_whole = is_filled(reader, &mut body)? && checksum(&body).to_le_bytes() == sum;
    Ok(is_whole.then_some(body))
}

fn frame(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = number(body.len())?.to_le_bytes().to_vec();
    bytes.extend_from_slice(&checksum(body).to_le_bytes());
    bytes.extend_from_slice(body);
    Ok(bytes)
}

/// Whether the file must be rewritten without its old records. Until then, a full file accepts no new records.
fn is_wasteful(live: u64, end: u64) -> bool {
    live * 2 < end || (end >= MOST_STORED && live * 10 < end * 9)
}

/// Returns the checksum of a record. A later standard library may compute other values, and then all files are embedded
/// again.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

fn number(count: usize) -> io::Result<u32> {
    u32::try_from(count).map_err(io::Error::other)
}

fn split_number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// Scales the vector to the length 1. A vector of zeros is unchanged.
fn normalize(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let is_usable = length.is_finite() && length > 0.0;
    let factor = if is_usable { length.recip() } else { 0.0 };
    vector.iter().map(|value| value * factor).collect()
}

/// Returns the stored form of a vector: the scale of the normalised vector, then one byte for each component.
fn quantize(vector: &[f32]) -> Vec<u8> {
    let vector = normalize(vector);
    let largest = vector.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    let scale = largest / f32::from(i8::MAX);
    let mut bytes = scale.to_le_bytes().to_vec();
    let component = |value: &f32| {
        let steps = if scale > 0.0 { value / scale } else { 0.0 };
        // The value is within -127 to 127, because the largest component determines the scale.
        (steps.round() as i8).cast_unsigned()
    };
    bytes.extend(vector.iter().map(component));
    bytes
}

/// Returns the cosine of a normalised question and a quantized vector.
fn similarity(question: &[f32], vector: &[u8]) -> f32 {
    let Some((scale, components)) = vector.split_first_chunk() else {
        return 0.0;
    };
    let components = components.iter().map(|byte| f32::from(byte.cast_signed()));
    let sum: f32 = question.iter().zip(components).map(|(one, other)| one * other).sum();
    sum * f32::from_le_bytes(*scale)
}

fn private_file() -> fs::OpenOptions {
    File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .to_owned()
}

#[cfg(test)]
mod tests;
