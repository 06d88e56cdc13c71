//! Syntax tree of a command line: the parts of bash's grammar that determine commands to run and files to write.

use std::cell::OnceCell;
use std::rc::Rc;

#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) redirects: Vec<Redirect>,
    pub(super) text: Rc<str>,
}

#[derive(Debug)]
pub(super) enum Kind {
    Simple(Simple),
    Pipeline(Vec<Node>),
    /// `a && b`, `a || b`. The second command may not run.
    Both(Joint, Box<Node>, Box<Node>),
    Group(Vec<Node>),
    Subshell(Vec<Node>),
    /// The conditions with their bodies, then the body of `else`.
    If(Vec<(Vec<Node>, Vec<Node>)>, Vec<Node>),
    /// `while` and `until`.
    While(Vec<Node>, Vec<Node>),
    /// `for` and `select`. Without words, it iterates over the positional parameters.
    For(String, Option<Vec<Word>>, Vec<Node>),
    /// `for ((…))`.
    Count(Word, Vec<Node>),
    /// `((…))`.
    Arithmetic(Word),
    Case(Word, Vec<(Vec<Word>, Vec<Node>)>),
    Function(String, Rc<Node>),
    /// The operands of `[[ … ]]`, without its operators.
    Test(Vec<Word>),
    /// A command after `time` or `!`.
    Plain(Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    And,
    Or,
}

#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) assignments: Vec<Assignment>,
    pub(super) words: Vec<Word>,
}

#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) index: Option<Word>,
    pub(super) append: bool,
    pub(super) value: Assigned,
}

#[derive(Debug)]
pub(super) enum Assigned {
    Word(Word),
    Array(Vec<Word>),
}

#[derive(Debug)]
pub(super) struct Redirect {
    pub(super) operator: &'static str,
    /// The target, or the delimiter of `<<`.
    pub(super) word: Word,
    /// The body of a here-document. Set when the parser reaches the lines of the body.
    pub(super) body: Rc<OnceCell<Word>>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Word {
    pub(super) pieces: Vec<Piece>,
}

#[derive(Debug, Clone)]
pub(super) enum Piece {
    Text {
        text: String,
        quoted: bool,
    },
    Parameter(Rc<Parameter>),
    /// `$(…)` and backticks.
    Command {
        nodes: Rc<Vec<Node>>,
        quoted: bool,
    },
    /// `<(…)` and `>(…)`.
    Process {
        nodes: Rc<Vec<Node>>,
        writes: bool,
    },
    /// `$((…))` and `$[…]`.
    Arithmetic(Rc<Word>),
}

/// `$name`, `${name}`, `${!name}`, `${#name}`, `${name[index]op argument}`.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) index: Option<Word>,
    pub(super) indirect: bool,
    pub(super) length: bool,
    /// `:-`, `##`, `/`, `@P`, or empty.
    pub(super) operator: String,
    pub(super) argument: Option<Word>,
    pub(super) quoted: bool,
}

impl Word {
    pub(super) fn literal(&self) -> Option<String> {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text { text, .. } => Some(text.as_str()),
                Piece::Parameter(_) | Piece::Command { .. } | Piece::Process { .. } | Piece::Arithmetic(_) => None,
            })
            .collect()
    }
}

/// Visits every node, also inside substitutions and here-documents.
pub(super) fn each_node(nodes: &[Node], visit: &mut dyn FnMut(&Node)) {
    for node in nodes {
        visit(node);
        for redirect in &node.redirects {
            each_in_word(&redirect.word, visit);
            if let Some(body) = redirect.body.get() {
                each_in_word(body, visit);
            }
        }
        each_in_kind(&node.kind, visit);
    }
}

fn each_in_kind(kind: &Kind, visit: &mut dyn FnMut(&Node)) {
    match kind {
        Kind::Simple(simple) => {
            for assignment in &simple.assignments {
                match &assignment.value {
                    Assigned::Word(word) => each_in_word(word, visit),
                    Assigned::Array(words) => words.iter().for_each(|word| each_in_word(word, visit)),
                }
                if let Some(index) = &assignment.index {
                    each_in_word(index, visit);
                }
            }
            simple.words.iter().for_each(|word| each_in_word(word, visit));
        }
        Kind::Pipeline(nodes) | Kind::Group(nodes) | Kind::Subshell(nodes) => each_node(nodes, visit),
        Kind::Both(_, left, right) => {
            each_node(std::slice::from_ref(left), visit);
            each_node(std::slice::from_ref(right), visit);
        }
        Kind::If(arms, otherwise) => {
            for (condition, body) in arms {
                each_node(condition, visit);
                each_node(body, visit);
            }
            each_node(otherwise, visit);
        }
        Kind::While(condition, body) => {
            each_node(condition, visit);
            each_node(body, visit);
        }
        Kind::For(_, words, body) => {
            words.iter().flatten().for_each(|word| each_in_word(word, visit));
            each_node(body, visit);
        }
        Kind::Count(word, body) => {
            each_in_word(word, visit);
            each_node(body, visit);
        }
        Kind::Arithmetic(word) => each_in_word(word, visit),
        Kind::Case(subject, arms) => {
            each_in_word(subject, visit);
            for (patterns, body) in arms {
                patterns.iter().for_each(|word| each_in_word(word, visit));
                each_node(body, visit);
            }
        }
        Kind::Function(_, body) => each_node(std::slice::from_ref(body), visit),
        Kind::Test(words) => words.iter().for_each(|word| each_in_word(word, visit)),
        Kind::Plain(inner) => each_node(std::slice::from_ref(inner), visit),
    }
}

fn each_in_word(word: &Word, visit: &mut dyn FnMut(&Node)) {
    for piece in &word.pieces {
        match piece {
            Piece::Text { .. } => {}
            Piece::Parameter(parameter) => {
                parameter
                    .index
                    .iter()
                    .chain(&parameter.argument)
                    .for_each(|word| each_in_word(word, visit));
            }
            Piece::Command { nodes, .. } | Piece::Process { nodes, .. } => each_node(nodes, visit),
            Piece::Arithmetic(word) => each_in_word(word, visit),
        }
    }
}
