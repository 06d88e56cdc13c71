use super::*;

#[test]
fn of_the_home_only_tools_stay_visible_and_a_settings_file_with_a_token_does_not() {
    let home = tempfile::tempdir_in("/var/tmp").unwrap();
    let home = home.path().canonicalize().unwrap();
    for folder in [".rustup", ".ssh", "notes", ".config/git"] {
        fs::create_dir_all(home.join(folder)).unwrap();
    }
    fs::write(home.join(".gitconfig"), "[url \"https://u:hunter2hunter2@h/\"]\n").unwrap();
    fs::write(home.join(".config/git/config"), "[user]\n\tname = U\n").unwrap();
    let environment = Environment::of([("PATH".to_owned(), "/usr/bin:/".to_owned())]);
    let project = Project::new(Some(&home), &environment, &[]);
    let visible = project.visible(&[]);
    assert!(visible.contains(&home.join(".rustup")) && visible.contains(&home.join(".config/git/config")));
    for name in [".ssh", "notes", ".gitconfig"] {
        assert!(!visible.contains(&home.join(name)), "{name}");
    }
    assert!(!visible.contains(&PathBuf::from("/")));
    let covered = project.covered(&[]);
    assert!(covered.contains(&PathBuf::from("/var")) && !covered.contains(&PathBuf::from("/usr")));
    assert!(project.covered(&[Path::new("/")]).is_empty());
}

#[test]
fn a_work_tree_sees_the_repository_it_belongs_to_and_no_folder_that_only_claims_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    for name in [
        "main/.git/objects",
        "main/.git/refs",
        "main/.git/worktrees/w",
        "tree",
        "other",
        "private",
    ] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    fs::write(folder.join("main/.git/HEAD"), "").unwrap();
    fs::write(folder.join("main/.git/worktrees/w/commondir"), "../..\n").unwrap();
    fs::write(folder.join("tree/.git"), "gitdir: ../main/.git/worktrees/w\n").unwrap();
    fs::write(folder.join("other/.git"), "gitdir: ../private\n").unwrap();
    assert_eq!(repository(&folder.join("tree")), Some(folder.join("main/.git")));
    assert_eq!(repository(&folder.join("other")), None);
}
