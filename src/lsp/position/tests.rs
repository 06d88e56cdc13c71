use super::*;

#[test]
fn a_whole_word_near_the_line_wins_over_a_part_on_it() {
    let text = "fn totals() {}\nlet x = 1;\nlet total = 2;\n";
    assert_eq!(find_symbol(text, 1, "total"), Some(SymbolPosition { line: 3, at: 4 }));
    assert_eq!(find_symbol(text, 3, "total"), Some(SymbolPosition { line: 3, at: 4 }));
    assert_eq!(find_symbol(text, 2, "tot"), Some(SymbolPosition { line: 1, at: 3 }));
}

#[test]
fn a_symbol_far_away_or_on_no_line_is_not_found() {
    let text = "total\n\n\n\n\n\n\n";
    assert_eq!(find_symbol(text, 7, "total"), None);
    assert_eq!(find_symbol(text, 0, "total"), None);
    assert_eq!(find_symbol("", 1, "x"), None);
    assert_eq!(find_symbol(text, u32::MAX, "total"), None);
}

#[test]
fn columns_are_counted_in_the_units_of_the_server() {
    let line = "é😀x";
    let at = line.find('x').unwrap();
    let columns = [Unit::Utf8, Unit::Utf16, Unit::Utf32].map(|unit| unit.column(line, at));
    assert_eq!(columns, [6, 3, 2]);
    assert_eq!(Unit::named(""), Unit::Utf16);
}

#[test]
fn columns_of_a_server_are_converted_into_characters() {
    let line = "数é😀x";
    for (unit, column) in [(Unit::Utf8, 9), (Unit::Utf16, 4), (Unit::Utf32, 3)] {
        assert_eq!(unit.characters(line, column), 3, "{unit:?}");
        assert_eq!(unit.characters(line, 100), 4, "{unit:?}");
    }
}
