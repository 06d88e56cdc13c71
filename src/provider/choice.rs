//! Chooses the model for `auto` from a table of known models and the available memory.

use super::ListedModel;

const TABLE: &str = include_str!("../../assets/models.tsv");
const OTHERS: [&str; 8] = [
    "embed",
    "rerank",
    "whisper",
    "tts",
    "bge-",
    "clip",
    "guard",
    "moderation",
];
/// Maximum rank of a model that is not in the table. Models in the table have higher ranks.
const BY_SIZE: u64 = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KnownModel {
    needs: u64,
    rank: u64,
}

/// Returns the best model that needs at most `memory` GB, or the smallest model if none fits. If `memory` is `None`,
/// every model fits.
pub fn choose(listed: &[ListedModel], memory: Option<u64>) -> Option<&ListedModel> {
    let chats = listed.iter().filter(|model| {
        let name = model.id.to_lowercase();
        !OTHERS.iter().any(|part| name.contains(part))
    });
    let known: Vec<(&ListedModel, Option<KnownModel>)> = chats.map(|model| (model, find_known(&model.id))).collect();
    let fits = |of: &Option<KnownModel>| of.is_none_or(|of| memory.is_none_or(|memory| of.needs <= memory));
    let best = known
        .iter()
        .rev()
        .filter(|(_, of)| fits(of))
        .max_by_key(|(model, of)| (of.map_or(0, |of| of.rank), model.context));
    let smallest = || known.iter().min_by_key(|(_, of)| of.map_or(0, |of| of.needs));
    best.or_else(smallest).map(|(model, _)| *model).or(listed.first())
}

fn find_known(id: &str) -> Option<KnownModel> {
    let name = id.to_lowercase();
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| {
        let mut cells = line.split('\t');
        let (part, needs, rank) = (cells.next()?, cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
        name.contains(part).then_some((part.len(), KnownModel { needs, rank }))
    });
    rows.max_by_key(|(length, _)| *length)
        .map(|(_, known)| known)
        .or_else(|| from_size(&name))
}

/// Estimates the required memory from the number of weights in the name (`14b`, `1.7b` or `30b-a3b`, in billions).
/// Assumes four bits for each weight, and adds memory for a context window.
fn from_size(name: &str) -> Option<KnownModel> {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    let sizes = words.filter_map(|word| word.strip_suffix('b')?.parse::<f64>().ok());
    let billions = sizes.fold(0.0, f64::max);
    if billions <= 0.0 || billions > 10_000.0 {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 10,000"
    )]
    let whole = billions.ceil() as u64;
    Some(KnownModel {
        needs: whole * 2 / 3 + 2,
        rank: whole.min(BY_SIZE),
    })
}

#[cfg(test)]
mod tests;
