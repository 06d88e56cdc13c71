use super::without_values;

#[test]
fn a_message_loses_the_values_it_shows_and_nothing_else() {
    let kept = without_values;
    assert_eq!(
        kept("index out of bounds: the len is 3 but the index is 5"),
        "index out of bounds: the len is 3 but the index is 5"
    );
    assert_eq!(
        kept("byte index 1 is not a char boundary; it is inside 'é' (bytes 0..2) of `évery word`"),
        "byte index 1 is not a char boundary; it is inside …"
    );
    assert_eq!(kept("it failed: Custom(\"sk-secret\")"), "it failed: Custom(…");
}
