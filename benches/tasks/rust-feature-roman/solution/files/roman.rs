const SIGNS: [(u32, &str); 13] = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
];

/// Formats a number from 1 to 3999. Returns `None` for other numbers.
pub fn format(number: u32) -> Option<String> {
    if !(1..=3999).contains(&number) {
        return None;
    }
    let (mut left, mut out) = (number, String::new());
    for (value, sign) in SIGNS {
        while left >= value {
            out.push_str(sign);
            left -= value;
        }
    }
    Some(out)
}

/// Parses the canonical form.
pub fn parse(text: &str) -> Option<u32> {
    let (mut left, mut number) = (text, 0u32);
    for (value, sign) in SIGNS {
        while let Some(rest) = left.strip_prefix(sign) {
            left = rest;
            number = number.checked_add(value)?;
        }
    }
    (format(number)? == text).then_some(number)
}
