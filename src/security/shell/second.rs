//! A second reader, tree-sitter's grammar for bash, which shares nothing with the first. A command that it sees and the
//! first one did not, or a line it cannot read, is not understood. It never makes a verdict milder.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

/// Longer lines are not given to it.
const MAX_BYTES: usize = 8 * 1024;

/// How often it reports, which it does every hundred steps, before it is stopped: some of its work is not linear.
const MOST_REPORTS: usize = 200;

/// Parts of long pipelines, which cost it far more than their letters.
const MOST_PIPED: usize = 64;

/// What the first reader met, to compare with.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// Every command word without an expansion, wherever it stands.
    pub(super) names: HashSet<String>,
    /// Parts of pipelines behind the third.
    pub(super) piped: usize,
}

thread_local! {
    /// Making a parser costs more than parsing a line.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Why the second reader does not agree; `None`: it sees no more than the first.
pub(super) fn objection(line: &str, met: &Met) -> Option<&'static str> {
    if line.len() > MAX_BYTES || met.piped > MOST_PIPED {
        return Some("it is too long to be read twice");
    }
    let Some(tree) = parse(line) else {
        return Some("it is too complicated to be read twice");
    };
    if tree.root_node().has_error() {
        return Some("a second reading does not understand it");
    }
    let command_name = tree.language().id_for_node_kind("command_name", true);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind_id() == command_name && is_new(node, line, &met.names) {
            return Some("a second reading sees a command that the first did not");
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}

/// Words that begin or end a compound command, or change what stands behind them.
const RESERVED: &[&str] = &[
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select", "then",
    "time", "until", "while",
];

/// Whether there is only one way to read a line: words of letters, values of variables, `$(…)` of the same and sums of digits,
/// with nothing but `;`, `|`, `&&`, `||` and line ends between commands.
pub(super) fn is_evident(line: &str) -> bool {
    let line = line.trim_end_matches([' ', '\t', '\n']);
    let line = line.strip_suffix(';').unwrap_or(line);
    let mut around: Vec<Command> = Vec::new();
    let mut command = Command::default();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let (read, goes_on) = match rest.as_bytes() {
            [b' ' | b'\t', ..] => (1, command.end_word(line, at)),
            [b'&', b'&', ..] | [b'|', b'|', ..] => (2, command.end(line, at)),
            [b';' | b'|' | b'\n', ..] => (1, command.end(line, at)),
            [b'$', b'(', b'(', ..] => {
                command.word(at).is_plain = false;
                sum(rest).map_or((0, false), |length| (length, true))
            }
            [b'$', b'(', ..] => {
                command.word(at).is_plain = false;
                around.push(std::mem::take(&mut command));
                (2, true)
            }
            [b'$', b'A'..=b'Z' | b'a'..=b'z' | b'_', ..] => {
                command.word(at).is_plain = false;
                (2, true)
            }
            [b')', ..] => match (command.end(line, at), around.pop()) {
                (true, Some(outer)) => {
                    command = outer;
                    (1, true)
                }
                _ => (0, false),
            },
            [b'=', ..] => (1, command.equals(line, at)),
            [letter, ..] if letter.is_ascii_alphanumeric() || b"_-./,:@%+".contains(letter) => {
                command.word(at);
                (1, true)
            }
            _ => (0, false),
        };
        if !goes_on {
            return false;
        }
        at += read;
    }
    around.is_empty() && command.end(line, at)
}

/// The command that [`is_evident`] stands in.
#[derive(Default)]
struct Command {
    /// Words that have ended.
    words: usize,
    /// Its only word is `NAME=value`.
    assigns: bool,
    word: Option<Word>,
}

struct Word {
    start: usize,
    /// Letters only, so that it may be a reserved word.
    is_plain: bool,
    assigns: bool,
}

impl Command {
    /// The word that a letter belongs to.
    fn word(&mut self, at: usize) -> &mut Word {
        self.word.get_or_insert(Word {
            start: at,
            is_plain: true,
            assigns: false,
        })
    }

    /// A `=`: of an option, or of an assignment, which is a command of its own.
    fn equals(&mut self, line: &str, at: usize) -> bool {
        let is_first = self.words == 0;
        let Some(word) = &mut self.word else { return false };
        let before = line.get(word.start..at).unwrap_or("");
        let is_name = !before.starts_with(|c: char| c.is_ascii_digit())
            && before.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        word.assigns |= is_first && word.is_plain && is_name;
        word.assigns || before.starts_with('-')
    }

    /// The end of a word; `false` for a reserved one, and for an assignment of nothing or in front of a command.
    fn end_word(&mut self, line: &str, at: usize) -> bool {
        let Some(word) = self.word.take() else { return true };
        let text = line.get(word.start..at).unwrap_or("");
        let is_reserved = word.is_plain && RESERVED.contains(&text);
        let is_empty = word.assigns && text.ends_with('=');
        let follows_assignment = self.assigns;
        self.words += 1;
        self.assigns |= word.assigns;
        !(is_reserved || is_empty || follows_assignment)
    }

    /// The end of the command; `false` for an empty one.
    fn end(&mut self, line: &str, at: usize) -> bool {
        let goes_on = self.end_word(line, at) && self.words > 0;
        *self = Self::default();
        goes_on
    }
}

/// The length of `$((…))` with nothing but numbers and signs between them in it.
fn sum(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("$((")?;
    let inner = inner.get(..inner.find(')')?)?;
    let is_number = |part: &str| {
        let part = part.trim_matches(' ');
        !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit())
    };
    let length = inner.len() + "$(())".len();
    let is_sum = inner.split(['+', '-', '*']).all(is_number) && text.get(..length)?.ends_with("))");
    is_sum.then_some(length)
}

/// `None` when it was stopped.
fn parse(line: &str) -> Option<Tree> {
    PARSER.with(|parser| {
        let mut parser = parser.try_borrow_mut().ok()?;
        if parser.is_none() {
            let mut fresh = Parser::new();
            fresh.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
            *parser = Some(fresh);
        }
        let parser = parser.as_mut()?;
        let mut reports = 0;
        let mut stop = |_: &_| {
            reports += 1;
            if reports > MOST_REPORTS {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut stop);
        let tree = parser.parse_with_options(
            &mut |at, _| line.as_bytes().get(at..).unwrap_or(&[]),
            None,
            Some(options),
        );
        parser.reset();
        tree
    })
}

/// Whether a plain command word was met by nobody. Words that are expanded have no name to compare.
fn is_new(node: Node<'_>, line: &str, names: &HashSet<String>) -> bool {
    let text = line.get(node.byte_range()).unwrap_or("");
    let plain = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+'));
    // Reserved words of the first reader that are names to the second.
    plain && !matches!(text, "time" | "coproc") && !names.contains(text)
}

#[cfg(test)]
mod tests {
    use super::super::read::{Fuel, read};
    use super::*;

    fn of(line: &str, names: &[&str]) -> Option<&'static str> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        objection(line, &Met { names, piped: 0 })
    }

    #[test]
    fn it_objects_to_what_it_cannot_read_and_to_commands_nobody_saw() {
        assert_eq!(of("ls; cat x", &["ls", "cat"]), None);
        assert!(of("ls; cat x", &["ls"]).is_some());
        assert!(of("ls $(cat x)", &["ls"]).is_some());
        assert!(of("ls ')", &["ls"]).is_some());
        assert!(of(&"ls;".repeat(4000), &["ls"]).is_some());
    }

    #[test]
    fn a_line_is_evident_when_its_words_are_letters_and_its_commands_stand_in_a_list() {
        for line in [
            "ls",
            "ls -la src; cat a.txt",
            "git log --format=oneline && ls || cat x | wc -l",
            "ls;\n",
            "x=1; echo $x",
            "x=$(git log | head -1)$y; z",
            "echo $(ls $(cat a))b $((1 + 2))",
        ] {
            assert!(is_evident(line), "{line}");
        }
        for line in [
            "",
            "ls &",
            "ls ;; cat",
            "ls ; ;",
            "ls |& cat",
            "ls &&& cat",
            "ls A=b",
            "1=b ls",
            "=b",
            "ls 'a'",
            "ls > x",
            "ls ${x}",
            "ls $1",
            "ls $(",
            "ls )",
            "ls $(cat;)",
            "ls $(time cat)",
            "ls $((1+x))",
            "ls $((1) + (2))",
            "a=b ls",
            "a=b c=d",
            "x=(1)",
            "x=",
            "ls # x",
            "ls *",
            "time ls",
            "for a in b; do ls; done",
            "ls \u{e9}",
            "ls\rcat",
            "ls\u{a0}",
            "ls\u{c}",
        ] {
            assert!(!is_evident(line), "{line}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(5_000))]
        #[test]
        fn to_an_evident_line_the_second_reader_has_no_objection(
            words in proptest::collection::vec((0..WORDS.len(), 0..BETWEEN.len()), 1..12)
        ) {
            let drawn = words.iter().filter_map(|(word, between)| Some([*WORDS.get(*word)?, *BETWEEN.get(*between)?]));
            let line = drawn.flatten().collect::<String>();
            if is_evident(&line) && let Ok(nodes) = read(&line, 0, &Fuel::for_length(line.len())) {
                proptest::prop_assert_eq!(objection(&line, &super::super::met(&nodes)), None, "{}", line);
            }
        }
    }

    const WORDS: [&str; 52] = [
        "ls", "cat", "git", "-l", "--a=b", "a=b", "-", "--", "1", "2", "a.b", "/x/y", "./z", "@", "a,b", "%1", "+x",
        ":", "=", ".", "declare", "export", "unset", "let", "exec", "eval", "test", "local", "if", "then", "done",
        "time", "in", "select", "#x", "<<E", "{a", "\\", "[[", "a=(1", "$x", "$(ls", "$(cat ", ")", ")", ")", "x=1",
        "x=", "x=$(ls)", "$((1+2))", "$((", "))",
    ];
    const BETWEEN: [&str; 14] = [
        " ", " ", " ", "\t", "; ", ";", " && ", "&&", "||", " | ", "|", "\n", "&", ";;",
    ];
}
