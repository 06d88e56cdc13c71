//! The words of secrets: in names, whose values are kept from everybody's eyes, and in texts that ask a person for one. In a name a part is
//! enough, for nothing is lost where too much is hidden; in a text only the whole word counts, for a person is to be asked what is harmless.

/// Where a word says that a secret is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Everywhere,
    InNames,
    InTexts,
}

/// In lower case. A text in which words have no blanks between them is looked through for `UNSPACED`.
const WORDS: &[(&str, Counts)] = &[
    ("password", Counts::Everywhere),
    ("passwd", Counts::Everywhere),
    ("secret", Counts::Everywhere),
    ("credential", Counts::Everywhere),
    ("token", Counts::Everywhere),
    ("auth", Counts::InNames),
    ("key", Counts::InNames),
    ("cookie", Counts::InNames),
    ("session", Counts::InNames),
    ("sig", Counts::InNames),
    ("passwords", Counts::InTexts),
    ("passphrase", Counts::InTexts),
    ("passcode", Counts::InTexts),
    ("passwort", Counts::InTexts),
    ("contraseña", Counts::InTexts),
    ("mot de passe", Counts::InTexts),
    ("secrets", Counts::InTexts),
    ("credentials", Counts::InTexts),
    ("api key", Counts::InTexts),
    ("apikey", Counts::InTexts),
    ("private key", Counts::InTexts),
    ("privatekey", Counts::InTexts),
    ("pin", Counts::InTexts),
    ("otp", Counts::InTexts),
    ("one time", Counts::InTexts),
    ("verification code", Counts::InTexts),
    ("security code", Counts::InTexts),
    ("recovery code", Counts::InTexts),
    ("recovery phrase", Counts::InTexts),
    ("seed phrase", Counts::InTexts),
    ("credit card", Counts::InTexts),
    ("card number", Counts::InTexts),
    ("cvv", Counts::InTexts),
    ("cvc", Counts::InTexts),
    ("2fa", Counts::InTexts),
    ("mfa", Counts::InTexts),
];

const UNSPACED: &[&str] = &[
    "密码",
    "密碼",
    "密钥",
    "令牌",
    "验证码",
    "パスワード",
    "暗証番号",
    "認証コード",
    "비밀번호",
    "인증번호",
    "인증 코드",
];

fn words(not: Counts) -> impl Iterator<Item = &'static str> {
    WORDS
        .iter()
        .filter(move |(_, counts)| *counts != not)
        .map(|(word, _)| *word)
}

/// Whether what is called so is kept from everybody's eyes: a header, a query, a variable, a field of a configuration.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    words(Counts::InTexts).any(|part| name.contains(part))
}

/// Whether a text, or the name of what is asked for in it, wants a secret of whoever reads it.
pub(crate) fn wants_secret(text: &str) -> bool {
    let spaced = spaced(text);
    words(Counts::InNames).any(|word| spaced.contains(&format!(" {word} ")))
        || UNSPACED.iter().any(|secret| text.contains(secret))
}

/// The words of a text, or of a name that is put together of some, each between blanks.
fn spaced(text: &str) -> String {
    let mut words = String::from(" ");
    let mut before = ' ';
    for letter in text.chars() {
        let begins = !letter.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase());
        if begins && !words.ends_with(' ') {
            words.push(' ');
        }
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.push(' ');
    words
}

#[cfg(test)]
mod tests {
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
            assert!(wants_secret(text), "{text}");
        }
        for text in [
            "assignee",
            "keyword",
            "author",
            "session",
            "How many tokens on the pinboard?",
        ] {
            assert!(!wants_secret(text), "{text}");
        }
    }
}
