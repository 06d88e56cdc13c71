use super::*;

fn of(pairs: &[(&str, &str)]) -> Language {
    let pairs = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Language::of_system(&Environment::of(pairs))
}

#[test]
fn the_first_variable_that_is_set_says_the_language() {
    assert_eq!(of(&[("LANG", "ja_JP.UTF-8")]), Language::Japanese);
    assert_eq!(
        of(&[("LANG", "ja_JP.UTF-8"), ("LC_MESSAGES", "ko_KR.utf8")]),
        Language::Korean
    );
    assert_eq!(of(&[("LC_ALL", "C.UTF-8"), ("LANG", "zh_CN.UTF-8")]), Language::English);
    assert_eq!(of(&[("LC_ALL", ""), ("LANG", "zh_CN.UTF-8")]), Language::Chinese);
    for (name, language) in [
        ("zh", Language::Chinese),
        ("zh_SG.UTF-8", Language::Chinese),
        ("zh-Hans", Language::Chinese),
        ("ko_KR.UTF-8@cjknarrow", Language::Korean),
        ("zh_TW.UTF-8", Language::English),
        ("zh-Hant", Language::English),
        ("zh_CN.GB18030", Language::English),
        ("ja_JP.eucJP", Language::English),
        ("de_DE.UTF-8", Language::English),
        ("POSIX", Language::English),
        ("", Language::English),
    ] {
        assert_eq!(of(&[("LANG", name)]), language, "{name}");
    }
}
