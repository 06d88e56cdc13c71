//! Names of keys, and the bytes that an xterm sends for them.

/// Encodes a key: `enter`, `alt-a`, `ctrl-p`, `shift-tab`, `f1`. `None` if the word is not the name of a key.
pub fn encoded(word: &str) -> Option<Vec<u8>> {
    if let Some(letter) = word.strip_prefix("ctrl-") {
        return control(letter).map(|byte| vec![byte]);
    }
    if let Some(rest) = word.strip_prefix("alt-") {
        let mut bytes = vec![0x1b];
        bytes.extend(encoded(rest).unwrap_or_else(|| rest.as_bytes().to_vec()));
        return Some(bytes);
    }
    let bytes: &[u8] = match word {
        "enter" => b"\r",
        "esc" => b"\x1b",
        "tab" => b"\t",
        "shift-tab" => b"\x1b[Z",
        "space" => b" ",
        "backspace" => b"\x7f",
        "delete" => b"\x1b[3~",
        "up" => b"\x1b[A",
        "down" => b"\x1b[B",
        "right" => b"\x1b[C",
        "left" => b"\x1b[D",
        "home" => b"\x1b[H",
        "end" => b"\x1b[F",
        "pgup" => b"\x1b[5~",
        "pgdn" => b"\x1b[6~",
        "f1" => b"\x1bOP",
        "f2" => b"\x1bOQ",
        "f3" => b"\x1bOR",
        "f4" => b"\x1bOS",
        _ => return None,
    };
    Some(bytes.to_vec())
}

/// Maps `a` to 1 … `z` to 26, and `_` to 31.
fn control(letter: &str) -> Option<u8> {
    match letter.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(letter - b'a' + 1),
        [b'_'] => Some(31),
        _ => None,
    }
}
