//! Checks that a tool's name occurs only in the tool's own files. Other modules use the facts in the tool's row.

use super::assert_none;
use super::source::{Source, sources};

/// A place (a file or folder of `src/`, folders with a final `/`), allowed texts that equal a tool's name, and the
/// reason.
type Exception = (&'static str, &'static [&'static str], &'static str);

/// Texts that equal a tool's name but have another meaning.
const SPELT_ALIKE: &[Exception] = &[
    ("config/", &["ask"], "what a rule can say: allow, ask, deny"),
    (
        "domain/permission.rs",
        &["ask"],
        "what a rule can say: allow, ask, deny",
    ),
    (
        "orchestrator/validation/definition.rs",
        &["bash", "grep"],
        "programs of a command line",
    ),
    ("run/pins/program.rs", &["bash"], "a program of a command line"),
    ("agent/built_in.rs", &["bash"], "the permission key of an agent's rule"),
    ("bench/check.rs", &["bash"], "a program of a command line"),
    ("bench/html.rs", &["done"], "the outcome of a turn"),
    ("bench/agent.rs", &["edit"], "a kind of call in the protocol"),
    ("files/worktree.rs", &["list"], "a word of git's own"),
    (
        "run/demo.rs",
        &["edit", "bash"],
        "permission keys of the demo's own rules",
    ),
    (
        "domain/permission.rs",
        &["edit"],
        "the permission key of all that change files",
    ),
    ("headless/exit.rs", &["done"], "how a turn ended"),
    ("domain/child.rs", &["done"], "how a child ended"),
    ("run/pull.rs", &["done"], "what a script reads"),
    ("security/standing/", &["grep"], "a program of a command line"),
    ("domain/command.rs", &["grep"], "a program of a command line"),
    ("run/pins.rs", &["task"], "a program of a command line"),
    (
        "security/shell/",
        &["bash", "done", "edit", "grep", "list", "read"],
        "programs and builtins of a command line",
    ),
    ("storage/", &["list", "write"], "what was tried with a file or a folder"),
    (
        "checkpoints/",
        &["list", "write"],
        "what was tried with a file or a folder",
    ),
    ("tools/grep.rs", &["glob"], "an argument of the tool"),
    (
        "tools/todowrite.rs",
        &["done", "list", "task"],
        "a status as models write it, an argument, and a field of the review",
    ),
];

/// Returns the tools' names with their files. Reads the names from the rows in the files below `tools`.
fn tools(all: &[Source]) -> Vec<(String, String)> {
    let named = |source: &Source| {
        let (_, rest) = source.text.split_once("ToolFacts::of(\"")?;
        let (name, _) = rest.split_once('"')?;
        Some((name.to_owned(), source.path.clone()))
    };
    let below = all
        .iter()
        .filter(|source| source.path.starts_with("tools/") && !source.is_test());
    below.filter_map(named).collect()
}

/// Whether `path` is the tool's own file, or is in the folder of the same name.
fn is_own(file: &str, path: &str) -> bool {
    path == file
        || path
            .strip_prefix(file.trim_end_matches(".rs"))
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Returns every production text that equals the name of a tool, outside the tool's files.
fn misplaced(all: &[Source], tools: &[(String, String)]) -> Vec<(String, usize, String)> {
    let mut found = Vec::new();
    for source in all.iter().filter(|source| !source.is_test()) {
        for (line, text) in source.literals() {
            let own = tools.iter().find(|(name, _)| *name == text);
            if own.is_some_and(|(_, file)| !is_own(file, &source.path)) {
                found.push((source.path.clone(), line, text));
            }
        }
    }
    found
}

/// Whether a folder such as `app/panes/` contains the file, or the file is the module of the folder.
pub fn is_inside(folder: &str, path: &str) -> bool {
    let module = folder.strip_suffix('/').map(|module| format!("{module}.rs"));
    module.is_some_and(|module| path == module || path.starts_with(folder))
}

fn excuses((place, texts, _): &Exception, (path, _, text): &(String, usize, String)) -> bool {
    let inside = path == place || is_inside(place, path);
    inside && texts.contains(&text.as_str())
}

#[test]
fn no_room_knows_a_tool_by_its_name() {
    let all = sources("src");
    let tools = tools(&all);
    assert!(tools.len() >= 11, "{tools:?}");
    let found = misplaced(&all, &tools);
    let mut wrong: Vec<String> = found
        .iter()
        .filter(|one| !SPELT_ALIKE.iter().any(|row| excuses(row, one)))
        .map(|(path, line, text)| format!("src/{path}:{line}: \"{text}\" is a tool; its row tells what is to be known"))
        .collect();
    for row in SPELT_ALIKE.iter() {
        let used = |text: &str| found.iter().any(|one| one.2 == text && excuses(row, one));
        let unused = row.1.iter().filter(|text| !used(text));
        wrong.extend(unused.map(|text| format!("{}: \"{text}\" needs no exception any more", row.0)));
    }
    assert_none(&wrong);
}

#[test]
fn a_tools_name_is_seen_wherever_it_is_not_its_own() {
    let row = "fn row() { ToolFacts::of(\"read\", EffectClass::Reads) }";
    let all = [
        Source::new("tools/read.rs", row),
        Source::new("tools/read/part.rs", "if name == \"read\" {}"),
        Source::new("tools/reader.rs", "if name == \"read\" {}"),
        Source::new(
            "app/lay.rs",
            "// \"read\"\nlet shown = matches!(tool, \"write\" | \"read\");",
        ),
        Source::new("app/tests.rs", "call(\"read\")"),
        Source::new("ui/draw.rs", "let text = \"read it\";"),
    ];
    let tools = tools(&all);
    assert_eq!(tools, [("read".to_owned(), "tools/read.rs".to_owned())]);
    assert_eq!(
        misplaced(&all, &tools),
        [
            ("tools/reader.rs".to_owned(), 1, "read".to_owned()),
            ("app/lay.rs".to_owned(), 2, "read".to_owned())
        ]
    );
}
