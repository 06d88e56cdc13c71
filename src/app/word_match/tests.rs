use super::{fit, hits, words};

#[test]
fn whole_words_come_before_beginnings_and_letters_inside_words_find_nothing() {
    let texts = |filter: &str| fit(&["Go to todo list", "approve hunk"], &words(filter));
    assert!(texts("todo list") < texts("tod"));
    assert!(texts("todo") < texts("hunk"));
    assert!(
        texts("hunk") < texts("lis"),
        "a whole synonym before a part of the title"
    );
    for nothing in ["odo", "tdl", "todo nonsense"] {
        assert_eq!(texts(nothing), None, "{nothing}");
    }
    assert!(fit(&["转到待办列表"], &words("待办")).is_some());
}

#[test]
fn the_letters_found_are_named() {
    assert_eq!(hits("Go to Todo", &words("tod go")), [0, 1, 6, 7, 8]);
    assert_eq!(hits("转到待办", &words("待办")), [2, 3]);
}
