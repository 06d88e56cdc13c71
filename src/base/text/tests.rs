use super::*;

fn rows(text: &str, columns: usize) -> Vec<&str> {
    wrap(text, columns)
        .into_iter()
        .map(|range| text.get(range).unwrap())
        .collect()
}

#[test]
fn widths_follow_what_terminals_draw() {
    for (text, columns) in [
        ("", 0),
        ("abc", 3),
        ("漢字", 4),
        ("한국어", 6),
        ("e\u{301}", 1),
        ("👨\u{200d}👩\u{200d}👧\u{200d}👦", 2),
        ("❤\u{fe0f}", 2),
        // A separate sound mark takes its own column.
        ("ｶﾞ", 2),
        ("ｶﾞｷﾞｸﾞ", 6),
        ("ﾊﾟﾝ", 3),
        ("ﾞ", 1),
        ("🇨🇭", 2),
        ("กำ", 2),
        ("क\u{94d}ष", 2),
        ("a\u{200b}b", 2),
        // Measured with the cursor of tmux 3.3a.
        ("\u{9ac}\u{9be}\u{982}", 3),
        ("\u{9b2}\u{9be}", 2),
        ("\u{d2f}\u{d3e}", 2),
        ("\u{1781}\u{17d2}\u{1798}\u{17c2}", 3),
        ("\u{ba8}\u{bc0}", 1),
        ("\u{1112}\u{1161}\u{11ab}", 2),
        ("\u{dc1}\u{dca}\u{200d}\u{dbb}\u{dd3}", 2),
        ("\u{915}\u{94d}\u{937}", 2),
    ] {
        assert_eq!(width(text), columns, "{text:?}");
    }
}

#[test]
fn graphemes_are_whole_whatever_path_finds_them() {
    for text in [
        "naïve e\u{301}a漢ｶﾞ字👨\u{200d}👩\u{200d}👧한국\u{11a8}がか\u{3099}",
        "a\u{308}",
        "漢\u{fe00}字",
        "~\u{301}",
        "│漢…\u{301}●○\u{200d}a·─\u{fe0f}→›\u{308}▌",
    ] {
        let ours: Vec<_> = graphemes(text).collect();
        let tables: Vec<_> = text.grapheme_indices(true).collect();
        assert_eq!(ours, tables);
    }
}

#[test]
fn words_stay_whole_and_spaces_vanish_at_the_break() {
    assert_eq!(rows("the quick brown fox", 10), ["the quick", "brown fox"]);
    assert_eq!(rows("the quick  brown", 9), ["the quick", "brown"]);
    assert_eq!(rows("  indented text", 10), ["  indented", "text"]);
}

#[test]
fn a_word_longer_than_the_row_is_cut() {
    assert_eq!(rows("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
}

#[test]
fn han_breaks_anywhere_but_not_before_a_stop() {
    assert_eq!(
        rows("購物車有優惠券時，總額不對。", 10),
        ["購物車有優", "惠券時，總", "額不對。"]
    );
    assert_eq!(rows("購物車有優，惠券", 10), ["購物車有", "優，惠券"]);
    assert_eq!(rows("use 購物車 now", 8), ["use 購物", "車 now"]);
}

#[test]
fn korean_breaks_at_its_spaces() {
    assert_eq!(rows("안녕하세요 세계", 12), ["안녕하세요", "세계"]);
}

#[test]
fn no_width_is_too_small() {
    assert_eq!(rows("漢a", 1), ["漢", "a"]);
    assert_eq!(rows("ab", 0), ["a", "b"]);
    assert_eq!(rows("", 0), [""]);
    assert_eq!(wrap_anywhere("漢字", 1), [0..3, 3..6]);
}

#[test]
fn truncation_never_splits_a_grapheme_or_leaves_its_width() {
    assert_eq!(truncate("abcdef", 4), "abc…");
    assert_eq!(truncate("abcd", 4), "abcd");
    assert_eq!(truncate("漢字漢字", 5), "漢字…");
    assert_eq!(truncate("漢字漢字", 4), "漢…");
    assert_eq!(truncate("漢字", 4), "漢字");
    assert_eq!(truncate("abc", 0), "");
    assert_eq!(truncate_start("src/very/long/path.rs", 8), "…path.rs");
    assert_eq!(truncate_middle("a short one", 11), "a short one");
    assert_eq!(truncate_middle("beginning and end", 9), "begi… end");
    for columns in 0..20 {
        let told = truncate_middle("目录和文件，首尾都看得见", columns);
        assert!(width(&told) <= columns, "{columns}: {told}");
    }
    assert_eq!(fit("ab", 4), "ab  ");
}

#[test]
fn what_comes_in_has_plain_line_ends_and_no_control_characters() {
    assert_eq!(incoming("a\r\nb\rc\n\r\n\r\rd"), "a\nb\nc\n\n\n\nd");
    assert_eq!(incoming("\tx\u{1b}[31m\u{7f}y\r"), "\tx[31my\n");
    assert_eq!(incoming("a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}f"), "a\nb\nc\nd\ne\nf");
}

#[test]
fn terminal_sequences_leave_no_trace_in_the_transcript() {
    assert_eq!(clean("\u{1b}[31mred\u{1b}[0m"), "red");
    assert_eq!(clean("a\u{1b}]0;title\u{7}b"), "ab");
    assert_eq!(clean("a\u{1b}]52;c;aGk=\u{1b}\\b"), "ab");
    assert_eq!(clean("pay\u{202e}fdp.exe\u{200b}"), "payfdp.exe");
    assert_eq!(clean("a\r\nb\rc"), "a\nb\nc");
    assert_eq!(clean("unfinished \u{1b}[31"), "unfinished ");
    assert_eq!(clean("👨\u{200d}👩 می\u{200c}خواهم"), "👨\u{200d}👩 می\u{200c}خواهم");
}

#[test]
fn a_dialog_shows_what_would_be_invisible() {
    assert_eq!(reveal("rm\u{1b}[2K -rf"), "rm␛[2K -rf");
    assert_eq!(reveal("a\u{202e}b"), "a⟨202E⟩b");
    assert_eq!(reveal("x\u{200d}y"), "x⟨200D⟩y");
    assert_eq!(reveal("line\r\n"), "line␍\n");
    assert_eq!(reveal("plain 漢字"), "plain 漢字");
}

#[test]
fn tabs_reach_the_next_stop() {
    assert_eq!(expand_tabs("\ta\tb"), "    a   b");
    assert_eq!(expand_tabs("漢\tb"), "漢  b");
    // Replacement characters take columns before the next tab stop.
    assert_eq!(shown_line("\u{1b}\tb"), "␛   b");
    assert_eq!(shown_line("a\u{202e}\tb"), "a⟨202E⟩ b");
}

#[test]
fn search_ignores_case_until_a_capital_is_typed() {
    assert_eq!(find_folded("The Total", "total"), Some(4));
    assert_eq!(find_folded("The total", "Total"), None);
    assert_eq!(find_folded("購物車", "物"), Some(3));
    assert_eq!(find_folded("ab", "abc"), None);
}

proptest::proptest! {
    #[test]
    fn rows_cover_the_text_and_fit(text in "[ a-z漢字、한ｶﾞ👨\u{200d}👩\u{fe0f}\u{301}]{0,60}", columns in 1_usize..20) {
        let rows = wrap(&text, columns);
        let mut at = 0;
        for row in &rows {
            proptest::prop_assert!(text.get(at..row.start).unwrap().trim_matches(' ').is_empty());
            let shown = text.get(row.clone()).unwrap();
            let hanging = shown.trim_end_matches(' ');
            let one_wide_grapheme = graphemes(hanging).filter(|(_, g)| grapheme_width(g) > 0).count() == 1;
            proptest::prop_assert!(width(hanging) <= columns || one_wide_grapheme, "{:?}", rows);
            at = row.end;
        }
        proptest::prop_assert!(text.get(at..).unwrap().trim_matches(' ').is_empty());
    }
}

#[test]
fn the_rows_of_a_long_line_stand_as_deep_as_it_begins() {
    let rows = |text: &'static str, columns| {
        let (depth, rows) = wrap_set_in(text, columns);
        let rows: Vec<&str> = rows.into_iter().map(|row| text.get(row).unwrap()).collect();
        (depth, rows)
    };
    let code = "    let total = price * count_of_all;";
    assert_eq!(rows(code, 22), (4, vec!["    let total = price ", "* count_of_all;"]));
    assert_eq!(
        rows("             deep in it", 20).0,
        0,
        "where half of the room would go"
    );
    assert_eq!(rows("    short", 20), (4, vec!["    short"]));
}

#[test]
fn all_of_a_text_stands_in_its_rows_and_words_stay_whole_where_they_can() {
    let rows = |text: &'static str, columns| -> Vec<&str> {
        let rows = wrap_whole(text, columns).into_iter();
        rows.map(|row| text.get(row).unwrap()).collect()
    };
    assert_eq!(
        rows("let total = price * count;", 16),
        ["let total = ", "price * count;"]
    );
    assert_eq!(
        rows("a.verylongnamewithoutanysign", 12),
        ["a.verylongna", "mewithoutany", "sign"]
    );
    // An opening sign stays with the text after it.
    assert_eq!(
        rows("415: (\"unsupported\", \"media_type\"),", 22),
        ["415: (\"unsupported\", ", "\"media_type\"),"]
    );
    assert_eq!(
        rows("call = one_name (\"media_type\")", 18),
        ["call = one_name ", "(\"media_type\")"]
    );
    assert_eq!(rows("call = name(media_type)", 14), ["call = name(", "media_type)"]);
    assert_eq!(rows("say 'a word ' + other", 14), ["say 'a word ' ", "+ other"]);
    assert_eq!(rows("漢字漢字", 5), ["漢字", "漢字"]);
    assert_eq!(rows("x = 漢字漢字漢", 9), ["x = 漢字", "漢字漢"]);
    assert_eq!(rows("", 5), [""]);
    for columns in 1..30 {
        let text = "fn wrap(text: &str, columns: usize) -> Vec<Range<usize>> { 漢字 e\u{301} ｶﾞ }";
        assert_eq!(rows(text, columns).concat(), text);
        assert!(
            columns < 4 || rows(text, columns).iter().all(|row| width(row) <= columns),
            "{columns}"
        );
    }
}

#[test]
fn words_are_counted_as_each_script_writes_them() {
    for (text, count) in [
        ("", 0),
        (" two  words\n", 2),
        ("don't — stop", 3),
        ("先读文件，再改。", 6),
        ("テストを直す", 6),
        ("테스트를 고친다", 2),
        ("用 cargo test 检查", 5),
        ("検査passed。", 3),
    ] {
        assert_eq!(word_count(text), count, "{text:?}");
    }
}

#[test]
fn a_part_of_what_is_shown_is_found_in_what_was_written() {
    for line in ["plain", "\ttwo\tthree", "漢\t字\t", "a\t\tb", ""] {
        let shown = expand_tabs(line);
        assert_eq!(unexpanded(line, &(0..shown.len())), 0..line.len(), "{line:?}");
        for from in (0..=shown.len()).filter(|at| shown.is_char_boundary(*at)) {
            for upto in (from..=shown.len()).filter(|at| shown.is_char_boundary(*at)) {
                let part = line.get(unexpanded(line, &(from..upto))).unwrap();
                let (wanted, found) = (
                    shown.get(from..upto).unwrap().replace(' ', ""),
                    part.replace(['\t', ' '], ""),
                );
                assert_eq!(found, wanted, "{line:?} {from} {upto}");
            }
        }
    }
}

#[test]
fn a_part_is_where_it_was_taken_from_and_not_where_the_same_bytes_stand_first() {
    let whole = "/steer te".to_owned();
    let (_, part) = whole.split_once(' ').unwrap();
    assert_eq!(range_in(&whole, part), Some(7..9));
    assert_eq!(range_in(&whole, &whole), Some(0..9));
    let other = "te".to_owned();
    assert_eq!(range_in(&whole, &other), None);
}
