use super::*;

#[test]
fn a_file_is_read_as_far_as_it_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long");
    std::fs::write(&file, vec![b'x'; 1_000_001]).unwrap();
    assert_eq!(now(&file), None);
    std::fs::write(&file, vec![b'x'; 1_000_000]).unwrap();
    assert_eq!(now(&file).map(|bytes| bytes.len()), Some(1_000_000));
}
