use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::*;

/// A repository with one commit, and a folder for its worktrees.
struct Scene {
    home: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let scene = Self {
            home: tempfile::tempdir().unwrap(),
        };
        std::fs::create_dir(scene.main()).unwrap();
        scene.git(&["init", "--quiet", "-b", "main"]);
        scene.write("a.txt", "one\n");
        scene.git(&["add", "a.txt"]);
        scene.commit();
        scene
    }

    fn main(&self) -> PathBuf {
        self.home.path().join("main")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.main().join(name), text).unwrap();
    }

    fn commit(&self) {
        self.git(&["commit", "--quiet", "-m", "words"]);
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.main(), arguments)
    }

    fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(arguments)
            .current_dir(folder)
            .env("HOME", self.home.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn repository(&self) -> Repository {
        self.try_repository().unwrap()
    }

    fn try_repository(&self) -> Result<Repository, NoWorktree> {
        Repository::of(&self.main(), &self.home.path().join("kept"))
    }

    fn open(&self, name: &str) -> Result<Made, NoWorktree> {
        self.repository().open(Some(name), Filters::Refuse)
    }
}

#[test]
fn a_worktree_has_a_branch_of_its_own_and_the_main_tree_keeps_index_and_stash() {
    let scene = Scene::new();
    scene.write("a.txt", "stashed\n");
    scene.git(&["stash", "--quiet"]);
    scene.write("a.txt", "two\n");
    scene.git(&["add", "a.txt"]);
    scene.write("a.txt", "three\n");
    scene.write(".gitignore", "target/\n.env\n");
    scene.write(".env", "KEY=1\n");
    std::fs::create_dir(scene.main().join("target")).unwrap();
    scene.write("target/out", "x");
    let index = || std::fs::read(scene.main().join(".git/index")).unwrap();
    let before = (index(), scene.git(&["stash", "list"]));
    let made = scene.open("fix").unwrap();
    assert_eq!(made.branch, "benchdog/fix");
    assert_eq!(std::fs::read_to_string(made.path.join("a.txt")).unwrap(), "one\n");
    let left_out = made.left_out.unwrap();
    assert_eq!(left_out.ignored, [".env", "target/"]);
    assert_eq!((left_out.more, left_out.uncommitted), (0, 2));
    assert_eq!((index(), scene.git(&["stash", "list"])), before);
    assert_eq!(scene.git(&["branch", "--show-current"]).trim(), "main");
    scene.git(&["fsck", "--strict"]);
}

#[test]
fn the_same_name_finds_it_again_and_no_name_finds_a_free_one() {
    let scene = Scene::new();
    let made = scene.open("fix").unwrap();
    let again = scene.open("fix").unwrap();
    assert_eq!((again.path, again.left_out), (made.path, None));
    let free = scene.repository().open(None, Filters::Refuse).unwrap();
    assert_eq!(free.name, "task-1");
    let free = scene.repository().open(None, Filters::Refuse).unwrap();
    assert_eq!(free.name, "task-2");
}

#[test]
fn names_are_made_plain_and_letters_of_all_scripts_stay() {
    let scene = Scene::new();
    for (name, plain) in [
        ("fix the  login/form", "fix-the-login-form"),
        ("修复 登录", "修复-登录"),
        ("..a..", "a"),
    ] {
        assert_eq!(scene.open(name).unwrap().name, plain);
    }
    for name in ["", "--", "a.lock", &"x".repeat(200)] {
        let refused = scene.open(name);
        assert!(
            matches!(refused, Err(NoWorktree::BadName { .. })),
            "{name}: {refused:?}"
        );
    }
}

#[test]
fn each_place_without_a_worktree_says_why() {
    let scene = Scene::new();
    scene.git(&["branch", "benchdog/taken"]);
    let taken = NoWorktree::Taken {
        name: "taken".to_owned(),
        branch: "benchdog/taken".to_owned(),
    };
    assert_eq!(scene.open("taken"), Err(taken));
    let kept = scene.home.path().join("kept");
    let plain = scene.home.path().join("plain");
    std::fs::create_dir(&plain).unwrap();
    assert_eq!(Repository::of(&plain, &kept).err(), Some(NoWorktree::NoRepository));
    scene.git(&["clone", "--quiet", "--bare", ".", "../bare"]);
    let bare = Repository::of(&scene.home.path().join("bare"), &kept);
    assert_eq!(bare.err(), Some(NoWorktree::Bare));
    scene.git(&["init", "--quiet", "../unborn"]);
    let unborn = Repository::of(&scene.home.path().join("unborn"), &kept).unwrap();
    assert_eq!(unborn.open(Some("x"), Filters::Refuse), Err(NoWorktree::Unborn));
}

#[test]
fn a_detached_head_and_a_shallow_clone_are_begun_from() {
    let scene = Scene::new();
    scene.git(&["checkout", "--quiet", "--detach"]);
    assert!(scene.open("from-detached").is_ok());
    let origin = format!("file://{}", scene.main().display());
    scene.git(&["clone", "--quiet", "--depth", "1", &origin, "../shallow"]);
    let shallow = Repository::of(&scene.home.path().join("shallow"), &scene.home.path().join("kept")).unwrap();
    assert!(shallow.open(Some("x"), Filters::Refuse).is_ok());
}

#[test]
fn nothing_that_the_repository_names_runs_unless_it_is_trusted() {
    let scene = Scene::new();
    let ran = scene.home.path().join("ran");
    let hook = scene.main().join(".git/hooks/post-checkout");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", ran.display())).unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    scene.git_in(
        &scene.main(),
        &["config", "core.fsmonitor", &format!("touch {}", ran.display())],
    );
    assert!(scene.open("hooks").is_ok());
    assert!(!ran.exists());
    let filter = format!("touch {}; cat", ran.display());
    scene.git(&["config", "--unset", "core.fsmonitor"]);
    scene.git(&["config", "filter.own.smudge", &filter]);
    scene.write(".gitattributes", "* filter=own\n");
    scene.git(&["add", ".gitattributes"]);
    scene.commit();
    let names = vec!["filter.own.smudge".to_owned()];
    assert_eq!(scene.open("filters"), Err(NoWorktree::Filters { names }));
    assert!(!ran.exists());
    assert!(scene.repository().open(Some("filters"), Filters::Run).is_ok());
    assert!(
        ran.exists(),
        "where it is trusted, it is the repository's way to write files"
    );
}

#[test]
fn the_list_says_what_is_only_there_and_what_goes_takes_its_branch_along() {
    let scene = Scene::new();
    let made = scene.open("fix").unwrap();
    let repository = scene.repository();
    assert!(repository.list().unwrap()[0].is_spent());
    std::fs::write(made.path.join("a.txt"), "two\n").unwrap();
    scene.git_in(&made.path, &["commit", "--quiet", "-am", "more"]);
    std::fs::write(made.path.join("new.txt"), "x").unwrap();
    let listed = repository.list().unwrap();
    assert_eq!(
        (listed[0].changed, listed[0].ahead, listed[0].name.as_str()),
        (1, 1, "fix")
    );
    repository.remove(&listed[0]).unwrap();
    assert_eq!(repository.list().unwrap(), []);
    assert!(!made.path.exists());
    assert_eq!(scene.git(&["branch", "--list", "benchdog/*"]), "");
    assert!(scene.open("fix").is_ok(), "the name is free again");
}

#[test]
fn one_whose_folder_was_removed_by_hand_is_not_listed_and_its_branch_is_not_lost() {
    let scene = Scene::new();
    let made = scene.open("fix").unwrap();
    std::fs::remove_dir_all(&made.path).unwrap();
    assert_eq!(scene.repository().list().unwrap(), []);
    assert!(matches!(scene.open("fix"), Err(NoWorktree::Taken { .. })));
}

#[test]
fn what_a_worktree_changed_is_a_patch_of_commits_edits_and_new_files_and_no_index_is_touched() {
    let scene = Scene::new();
    let made = scene.open("fix").unwrap();
    let write = |name: &str, text: &[u8]| std::fs::write(made.path.join(name), text).unwrap();
    write("a.txt", b"one\ntwo\n");
    scene.git_in(&made.path, &["commit", "--quiet", "-am", "more"]);
    write("a.txt", b"one\ntwo\nthree\n");
    write("new file.txt", b"new\n");
    write("picture", b"\x00\x01");
    scene.write("b.txt", "of the main tree\n");
    let index = || {
        [
            scene.main().join(".git/index"),
            scene.main().join(".git/worktrees/fix/index"),
        ]
        .map(std::fs::read)
    };
    let before = index().map(Result::unwrap);
    let changes = scene.repository().changes("fix").unwrap();
    assert_eq!(index().map(Result::unwrap), before);
    assert_eq!(changes.main, std::fs::canonicalize(scene.main()).unwrap());
    assert_eq!(changes.binary, ["picture"]);
    assert!(changes.patch.contains("+two\n+three\n"), "{}", changes.patch);
    assert!(changes.patch.contains("b/new file.txt"), "{}", changes.patch);
    assert!(!changes.patch.contains("b.txt"), "{}", changes.patch);
    let kept = scene.home.path().join("kept");
    let left = std::fs::read_dir(kept)
        .unwrap()
        .flatten()
        .flat_map(|folder| std::fs::read_dir(folder.path()).unwrap().flatten())
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(".index-"));
    assert_eq!(left.count(), 0, "no index lies beside the worktree");
    let unknown = NoWorktree::Unknown { name: "no".to_owned() };
    assert_eq!(scene.repository().changes("no"), Err(unknown));
}

#[test]
fn a_filter_that_counts_in_a_worktree_alone_does_not_run_either() {
    for hidden in ["include", "own"] {
        let scene = Scene::new();
        let ran = scene.home.path().join("ran");
        scene.write(".gitattributes", "* filter=own\n");
        scene.git(&["add", ".gitattributes"]);
        scene.commit();
        let filter = format!("[filter \"own\"]\n\tsmudge = \"touch {}; cat\"\n", ran.display());
        let git = scene.main().join(".git");
        if hidden == "include" {
            std::fs::write(git.join("evil"), filter).unwrap();
            scene.git(&["config", "includeIf.gitdir:**/worktrees/**.path", "evil"]);
        } else {
            scene.git(&["config", "extensions.worktreeConfig", "true"]);
            std::fs::write(git.join("config.worktree"), filter).unwrap();
        }
        let opened = scene.open("fix");
        assert!(!ran.exists(), "{hidden}: {opened:?}");
        if opened.is_err() {
            assert_eq!(
                scene.git(&["branch", "--list", "benchdog/*"]),
                "",
                "{hidden}: nothing is left"
            );
        }
    }
}

#[test]
fn looking_at_what_a_worktree_changed_runs_no_filter_of_it_nor_of_a_repository_inside() {
    let scene = Scene::new();
    let ran = scene.home.path().join("ran");
    let made = scene.open("fix").unwrap();
    let touch = format!("touch {}; cat", ran.display());
    let inside = made.path.join("d/n");
    std::fs::create_dir_all(&inside).unwrap();
    scene.git_in(&inside, &["init", "--quiet", "-b", "main"]);
    std::fs::write(inside.join("b.txt"), "one\n").unwrap();
    scene.git_in(&inside, &["add", "."]);
    scene.git_in(&inside, &["commit", "--quiet", "-m", "words"]);
    scene.git_in(&made.path, &["add", "d/n"]);
    scene.git_in(&inside, &["config", "filter.e.clean", &touch]);
    std::fs::write(inside.join(".gitattributes"), "* filter=e\n").unwrap();
    std::fs::write(inside.join("b.txt"), "two\n").unwrap();
    scene.git(&["config", "filter.own.clean", &touch]);
    std::fs::write(made.path.join(".gitattributes"), "*.txt filter=own\n").unwrap();
    std::fs::write(made.path.join("a.txt"), "two\n").unwrap();
    let repository = scene.repository();
    let changes = repository.changes("fix").unwrap();
    assert!(
        repository.list().is_ok() && changes.patch.contains("+two"),
        "{}",
        changes.patch
    );
    assert!(!ran.exists(), "no program of the repository ran");
}

#[test]
fn what_is_written_in_the_same_instant_as_the_index_is_seen() {
    let scene = Scene::new();
    let made = scene.open("fix").unwrap();
    scene.git(&["config", "core.trustctime", "false"]);
    let file = made.path.join("a.txt");
    let own = scene.git_in(
        &made.path,
        &["rev-parse", "--path-format=absolute", "--git-path", "index"],
    );
    let instant = std::fs::metadata(&file).unwrap().modified().unwrap();
    std::fs::write(&file, "two\n").unwrap();
    for path in [file, std::path::PathBuf::from(own.trim())] {
        let open = std::fs::File::options().write(true).open(path).unwrap();
        open.set_modified(instant).unwrap();
    }
    // git may compare times in whole seconds.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let changes = scene.repository().changes("fix").unwrap();
    assert!(changes.patch.contains("+two"), "{}", changes.patch);
}

#[test]
fn commits_that_no_branch_holds_are_only_there_and_so_are_files_that_git_is_told_not_to_show() {
    let scene = Scene::new();
    let made = scene.open("fix").unwrap();
    scene.git_in(&made.path, &["checkout", "--quiet", "--detach"]);
    std::fs::write(made.path.join("a.txt"), "two\n").unwrap();
    scene.git_in(&made.path, &["commit", "--quiet", "-am", "more"]);
    assert_eq!(scene.repository().list().unwrap()[0].ahead, 1);
    scene.git(&["config", "status.showUntrackedFiles", "no"]);
    std::fs::write(made.path.join("new.txt"), "x").unwrap();
    assert_eq!(scene.repository().list().unwrap()[0].changed, 1);
}
