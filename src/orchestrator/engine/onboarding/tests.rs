use super::*;

#[test]
fn an_old_file_is_kept_and_no_earlier_one_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.jsonc");
    for (text, kept) in [("one", "config.jsonc.bak"), ("two", "config.jsonc.bak2")] {
        std::fs::write(&file, text).unwrap();
        assert_eq!(put_aside(&file).unwrap(), home.path().join(kept));
    }
    let read = |name: &str| std::fs::read_to_string(home.path().join(name)).unwrap();
    assert_eq!(
        (read("config.jsonc.bak"), read("config.jsonc.bak2")),
        ("one".to_owned(), "two".to_owned())
    );
}
