use super::*;

fn typing(keys: &str) -> Buffer {
    let mut buffer = Buffer::default();
    for c in keys.chars() {
        buffer.insert(&c.to_string());
    }
    buffer
}

fn picture(buffer: &mut Buffer, width: u16, height: u16) -> (Vec<String>, (u16, u16)) {
    buffer.arrange(width, height);
    let rows = buffer.view().rows.iter().map(|row| row.text.clone()).collect();
    (rows, buffer.view().caret)
}

#[test]
fn one_key_left_or_back_is_one_grapheme() {
    for text in [
        "👨\u{200d}👩\u{200d}👧\u{200d}👦",
        "❤\u{fe0f}",
        "ｶﾞ",
        "🇨🇭",
        "e\u{301}",
        "한",
        "漢",
        "क\u{94d}ष",
    ] {
        let mut buffer = Buffer::of(&format!("a{text}"));
        buffer.go(Move::Left);
        assert_eq!(buffer.caret(), 1, "{text}");
        buffer.go(Move::Right);
        buffer.delete(Move::Left);
        assert_eq!(buffer.text(), "a", "{text}");
    }
}

#[test]
fn the_caret_stands_in_the_cell_where_the_next_letter_goes() {
    assert_eq!(picture(&mut typing("漢字"), 20, 3).1, (4, 0));
    assert_eq!(picture(&mut typing("ab\nc"), 20, 3).1, (1, 1));
    assert_eq!(picture(&mut Buffer::of("👨\u{200d}👩\u{200d}👧x"), 20, 3).1, (3, 0));
    assert_eq!(picture(&mut Buffer::default(), 20, 3), (vec![String::new()], (0, 0)));
}

#[test]
fn long_lines_wrap_between_words_and_the_caret_follows() {
    let mut buffer = typing("the quick brown fox");
    let (rows, caret) = picture(&mut buffer, 11, 5);
    assert_eq!(rows, ["the quick ", "brown fox"]);
    assert_eq!(caret, (9, 1));
    assert!(buffer.up());
    assert_eq!(picture(&mut buffer, 11, 5).1, (9, 0));
    assert!(!buffer.up());
    assert!(buffer.down());
    assert!(!buffer.down());
}

#[test]
fn up_and_down_keep_the_column_over_a_short_line() {
    let mut buffer = Buffer::of("long line here\nab\nanother long line");
    buffer.arrange(40, 5);
    buffer.up();
    buffer.up();
    assert_eq!(buffer.caret(), 14);
    buffer.down();
    buffer.down();
    assert_eq!(picture(&mut buffer, 40, 5).1, (17, 2));
}

#[test]
fn a_tall_text_scrolls_only_as_far_as_the_caret_needs() {
    let mut buffer = Buffer::of("1\n2\n3\n4\n5\n6");
    assert_eq!(picture(&mut buffer, 10, 3).0, ["4", "5", "6"]);
    buffer.up();
    assert_eq!(
        picture(&mut buffer, 10, 3),
        (vec!["4".into(), "5".into(), "6".into()], (1, 1))
    );
    for _ in 0..3 {
        buffer.up();
    }
    assert_eq!(
        picture(&mut buffer, 10, 3),
        (vec!["2".into(), "3".into(), "4".into()], (1, 0))
    );
    assert!(buffer.view().above && buffer.view().below);
}

#[test]
fn undo_goes_word_by_word_and_back() {
    let mut buffer = typing("fix the rounding");
    buffer.undo();
    assert_eq!(buffer.text(), "fix the ");
    buffer.undo();
    assert_eq!(buffer.text(), "fix ");
    buffer.redo();
    assert_eq!(buffer.text(), "fix the ");
    buffer.set("");
    buffer.undo();
    assert_eq!(buffer.text(), "fix the ");
}

#[test]
fn a_thousand_steps_can_be_undone() {
    let mut buffer = typing(&"word ".repeat(1_500));
    for _ in 0..1_500 {
        buffer.undo();
    }
    assert_eq!(buffer.text(), "");
}

#[test]
fn words_are_deleted_whole() {
    let mut buffer = typing("cargo test --all");
    buffer.delete(Move::WordLeft);
    assert_eq!(buffer.text(), "cargo test --");
    buffer.delete(Move::WordLeft);
    assert_eq!(buffer.text(), "cargo ");
    buffer.delete(Move::LineStart);
    assert_eq!(buffer.text(), "");
}

#[test]
fn a_chip_is_one_step_and_expands_when_sent() {
    let mut buffer = typing("see ");
    buffer.insert_chip("[paste: 2 lines]".into(), "one\r\ntwo");
    buffer.insert("!");
    assert_eq!(
        picture(&mut buffer, 40, 2),
        (vec!["see [paste: 2 lines]!".into()], (21, 0))
    );
    assert_eq!(buffer.view().rows[0].chips.first(), Some(&(4..20)));
    assert_eq!(buffer.expanded(), "see one\ntwo!");
    buffer.go(Move::Left);
    buffer.delete(Move::Left);
    assert_eq!(buffer.expanded(), "see !");
    buffer.undo();
    assert_eq!(buffer.expanded(), "see one\ntwo!");
}

#[test]
fn control_characters_do_not_get_in() {
    assert_eq!(Buffer::of("a\u{1b}[31m\r\nb\u{0}\u{10f000}").text(), "a[31m\nb");
}

proptest::proptest! {
    /// Random edits: the cursor is at a grapheme boundary, inside the view, and in the column of the text before it.
    #[test]
    fn the_caret_is_always_where_it_is_drawn(
        steps in proptest::collection::vec((0_u8..14, "[a 漢한ｶﾞ👨\u{200d}👩\u{fe0f}❤🇨🇭\u{301}\n\t]{1,3}"), 1..40),
        width in 1_u16..30,
        height in 1_u16..6,
    ) {
        let mut buffer = Buffer::default();
        for (step, text) in steps {
            match step {
                0..=5 => buffer.insert(&text),
                6 => buffer.go(Move::Left),
                7 => buffer.go(Move::WordLeft),
                8 => buffer.delete(Move::Left),
                9 => buffer.delete(Move::Right),
                10 => { buffer.up(); }
                11 => { buffer.down(); }
                12 => buffer.undo(),
                _ => buffer.redo(),
            }
            buffer.arrange(width, height);
            let view = buffer.view();
            proptest::prop_assert!(view.rows.len() <= usize::from(height));
            let (x, y) = view.caret;
            proptest::prop_assert!(x < width && usize::from(y) < view.rows.len());
            let row = &view.rows[usize::from(y)].text;
            let columns = benchdog_base::text::width(row);
            proptest::prop_assert!(usize::from(x) <= columns);
            proptest::prop_assert!(buffer.text().is_char_boundary(buffer.caret()));
        }
    }

    /// Text of single-byte characters takes a fast path. A combining mark at the end forces the general path.
    #[test]
    fn a_line_of_plain_letters_wraps_as_any_other(line in "[a-z ,.'(]{0,120}[a-z]", width in 1_u16..30) {
        let (plain, _) = picture(&mut Buffer::of(&line), width, 200);
        let (looked_at, _) = picture(&mut Buffer::of(&format!("{line}\u{301}")), width, 200);
        let unmarked: Vec<_> = looked_at.iter().map(|row| row.replace('\u{301}', "")).collect();
        proptest::prop_assert_eq!(plain, unmarked);
    }
}

#[test]
fn a_key_costs_the_same_in_a_line_of_any_length() {
    let mut buffer = Buffer::default();
    for _ in 0..100_000 {
        buffer.insert("x");
        buffer.insert("é");
    }
    assert_eq!((buffer.caret(), buffer.text().len()), (300_000, 300_000));
}

fn long_lines() -> impl Iterator<Item = Buffer> {
    let kinds = ["x", "word ", "é", "漢", "👨\u{200d}👩\u{200d}👧", "🇨🇭", "\u{301}", "\t"];
    kinds
        .into_iter()
        .map(|kind| Buffer::of(&kind.repeat((1 << 20) / kind.len())))
}

#[test]
fn no_key_and_no_picture_looks_at_the_whole_of_a_long_line() {
    for mut buffer in long_lines() {
        for way in [Move::TextEnd, Move::TextStart, Move::TextEnd] {
            buffer.go(way);
            for _ in 0..10 {
                buffer.go(Move::Left);
                buffer.insert("é");
                buffer.delete(Move::Left);
                buffer.rows_needed(80, 12);
                buffer.arrange(80, 12);
                buffer.up();
                buffer.go(Move::Right);
                buffer.down();
            }
        }
    }
}

#[test]
fn killing_a_word_of_a_megabyte_and_bringing_it_back_ends() {
    for mut buffer in long_lines() {
        let whole = buffer.text().to_owned();
        buffer.delete(Move::WordLeft);
        buffer.undo();
        assert_eq!(buffer.text(), whole);
    }
}

#[test]
fn the_rows_of_a_long_line_are_gone_through_one_by_one_over_every_cut() {
    for mut buffer in [&"e\u{301}👨\u{200d}👩 word ".repeat(1_000), &"x".repeat(8 * 1024)].map(|text| Buffer::of(text))
    {
        buffer.arrange(33, 5);
        let mut carets = vec![buffer.caret()];
        while buffer.up() {
            buffer.arrange(33, 5);
            carets.push(buffer.caret());
        }
        assert!(carets.is_sorted_by(|below, above| above < below));
        let steps = carets.len();
        assert!(
            steps * 33 > buffer.text().chars().count() / 2,
            "no row is left out: {steps}"
        );
        while buffer.down() {
            buffer.arrange(33, 5);
            carets.pop();
        }
        assert_eq!(carets.len(), 1, "as many down as up");
    }
}

#[test]
fn what_undo_remembers_has_a_bound() {
    let mut buffer = Buffer::default();
    let recalled = "a prompt from before ".repeat(50_000);
    for _ in 0..20 {
        buffer.set(&recalled);
        buffer.set("");
    }
    assert!(buffer.undo_bytes <= UNDO_BYTES, "{}", buffer.undo_bytes);
    buffer.undo();
    assert_eq!(buffer.text(), recalled);
    buffer.redo();
    let kept: usize = buffer.undo.iter().map(Edit::size).sum();
    assert_eq!(buffer.undo_bytes, kept);
}

#[test]
fn typing_takes_the_place_of_what_is_selected_and_undo_brings_it_back() {
    let mut buffer = Buffer::of("one two three");
    buffer.select(Move::WordLeft);
    assert_eq!(buffer.selected().as_deref(), Some("three"));
    buffer.insert("4");
    assert_eq!((buffer.text(), buffer.selection()), ("one two 4", None));
    buffer.undo();
    assert_eq!(buffer.text(), "one two three");
    buffer.select_all();
    buffer.delete(Move::Left);
    assert_eq!(buffer.text(), "");
}

#[test]
fn a_letter_to_the_side_leaves_a_selection_at_its_end_there() {
    for (way, caret) in [(Move::Left, 4), (Move::Right, 7), (Move::LineStart, 0)] {
        let mut buffer = Buffer::of("one two three");
        buffer.select_from(4, 7);
        buffer.go(way);
        assert_eq!((buffer.caret(), buffer.selection()), (caret, None));
    }
}

#[test]
fn no_letter_is_selected_in_part() {
    let mut buffer = Buffer::of("ae\u{301}b");
    buffer.select_from(2, 3);
    assert_eq!(buffer.selected().as_deref(), Some("e\u{301}"));
}

#[test]
fn a_chip_is_selected_as_what_it_stands_for() {
    let mut buffer = Buffer::of("a");
    buffer.insert_chip("[paste]".to_owned(), "long\ntext");
    buffer.select(Move::TextStart);
    assert_eq!(buffer.selected().as_deref(), Some("along\ntext"));
    buffer.arrange(20, 2);
    assert_eq!(buffer.view().rows[0].selected, 0..8);
}

#[test]
fn what_is_selected_shows_on_every_row_with_the_ends_of_its_lines() {
    let mut buffer = Buffer::of("\tone\n\n漢字 wraps");
    buffer.select(Move::TextStart);
    buffer.select(Move::Right);
    buffer.arrange(7, 9);
    let rows = buffer.view().rows.iter();
    let rows: Vec<_> = rows
        .map(|row| (row.text.get(row.selected.clone()).unwrap(), row.selected_on))
        .collect();
    assert_eq!(
        rows,
        [
            ("", false),
            ("one", true),
            ("", true),
            ("漢字 ", false),
            ("wraps", false)
        ]
    );
}

/// A simple model of the buffer: its characters, the cursor, and the start of the selection.
#[derive(Default)]
struct Plain {
    text: String,
    caret: usize,
    anchor: Option<usize>,
    clip: String,
}

impl Plain {
    fn put(&mut self, with: &str) {
        let from = self.anchor.take().unwrap_or(self.caret);
        let range = from.min(self.caret)..from.max(self.caret);
        self.text.replace_range(range.clone(), with);
        self.caret = range.start + with.len();
        let mut ends = benchdog_base::text::graphemes(&self.text).map(|(at, letter)| at + letter.len());
        if self.caret > 0 {
            self.caret = ends.find(|end| *end >= self.caret).unwrap();
        }
    }

    fn left(&self) -> usize {
        let mut starts = benchdog_base::text::graphemes(&self.text).map(|(at, _)| at);
        starts.rfind_before(self.caret)
    }

    fn right(&self) -> usize {
        let mut ends = benchdog_base::text::graphemes(&self.text).map(|(at, letter)| at + letter.len());
        ends.find(|end| *end > self.caret).unwrap_or(self.caret)
    }
}

trait FindBefore: Iterator<Item = usize> + Sized {
    fn rfind_before(&mut self, at: usize) -> usize {
        self.take_while(|start| *start < at).last().unwrap_or(at)
    }
}

impl<I: Iterator<Item = usize>> FindBefore for I {}

fn press(buffer: &mut Buffer, plain: &mut Plain, key: u8, typed: &str) {
    let some = |plain: &Plain| plain.anchor.is_some_and(|anchor| anchor != plain.caret);
    match key {
        0 | 1 => {
            buffer.insert(typed);
            plain.put(typed);
        }
        2 => {
            buffer.delete(Move::Left);
            if !some(plain) {
                plain.anchor = Some(plain.left());
            }
            plain.put("");
        }
        3 => {
            buffer.delete(Move::Right);
            if !some(plain) {
                plain.anchor = Some(plain.right());
            }
            plain.put("");
        }
        4 => {
            buffer.select(Move::Left);
            plain.anchor.get_or_insert(plain.caret);
            plain.caret = plain.left();
        }
        5 => {
            buffer.select(Move::Right);
            plain.anchor.get_or_insert(plain.caret);
            plain.caret = plain.right();
        }
        6 => {
            buffer.go(Move::Left);
            let anchor = plain.anchor.take().filter(|anchor| *anchor != plain.caret);
            plain.caret = anchor.map_or_else(|| plain.left(), |anchor| anchor.min(plain.caret));
        }
        7 => {
            buffer.go(Move::TextStart);
            plain.anchor = None;
            plain.caret = 0;
        }
        8 => {
            buffer.select_all();
            plain.anchor = Some(0);
            plain.caret = plain.text.len();
        }
        9 => {
            if let Some(selected) = buffer.selected() {
                plain.clip = selected;
                buffer.delete_selected();
                plain.put("");
            }
        }
        _ => {
            buffer.insert(&plain.clip);
            let clip = plain.clip.clone();
            plain.put(&clip);
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_keys_write_what_they_would_write_on_paper_and_undo_takes_all_of_it_back(
        before in "[a b漢\u{301}\t\n👨\u{200d}]{0,20}",
        keys in proptest::collection::vec((0u8..11, "[a漢\u{301}\n👨\u{200d}🇨🇭]{1,2}"), 0..40),
    ) {
        let mut buffer = Buffer::of(&before);
        buffer.forget_undo();
        let mut plain = Plain { text: before.clone(), caret: buffer.caret(), ..Plain::default() };
        for (key, typed) in keys {
            press(&mut buffer, &mut plain, key, &typed);
            proptest::prop_assert_eq!((buffer.text(), buffer.caret()), (plain.text.as_str(), plain.caret));
            for edge in buffer.selection().iter().flat_map(|range| [range.start, range.end]) {
                proptest::prop_assert!(is_between_graphemes(buffer.text(), edge));
            }
        }
        (0..100).for_each(|_| buffer.undo());
        proptest::prop_assert_eq!(buffer.text(), &before);
        (0..100).for_each(|_| buffer.redo());
        proptest::prop_assert_eq!(buffer.text(), &plain.text);
    }
}
