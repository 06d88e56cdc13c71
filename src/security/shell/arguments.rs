//! Splits the words of a command into options and operands by its grammar: bundles, attached values, abbreviated long
//! names, `--` and negated options.

use super::grammar::{Kind, Opt, Row, Style, Takes, kind};
use super::state::{Field, INSIDE, NUMBER, UNKNOWN, is_open};

#[derive(Debug)]
pub(super) struct Given<'r> {
    pub(super) opt: &'r Opt,
    pub(super) value: Option<(Kind, Field)>,
    pub(super) negated: bool,
}

#[derive(Debug)]
pub(super) struct Arguments<'r> {
    row: &'r Row,
    pub(super) given: Vec<Given<'r>>,
    pub(super) operands: Vec<Field>,
    /// The reason why the arguments are not fully understood.
    pub(super) objection: Option<String>,
    pub(super) before_dashes: usize,
    /// The words of the command that follows an option, as in `fd -x rm`.
    pub(super) command: Vec<Field>,
}

impl<'r> Arguments<'r> {
    pub(super) fn read(row: &'r Row, words: &[Field]) -> Self {
        let mut out = Self {
            row,
            given: Vec::new(),
            operands: Vec::new(),
            objection: None,
            before_dashes: 0,
            command: Vec::new(),
        };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let text = word.text.as_str();
            if text == "--" {
                out.before_dashes = out.operands.len();
                out.operands.extend(rest.cloned());
                return out;
            }
            out.object_to_option(word);
            if matches!(row.style, Style::Single | Style::Glued) && text.len() > 1 && text.starts_with('-') {
                out.single(word, &mut rest);
            } else if let Some(long) = text.strip_prefix("--") {
                out.long(long, word, &mut rest);
            } else if let Some(bundle) = text.strip_prefix('-').filter(|bundle| !bundle.is_empty()) {
                out.bundle(bundle, word, &mut rest);
            } else {
                out.operands.push(word.clone());
                if row.style == Style::Posix {
                    out.operands.extend(rest.cloned());
                    break;
                }
            }
        }
        out.before_dashes = out.operands.len();
        out
    }

    fn object(&mut self, why: impl Into<String>) {
        self.objection.get_or_insert_with(|| why.into());
    }

    /// Records an objection if the word may be an option (its start is unknown) or may expand to several words.
    fn object_to_option(&mut self, word: &Field) {
        if (word.text.starts_with([UNKNOWN, INSIDE, NUMBER]) || word.elastic) && !self.row.is_harmless() {
            self.object("what one of its words is, is not known");
        }
    }

    fn long(&mut self, long: &str, word: &Field, rest: &mut std::slice::Iter<'_, Field>) {
        let (name, glued) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        let (found, negated) = self.find_long(name);
        match found.as_slice() {
            [] if self.row.is_lenient() && !is_open(name) => {}
            [] => self.object(format!("`--{}` is none of the options that are known", shown(name))),
            [opt] => {
                let exact = opt.is(name) || negated && opt.is(name.trim_start_matches("no-"));
                if !exact && !self.row.complete {
                    self.object(format!("`--{}` may stand for another option", shown(name)));
                }
                let value = match (opt.takes, glued) {
                    _ if negated => None,
                    (Takes::Value(kind) | Takes::Glued(kind), Some(text)) => {
                        self.begin_command(kind, part(word, text), rest);
                        Some((kind, part(word, text)))
                    }
                    (Takes::Value(kind), None) => self.next(kind, rest),
                    (Takes::Two(first, second), None) => {
                        let one = self.next(first, rest);
                        self.given.push(Given {
                            opt,
                            value: one,
                            negated,
                        });
                        self.next(second, rest)
                    }
                    (Takes::Nothing | Takes::Two(..), Some(_)) => {
                        self.object(format!("`--{}` has a value", shown(name)));
                        None
                    }
                    (Takes::Nothing | Takes::Glued(_), None) => None,
                };
                self.given.push(Given { opt, value, negated });
            }
            many => {
                let many: Vec<&'r Opt> = many.to_vec();
                for opt in many {
                    let value = match (opt.takes, glued) {
                        (Takes::Value(kind) | Takes::Glued(kind), Some(text)) => Some((kind, part(word, text))),
                        _ => None,
                    };
                    self.given.push(Given {
                        opt,
                        value,
                        negated: false,
                    });
                }
                self.object(format!("`--{}` may stand for several options", shown(name)));
            }
        }
    }

    /// Returns the options that a long name may abbreviate, and whether the name negates them.
    fn find_long(&self, name: &str) -> (Vec<&'r Opt>, bool) {
        let opts = self.row.opts();
        if let Some(exact) = opts.iter().find(|opt| name.len() > 1 && opt.is(name)) {
            return (vec![exact], false);
        }
        if name.is_empty() || is_open(name) {
            return (Vec::new(), false);
        }
        let begins = |name: &str| -> Vec<&'r Opt> {
            let fits = |known: &&str| known.len() > 1 && known.starts_with(name);
            opts.iter().filter(|opt| opt.names.iter().any(&fits)).collect()
        };
        let negated = name.strip_prefix("no-").filter(|_| self.row.style == Style::Negates);
        if let Some(name) = negated
            && let Some(exact) = opts.iter().find(|opt| name.len() > 1 && opt.is(name))
        {
            return (vec![exact], true);
        }
        let found = begins(name);
        match negated {
            Some(name) if found.is_empty() => (begins(name), true),
            _ => (found, false),
        }
    }

    fn bundle(&mut self, bundle: &str, word: &Field, rest: &mut std::slice::Iter<'_, Field>) {
        if bundle.chars().all(|c| c.is_ascii_digit()) && self.row.opts().iter().any(|opt| opt.is("#")) {
            return;
        }
        for (at, letter) in bundle.char_indices() {
            let mut name = [0; 4];
            let name: &str = letter.encode_utf8(&mut name);
            let Some(opt) = self.row.opts().iter().find(|opt| opt.is(name)) else {
                if self.row.is_lenient() && !is_open(name) {
                    continue;
                }
                self.object(format!("`-{}` is none of the options that are known", shown(name)));
                return;
            };
            let glued = bundle.get(at + name.len()..).unwrap_or("");
            let value = match opt.takes {
                Takes::Nothing | Takes::Two(..) => None,
                Takes::Glued(kind) => Some((kind, part(word, glued))).filter(|_| !glued.is_empty()),
                Takes::Value(kind) if glued.is_empty() => self.next(kind, rest),
                Takes::Value(kind) => {
                    self.begin_command(kind, part(word, glued), rest);
                    Some((kind, part(word, glued)))
                }
            };
            self.given.push(Given {
                opt,
                value,
                negated: false,
            });
            if opt.takes != Takes::Nothing {
                return;
            }
        }
    }

    fn single(&mut self, word: &Field, rest: &mut std::slice::Iter<'_, Field>) {
        let text = word.text.trim_start_matches('-');
        let (name, glued) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let Some(opt) = self.row.opts().iter().find(|opt| opt.is(name)) else {
            if !(self.row.is_lenient() && !is_open(name) || self.row.style == Style::Glued && self.letter(text, word)) {
                self.object(format!("`-{}` is none of the options that are known", shown(name)));
            }
            return;
        };
        let value = match (opt.takes, glued) {
            (Takes::Value(kind) | Takes::Glued(kind), Some(text)) => Some((kind, part(word, text))),
            (Takes::Value(kind), None) => self.next(kind, rest),
            (Takes::Nothing | Takes::Glued(_) | Takes::Two(..), _) => None,
        };
        self.given.push(Given {
            opt,
            value,
            negated: false,
        });
    }

    fn letter(&mut self, text: &str, word: &Field) -> bool {
        let end = text.chars().next().map_or(0, char::len_utf8);
        let (name, value) = text.split_at_checked(end).unwrap_or_default();
        let takes = |opt: &&Opt| opt.is(name) && !value.is_empty();
        let found = self.row.opts().iter().find(takes).map(|opt| (opt, opt.takes));
        let Some((opt, Takes::Value(kind) | Takes::Glued(kind))) = found else {
            return false;
        };
        self.given.push(Given {
            opt,
            value: Some((kind, part(word, value))),
            negated: false,
        });
        true
    }

    fn next(&mut self, kind: Kind, rest: &mut std::slice::Iter<'_, Field>) -> Option<(Kind, Field)> {
        let Some(word) = rest.next() else {
            self.object("the value of an option is missing");
            return None;
        };
        // A glob may expand to several words. Only the first is the value.
        if (word.elastic || word.glob) && !self.row.is_harmless() {
            self.object("what one of its words is, is not known");
        }
        self.begin_command(kind, word.clone(), rest);
        Some((kind, word.clone()))
    }

    fn begin_command(&mut self, kind: Kind, first: Field, rest: &mut std::slice::Iter<'_, Field>) {
        if matches!(kind, Kind::Command | Kind::Rest) {
            self.command = std::iter::once(first).chain(rest.by_ref().cloned()).collect();
        }
    }

    /// Whether an option is present and no later option negates it.
    pub(super) fn has(&self, name: &str) -> bool {
        let mut found = self.given.iter().rev().filter(|given| given.opt.is(name));
        found.next().is_some_and(|given| !given.negated)
    }

    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    pub(super) fn values(&self, name: &str) -> Vec<Field> {
        let found = self.given.iter().filter(|given| given.opt.is(name));
        found
            .filter_map(|given| Some(given.value.as_ref()?.1.clone()))
            .collect()
    }

    pub(super) fn kind_of(&self, at: usize) -> Option<Kind> {
        let letters = self.row.operands;
        letters.chars().nth(at).or_else(|| letters.chars().last()).map(kind)
    }
}

fn part(word: &Field, text: &str) -> Field {
    Field {
        text: text.to_owned(),
        ..word.clone()
    }
}

fn shown(name: &str) -> String {
    name.chars()
        .take(40)
        .map(|c| if c.is_control() { '…' } else { c })
        .collect()
}
