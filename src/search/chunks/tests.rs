use super::chunks;

#[test]
fn chunks_are_whole_lines_and_end_at_empty_lines() {
    let function = |name: &str| {
        format!(
            "fn {name}() {{\n{}}}\n\n",
            "    call(with, some, arguments);\n".repeat(30)
        )
    };
    let text = [function("one"), function("two"), "\n\n".to_owned()].concat();
    let places: Vec<_> = chunks(&text).iter().map(|chunk| (chunk.first, chunk.last)).collect();
    assert_eq!(places, [(1, 33), (34, 66)]);
    let long = format!("{}\nshort", "x".repeat(5_000));
    let places: Vec<_> = chunks(&long).iter().map(|chunk| (chunk.first, chunk.last)).collect();
    assert_eq!(places, [(1, 1), (2, 2)]);
    assert_eq!(chunks(""), []);
    assert_eq!(chunks("\n \n"), []);
}
