use std::time::Duration;

use super::*;

async fn told(watch: &Watch) -> Vec<String> {
    let changed = tokio::time::timeout(Duration::from_secs(5), watch.changed()).await;
    changed.expect("a change is told").unwrap().into_iter().collect()
}

async fn is_silent(watch: &Watch) -> bool {
    tokio::time::timeout(Duration::from_millis(50), watch.changed())
        .await
        .is_err()
}

#[tokio::test]
async fn what_comes_goes_and_is_written_is_told_by_folder_and_reading_is_not() {
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| home.path().join(path);
    std::fs::create_dir_all(at("src/deep")).unwrap();
    let watch = Watch::of(home.path()).unwrap();
    watch.add(".").unwrap();
    watch.add("src").unwrap();
    std::fs::write(at("src/a.rs"), "a").unwrap();
    assert_eq!(told(&watch).await, ["src"]);
    assert!(is_silent(&watch).await);
    std::fs::read(at("src/a.rs")).unwrap();
    std::fs::read_dir(at("src")).unwrap().for_each(drop);
    std::fs::write(at("src/deep/b.rs"), "b").unwrap();
    assert!(is_silent(&watch).await, "nobody looks at what lies deeper");
    std::fs::rename(at("src/a.rs"), at("a.rs")).unwrap();
    assert_eq!(told(&watch).await, [".", "src"]);
    std::fs::remove_dir_all(at("src")).unwrap();
    let mut all = told(&watch).await;
    while !all.contains(&".".to_owned()) {
        all = told(&watch).await;
    }
    std::fs::create_dir(at("src")).unwrap();
    assert_eq!(told(&watch).await, ["."]);
    watch.add("src").unwrap();
    std::fs::write(at("src/c.rs"), "c").unwrap();
    assert_eq!(told(&watch).await, ["src"], "a folder that came again");
}

#[tokio::test]
async fn what_git_does_is_told_for_every_folder() {
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| home.path().join(path);
    std::fs::create_dir_all(at("src")).unwrap();
    let watch = Watch::of(home.path()).unwrap();
    watch.add(".").unwrap();
    watch.add("src").unwrap();
    std::fs::create_dir_all(at(".git")).unwrap();
    assert_eq!(told(&watch).await, [".", "src"], "it became a repository");
    std::fs::write(at(".git/index.lock"), "").unwrap();
    std::fs::write(at(".git/COMMIT_EDITMSG"), "").unwrap();
    assert!(is_silent(&watch).await);
    std::fs::rename(at(".git/index.lock"), at(".git/index")).unwrap();
    assert_eq!(told(&watch).await, [".", "src"]);
}

#[tokio::test]
async fn a_renamed_folder_is_known_by_its_new_name_and_old_ones_are_let_go_of() {
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| home.path().join(path);
    let watch = Watch::of(home.path()).unwrap();
    std::fs::create_dir(at("old")).unwrap();
    watch.add("old").unwrap();
    std::fs::rename(at("old"), at("new")).unwrap();
    watch.add("new").unwrap();
    std::fs::write(at("new/a"), "a").unwrap();
    assert_eq!(told(&watch).await, ["new"]);
    for number in 0..MOST {
        let name = format!("{number}");
        std::fs::create_dir(at(&name)).unwrap();
        watch.add(&name).unwrap();
    }
    assert_eq!(watch.watched().len(), MOST);
    std::fs::write(at("new/b"), "b").unwrap();
    std::fs::write(at("0/b"), "b").unwrap();
    assert_eq!(told(&watch).await, ["0"]);
    assert!(watch.add("nowhere").is_err());
}

#[tokio::test]
async fn a_folder_that_is_watched_beside_through_a_link_stays_under_the_name_it_was_listed_by() {
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| home.path().join(path);
    std::fs::create_dir_all(at("real/src")).unwrap();
    std::os::unix::fs::symlink("real", at("link")).unwrap();
    let watch = Watch::of(home.path()).unwrap();
    watch.add("real/src").unwrap();
    watch.add_beside("link/src");
    std::fs::write(at("real/src/a"), "a").unwrap();
    assert_eq!(told(&watch).await, ["real/src"]);
    std::fs::create_dir(at("docs")).unwrap();
    watch.add_beside("docs");
    watch.add_beside("nowhere");
    std::fs::write(at("docs/a"), "a").unwrap();
    assert_eq!(told(&watch).await, ["docs"]);
}
