use super::*;

#[test]
fn a_link_stays_a_link_and_a_mode_stays_a_mode() {
    let home = tempfile::tempdir().unwrap();
    let (real, link) = (home.path().join("dotfiles.jsonc"), home.path().join("config.jsonc"));
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("dotfiles.jsonc", &link).unwrap();
    replace(&link, "{\"a\": 1}").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{\"a\": 1}");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    fs::remove_file(&real).unwrap();
    assert!(replace(&link, "{}").is_err(), "a link that leads nowhere");
    let new = home.path().join("new/config.jsonc");
    replace(&new, "{}").unwrap();
    assert_eq!(fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o600);
    let left = fs::read_dir(home.path().join("new")).unwrap().count();
    assert_eq!(left, 1, "no draft is left");
}
