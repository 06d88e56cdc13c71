//! Counts words in any script.

pub fn word_count(text: &str) -> usize {
    let mut count = 0;
    let mut inside = false;
    for c in text.chars() {
        let alone = is_written_without_spaces(c);
        let begins = alone || (!inside && !is_between_words(c));
        count += usize::from(begins);
        inside = !alone && !is_between_words(c);
    }
    count
}

fn is_written_without_spaces(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

fn is_between_words(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{3001}'..='\u{303f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}
