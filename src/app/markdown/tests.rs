use super::*;
use crate::line::Role;

fn text(markdown: &str, width: usize) -> Vec<String> {
    Document::of(markdown, width).rows().iter().map(Line::text).collect()
}

#[test]
fn paragraphs_wrap_and_stand_apart() {
    assert_eq!(
        text("The quick brown fox jumps.\n\nOver the dog.", 12),
        ["The quick", "brown fox", "jumps.", "", "Over the", "dog."]
    );
}

#[test]
fn lists_hang_under_their_marks() {
    assert_eq!(
        text("- first item that wraps\n- second\n  - inner\n\n1. one\n2. two", 14),
        [
            "• first item",
            "  that wraps",
            "• second",
            "  • inner",
            "",
            "1. one",
            "2. two"
        ]
    );
    assert_eq!(text("- [x] done\n- [ ] open", 20), ["• [x] done", "• [ ] open"]);
}

#[test]
fn a_loose_list_keeps_its_numbers() {
    assert_eq!(
        text("1. one\n\n2. two\n\n   more of two", 20),
        ["1. one", "", "2. two", "", "   more of two"]
    );
}

#[test]
fn code_keeps_its_lines_and_says_where_each_row_belongs() {
    let document = Document::of("Look:\n```rust\nfn main() {\n\tlet x = 1;\n}\n```\nDone.", 14);
    let rows: Vec<_> = document.rows().iter().map(Line::text).collect();
    assert_eq!(
        rows,
        [
            "Look:",
            "",
            "  fn main() {",
            "      let x = ",
            "  1;",
            "  }",
            "",
            "Done."
        ]
    );
    assert_eq!(document.codes()[0].lang, "rust");
    assert_eq!(document.codes()[0].lines[1], "    let x = 1;");
    let place = document.rows()[4].code.unwrap();
    assert_eq!((place.fence, place.line, place.start), (0, 1, 12));
}

#[test]
fn styles_have_roles() {
    let document = Document::of("# Title\n\nplain **bold** *it* `code` ~~no~~ [name](http://x.y)", 80);
    let roles: Vec<_> = document.rows()[2]
        .spans
        .iter()
        .map(|span| (span.text.trim(), span.role))
        .collect();
    assert_eq!(document.rows()[0].spans[0].role, Role::Heading1);
    assert!(roles.contains(&("bold", Role::Bold)));
    assert!(roles.contains(&("it", Role::Italic)));
    assert!(roles.contains(&("code", Role::InlineCode)));
    assert!(roles.contains(&("no", Role::Strike)));
    assert!(roles.contains(&("name", Role::Link)));
    assert!(roles.contains(&("http://x.y", Role::Dim)));
}

#[test]
fn tables_fit_the_width() {
    let table = "| name | what it is |\n|---|---|\n| a | 漢字 |\n| long name | some more words here |";
    assert_eq!(
        text(table, 40),
        [
            "name      │ what it is",
            "──────────┼─────────────────────",
            "a         │ 漢字",
            "long name │ some more words here",
        ]
    );
    for width in 1..60 {
        for line in Document::of(table, width).rows() {
            assert!(line.width() <= width.max(2), "{width}: {:?}", line.text());
        }
    }
}

#[test]
fn quotes_carry_a_bar() {
    assert_eq!(text("> said\n> so\n\nafter", 20), ["▎ said", "▎ so", "", "after"]);
}

#[test]
fn the_end_of_a_fence_is_no_line_of_its_code_where_the_answer_ends_with_it() {
    let rows = ["  def f():", "      return 1"];
    for end in ["", "`", "```", "```\n"] {
        assert_eq!(
            text(&format!("```python\ndef f():\n    return 1\n{end}"), 40),
            rows,
            "{end:?}"
        );
    }
}

#[test]
fn an_unclosed_fence_shows_what_is_there() {
    assert_eq!(text("```\nhalf a li", 20), ["  half a li"]);
    assert_eq!(text("```py", 20), Vec::<String>::new());
}

const SAMPLE: &str = "# Plan\n\nFirst *look*, then **act**.\nSecond line\n\n- a\n- b\n\n  more b\n\n1. x\n\n2. y\n```rust\nfn f() {}\n\nlet 漢 = \"字\";\n```\ntext after\n\n> quote\n> more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n~~~\n```\n~~~\n\n- item\n  ```sh\n  ls\n\n  cd\n  ```\n\nend ``` not a fence ``` here\n";

#[test]
fn streaming_ends_where_a_fresh_layout_ends_at_every_cut() {
    for width in [8, 30, 100] {
        let mut streamed = Document::new(width);
        for end in SAMPLE.char_indices().map(|(at, c)| at + c.len_utf8()) {
            let so_far = SAMPLE.get(..end).unwrap();
            streamed.grow(so_far);
            let fresh = Document::of(so_far, width);
            assert_eq!(streamed.rows(), fresh.rows(), "at {width} after {so_far:?}");
            assert_eq!(streamed.codes(), fresh.codes());
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_streams_to_its_fresh_layout(
        parts in proptest::collection::vec("(```rust\n|```\n|~~~\n|\n|\n\n|- |1\\. |> |  |    |\\| a \\| b \\|\n|\\|-\\|-\\|\n|[a-c漢 *`]{1,8}){1,3}", 1..25),
        width in 1_usize..40,
    ) {
        let mut all = String::new();
        let mut streamed = Document::new(width);
        for part in parts {
            all.push_str(&part);
            streamed.grow(&all);
        }
        let fresh = Document::of(&all, width);
        proptest::prop_assert_eq!(streamed.rows(), fresh.rows());
        proptest::prop_assert_eq!(streamed.codes(), fresh.codes());
    }
}

#[test]
fn a_list_that_grows_costs_its_last_item_and_looks_as_it_would_in_one_piece() {
    for list in [
        "- one `code`\n- two **bold** that wraps\n  more\n- [x] done\n- last",
        "Intro:\n- one\n  - inner\n  - inner two\n- two\n# Heading\n- other list\n- two",
        "9. nine\n10. ten\n11. eleven",
        "1. one\n1. again\n1. and again",
        "Said 2019.\n2. is no item\n1. one\n2. two",
        "* a\n* b\nlazy\n* c\n- another\n- list",
        "- a\n  ```rust\n  let x = 1;\n  ```\n- b\n- - -\n- c",
        "> quote\n- item\n\nname | price\n--- | ---\na | 1\n- item",
        "- a\n```\ncode\n```\n- b\n- c",
    ] {
        let (mut rows, mut codes) = (Vec::new(), Vec::new());
        render::segment(list, 20, &mut rows, &mut codes);
        let whole: Vec<String> = rows.iter().map(Line::text).collect();
        assert_eq!(text(list, 20), whole, "{list}");
    }
    let mut growing = Document::new(40);
    let mut markdown = "These are the items:\n".to_owned();
    for n in 1..300 {
        markdown.push_str(&format!("{n}. item number {n}\n"));
        growing.grow(&markdown);
        assert!(markdown.len() - growing.done < 60, "{n}");
        assert_eq!(growing.rows().len(), n + 2);
    }
}

proptest::proptest! {
    #[test]
    fn where_a_text_without_blank_lines_is_cut_does_not_show(lines in proptest::collection::vec(proptest::sample::select(vec![
        "- a", "- b", "* c", "+ d", "1. one", "2. two", "3) three", "  - inner", "  1. inner", "  more", "# H", "> q", "lazy",
        "---", "- - -", "a | b", "--|--", "1 | 2", "    deep", "**b** `c", "d` e", "10. ten", "  # H",
    ]), 1..12)) {
        let markdown = lines.join("\n");
        let (mut rows, mut codes) = (Vec::new(), Vec::new());
        render::segment(&markdown, 30, &mut rows, &mut codes);
        let whole: Vec<String> = rows.iter().map(Line::text).collect();
        proptest::prop_assert_eq!(text(&markdown, 30), whole, "{}", markdown);
    }
}

#[test]
fn a_paragraph_of_a_megabyte_is_all_there_and_a_block_of_code_stays_one() {
    let signs = "<".repeat(300_000);
    let rows = Document::of(&signs, 80).rows().len();
    assert!((3_750..=3_760).contains(&rows), "{rows}");
    let lines = "let x = 1;\n".repeat(20_000);
    let document = Document::of(&format!("```rust\n{lines}```\n"), 80);
    assert_eq!((document.codes().len(), document.rows().len()), (1, 20_000));
}

#[test]
fn a_very_long_segment_grows_by_its_last_part_and_looks_as_it_would_in_one_piece() {
    let part = render::PART;
    for (begin, piece) in [
        ("", "<"),
        ("Look:\n", "x"),
        ("One.\n\n", "two "),
        ("One.\n\n\u{20}", "漢"),
        ("- item ", "**b** "),
        ("| a | b |\n|---|---|\n", "| 1 | 2 |\n"),
        ("> q\n", "> more\n"),
        ("", "```a`b\n"),
        ("Look:\n```a", "b`"),
    ] {
        let mut streamed = Document::new(60);
        let mut text = begin.to_owned();
        while text.len() < 2 * part {
            text.push_str(&piece.repeat(2 * part / 3 / piece.len()));
            streamed.grow(&text);
            let left = text.len() - streamed.done;
            assert!(left <= part, "{begin:?} {piece:?}: {left}");
        }
        text.push_str("\n- and\n\nmore\n");
        streamed.grow(&text);
        let fresh = Document::of(&text, 60);
        assert!(streamed.rows() == fresh.rows(), "{begin:?} {piece:?}");
        assert!(streamed.codes() == fresh.codes(), "{begin:?} {piece:?}");
    }
}

fn links(text: &str, width: usize) -> Vec<(String, String)> {
    let (rows, _) = Document::of(text, width).into_parts();
    let spans = rows.into_iter().flat_map(|row| row.spans);
    spans
        .filter_map(|span| Some((span.text, span.link?.address().to_owned())))
        .collect()
}

#[test]
fn an_address_can_be_opened_wherever_it_stands_in_an_answer() {
    let whole = |text: &str| (text.to_owned(), "https://a.example/x_y".to_owned());
    assert_eq!(links("at https://a.example/x_y.", 40), [whole("https://a.example/x_y")]);
    assert_eq!(
        links("**at https://a.example/x_y**", 40),
        [whole("https://a.example/x_y")]
    );
    assert_eq!(links("# https://a.example/x_y", 40), [whole("https://a.example/x_y")]);
    assert_eq!(links("- `https://a.example/x_y`", 40), [whole("https://a.example/x_y")]);
    assert_eq!(
        links("[name](https://a.example/x_y)", 60),
        [whole("name"), whole("https://a.example/x_y")]
    );
    assert_eq!(
        links("|a|\n|-|\n|https://a.example/x_y|", 40),
        [whole("https://a.example/x_y")]
    );
    // Each row of a wrapped link has the whole target.
    assert_eq!(
        links("https://a.example/x_y", 12),
        [whole("https://a.ex"), whole("ample/x_y")]
    );
    assert_eq!(links("[a](docs/b.md) [c](file:///etc/passwd) a://b", 40), []);
}

#[test]
fn a_link_hides_nothing_of_where_it_goes() {
    let shown = |text: &str| Document::of(text, 80).into_parts().0[0].text();
    for text in ["https://a.example/", "a.example", "https://a.example"] {
        assert_eq!(shown(&format!("[{text}](https://a.example/)")), text);
    }
    // The text is the end of the URL, but names another host.
    assert_eq!(
        shown("[bank.example/pay](https://bad.example/?bank.example/pay)"),
        "bank.example/pay (https://bad.example/?bank.example/pay)"
    );
}

#[test]
fn a_long_line_of_code_goes_on_behind_a_word() {
    let rows = text("```rust\nlet count = price_of_all + rest;\n```", 24);
    assert_eq!(rows, ["  let count = ", "  price_of_all + rest;"]);
}
