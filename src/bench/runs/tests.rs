use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{private, remove};

#[test]
fn a_folder_that_others_may_enter_is_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("own");
    private(&folder).expect("a new folder");
    private(&folder).expect("the same folder");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("a mode");
    assert!(private(&folder).is_err());
    let link = place.path().join("link");
    std::os::unix::fs::symlink(place.path(), &link).expect("a link");
    assert!(private(&link).is_err());
}

#[test]
fn a_copy_without_permissions_is_removed() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("whole");
    fs::create_dir_all(folder.join("a/b")).expect("folders");
    fs::write(folder.join("a/b/file"), "").expect("a file");
    fs::set_permissions(folder.join("a/b"), fs::Permissions::from_mode(0o000)).expect("a mode");
    fs::set_permissions(folder.join("a"), fs::Permissions::from_mode(0o500)).expect("a mode");
    remove(&folder).expect("removed");
    assert!(!folder.exists());
    remove(&folder).expect("nothing to remove");
}
