//! The words that answer a request in linear mode, in each language. Only a whole word at the start of a line is an
//! answer, never a single letter.

use benchdog_base::text::half_width;

/// The meaning of a line that answers a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said<'l> {
    Yes,
    /// Approve once, and run the command in the sandbox.
    Confined,
    No {
        reason: &'l str,
    },
    Always {
        /// The number of a listed option, from 1.
        number: usize,
    },
    More,
}

#[derive(Clone, Copy)]
enum Means {
    Yes,
    Confined,
    No,
    Always,
    More,
}

const WORDS: &[(Means, &[&str])] = &[
    (
        Means::Yes,
        &[
            "yes", "是", "是的", "同意", "允许", "允許", "許可", "はい", "예", "네", "허용",
        ],
    ),
    (
        Means::No,
        &[
            "no",
            "不",
            "不是",
            "不要",
            "不行",
            "否",
            "拒绝",
            "拒絕",
            "いいえ",
            "拒否",
            "아니요",
            "아니오",
            "아뇨",
            "거부",
        ],
    ),
    (
        Means::Always,
        &["always", "总是", "總是", "始终", "始終", "常に", "いつも", "항상"],
    ),
    (
        Means::Confined,
        &["sandbox", "沙箱", "沙盒", "サンドボックス", "샌드박스"],
    ),
    (Means::More, &["more", "更多", "もっと", "더"]),
];

/// Parses a line that answers a request. `None` if the line is not an answer.
pub fn said(line: &str) -> Option<Said<'_>> {
    let line = line.trim();
    let end = line.find(|c| !half_width(c).is_alphabetic()).unwrap_or(line.len());
    let (word, rest) = line.split_at_checked(end)?;
    let word: String = word.chars().map(|c| half_width(c).to_ascii_lowercase()).collect();
    let (means, _) = WORDS.iter().find(|(_, words)| words.contains(&word.as_str()))?;
    let rest = rest.trim_start_matches(separates);
    match (means, numbers(rest).as_deref()) {
        (Means::No, _) => Some(Said::No { reason: rest }),
        (Means::Yes, Some([])) => Some(Said::Yes),
        (Means::Confined, Some([])) => Some(Said::Confined),
        (Means::More, Some([])) => Some(Said::More),
        (Means::Always, Some([])) => Some(Said::Always { number: 1 }),
        (Means::Always, Some([number])) => Some(Said::Always { number: *number }),
        _ => None,
    }
}

/// Parses a line that contains only numbers.
pub fn numbers(line: &str) -> Option<Vec<usize>> {
    let narrowed: String = line.chars().map(half_width).collect();
    let parts = narrowed.split(separates).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().ok()).collect()
}

fn separates(c: char) -> bool {
    let c = half_width(c);
    c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | '!' | '。' | '、' | '｡' | '､')
}

#[cfg(test)]
mod tests;
