use std::borrow::Cow;

use super::{Cache, Code, Key, Request, Worker, row_parts};
use benchdog_diff as diff;
use benchdog_theme::Scope;

struct Text(Vec<String>);

impl Text {
    fn of(text: &str) -> Self {
        Self(text.lines().map(str::to_owned).collect())
    }
}

fn words(cache: &mut Cache, language: &str, text: &Text, line: usize) -> Option<Vec<(String, Scope)>> {
    words_of(cache, Key::Fence { block: 1, fence: 0 }, language, text, line)
}

/// Returns the words of a line with their scopes, in a frame that shows only this line.
fn words_of(cache: &mut Cache, key: Key, language: &str, text: &Text, line: usize) -> Option<Vec<(String, Scope)>> {
    cache.next_picture();
    let source = |at: usize| Cow::Borrowed(text.0[at].as_str());
    let code = Code {
        key,
        language,
        count: text.0.len(),
        line: &source,
    };
    let parts = cache.parts(&code, line)?.to_vec();
    Some(
        parts
            .into_iter()
            .map(|(range, scope)| (text.0[line].get(range).unwrap().to_owned(), scope))
            .collect(),
    )
}

#[derive(Default)]
struct Rig {
    cache: Cache,
    worker: Worker,
}

impl Rig {
    fn loaded() -> Self {
        let mut rig = Self::default();
        let text = Text::of("x");
        assert_eq!(
            words(&mut rig.cache, "rust", &text, 0),
            None,
            "nothing is loaded while drawing"
        );
        assert_eq!(words(&mut rig.cache, "rust", &text, 0), None);
        assert_eq!(rig.serve(), 1, "loading is asked for once");
        rig
    }

    fn serve(&mut self) -> usize {
        let requests = self.cache.take_requests();
        let count = requests.len();
        for request in requests {
            let done = self.worker.serve(request);
            self.cache.finish(done);
        }
        count
    }
}

fn lines_of(request: &Request) -> usize {
    match request {
        Request::Load => 0,
        Request::Colour { lines, .. } => lines.len(),
    }
}

fn has(found: &[(String, Scope)], word: &str, scope: Scope) -> bool {
    found.iter().any(|(text, kind)| text.contains(word) && *kind == scope)
}

#[test]
fn code_is_told_apart_by_what_it_is() {
    let mut rig = Rig::loaded();
    let cache = &mut rig.cache;
    let text = Text::of("// half up\nfn apply(v: &Voucher) -> u64 { \"漢字\"; 42 }");
    let first = words(cache, "rust", &text, 0).unwrap();
    assert!(has(&first, "half up", Scope::SyntaxComment), "{first:?}");
    let second = words(cache, "rust", &text, 1).unwrap();
    for (word, scope) in [
        ("fn", Scope::SyntaxKeyword),
        ("apply", Scope::SyntaxFunction),
        ("漢字", Scope::SyntaxString),
        ("42", Scope::SyntaxNumber),
    ] {
        assert!(has(&second, word, scope), "{word} in {second:?}");
    }
}

#[test]
fn a_language_is_found_by_name_by_file_and_by_extension() {
    let mut rig = Rig::loaded();
    let cache = &mut rig.cache;
    for language in [
        "rust",
        "rs",
        "src/money.rs",
        "rust,ignore",
        "typescript",
        "Dockerfile",
        "Cargo.toml",
    ] {
        assert!(cache.assets.as_ref().unwrap().begin(language).is_some(), "{language}");
    }
    let text = Text::of("fn x()");
    assert_eq!(words(cache, "", &text, 0), None);
    assert_eq!(words(cache, "no-such-language", &text, 0), None);
}

#[test]
fn of_a_text_without_colours_nothing_is_asked_however_far_down_one_looks() {
    let mut rig = Rig::loaded();
    let text = Text::of(&"just words\n".repeat(300));
    for language in ["", "text", "notes.txt", "no-such-language"] {
        for line in [250, 250, 299, 0] {
            assert_eq!(words(&mut rig.cache, language, &text, line), None, "{language}");
            assert_eq!(rig.serve(), 0, "{language}");
        }
    }
}

#[test]
fn an_answer_that_no_picture_waits_for_changes_none() {
    let mut rig = Rig::loaded();
    let text = Text::of(&"let a = 1;\n".repeat(300));
    for is_awaited in [true, false] {
        assert_eq!(words(&mut rig.cache, "rust", &text, 250), None);
        let request = rig.cache.take_requests().pop().unwrap();
        let done = rig.worker.serve(request);
        if !is_awaited {
            rig.cache.blocks.clear();
        }
        assert_eq!(rig.cache.finish(done), is_awaited);
        rig.cache.blocks.clear();
    }
}

#[test]
fn a_comment_that_spans_lines_is_one_in_every_line() {
    let mut rig = Rig::loaded();
    let cache = &mut rig.cache;
    let text = Text::of("/* one\ntwo\nthree */ let x = 1;\n");
    let middle = words(cache, "rust", &text, 1).unwrap();
    assert!(has(&middle, "two", Scope::SyntaxComment), "{middle:?}");
}

#[test]
fn a_line_that_grows_is_coloured_anew_and_a_changed_one_never_shows_old_colours() {
    let mut rig = Rig::loaded();
    let cache = &mut rig.cache;
    let growing = words(cache, "rust", &Text::of("let a = 1;\nle"), 1).unwrap();
    assert!(!has(&growing, "le", Scope::SyntaxKeyword));
    let grown = words(cache, "rust", &Text::of("let a = 1;\nlet b"), 1).unwrap();
    assert!(has(&grown, "let", Scope::SyntaxKeyword), "{grown:?}");
    let other = words(cache, "rust", &Text::of("/* let a\nlet b\nend"), 0).unwrap();
    assert!(has(&other, "let a", Scope::SyntaxComment), "{other:?}");
    let below = words(cache, "rust", &Text::of("/* let a\nlet b\nend"), 1).unwrap();
    assert!(has(&below, "let b", Scope::SyntaxComment), "{below:?}");
}

#[test]
fn lines_far_down_are_worked_out_by_the_worker_which_goes_on_where_it_was() {
    let mut rig = Rig::loaded();
    let text = Text::of(&format!(
        "{}/* a\n{}",
        "let a = 1;\n".repeat(5_000),
        "let b = 2;\n".repeat(5_000)
    ));
    assert_eq!(words(&mut rig.cache, "rust", &text, 4_000), None);
    assert_eq!(words(&mut rig.cache, "rust", &text, 4_001), None);
    assert_eq!(rig.serve(), 1, "asked for once");
    let found = words(&mut rig.cache, "rust", &text, 4_001).unwrap();
    assert!(has(&found, "let", Scope::SyntaxKeyword));
    assert_eq!(words(&mut rig.cache, "rust", &text, 6_000), None);
    rig.serve();
    let found = words(&mut rig.cache, "rust", &text, 6_000).unwrap();
    assert!(
        has(&found, "let b", Scope::SyntaxComment),
        "the comment began far above: {found:?}"
    );
}

#[test]
fn the_end_of_a_long_text_is_coloured_without_the_whole_before_it() {
    let mut rig = Rig::loaded();
    let text = Text::of(&"let a = 1;\n".repeat(35_000));
    assert_eq!(words(&mut rig.cache, "rust", &text, 34_990), None);
    let asked: usize = rig.cache.requests.iter().map(lines_of).sum();
    assert!(asked < 10_000, "{asked}");
    rig.serve();
    let found = words(&mut rig.cache, "rust", &text, 34_990).unwrap();
    assert!(has(&found, "let", Scope::SyntaxKeyword), "{found:?}");
    assert_eq!(rig.serve(), 0);
}

#[test]
fn a_long_block_that_is_being_written_is_not_coloured_again_for_every_word() {
    let mut rig = Rig::loaded();
    let mut text = Text::of(&"let a = 1;\n".repeat(1_000));
    assert_eq!(words(&mut rig.cache, "rust", &text, 999), None);
    rig.serve();
    let mut asked = 0;
    for n in 0..100 {
        if n % 10 == 0 {
            text.0.push("let x".to_owned());
        }
        let last = text.0.len() - 1;
        text.0[last].push_str(" + 42");
        words(&mut rig.cache, "rust", &text, last - 1);
        words(&mut rig.cache, "rust", &text, last);
        asked += rig.cache.requests.iter().map(lines_of).sum::<usize>();
        rig.serve();
        let found = words(&mut rig.cache, "rust", &text, last).unwrap();
        assert!(has(&found, "let", Scope::SyntaxKeyword), "{found:?}");
    }
    assert!(asked <= 200, "{asked}");
}

#[test]
fn a_text_that_outgrows_drawing_goes_over_to_the_worker_whole() {
    let mut rig = Rig::loaded();
    let text = Text::of(&format!("/* a\n{}", "let b = 2;\n".repeat(2_000)));
    assert!(words(&mut rig.cache, "rust", &text, 10).is_some());
    assert_eq!(words(&mut rig.cache, "rust", &text, 1_500), None);
    rig.serve();
    let found = words(&mut rig.cache, "rust", &text, 1_500).unwrap();
    assert!(has(&found, "let b", Scope::SyntaxComment), "{found:?}");
}

#[test]
fn the_parts_of_a_wrapped_row_are_those_of_its_bytes() {
    let parts = [(0..4, Scope::SyntaxKeyword), (6..12, Scope::SyntaxString)];
    let row: Vec<_> = row_parts(&parts, 2, 6).collect();
    assert_eq!(row, [(0..2, Scope::SyntaxKeyword), (4..6, Scope::SyntaxString)]);
}

#[test]
fn a_fence_that_changed_above_what_is_in_view_does_not_keep_the_colours_of_before() {
    let mut rig = Rig::loaded();
    for (lines, line) in [(20, 15), (2_000, 1_500)] {
        let mut text = Text::of(&"let a = 1;\n".repeat(lines));
        for (first, scope) in [
            ("let b = 1;", Scope::SyntaxKeyword),
            ("/*", Scope::SyntaxComment),
            ("let b = 1;", Scope::SyntaxKeyword),
        ] {
            first.clone_into(&mut text.0[2]);
            let at_once = words(&mut rig.cache, "rust", &text, line);
            rig.serve();
            let served = words(&mut rig.cache, "rust", &text, line);
            for found in at_once.into_iter().chain(served) {
                assert!(has(&found, "let", scope), "{first} of {lines}: {found:?}");
            }
        }
    }
}

#[test]
fn another_edition_of_a_file_never_has_the_colours_of_the_one_before() {
    let mut rig = Rig::loaded();
    for lines in [20, 2_000] {
        let plain = "let a = 1;\n".repeat(lines);
        let quoted = plain.replacen("let a = 1;", "/* a = 1;;", 1);
        for (text, scope) in [
            (&plain, Scope::SyntaxKeyword),
            (&quoted, Scope::SyntaxComment),
            (&plain, Scope::SyntaxKeyword),
        ] {
            let key = || Key::Text {
                id: diff::Text::of(text.as_bytes().into()).id(),
                path: "a.rs".to_owned(),
            };
            let text = Text::of(text);
            let at_once = words_of(&mut rig.cache, key(), "a.rs", &text, lines - 5);
            rig.serve();
            let served = words_of(&mut rig.cache, key(), "a.rs", &text, lines - 5);
            assert!(served.is_some(), "it is known once it was asked for");
            for found in at_once.into_iter().chain(served) {
                assert!(has(&found, "let", scope), "{lines}: {found:?}");
            }
        }
    }
}

fn edited(cache: &mut Cache, text: &Text, line: usize) -> Vec<(String, Scope)> {
    let path = "a.rs".to_owned();
    words_of(cache, Key::Edited { path }, "a.rs", text, line).expect("an editor never waits for its colours")
}

#[test]
fn a_text_that_is_edited_has_its_colours_with_every_letter_also_where_it_changed_above() {
    let mut rig = Rig::loaded();
    let mut text = Text::of(&"let a = 1;\n".repeat(500));
    assert!(has(&edited(&mut rig.cache, &text, 290), "let", Scope::SyntaxKeyword));
    for changed in [285, 3, 100] {
        for (line, scope) in [("/*", Scope::SyntaxComment), ("let b = 2;", Scope::SyntaxKeyword)] {
            line.clone_into(&mut text.0[changed]);
            let found = edited(&mut rig.cache, &text, 290);
            assert!(has(&found, "let", scope), "{changed}: {found:?}");
        }
    }
    // Two places change at once.
    "/*".clone_into(&mut text.0[40]);
    "x".clone_into(&mut text.0[280]);
    assert!(has(&edited(&mut rig.cache, &text, 290), "let", Scope::SyntaxComment));
    assert_eq!(rig.serve(), 0);
}
