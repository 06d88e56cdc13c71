use std::collections::BTreeSet;
use std::time::Duration;

use tempfile::TempDir;

use super::{changed_since, files, may_be_task, runs_tasks};
use benchdog_base::clock::Time;

fn project() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("sub")).unwrap();
    std::fs::create_dir(root.path().join("tests")).unwrap();
    for file in [
        "run.sh",
        "Makefile",
        "inc.mk",
        "other.mk",
        "sub/Makefile",
        "conftest.py",
        "tests/conftest.py",
        "expected.txt",
        "out.txt",
        "made.txt",
    ] {
        std::fs::write(root.path().join(file), "x\n").unwrap();
    }
    root
}

#[test]
fn the_files_that_say_what_a_check_does_are_found_however_it_is_written() {
    let root = project();
    let cases = [
        ("sh run.sh", "run.sh"),
        ("./run.sh", "run.sh"),
        ("X=1 sh run.sh", "run.sh"),
        ("env X=1 sh run.sh", "run.sh"),
        ("bash -c \"sh run.sh\"", "run.sh"),
        ("timeout 60 sh run.sh", "run.sh"),
        ("sh < run.sh", "run.sh"),
        ("cat run.sh | sh", "run.sh"),
        ("find . -name run.sh -exec sh {} +", "run.sh"),
        ("xargs -n1 sh <<< run.sh", "run.sh"),
        ("eval sh run.sh", "run.sh"),
        ("{ sh run.sh; }", "run.sh"),
        ("! sh run.sh", "run.sh"),
        ("if true; then sh run.sh; fi", "run.sh"),
        ("bash ru*.sh", "run.sh"),
        ("sh r\"\"un.sh", "run.sh"),
        ("sh \"$PWD/run.sh\"", "run.sh"),
        ("sh sub/../run.sh", "sub/../run.sh"),
        ("PATH=.:$PATH run.sh", "run.sh"),
        ("sh -o pipefail run.sh", "run.sh"),
        ("test \"$(sh run.sh)\" = fine", "run.sh"),
        ("diff <(sh run.sh) expected.txt", "run.sh"),
        ("echo fine; sh run.sh", "run.sh"),
        ("make test", "Makefile"),
        ("make test", "inc.mk"),
        ("/usr/bin/make test", "Makefile"),
        ("make -f other.mk", "other.mk"),
        ("make -fother.mk", "other.mk"),
        ("make --file=other.mk", "other.mk"),
        ("make -C sub test", "sub/Makefile"),
        ("make -Csub test", "sub/Makefile"),
        ("cd sub && make test", "sub/Makefile"),
        ("cd tests && sh conftest.py", "tests/conftest.py"),
        ("python3 -m pytest", "conftest.py"),
        ("python3 -m pytest", "pytest.py"),
        ("python3 -m pytest -q tests", "tests/conftest.py"),
        ("cargo test", "build.rs"),
        ("env CI=1 nice -n 5 npm test", "package.json"),
    ];
    for (command, file) in cases {
        let found = files(root.path(), command);
        assert!(found.contains(file), "`{command}` is defined by {file}: {found:?}");
    }
}

#[test]
fn what_a_check_only_looks_at_does_not_say_what_it_does() {
    let root = project();
    for command in [
        "diff out.txt expected.txt",
        "grep -q x made.txt",
        "echo looked; grep -q x made.txt",
        "test -f made.txt && cmp out.txt expected.txt",
        "grep x out.txt || false",
        "if grep -q x made.txt; then true; fi",
    ] {
        assert_eq!(files(root.path(), command), BTreeSet::new(), "`{command}`");
    }
}

#[test]
fn when_a_file_was_changed_is_the_kernels_word() {
    let root = project();
    let file = root.path().join("Makefile");
    let before = Time(Time::now().0 - 60_000);
    assert!(changed_since(&file, before));
    assert!(!changed_since(&file, Time(Time::now().0 + 60_000)));
    // A command can set the modification time to the past, but not the change time.
    let long_ago = std::time::UNIX_EPOCH + Duration::from_secs(86_400);
    std::fs::File::open(&file).unwrap().set_modified(long_ago).unwrap();
    assert!(changed_since(&file, before));
    assert!(!changed_since(&root.path().join("none"), before));
}

#[test]
fn what_a_build_file_runs_is_found_and_what_it_only_reads_or_a_script_runs_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    for folder in ["scripts", "src", "sub"] {
        std::fs::create_dir(root.path().join(folder)).unwrap();
    }
    let makefile = "include conf sub/more.mk\ntest: src/main.c\n\tcc -o prog src/main.c && ./prog\n\
                    \t@sh -e scripts/test src/main.c\n\t$(HERE)/scripts/able \"$$PWD/scripts/marked\"\n";
    for (file, text) in [
        ("Makefile", makefile),
        ("conf", "check:\n\tpython3 -u scripts/ask.py src/main.c\n"),
        ("sub/more.mk", "own:\n\t./own.sh\n"),
        ("sub/own.sh", "sh scripts/other.sh\n"),
        ("scripts/test", "sh scripts/other.sh\n"),
        ("scripts/ask.py", "print(1)\n"),
        ("scripts/marked", "#!/bin/sh\nsh scripts/other.sh\n"),
        ("scripts/able", "sh scripts/other.sh\n"),
        ("scripts/other.sh", "true\n"),
        ("src/main.c", "int main() { return 0; }\n"),
        ("prog", "\u{7f}ELF\0\0"),
        (
            "package.json",
            r#"{"main": "index.js", "scripts": {"test": "node scripts/run.js"}}"#,
        ),
        ("index.js", "1\n"),
        ("scripts/run.js", "1\n"),
    ] {
        std::fs::write(root.path().join(file), text).unwrap();
    }
    for file in ["Makefile", "scripts/able", "prog"] {
        std::fs::set_permissions(root.path().join(file), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let cases: [(&str, &[&str]); 3] = [
        (
            "make test",
            &[
                "Makefile",
                "conf",
                "scripts/able",
                "scripts/ask.py",
                "scripts/marked",
                "scripts/test",
                "sub/more.mk",
                "sub/own.sh",
            ],
        ),
        ("npm test", &["package.json", "scripts/run.js"]),
        ("sh sub/own.sh", &["sub/own.sh"]),
    ];
    for (command, expected) in cases {
        let found = files(root.path(), command);
        let there: Vec<&str> = found
            .iter()
            .map(String::as_str)
            .filter(|file| root.path().join(file).exists())
            .collect();
        assert_eq!(there, expected, "`{command}`");
    }
}

#[test]
fn where_build_files_choose_any_script_that_was_written_may_be_chosen() {
    let root = project();
    for command in ["make test", "cd sub && make", "make -f other.mk"] {
        assert!(runs_tasks(root.path(), command), "`{command}`");
    }
    for command in ["cargo test", "sh run.sh", "npm test"] {
        assert!(!runs_tasks(root.path(), command), "`{command}`");
    }
    for file in ["run.sh", "inc.mk", "sub/Makefile", "src/main.d"] {
        assert!(may_be_task(root.path(), file), "{file}");
    }
    for file in ["expected.txt", "conftest.rs", "src/main.c"] {
        assert!(!may_be_task(root.path(), file), "{file}");
    }
}
