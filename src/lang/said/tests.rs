use super::*;

#[test]
fn whole_words_of_each_language_decide() {
    for yes in [
        "yes",
        " Yes ",
        "YES.",
        "ｙｅｓ",
        "Ｙｅｓ！",
        "是",
        "是的。",
        "はい",
        "예",
        "네.",
        "許可",
    ] {
        assert_eq!(said(yes), Some(Said::Yes), "{yes}");
    }
    for no in ["no", "No!", "ｎｏ", "不", "否。", "いいえ", "아니요"] {
        assert_eq!(said(no), Some(Said::No { reason: "" }), "{no}");
    }
    for more in ["more", "更多", "もっと", "더"] {
        assert_eq!(said(more), Some(Said::More), "{more}");
    }
}

#[test]
fn letters_parts_of_words_and_sentences_decide_nothing() {
    for nothing in [
        "",
        "y",
        "ye",
        "yes1",
        "yess",
        "yes but rename it",
        "yes no",
        "y\u{200b}es",
        "oui",
        "ok",
        "1",
        "是吗",
        "是不是",
        "不过",
        "nothing",
        "always yes",
        "always 1 2",
        "always x",
        "more yes",
        "\u{1b}yes",
    ] {
        assert_eq!(said(nothing), None, "{nothing}");
    }
}

#[test]
fn what_stands_behind_a_no_is_the_reason() {
    for (line, reason) in [
        ("no use tabs", "use tabs"),
        ("No, use tabs.", "use tabs."),
        ("no: １ is wrong", "１ is wrong"),
        ("不，用制表符", "用制表符"),
        ("いいえ、タブで", "タブで"),
        ("아니요 탭으로", "탭으로"),
    ] {
        assert_eq!(said(line), Some(Said::No { reason }), "{line}");
    }
}

#[test]
fn an_always_may_name_one_of_those_that_are_listed() {
    for (line, number) in [
        ("always", 1),
        ("always 2", 2),
        ("always　２", 2),
        ("总是 12", 12),
        ("常に２", 2),
        ("항상 0", 0),
    ] {
        assert_eq!(said(line), Some(Said::Always { number }), "{line}");
    }
    assert_eq!(said("always 99999999999999999999999"), None);
    assert_eq!(numbers("１、3 ,4"), Some(vec![1, 3, 4]));
    assert_eq!(numbers("1 or 2"), None);
}
