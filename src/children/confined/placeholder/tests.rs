use super::*;

#[test]
fn what_stands_goes_and_what_somebody_made_of_it_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let own = path("own");
    fs::create_dir(&own).unwrap();
    fs::write(path("there"), "").unwrap();
    assert!(Placeholder::new(&own, &path("there"), Stand::Folder).is_none());
    let laid = |name: &str, stand| Placeholder::new(&own, &path(name), stand).unwrap();
    let all = [
        laid("folder", Stand::Folder),
        laid("file", Stand::File(ITSELF)),
        laid("filled", Stand::Folder),
        laid("written", Stand::File("")),
    ];
    fs::write(path("filled/x"), "").unwrap();
    fs::write(path("written"), "settings").unwrap();
    drop(all);
    let left = |name: &str| path(name).exists();
    assert!(left("there") && left("filled/x") && left("written") && !left("folder") && !left("file"));
}

#[test]
fn what_a_killed_program_left_standing_is_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("name with\nlines");
    std::mem::forget(Placeholder::new(folder.path(), &path, Stand::Folder));
    assert!(path.exists());
    remove_placeholders(folder.path());
    assert!(!path.exists());
}
