use super::{sum, total};

#[test]
fn memory_is_read_in_whole_gigabytes_and_cards_add_up() {
    assert_eq!(total("MemFree: 1 kB\n"), None);
    assert_eq!(total("MemTotal:       32612345 kB\nMemFree: 1 kB\n"), Some(32));
    assert_eq!(sum("24564\n24564\n"), Some(48));
    assert_eq!([sum(""), sum("No devices were found\n")], [None; 2]);
}
