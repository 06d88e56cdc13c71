//! Tests of files that programs outside the sandbox obey. A command inside cannot create them, or they are found after
//! it has ended.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::bench::{Tried, level, tried_with};
use crate::support::home::Home;

/// Git configuration that runs a program in every look at the repository.
const EVIL: &str = "[core]
	repositoryformatversion = 0
	fsmonitor = \"touch $OUT/escaped; false\"
";

pub(super) fn git(home: &Home, folder: &str, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.arg("-C")
        .arg(home.path(folder))
        .args(["-c", "safe.directory=*"])
        .args(arguments);
    git.env("OUT", home.outside()).env("HOME", home.user_home());
    let done = git.output().expect("git");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

fn committed(home: &Home, folder: &str) {
    fs::create_dir_all(home.path(folder)).expect("a folder");
    git(home, folder, &["init", "--quiet", "--template="]);
    home.file(&format!("{folder}/tracked"), "as it was\n");
    git(home, folder, &["add", "tracked"]);
    git(
        home,
        folder,
        &[
            "-c",
            "user.name=n",
            "-c",
            "user.email=e",
            "commit",
            "--quiet",
            "-m",
            "first",
        ],
    );
}

/// Whether git, run outside the sandbox in these folders, runs the command's program.
fn escapes(tried: &Tried, folders: &[&str]) -> bool {
    for folder in folders {
        for line in [
            &["status"][..],
            &["diff"],
            &["-c", "user.name=n", "-c", "user.email=e", "commit", "-am", "x"],
        ] {
            git(&tried.home, folder, line);
        }
    }
    tried.home.outside().join("escaped").exists()
}

/// Creates every file that git obeys, in the git folder `$1`.
const EVERY_NAME: &str = r#"
evil() { cat <<'END'
EVIL
END
}
every_name() {
  mkdir -p "$1/hooks" "$1/info" "$1/worktrees/w" "$1/modules/m/hooks" "$1/modules/m/objects" "$1/modules/m/refs"
  printf '#!/bin/sh\ntouch $OUT/escaped\n' > "$1/hooks/pre-commit"; chmod +x "$1/hooks/pre-commit"
  evil > "$1/config"; evil > "$1/config.worktree"; echo '* filter=x' > "$1/info/attributes"
  mkdir -p shared; evil > shared/config; mkdir -p shared/objects shared/refs; echo "$PWD/shared" > "$1/commondir"
  echo ref: refs/heads/master > "$1/modules/m/HEAD"; evil > "$1/modules/m/config"; touch "$1/modules/m/hooks/post-checkout"
}
"#;

fn script(lines: &str) -> String {
    format!("{}\n{lines}\necho finished\n", EVERY_NAME.replace("EVIL", EVIL))
}

fn run(lines: &str, arrange: impl FnMut(&Home)) -> Vec<Tried> {
    let tried = tried_with(&level("workspace"), &script(lines), json!({"command": "make"}), arrange);
    tried
        .iter()
        .for_each(|tried| assert!(tried.said.contains("finished"), "{tried}"));
    tried
}

#[test]
fn what_git_obeys_cannot_be_made_where_nothing_of_that_name_was_and_leaves_no_trace() {
    let lines = "every_name .git; every_name near/.git; mkdir .benchdog; echo '{}' > .benchdog/config.jsonc";
    let arrange = |home: &Home| {
        committed(home, ".");
        committed(home, "near");
    };
    for tried in run(lines, arrange) {
        for git in [".git", "near/.git"] {
            for name in [
                "hooks",
                "config.worktree",
                "commondir",
                "info/attributes",
                "modules/m/config",
                "modules/m/hooks/post-checkout",
            ] {
                assert!(
                    !tried.home.path(&format!("{git}/{name}")).exists(),
                    "{git}/{name}\n{tried}"
                );
            }
        }
        assert!(!tried.home.path(".benchdog").exists(), "{tried}");
        assert!(!escapes(&tried, &[".", "near"]), "{tried}");
    }
}

#[test]
fn what_another_command_laid_and_took_away_is_looked_at_afterwards() {
    // The thread acts like another command that ends first: it removes the placeholder, and the mount on it disappears.
    let lines = "until [ ! -e .git/commondir ]; do sleep 0.02; done; every_name .git";
    for tried in run(
        &format!("touch .git/commondir 2>/dev/null; echo > go; {lines}"),
        |home| {
            committed(home, ".");
            home.file(".git/commondir", ".\n");
            let (go, laid) = (home.path("go"), home.path(".git/commondir"));
            std::thread::spawn(move || {
                while !go.exists() {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                fs::remove_file(laid).expect("what was laid");
            });
        },
    ) {
        assert!(tried.said.contains("commondir.held-back"), "{tried}");
        assert!(!escapes(&tried, &["."]), "{tried}");
    }
}

#[test]
fn what_stands_for_names_that_are_missing_changes_nothing_for_git() {
    let lines = "echo more >> tracked; git status --short; git -c user.name=n -c user.email=e commit -qam second; git worktree list; git log --oneline | wc -l";
    for tried in run(lines, |home| committed(home, ".")) {
        assert!(
            tried.said.contains(" M tracked") && tried.said.contains("\n2\n"),
            "{tried}"
        );
        assert_eq!(
            git(&tried.home, ".", &["log", "--format=%s"]),
            "second\nfirst\n",
            "{tried}"
        );
    }
}

#[test]
fn a_repository_that_runs_something_is_out_of_effect_when_its_command_has_ended() {
    let lines = r#"
for place in . new deep/er/new; do mkdir -p $place; (cd $place; git init -q; every_name .git); done
mkdir -p bare/objects bare/refs; echo ref: refs/heads/master > bare/HEAD; evil > bare/config
mkdir -p lead; mkdir -p target/hidden/objects target/hidden/refs; cp bare/HEAD bare/config target/hidden; echo "gitdir: $PWD/target/hidden" > lead/.git
mkdir -p link; ln -s $PWD/target/hidden link/.git
mkdir -p back; touch -r back back.time; mkdir -p back/.git/objects back/.git/refs; cp bare/HEAD bare/config back/.git; touch -r back.time back
"#;
    let places = [".", "new", "deep/er/new", "bare", "lead", "link", "back"];
    for tried in run(lines, |_| {}) {
        assert!(tried.said.contains("given another name"), "{tried}");
        assert!(!escapes(&tried, &places), "{tried}");
        // The content is preserved under another name.
        assert!(
            tried.home.read("new/.git/config.held-back").contains("fsmonitor"),
            "{tried}"
        );
        assert!(
            tried.home.read("bare/config.held-back").contains("fsmonitor"),
            "{tried}"
        );
        assert!(tried.home.path("lead/.git.held-back").is_file(), "{tried}");
    }
}

#[test]
fn the_same_unconfined_does_run_something_outside() {
    let lines = "mkdir -p new; cd new; git init -q; every_name .git; rm .git/commondir";
    for tried in tried_with(&level("off"), &script(lines), json!({"command": "make"}), |_| {}) {
        assert!(escapes(&tried, &["new"]), "{tried}");
    }
}

#[test]
fn a_repository_deeper_down_gets_its_settings_back_and_a_new_one_of_ordinary_settings_stays() {
    let lines = "git init -q fresh; git clone -q deep/er/old cloned; git -C fresh config user.name me; \
                 git -C deep/er/old remote add other x; every_name deep/er/old/.git; git worktree add -q tree 2>/dev/null";
    let arrange = |home: &Home| {
        committed(home, ".");
        committed(home, "deep/er/old");
    };
    for tried in run(lines, arrange) {
        let before = tried.home.read("deep/er/old/.git/config");
        assert!(
            before.contains("bare = false") && !before.contains("fsmonitor"),
            "{before}\n{tried}"
        );
        assert!(
            tried
                .home
                .read("deep/er/old/.git/config.held-back")
                .contains("fsmonitor"),
            "{tried}"
        );
        assert_eq!(git(&tried.home, "fresh", &["config", "user.name"]), "me\n", "{tried}");
        assert_eq!(tried.home.read("cloned/tracked"), "as it was\n", "{tried}");
        assert!(git(&tried.home, "cloned", &["remote"]).contains("origin"), "{tried}");
        assert!(
            git(&tried.home, "tree", &["status"]).contains("On branch tree"),
            "{tried}"
        );
        assert!(!escapes(&tried, &["deep/er/old", "fresh", "cloned"]), "{tried}");
    }
}

#[test]
fn files_of_the_project_that_others_obey_are_told_and_stay() {
    let lines = "mkdir -p .github/workflows .vscode; echo x > .github/workflows/ci.yml; echo x > .vscode/tasks.json; echo y >> .gitattributes; echo plain > notes";
    let arrange = |home: &Home| {
        home.file(".gitattributes", "x\n").file(".gitlab-ci.yml", "as it was\n");
    };
    for tried in run(lines, arrange) {
        for told in [".github/workflows/ci.yml", ".vscode/tasks.json", ".gitattributes"] {
            assert!(tried.said.contains(&format!("`{told}`")), "{told}\n{tried}");
            assert!(tried.home.path(told).exists());
        }
        assert!(
            !tried.said.contains("gitlab") && !tried.said.contains("`notes`"),
            "{tried}"
        );
    }
}

#[test]
fn hooks_in_a_folder_that_the_settings_name_are_held() {
    let lines =
        "echo touch '$OUT/escaped' >> .husky/pre-commit; rm -rf .husky; mkdir -p .husky; echo x > .husky/commit-msg";
    let arrange = |home: &Home| {
        committed(home, ".");
        home.file(".husky/pre-commit", "true\n");
        git(home, ".", &["config", "core.hooksPath", ".husky"]);
    };
    for tried in run(lines, arrange) {
        assert_eq!(tried.home.read(".husky/pre-commit"), "true\n", "{tried}");
        assert!(!tried.home.path(".husky/commit-msg").exists(), "{tried}");
    }
}

#[test]
fn what_an_interrupted_command_made_is_found_as_well() {
    let lines = "git init -q new; (cd new; every_name .git); echo finished; sleep 70.101";
    let limit = json!({"command": "make", "timeout_ms": 3_000});
    for tried in tried_with(&level("workspace"), &script(lines), limit, |_| {}) {
        assert!(
            tried.said.contains("finished") && tried.said.contains("timeout"),
            "{tried}"
        );
        assert!(!escapes(&tried, &["new"]), "{tried}");
    }
}

#[test]
fn a_secret_is_closed_by_every_name_it_has() {
    let arrange = |home: &Home| {
        super::hostile::plant(home);
        fs::create_dir_all(home.path("docs")).expect("a folder");
        for (secret, name) in [
            (home.path(".env"), "docs/notes"),
            (home.user_home().join(".ssh/id_ed25519"), "docs/readme"),
        ] {
            fs::hard_link(secret, home.path(name)).expect("a hard link");
        }
    };
    for (sandbox, told) in [(level("workspace"), false), (level("off"), true)] {
        let lines = "cat docs/notes docs/readme";
        for tried in tried_with(&sandbox, lines, json!({"command": "make"}), arrange) {
            for secret in ["planted-1-secret", "planted-3-secret"] {
                assert_eq!(tried.all_said.contains(secret), told, "{secret}\n{tried}");
            }
        }
    }
}
