use super::*;

fn of(need: Need, kind: FieldKind) -> String {
    form_field(&Field {
        name: "dog".to_owned(),
        title: "Your dog".to_owned(),
        about: "The one that barks.".to_owned(),
        need,
        kind,
    })
}

#[test]
fn what_is_expected_is_said_before_it_is_wrong() {
    let text = FieldKind::Text {
        least: 2,
        most: MOST_LETTERS,
        format: Some(Format::Email),
        pattern: Some("@example".to_owned()),
        default: None,
    };
    let said = of(Need::Required, text);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[..2], ["Your dog *", "The one that barks."]);
    assert_eq!(
        lines[2],
        "Expected: an e-mail address · at least 2 characters · text that matches the pattern `@example`"
    );
    let number = FieldKind::Number {
        whole: true,
        least: Some(0.into()),
        most: Some(30.into()),
        default: None,
    };
    assert!(of(Need::Optional, number).ends_with("Expected: a whole number · 0 to 30"));
    let flag = FieldKind::Flag { default: None };
    assert_eq!(of(Need::Optional, flag), "Your dog\nThe one that barks.");
    let long = WhyWrong::Length { least: 5, most: 5 };
    assert_eq!(wrong_answer(&long), "Not valid. Expected: 5 characters");
}
