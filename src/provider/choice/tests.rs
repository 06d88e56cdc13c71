use super::{TABLE, choose, find_known, from_size};
use crate::ListedModel;

fn listed(ids: &[&str]) -> Vec<ListedModel> {
    let model = |id: &&str| ListedModel {
        id: (*id).to_owned(),
        context: None,
        trained: None,
        weights: None,
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
    let needs = |name: &str| from_size(name).map(|known| known.needs);
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
            find_known(cells[0]).is_some_and(|known| known.needs.to_string() == cells[1]),
            "{row}"
        );
    }
    assert!(find_known("Qwen/Qwen3-Coder-480B-A35B").unwrap().needs > 200);
}
