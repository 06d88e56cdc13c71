use super::*;

#[test]
fn the_last_part_of_a_disk_is_a_twentieth_and_of_a_large_one_a_gigabyte() {
    let takes = |whole: u64, free: u64| Space { whole, free }.has_room_for(1 << 20);
    assert!(takes(100 << 20, 6 << 20) && !takes(100 << 20, 5 << 20));
    assert!(takes(1 << 40, 1025 << 20) && !takes(1 << 40, 1024 << 20));
    // A file system that reports no sizes is not full.
    assert!(takes(0, 0));
}

#[test]
fn a_folder_that_is_not_there_says_nothing() {
    assert_eq!(Space::of(Path::new("/there/is/none")), None);
    assert!(has_room(Path::new("/there/is/none"), 1));
}
