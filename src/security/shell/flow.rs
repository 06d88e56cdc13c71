//! Loops and comparisons: determines the possible values of a variable inside a loop.

use super::grammar::Kind;
use super::state::{Field, INSIDE, Input, NUMBER, Output, UNKNOWN, Value, is_open};
use super::syntax::{Node, Word};
use super::walk::Walker;

/// Maximum number of loop words that are analysed one by one. A longer loop is analysed once, with an unknown word.
const MAX_VALUES: usize = 8;

impl Walker<'_> {
    /// Marks variables as unknown after assignments inside `((…))`, such as `x++` or `x=3`.
    pub(super) fn forget_names(&mut self, text: &str) {
        if !text.contains(['=', '+', '-']) {
            return;
        }
        for name in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                self.named(name, text);
            }
            if self.state.get(name).is_some() {
                self.state.set(name, Value::One(NUMBER.to_string()));
            }
        }
    }

    /// Analyses the operands of `-eq` and similar operators, which are arithmetic.
    pub(super) fn comparison(&mut self, fields: &[Field]) {
        for (at, field) in fields.iter().enumerate() {
            self.embedded(&field.text);
            if matches!(field.text.as_str(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") {
                let beside = [at.checked_sub(1), Some(at + 1)];
                for operand in beside.into_iter().flatten().filter_map(|at| fields.get(at)) {
                    self.arithmetic(&operand.text);
                }
            }
            if matches!(field.text.as_str(), "-v" | "-R")
                && let Some(name) = fields.get(at + 1)
                && name.text.contains('[')
            {
                self.doubt("what stands in `[…]` behind a name is run");
            }
        }
    }

    pub(super) fn for_loop(&mut self, name: &str, words: Option<&[Word]>, body: &[Node], input: &Input) -> Output {
        let fields = match words {
            Some(words) => self.fields(words),
            None => self.state.positional.iter().map(Field::of).collect(),
        };
        self.look_for_processes(&fields);
        for field in fields.iter().filter(|field| field.glob) {
            self.reading(field, Kind::Names);
        }
        self.named(name, name);
        let mut values: Vec<String> = fields.iter().map(|field| self.any_of(field)).collect();
        values.dedup();
        if values.len() > MAX_VALUES {
            values = vec![UNKNOWN.to_string()];
        }
        // The second round sees the changes of the first.
        for value in values.iter().chain(&values) {
            self.state.set(name, Value::One(value.clone()));
            self.maybe(|walker| walker.list(body, input));
        }
        None
    }

    /// Returns a value that stands for every name to which the word may expand.
    pub(super) fn any_of(&self, field: &Field) -> String {
        if !field.glob {
            return field.text.clone();
        }
        let at = field.text.find(['*', '?', '[']).unwrap_or(0);
        let (start, rest) = field.text.split_at_checked(at).unwrap_or(("", field.text.as_str()));
        // `.*` also matches `..`. A pattern that begins with a wildcard may match a name with a leading dash.
        let climbs = start == "." || start.ends_with("/.");
        if is_open(&field.text) || climbs || (start.is_empty() && self.may_be_option(rest)) {
            return UNKNOWN.to_string();
        }
        let end = rest.rsplit(['*', '?', ']']).next().unwrap_or("");
        let start = if start.is_empty() { "./" } else { start };
        format!("{start}{INSIDE}{end}")
    }

    /// Whether a pattern matches a name that begins with a dash.
    pub(super) fn may_be_option(&self, pattern: &str) -> bool {
        let here = self.state.places("").iter().any(|folder| {
            let names = self.names(folder.trim_end_matches('/'));
            names.iter().any(|name| name.starts_with('-'))
        });
        pattern.starts_with(['*', '?', '[']) && (here || !self.writes.is_empty() || self.state.folder.is_none())
    }
}
