use serde_json::json;

use super::*;

fn field(name: &str, need: Need, kind: FieldKind) -> Field {
    Field {
        name: name.to_owned(),
        title: String::new(),
        about: String::new(),
        need,
        kind,
    }
}

fn text(least: u64, most: u64) -> FieldKind {
    FieldKind::Text {
        least,
        most,
        format: None,
        pattern: None,
        default: None,
    }
}

fn number(whole: bool) -> FieldKind {
    FieldKind::Number {
        whole,
        least: Some(0.into()),
        most: Some(30.into()),
        default: None,
    }
}

fn several(least: u64) -> FieldKind {
    let offer = |value: &str, shown: &str| Offer {
        value: value.to_owned(),
        shown: shown.to_owned(),
    };
    FieldKind::Several {
        of: vec![offer("b", "Bones"), offer("w", "Water")],
        least,
        most: 1,
        default: Vec::new(),
    }
}

fn form() -> Form {
    Form {
        server: ServerName("dogs".to_owned()),
        message: "Which dog?".to_owned(),
        fields: vec![
            field("name", Need::Required, text(2, 5)),
            field("age", Need::Optional, number(true)),
            field("eats", Need::Optional, several(1)),
            field("good", Need::Optional, FieldKind::Flag { default: None }),
        ],
    }
}

fn filled(answers: &[&[&str]]) -> Reply {
    let owned = answers
        .iter()
        .map(|one| one.iter().map(|answer| (*answer).to_owned()).collect());
    form().filled(&owned.collect::<Vec<Vec<String>>>())
}

fn value(kind: FieldKind, need: Need, answers: &[&str]) -> Result<Option<Value>, WhyWrong> {
    let answers: Vec<String> = answers.iter().map(|one| (*one).to_owned()).collect();
    field("x", need, kind).value(&answers)
}

#[test]
fn answers_become_what_the_server_asked_for_and_nothing_else() {
    let given = |value: Value| Reply::Given(value.as_object().cloned().unwrap_or_default());
    let wanted = json!({"name": "Rex", "age": 7, "eats": ["b"], "good": false});
    let all: &[&[&str]] = &[&["accept"], &["Rex"], &["7"], &["Bones"], &["false"]];
    assert_eq!(filled(all), given(wanted));
    let least: &[&[&str]] = &[&["accept"], &["Rex"], &[], &[], &[""]];
    assert_eq!(filled(least), given(json!({"name": "Rex"})));
    assert_eq!(filled(&[&["decline"], &["Rex"]]), Reply::Declined);
    assert_eq!(filled(&[&[], &["Rex"]]), Reply::Cancelled);
    assert_eq!(filled(&[]), Reply::Cancelled);
    assert_eq!(filled(&[&["accept"], &["R"]]), Reply::Cancelled, "it does not fit");
}

#[test]
fn what_is_wrong_with_an_answer_is_told() {
    let range = WhyWrong::Range {
        least: Some(0.into()),
        most: Some(30.into()),
    };
    let rows: [(FieldKind, &[&str], WhyWrong); 9] = [
        (text(2, 5), &[], WhyWrong::Missing),
        (text(2, 5), &["R"], WhyWrong::Length { least: 2, most: 5 }),
        (number(true), &["old"], WhyWrong::NoNumber),
        (number(true), &["1.5"], WhyWrong::NotWhole),
        (number(true), &["31"], range.clone()),
        (number(false), &["-0.5"], range),
        (number(false), &["NaN"], WhyWrong::NoNumber),
        (several(1), &["Bones", "Water"], WhyWrong::Count { least: 1, most: 1 }),
        (several(1), &[], WhyWrong::Count { least: 1, most: 1 }),
    ];
    for (kind, answers, why) in rows {
        let told = value(kind, Need::Required, answers);
        assert_eq!(told, Err(why), "{answers:?}");
    }
    assert_eq!(
        value(several(0), Need::Required, &[]),
        Ok(Some(json!([]))),
        "none is an answer"
    );
    assert_eq!(value(several(0), Need::Optional, &[]), Ok(None));
    assert_eq!(value(number(false), Need::Required, &["7"]), Ok(Some(json!(7))));
}

#[test]
fn a_text_is_checked_by_its_format_and_by_a_pattern_that_can_be_read() {
    let like = |format, pattern: Option<&str>| FieldKind::Text {
        least: 0,
        most: 100,
        format,
        pattern: pattern.map(str::to_owned),
        default: None,
    };
    let wrong = |kind, answer| value(kind, Need::Required, &[answer]).unwrap_err();
    assert_eq!(
        wrong(like(Some(Format::Email), None), "rex"),
        WhyWrong::Format(Format::Email)
    );
    let letters = like(None, Some("^[A-Z]+$"));
    assert_eq!(wrong(letters.clone(), "rex"), WhyWrong::Pattern("^[A-Z]+$".to_owned()));
    assert!(value(letters, Need::Required, &["REX"]).is_ok());
    // Lookahead is not supported, so the pattern is ignored.
    assert!(value(like(None, Some("^(?=.*x).+$")), Need::Required, &["rex"]).is_ok());
}
