//! The folder for the lines: the one of the shell corpora, with a repository in several states, a home, and a file next
//! to it.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::home::Home;

/// Sets old times, which makes changes visible. Disables git's checks that give other results on an overlay.
const LAYOUT: &str = r#"
set -e
umask 022
mkdir -p src build old tests
printf 'first note\nsecond note\nthird a note\n' > notes.txt
printf 'id,name,size\n1,apple,30\n2,pear,20\n3,plum,10\n' > data.csv
printf '# Title\n\ntext with a word\n' > README.md
printf '[package]\nname = "x"\nversion = "0.1.0"\n' > Cargo.toml
printf 'notes.txt\ndata.csv\nold/a.txt\n' > files.lst
seq 1 400 > big.lst
printf '#!/bin/sh\necho hello\n' > run.sh
printf '#!/bin/sh\nrm -f notes.txt\n' | tee rmnotes.sh > pre.sh
printf 'fn main() {}\n' > src/main.rs
printf 'pub fn a() {}\n' > src/lib.rs
printf 'object\n' > build/out.o
printf 'old a\n' > old/a.txt
printf 'old b\n' > old/b.tmp
ln -s notes.txt link.txt
printf 'all:\n\techo made > made.txt\n' > Makefile
printf '{"name":"x","version":"1.0.0"}\n' > package.json
printf 'def test_a():\n    assert True\n' > tests/test_a.py
printf '{"a":[1,2,{"b":"c"}]}\n' > data.json
chmod 755 ./*.sh
chmod 600 data.csv
printf '[core]\n\tcheckStat = minimal\n\ttrustctime = false\n[user]\n\tname = t\n\temail = t@x\n' > ../user/.gitconfig
git init -q -b main .
rm -rf .git/hooks/*
git add -A
git commit -q -m one
printf 'pub fn b() {}\n' >> src/lib.rs
git commit -q -am two
git tag v1
git branch topic HEAD~1
printf 'stashed\n' >> old/a.txt
git stash -q
printf 'staged\n' >> data.json
git add data.json
printf 'worktree\n' >> data.json
tar cf old/pack.tar notes.txt data.csv
printf 'kept\n' > ../kept.txt
printf 'alias ll=ls\n' > ../user/.bashrc
find .. -exec touch -h -d '2024-01-01 00:00:00' {} +
git status > /dev/null
touch -d '2024-01-01 00:00:00' .git
"#;

pub fn lay_out(home: &Home) {
    let status = clean(&mut Command::new("sh"), &home.outside().join("user"))
        .args(["-c", LAYOUT])
        .current_dir(home.project())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("sh starts").success(), "the folder is laid out");
}

pub fn clean<'a>(command: &'a mut Command, user: &Path) -> &'a mut Command {
    command
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", user)
        .env("LANG", "C.UTF-8")
        .env("TERM", "xterm")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null())
}
