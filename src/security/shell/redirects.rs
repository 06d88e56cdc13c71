//! Redirections, with the files that they read and write, and assignments, with the new values of variables.

use super::grammar;
use super::state::{Field, Input, UNKNOWN, Value};
use super::syntax::{Assigned, Assignment, Piece, Redirect, Word};
use super::walk::Walker;

impl Walker<'_> {
    pub(super) fn redirect(
        &mut self,
        redirect: &Redirect,
        text: &str,
        input: &mut Input,
        target: &mut Option<(String, bool)>,
    ) {
        match redirect.operator {
            "<<" | "<<-" => {
                let body = redirect.body.get().cloned().unwrap_or_default();
                let body = self.text(&body);
                self.look_for_processes(std::slice::from_ref(&body));
                *input = Input::Text(body.text.into());
            }
            "<<<" => {
                let body = self.text(&redirect.word);
                self.look_for_processes(std::slice::from_ref(&body));
                *input = Input::Text(format!("{}\n", body.text).into());
            }
            "<" => {
                let field = self.text(&redirect.word);
                self.look_for_processes(std::slice::from_ref(&field));
                self.reading(&field, grammar::Kind::Read);
                *input = match field.known() {
                    Some(path) if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") => {
                        self.external(&[Field::of(text)], "reads from a network address");
                        Input::Unknown
                    }
                    Some(path) => Input::File(path.to_owned()),
                    None => Input::Unknown,
                };
            }
            operator => {
                let field = self.text(&redirect.word);
                let duplicate = matches!(operator, "<&" | ">&")
                    && field.text.chars().all(|c| c.is_ascii_digit() || c == '-')
                    && !field.text.is_empty();
                if duplicate || operator == "<&" {
                    return;
                }
                self.look_for_processes(std::slice::from_ref(&field));
                let shown = Field::of(text);
                if operator == "<>" {
                    self.unknown(std::slice::from_ref(&shown), "it opens a file for reading and writing");
                }
                self.write_to(&field, &shown, operator.contains(">>"));
                let place = field.known().and_then(|path| self.state.place(path));
                *target = place.map(|path| (path, operator.contains(">>")));
            }
        }
    }

    pub(super) fn assign(&mut self, assignment: &Assignment) -> String {
        if let Some(index) = &assignment.index {
            let index = self.text(index).text;
            self.arithmetic(&index);
        }
        let value = match &assignment.value {
            Assigned::Word(word) => Value::One(self.text(word).text),
            Assigned::Array(words) => {
                let words: Vec<Word> = words.iter().map(strip_index).collect();
                let fields = self.fields(&words);
                if fields.iter().any(|field| field.glob || field.elastic) {
                    Value::unknown()
                } else {
                    Value::Many(fields.into_iter().map(|field| field.text).collect())
                }
            }
        };
        let values: Vec<Field> = match &value {
            Value::One(text) => vec![Field::of(text)],
            Value::Many(all) => all.iter().map(Field::of).collect(),
        };
        self.look_for_processes(&values);
        let first = value.first();
        if assignment.index.is_some() {
            self.state.set(&assignment.name, Value::unknown());
            return first;
        }
        let value = match (assignment.append, self.state.get(&assignment.name), value) {
            (true, Some(Value::Many(old)), Value::Many(new)) => Value::Many([old.clone(), new].concat()),
            (true, Some(Value::One(old)), Value::One(new)) => Value::One(format!("{old}{new}")),
            (true, None, Value::One(new)) => Value::One(format!("{UNKNOWN}{new}")),
            (true, Some(_), _) => Value::unknown(),
            (_, _, value) => value,
        };
        let whole = value.first();
        self.state.set(&assignment.name, value);
        whole
    }
}

/// Removes the index from an element of an array assignment: `[2]=x` becomes `x`. Other words stay unchanged.
fn strip_index(word: &Word) -> Word {
    let mut word = word.clone();
    if let Some(Piece::Text { text, quoted: false }) = word.pieces.first_mut()
        && text.starts_with('[')
        && let Some((_, rest)) = text.split_once("]=")
    {
        *text = rest.to_owned();
    }
    word
}
