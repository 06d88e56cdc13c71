use super::chance;

#[test]
fn chances_differ_and_cover_the_whole_range() {
    let all: Vec<f64> = (0..1_000).map(|_| chance()).collect();
    assert!(all.iter().all(|chance| (0.0..=1.0).contains(chance)));
    let tenths: std::collections::BTreeSet<u8> = all.iter().map(|chance| (chance * 9.99) as u8).collect();
    assert_eq!(tenths.len(), 10);
}
