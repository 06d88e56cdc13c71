//! Search by embeddings. Each search sends chunks to a model until a limit or its deadline. Later searches send the
//! next chunks. If the model fails, the search by words still works.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use super::{Files, Hit, MOST_READ, Scope, hit_of, now, read_file, read_text};
use crate::chunks::chunks;
use crate::index::Listed;
use crate::rank::Question;
use crate::vectors::{Near, Record, Vectors, Writer};
use benchdog_files::beneath::Held;

/// Maximum number of texts in the first request, so that even a slow server answers before the deadline. `MOST_TEXTS`
/// and `MOST_REQUEST` limit the number and bytes of texts in later requests.
const FIRST_TEXTS: usize = 8;
const MOST_TEXTS: usize = 32;
const MOST_REQUEST: usize = 48 << 10;

/// Maximum duration of a request that counts as fast. After a fast request, the next request may contain twice as many
/// texts.
const FAST: Duration = Duration::from_secs(2);

const MOST_UPDATE: usize = 4 << 20;

/// Maximum size of a text in bytes, which is at most about 1,000 tokens. Longer chunks, which have long lines, are
/// truncated.
const MOST_TEXT: usize = 2_000;

/// The usual constant of reciprocal rank fusion. A larger value reduces the advantage of the first ranks.
const RANK: f32 = 60.0;

/// Function that returns one vector for each text before the deadline.
pub type Embed<'a> = &'a (dyn Fn(&[String], Instant) -> Result<Vec<Vec<f32>>, EmbedError> + Sync);

/// Function that replaces secrets in a text without changing the number of lines.
pub type Redact<'a> = &'a (dyn Fn(&str) -> String + Sync);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedError {
    /// The reason, without a full stop.
    pub reason: String,
    /// Whether the server rejects these texts. The server may still accept other texts.
    pub is_refusal: bool,
}

impl From<String> for EmbedError {
    fn from(reason: String) -> Self {
        Self {
            reason,
            is_refusal: false,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Embeddings<'a> {
    /// The name of the model, stored with its vectors.
    pub model: &'a str,
    pub embed: Embed<'a>,
    /// Applied to every text before it is sent.
    pub redact: Redact<'a>,
    /// Time limit for all requests of one search.
    pub patience: Duration,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct EmbeddingState {
    pub pending: usize,
    pub is_full: bool,
    pub failure: Option<String>,
}

/// Embeds more files, beginning with those in `first`. Then returns the files whose chunks are most similar to the
/// question.
pub(super) fn rank(
    scope: &Scope<'_>,
    model: &Embeddings<'_>,
    files: &Files<'_>,
    question: &str,
    first: &[Hit],
) -> (Vec<Near>, EmbeddingState) {
    let until = Instant::now() + model.patience;
    let mut state = EmbeddingState::default();
    let mut embed = || -> Result<Vec<Near>, String> {
        let unusable = |error: io::Error| format!("the stored vectors cannot be used: {error}");
        let asked = request(model, &[(model.redact)(question)], until);
        let question = asked.as_ref().ok().and_then(|vectors| vectors.first());
        let question = question.map(Vec::as_slice).unwrap_or_default();
        let mut vectors = Vectors::open(&scope.folder(), model.model, question).map_err(unusable)?;
        state.pending = count_pending(files, &vectors);
        if let Err(error) = &asked {
            return Err(error.reason.clone());
        }
        let updated = update(scope, model, files, first, &mut vectors, question.len(), until);
        state.pending = count_pending(files, &vectors);
        state.is_full = vectors.is_full();
        state.failure = updated.map_err(unusable)?;
        Ok(vectors.nearest(files.now, MOST_READ))
    };
    match embed() {
        Ok(near) => (near, state),
        Err(failure) => {
            state.failure = Some(failure);
            (Vec::new(), state)
        }
    }
}

fn count_pending(files: &Files<'_>, vectors: &Vectors) -> usize {
    let is_pending = |file: &&Listed| is_allowed(files, file) && !vectors.progress(&file.id, file.stamp).1;
    files.listed.iter().filter(is_pending).count()
}

fn is_allowed(files: &Files<'_>, file: &Listed) -> bool {
    files.now.contains_key(file.id.as_str())
}

/// Embeds files until a limit, the deadline or a failure, and returns the reason of a failure. Does nothing while
/// another process embeds files.
fn update(
    scope: &Scope<'_>,
    model: &Embeddings<'_>,
    files: &Files<'_>,
    first: &[Hit],
    vectors: &mut Vectors,
    dimension: usize,
    until: Instant,
) -> io::Result<Option<String>> {
    // Do nothing with a partial list, because `prepare` would remove the vectors of all unlisted files.
    if !files.is_complete {
        return Ok(None);
    }
    let Some(mut writer) = vectors.writer()? else {
        return Ok(None);
    };
    // The list includes files that a rule denies in this session. Their vectors stay, because other sessions may read
    // them.
    let listed: HashMap<&str, _> = files.listed.iter().map(|file| (file.id.as_str(), file.stamp)).collect();
    writer.prepare(dimension, &listed, now())?;
    let ranks: HashMap<&str, usize> = first
        .iter()
        .enumerate()
        .map(|(rank, hit)| (hit.path.as_str(), rank))
        .collect();
    let mut order: Vec<&Listed> = files.listed.iter().filter(|file| is_allowed(files, file)).collect();
    order.sort_by_key(|file| ranks.get(file.id.as_str()).copied().unwrap_or(usize::MAX));
    let mut batch = Batch {
        model,
        writer,
        dimension,
        until,
        texts: Vec::new(),
        parts: Vec::new(),
        bytes: 0,
        most: FIRST_TEXTS,
        sent: 0,
    };
    for file in order {
        if batch.writer.progress(&file.id, file.stamp).1 {
            continue;
        }
        if scope.is_cancelled() || batch.is_at_limit() {
            return Ok(None);
        }
        let text = match read_file(scope, files.held, &file.id) {
            Ok(text) => (model.redact)(&text.unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => String::new(),
            // Skip the file. The next search tries again.
            Err(_) => continue,
        };
        let chunks = chunks(&text);
        let all = u32::try_from(chunks.len()).map_err(io::Error::other)?;
        if all == 0 {
            batch.add_empty(file)?;
        }
        let done = batch.writer.next_chunk(&file.id, file.stamp, all);
        for (chunk, number) in chunks
            .into_iter()
            .zip(0..)
            .skip(usize::try_from(done).unwrap_or_default())
        {
            if scope.is_cancelled() || batch.is_at_limit() {
                return Ok(None);
            }
            batch.add(file, number, all, text.get(chunk.bytes).unwrap_or_default());
            if batch.is_full()
                && let Err(failure) = batch.send()?
            {
                return Ok(failure);
            }
        }
    }
    if scope.is_cancelled() || batch.is_at_limit() {
        return Ok(None);
    }
    Ok(batch.send()?.err().flatten())
}

struct Batch<'b> {
    model: &'b Embeddings<'b>,
    writer: Writer<'b>,
    dimension: usize,
    until: Instant,
    texts: Vec<String>,
    parts: Vec<Part<'b>>,
    bytes: usize,
    most: usize,
    sent: usize,
}

struct Part<'b> {
    file: &'b Listed,
    first: u32,
    count: usize,
    all: u32,
}

impl<'b> Batch<'b> {
    fn is_full(&self) -> bool {
        self.texts.len() >= self.most || self.bytes + MOST_TEXT > MOST_REQUEST
    }

    fn is_at_limit(&self) -> bool {
        self.sent >= MOST_UPDATE || self.writer.is_full() || Instant::now() >= self.until
    }

    fn add(&mut self, file: &'b Listed, number: u32, all: u32, chunk: &str) {
        // Include the path, because it says what the chunk is about.
        let mut text = format!("{}\n{chunk}", file.id);
        text.truncate(text.floor_char_boundary(MOST_TEXT));
        self.bytes += text.len();
        self.texts.push(text);
        match self.parts.last_mut() {
            Some(part) if part.file.id == file.id => part.count += 1,
            _ => self.parts.push(Part {
                file,
                first: number,
                count: 1,
                all,
            }),
        }
    }

    /// Stores a record without vectors for a file without text, so that the file is not pending.
    fn add_empty(&mut self, file: &Listed) -> io::Result<()> {
        self.writer.append(&Record {
            path: &file.id,
            stamp: file.stamp,
            first: 0,
            all: 0,
            vectors: &[],
        })
    }

    /// Returns the vectors of the texts before a failure, and the failure. If the server rejects the texts, sends them
    /// one by one. A text that is rejected alone gets a vector of zeros, because each later request would fail too.
    fn embed(&self, texts: &[String]) -> (Vec<Vec<f32>>, Option<String>) {
        match request(self.model, texts, self.until) {
            Ok(vectors) => (vectors, None),
            Err(error) if !error.is_refusal => (Vec::new(), Some(error.reason)),
            Err(_) if texts.len() <= 1 => (vec![vec![0.0; self.dimension]; texts.len()], None),
            Err(error) => {
                let mut vectors = Vec::new();
                for text in texts {
                    if Instant::now() >= self.until {
                        return (vectors, Some(error.reason));
                    }
                    let (one, failure) = self.embed(std::slice::from_ref(text));
                    vectors.extend(one);
                    if failure.is_some() {
                        return (vectors, failure);
                    }
                }
                (vectors, None)
            }
        }
    }

    /// Sends the texts and stores their vectors. The inner error ends the update, and contains a reason if the model
    /// failed.
    fn send(&mut self) -> io::Result<Result<(), Option<String>>> {
        if self.texts.is_empty() {
            return Ok(Ok(()));
        }
        let began = Instant::now();
        let (vectors, failure) = self.embed(&self.texts);
        if let Some(other) = vectors.iter().map(Vec::len).find(|length| *length != self.dimension) {
            let failure = format!("its embeddings have {} dimensions, then {other}", self.dimension);
            return Ok(Err(Some(failure)));
        }
        let mut rest = vectors.as_slice();
        for part in &self.parts {
            let (vectors, after) = rest.split_at(part.count.min(rest.len()));
            if vectors.is_empty() {
                break;
            }
            self.writer.append(&Record {
                path: &part.file.id,
                stamp: part.file.stamp,
                first: part.first,
                all: part.all,
                vectors,
            })?;
            rest = after;
        }
        match failure {
            None => {}
            // The search's deadline ended this request. The model did not fail, because it answered an earlier request.
            Some(_) if self.sent > 0 && Instant::now() >= self.until => return Ok(Err(None)),
            Some(failure) => return Ok(Err(Some(failure))),
        }
        self.sent += self.bytes;
        if began.elapsed() < FAST {
            self.most = (self.most * 2).min(MOST_TEXTS);
        }
        self.bytes = 0;
        self.texts.clear();
        self.parts.clear();
        Ok(Ok(()))
    }
}

fn request(model: &Embeddings<'_>, texts: &[String], until: Instant) -> Result<Vec<Vec<f32>>, EmbedError> {
    let vectors = (model.embed)(texts, until)?;
    match vectors.len() == texts.len() {
        true => Ok(vectors),
        false => Err(format!("it returned {} embeddings for {} texts", vectors.len(), texts.len()).into()),
    }
}

/// Joins both rankings by reciprocal rank fusion. The hit of a file shows the chunk from the ranking in which the file
/// ranks better.
pub(super) fn fuse(
    scope: &Scope<'_>,
    model: &Embeddings<'_>,
    held: &Held,
    question: &Question,
    by_words: Vec<Hit>,
    near: &[Near],
    most: usize,
) -> Vec<Hit> {
    let mut ranks: HashMap<&str, (f32, usize, Option<&Near>)> = HashMap::new();
    let share = |rank: usize| 1.0 / (RANK + 1.0 + rank as f32);
    for (rank, hit) in by_words.iter().enumerate() {
        ranks.insert(&hit.path, (share(rank), rank, None));
    }
    for (rank, near) in near.iter().enumerate() {
        let (score, of_words, better) = ranks.entry(&near.path).or_insert((0.0, usize::MAX, None));
        *score += share(rank);
        *better = (rank < *of_words).then_some(near);
    }
    let mut ranked: Vec<(&str, f32, Option<&Near>)> = ranks
        .into_iter()
        .map(|(path, (score, _, better))| (path, score, better))
        .collect();
    ranked
        .sort_by(|(path, score, _), (other_path, other, _)| other.total_cmp(score).then_with(|| path.cmp(other_path)));
    let best_hit = |(path, score, better): (&str, f32, Option<&Near>)| {
        let by_words = || by_words.iter().find(|hit| hit.path == path).cloned();
        let by_vector = better.and_then(|near| chunk_hit(scope, model, held, question, near));
        let hit = by_vector.or_else(by_words)?;
        Some(Hit { score, ..hit })
    };
    ranked.into_iter().filter_map(best_hit).take(most).collect()
}

/// Reads the chunk of a file, with the same redaction as the sent text. Returns `None` if the file has changed.
fn chunk_hit(scope: &Scope<'_>, model: &Embeddings<'_>, held: &Held, question: &Question, near: &Near) -> Option<Hit> {
    let text = (model.redact)(&read_text(scope, held, &near.path)?);
    let number = usize::try_from(near.chunk).ok()?;
    let chunk = chunks(&text).into_iter().nth(number)?;
    Some(hit_of(question, &near.path, &text, chunk, near.similarity))
}

#[cfg(test)]
mod tests;
