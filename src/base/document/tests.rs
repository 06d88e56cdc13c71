use std::time::Instant;

use super::{Data, parse};

#[test]
fn a_file_of_one_long_line_is_read_in_a_moment_and_every_place_in_it_is_right() {
    let fields: Vec<String> = (0..40_000).map(|n| format!("\"ä{n:05}\":1")).collect();
    let text = format!("{{{}}}", fields.join(","));
    let begun = Instant::now();
    let root = parse("long", &text).unwrap().unwrap();
    assert!(begun.elapsed().as_secs() < 3, "{:?}", begun.elapsed());
    let Data::Object(properties) = root.data else {
        panic!("no object")
    };
    for (n, property) in properties.iter().enumerate() {
        let columns = (property.place.column, property.value.place.column);
        assert_eq!(columns, (2 + n * 11, 11 + n * 11));
        assert_eq!((property.place.line, property.value.place.line), (1, 1));
    }
}

#[test]
fn what_is_set_twice_is_told_with_the_line_of_the_first() {
    let told = parse("twice", "{\n\"a\": 1,\n\"b\": {\"a\": 2},\n\"a\": 3}").unwrap_err();
    assert_eq!(
        told[0].to_string(),
        "twice:4:1: `a` is set twice; the first is on line 2"
    );
    assert_eq!(told.len(), 1);
}
