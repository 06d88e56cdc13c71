//! `auto`: chooses a model by known names and the available memory.

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
/// Rank of models known only by size, below the table.
const BY_SIZE: u64 = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    /// In GB.
    needs: u64,
    rank: u64,
}

/// Returns the best model that fits into the memory in GB, else the smallest. Unknown memory fits all.
pub fn choose(listed: &[ListedModel], memory: Option<u64>) -> Option<&ListedModel> {
    let chats = listed.iter().filter(|model| {
        let name = model.id.to_lowercase();
        !OTHERS.iter().any(|part| name.contains(part))
    });
    let known: Vec<(&ListedModel, Option<Known>)> = chats.map(|model| (model, known(&model.id))).collect();
    let fits = |of: &Option<Known>| of.is_none_or(|of| memory.is_none_or(|memory| of.needs <= memory));
    // Prefer the first of equals.
    let best = known
        .iter()
        .rev()
        .filter(|(_, of)| fits(of))
        .max_by_key(|(model, of)| (of.map_or(0, |of| of.rank), model.context));
    let smallest = || known.iter().min_by_key(|(_, of)| of.map_or(0, |of| of.needs));
    best.or_else(smallest).map(|(model, _)| *model).or(listed.first())
}

fn known(id: &str) -> Option<Known> {
    let name = id.to_lowercase();
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| {
        let mut cells = line.split('\t');
        let (part, needs, rank) = (cells.next()?, cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
        name.contains(part).then_some((part.len(), Known { needs, rank }))
    });
    rows.max_by_key(|(length, _)| *length)
        .map(|(_, known)| known)
        .or_else(|| by_size(&name))
}

/// Estimates the size from `14b`, `1.7b` or `30b-a3b`: billions of weights, at four bits, with space for a context window.
fn by_size(name: &str) -> Option<Known> {
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
    Some(Known {
        needs: whole * 2 / 3 + 2,
        rank: whole.min(BY_SIZE),
    })
}

#[cfg(test)]
mod tests {
    use super::{TABLE, by_size, choose, known};
    use crate::ListedModel;

    fn listed(ids: &[&str]) -> Vec<ListedModel> {
        let model = |id: &&str| ListedModel {
            id: (*id).to_owned(),
            context: None,
            trained: None,
            owner: None,
        };
        ids.iter().map(model).collect()
    }

    fn chosen(ids: &[&str], memory: Option<u64>) -> Option<String> {
        choose(&listed(ids), memory).map(|model| model.id.clone())
    }

    #[test]
    fn the_best_that_fits_the_memory_is_taken_and_else_the_smallest() {
        let all = [
            "nomic-embed-text",
            "llama3.1:8b",
            "qwen3-coder:30b",
            "gpt-oss:120b",
            "qwen3:4b",
        ];
        assert_eq!(chosen(&all, Some(128)).as_deref(), Some("gpt-oss:120b"));
        assert_eq!(chosen(&all, Some(32)).as_deref(), Some("qwen3-coder:30b"));
        assert_eq!(chosen(&all, Some(10)).as_deref(), Some("llama3.1:8b"));
        assert_eq!(chosen(&all, Some(2)).as_deref(), Some("qwen3:4b"), "none fits");
        assert_eq!(
            chosen(&all, None).as_deref(),
            Some("gpt-oss:120b"),
            "on another machine"
        );
    }

    #[test]
    fn names_that_nobody_knows_keep_the_order_of_the_server_and_what_answers_no_chat_is_passed_over() {
        assert_eq!(chosen(&["house", "other"], Some(8)).as_deref(), Some("house"));
        assert_eq!(chosen(&["bge-m3", "house"], Some(8)).as_deref(), Some("house"));
        assert_eq!(
            chosen(&["text-embed"], Some(8)).as_deref(),
            Some("text-embed"),
            "the only one"
        );
        assert_eq!(chosen(&[], Some(8)), None);
        assert_eq!(chosen(&["some-7b", "some-13b"], Some(64)).as_deref(), Some("some-13b"));
    }

    #[test]
    fn the_size_in_a_name_says_what_it_needs() {
        let needs = |name: &str| by_size(name).map(|known| known.needs);
        assert_eq!(needs("mistral-7b-instruct"), Some(6));
        assert_eq!(needs("x-30b-a3b"), Some(22));
        assert_eq!(needs("tiny-1.7b"), Some(3));
        assert_eq!([needs("house"), needs("0b"), needs("99999999b")], [None; 3]);
    }

    #[test]
    fn every_row_of_the_table_is_whole_and_the_longest_part_counts() {
        for row in TABLE.lines().filter(|row| !row.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            assert_eq!(cells.len(), 3, "{row}");
            assert_eq!(cells[0], cells[0].to_lowercase());
            assert!(
                known(cells[0]).is_some_and(|known| known.needs.to_string() == cells[1]),
                "{row}"
            );
        }
        assert!(known("Qwen/Qwen3-Coder-480B-A35B").unwrap().needs > 200);
    }
}
