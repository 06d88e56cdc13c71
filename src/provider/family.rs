//! Facts derived from a model's name: its size, and the context window of its family.

const WINDOWS: &str = include_str!("../../assets/windows.tsv");

/// Minimum size of a model, in billions of weights, for tool calls as text. Smaller models cannot follow the
/// instructions for such calls. For example, SmolLM2 with 135 million weights answered "Paris" without the
/// instructions, and nonsense with them.
const ABLE_FROM: f64 = 2.0;

/// Returns the context window of the model's family, in tokens.
pub fn window(id: &str) -> Option<u64> {
    let name = id.to_lowercase();
    let rows = WINDOWS.lines().filter(|line| !line.starts_with('#'));
    let fitting = rows.filter_map(|line| {
        let mut cells = line.split('\t');
        let (parts, tokens) = (cells.next()?, cells.next()?.parse().ok()?);
        contains_in_order(&name, parts).then_some((parts.len(), tokens))
    });
    fitting.max_by_key(|(length, _)| *length).map(|(_, tokens)| tokens)
}

fn contains_in_order(name: &str, parts: &str) -> bool {
    let mut rest = name;
    parts.split('*').all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// Whether a model is too small for tool calls as text. Uses the number of weights if it is reported, or else the size
/// in the name.
pub fn is_tiny(id: &str, weights: Option<u64>) -> bool {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a tenth of a billion more or less does not matter"
    )]
    let reported = weights.map(|weights| weights as f64 / 1e9);
    reported.or_else(|| billions(id)).is_some_and(|size| size < ABLE_FROM)
}

/// Returns the size in a model's name (`30b`, `1.7b` or `135m`), in billions of weights. If the name has several sizes,
/// as in `30b-a3b`, returns the largest.
pub(crate) fn billions(id: &str) -> Option<f64> {
    let name = id.to_lowercase();
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    let sizes = words.filter_map(|word| {
        let (number, unit) = match (word.strip_suffix('b'), word.strip_suffix('m')) {
            (Some(number), _) => (number, 1.0),
            (None, Some(number)) => (number, 0.001),
            (None, None) => return None,
        };
        let size = number
            .parse::<f64>()
            .ok()
            .filter(|size| size.is_finite() && *size > 0.0)?;
        // `1m` is a context window of a million tokens, not a size.
        (unit >= 1.0 || size >= 10.0).then_some(size * unit)
    });
    sizes.reduce(f64::max)
}

#[cfg(test)]
mod tests;
