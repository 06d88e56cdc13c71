use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::{DEEPEST, copy};

#[test]
fn files_are_copied_with_their_permissions_and_links_are_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let (from, to) = (place.path().join("from"), place.path().join("to"));
    fs::create_dir_all(from.join("inner")).expect("folders");
    fs::write(from.join("inner/run.sh"), "exit 0\n").expect("a file");
    fs::set_permissions(from.join("inner/run.sh"), fs::Permissions::from_mode(0o755)).expect("a mode");
    copy(&from, &to).expect("a copy");
    let copied = fs::metadata(to.join("inner/run.sh")).expect("a copied file");
    assert_eq!(copied.permissions().mode() & 0o777, 0o755);
    assert!(copy(&from, &to).is_err(), "nothing is copied over something");
    symlink("/etc/passwd", from.join("link")).expect("a link");
    let error = copy(&from, &place.path().join("other")).expect_err("a link leads out");
    assert!(error.to_string().contains("/link` is a link"), "{error}");
}

#[test]
fn a_folder_that_is_too_deep_is_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let deep: String = "d/".repeat(DEEPEST as usize + 2);
    fs::create_dir_all(place.path().join("from").join(deep)).expect("folders");
    let error = copy(&place.path().join("from"), &place.path().join("to")).expect_err("too deep");
    assert!(error.to_string().contains("50000 files"), "{error}");
}
