use std::fs;
use std::os::unix::fs::symlink;

use super::{SHOWN, reward, tail};

#[test]
fn a_reward_is_read_from_either_file_and_never_through_a_link() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    assert_eq!(reward(folder), None);
    fs::write(folder.join("reward.json"), "{\"reward\": 0.5}").expect("a file");
    assert_eq!(reward(folder), Some(0.5));
    fs::write(folder.join("reward.txt"), "1\n").expect("a file");
    assert_eq!(reward(folder), Some(1.0));
    fs::write(folder.join("reward.txt"), "yes").expect("a file");
    assert_eq!(reward(folder), Some(0.0));
    fs::remove_file(folder.join("reward.txt")).expect("a file");
    fs::remove_file(folder.join("reward.json")).expect("a file");
    fs::write(folder.join("planted"), "1").expect("a file");
    symlink(folder.join("planted"), folder.join("reward.txt")).expect("a link");
    assert_eq!(reward(folder), None);
}

#[test]
fn the_last_part_of_an_output_stays_whole_characters() {
    let text = format!("x{}", "好".repeat(SHOWN));
    let shown = tail(&text);
    assert!(shown.len() <= SHOWN && shown.len() > SHOWN - 3 && text.ends_with(&shown));
    assert_eq!(tail("short"), "short");
}
