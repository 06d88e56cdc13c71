//! Runs shell commands between two captures, then restores. Every path is restored or reported as not covered.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::{Place, assert_same, plan, stored};
use crate::{Limits, NotCovered, Wanted};

struct Scenario {
    name: &'static str,
    before: &'static str,
    command: &'static str,
    /// Paths that differ after the restore, because their content is not covered.
    not_covered: &'static [&'static str],
}

const fn covered(name: &'static str, before: &'static str, command: &'static str) -> Scenario {
    Scenario {
        name,
        before,
        command,
        not_covered: &[],
    }
}

const REPOSITORY: &str =
    "git init -q . && printf 'one\\n' > a && mkdir d && printf 'two\\n' > d/b && git add . && git commit -qm first";

const SCENARIOS: &[Scenario] = &[
    covered("sed in place", "printf 'a\\nb\\n' > f", "sed -i s/a/c/ f"),
    covered("move a folder", "mkdir -p a/b && echo x > a/b/c", "mv a z"),
    covered(
        "move a folder into another",
        "mkdir -p a/b z && echo x > a/b/c",
        "mv a z/ && echo y > z/a/b/d",
    ),
    covered("rename by case only", "echo x > readme.md", "mv readme.md README.md"),
    covered(
        "rename a folder by case only",
        "mkdir src && echo x > src/f",
        "mv src Src",
    ),
    covered("make executable", "echo x > f && chmod 644 f", "chmod +x f"),
    covered(
        "change modes in a tree",
        "mkdir -p a/b && echo x > a/b/f",
        "chmod -R go-rwx a",
    ),
    covered(
        "sticky folder and set-id file",
        "mkdir d && echo x > f",
        "chmod 1777 d && chmod 4755 f",
    ),
    covered(
        "swap a link",
        "echo 1 > one && echo 2 > two && ln -s one l",
        "ln -sfn two l",
    ),
    covered(
        "links that lead nowhere",
        "ln -s nowhere a && ln -s b b && ln -s /etc/passwd c",
        "rm a b c && ln -s c a",
    ),
    covered(
        "replace a link by a folder",
        "mkdir d && ln -s d l",
        "rm l && mkdir l && echo x > l/f",
    ),
    covered(
        "replace a folder by a link",
        "mkdir -p d l && echo x > l/f",
        "rm -r l && ln -s d l",
    ),
    covered(
        "replace a file by a folder",
        "echo x > f",
        "rm f && mkdir -p f/g && echo y > f/g/h",
    ),
    covered(
        "replace a folder by a file",
        "mkdir -p f/g && echo y > f/g/h",
        "rm -r f && echo x > f",
    ),
    covered("line ends", "printf 'a\\nb\\n' > f", "printf 'a\\r\\nb\\r\\n' > f"),
    covered(
        "no line end, and zero bytes",
        "printf 'a\\000b' > f",
        "printf 'a\\000b\\000' > f",
    ),
    covered("sparse file", "echo x > f", "truncate -s 3000000 f && echo y >> f"),
    covered("sparse file removed", "truncate -s 3000000 f && echo y >> f", "rm f"),
    covered("truncated file", "echo long > f", ": > f"),
    covered(
        "log that grows",
        "echo 1 > log",
        "for i in 1 2 3; do echo $i >> log; done",
    ),
    Scenario {
        name: "file above the limit",
        before: "echo x > f && truncate -s 20000000 big",
        command: "echo y > f && echo more >> big",
        not_covered: &["big"],
    },
    covered(
        "file that grows above the limit",
        "echo small > f",
        "truncate -s 20000000 f",
    ),
    covered("new file above the limit", "echo x > f", "truncate -s 20000000 big"),
    covered("new pipe", "echo x > f", "mkfifo p && echo y > f"),
    Scenario {
        name: "removed pipe",
        before: "mkfifo p && echo x > f",
        command: "rm p f",
        not_covered: &["p"],
    },
    covered(
        "remove a tree",
        "mkdir -p a/b/c && echo x > a/b/c/d && echo y > a/e",
        "rm -rf a",
    ),
    covered("hard links", "echo x > a && ln a b", "echo y > a"),
    covered(
        "strange names",
        "echo x > '-n' && echo y > 'a b' && echo z > \"$(printf 'new\\nline')\"",
        "rm -- -n && mv 'a b' ' c' && rm new*",
    ),
    covered(
        "names that are no text",
        "touch \"$(printf 'caf\\351')\"",
        "mv caf* \"$(printf '\\377')\" && echo x > \"$(printf '\\376')\"",
    ),
    covered(
        "names of another normal form",
        "echo x > \"$(printf 'u\\314\\210')\"",
        "mv u* \"$(printf '\\303\\274')\"",
    ),
    covered("empty folders", "mkdir -p a/b", "rmdir a/b && mkdir -p c/d/e"),
    covered("only the time", "echo x > f", "touch f && touch -d 2001-01-01 f"),
    covered("same bytes in a new file", "echo x > f", "cp f g && mv g f"),
    covered(
        "same length and time",
        "echo one > f && touch -d 2001-01-01 f",
        "echo two > f && touch -d 2001-01-01 f",
    ),
    covered(
        "write inside of a file",
        "printf 0123456789 > f",
        "printf xx | dd of=f bs=1 seek=3 conv=notrunc status=none",
    ),
    covered("write as editors do", "echo x > f", "echo y > .f.swp && mv .f.swp f"),
    covered(
        "exchange two files",
        "echo 1 > a && echo 2 > b",
        "mv a t && mv b a && mv t b",
    ),
    covered(
        "exchange two folders",
        "mkdir a b && echo 1 > a/f && echo 2 > b/f",
        "mv a t && mv b a && mv t b",
    ),
    covered(
        "deep folders",
        "echo x > f",
        "p=.; for i in $(seq 60); do p=$p/d; done; mkdir -p $p && echo x > $p/f",
    ),
    covered(
        "many files",
        "mkdir m && for i in $(seq 300); do echo $i > m/$i; done",
        "rm m/1* && for i in $(seq 400 600); do echo $i > m/$i; done",
    ),
    covered(
        "read-only file",
        "echo x > f && chmod 444 f",
        "chmod 644 f && echo y > f && chmod 444 f",
    ),
    covered(
        "read-only folder",
        "mkdir d && echo x > d/f",
        "echo y > d/f && chmod 555 d",
    ),
    covered(
        "hidden files",
        "echo x > .env && mkdir .config && echo y > .config/c",
        "rm -r .env .config",
    ),
    covered(
        "new ignored folder",
        "echo node_modules > .gitignore",
        "mkdir -p node_modules/left-pad && echo x > node_modules/left-pad/index.js && echo '{}' > package-lock.json",
    ),
    Scenario {
        name: "changed ignored file",
        before: "echo '*.log' > .gitignore && echo one > a.log",
        command: "echo two > a.log && echo x > b.log",
        not_covered: &["a.log"],
    },
    Scenario {
        name: "clean removes ignored files",
        before: "git init -q . && echo '*.o' > .gitignore && echo x > a.o && echo y > new && mkdir d && echo z > d/b.o",
        command: "git clean -fdxq",
        not_covered: &["a.o", "d/b.o"],
    },
    covered("changed ignore rules", "echo x > a.tmp", "echo '*.tmp' > .gitignore"),
    covered(
        "git checkout",
        REPOSITORY,
        "git checkout -qb other && echo 2 > a && git rm -q d/b && git commit -qam second",
    ),
    covered("git stash", REPOSITORY, "echo 2 > a && git stash -q"),
    covered(
        "git reset and new files",
        REPOSITORY,
        "echo 2 > a && git add a && echo n > new && git reset -q --hard",
    ),
    covered(
        "nested repository",
        "mkdir n && cd n && git init -q . && echo x > f && git add . && git commit -qm n",
        "cd n && echo y > f && git commit -qam m",
    ),
    covered(
        "new nested repository",
        "echo x > f",
        "mkdir n && cd n && git init -q . && echo x > f",
    ),
    covered(
        "submodule",
        "git init -q ../lib && (cd ../lib && echo x > f && git add . && git commit -qm l) && git init -q . && git -c protocol.file.allow=always submodule --quiet add ../lib lib && git commit -qm s",
        "echo y > lib/f && rm lib/../.gitmodules",
    ),
    covered(
        "linked worktree",
        "git init -q ../main && (cd ../main && echo x > f && git add . && git commit -qm m && git worktree add -q ../tree) && mkdir -p w && cp -r ../tree/. w/",
        "cd w && echo y > f && git status --short",
    ),
    covered(
        "git merge with a conflict",
        REPOSITORY,
        "git checkout -qb other && echo 2 > a && git commit -qam two && git checkout -q - && echo 3 > a && git commit -qam three && ! git merge -q other && grep -q '<<<' a",
    ),
    covered(
        "git rebase",
        REPOSITORY,
        "git checkout -qb other && echo 2 > d/b && git commit -qam two && git checkout -q - && echo 3 > a && git commit -qam three && git rebase -q other",
    ),
    covered(
        "git worktree in the folder",
        REPOSITORY,
        "git worktree add -q w && echo 2 > w/a",
    ),
    covered(
        "git converts line ends",
        REPOSITORY,
        "rm a && git -c core.autocrlf=true checkout -q -- a && grep -q \"$(printf '\\r')\" a",
    ),
    covered(
        "patch",
        "printf 'one\\ntwo\\n' > f",
        "printf -- '--- f\\n+++ f\\n@@ -1,2 +1,2 @@\\n one\\n-two\\n+three\\n' | git apply --unsafe-paths -p0 && grep -q three f",
    ),
    covered(
        "archive over the folder",
        "mkdir d && echo x > d/f && ln -s d/f l && tar cf ../old.tar . && echo y > d/f && rm l && mkdir l",
        "rmdir l && tar xf ../old.tar",
    ),
    covered(
        "find and delete",
        "mkdir -p a/b && touch a/1.tmp a/b/2.tmp a/b/3",
        "find . -name '*.tmp' -delete && find . -type d -empty -delete",
    ),
    covered(
        "other encoding",
        "printf 'gr\\303\\274n' > f",
        "iconv -f UTF-8 -t UTF-16 f > g && mv g f",
    ),
    covered(
        "private file of a umask",
        "echo x > f",
        "umask 077 && mkdir p && echo y > p/new && cp f g && mv g f",
    ),
    covered("replace a file by a pipe", "echo x > f", "rm f && mkfifo f"),
    covered("hard link from outside", "echo x > ../out && ln ../out f", "echo y > f"),
    covered(
        "longest name",
        "n=$(printf '%0255d' 0) && echo x > $n",
        "n=$(printf '%0255d' 0) && mv $n 1 && echo y > $n",
    ),
    covered(
        "copy of a tree",
        "mkdir -p a/b && echo x > a/b/c",
        "cp -a a z && rm -r a",
    ),
    covered(
        "file mode only in git",
        REPOSITORY,
        "git config core.fileMode false && chmod +x a",
    ),
];

fn shell(place: &Place, script: &str, context: &str) {
    let output = Command::new("sh")
        .args(["-ec", script])
        .current_dir(&place.root)
        .env("HOME", &place.data)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "n")))
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "e")))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{context}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn run(scenario: &Scenario, watched: bool) {
    let context = format!("{}, watched: {watched}", scenario.name);
    let place = Place::new();
    shell(&place, scenario.before, &context);
    let all = place.open();
    let mut first = all.capture().unwrap();
    if watched {
        all.watch().unwrap();
        first = all.capture().unwrap();
    }
    let before = place.model();
    shell(&place, scenario.command, &context);
    let second = all.capture().unwrap();
    let mut rows = plan(&all, &second.tree, &first.tree);
    let named: BTreeSet<PathBuf> = rows
        .iter()
        .filter(|row| matches!(&row.wanted, Wanted::State(state) if !state.is_covered()))
        .map(|row| row.path.clone())
        .collect();
    let expected: BTreeSet<PathBuf> = scenario.not_covered.iter().map(PathBuf::from).collect();
    assert_eq!(named, expected, "{context}");
    rows.retain(|row| !named.contains(&row.path));
    let restored = all.restore(&rows);
    if scenario.name == "read-only folder" && !rustix::process::geteuid().is_root() {
        let error = restored.unwrap_err().to_string();
        assert!(error.contains("write in the folder `d`"), "{error}");
        return;
    }
    restored.unwrap_or_else(|error| panic!("{context}: {error}"));
    let mut now = place.model();
    // The folder of a new repository stays, because its `.git` stays.
    now.retain(|path, _| before.contains_key(path) || !place.root.join(path).join(".git").exists());
    let mut before = before;
    for path in &named {
        now.remove(path);
        before.remove(path);
    }
    assert_same(&now, &before, &context);
}

#[test]
fn every_command_is_taken_back_or_named() {
    assert!(SCENARIOS.len() >= 60, "{}", SCENARIOS.len());
    for scenario in SCENARIOS {
        run(scenario, false);
        run(scenario, true);
    }
}

#[test]
fn what_is_omitted_is_named_with_its_size() {
    let place = Place::new();
    place.write("big", &"x".repeat(2000));
    place.write("small", "x");
    shell(&place, "mkfifo pipe", "");
    place.write(".gitignore", "many/\n");
    for n in 0..30 {
        place.write(&format!("many/deep/{n}"), "");
    }
    let all = place.open_with(Limits {
        max_file: 1000,
        max_ignored: 20,
        ..Limits::default()
    });
    let captured = all.capture().unwrap();
    let omitted: Vec<(&str, u64, NotCovered)> = captured
        .omitted
        .iter()
        .map(|one| (one.path.to_str().unwrap(), one.size, one.why))
        .collect();
    assert_eq!(
        omitted,
        [
            ("big", 2000, NotCovered::TooLarge),
            ("many", 0, NotCovered::TooMany),
            ("pipe", 0, NotCovered::Special)
        ]
    );
    assert_eq!((captured.files, captured.ignored), (2, 0));
    assert_eq!(all.capture().unwrap().tree, captured.tree);
}

#[test]
fn a_store_below_the_root_does_not_cover_itself() {
    let place = Place::new();
    place.write("a", "x");
    let all = crate::Checkpoints::open(&place.path("data"), &place.root, Limits::default()).unwrap();
    let first = all.capture().unwrap();
    assert_eq!(all.capture().unwrap().tree, first.tree);
    assert_eq!(
        stored(&all, &first.tree).len(),
        2,
        "the file, and the empty folder of the store"
    );
}

#[test]
fn git_is_byte_for_byte_the_same_after_200_captures() {
    let place = Place::new();
    shell(&place, REPOSITORY, "");
    let state = || {
        let output = Command::new("sh")
            .args(["-c", "git fsck --strict 2>&1; git --no-optional-locks status --porcelain; find .git -type f | sort | xargs sha256sum; stat -c '%n %Y %i' .git/index"])
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .current_dir(&place.root)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let all = place.open();
    let before = state();
    let first = all.capture().unwrap();
    all.watch().unwrap();
    let mut now = first.tree;
    for round in 0..200 {
        place.write("a", &format!("{round}"));
        place.write("d/new", &format!("{round}"));
        let captured = all.capture().unwrap();
        assert_ne!(captured.tree, now);
        now = captured.tree;
        if round % 20 == 0 {
            all.restore(&plan(&all, &now, &first.tree)).unwrap();
        }
    }
    let last = all.capture().unwrap().tree;
    all.restore(&plan(&all, &last, &first.tree)).unwrap();
    assert_eq!(state(), before);
    assert!(before.contains("index"));
}

#[test]
fn a_file_that_is_written_all_the_time_does_not_stop_a_capture() {
    let place = Place::new();
    place.write("log", "");
    let all = place.open();
    all.capture().unwrap();
    all.watch().unwrap();
    let path = place.path("log");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
            for _ in 0..200_000 {
                if stop.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
                // Eight bytes never cross a page, so a reader sees each write whole.
                std::io::Write::write_all(&mut file, b"01234567").unwrap();
            }
        });
        let mut last = 0;
        for _ in 0..30 {
            let captured = all.capture().unwrap();
            let size = all.state(&captured.tree, Path::new("log")).unwrap().unwrap().size;
            assert!(size >= last && size.is_multiple_of(8));
            last = size;
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let captured = all.capture().unwrap();
    assert_same(&stored(&all, &captured.tree), &place.model(), "at the end");
}

#[test]
fn a_tracked_file_is_covered_even_if_the_rules_ignore_it() {
    for version in [2, 3, 4] {
        for watched in [false, true] {
            let context = format!("version {version}, watched: {watched}");
            let place = Place::new();
            shell(
                &place,
                "git init -q . && mkdir -p dist/js && echo 1 > dist/js/a.js && echo 1 > dist/b && echo dist > .gitignore",
                "",
            );
            let all = place.open();
            let first = all.capture().unwrap();
            assert_eq!((first.files, first.ignored), (1, 2), "{context}");
            if watched {
                all.watch().unwrap();
            }
            shell(
                &place,
                &format!("git update-index --index-version {version} && git add -f dist/js/a.js .gitignore"),
                &context,
            );
            if version == 3 {
                shell(&place, "git add -fN dist/b && git rm -q --cached dist/b", &context);
            }
            let second = all.capture().unwrap();
            assert_eq!((second.files, second.ignored), (2, 1), "{context}");
            place.write("dist/js/a.js", "2");
            let third = all.capture().unwrap();
            all.restore(&plan(&all, &third.tree, &second.tree)).unwrap();
            assert_eq!(place.text("dist/js/a.js"), "1\n");
            assert_eq!(place.open().capture().unwrap().tree, second.tree, "{context}");
            shell(&place, "git rm -q --cached dist/js/a.js", &context);
            assert_eq!(all.capture().unwrap().files, 1, "{context}");
        }
    }
}

/// A mount that the test removes at its end. `None` without permission to mount.
pub struct Mounted(PathBuf);

impl Mounted {
    pub fn new(arguments: &[&str], target: PathBuf) -> Option<Self> {
        let status = Command::new("mount").args(arguments).arg(&target).output().ok()?.status;
        status.success().then_some(Self(target))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

#[test]
fn a_folder_that_is_mounted_twice_is_restored_once() {
    for watched in [false, true] {
        let place = Place::new();
        place.write("one/f", "x");
        std::fs::create_dir(place.path("two")).unwrap();
        let source = place.path("one");
        let Some(_mounted) = Mounted::new(&["--bind", source.to_str().unwrap()], place.path("two")) else {
            return;
        };
        let all = place.open();
        let first = all.capture().unwrap();
        let before = place.model();
        assert_eq!(first.files, 2);
        if watched {
            all.watch().unwrap();
        }
        shell(
            &place,
            "echo y > one/f && echo n > two/new && mkdir one/d && echo z > two/d/g",
            "",
        );
        let second = all.capture().unwrap();
        assert_same(&stored(&all, &second.tree), &place.model(), "captured");
        all.restore(&plan(&all, &second.tree, &first.tree)).unwrap();
        assert_same(&place.model(), &before, "restored");
    }
}

#[test]
fn a_folder_of_another_file_system_is_restored() {
    let place = Place::new();
    std::fs::create_dir(place.path("m")).unwrap();
    let small = ["-t", "tmpfs", "-o", "size=400k", "small"];
    let Some(_mounted) = Mounted::new(&small, place.path("m")) else {
        return;
    };
    place.write("m/d/f", "x");
    place.write("f", "x");
    let all = place.open();
    let first = all.capture().unwrap();
    let before = place.model();
    shell(&place, "mv m/d d && mv f m/f && echo y > m/new", "");
    let second = all.capture().unwrap();
    all.restore(&plan(&all, &second.tree, &first.tree)).unwrap();
    assert_same(&place.model(), &before, "restored");
}

#[test]
fn an_installed_package_is_taken_back() {
    let has_npm = Command::new("npm").arg("--version").output();
    if !has_npm.is_ok_and(|output| output.status.success()) {
        return;
    }
    let place = Place::new();
    shell(
        &place,
        "mkdir -p ../left && printf '{\"name\":\"left\",\"version\":\"1.0.0\"}' > ../left/package.json && echo 'module.exports = 1' > ../left/index.js && printf '{\"name\":\"app\"}' > package.json && echo node_modules > .gitignore",
        "",
    );
    let all = place.open();
    let first = all.capture().unwrap();
    all.watch().unwrap();
    let before = place.model();
    shell(
        &place,
        "npm install --offline --no-audit --no-fund --install-links ../left && test -f node_modules/left/index.js && test -f package-lock.json",
        "npm",
    );
    let second = all.capture().unwrap();
    all.restore(&plan(&all, &second.tree, &first.tree)).unwrap();
    assert_same(&place.model(), &before, "restored");
}

#[test]
fn a_full_disk_is_named_and_changes_nothing() {
    let place = Place::new();
    std::fs::create_dir_all(&place.data).unwrap();
    let small = ["-t", "tmpfs", "-o", "size=400k", "small"];
    let Some(_root) = Mounted::new(&small, place.root.clone()) else {
        return;
    };
    let Some(_data) = Mounted::new(&small, place.data.clone()) else {
        return;
    };
    let random = |name: &str, len: usize| {
        let mut rng = fastrand::Rng::with_seed(1);
        std::fs::write(name, (0..len).map(|_| rng.u8(..)).collect::<Vec<u8>>()).unwrap();
    };
    let path = |name: &str| place.path(name).to_str().unwrap().to_owned();
    random(&path("a"), 150_000);
    place.write("b", "one");
    let all = place.open_with(Limits {
        free_percent: 100,
        ..Limits::default()
    });
    let first = all.capture().unwrap();
    place.write("a", "short");
    place.write("b", "two");
    let second = all.capture().unwrap();
    random(&path("filling"), 300_000);
    let before = place.model();
    let error = all.restore(&plan(&all, &second.tree, &first.tree)).unwrap_err();
    assert!(
        error.to_string().contains("`a`") || error.to_string().contains("space"),
        "{error}"
    );
    assert_same(&place.model(), &before, "not begun");
    let error = all.capture().unwrap_err();
    assert!(error.to_string().contains("packs"), "{error}");
    std::fs::remove_file(path("filling")).unwrap();
    assert_eq!(all.capture().unwrap().tree, second.tree);
    all.restore(&plan(&all, &second.tree, &first.tree)).unwrap();
    assert_eq!(all.capture().unwrap().tree, first.tree);
}

#[test]
fn an_unreadable_file_or_folder_is_named() {
    // Root can read everything.
    if rustix::process::geteuid().is_root() {
        return;
    }
    for watched in [false, true] {
        let place = Place::new();
        place.write("a", "x");
        place.write("d/f", "x");
        let all = place.open();
        all.capture().unwrap();
        if watched {
            all.watch().unwrap();
        }
        shell(&place, "chmod 000 a d", "");
        let captured = all.capture().unwrap();
        let named: Vec<_> = captured
            .omitted
            .iter()
            .map(|one| (one.path.to_str().unwrap(), one.why))
            .collect();
        assert_eq!(
            named,
            [("a", NotCovered::Unreadable), ("d", NotCovered::Unreadable)],
            "watched: {watched}"
        );
        assert_eq!(all.capture().unwrap().tree, captured.tree);
        shell(&place, "chmod 644 a && chmod 755 d && echo y > d/g", "");
        let captured = all.capture().unwrap();
        assert_eq!((captured.files, captured.omitted.len()), (3, 0), "watched: {watched}");
    }
}
