use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tempfile::TempDir;

use super::{Embeddings, Hits, Scope, search, search_until};
use benchdog_base::text::places;

pub(super) struct Rig {
    folder: TempDir,
}

impl Rig {
    pub(super) fn with(files: &[(&str, &str)]) -> Self {
        let rig = Self {
            folder: TempDir::new().unwrap(),
        };
        fs::create_dir(rig.root()).unwrap_or_default();
        files.iter().for_each(|(path, text)| rig.write(path, text));
        rig
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("work")
    }

    pub(super) fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    pub(super) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn search(&self, question: &str) -> Hits {
        self.search_until(question, &AtomicBool::new(false))
    }

    /// Searches with a model. A rule denies reading `denied.txt`.
    pub(super) fn search_with(&self, question: &str, embeddings: Option<Embeddings<'_>>, stop: &AtomicBool) -> Hits {
        self.scoped(embeddings, stop, |scope| search(scope, question, 10).unwrap())
    }

    /// The deadline for the walk has already passed.
    pub(super) fn search_in_no_time(&self, question: &str, embeddings: Embeddings<'_>) -> Hits {
        let stop = AtomicBool::new(false);
        self.scoped(Some(embeddings), &stop, |scope| {
            search_until(scope, question, 10, Instant::now()).unwrap()
        })
    }

    fn scoped(
        &self,
        embeddings: Option<Embeddings<'_>>,
        stop: &AtomicBool,
        search: impl FnOnce(&Scope<'_>) -> Hits,
    ) -> Hits {
        let scope = Scope {
            root: &self.root(),
            cache: &self.cache(),
            charset: None,
            is_secret: &|path| path.ends_with(".env"),
            is_secret_link: &|_| true,
            is_denied: &|path| path.ends_with("denied.txt"),
            embeddings,
            stop,
        };
        search(&scope)
    }

    fn search_until(&self, question: &str, stop: &AtomicBool) -> Hits {
        self.search_with(question, None, stop)
    }

    fn paths(&self, question: &str) -> Vec<String> {
        self.search(question).hits.into_iter().map(|hit| hit.path).collect()
    }

    fn segments(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.cache().join("retrieval")).unwrap();
        let files = folders.flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap());
        let files = files.map(|file| file.unwrap().path());
        files
            .filter(|path| path.extension().is_some_and(|end| end == "seg"))
            .collect()
    }

    fn has_in_index(&self, word: &str) -> bool {
        let mut segments = self.segments().into_iter();
        segments.any(|path| !places(&fs::read(path).unwrap(), word.as_bytes()).is_empty())
    }
}

#[test]
fn parts_of_identifiers_forms_of_words_and_chinese_are_found_best_first() {
    let rig = Rig::with(&[
        ("src/retry.rs", "fn nextDelay() {}\n"),
        (
            "src/clock.rs",
            "fn delay() {}\nfn tick() {}\nfn other_things_of_a_clock() {}\n",
        ),
        ("docs/日期.md", "修复日期错误\n"),
        ("src/store.rs", "fn parse_stored_entries() {}\n"),
    ]);
    for (question, wanted) in [
        ("next delay", vec!["src/retry.rs", "src/clock.rs"]),
        ("nextdelay", vec!["src/retry.rs"]),
        ("storing an entry", vec!["src/store.rs"]),
        ("日期", vec!["docs/日期.md"]),
        ("nowhere", vec![]),
        ("?!", vec![]),
    ] {
        assert_eq!(rig.paths(question), wanted, "{question}");
    }
    let hits = rig.search("tick").hits;
    assert_eq!((hits[0].first, hits[0].last), (1, 3));
    assert_eq!(hits[0].excerpt[1], (2, "fn tick() {}".to_owned()));
}

#[test]
fn ignored_secret_binary_large_and_linked_files_are_not_in_the_index() {
    let rig = Rig::with(&[
        (".gitignore", "target/\n"),
        ("target/a.rs", "ignoredword\n"),
        (".env", "secretword\n"),
    ]);
    rig.write("binary", b"binaryword\0\x01");
    rig.write("large.txt", "largeword\n".repeat(30_000));
    rig.write("seen.txt", "seenword\n");
    rig.write("hard.txt", "hardword\n");
    fs::hard_link(rig.root().join("hard.txt"), rig.root().join("other.txt")).unwrap();
    fs::write(rig.folder.path().join("outside"), "outsideword\n").unwrap();
    std::os::unix::fs::symlink(rig.folder.path().join("outside"), rig.root().join("link")).unwrap();
    assert_eq!(rig.paths("seenword"), ["seen.txt"]);
    for word in [
        "ignoredword",
        "secretword",
        "binaryword",
        "largeword",
        "hardword",
        "outsideword",
    ] {
        assert_eq!(rig.paths(word), [""; 0], "{word}");
        assert!(!rig.has_in_index(word), "{word}");
    }
    assert!(rig.has_in_index("seenword"));
    rig.write(".gitignore", "target/\nseen.txt\n");
    assert_eq!(rig.paths("seenword"), [""; 0]);
    assert!(!rig.has_in_index("seenword"), "its words are gone, too");
}

#[test]
fn changed_and_deleted_files_are_followed_and_many_updates_are_merged() {
    let rig = Rig::with(&[("a.txt", "alpha\n"), ("b.txt", "beta\n")]);
    assert_eq!(rig.paths("alpha beta"), ["a.txt", "b.txt"]);
    rig.write("a.txt", "gamma gamma\n");
    fs::remove_file(rig.root().join("b.txt")).unwrap();
    assert_eq!(rig.paths("alpha beta"), [""; 0]);
    assert_eq!(rig.paths("gamma"), ["a.txt"]);
    for number in 0..30 {
        rig.write(&format!("more/{number}.txt"), format!("word{number} common\n"));
        assert_eq!(rig.paths(&format!("word{number}")), [format!("more/{number}.txt")]);
    }
    assert!(rig.segments().len() <= 10, "{}", rig.segments().len());
    assert_eq!(rig.paths("word3"), ["more/3.txt"]);
}

#[test]
fn a_damaged_index_is_built_again_and_never_shows_a_wrong_hit() {
    let rig = Rig::with(&[("a.txt", "alpha beta\n"), ("b.txt", "gamma\n")]);
    assert_eq!(rig.paths("alpha"), ["a.txt"]);
    let segment = rig.segments().remove(0);
    let whole = fs::read(&segment).unwrap();
    for at in (0..whole.len()).step_by(3) {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x41;
        fs::write(&segment, &flipped).unwrap();
        for (question, wanted) in [("alpha", "a.txt"), ("gamma", "b.txt")] {
            assert!(
                rig.paths(question).iter().all(|path| path == wanted),
                "{question}, byte {at}"
            );
        }
        rig.segments()
            .iter()
            .for_each(|segment| fs::remove_file(segment).unwrap());
    }
    fs::write(&segment, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(rig.paths("alpha"), ["a.txt"]);
}

#[test]
fn a_stopped_update_continues_with_the_next_search() {
    let rig = Rig::with(&[("a.txt", "alpha\n"), ("b.txt", "beta\n")]);
    assert_eq!(rig.paths("alpha"), ["a.txt"]);
    rig.write("c.txt", "gamma\n");
    rig.search_until("gamma", &AtomicBool::new(true));
    assert!(rig.has_in_index("alpha"), "a partial list deletes nothing");
    assert_eq!(rig.paths("gamma"), ["c.txt"]);
}

#[test]
fn a_segment_that_cannot_be_read_now_is_kept() {
    let rig = Rig::with(&[("a.txt", "alpha\n")]);
    rig.search("alpha");
    let segment = rig.segments().remove(0);
    fs::remove_file(&segment).unwrap();
    std::os::unix::fs::symlink(&segment, &segment).unwrap();
    let stop = AtomicBool::new(false);
    let scoped = rig.scoped(None, &stop, |scope| {
        assert!(search(scope, "alpha", 10).is_err(), "a link to itself cannot be opened");
        Hits::default()
    });
    assert_eq!(scoped, Hits::default());
    assert!(
        fs::symlink_metadata(&segment).is_ok(),
        "an error of the system is no damage"
    );
}
