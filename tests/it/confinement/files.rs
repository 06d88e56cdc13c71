//! Tests of files outside and inside the project, of caches, and of secrets.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde_json::json;

use super::bench::{level, tried, tried_with};
use super::hostile;
use crate::support::home::Home;

#[test]
fn nothing_outside_the_workspace_changes() {
    for tried in tried(&level("workspace"), hostile::OUTSIDE) {
        tried.assert_ran();
        tried.assert_outside_unchanged();
        assert_eq!(tried.home.read("inside"), "written\n", "{tried}");
    }
}

#[test]
fn the_same_commands_unconfined_do_change_what_is_outside() {
    for tried in tried(&level("off"), hostile::OUTSIDE) {
        tried.assert_ran();
        assert!(
            tried.changed_outside().len() >= 7,
            "{:?}\n{tried}",
            tried.changed_outside()
        );
    }
}

#[test]
fn read_only_changes_not_one_byte() {
    for tried in tried(&level("read-only"), hostile::EVERYWHERE) {
        tried.assert_ran();
        tried.assert_outside_unchanged();
        assert_eq!(tried.changed_inside(), Vec::<String>::new(), "{tried}");
    }
}

#[test]
fn the_same_commands_confined_to_the_workspace_do_change_it() {
    for tried in tried(&level("workspace"), hostile::EVERYWHERE) {
        tried.assert_ran();
        tried.assert_outside_unchanged();
        let changed = tried.changed_inside();
        assert!(changed.iter().any(|path| path == "kept"), "{changed:?}\n{tried}");
    }
}

#[test]
fn a_secret_whose_name_is_not_text_is_hidden_and_stops_no_command() {
    let name = OsStr::from_bytes(b"k\xff.pem");
    let plant = |home: &Home| std::fs::write(home.path(".").join(name), "planted\n").expect("a file");
    for tried in tried_with(
        &level("workspace"),
        "cat k*; echo ended",
        json!({"command": "make"}),
        plant,
    ) {
        tried.assert_ran();
        assert!(
            tried.said.contains("ended") && !tried.said.contains("planted"),
            "{tried}"
        );
    }
}

#[test]
fn planted_secrets_are_in_no_request() {
    for (sandbox, told) in [(level("workspace"), false), (level("off"), true)] {
        for tried in tried_with(&sandbox, hostile::SECRETS, json!({"command": "make"}), hostile::plant) {
            tried.assert_ran();
            for number in 1..=6 {
                let secret = format!("planted-{number}-secret");
                assert_eq!(tried.all_said.contains(&secret), told, "{secret}\n{tried}");
            }
        }
    }
}

#[test]
fn a_cache_takes_what_is_written_for_later_commands_and_for_nobody_else() {
    let script = "cat ~/.cargo/registry/known; cat ~/.cargo/registry/new 2>/dev/null; echo stored > ~/.cargo/registry/new && echo written";
    let arrange = |home: &Home| {
        std::fs::create_dir_all(home.user_home().join(".cargo/registry")).expect("a cache");
        std::fs::write(home.user_home().join(".cargo/registry/known"), "known before\n").expect("a file of the cache");
    };
    for mut tried in tried_with(&level("workspace"), script, json!({"command": "make"}), arrange) {
        assert!(
            tried.said.contains("known before") && tried.said.contains("written"),
            "{tried}"
        );
        assert!(!tried.home.user_home().join(".cargo/registry/new").exists(), "{tried}");
        tried.again("make");
        assert!(tried.said.contains("stored"), "{tried}");
    }
}

#[test]
fn a_cache_over_which_no_layer_can_be_laid_is_read_and_not_written_and_the_result_says_what_stopped_it() {
    let script = "cat ~/.cargo/registry/known; echo stored > ~/.cargo/registry/new && echo written";
    let cache = |home: &Home| home.user_home().join("moved,away");
    let arrange = |home: &Home| {
        std::fs::create_dir_all(cache(home)).expect("a cache");
        std::fs::write(cache(home).join("known"), "known before\n").expect("a file of the cache");
        std::fs::create_dir_all(home.user_home().join(".cargo")).expect("a folder");
        std::os::unix::fs::symlink("../moved,away", home.user_home().join(".cargo/registry")).expect("a link");
    };
    for tried in tried_with(&level("workspace"), script, json!({"command": "make"}), arrange) {
        assert!(
            tried.said.contains("known before") && !tried.said.contains("written"),
            "{tried}"
        );
        assert!(
            tried.said.contains("Read-only file system") && tried.said.contains("writing a file (EROFS"),
            "{tried}"
        );
        assert!(!cache(&tried.home).join("new").exists(), "{tried}");
    }
}

#[test]
fn what_programs_outside_would_execute_is_held_in_a_workspace_that_can_be_written() {
    let arrange = |home: &Home| {
        std::fs::create_dir_all(home.path(".git/hooks")).expect("hooks");
        home.file(".git/config", "[core]\n")
            .file(".benchdog/config.jsonc", "{}\n");
    };
    let script = "echo x >> .git/config; rm -f .git/config; mv .git .git2; echo x > .git/hooks/pre-commit; \
                  echo x > .benchdog/config.jsonc; rm -rf .benchdog .git; echo x > .git/HEAD && echo ran";
    for tried in tried_with(&level("workspace"), script, json!({"command": "make"}), arrange) {
        assert_eq!(tried.home.read(".git/config"), "[core]\n", "{tried}");
        assert_eq!(tried.home.read(".benchdog/config.jsonc"), "{}\n", "{tried}");
        assert!(!tried.home.path(".git/hooks/pre-commit").exists(), "{tried}");
        assert!(tried.said.contains("ran"), "{tried}");
    }
}

#[test]
fn a_folder_that_the_person_names_can_be_written_and_its_secrets_read() {
    let script = "echo changed > $OUT/shared/file; cat $OUT/shared/test.key; cat fixtures/test.key";
    let arrange = |home: &Home| {
        std::fs::create_dir_all(home.outside().join("shared")).expect("a folder");
        std::fs::write(home.outside().join("shared/test.key"), "sample one\n").expect("a file");
        home.file("fixtures/test.key", "sample two\n");
    };
    let sandbox = json!({"level": "workspace", "writable": ["../shared", "fixtures"]});
    for tried in tried_with(&sandbox, script, json!({"command": "make"}), arrange) {
        assert!(
            tried.said.contains("sample one") && tried.said.contains("sample two"),
            "{tried}"
        );
        let written = std::fs::read_to_string(tried.home.outside().join("shared/file"));
        assert_eq!(written.unwrap_or_default(), "changed\n", "{tried}");
    }
}
