use super::*;

fn written(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn what_git_itself_writes_is_harmless_and_what_runs_something_is_not() {
    let fresh = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";
    let module = format!("{fresh}\tworktree = ../../../sub\n");
    for (name, text, harmless) in [
        (".git/config", fresh, true),
        (".git/config", "[core]\n\tfsmonitor = ./x\n", false),
        (".git/config", "[include]\n\tpath = x\n", false),
        (".git/config", &*module, false),
        (".git/modules/sub/config", &*module, true),
        (".git/commondir", "../..", false),
        (".git/worktrees/w/commondir", "../..\n", true),
        (".git/worktrees/w/commondir", "../../../evil\n", false),
        ("worktrees/x/.git/commondir", "../..", false),
        (".git/hooks/pre-commit", "", false),
        (".git/info/attributes", "* filter=x\n", false),
        (".git/info/attributes", "\n", true),
    ] {
        let (_folder, path) = written(name, text);
        let git = path.ancestors().find(|folder| folder.ends_with(".git")).unwrap();
        fs::write(git.join("HEAD"), "").unwrap();
        assert_eq!(is_harmless(&path), harmless, "{name}: {text}");
    }
}

#[test]
fn a_git_folder_is_looked_at_with_its_submodules_and_work_trees() {
    let (folder, _) = written(".git/modules/a/b/HEAD", "");
    let git = folder.path().join(".git");
    for file in [
        "hooks/pre-commit",
        "hooks/update.sample",
        "config",
        "modules/a/b/config",
        "modules/a/b/hooks/x",
    ] {
        fs::create_dir_all(git.join(file).parent().unwrap()).unwrap();
        fs::write(git.join(file), "").unwrap();
    }
    let family = family(&git);
    assert_eq!(family, [git.clone(), git.join("modules/a/b")]);
    assert_eq!(obeyed(&git), [git.join("config"), git.join("hooks/pre-commit")]);
    assert_eq!(
        obeyed(&family[1]),
        [family[1].join("config"), family[1].join("hooks/x")]
    );
}

#[test]
fn hooks_that_the_settings_name_are_those_inside() {
    let (folder, path) = written(".git/config", "[core]\n\thooksPath = .husky/_\n");
    let git = folder.path().join(".git");
    fs::create_dir_all(folder.path().join(".husky/_")).unwrap();
    assert_eq!(named_hooks(&git), Some(folder.path().join(".husky")));
    for outside in ["/etc", "../elsewhere", "."] {
        fs::write(&path, format!("[core]\n\thooksPath = {outside}\n")).unwrap();
        assert_eq!(named_hooks(&git), None, "{outside}");
    }
}
