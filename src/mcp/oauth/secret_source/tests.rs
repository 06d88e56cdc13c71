use std::fs::{self, Permissions};

use super::*;

#[test]
fn a_secret_file_must_be_private_not_empty_and_small() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key.pem");
    let told = |path: &Path| read_private_file(path).unwrap_err().to_string();
    let may = |mode| fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    fs::write(&path, " t0p\n").unwrap();
    may(0o640);
    assert!(told(&path).starts_with("others can read it; `chmod 600 "));
    may(0o600);
    assert_eq!(read_private_file(&path).unwrap(), "t0p");
    fs::write(&path, "\n").unwrap();
    assert_eq!(told(&path), "it is empty");
    fs::write(&path, vec![b'x'; 70_000]).unwrap();
    assert!(told(&path).starts_with("it holds more than"));
    assert_eq!(told(folder.path()), "it is no file");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    assert_eq!(told(&pipe), "it is no file");
}
