use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

#[test]
fn a_recording_has_a_private_folder_and_those_that_a_crash_left_are_removed() {
    let data = tempfile::tempdir().unwrap();
    let all = data.path().join("voice");
    let left = all.join("left");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("voice.wav"), "RIFF").unwrap();
    let first = Recording::create(&all).unwrap();
    assert!(!left.exists());
    let second = Recording::create(&all).unwrap();
    assert!(first.file.exists(), "a recording in use stays");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&second.folder), mode(&second.file)), (0o700, 0o600));
    drop((first, second));
    assert_eq!(fs::read_dir(&all).unwrap().count(), 0);
}

#[test]
fn a_link_in_place_of_the_recording_is_not_read() {
    let data = tempfile::tempdir().unwrap();
    let recording = Recording::create(&data.path().join("voice")).unwrap();
    fs::write(&recording.file, "RIFF").unwrap();
    assert_eq!(Recording::read(&recording.file).unwrap(), b"RIFF");
    let secret = data.path().join("id_rsa");
    fs::write(&secret, "secret").unwrap();
    fs::remove_file(&recording.file).unwrap();
    symlink(&secret, &recording.file).unwrap();
    assert!(Recording::read(&recording.file).is_err());
}
