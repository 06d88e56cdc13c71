//! Converts a server's form for display. Rejects forms that ask for secrets or are not flat.

use serde_json::{Number, Value};

use crate::answered::line;
use benchdog_base::text::{clean, truncate};
use benchdog_config::{secret_wanted, secret_wanted_by_description};
use benchdog_domain::elicited::{Field, FieldKind, Form, Format, MOST_LETTERS, Offer};
use benchdog_domain::server::{Need, ServerName, WhyNoForm};

const MOST_FIELDS: usize = 24;
const MOST_OFFERS: usize = 30;
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
        let words = line(schema.get(key).and_then(Value::as_str).unwrap_or_default());
        truncate(words.trim(), MOST_WORDS).into_owned()
    };
    let (title, about) = (words("title"), words("description"));
    let named = [name, &title].into_iter().find_map(secret_wanted);
    if let Some(word) = named.or_else(|| secret_wanted_by_description(&about)) {
        return Err(secret(word, Some(name)));
    }
    if name.is_empty() || name.len() > MOST_NAME || line(name) != name {
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
            let of = offers(schema.get("items").ok_or(WhyNoForm::Odd)?)?.ok_or(WhyNoForm::Odd)?;
            let chosen = default.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            Ok(FieldKind::Several {
                least: whole("minItems").unwrap_or(0),
                most: whole("maxItems").unwrap_or(of.len() as u64),
                default: chosen.iter().filter_map(|value| place(&of, value)).collect(),
                of,
            })
        }
        Some("string") => Ok(match offers(schema)? {
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
    let shown = |text: &str| Some(text.to_owned()).filter(|text| !text.trim().is_empty() && line(text) == *text);
    FieldKind::Text {
        least: whole("minLength").unwrap_or(0),
        most: whole("maxLength").unwrap_or(MOST_LETTERS).min(MOST_LETTERS),
        format: said("format").and_then(format),
        // A pattern that cannot be shown is not enforced.
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

/// Returns the options in the formats of all protocol revisions. `None` for free text.
fn offers(schema: &Value) -> Result<Option<Vec<Offer>>, WhyNoForm> {
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
    if values.is_empty() || values.len() > MOST_OFFERS || titles.len() != values.len() {
        return Err(WhyNoForm::Odd);
    }
    let mut offers: Vec<Offer> = Vec::new();
    for (value, title) in values.into_iter().zip(titles) {
        let shown = truncate(line(&title).trim(), MOST_WORDS).into_owned();
        // Options with equal labels would be ambiguous.
        if shown.is_empty() || offers.iter().any(|offer| offer.shown == shown) {
            return Err(WhyNoForm::Odd);
        }
        offers.push(Offer { value, shown });
    }
    Ok(Some(offers))
}

fn password(schema: &Value) -> Option<&str> {
    let mut all = schema.get("properties").and_then(Value::as_object)?.iter();
    let found = all.find(|(_, one)| one.get("format").is_some_and(|format| format == PASSWORD));
    found.map(|(name, _)| name.as_str())
}

fn secret(word: &str, field: Option<&str>) -> WhyNoForm {
    WhyNoForm::Secret {
        word: word.to_owned(),
        field: field.map(|name| truncate(&line(name), MOST_NAME).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(message: &str, properties: &Value) -> Result<Form, WhyNoForm> {
        let schema = json!({"type": "object", "properties": properties, "required": ["name"]});
        form(&ServerName("dogs".to_owned()), message, &schema)
    }

    #[test]
    fn fields_of_every_plain_kind_are_read_without_what_steers() {
        let properties = json!({
            "name": {"type": "string", "title": "Na\u{1b}[2Jme", "minLength": 2},
            "age": {"type": "integer", "minimum": 0},
            "good": {"type": "boolean"},
            "size": {"type": "string", "oneOf": [{"const": "s", "title": "Small"}, {"const": "l"}]},
            "eats": {"type": "array", "maxItems": 1, "items": {"type": "string", "enum": ["bones", "water"]}},
        });
        let form = of("Which\u{1b}[31m dog?", &properties).unwrap();
        assert_eq!(form.message, "Which dog?");
        assert_eq!(
            (form.fields[0].title.as_str(), form.fields[0].need),
            ("Name", Need::Required)
        );
        let name = FieldKind::Text {
            least: 2,
            most: MOST_LETTERS,
            format: None,
            pattern: None,
            default: None,
        };
        assert_eq!(form.fields[0].kind, name);
        assert_eq!(form.fields[1].need, Need::Optional);
        let offer = |value: &str, shown: &str| Offer {
            value: value.to_owned(),
            shown: shown.to_owned(),
        };
        assert_eq!(
            form.fields[3].kind,
            FieldKind::One {
                of: vec![offer("s", "Small"), offer("l", "l")],
                default: None,
            }
        );
        let FieldKind::Several { of, most: 1, .. } = &form.fields[4].kind else {
            panic!("{form:?}")
        };
        assert_eq!(of[0], offer("bones", "bones"));
    }

    #[test]
    fn what_stands_in_a_field_beforehand_is_read_and_the_order_is_the_servers() {
        let properties = json!({
            "when": {"type": "string", "format": "date-time", "pattern": "Z$", "default": "2026-11-25T14:30:00Z"},
            "age": {"type": "integer", "default": 30.0},
            "weight": {"type": "number", "default": 95.5},
            "good": {"type": "boolean", "default": true},
            "size": {"type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"], "default": "l"},
            "colour": {"type": "string", "enum": ["red"], "default": "blue"},
            "eats": {"type": "array", "items": {"type": "string", "enum": ["bones", "water"]}, "default": ["water"]},
        });
        let fields = of("Which dog?", &properties).unwrap().fields;
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["when", "age", "weight", "good", "size", "colour", "eats"]);
        let written: Vec<Option<String>> = fields.iter().map(Field::written).collect();
        let first = ["2026-11-25T14:30:00Z", "30", "95.5"].map(|text| Some(text.to_owned()));
        assert_eq!(written[..3], first);
        assert!(
            matches!(&fields[0].kind, FieldKind::Text { format: Some(Format::DateTime), pattern: Some(pattern), .. } if pattern == "Z$")
        );
        assert_eq!(fields[3].kind, FieldKind::Flag { default: Some(true) });
        assert!(matches!(&fields[4].kind, FieldKind::One { default: Some(1), .. }));
        assert!(
            matches!(&fields[5].kind, FieldKind::One { default: None, .. }),
            "it is not offered"
        );
        assert!(matches!(&fields[6].kind, FieldKind::Several { default, .. } if *default == [1]));
    }

    #[test]
    fn what_wants_a_secret_or_is_no_plain_form_reaches_nobody() {
        let plain = json!({"name": {"type": "string"}});
        let of_secret = |word: &str, field: Option<&str>| secret(word, field);
        for (message, properties, why) in [
            ("Your password?", plain.clone(), of_secret("password", None)),
            (
                "Fill in",
                json!({"api_key": {"type": "string"}}),
                of_secret("api key", Some("api_key")),
            ),
            (
                "Fill in",
                json!({"accessToken": {"type": "string"}}),
                of_secret("token", Some("accessToken")),
            ),
            (
                "Your api\u{a0}key, or your PIN",
                plain.clone(),
                of_secret("api key", None),
            ),
            (
                "The verification code that you were sent",
                plain.clone(),
                of_secret("verification code", None),
            ),
            ("请输入验证码", plain.clone(), of_secret("验证码", None)),
            (
                "Fill in",
                json!({"x": {"type": "string", "title": "Secret word"}}),
                of_secret("secret", Some("x")),
            ),
            (
                "Fill in",
                json!({"x": {"type": "string", "format": "password"}}),
                of_secret("password", Some("x")),
            ),
            (
                "Fill in",
                json!({"x": {"type": "string", "description": "Your PIN, please"}}),
                of_secret("pin", Some("x")),
            ),
            ("Fill in", json!({"x": {"type": "object"}}), WhyNoForm::Odd),
            ("Fill in", json!({"x": {"type": "string", "enum": []}}), WhyNoForm::Odd),
            (
                "Fill in",
                json!({"x": {"type": "string", "enum": ["a", "a\u{1b}[31m"]}}),
                WhyNoForm::Odd,
            ),
            ("Fill in", json!({"x\u{1b}[2J": {"type": "string"}}), WhyNoForm::Odd),
            (
                "Fill in",
                (0..500)
                    .map(|at| (format!("f{at}"), json!({"type": "string"})))
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
                WhyNoForm::Odd,
            ),
        ] {
            assert_eq!(of(message, &properties).unwrap_err(), why, "{message} {properties}");
        }
        let harmless = json!({"assignee": {"type": "string"}, "keyword": {"type": "string"}, "author": {"type": "string", "description": "Do not enter your password."}});
        assert!(of("Who designs the pinboard, and with how many tokens?", &harmless).is_ok());
        assert_eq!(
            form(&ServerName("dogs".to_owned()), "x", &json!([])).unwrap_err(),
            WhyNoForm::Odd
        );
    }
}
