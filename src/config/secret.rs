//! Detects names of secrets, and requests for secrets, by keywords. In names, a keyword may be a part of a word,
//! because hiding too much is harmless. In texts, only whole words match.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Everywhere,
    InNames,
    InTexts,
}

/// Keywords in lower case. `UNSPACED` contains the keywords in scripts without spaces between words.
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

/// Hides secrets in a command, such as the value of `--token` or a header. Variable references stay visible.
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

/// Splits a word into the name of a secret and its value. The name may come after another option, as in
/// `--header=Authorization: …`.
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

/// Returns the keyword by which a description requests a secret. Ignores sentences that clearly forbid secrets.
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
mod tests;
