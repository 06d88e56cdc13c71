//! Numbers in a short form.

/// Formats tokens: `812`, `1.9k`, `65.5k`, `120k`, `1.2M`.
pub(super) fn tokens(count: u64) -> String {
    match count {
        0..=999 => count.to_string(),
        1_000..=99_949 => format!("{}.{}k", (count + 50) / 1_000, (count + 50) % 1_000 / 100),
        99_950..=999_499 => format!("{}k", (count + 500) / 1_000),
        _ => format!(
            "{}.{}M",
            (count + 50_000) / 1_000_000,
            (count + 50_000) % 1_000_000 / 100_000
        ),
    }
}

pub(super) fn added_removed(added: u32, removed: u32) -> String {
    format!("+{added} -{removed}")
}

#[cfg(test)]
mod tests;
