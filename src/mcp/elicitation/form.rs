//! Converts a server's form for display. Forms that ask for secrets or have nested fields are rejected.

use serde_json::{Number, Value};

use crate::content::single_line;
use benchdog_base::text::{clean, truncate};
use benchdog_config::{secret_wanted, secret_wanted_by_description};
use benchdog_domain::elicited::{Field, FieldKind, Form, Format, MOST_LETTERS, Offer};
use benchdog_domain::server::{Need, ServerName, WhyNoForm};

const MOST_FIELDS: usize = 24;
const MOST_CHOICES: usize = 30;
const MOST_MESSAGE: usize = 1_000;
const MOST_WORDS: usize = 200;
const MOST_NAME: usize = 64;

const PASSWORD: &str = "password";

pub(crate) fn form(server: &ServerName, message: &str, schema: &Value) -> Result<Form, WhyNoForm> {
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .ok_or(WhyNoForm::Odd)?;
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    if properties.len() > MOST_FIELDS {
        return Err(WhyNoForm::Odd);
    }
    let fields = properties.iter().map(|(name, schema)| {
        let need = if required.contains(&name.as_str()) {
            Need::Required
        } else {
            Need::Optional
        };
        field(name, schema, need)
    });
    let form = Form {
        server: server.clone(),
        message: truncate(clean(message).trim(), MOST_MESSAGE).into_owned(),
        fields: fields.collect::<Result<_, _>>()?,
    };
    if let Some(word) = secret_wanted(&form.message) {
        return Err(secret(word, None));
    }
    match password(schema) {
        Some(field) => Err(secret(PASSWORD, Some(field))),
        None => Ok(form),
    }
}

fn field(name: &str, schema: &Value, need: Need) -> Result<Field, WhyNoForm> {
    let words = |key: &str| {
        let words = single_line(schema.get(key).and_then(Value::as_str).unwrap_or_default());
        truncate(words.trim(), MOST_WORDS).into_owned()
    };
    let (title, about) = (words("title"), words("description"));
    let named = [name, &title].into_iter().find_map(secret_wanted);
    if let Some(word) = named.or_else(|| secret_wanted_by_description(&about)) {
        return Err(secret(word, Some(name)));
    }
    if name.is_empty() || name.len() > MOST_NAME || single_line(name) != name {
        return Err(WhyNoForm::Odd);
    }
    Ok(Field {
        name: name.to_owned(),
        title,
        about,
        need,
        kind: kind(schema)?,
    })
}

fn kind(schema: &Value) -> Result<FieldKind, WhyNoForm> {
    let whole = |key: &str| schema.get(key).and_then(Value::as_u64);
    let number = |key: &str| schema.get(key).and_then(Value::as_number).cloned();
    let default = schema.get("default");
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => Ok(FieldKind::Flag {
            default: default.and_then(Value::as_bool),
        }),
        Some(of @ ("number" | "integer")) => Ok(FieldKind::Number {
            whole: of == "integer",
            least: number("minimum"),
            most: number("maximum"),
            default: number("default").map(|default| plain(default, of == "integer")),
        }),
        Some("array") => {
            let of = choices(schema.get("items").ok_or(WhyNoForm::Odd)?)?.ok_or(WhyNoForm::Odd)?;
            let chosen = default.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            Ok(FieldKind::Several {
                least: whole("minItems").unwrap_or(0),
                most: whole("maxItems").unwrap_or(of.len() as u64),
                default: chosen.iter().filter_map(|value| place(&of, value)).collect(),
                of,
            })
        }
        Some("string") => Ok(match choices(schema)? {
            Some(of) => FieldKind::One {
                default: default.and_then(|value| place(&of, value)),
                of,
            },
            None => text(schema),
        }),
        _ => Err(WhyNoForm::Odd),
    }
}

fn text(schema: &Value) -> FieldKind {
    let whole = |key: &str| schema.get(key).and_then(Value::as_u64);
    let said = |key: &str| schema.get(key).and_then(Value::as_str);
    let shown = |text: &str| Some(text.to_owned()).filter(|text| !text.trim().is_empty() && single_line(text) == *text);
    FieldKind::Text {
        least: whole("minLength").unwrap_or(0),
        most: whole("maxLength").unwrap_or(MOST_LETTERS).min(MOST_LETTERS),
        format: said("format").and_then(format),
        // Ignore a pattern that cannot be shown to the user.
        pattern: said("pattern").filter(|text| text.len() <= MOST_WORDS).and_then(shown),
        default: said("default")
            .filter(|text| text.chars().count() as u64 <= MOST_LETTERS)
            .and_then(shown),
    }
}

fn format(name: &str) -> Option<Format> {
    Some(match name {
        "email" => Format::Email,
        "uri" => Format::Uri,
        "date" => Format::Date,
        "date-time" => Format::DateTime,
        _ => return None,
    })
}

fn plain(number: Number, whole: bool) -> Number {
    let float = number
        .as_f64()
        .filter(|_| whole && !number.is_i64() && !number.is_u64());
    let written = float.and_then(|float| {
        format!("{float:.0}")
            .parse::<i64>()
            .ok()
            .filter(|_| float.fract() == 0.0)
    });
    written.map_or(number, Number::from)
}

fn place(of: &[Offer], value: &Value) -> Option<usize> {
    of.iter().position(|offer| value.as_str() == Some(&offer.value))
}

/// Returns the options of a field, or `None` for free text. Supports all protocol revisions.
fn choices(schema: &Value) -> Result<Option<Vec<Offer>>, WhyNoForm> {
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or(WhyNoForm::Odd);
    let (values, titles): (Vec<String>, Vec<String>) = if let Some(values) = list("enum") {
        let values: Vec<String> = values.iter().map(text).collect::<Result<_, _>>()?;
        let titles = list("enumNames").map(|names| names.iter().map(text).collect::<Result<_, _>>());
        let titles = titles.transpose()?.unwrap_or_else(|| values.clone());
        (values, titles)
    } else if let Some(several) = list("oneOf").or_else(|| list("anyOf")) {
        let one = |one: &Value| {
            let value = text(one.get("const").ok_or(WhyNoForm::Odd)?)?;
            let title = one.get("title").and_then(Value::as_str).unwrap_or(&value).to_owned();
            Ok((value, title))
        };
        several.iter().map(one).collect::<Result<_, WhyNoForm>>()?
    } else {
        return Ok(None);
    };
    if values.is_empty() || values.len() > MOST_CHOICES || titles.len() != values.len() {
        return Err(WhyNoForm::Odd);
    }
    let mut choices: Vec<Offer> = Vec::new();
    for (value, title) in values.into_iter().zip(titles) {
        let shown = truncate(single_line(&title).trim(), MOST_WORDS).into_owned();
        if shown.is_empty() || choices.iter().any(|offer| offer.shown == shown) {
            return Err(WhyNoForm::Odd);
        }
        choices.push(Offer { value, shown });
    }
    Ok(Some(choices))
}

fn password(schema: &Value) -> Option<&str> {
    let mut all = schema.get("properties").and_then(Value::as_object)?.iter();
    let found = all.find(|(_, one)| one.get("format").is_some_and(|format| format == PASSWORD));
    found.map(|(name, _)| name.as_str())
}

fn secret(word: &str, field: Option<&str>) -> WhyNoForm {
    WhyNoForm::Secret {
        word: word.to_owned(),
        field: field.map(|name| truncate(&single_line(name), MOST_NAME).into_owned()),
    }
}

#[cfg(test)]
mod tests;
