use super::*;

#[test]
fn the_name_of_a_language_stands_whole_on_the_first_line_that_leaves_it_room() {
    let source = CodeBlock {
        lang: "typescript".to_owned(),
        lines: ["a very long line of code", "short", ""].map(str::to_owned).to_vec(),
    };
    let named = |room| (0..3).find(|line| names_language(&source, *line, room));
    assert_eq!(named(30), Some(0));
    assert_eq!(named(10), Some(1));
    assert_eq!(named(2), Some(2));
}
