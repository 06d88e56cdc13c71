//! Uses a test model whose vectors count words of a few meanings.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::super::tests::Rig;
use super::{EmbedError, Embeddings, MOST_REQUEST, MOST_TEXT, MOST_TEXTS};
use crate::workspace::Hits;

type Embed<'a> = dyn Fn(&[String]) -> Result<Vec<Vec<f32>>, String> + Sync + 'a;

const MEANINGS: [&[&str]; 3] = [&["automobile", "vehicle"], &["delay", "pause"], &["colour", "shade"]];

const REFUSED: &str = "the text is too long";

struct Model {
    name: &'static str,
    requests: Mutex<Vec<Vec<String>>>,
    /// Number of extra zero components.
    more: usize,
    stop: AtomicBool,
    stops_at: usize,
}

impl Model {
    fn named(name: &'static str) -> Self {
        Self {
            name,
            requests: Mutex::default(),
            more: 0,
            stop: AtomicBool::new(false),
            stops_at: usize::MAX,
        }
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let count = |words: &&[&str]| words.iter().map(|word| text.matches(word).count()).sum::<usize>() as f32;
        let mut vector: Vec<f32> = MEANINGS.iter().map(count).collect();
        vector.extend(vec![0.0; self.more]);
        vector
    }

    fn search(&self, rig: &Rig, question: &str) -> Hits {
        self.search_by(rig, question, &|texts| {
            Ok(texts.iter().map(|text| self.vector(text)).collect())
        })
    }

    fn search_by(&self, rig: &Rig, question: &str, answer: &Embed<'_>) -> Hits {
        let embed = |texts: &[String], until: Instant| {
            assert!(until > Instant::now(), "no request begins after the deadline");
            let mut requests = self.requests.lock().unwrap();
            requests.push(texts.to_vec());
            self.stop.store(requests.len() == self.stops_at, Ordering::Relaxed);
            answer(texts).map_err(|reason| EmbedError {
                is_refusal: reason == REFUSED,
                reason,
            })
        };
        let embeddings = Embeddings {
            model: self.name,
            embed: &embed,
            redact: &|text| {
                text.replace("hunter2\n", "[redacted]\n")
                    .replace("hunter2", "[redacted]")
            },
            patience: Duration::from_secs(600),
        };
        rig.search_with(question, Some(embeddings), &self.stop)
    }

    /// Returns the texts sent since the last call, without the texts of questions.
    fn sent(&self) -> Vec<String> {
        let requests = std::mem::take(&mut *self.requests.lock().unwrap());
        requests.into_iter().skip(1).flatten().collect()
    }
}

fn paths(hits: &Hits) -> Vec<&str> {
    hits.hits.iter().map(|hit| hit.path.as_str()).collect()
}

/// Returns the file with the vectors of a model, whose header has the model's name.
fn store(rig: &Rig, model: &str) -> PathBuf {
    let folders = fs::read_dir(rig.cache().join("retrieval")).unwrap();
    let files = folders.flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap());
    let mut paths = files.map(|file| file.unwrap().path());
    let is_of_model = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with("vectors-") && fs::read(path).unwrap()[16..].starts_with(model.as_bytes())
    };
    paths
        .find(|path| path.extension().is_none() && is_of_model(path))
        .unwrap()
}

#[test]
fn a_file_is_found_by_its_meaning_and_one_that_may_not_be_read_is_never_sent() {
    let rig = Rig::with(&[
        ("a.txt", "one\n\nautomobile\n"),
        ("b.txt", "a shade\n"),
        ("denied.txt", "automobile vehicle\n"),
        (".env", "automobile\n"),
        (".gitignore", "target/\n"),
        ("target/c.txt", "automobile\n"),
    ]);
    let model = Model::named("local/embed");
    let hits = model.search(&rig, "vehicle");
    assert_eq!(paths(&hits)[0], "a.txt", "{hits:?}");
    assert_eq!((hits.hits[0].first, hits.hits[0].last), (1, 3));
    assert_eq!(hits.embeddings, Some(super::EmbeddingState::default()));
    let mut sent = model.sent();
    sent.sort_unstable();
    let wanted = [
        ".gitignore\ntarget/\n",
        "a.txt\none\n\nautomobile\n",
        "b.txt\na shade\n",
    ];
    assert_eq!(sent, wanted);
    assert!(!paths(&hits).contains(&"denied.txt"));
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(
        fs::metadata(store(&rig, "local/embed")).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn both_rankings_are_joined_and_each_hit_shows_its_best_chunk() {
    let filler = format!("{}\n\n", "nothing here\n".repeat(80));
    let rig = Rig::with(&[
        ("both.txt", "delay vehicle\n"),
        ("words.txt", "vehicle vehicle vehicle\n"),
        ("meaning.txt", &format!("{filler}automobile\n")),
    ]);
    let hits = Model::named("m").search(&rig, "vehicle");
    assert_eq!(paths(&hits), ["words.txt", "both.txt", "meaning.txt"]);
    let last = &hits.hits[2];
    assert!(last.first > 80, "{last:?}");
    assert_eq!(last.excerpt.last().map(|(_, line)| line.as_str()), Some("automobile"));
}

#[test]
fn only_changed_files_are_sent_again_and_each_model_keeps_its_own_vectors() {
    let rig = Rig::with(&[("a.txt", "automobile\n"), ("b.txt", "colour\n")]);
    let mut model = Model::named("m");
    model.search(&rig, "vehicle");
    assert_eq!(model.sent().len(), 2);
    model.search(&rig, "vehicle");
    assert_eq!(model.sent(), [""; 0]);
    rig.write("b.txt", "a vehicle for all\n");
    let hits = model.search(&rig, "automobile");
    assert_eq!(model.sent(), ["b.txt\na vehicle for all\n"]);
    assert_eq!(paths(&hits), ["a.txt", "b.txt"]);
    model.more = 2;
    model.search(&rig, "vehicle");
    assert_eq!(model.sent().len(), 2, "another dimension");
    let other = Model::named("n");
    other.search(&rig, "vehicle");
    assert_eq!(other.sent().len(), 2, "another model");
    model.search(&rig, "vehicle");
    assert_eq!(
        model.sent(),
        [""; 0],
        "the other model has left the vectors of this one"
    );
    fs::remove_file(rig.root().join("a.txt")).unwrap();
    other.search(&rig, "vehicle");
    assert_eq!(other.sent(), [""; 0]);
    let bytes = fs::read(store(&rig, "n")).unwrap();
    assert!(
        !bytes.windows(5).any(|part| part == b"a.txt"),
        "a deleted file leaves nothing"
    );
}

#[test]
fn an_update_that_is_stopped_continues_with_the_next_search_and_requests_are_small() {
    let rig = Rig::with(&[]);
    for number in 0..90 {
        rig.write(&format!("{number:02}.txt"), format!("{}\n", "colour ".repeat(400)));
    }
    let mut model = Model::named("m");
    model.stops_at = 3;
    let hits = model.search(&rig, "vehicle");
    let first = model.sent();
    assert!((1..90).contains(&first.len()), "{}", first.len());
    assert_eq!(hits.embeddings.unwrap().pending, 90 - first.len());
    (model.stops_at, model.stop) = (usize::MAX, AtomicBool::new(false));
    let hits = model.search(&rig, "vehicle");
    assert_eq!(hits.embeddings.unwrap().pending, 0);
    let requests = model.requests.lock().unwrap().clone();
    for request in &requests {
        let size: usize = request.iter().map(String::len).sum();
        assert!(request.len() <= MOST_TEXTS && size <= MOST_REQUEST);
        assert!(request.iter().all(|text| text.len() <= MOST_TEXT));
    }
    let second: Vec<String> = requests.into_iter().skip(1).flatten().collect();
    assert_eq!(first.len() + second.len(), 90);
    assert!(second.iter().all(|text| !first.contains(text)), "nothing is sent twice");
}

#[test]
fn a_failing_model_leaves_the_result_of_the_words_with_a_reason() {
    let rig = Rig::with(&[("a.txt", "vehicle\n"), ("b.txt", "colour\n")]);
    let model = Model::named("m");
    let failed = |answer: &Embed<'_>| {
        let hits = model.search_by(&rig, "vehicle", answer);
        assert_eq!(paths(&hits)[0], "a.txt");
        let state = hits.embeddings.unwrap();
        assert_eq!(state.pending, 2);
        state.failure.unwrap()
    };
    assert_eq!(failed(&|_| Err("the server is away".to_owned())), "the server is away");
    assert_eq!(failed(&|_| Ok(Vec::new())), "it returned 0 embeddings for 1 texts");
    let fewer = |texts: &[String]| Ok(vec![vec![1.0]; texts.len().min(1)]);
    assert_eq!(failed(&fewer), "it returned 1 embeddings for 2 texts");
    let wider = |texts: &[String]| Ok(vec![vec![1.0; texts.len()]; texts.len()]);
    assert_eq!(failed(&wider), "its embeddings have 1 dimensions, then 2");
    assert_eq!(model.search(&rig, "vehicle").embeddings.unwrap().failure, None);
}

#[test]
fn damaged_vectors_are_made_again() {
    let rig = Rig::with(&[("a.txt", "automobile\n"), ("b.txt", "colour\n")]);
    let model = Model::named("m");
    model.search(&rig, "vehicle");
    let path = store(&rig, "m");
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x41;
        fs::write(&path, &flipped).unwrap();
        model.sent();
        let hits = model.search(&rig, "vehicle");
        assert_eq!(paths(&hits)[0], "a.txt", "byte {at}");
        assert!(!model.sent().is_empty(), "byte {at}: a changed byte is noticed");
    }
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        model.search(&rig, "vehicle");
        assert_eq!(fs::read(&path).unwrap().len(), whole.len(), "up to byte {end}");
    }
}

#[test]
fn what_is_sent_is_redacted_as_a_whole_file_and_so_is_the_question() {
    let rig = Rig::with(&[("a.txt", "automobile hunter2\n")]);
    let model = Model::named("m");
    let hits = model.search(&rig, "vehicle hunter2");
    let requests = model.requests.lock().unwrap().clone();
    assert_eq!(
        requests,
        [
            vec!["vehicle [redacted]".to_owned()],
            vec!["a.txt\nautomobile [redacted]\n".to_owned()]
        ]
    );
    assert_eq!(paths(&hits), ["a.txt"]);
}

#[test]
fn a_refused_text_is_left_out_and_all_others_have_embeddings() {
    let rig = Rig::with(&[
        ("a.txt", "automobile\n"),
        ("b.txt", "too much of a colour\n"),
        ("c.txt", "delay\n"),
    ]);
    let model = Model::named("m");
    let refuses = |texts: &[String]| match texts.iter().any(|text| text.contains("too much")) {
        true => Err(REFUSED.to_owned()),
        false => Ok(texts.iter().map(|text| model.vector(text)).collect()),
    };
    let state = model.search_by(&rig, "vehicle", &refuses).embeddings.unwrap();
    assert_eq!(state, super::EmbeddingState::default());
    assert_eq!(model.sent().len(), 3 + 3, "together, then one by one");
    let hits = model.search_by(&rig, "vehicle", &refuses);
    assert_eq!(model.sent(), [""; 0], "the refused text is not sent again");
    assert_eq!(paths(&hits)[0], "a.txt");
}

#[test]
fn a_failure_among_single_texts_keeps_what_came_before() {
    let rig = Rig::with(&[("a.txt", "automobile\n"), ("b.txt", "colour\n"), ("c.txt", "delay\n")]);
    let model = Model::named("m");
    let fails = |texts: &[String]| match texts {
        [one] if one.contains("delay") => Err("the server is away".to_owned()),
        [one] => Ok(vec![model.vector(one)]),
        _ => Err(REFUSED.to_owned()),
    };
    let state = model.search_by(&rig, "vehicle", &fails).embeddings.unwrap();
    assert_eq!(
        (state.pending, state.failure.as_deref()),
        (1, Some("the server is away"))
    );
}

#[test]
fn a_partial_list_removes_no_vectors() {
    let rig = Rig::with(&[("a.txt", "automobile\n"), ("b.txt", "colour\n")]);
    let model = Model::named("m");
    model.search(&rig, "vehicle");
    let whole = fs::read(store(&rig, "m")).unwrap();
    let embed = |texts: &[String], _: Instant| Ok(texts.iter().map(|text| model.vector(text)).collect());
    let embeddings = Embeddings {
        model: "m",
        embed: &embed,
        redact: &str::to_owned,
        patience: Duration::from_secs(600),
    };
    rig.write("c.txt", "delay\n");
    // The deadline stops the walk, but not the embeddings.
    let hits = rig.search_in_no_time("vehicle", embeddings);
    assert!(!hits.is_complete);
    assert_eq!(fs::read(store(&rig, "m")).unwrap(), whole);
}
