use super::lost;
use benchdog_domain::budget::Usage;

fn counted(prompt: u64, cached: Option<u64>) -> Usage {
    Usage {
        prompt,
        cached,
        ..Usage::default()
    }
}

#[test]
fn a_cache_is_lost_where_most_of_a_long_prompt_is_read_again() {
    let kept = counted(10_000, Some(9_000));
    assert_eq!(lost(kept, counted(10_400, Some(0))), Some(10_000));
    assert_eq!(lost(kept, counted(10_400, Some(9_984))), None);
    assert_eq!(lost(kept, counted(10_400, None)), None, "the server does not tell");
    assert_eq!(
        lost(counted(2_000, Some(1_800)), counted(2_400, Some(0))),
        None,
        "not worth a word"
    );
    assert_eq!(
        lost(counted(10_000, Some(0)), counted(10_400, Some(0))),
        None,
        "it keeps nothing"
    );
}
