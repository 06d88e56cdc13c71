use std::os::unix::fs::symlink;

use super::*;

#[test]
fn a_new_folder_is_private_and_others_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("a/live");
    ready(&folder).unwrap();
    ready(&folder).unwrap();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);

    let link = home.path().join("link");
    symlink(&folder, &link).unwrap();
    assert!(matches!(
        ready(&link),
        Err(DetachedError::Unsafe {
            why: "it is not a folder",
            ..
        })
    ));

    let open = home.path().join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(
        ready(&open),
        Err(DetachedError::Unsafe {
            why: "others may enter it",
            ..
        })
    ));
}

#[test]
fn a_path_that_no_socket_can_have_is_an_error() {
    let long = PathBuf::from("/").join("x".repeat(200));
    assert!(matches!(socket(&long, "a"), Err(DetachedError::TooLong { .. })));
    assert_eq!(socket(Path::new("/run/x"), "a").unwrap(), Path::new("/run/x/a.sock"));
}

#[test]
fn a_name_with_other_characters_than_letters_and_digits_is_an_error() {
    for name in ["", "../a", "a/b", "a.b", "\u{1b}[2J"] {
        let made = socket(Path::new("/run/x"), name);
        assert!(matches!(made, Err(DetachedError::BadName { .. })), "{name:?}");
    }
}
