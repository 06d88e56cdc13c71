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
    let sanitize = json!({"assignee": {"type": "string"}, "keyword": {"type": "string"}, "author": {"type": "string", "description": "Do not enter your password."}});
    assert!(of("Who designs the pinboard, and with how many tokens?", &sanitize).is_ok());
    assert_eq!(
        form(&ServerName("dogs".to_owned()), "x", &json!([])).unwrap_err(),
        WhyNoForm::Odd
    );
}
