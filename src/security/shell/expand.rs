//! Expands words to fields, as bash does: braces, parameters, substitutions, splitting. Analyses substitutions on the
//! way, so that no command is skipped.

use std::rc::Rc;

use super::read::MAX_DEPTH;
use super::state::{Field, HOME, INSIDE, Input, NUMBER, UNKNOWN, Value, is_open};
use super::syntax::{Parameter, Piece, Word};
use super::texts::MAX_TEXT;
use super::walk::Walker;

struct Expansion {
    values: Vec<String>,
    /// Each value becomes a separate word, as in quoted `$@` and `${a[@]}`.
    separate: bool,
    doubtful: bool,
}

impl Expansion {
    fn one(text: impl Into<String>) -> Self {
        Self {
            values: vec![text.into()],
            separate: false,
            doubtful: false,
        }
    }

    fn unknown() -> Self {
        Self::one(UNKNOWN.to_string())
    }
}

impl Walker<'_> {
    pub(super) fn fields(&mut self, words: &[Word]) -> Vec<Field> {
        let mut out = Vec::new();
        for word in words {
            if let Some(several) = alternatives(word) {
                several.iter().for_each(|word| self.add_fields(word, &mut out));
            } else if is_several(word) {
                // Analyse the commands inside the word. The resulting words are unknown.
                self.text(word);
                out.push(Field::unknown());
            } else {
                self.add_fields(word, &mut out);
            }
        }
        out
    }

    /// Returns the text of one word without splitting it, as bash does for assigned values and redirection targets.
    pub(super) fn text(&mut self, word: &Word) -> Field {
        let mut field = Field::default();
        for piece in &word.pieces {
            match piece {
                Piece::Text { text, quoted } => {
                    field.glob |= !quoted && text.contains(['*', '?', '[']);
                    field.text.push_str(text);
                }
                other => {
                    let expansion = self.piece(other);
                    field.doubtful |= expansion.doubtful;
                    field.text.push_str(&expansion.values.join(" "));
                }
            }
        }
        self.bounded(field)
    }

    fn bounded(&mut self, field: Field) -> Field {
        self.spend_text(field.text.len());
        if field.text.len() > MAX_TEXT {
            Field::unknown()
        } else {
            field
        }
    }

    fn add_fields(&mut self, word: &Word, out: &mut Vec<Field>) {
        let mut current: Option<Field> = None;
        for piece in &word.pieces {
            let quoted = match piece {
                Piece::Text { text, quoted } => {
                    let field = current.get_or_insert_default();
                    field.glob |= !quoted && text.contains(['*', '?', '[']);
                    field.text.push_str(text);
                    continue;
                }
                Piece::Parameter(parameter) => parameter.quoted,
                Piece::Command { quoted, .. } => *quoted,
                Piece::Process { .. } => true,
                Piece::Arithmetic(_) => true,
            };
            let expansion = self.piece(piece);
            if quoted {
                let separate = expansion.separate;
                let values = if separate {
                    expansion.values
                } else {
                    vec![expansion.values.join(&self.joiner())]
                };
                for (index, value) in values.into_iter().enumerate() {
                    if index > 0 {
                        out.extend(current.take());
                    }
                    let field = current.get_or_insert_default();
                    field.text.push_str(&value);
                    field.doubtful |= expansion.doubtful;
                }
            } else {
                for value in &expansion.values {
                    self.split(value, expansion.doubtful, &mut current, out);
                }
            }
        }
        if let Some(field) = current.take() {
            let field = self.bounded(field);
            out.push(field);
        }
    }

    /// Splits an unquoted value at `$IFS`. The first and the last part join the text before and after the value.
    fn split(&mut self, value: &str, doubtful: bool, current: &mut Option<Field>, out: &mut Vec<Field>) {
        let separators = match self.state.get("IFS") {
            Some(value) => value.first(),
            None => " \t\n".to_owned(),
        };
        if is_open(&separators) {
            let field = current.get_or_insert_default();
            field.text.push(UNKNOWN);
            field.elastic = true;
            return;
        }
        for c in value.chars() {
            if separators.contains(c) {
                out.extend(current.take());
                continue;
            }
            let field = current.get_or_insert_default();
            field.text.push(c);
            field.glob |= matches!(c, '*' | '?' | '[');
            field.elastic |= matches!(c, UNKNOWN | INSIDE);
            field.doubtful |= doubtful;
        }
    }

    fn joiner(&self) -> String {
        match self.state.get("IFS") {
            Some(value) => value.first().chars().take(1).collect(),
            None => " ".to_owned(),
        }
    }

    fn piece(&mut self, piece: &Piece) -> Expansion {
        match piece {
            Piece::Text { text, .. } => Expansion::one(text),
            Piece::Parameter(parameter) => self.parameter(parameter),
            Piece::Command { nodes, .. } => {
                let written = self.apart(|walker| walker.list(nodes, &Input::Unknown));
                match written {
                    Some(text) => Expansion::one(text.trim_end_matches('\n')),
                    None => Expansion::unknown(),
                }
            }
            Piece::Process { nodes, writes } => {
                let input = Input::Unknown;
                let written = self.apart(|walker| walker.list(nodes, &input));
                self.state.next_pipe += 1;
                let name = format!("/dev/fd/{}", 62 + self.state.next_pipe);
                if !writes {
                    self.state.wrote(&name, written);
                }
                Expansion::one(name)
            }
            Piece::Arithmetic(word) => {
                let field = self.text(word);
                Expansion::one(self.arithmetic(&field.text))
            }
        }
    }

    /// Analyses names and indexes in arithmetic, because bash expands an index again. Returns a number or an unknown
    /// value.
    pub(super) fn arithmetic(&mut self, text: &str) -> String {
        self.embedded(text);
        if let Ok(number) = text.trim().parse::<i64>() {
            return number.to_string();
        }
        self.spend_text(text.len());
        if text.chars().any(|c| c != NUMBER && is_open(c.encode_utf8(&mut [0; 4]))) {
            self.doubt("arithmetic evaluates a text that is not known");
        }
        // Bash evaluates the value of a name as arithmetic again, and runs substitutions in its `[…]`.
        let number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | ' ' | NUMBER);
        let is_number = |value: &Value| match value {
            Value::One(text) => text.chars().all(number),
            Value::Many(all) => all.iter().all(|text| text.chars().all(number)),
        };
        let mut names = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        if names.any(|name| self.state.get(name).is_some_and(|value| !is_number(value))) {
            self.doubt("arithmetic evaluates a text that stands in a variable");
        }
        NUMBER.to_string()
    }

    /// Analyses the substitutions in a text that bash expands even in quotes: `a[$(cmd)]`, `${x@P}`.
    pub(super) fn embedded(&mut self, text: &str) {
        if !text.contains("$(") && !text.contains('`') && !text.contains("${") {
            return;
        }
        let depth = self.state.depth;
        if depth + 1 > MAX_DEPTH / 2 {
            self.doubt("substitutions are nested too deeply");
            return;
        }
        self.state.depth += 1;
        match Word::in_double_quotes(text, depth, &self.fuel.clone()) {
            Ok(word) => {
                self.text(&word);
            }
            Err(_) => self.doubt("a substitution inside quotes cannot be read"),
        }
        self.state.depth = depth;
    }

    fn parameter(&mut self, parameter: &Rc<Parameter>) -> Expansion {
        let argument = parameter.argument.as_ref().map(|word| self.text(word));
        let index = parameter.index.as_ref().map(|word| self.text(word).text);
        if let Some(index) = &index
            && index != "@"
            && index != "*"
        {
            self.arithmetic(index);
        }
        let mut name = parameter.name.clone();
        if parameter.indirect {
            // Bash evaluates the variable's value as a name, and runs substitutions in its index.
            self.doubt("the text of a variable is evaluated as a name");
            match self.state.get(&name).map(Value::first) {
                Some(target) if !is_open(&target) && parameter.operator.is_empty() => name = target,
                _ => return Expansion::unknown(),
            }
        }
        let values = self.values(&name, index.as_deref());
        let separate = parameter.quoted && (name == "@" || index.as_deref() == Some("@"));
        if parameter.length {
            return Expansion::one(NUMBER.to_string());
        }
        self.operate(parameter, values, argument, separate)
    }

    fn operate(
        &mut self,
        parameter: &Parameter,
        values: Option<Vec<String>>,
        argument: Option<Field>,
        separate: bool,
    ) -> Expansion {
        let plain = |values: Option<Vec<String>>| match values {
            Some(values) => Expansion {
                values,
                separate,
                doubtful: false,
            },
            None => Expansion::unknown(),
        };
        let text = argument.map(|field| field.text).unwrap_or_default();
        match parameter.operator.as_str() {
            "" => plain(values),
            ":-" | "-" | ":=" | "=" => match values {
                Some(values) if values.iter().any(|value| !value.is_empty()) => plain(Some(values)),
                known => {
                    if parameter.operator.ends_with('=') {
                        self.named(&parameter.name, &text);
                        self.state.set(&parameter.name, Value::One(text.clone()));
                    }
                    Expansion {
                        values: vec![text],
                        separate: false,
                        doubtful: known.is_none(),
                    }
                }
            },
            ":+" | "+" => match values {
                Some(values) if values.iter().all(String::is_empty) => Expansion::one(""),
                known => Expansion {
                    values: vec![text],
                    separate: false,
                    doubtful: known.is_none(),
                },
            },
            ":?" | "?" => plain(values),
            "@" if text == "P" => {
                for value in values.iter().flatten() {
                    self.embedded(value);
                }
                if values.is_none() {
                    self.doubt("a value is expanded again and is not known");
                }
                Expansion::unknown()
            }
            operator => {
                if operator == ":" {
                    for number in text.split(':') {
                        self.arithmetic(number);
                    }
                }
                Expansion::unknown()
            }
        }
    }

    /// Returns the values of a parameter. `None` if the environment determines them.
    fn values(&self, name: &str, index: Option<&str>) -> Option<Vec<String>> {
        if let Ok(number) = name.parse::<usize>() {
            return match number.checked_sub(1) {
                None => self.state.zero.clone().map(|zero| vec![zero]),
                Some(_) if self.state.is_any_number() => Some(vec![UNKNOWN.to_string()]),
                Some(at) => Some(vec![self.state.positional.get(at).cloned().unwrap_or_default()]),
            };
        }
        match name {
            "@" | "*" => return Some(self.state.positional.clone()),
            "#" if self.state.is_any_number() => return Some(vec![NUMBER.to_string()]),
            "#" => return Some(vec![self.state.positional.len().to_string()]),
            "?" | "$" | "!" => return Some(vec![NUMBER.to_string()]),
            "-" => return None,
            "HOME" if self.state.get(name).is_none() => return Some(vec![HOME.to_string()]),
            "IFS" if self.state.get(name).is_none() => return Some(vec![" \t\n".to_owned()]),
            _ => {}
        }
        let value = self.state.get(name)?;
        match (value, index) {
            (Value::Many(all), Some("@" | "*")) => Some(all.clone()),
            (Value::Many(_), Some(_)) => None,
            (Value::One(text), Some("0" | "@" | "*") | None) => Some(vec![text.clone()]),
            (Value::One(text), Some(_)) if is_open(text) => None,
            (Value::One(_), Some(_)) => Some(vec![String::new()]),
            (Value::Many(_), None) => Some(vec![value.first()]),
        }
    }
}

/// Expands one group in braces, such as `src/{a,b}.rs` or `{1..3}`. `None` if the word has none.
fn alternatives(word: &Word) -> Option<Vec<Word>> {
    let [Piece::Text { text, quoted: false }] = &word.pieces[..] else {
        return None;
    };
    let (before, rest) = text.split_once('{')?;
    let (inside, after) = rest.split_once('}')?;
    let is_one = inside.contains(',')
        && ![before, inside, after]
            .iter()
            .any(|part| part.contains(['{', '}', '(']));
    let word = |part| Word {
        pieces: vec![Piece::Text {
            text: format!("{before}{part}{after}"),
            quoted: false,
        }],
    };
    is_one.then(|| inside.split(',').map(word).collect())
}

fn is_several(word: &Word) -> bool {
    let text = |piece: &Piece| match piece {
        Piece::Text { text, quoted: false } => text.clone(),
        _ => String::new(),
    };
    let bare: String = word.pieces.iter().map(text).collect();
    bare.contains('{') && bare.contains('}') && (bare.contains(',') || bare.contains(".."))
}
