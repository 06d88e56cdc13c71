//! A form that a server wants a person to fill in, made fit to be shown; and who may be asked while a call runs. What wants a secret, leads
//! to an address, or is no plain form reaches nobody.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::answered::line;
use crate::base::text::{clean, truncate};
use crate::domain::elicited::{Field, FieldKind, Form, Offer, Reply};
use crate::domain::server::{Need, ServerName};

/// What is shown of a form at the most.
const MOST_FIELDS: usize = 12;
const MOST_OFFERS: usize = 30;
const MOST_MESSAGE: usize = 1_000;
const MOST_WORDS: usize = 200;
const MOST_NAME: usize = 64;

/// Letters of a text where its server says nothing.
const MOST_LETTERS: u64 = 4_000;

/// Words in a form that ask for what a server must not be told here.
const SECRET: [&str; 31] = [
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "contraseña",
    "mot de passe",
    "secret",
    "secrets",
    "credential",
    "credentials",
    "token",
    "api key",
    "apikey",
    "private key",
    "privatekey",
    "pin",
    "otp",
    "one time",
    "verification code",
    "security code",
    "recovery code",
    "recovery phrase",
    "seed phrase",
    "credit card",
    "card number",
    "cvv",
    "cvc",
    "2fa",
    "mfa",
];

/// The same in languages that put no blanks between words.
const SECRET_ANYWHERE: [&str; 11] = [
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

/// A form, and the way back.
pub(crate) struct Asking {
    pub(crate) form: Form,
    /// Dropped: nobody answers.
    pub(crate) reply: oneshot::Sender<Reply>,
}

/// Why a form reaches nobody.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoForm {
    Secret,
    /// It is no form of plain fields, or one without end.
    Odd,
}

/// Who is asked while calls run: the newest of them.
#[derive(Default)]
pub(super) struct Askers(Mutex<Standing>);

#[derive(Default)]
struct Standing {
    count: u64,
    askers: Vec<(u64, mpsc::Sender<Asking>)>,
    /// Forms that wait for a person.
    open: usize,
}

/// Its call is over when it is dropped.
pub(super) struct Asker<'a>(&'a Askers, u64);

struct Open<'a>(&'a Askers);

impl Askers {
    fn standing(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, asker: mpsc::Sender<Asking>) -> Asker<'_> {
        let mut standing = self.standing();
        standing.count += 1;
        let number = standing.count;
        standing.askers.push((number, asker));
        Asker(self, number)
    }

    /// Whether a person is asked.
    pub(super) fn is_asking(&self) -> bool {
        self.standing().open > 0
    }

    /// `None`: nobody can be asked.
    pub(super) async fn ask(&self, form: Form) -> Option<Reply> {
        let (reply, told) = oneshot::channel();
        let _open = {
            let mut standing = self.standing();
            let (_, asker) = standing.askers.last()?;
            asker.try_send(Asking { form, reply }).ok()?;
            standing.open += 1;
            Open(self)
        };
        Some(told.await.unwrap_or(Reply::Cancelled))
    }
}

impl Drop for Asker<'_> {
    fn drop(&mut self) {
        self.0.standing().askers.retain(|(number, _)| *number != self.1);
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.standing().open -= 1;
    }
}

/// What a server wants filled in.
pub(super) fn form(server: &ServerName, message: &str, schema: &Value) -> Result<Form, NoForm> {
    let properties = schema.get("properties").and_then(Value::as_object).ok_or(NoForm::Odd)?;
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    if properties.len() > MOST_FIELDS {
        return Err(NoForm::Odd);
    }
    let fields = properties.iter().map(|(name, schema)| {
        let need = if required.contains(&name.as_str()) {
            Need::Required
        } else {
            Need::Optional
        };
        field(name, schema, need)
    });
    let form = Form {
        server: server.clone(),
        message: truncate(clean(message).trim(), MOST_MESSAGE).into_owned(),
        fields: fields.collect::<Result<_, _>>()?,
    };
    if wants_secret(&form.message) || is_password(schema) {
        return Err(NoForm::Secret);
    }
    Ok(form)
}

fn field(name: &str, schema: &Value, need: Need) -> Result<Field, NoForm> {
    let words = |key: &str| {
        let words = line(schema.get(key).and_then(Value::as_str).unwrap_or_default());
        truncate(words.trim(), MOST_WORDS).into_owned()
    };
    let (title, about) = (words("title"), words("description"));
    if [name, &title, &about].into_iter().any(wants_secret) {
        return Err(NoForm::Secret);
    }
    if name.is_empty() || name.len() > MOST_NAME || line(name) != name {
        return Err(NoForm::Odd);
    }
    Ok(Field {
        name: name.to_owned(),
        title,
        about,
        need,
        kind: kind(schema)?,
    })
}

fn kind(schema: &Value) -> Result<FieldKind, NoForm> {
    let whole = |key: &str| schema.get(key).and_then(Value::as_u64);
    let number = |key: &str| schema.get(key).and_then(Value::as_f64);
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => Ok(FieldKind::Flag),
        Some(of @ ("number" | "integer")) => Ok(FieldKind::Number {
            whole: of == "integer",
            least: number("minimum"),
            most: number("maximum"),
        }),
        Some("array") => {
            let of = offers(schema.get("items").ok_or(NoForm::Odd)?)?.ok_or(NoForm::Odd)?;
            Ok(FieldKind::Several {
                least: whole("minItems").unwrap_or(0),
                most: whole("maxItems").unwrap_or(of.len() as u64),
                of,
            })
        }
        Some("string") => Ok(match offers(schema)? {
            Some(of) => FieldKind::One(of),
            None => FieldKind::Text {
                least: whole("minLength").unwrap_or(0),
                most: whole("maxLength").unwrap_or(MOST_LETTERS).min(MOST_LETTERS),
            },
        }),
        _ => Err(NoForm::Odd),
    }
}

/// What may be chosen, by any of the ways that revisions write it. `None`: it is written freely.
fn offers(schema: &Value) -> Result<Option<Vec<Offer>>, NoForm> {
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or(NoForm::Odd);
    let (values, titles): (Vec<String>, Vec<String>) = if let Some(values) = list("enum") {
        let values: Vec<String> = values.iter().map(text).collect::<Result<_, _>>()?;
        let titles = list("enumNames").map(|names| names.iter().map(text).collect::<Result<_, _>>());
        let titles = titles.transpose()?.unwrap_or_else(|| values.clone());
        (values, titles)
    } else if let Some(several) = list("oneOf").or_else(|| list("anyOf")) {
        let one = |one: &Value| {
            let value = text(one.get("const").ok_or(NoForm::Odd)?)?;
            let title = one.get("title").and_then(Value::as_str).unwrap_or(&value).to_owned();
            Ok((value, title))
        };
        several.iter().map(one).collect::<Result<_, NoForm>>()?
    } else {
        return Ok(None);
    };
    if values.is_empty() || values.len() > MOST_OFFERS || titles.len() != values.len() {
        return Err(NoForm::Odd);
    }
    let mut offers: Vec<Offer> = Vec::new();
    for (value, title) in values.into_iter().zip(titles) {
        let shown = truncate(line(&title).trim(), MOST_WORDS).into_owned();
        // Two that read the same could not be told apart.
        if shown.is_empty() || offers.iter().any(|offer| offer.shown == shown) {
            return Err(NoForm::Odd);
        }
        offers.push(Offer { value, shown });
    }
    Ok(Some(offers))
}

fn wants_secret(text: &str) -> bool {
    let words = words_of(text);
    SECRET.iter().any(|secret| words.contains(&format!(" {secret} ")))
        || SECRET_ANYWHERE.iter().any(|secret| text.contains(secret))
}

/// The words of a text, or of a name that is put together of some, each between blanks.
fn words_of(text: &str) -> String {
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

fn is_password(schema: &Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut formats = properties
        .into_iter()
        .flat_map(|all| all.values())
        .filter_map(|one| one.get("format"));
    formats.any(|format| format == "password")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(message: &str, properties: &Value) -> Result<Form, NoForm> {
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
        assert_eq!(
            form.fields[0].kind,
            FieldKind::Text {
                least: 2,
                most: MOST_LETTERS
            }
        );
        assert_eq!(form.fields[1].need, Need::Optional);
        let offer = |value: &str, shown: &str| Offer {
            value: value.to_owned(),
            shown: shown.to_owned(),
        };
        assert_eq!(
            form.fields[3].kind,
            FieldKind::One(vec![offer("s", "Small"), offer("l", "l")])
        );
        let FieldKind::Several { of, most: 1, .. } = &form.fields[4].kind else {
            panic!("{form:?}")
        };
        assert_eq!(of[0], offer("bones", "bones"));
    }

    #[test]
    fn what_wants_a_secret_or_is_no_plain_form_reaches_nobody() {
        let plain = json!({"name": {"type": "string"}});
        for (message, properties, why) in [
            ("Your password?", plain.clone(), NoForm::Secret),
            ("Fill in", json!({"api_key": {"type": "string"}}), NoForm::Secret),
            ("Fill in", json!({"accessToken": {"type": "string"}}), NoForm::Secret),
            ("Your api\u{a0}key, or your PIN", plain.clone(), NoForm::Secret),
            (
                "The verification code that you were sent",
                plain.clone(),
                NoForm::Secret,
            ),
            ("请输入验证码", plain.clone(), NoForm::Secret),
            (
                "Fill in",
                json!({"x": {"type": "string", "title": "Secret word"}}),
                NoForm::Secret,
            ),
            (
                "Fill in",
                json!({"x": {"type": "string", "format": "password"}}),
                NoForm::Secret,
            ),
            ("Fill in", json!({"x": {"type": "object"}}), NoForm::Odd),
            ("Fill in", json!({"x": {"type": "string", "enum": []}}), NoForm::Odd),
            (
                "Fill in",
                json!({"x": {"type": "string", "enum": ["a", "a\u{1b}[31m"]}}),
                NoForm::Odd,
            ),
            ("Fill in", json!({"x\u{1b}[2J": {"type": "string"}}), NoForm::Odd),
            (
                "Fill in",
                (0..500)
                    .map(|at| (format!("f{at}"), json!({"type": "string"})))
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
                NoForm::Odd,
            ),
        ] {
            assert_eq!(of(message, &properties).unwrap_err(), why, "{message} {properties}");
        }
        let harmless =
            json!({"assignee": {"type": "string"}, "keyword": {"type": "string"}, "author": {"type": "string"}});
        assert!(of("Who designs the pinboard, and with how many tokens?", &harmless).is_ok());
        assert_eq!(
            form(&ServerName("dogs".to_owned()), "x", &json!([])).unwrap_err(),
            NoForm::Odd
        );
    }
}
