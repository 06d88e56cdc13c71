//! Checks that texts for people are in the message table. Other code has no sentences.

use std::ops::RangeInclusive;

use super::assert_none;
use super::names::is_inside;
use super::source::{Source, sources};

/// Code whose texts are shown to no user, only in a log, to a programmer or to the compiler.
const NOT_SHOWN: &[&str] = &[
    "#[",
    "assert!(",
    "unreachable!(",
    ".expect(",
    "trace!(",
    "debug!(",
    "info!(",
    "warn!(",
    "error!(",
    "span!(",
];

/// A place (file or folder of `src/`), the beginnings of its allowed texts (empty for all texts), and the reason.
type Exception = (&'static str, &'static [&'static str], &'static str);

/// Do not add to this list.
const EXCEPTIONS: &[Exception] = &[
    // Tables of names for users. Screen, help and docs are derived from them.
    ("keys/action.rs", &[], "the table of actions"),
    ("app/commands.rs", &[], "the table of slash commands"),
    ("app/commands/alike.rs", &["new ", "worktree "], "typed commands"),
    ("headless/exit.rs", &[], "the table of exit codes"),
    ("cli/flags.rs", &[], "commands as one types them"),
    ("config/", &[], "the table of keys, and its errors in sentences"),
    ("base/document.rs", &[], "errors of files that a person wrote"),
    ("base/front_matter.rs", &[], "errors of files that a person wrote"),
    (
        "theme/",
        &[],
        "the tables of themes and scopes, and errors of theme files",
    ),
    ("run/tables.rs", &[], "the heads of the book's tables"),
    ("run/tables/", &[], "the book's tables of limits"),
    // Text for the model.
    ("lsp/frames.rs", &["Content-Length: "], "a header"),
    ("mcp/tool_list.rs", &["\\n[Parts"], "what the model reads"),
    ("tools/", &[], "what the model reads"),
    ("web/", &[], "what the model reads"),
    ("context/", &[], "what the model reads"),
    ("search/", &[], "what the model reads"),
    ("diff/patch/", &[], "what the model reads about its patch"),
    ("diff/unified.rs", &[], "a change as the model reads it"),
    ("domain/tool.rs", &["Nothing was done."], "what the model reads"),
    ("domain/summary.rs", &[], "how a call ended"),
    ("agent/", &[], "what the model reads of an agent"),
    ("domain/plan.rs", &[], "answers as they are stored"),
    ("orchestrator/machine/", &[], "what the model reads"),
    ("orchestrator/hooks/", &[], "errors of hooks"),
    ("orchestrator/seat/", &[], "what the model reads about a call"),
    (
        "headless/lib.rs",
        &["nobody is here"],
        "the reason of a denial, which the model reads",
    ),
    (
        "acp/",
        &["the editor cannot", "The editor attached"],
        "what the model reads",
    ),
    ("acp/wire.rs", &[], "errors of messages"),
    (
        "acp/",
        &[
            "Method not",
            "There is no auth",
            "Invalid params",
            "The value of an option",
            "The cursor",
        ],
        "errors of messages",
    ),
    // Errors. Each module describes the failure in a sentence.
    ("lang/build.rs", &[], "errors of the build"),
    ("provider/", &[], "errors of requests"),
    ("domain/server_error.rs", &[], "errors of requests"),
    ("storage/", &[], "errors of storage"),
    ("children/", &[], "errors of processes"),
    ("checkpoints/", &[], "errors of checkpoints and restores"),
    ("files/", &[], "errors of the file system, and names of threads"),
    (
        "security/workspace/",
        &[],
        "errors of paths, which the model reads, too",
    ),
    ("security/trust.rs", &[], "why a file of the folder is not read"),
    (
        "terminal/",
        &[],
        "why the clipboard or the editor failed, and what a panic says",
    ),
    ("base/disk.rs", &["{bytes} bytes"], "sizes, which the model reads, too"),
    ("traces/", &[], "the log, and why it cannot be written"),
    ("error.rs", &[], "how an error stands on standard error"),
    ("run/demo.rs", &["sh check.sh fails."], "the demo's prompt"),
    // Names and commands that look like words.
    (
        "detached/folder.rs",
        &["it is not a folder", "it belongs to another", "others may enter"],
        "what the system would say of a folder",
    ),
    ("run/bench.rs", &["benchdog bench", " --a"], "commands"),
    ("run/detached.rs", &["benchdog attach", "ssh: {}"], "commands"),
    ("mcp/definition.rs", &["an address"], "what stands for one in a trace"),
    ("mcp/http/connection.rs", &["Bearer {token}"], "a header"),
    (
        "mcp/oauth/",
        &["Basic {basic}", "400 Bad", "HTTP/1.1", "<!doctype"],
        "HTTP, and a page without words",
    ),
    (
        "mcp/oauth/secret_source.rs",
        &["it is no file", "others can read it", "it is empty", "it holds more"],
        "what the system would say of a file",
    ),
    (
        "mcp/oauth/jwt.rs",
        &["it is no private key", "it is no key of"],
        "what a reader of the format says, as a system's error",
    ),
    (
        "mcp/oauth/token_store.rs",
        &[
            "others can read it",
            "it holds more",
            "it is not what Benchdog",
            "it would hold more",
        ],
        "errors of the file of tokens",
    ),
    (
        "mcp/listener.rs",
        &["Benchdog has no model", "servers of every revision", "elicitation ("],
        "what a server is told, the compiler, and names of the protocol",
    ),
    ("config/secret.rs", &[], "words by which a secret is known"),
    (
        "app/panes/conversation/lay/failed.rs",
        &[],
        "what other programs say where they fail",
    ),
    (
        "security/shell/",
        &[],
        "programs of a command line, and why one of them is dangerous",
    ),
    ("security/redact.rs", &["PRIVATE KEY"], "how files with keys begin"),
    (
        "orchestrator/validation.rs",
        &["cargo", "go test", "npm", "make"],
        "programs of a command line",
    ),
    (
        "ui/highlight/colour.rs",
        &["keyword", "Plain Text"],
        "names of the syntax definitions",
    ),
    // Text for scripts and documents.
    (
        "domain/permission.rs",
        &["built in"],
        "where a rule stands, as scripts see it",
    ),
    ("domain/review.rs", &["go on"], "an answer as the log knows it"),
    (
        "security/policy/grants.rs",
        &["answered"],
        "where a rule stands, as scripts see it",
    ),
    (
        "domain/permission.rs",
        &["answered", "/mcp off"],
        "where a rule stands, as scripts see it",
    ),
    (
        "sessions/transcript.rs",
        &[],
        "the form of a document, which programs read, too",
    ),
    ("sessions/import.rs", &[" at line "], "the place in a message of serde"),
    ("sessions/import/", &[], "what stands in logs of other programs"),
    ("bench/", &[], "errors of tasks and runs"),
    ("sessions/html/", &[], "the form of a document"),
];

/// Whether the text has two words, or a word and a value, separated by a blank.
fn is_for_people(text: &str) -> bool {
    let text = text.replace("\\n", " ");
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(2).any(|pair| {
        let [one, other] = pair else { return false };
        let (word, value) = (is_word, |text: &str| text.contains('{'));
        (word(one) && (word(other) || value(other))) || (value(one) && word(other))
    })
}

fn is_word(text: &str) -> bool {
    let value = text.contains('{');
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    !value && text.chars().count() > 1 && text.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
}

/// For each text of `NOT_SHOWN`, returns the lines up to its closing bracket.
fn not_shown(code: &str) -> Vec<RangeInclusive<usize>> {
    let starts = NOT_SHOWN.iter().flat_map(|opening| {
        code.match_indices(opening)
            .map(move |(start, _)| (start, start + opening.len()))
    });
    let line = |place: usize| 1 + code.bytes().take(place).filter(|byte| *byte == b'\n').count();
    starts
        .map(|(start, inside)| line(start)..=line(closing(code, inside)))
        .collect()
}

/// Returns the position of the bracket that closes the one before `inside`.
fn closing(code: &str, inside: usize) -> usize {
    let mut depth = 1_u32;
    for (place, byte) in code.bytes().enumerate().skip(inside) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place;
        }
    }
    code.len()
}

/// Returns every text for people in the code, with its file and line.
fn written(source: &Source) -> Vec<(String, usize, String)> {
    if source.is_test() {
        return Vec::new();
    }
    let skipped = not_shown(&source.code);
    let shown = |line: &usize| !skipped.iter().any(|lines| lines.contains(line));
    source
        .literals()
        .into_iter()
        .filter(|(line, text)| is_for_people(text) && shown(line))
        .map(|(line, text)| (source.path.clone(), line, text))
        .collect()
}

/// Whether this place allows texts with this beginning.
fn excused(place: &str, begin: &str, (path, _, text): &(String, usize, String)) -> bool {
    let inside = path == place || is_inside(place, path);
    inside && text.starts_with(begin)
}

/// Describes misplaced texts, and unused exceptions.
fn wrong(found: &[(String, usize, String)], exceptions: &[Exception]) -> Vec<String> {
    let pairs = exceptions.iter().flat_map(|(place, begins, _)| {
        let begins: &[&str] = if begins.is_empty() { &[""] } else { begins };
        begins.iter().map(|begin| (*place, *begin))
    });
    let pairs: Vec<(&str, &str)> = pairs.collect();
    let stands = |one: &&(String, usize, String)| !pairs.iter().any(|(place, begin)| excused(place, begin, one));
    let misplaced = found
        .iter()
        .filter(stands)
        .map(|(path, line, text)| format!("src/{path}:{line}: \"{text}\" belongs into assets/lang/en.ftl"));
    let unused = pairs
        .iter()
        .filter(|(place, begin)| !found.iter().any(|one| excused(place, begin, one)))
        .map(|(place, begin)| format!("{place}: \"{begin}\" needs no exception any more"));
    misplaced.chain(unused).collect()
}

#[test]
fn words_for_people_stand_in_the_message_table() {
    let found: Vec<_> = sources("src").iter().flat_map(written).collect();
    assert_none(&wrong(&found, EXCEPTIONS));
}

#[test]
fn the_reader_of_words_sees_what_is_written_and_an_exception_that_nothing_needs() {
    let code = "#[error(\"it is gone\")]\nstruct E;\nlet a = say(\"nothing to do\");\nlet b = format!(\"{n} left\");\n\
                debug!(\"read a file\");\nlet c = \"{mark} {text}\";\nlet d = \"one\";\n";
    let found = written(&Source::new("app/x.rs", code));
    let texts: Vec<(usize, &str)> = found.iter().map(|(_, line, text)| (*line, text.as_str())).collect();
    assert_eq!(texts, [(3, "nothing to do"), (4, "{n} left")]);
    assert_eq!(wrong(&found, &[]).len(), 2);
    assert_eq!(wrong(&found, &[("app/", &["nothing"], "a test")]).len(), 1);
    assert!(wrong(&found, &[("app/x.rs", &[], "a test")]).is_empty());
    let unused = wrong(&found, &[("app/", &[], "a test"), ("app/x.rs", &["never"], "a test")]);
    assert_eq!(unused, ["app/x.rs: \"never\" needs no exception any more"]);
}
