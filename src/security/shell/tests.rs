//! Tests of command lines and their classes, from a corpus and from generated lines.

use std::collections::BTreeMap;

use super::*;

mod dangerous;
mod harmless;
mod hostile;
mod names;

/// The folder in which the lines of the corpus were recorded.
struct Bench(BTreeMap<&'static str, &'static str>);

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
    all.insert(".git/HEAD", "ref: refs/heads/main\n");
    all.insert(".git/config", "[core]\n\tbare = false\n");
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
        let folder = Self::clean(folder);
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
    let texts = [
        include_str!("../../../tests/data/shell.tsv"),
        include_str!("../../../tests/data/shell_2.tsv"),
    ];
    let rows = texts
        .iter()
        .flat_map(|text| text.lines().skip(1))
        .filter(|line| !line.trim().is_empty());
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

fn judged(label: &str) -> Vec<(Case, Analysis)> {
    let world = bench();
    let cases = corpus().into_iter().filter(|case| case.label == label);
    cases
        .map(|case| {
            let analysis = analyse(&case.command, &world);
            (case, analysis)
        })
        .collect()
}

fn told<'c>(wrong: impl Iterator<Item = &'c (Case, Analysis)>) -> Vec<String> {
    wrong
        .map(|(case, analysis)| {
            format!(
                "{} {:?}: {:?}, {}",
                case.id, case.command, analysis.class, analysis.because
            )
        })
        .collect()
}

#[test]
fn no_hostile_line_of_the_corpora_is_plain() {
    let judged = judged("dangerous");
    assert!(judged.len() > 450, "the corpora are there");
    let wrong = told(
        judged
            .iter()
            .filter(|(_, analysis)| analysis.class == CommandClass::Plain || analysis.reads_only),
    );
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn benign_lines_of_the_corpora_are_seldom_unknown_and_never_worse() {
    let judged = judged("benign");
    let worse = told(
        judged
            .iter()
            .filter(|(_, analysis)| analysis.class >= CommandClass::Dangerous),
    );
    assert!(worse.is_empty(), "{} lines:\n{}", worse.len(), worse.join("\n"));
    let unknown = told(
        judged
            .iter()
            .filter(|(_, analysis)| analysis.class == CommandClass::Unknown),
    );
    assert!(
        unknown.len() * 20 <= judged.len(),
        "{} of {} lines:\n{}",
        unknown.len(),
        judged.len(),
        unknown.join("\n")
    );
    const ELSEWHERE: &[&str] = &["curl", "docker", "kubectl", "aws", "gh", "npm view", "psql", "kill"];
    let external = judged
        .iter()
        .filter(|(_, analysis)| analysis.class == CommandClass::External);
    let wrong = told(external.filter(|(case, _)| !ELSEWHERE.iter().any(|start| case.command.starts_with(start))));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nine_of_ten_lines_that_only_read_are_known_to() {
    let judged = judged("benign");
    let reading = |(_, analysis): &&(Case, Analysis)| {
        analysis.class == CommandClass::Plain && !analysis.runs_project_code && analysis.writes.is_empty()
    };
    let all: Vec<_> = judged.iter().filter(reading).collect();
    let asked = told(all.iter().copied().filter(|(_, analysis)| !analysis.reads_only));
    assert!(
        all.len() > 100 && asked.len() * 10 <= all.len(),
        "{} of {}:\n{}",
        asked.len(),
        all.len(),
        asked.join("\n")
    );
}

/// Returns lines written for these tests from the programs' manuals. `guarded` must never be plain, `reads` must only
/// read, and `benign` is seldom unknown.
fn own(label: &str) -> Vec<(Case, Analysis)> {
    let world = bench();
    let text = include_str!("../../../tests/data/shell_own.tsv");
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let rows = rows.filter(|columns| columns[1] == label);
    rows.map(|columns| {
        let case = Case {
            id: columns[0].to_owned(),
            label: label.to_owned(),
            command: serde_json::from_str(columns[2]).unwrap(),
        };
        let analysis = analyse(&case.command, &world);
        (case, analysis)
    })
    .collect()
}

#[test]
fn lines_from_the_manuals_are_judged_as_they_are_marked() {
    let guarded = own("guarded");
    assert!(guarded.len() > 1_000, "{}", guarded.len());
    let plain = told(
        guarded
            .iter()
            .filter(|(_, analysis)| analysis.class == CommandClass::Plain),
    );
    assert!(plain.is_empty(), "{}", plain.join("\n"));
    // Plain commands that no default rule allows.
    let project = own("project");
    let otherwise = told(project.iter().filter(|(_, analysis)| {
        analysis.class != CommandClass::Plain || !analysis.runs_project_code || analysis.reads_only
    }));
    assert!(otherwise.is_empty(), "{}", otherwise.join("\n"));
    let asked = told(own("reads").iter().filter(|(_, analysis)| !analysis.reads_only));
    assert!(asked.is_empty(), "{}", asked.join("\n"));
    let benign = own("benign");
    let worse = told(
        benign
            .iter()
            .filter(|(_, analysis)| analysis.class >= CommandClass::Unknown),
    );
    assert!(worse.len() * 20 <= benign.len(), "{}", worse.join("\n"));
    assert!(
        benign
            .iter()
            .all(|(_, analysis)| analysis.class < CommandClass::Dangerous)
    );
}

struct Counted(Bench, std::cell::Cell<usize>);

impl Counted {
    fn count(&self) -> &Bench {
        self.1.set(self.1.get() + 1);
        &self.0
    }
}

impl World for Counted {
    fn exists(&self, path: &str) -> bool {
        self.count().exists(path)
    }

    fn is_folder(&self, path: &str) -> bool {
        self.count().is_folder(path)
    }

    fn read_small(&self, path: &str) -> Option<String> {
        self.count().read_small(path)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        self.count().names(folder)
    }
}

#[test]
fn a_line_of_many_commands_asks_the_disk_no_more_than_a_few_times_for_each() {
    for (part, most) in [
        ("git log --oneline; ", 60),
        ("for f in *; do cat $f; done; ", 60),
        ("ls -la src | sort -u; ", 10),
    ] {
        let world = Counted(bench(), std::cell::Cell::new(0));
        analyse(&part.repeat(8_000 / part.len()), &world);
        assert!(world.1.get() <= most, "{part}: {}", world.1.get());
    }
}

fn cost(line: &str) -> usize {
    let world = Counted(bench(), std::cell::Cell::new(0));
    let mut walker = Walker::new(&world, line);
    let full = walker.fuel.left();
    if let Ok(nodes) = read::read(line, 0, &walker.fuel.clone()) {
        walker.list(&nodes, &Input::Closed);
    }
    full - walker.fuel.left() + walker.cost() + world.1.get()
}

#[test]
fn a_line_twice_as_long_costs_about_twice_as_much() {
    for [before, part, between] in [
        ["", "ls", ";"],
        ["", "ls -la src | sort -u", "; "],
        ["", "sed -n s/a/b/p x", "|"],
        ["", "cd src && ls || true", " && "],
        ["echo ", "$(ls)", " "],
        ["", "echo $(echo $(echo $(ls)))", ";"],
        ["echo ", "\"a\"'b'\\c", ""],
        ["echo ", "{a,b}{c,d}{e,f}", " "],
        ["echo ", "{a,", ""],
        ["ls ", "a*?[b]", ""],
        ["echo ", "$((1+2*(3-4)))", " "],
        ["echo $((", "(1+", ""],
        ["", "(ls)", ";"],
        ["", "((", ""],
        ["", ">f", ";"],
        ["", "cp notes.txt b", ";"],
        ["f() { ls; ls; };", "f", ";"],
        ["", "env", " "],
        ["", "bash -c 'ls; cat x'", ";"],
        ["foo ", "rm", " "],
        ["ls ", "-l -a -h", " "],
        ["", "for a in 1 2; do ls $a; done", ";"],
        ["ls ", "| xargs ls", " "],
        ["", "a=$a$a", ";"],
        ["", "cat <<E\nx $a\nE", "\n"],
    ] {
        let line = |count| format!("{before}{}", vec![part; count].join(between));
        let count = 4_000 / (part.len() + between.len());
        let (small, large) = (cost(&line(count)), cost(&line(2 * count)));
        assert!(large <= small * 5 / 2 + 500, "{part}: {small}, {large}");
        // A text that doubles with each step may pass the ratio above, so the total has a limit.
        assert!(large <= 5_000_000, "{part}: {large}");
    }
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
        "python3 -c 'exec(x)'",
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

#[test]
fn a_part_reads_as_it_stands_in_the_line_and_rules_are_held_against_its_words() {
    for (line, written, words) in [
        (
            "ls | grep -v \"two words\"",
            "grep -v \"two words\"",
            "grep -v two words",
        ),
        ("ls | grep -e 'x|y' \\*.rs", "grep -e 'x|y' \\*.rs", "grep -e x|y *.rs"),
        ("x='a  b'; grep -v \"$x\"", "grep -v 'a  b'", "grep -v a  b"),
        (
            "x=\"it's\"; grep -v \"$x\" *.rs",
            "grep -v \"it's\" *.rs",
            "grep -v it's *.rs",
        ),
    ] {
        let analysis = analyse(line, &bench());
        let parts: Vec<_> = analysis
            .parts
            .iter()
            .map(|part| (&*part.written, &*part.command))
            .collect();
        assert!(parts.contains(&(written, words)), "{line}: {parts:?}");
    }
}

#[test]
fn a_command_that_two_rules_speak_of_stands_once_with_what_is_worse_of_it() {
    for line in ["rm -rf a", "rm -rf a; rm -rf a", "cd src && rm -rf a"] {
        let analysis = analyse(line, &bench());
        let told = analysis.parts.iter().filter(|part| part.command == "rm -rf a");
        let told: Vec<_> = told.map(|part| (part.class, part.because.as_str())).collect();
        assert_eq!(told, [(CommandClass::Dangerous, "`rm` removes files")], "{line}");
    }
}

#[test]
fn options_and_verbs_that_only_tell_are_known_without_a_row() {
    let reads_only = |line: &str| analyse(line, &bench()).reads_only;
    for line in [
        "ls --some-new-option notes.txt",
        "git log --some-new-option -3",
        "npm config get registry",
        "pip list --format=json",
        "go help build",
        "python3 -m json.tool package.json",
        "rustc --version --verbose",
        "yarn --version",
        "sleep 1",
    ] {
        assert!(reads_only(line), "{line}");
    }
    for line in [
        "tree -o x",
        "git log --output=x",
        "npm config set x y",
        "npm version patch",
        "npm ls --script-shell=./x",
        "cargo config get",
        "pip list --log x",
        "python3 -m http.server",
        "./x --version",
    ] {
        assert!(!reads_only(line), "{line}");
    }
}
