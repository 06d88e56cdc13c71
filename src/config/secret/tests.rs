use super::*;

#[test]
fn in_a_name_a_part_is_enough_and_in_a_text_only_the_whole_word() {
    for name in ["OPENAI_API_KEY", "authtoken", "Authorization", "mySecretValue", "X-Sig"] {
        assert!(is_secret_name(name), "{name}");
    }
    assert!(!is_secret_name("ACCEPT") && !is_secret_name("pinboard"));
    for text in [
        "Your password?",
        "api_key",
        "accessToken",
        "the\u{a0}PIN",
        "请输入验证码",
    ] {
        assert!(secret_wanted(text).is_some(), "{text}");
    }
    for text in [
        "assignee",
        "keyword",
        "author",
        "session",
        "How many tokens on the pinboard?",
    ] {
        assert!(secret_wanted(text).is_none(), "{text}");
    }
}

#[test]
fn of_a_word_what_stands_behind_the_name_of_a_secret_is_hidden_wherever_that_name_stands() {
    for (word, shown) in [
        ("Authorization: Basic dXNlcjpwYXNzd29yZA==", "Authorization:(hidden)"),
        ("--header=X-Api-Key: abc", "--header=X-Api-Key:(hidden)"),
        ("--header=X-Api-Key: ${KEY}", "--header=X-Api-Key: ${KEY}"),
        ("a:b=1:password = x", "a:b=1:password =(hidden)"),
        ("--token=a:b", "--token=(hidden)"),
        ("--level=a:b", "--level=a:b"),
        ("plain", "plain"),
    ] {
        assert_eq!(words_without_secrets(&[word.to_owned()]), [shown]);
    }
}

#[test]
fn a_sentence_that_only_forbids_to_give_a_secret_asks_for_none_and_in_doubt_it_does() {
    let of = secret_wanted_by_description;
    assert_eq!(
        of("Your favorite integer (do not give us your phone number, pin, or other sensitive info)"),
        None
    );
    for text in [
        "Do not enter anything but your PIN",
        "Do not forget your password",
        "Never mind, your password",
        "Do not enter your name, only your PIN",
        "Do not give us your pin. Your password",
        "Your pin (do not give us your password)",
        "Please enter your PIN",
        "do not enter 密码 but your own 密码",
    ] {
        assert!(of(text).is_some(), "{text}");
    }
}
