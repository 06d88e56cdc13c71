use super::Request::{Answer, Change, Nothing};
use super::*;

fn found(text: &str) -> Vec<(usize, String, Request)> {
    let comments = ai_comments(Path::new("a.rs"), text).into_iter();
    comments
        .map(|comment| (comment.line, comment.text, comment.request))
        .collect()
}

#[test]
fn a_comment_of_each_style_is_found_at_either_end_of_its_line() {
    let text = "\
fn a() {} // Make it faster. AI!
# AI! rename this
  -- why is this join needed AI?
<!-- AI? Is this used? -->
<p>x</p> <!-- shorten this AI! -->
// keep in mind AI
// ai: and this
";
    let expected = [
        (1, "// Make it faster. AI!", Change),
        (2, "# AI! rename this", Change),
        (3, "-- why is this join needed AI?", Answer),
        (4, "<!-- AI? Is this used? -->", Answer),
        (5, "<!-- shorten this AI! -->", Change),
        (6, "// keep in mind AI", Nothing),
        (7, "// ai: and this", Nothing),
    ];
    let expected = expected.map(|(line, text, request)| (line, text.to_owned(), request));
    assert_eq!(found(text), expected);
}

#[test]
fn other_texts_are_no_comments_for_the_model() {
    for text in [
        "let ai = \"AI!\";",
        "// the AI! is in the middle",
        "// MAIN!",
        "/* AI! */",
        "AI!",
        "// J'AI!",
        "",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
    let long = format!("// {} AI!", "x".repeat(LONGEST));
    assert_eq!(found(&long), []);
}

#[test]
fn the_sign_may_come_after_one_in_a_text() {
    let line = "get(\"http://host/#top\") # use the new host AI!";
    let [comment] = &ai_comments(Path::new("a.rs"), line)[..] else {
        panic!("one comment is expected")
    };
    assert_eq!(comment.request, Change);
    assert!(comment.text.ends_with("# use the new host AI!"), "{}", comment.text);
}

#[test]
fn a_heading_or_a_list_of_a_text_is_no_comment() {
    let text = "# What is AI?\n-- AI!\nhttp://host // AI!\n<!-- shorten this AI! -->\n";
    for name in ["README.md", "notes.TXT", "a.rst", "b.adoc"] {
        let found = ai_comments(Path::new(name), text);
        let lines: Vec<usize> = found.iter().map(|comment| comment.line).collect();
        assert_eq!(lines, [4], "{name}");
    }
    assert_eq!(ai_comments(Path::new("a.py"), text).len(), 4);
}
