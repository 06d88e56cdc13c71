use super::*;

#[test]
fn both_ways_to_the_children_agree() {
    let mut child = std::process::Command::new("sleep").arg("61.0401").spawn().unwrap();
    let own = std::process::id();
    let kept = children(own);
    let searched = children_by_search(own);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(kept.contains(&child.id()), "{kept:?}");
    assert!(searched.contains(&child.id()), "{searched:?}");
}
