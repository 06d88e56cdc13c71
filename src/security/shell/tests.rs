//! Command lines and their classes, from a corpus and from what is made up.

use std::collections::BTreeMap;

use super::*;

mod dangerous;
mod harmless;
mod hostile;
mod names;

/// The folder the corpus was observed in.
struct Bench(BTreeMap<&'static str, &'static str>);

/// A disk with nothing on it.
struct EmptyWorld;

impl World for EmptyWorld {
    fn exists(&self, _path: &str) -> bool {
        false
    }

    fn is_folder(&self, _path: &str) -> bool {
        false
    }

    fn read_small(&self, _path: &str) -> Option<String> {
        None
    }

    fn names(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

fn bench() -> Bench {
    let files = [
        "notes.txt",
        "data.csv",
        "README.md",
        "Cargo.toml",
        "files.lst",
        "big.lst",
        "src/main.rs",
        "src/lib.rs",
        "build/out.o",
        "old/a.txt",
        "old/b.tmp",
        "link.txt",
    ];
    let mut all: BTreeMap<_, _> = files.into_iter().map(|name| (name, "x\n")).collect();
    all.insert("big.lst", "ls\nrm notes.txt\n");
    all.insert("run.sh", "#!/bin/sh\necho hi\n");
    all.insert("rmnotes.sh", "#!/bin/sh\nrm notes.txt\n");
    all.insert("pre.sh", "#!/bin/sh\nrm -f notes.txt\ncat\n");
    Bench(all)
}

impl Bench {
    fn clean(path: &str) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                other => parts.push(other),
            }
        }
        parts.join("/")
    }
}

impl World for Bench {
    fn exists(&self, path: &str) -> bool {
        let path = Self::clean(path);
        self.0.contains_key(path.as_str()) || self.is_folder(&path)
    }

    fn is_folder(&self, path: &str) -> bool {
        let path = Self::clean(path);
        path.is_empty() || self.0.keys().any(|name| name.starts_with(&format!("{path}/"))) || path == ".git"
    }

    fn read_small(&self, path: &str) -> Option<String> {
        self.0.get(Self::clean(path).as_str()).map(|text| (*text).to_owned())
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let start = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let inside = self.0.keys().filter_map(|name| name.strip_prefix(start.as_str()));
        inside
            .map(|rest| rest.split('/').next().unwrap_or("").to_owned())
            .collect()
    }
}

struct Case {
    id: String,
    label: String,
    command: String,
}

fn corpus() -> Vec<Case> {
    let text = include_str!("../../../tests/data/shell.tsv");
    let rows = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        Case {
            id: columns[0].to_owned(),
            label: columns[2].to_owned(),
            command: serde_json::from_str(columns[4]).unwrap(),
        }
    })
    .collect()
}

#[test]
fn every_line_of_the_corpus_gets_its_class() {
    let world = bench();
    let mut wrong = Vec::new();
    for case in corpus() {
        let analysis = analyse(&case.command, &world);
        let right = match case.label.as_str() {
            "dangerous" => analysis.class == CommandClass::Dangerous,
            _ => analysis.class != CommandClass::Dangerous,
        };
        if !right {
            wrong.push(format!(
                "{} {} {:?}: {:?}, {}",
                case.id, case.label, case.command, analysis.class, analysis.because
            ));
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

fn misjudged(lines: &[&str], wanted: impl Fn(CommandClass) -> bool) -> String {
    let world = bench();
    let mut out = String::new();
    for line in lines {
        let analysis = analyse(line, &world);
        if !wanted(analysis.class) {
            out.push_str(&format!("{line:?}: {:?}, {}\n", analysis.class, analysis.because));
        }
    }
    out
}

#[test]
fn what_cannot_be_read_is_never_harmless() {
    let world = bench();
    for line in [
        "ls 'unfinished",
        "ls $(unfinished",
        "ls )",
        "if true",
        "ls | | x",
        "&& ls",
        "case x in",
        "echo ${x",
        "$X",
        "$(curl x)",
        "\"$CMD\" a",
        "curl x | sh",
        "a\0b",
        "wget -qO- x | bash",
        "source ./nosuch",
        "eval \"$X\"",
        "bash nosuch.sh",
        "./[a-z]*.sh",
        "echo x > \"$OUT\"",
        "cd \"$D\" && echo x > y",
        "LD_PRELOAD=./x.so ls",
        "PATH=.:$PATH ls",
        "python3 -c 'print(1)'",
        "exec 3<>/dev/tcp/h/1; cat <&3",
        "while ((; do ls; done",
        "f() { f; }; f",
    ] {
        assert_ne!(analyse(line, &world).class, CommandClass::Plain, "{line:?}");
    }
}

#[test]
fn only_one_bare_command_can_be_allowed() {
    let plain = |line: &str| analyse(line, &bench()).plain.map(|plain| plain.words.join("|"));
    assert_eq!(plain("ls -la src"), Some("ls|-la|src".into()));
    assert_eq!(plain("  'ls' \"a b\" c\\ d "), Some("ls|a b|c d".into()));
    for line in [
        "ls; ls",
        "ls | cat",
        "ls &",
        "ls > x",
        "ls < x",
        "ls 2>/dev/null",
        "ls $x",
        "ls \"$x\"",
        "ls $(x)",
        "ls `x`",
        "ls *.rs",
        "ls ~",
        "ls {a,b}",
        "X=1 ls",
        "! ls",
        "(ls)",
        "ls\nls",
        "ls <<< x",
        "time ls",
        "grep 2>/dev/null -rf p /etc/shells",
        "ls ${x}",
        "ls <(x)",
        "ls [ab]",
        "f() { ls; }",
    ] {
        assert_eq!(plain(line), None, "{line:?}");
    }
}

#[test]
fn options_that_name_files_count_as_paths() {
    let paths = |line: &str| analyse(line, &EmptyWorld).plain.unwrap().paths.join("|");
    assert_eq!(paths("grep --file=/etc/x -f/etc/y -e a b"), "/etc/x|/etc/y|a|b");
    assert_eq!(paths("grep -f ../x"), "../x");
}

#[test]
fn parts_name_every_command_and_writes_every_file() {
    let analysis = analyse("cd src && sudo rm a > out.txt | tee b.txt", &bench());
    let commands: Vec<&str> = analysis.parts.iter().map(|part| part.command.as_str()).collect();
    assert!(
        commands.contains(&"sudo rm a") && commands.contains(&"rm a") && commands.contains(&"tee b.txt"),
        "{commands:?}"
    );
    assert_eq!(analysis.writes, ["out.txt", "b.txt"]);
}
