use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;

use crate::anthropic::FORMAT;
use crate::corpus::Corpus;

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| Corpus::load("sse_anthropic", FORMAT));

#[test]
fn every_answer_of_the_corpus_is_understood_however_it_is_cut() {
    assert!(CORPUS.cases.len() >= 50, "only {} cases", CORPUS.cases.len());
    CORPUS.check_all();
}

#[test]
fn an_answer_that_ends_too_soon_is_never_whole_and_calls_nothing() {
    // Nothing essential follows the stop reason, so an answer truncated after it is still complete. A message that is
    // not streamed has no such position.
    CORPUS.check_cuts(|text| text.find("event: message_delta"), 40);
}

#[test]
fn the_cache_is_told_apart_from_the_rest_of_the_prompt() {
    let usage = CORPUS.decode_case("cached_prompt").usage.unwrap();
    assert_eq!((usage.prompt, usage.cached), (2107, Some(2000)));
}

#[test]
fn the_calls_keep_the_ids_of_the_server() {
    let calls = CORPUS.decode_case("indexes_jump").calls;
    let ids: Vec<&str> = calls.iter().map(|call| call.id.0.as_str()).collect();
    assert_eq!(ids, ["x", "y"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_damaged_answer_is_judged_the_same_in_every_cut(
        which in any::<Index>(),
        damage in proptest::collection::vec((any::<Index>(), any::<u8>()), 0..4),
        size in 1_usize..40,
    ) {
        CORPUS.check_damage(which, damage, size)?;
    }
}
