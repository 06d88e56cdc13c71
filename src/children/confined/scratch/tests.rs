use super::*;

#[test]
fn what_a_killed_program_left_is_removed_and_what_a_living_one_has_stays() {
    let cache = tempfile::tempdir().unwrap();
    let living = Scratch::new(cache.path()).unwrap();
    let dead = cache.path().join("confined/4711.1");
    folder(&dead.join("tmp/closed"), 0).unwrap();
    File::create(dead.join("lock")).unwrap();
    let next = Scratch::new(cache.path()).unwrap();
    assert!(!dead.exists());
    assert!(living.stage().tmp.exists() && next.stage().tmp.exists());
    let own = living.own.clone();
    drop(living);
    assert!(!own.exists() && next.stage().tmp.exists());
}

#[test]
fn layers_from_before_the_system_was_started_are_let_go_of() {
    let cache = tempfile::tempdir().unwrap();
    let ground = Scratch::new(cache.path()).unwrap();
    let caches = [PathBuf::from("/home/u/.cache")];
    let layer = || ground.lend(&caches).unwrap().caches[0].upper.clone();
    fs::write(layer().join("stored"), "").unwrap();
    assert!(layer().join("stored").exists());
    let boot = cache.path().join("confined/layers/boot");
    fs::write(&boot, "another").unwrap();
    assert!(!layer().join("stored").exists());
    fs::write(layer().join("stored"), "").unwrap();
    File::open(&boot).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    assert!(!layer().join("stored").exists(), "nor do they grow for ever");
}

#[test]
fn layers_that_a_child_has_are_not_taken_away_from_it() {
    let cache = tempfile::tempdir().unwrap();
    let ground = Scratch::new(cache.path()).unwrap();
    let caches = [PathBuf::from("/home/u/.cache")];
    let first = ground.lend(&caches).unwrap();
    fs::write(cache.path().join("confined/layers/boot"), "another").unwrap();
    let _second = ground.lend(&caches).unwrap();
    assert!(first.caches[0].upper.exists());
}

#[test]
fn kept_layers_belong_to_one_child_at_a_time() {
    let cache = tempfile::tempdir().unwrap();
    let ground = Scratch::new(cache.path()).unwrap();
    let caches = [PathBuf::from("/home/u/.cache")];
    let first = ground.lend(&caches).unwrap();
    let second = ground.lend(&caches).unwrap();
    assert_ne!(first.caches[0].upper, second.caches[0].upper);
    let (kept, thrown_away) = (first.caches[0].upper.clone(), second.caches[0].upper.clone());
    drop((first, second));
    assert!(kept.exists() && !thrown_away.exists());
    assert_eq!(ground.lend(&caches).unwrap().caches[0].upper, kept);
}
