use serde_json::{Value, json};

use crate::files::bench::Bench;
use benchdog_base::composed::decompose;
use benchdog_domain::permission::Kept;
use benchdog_domain::review::{FileNote, Forgave, Forgiven, Piece, Review};
use benchdog_domain::tool::CallStatus;

fn edited(before: &[u8], old: &str, new: &str) -> Vec<u8> {
    let bench = Bench::with("f.txt", before);
    let outcome = bench.call("edit", json!({"path": "f.txt", "edits": [{"old": old, "new": new}]}));
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    bench.bytes("f.txt")
}

/// Checks that the file is unchanged. Returns code and text of the refusal.
fn refused(before: &[u8], edits: Value) -> (String, String) {
    let bench = Bench::with("f.txt", before);
    let outcome = bench.call("edit", json!({"path": "f.txt", "edits": edits}));
    assert_eq!(outcome.status, CallStatus::Error, "{}", outcome.output);
    assert_eq!(bench.bytes("f.txt"), before);
    (outcome.code.unwrap(), outcome.output)
}

#[test]
fn bytes_outside_the_edit_never_change() {
    for (name, before, old, new, after) in [
        ("plain", &b"a\nb\nc\n"[..], "b", "B", &b"a\nB\nc\n"[..]),
        ("crlf", b"a\r\nb\r\nc\r\n", "a\nb\n", "a\nB\n", b"a\r\nB\r\nc\r\n"),
        (
            "crlf, one line becomes two",
            b"a\r\nb\r\n",
            "b",
            "b\nc",
            b"a\r\nb\r\nc\r\n",
        ),
        (
            "mixed ends stay mixed",
            b"a\nb\r\nc\nd\r\n",
            "b\nc\nd",
            "b\nC\nd",
            b"a\nb\r\nC\nd\r\n",
        ),
        (
            "mixed, the other way",
            b"a\nb\r\nc\nd\r\n",
            "b\nc",
            "B\nc",
            b"a\nB\r\nc\nd\r\n",
        ),
        ("lone cr is content", b"a\rb\nc\n", "c", "C", b"a\rb\nC\n"),
        ("no final newline", b"a\nb", "b", "B", b"a\nB"),
        ("no final newline, old has one", b"a\nb", "b\n", "B\n", b"a\nB"),
        ("no final newline, crlf", b"a\r\nb", "a\nb", "A\nb", b"A\r\nb"),
        ("bom", b"\xef\xbb\xbfa\nb\n", "a\n", "A\n", b"\xef\xbb\xbfA\nb\n"),
        ("latin-1", b"caf\xe9\nx = 1\n", "x = 1", "x = 2", b"caf\xe9\nx = 2\n"),
        (
            "latin-1 as it is shown",
            b"caf\xe9 = 1\n",
            "café = 1",
            "café = 2",
            b"caf\xe9 = 2\n",
        ),
        (
            "gbk",
            b"\xc4\xe3\xba\xc3\r\nx\r\n",
            "x",
            "y\nz",
            b"\xc4\xe3\xba\xc3\r\ny\r\nz\r\n",
        ),
        ("crlf given expressly", b"a\r\nb\r\n", "a\r\nb", "a\nb", b"a\nb\r\n"),
        (
            "crlf in the call, lf in the file",
            b"a\nb\nc\n",
            "a\r\nb\r\n",
            "a\r\nB\r\n",
            b"a\nB\nc\n",
        ),
        ("nothing left", b"a\nb\n", "a\nb\n", "", b""),
        (
            "unicode",
            "名前 = \"犬\"\n".as_bytes(),
            "犬",
            "猫",
            "名前 = \"猫\"\n".as_bytes(),
        ),
    ] {
        let got = edited(before, old, new);
        assert_eq!(got, after, "{name}: {}", got.escape_ascii());
    }
}

#[test]
fn pasted_line_numbers_do_not_matter() {
    let before = b"fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n";
    let after = b"fn a() {\n    one();\n}\n\nfn b() {\n    three();\n}\n";
    for (old, new) in [
        ("5\tfn b() {\n6\t    two();\n", "5\tfn b() {\n6\t    three();\n"),
        ("     5\tfn b() {\n     6\t    two();", "fn b() {\n    three();"),
        ("5→fn b() {\n6→    two();", "5→fn b() {\n6→    three();"),
        ("5|fn b() {\n6|    two();", "5|fn b() {\n6|    three();"),
        ("5| fn b() {\n6|     two();", "5| fn b() {\n6|     three();"),
        ("5: fn b() {\n6:     two();", "fn b() {\n    three();"),
        (
            "3\t}\n4\t\n5\tfn b() {\n6\t    two();",
            "3\t}\n4\t\n5\tfn b() {\n6\t    three();",
        ),
    ] {
        assert_eq!(edited(before, old, new), after, "{old}");
    }
}

#[test]
fn numbers_that_are_content_are_content() {
    assert_eq!(edited(b"1\tone\n2\ttwo\n", "1\tone", "1\tuno"), b"1\tuno\n2\ttwo\n");
    // Numbers that do not increase are not copied line numbers.
    let (code, _) = refused(b"one\ntwo\n", json!([{"old": "7\tone\n3\ttwo", "new": "x"}]));
    assert_eq!(code, "no_match");
}

#[test]
fn white_space_that_is_off_is_forgiven_where_only_one_place_fits() {
    for (name, before, old, new, after) in [
        ("trailing blanks in the file", "a  \nb\n", "a\nb", "a\nB", "a  \nB\n"),
        ("trailing blanks in the call", "a\nb\n", "a  \nb", "A\nb", "A\nb\n"),
        (
            "indentation lost",
            "    if x {\n        y();\n    }\n",
            "if x {\n    y();\n}",
            "if x {\n    z();\n}",
            "    if x {\n        z();\n    }\n",
        ),
        (
            "indentation lost, a line more",
            "    if x {\n        y();\n    }\n",
            "if x {\n    y();\n}",
            "if x {\n    y();\n    z();\n}",
            "    if x {\n        y();\n        z();\n    }\n",
        ),
        (
            "spaces for tabs",
            "\tif x {\n\t\ty();\n\t}\n",
            "    if x {\n        y();\n    }",
            "    if x {\n        z();\n    }",
            "\tif x {\n\t\tz();\n\t}\n",
        ),
        (
            "blank inside",
            "foo( a,  b )\n",
            "foo( a, b )",
            "foo( c )",
            "foo( c )\n",
        ),
        ("blank lines around", "a\nb\n", "\n\nb\n\n", "\n\nB\n\n", "a\nB\n"),
        ("byte order mark", "\u{feff}a  b\nc\n", "a b\n", "d\n", "\u{feff}d\nc\n"),
        (
            "crlf and indentation",
            "  a\r\n  b\r\n",
            "a\nb\n",
            "a\nc\n",
            "  a\r\n  c\r\n",
        ),
    ] {
        let bench = Bench::with("f.txt", before);
        let outcome = bench.call("edit", json!({"path": "f.txt", "edits": [{"old": old, "new": new}]}));
        assert_eq!(bench.text("f.txt"), after, "{name}: {}", outcome.output);
        if name != "blank lines around" || !outcome.output.is_empty() {
            assert!(outcome.output.contains("Note: "), "{name}: {}", outcome.output);
        }
    }
}

#[test]
fn white_space_that_fits_two_places_is_not_guessed() {
    let (code, text) = refused(b"  a\nb\n    a\n", json!([{"old": "a \n", "new": "x\n"}]));
    assert_eq!(code, "ambiguous");
    assert!(text.contains("line 1") && text.contains("line 3"), "{text}");
}

#[test]
fn text_that_stands_several_times_is_listed_with_its_lines() {
    let (code, text) = refused(
        b"x = 1\ny = 2\nz = 0\nx = 1\n",
        json!([{"old": "x = 1", "new": "x = 3"}]),
    );
    assert_eq!(code, "ambiguous");
    assert!(
        text.contains("2 times") && text.contains("1\tx = 1") && text.contains("4\tx = 1"),
        "{text}"
    );
    assert!(text.contains("3\tz = 0"), "{text}");
    let bench = Bench::with("f.txt", "x\ny\nx\n");
    let outcome = bench.call(
        "edit",
        json!({"path": "f.txt", "edits": [{"old": "x", "new": "z", "all": true}]}),
    );
    assert_eq!(
        (bench.text("f.txt").as_str(), &*outcome.summary.to_string()),
        ("z\ny\nz\n", "updated +2 -2")
    );
}

#[test]
fn text_that_is_not_there_is_answered_with_what_is() {
    let before = b"fn area(width: u32) -> u32 {\n    width * 2\n}\n\nfn other() {}\n";
    let (code, text) = refused(
        before,
        json!([{"old": "fn area(w: u32) -> u32 {\n    w * 2", "new": "x"}]),
    );
    assert_eq!(code, "no_match");
    assert!(
        text.contains("1\tfn area(width: u32) -> u32 {\n2\t    width * 2\n"),
        "{text}"
    );
    let (_, text) = refused(before, json!([{"old": "SELECT * FROM nowhere", "new": "x"}]));
    assert!(text.contains("No similar text was found"), "{text}");
    let (_, text) = refused(before, json!([{"old": "fn gone() {}", "new": "fn other() {}\n"}]));
    assert!(text.contains("already, at line 5"), "{text}");
}

#[test]
fn several_edits_apply_in_order_or_not_at_all() {
    let bench = Bench::with("f.txt", "a\nb\n");
    let outcome = bench.call(
        "edit",
        json!({"path": "f.txt", "edits": [
        {"old": "a", "new": "aa"}, {"old": "aa\nb", "new": "c"}]}),
    );
    assert_eq!(
        (bench.text("f.txt").as_str(), &*outcome.summary.to_string()),
        ("c\n", "updated +1 -2")
    );
    let (_, text) = refused(b"a\nb\n", json!([{"old": "a", "new": "A"}, {"old": "zzz", "new": "y"}]));
    assert!(text.contains("edit 2 of 2"), "{text}");
}

#[test]
fn many_places_cost_one_look_through_the_file() {
    let text = "one of many lines in a file of a good size\n".repeat(20_000);
    let bench = Bench::with("f.txt", &text);
    let started = std::time::Instant::now();
    let edits = json!([{"old": "many", "new": "several", "all": true}]);
    bench.call("edit", json!({"path": "f.txt", "edits": edits}));
    assert_eq!(bench.text("f.txt"), text.replace("many", "several"));
    // The limit is generous, for a busy machine. A separate search for each place would take minutes.
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

#[test]
fn arguments_of_other_programs_are_understood() {
    let forms = [
        json!({"file_path": "f.txt", "old_string": "b", "new_string": "B"}),
        json!({"path": "f.txt", "old_str": "b", "new_str": "B"}),
        json!({"path": "f.txt", "edits": [{"old_string": "b", "new_string": "B", "replace_all": false}]}),
        json!({"path": "f.txt", "edits": "[{\"old\": \"b\", \"new\": \"B\"}]"}),
        json!({"path": "f.txt", "edits": {"oldText": "b", "newText": "B"}}),
        json!({"path": "f.txt", "blocks": "<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n"}),
        json!({"path": "f.txt", "blocks": "Here:\n```\n<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n```\n"}),
        json!({"path": "f.txt", "edits": "<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE"}),
    ];
    for form in forms {
        let bench = Bench::with("f.txt", "a\nb\nc\n");
        let outcome = bench.call("edit", form.clone());
        assert_eq!(bench.text("f.txt"), "a\nB\nc\n", "{form}: {}", outcome.output);
    }
    let bench = Bench::with("f.txt", "b\na\nb\n");
    bench.call(
        "edit",
        json!({"path": "f.txt", "old_string": "b", "new_string": "B", "replace_all": true}),
    );
    assert_eq!(bench.text("f.txt"), "B\na\nB\n");
}

#[test]
fn blocks_that_are_not_closed_change_nothing() {
    for blocks in [
        "<<<<<<< SEARCH\na\n=======\nB\n",
        "<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n",
        "no block",
    ] {
        let bench = Bench::with("f.txt", "a\n");
        let outcome = bench.call("edit", json!({"path": "f.txt", "blocks": blocks}));
        assert_eq!(outcome.code.as_deref(), Some("bad_arguments"));
        assert_eq!(bench.text("f.txt"), "a\n");
    }
}

#[test]
fn an_empty_old_text_makes_a_file_but_never_replaces_one() {
    let bench = Bench::new();
    let outcome = bench.call(
        "edit",
        json!({"path": "new.txt", "edits": [{"old": "", "new": "hello\n"}]}),
    );
    assert_eq!(
        (bench.text("new.txt").as_str(), &*outcome.summary.to_string()),
        ("hello\n", "created +1 -0")
    );
    bench.put("empty.txt", "");
    let outcome = bench.call(
        "edit",
        json!({"path": "empty.txt", "edits": [{"old": "", "new": "x\n"}]}),
    );
    assert_eq!(
        (bench.text("empty.txt").as_str(), &*outcome.summary.to_string()),
        ("x\n", "updated +1 -0")
    );
    let (code, _) = refused(b"content\n", json!([{"old": "", "new": "x"}]));
    assert_eq!(code, "bad_arguments");
    let outcome = bench.call("edit", json!({"path": "none.txt", "edits": [{"old": "a", "new": "b"}]}));
    assert_eq!(outcome.code.as_deref(), Some("not_found"));
}

#[test]
fn a_file_that_changed_since_it_was_read_is_a_conflict() {
    let bench = Bench::with("f.txt", "a\nb\n");
    bench.put("f.txt", "a\nb\nc\n");
    let outcome = bench.call("edit", json!({"path": "f.txt", "edits": [{"old": "b", "new": "B"}]}));
    assert_eq!(outcome.code.as_deref(), Some("conflict"));
    assert_eq!(bench.text("f.txt"), "a\nb\nc\n");
    let patch = "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    assert_eq!(
        bench.call("patch", json!({"patch": patch})).code.as_deref(),
        Some("conflict")
    );
}

#[test]
fn text_in_another_normal_form_is_found_and_the_file_keeps_its_own() {
    for (name, before, old, new, after) in [
        (
            "Vietnamese of macOS",
            "title = Tiếng Việt\nnext = ngôn ngữ\n",
            "Tiếng Việt",
            "Tiếng Nhật",
            "title = Tiếng Nhật\nnext = ngôn ngữ\n",
        ),
        (
            "Korean jamo, two lines",
            "// 한국어 문서\nlet 값 = 1;\n// 끝\n",
            "// 한국어 문서\nlet 값 = 1;\n",
            "// 한국어 설명서\nlet 값 = 2;\n",
            "// 한국어 설명서\nlet 값 = 2;\n// 끝\n",
        ),
        ("CRLF", "ạ\r\ncafé\r\n", "ạ\ncafé", "ạ\nthé", "ạ\r\nthé\r\n"),
    ] {
        let (before, after) = (decompose(before), decompose(after));
        assert_eq!(edited(before.as_bytes(), old, new), after.as_bytes(), "{name}");
    }
    // The reverse case: the model writes decomposed text.
    let (old, new) = (decompose("Việt"), decompose("Nhật"));
    assert_eq!(edited("Tiếng Việt\n".as_bytes(), &old, &new), "Tiếng Nhật\n".as_bytes());
    // Both normal forms replace these characters, so they are written as the model gave them.
    let compatible = "\u{fa19} \u{212b} \u{2126}";
    let (before, after) = (decompose("값 = 1\n"), format!("{} = {compatible}\n", decompose("값")));
    assert_eq!(
        edited(before.as_bytes(), "값 = 1", &format!("값 = {compatible}")),
        after.as_bytes()
    );
    assert_eq!(
        edited(decompose("é Å\n").as_bytes(), "é Å", "é \u{212b}"),
        format!("{} \u{212b}\n", decompose("é")).as_bytes()
    );
    // The text is equal in both forms, so the new text is not decomposed. The model wrote the Kelvin sign instead of a
    // letter.
    assert_eq!(edited(b"5 K\n", "5 \u{212a}", "5 °C, é"), "5 °C, é\n".as_bytes());
    // The text mixes both forms. Unchanged bytes stay as they are.
    let before = format!("{} é = 1\n", decompose("é"));
    let after = format!("{} é = 2\n", decompose("é"));
    assert_eq!(edited(before.as_bytes(), "é é = 1", "é é = 2"), after.as_bytes());
}

#[test]
fn text_in_another_normal_form_is_told_and_must_be_unique() {
    let file = decompose("한국\n한국\n");
    let (code, text) = refused(file.as_bytes(), json!([{"old": "한국", "new": "미국"}]));
    assert!(code == "ambiguous" && text.contains("occurs 2 times"), "{text}");
    let bench = Bench::with("f.txt", &file);
    let edits = json!([{"old": "한국", "new": "미국", "all": true}]);
    let outcome = bench.call("edit", json!({"path": "f.txt", "edits": edits}));
    assert_eq!(bench.bytes("f.txt"), decompose("미국\n미국\n").as_bytes());
    assert!(
        outcome.output.contains("another Unicode normal form"),
        "{}",
        outcome.output
    );
    // `e` does not match inside a decomposed letter, and no letter matches a part of another one.
    assert_eq!(
        refused(decompose("ệ\n").as_bytes(), json!([{"old": "ẹ x", "new": "y"}])).0,
        "no_match"
    );
}

#[test]
fn what_cannot_be_edited_as_text_is_refused() {
    assert_eq!(refused(b"a\0b\n", json!([{"old": "a", "new": "b"}])).0, "binary");
    // The error names a character that the file's encoding lacks.
    for lacking in ["你", "\u{fffd}"] {
        let (code, text) = refused(b"caf\xe9\nx\n", json!([{"old": "x", "new": lacking}]));
        assert!(code == "encoding" && text.contains(lacking), "{code}: {text}");
    }
    assert_eq!(refused(b"a\n", json!([{"old": "a", "new": "a"}])).0, "no_change");
}

#[test]
fn what_was_forgiven_is_a_fact_for_the_review_and_english_for_the_model() {
    let bench = Bench::with("f.txt", "    a();\n    b();\n");
    let edits = json!([{"old": "a();\nb();\n", "new": "c();\nb();\n"}, {"old": "    b();", "new": "    d();"}]);
    let prepared = bench.prepare("edit", json!({"path": "f.txt", "edits": edits})).unwrap();
    let Review::Files(files) = &*prepared.review.clone() else {
        panic!()
    };
    let forgave = Forgave {
        what: Forgiven::Indentation,
        part: Some(Piece::Edit(1, 2)),
    };
    assert_eq!(files[0].note, Some(FileNote::Forgave(vec![forgave])));
    let outcome = bench.carry_out(prepared, Kept::All);
    let note = "Note: edit 1 of 2: matched with adjusted indentation.";
    assert!(outcome.output.contains(note), "{}", outcome.output);
}
