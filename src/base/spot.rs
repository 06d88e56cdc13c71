//! File positions in inline code, such as `src/main.rs:12`. A person can open them from the text.

use crate::text::last_part;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub path: String,
    pub line: Option<usize>,
}

impl Spot {
    /// Parses a position. `None` for any other text. Without a line number, the text must look like a path.
    pub fn of(code: &str) -> Option<Self> {
        if code.is_empty() || code.contains(char::is_whitespace) || code.contains("::") {
            return None;
        }
        let (path, line) = match code.rsplit_once(':') {
            // For `12-20`, use line 12.
            Some((path, lines)) => {
                let first = lines.split('-').next()?;
                (path, Some(first.parse().ok().filter(|line| *line > 0)?))
            }
            None => (code, None),
        };
        let name = last_part(path);
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        let is_name = ending.is_some_and(|ending| !ending.is_empty() && ending.chars().all(char::is_alphanumeric));
        let is_path = path.contains('/') && !path.ends_with('/') && !path.contains("//");
        let fits = match line {
            Some(_) => is_name || is_path,
            None => is_name && is_path,
        };
        fits.then(|| Self {
            path: path.trim_start_matches("./").to_owned(),
            line,
        })
    }

    pub fn find(text: &str) -> Vec<Self> {
        let mut found = Vec::new();
        // Every second part between backticks is inline code.
        for spot in text.split('`').skip(1).step_by(2).filter_map(Self::of) {
            if !found.contains(&spot) {
                found.push(spot);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
