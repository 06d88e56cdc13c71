//! The options and operands of one command, however they are written: bundled, glued, long, behind `--`.

use super::state::Field;

/// Whether an option is in a list of letters and long names.
pub(super) fn lists(list: &str, option: &str) -> bool {
    list.split(' ').any(|known| known == option)
}

/// A short option's letter in a bundle that ends with one taking a value: (`value glued to it`, letter).
pub(super) fn letter_with_value<'t>(bundle: &'t str, takes: &str) -> Option<(char, &'t str)> {
    bundle
        .char_indices()
        .find(|(_, c)| lists(takes, &c.to_string()))
        .map(|(at, c)| {
            let rest = bundle.get(at + c.len_utf8()..).unwrap_or("");
            (c, rest)
        })
}

/// The options and operands of a command, for programs that read them in any order.
pub(super) struct Arguments<'f> {
    /// Option without dashes for letters, with them for long names; its value when it takes one.
    pub(super) options: Vec<(String, Option<Field>)>,
    pub(super) operands: Vec<&'f Field>,
}

impl<'f> Arguments<'f> {
    pub(super) fn of(fields: &'f [Field], takes: &str) -> Self {
        let mut out = Self {
            options: Vec::new(),
            operands: Vec::new(),
        };
        let mut rest = fields.iter().skip(1);
        while let Some(field) = rest.next() {
            let text = field.text.as_str();
            if text == "--" {
                out.operands.extend(rest);
                break;
            }
            if let Some(long) = text.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (
                        format!("--{name}"),
                        Some(Field {
                            text: value.to_owned(),
                            ..field.clone()
                        }),
                    ),
                    None if lists(takes, text) => (text.to_owned(), rest.next().cloned()),
                    None => (text.to_owned(), None),
                };
                out.options.push((name, value));
            } else if let Some(bundle) = text.strip_prefix('-').filter(|bundle| !bundle.is_empty()) {
                out.bundle(bundle, takes, field, &mut rest);
            } else {
                out.operands.push(field);
            }
        }
        out
    }

    fn bundle(&mut self, bundle: &str, takes: &str, field: &Field, rest: &mut dyn Iterator<Item = &'f Field>) {
        let found = letter_with_value(bundle, takes);
        let plain = bundle
            .chars()
            .take_while(|c| found.is_none_or(|(letter, _)| *c != letter));
        self.options.extend(plain.map(|c| (c.to_string(), None)));
        if let Some((letter, glued)) = found {
            let value = if glued.is_empty() {
                rest.next().cloned()
            } else {
                Some(Field {
                    text: glued.to_owned(),
                    ..field.clone()
                })
            };
            self.options.push((letter.to_string(), value));
        }
    }

    pub(super) fn has(&self, names: &str) -> bool {
        self.options.iter().any(|(name, _)| lists(names, name))
    }

    pub(super) fn values(&self, names: &str) -> Vec<Field> {
        let found = self.options.iter().filter(|(name, _)| lists(names, name));
        found.filter_map(|(_, value)| value.clone()).collect()
    }
}
