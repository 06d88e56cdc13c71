//! Detects secrets by words. In names, a part of a word suffices, because hiding too much is harmless. In texts, only whole words count.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Everywhere,
    InNames,
    InTexts,
}

/// In lowercase. `UNSPACED` is for scripts without spaces.
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

pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    words(Counts::InTexts).any(|part| name.contains(part))
}

pub(crate) const HIDDEN: &str = "(hidden)";

pub(super) const TOKENS: [&str; 6] = ["sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xox"];

/// Hides secrets in command words: after `--token`, in `--token=…`, headers, user info, and known tokens. Variables are kept.
pub fn words_without_secrets(words: &[String]) -> Vec<String> {
    let mut names_next = false;
    let one = |word: &String| {
        let is_value = std::mem::take(&mut names_next) && !word.starts_with('-');
        names_next = word.starts_with('-') && !word.contains('=') && is_secret_name(word);
        if is_value {
            return hidden(word, "");
        }
        let mut parts = word.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-'));
        let is_token = parts.any(|part| TOKENS.iter().any(|begins| part.starts_with(begins)));
        if is_token || word.contains("Bearer ") {
            return hidden(word, "");
        }
        if word.contains("://") {
            return super::explain::without_password(word);
        }
        match value_of_secret(word) {
            Some((before, value)) => hidden(value, before),
            None => word.clone(),
        }
    };
    words.iter().map(one).collect()
}

/// Splits a word after the name of a secret. The name may be nested, as in `--header=`.
fn value_of_secret(word: &str) -> Option<(&str, &str)> {
    let mut since = 0;
    for (at, sign) in word.match_indices(['=', ':']) {
        let behind = at + sign.len();
        if word.get(since..at).is_some_and(is_secret_name) {
            return Some(word.split_at(behind));
        }
        since = behind;
    }
    None
}

fn hidden(value: &str, before: &str) -> String {
    let is_variable = value.contains("${");
    let shown = if is_variable { value } else { HIDDEN };
    format!("{before}{shown}")
}

pub fn secret_wanted(text: &str) -> Option<&'static str> {
    let spaced = spaced(text);
    let unspaced = || UNSPACED.iter().copied().find(|secret| text.contains(secret));
    words(Counts::InNames)
        .find(|word| spaced.contains(&format!(" {word} ")))
        .or_else(unspaced)
}

const FORBIDS: [&str; 6] = [
    "do not give us ",
    "do not enter ",
    "do not include ",
    "never give us ",
    "never enter ",
    "never include ",
];

const TURNS: [&str; 12] = [
    " but ",
    " except ",
    " unless ",
    " until ",
    " before ",
    " without ",
    " instead ",
    " than ",
    " only ",
    " if ",
    " just ",
    " here ",
];

/// Returns the word with which a description requests a secret. Sentences that only forbid it are ignored, unless in doubt.
pub fn secret_wanted_by_description(text: &str) -> Option<&'static str> {
    let sentences = text.split(['.', ':', ';', '(', ')', '!', '?', '。', '\n']);
    sentences
        .into_iter()
        .filter(|sentence| !only_forbids(sentence))
        .find_map(secret_wanted)
}

fn only_forbids(sentence: &str) -> bool {
    let plain = spaced(sentence);
    FORBIDS.iter().any(|with| plain.trim_start().starts_with(with)) && !TURNS.iter().any(|turn| plain.contains(turn))
}

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
}
