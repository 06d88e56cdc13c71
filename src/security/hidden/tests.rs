use super::*;

fn names(root: &Path, seen: &mut Seen) -> Vec<String> {
    let mut found: Vec<String> = seen
        .below(root, &[])
        .unwrap()
        .secrets
        .iter()
        .map(|path| path.strip_prefix(root).unwrap().display().to_string())
        .collect();
    found.sort();
    found
}

#[test]
fn secrets_are_found_wherever_they_lie_and_when_they_come_later() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    for folder in ["app/config", "app/.aws", "node_modules/x", ".git"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    for file in [
        "app/config/prod.env",
        "app/.aws/config",
        "app/main.rs",
        "node_modules/x/test.pem",
    ] {
        fs::write(root.join(file), "").unwrap();
    }
    let mut seen = Seen::default();
    assert_eq!(names(root, &mut seen), ["app/.aws", "app/config/prod.env"]);
    fs::write(root.join("app/.env"), "").unwrap();
    fs::remove_file(root.join("app/config/prod.env")).unwrap();
    assert_eq!(names(root, &mut seen), ["app/.aws", "app/.env"]);
    fs::write(root.join("app/config/late.key"), "").unwrap();
    assert_eq!(names(root, &mut seen), ["app/.aws", "app/.env", "app/config/late.key"]);
}

#[test]
fn every_name_of_a_secret_is_one_whenever_it_got_it() {
    let (root, home) = (
        tempfile::tempdir_in("/var/tmp").unwrap(),
        tempfile::tempdir_in("/var/tmp").unwrap(),
    );
    let root = root.path();
    fs::create_dir_all(root.join("docs")).unwrap();
    fs::create_dir_all(home.path().join(".ssh")).unwrap();
    for file in ["docs/first", "docs/second", "docs/alone"] {
        fs::write(root.join(file), "").unwrap();
    }
    let secrets = in_homes(Some(home.path()));
    let mut seen = Seen::default();
    let mut names = || {
        let mut found = seen.below(root, &secrets).unwrap().secrets;
        found.sort();
        found
    };
    assert!(names().is_empty());
    std::thread::sleep(SAME_TICK * 2);
    assert!(names().is_empty());
    // The first two links do not change `docs`, the folder of the harmless names.
    fs::hard_link(root.join("docs/first"), root.join(".env")).unwrap();
    fs::hard_link(root.join("docs/second"), home.path().join(".ssh/id_rsa")).unwrap();
    fs::hard_link(root.join("docs/alone"), root.join("docs/also-alone")).unwrap();
    let wanted = [".env", "docs/first", "docs/second"].map(|name| root.join(name));
    assert_eq!(names(), wanted);
}

#[test]
fn a_look_without_the_secrets_of_homes_makes_nothing_be_read_again() {
    let (root, home) = (
        tempfile::tempdir_in("/var/tmp").unwrap(),
        tempfile::tempdir_in("/var/tmp").unwrap(),
    );
    let root = root.path();
    let key = home.path().join("id_rsa");
    fs::write(&key, "").unwrap();
    fs::hard_link(&key, home.path().join("copy")).unwrap();
    std::thread::sleep(SAME_TICK * 2);
    let mut seen = Seen::default();
    seen.below(root, std::slice::from_ref(&key)).unwrap();
    let read = Arc::clone(&seen.folders[root]);
    seen.by_name_below(root).unwrap();
    seen.below(root, &[key]).unwrap();
    assert!(Arc::ptr_eq(&read, &seen.folders[root]));
}

#[test]
fn a_folder_whose_time_was_set_back_is_read_again() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let mut seen = Seen::default();
    std::thread::sleep(SAME_TICK * 2);
    let before = fs::metadata(root).unwrap().modified().unwrap();
    assert!(seen.below(root, &[]).unwrap().repositories.is_empty());
    fs::create_dir(root.join(".git")).unwrap();
    fs::File::open(root).unwrap().set_modified(before).unwrap();
    assert_eq!(seen.below(root, &[]).unwrap().repositories, [root.join(".git")]);
}

#[test]
fn what_others_obey_is_found_with_repositories_by_every_look() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    for folder in ["sub/.git", "bare/objects", "bare/refs", ".github/workflows"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    for file in ["bare/HEAD", "tree.git", ".github/workflows/ci.yml", "Makefile"] {
        fs::write(root.join(file), "").unwrap();
    }
    let below = Seen::default().below(root, &[]).unwrap();
    assert_eq!(below.obeyed, [root.join(".github/workflows/ci.yml")]);
    let mut repositories = below.repositories;
    repositories.sort();
    assert_eq!(repositories, [root.join("bare"), root.join("sub/.git")]);
}

#[test]
fn secrets_of_a_home_are_found_at_their_places() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join(".config/gh")).unwrap();
    fs::create_dir_all(home.path().join(".ssh")).unwrap();
    fs::write(home.path().join(".config/gh/hosts.yml"), "").unwrap();
    fs::write(home.path().join(".netrc"), "").unwrap();
    fs::write(home.path().join("notes"), "").unwrap();
    let found = in_homes(Some(home.path()));
    for name in [".ssh", ".netrc", ".config/gh/hosts.yml"] {
        assert!(found.contains(&home.path().join(name)), "{name}: {found:?}");
    }
    assert!(!found.contains(&home.path().join("notes")));
}
