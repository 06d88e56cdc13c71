use super::{Side, Think};

fn split(pieces: &[&str]) -> (String, String) {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut think = Think::default();
    let mut say = |side, piece: &str| match side {
        Side::Text => text.push_str(piece),
        Side::Reasoning => reasoning.push_str(piece),
    };
    for piece in pieces {
        think.push(piece, &mut say);
    }
    think.finish(&mut say);
    (text, reasoning)
}

/// Checks the result for every split into two pieces, and character by character.
fn always(whole: &str, text: &str, reasoning: &str) {
    let wanted = (text.to_owned(), reasoning.to_owned());
    assert_eq!(split(&[whole]), wanted);
    for (at, _) in whole.char_indices() {
        let (one, two) = whole.split_at(at);
        assert_eq!(split(&[one, two]), wanted, "cut at {at}");
    }
    let letters: Vec<String> = whole.chars().map(String::from).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    assert_eq!(split(&letters), wanted, "letter by letter");
}

#[test]
fn a_span_at_the_start_is_reasoning() {
    always("<think>hm, 日本</think>ok", "ok", "hm, 日本");
}

#[test]
fn the_templates_white_space_around_the_span_goes() {
    always(
        "\n<think>\nfirst\n\nsecond \n</think>\n\n  ok\n",
        "ok\n",
        "first\n\nsecond",
    );
}

#[test]
fn an_empty_span_says_nothing() {
    always("<think>\n\n</think>\n\nok", "ok", "");
}

#[test]
fn what_only_looks_like_the_end_stays_a_thought() {
    always("<think>a </thin </think b</think>c", "c", "a </thin </think b");
}

#[test]
fn a_span_that_never_ends_is_all_reasoning() {
    always("<think>going on </thi", "", "going on </thi");
}

#[test]
fn a_span_further_on_is_text() {
    always(
        "The tag <think>x</think> is text",
        "The tag <think>x</think> is text",
        "",
    );
    always("<thinking>x", "<thinking>x", "");
    always("  <thi", "  <thi", "");
    always("x</think>y", "x</think>y", "");
}
