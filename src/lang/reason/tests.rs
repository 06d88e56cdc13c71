use super::*;
use benchdog_domain::server_error::ServerErrorKind;

#[test]
fn names_stay_as_they_are_and_stand_where_the_language_wants_them() {
    let table = Reasons::from([
        ("removes files", "rimuove file"),
        ("{1} destroys {2}", "{2} viene distrutto da {1}"),
    ]);
    let said = look_up("`dd` destroys `/dev/{1}`", &table);
    assert_eq!(said.as_deref(), Some("`/dev/{1}` viene distrutto da `dd`"));
    assert!(look_up("`rm` removes files", &table).unwrap().contains("rimuove file"));
    assert_eq!(look_up("nobody said this", &table), None);
    let both = look_up("`dd` destroys `sda`: `rm` removes files", &table).unwrap();
    assert!(both.contains("da `dd`") && both.contains("rimuove file"), "{both}");
}

#[test]
fn an_error_of_a_server_keeps_its_status_its_pause_and_the_words_of_the_server() {
    let table = Reasons::from([("{1} is not ready", "{1} non è pronto")]);
    let busy = ServerError {
        kind: ServerErrorKind::Unavailable,
        endpoint: "http://h:1/v1".to_owned(),
        status: Some(503),
        wait: Some(3),
        message: "try `later`; (soon): {1}.".to_owned(),
    };
    let translated = "`http://h:1/v1` non è pronto (HTTP 503); it asks to wait 3 s: try `later`; (soon): {1}.";
    assert_eq!(translate(&busy, &table).as_deref(), Some(translated));
    let other = ServerError {
        kind: ServerErrorKind::Unauthorized,
        ..busy
    };
    assert_eq!(translate(&other, &table), None, "a sentence without a translation");
    assert_eq!(translate(&ServerError::of_message("wrong"), &table), None);
}

#[test]
fn the_languages_say_the_same_sentences_with_the_same_names() {
    let of = |language: Language| -> Vec<(&str, &str)> {
        table_text(language as usize)
            .lines()
            .map(|line| line.split_once(" = ").unwrap())
            .collect()
    };
    let chinese = of(Language::Chinese);
    assert!(chinese.len() > 150);
    for language in Language::OTHERS {
        let said = of(language);
        assert!(
            said.iter()
                .map(|(english, _)| english)
                .eq(chinese.iter().map(|(english, _)| english))
        );
        for (english, translated) in said {
            for place in ["{1}", "{2}"] {
                assert_eq!(
                    english.contains(place),
                    translated.contains(place),
                    "{language:?}: {english}"
                );
            }
        }
    }
}
