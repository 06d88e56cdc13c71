//! What a server asks a person while a call of its runs: a form of plain fields, what may be answered in each, and what the server is
//! told. Plain data; whoever asks is elsewhere.

use serde_json::{Map, Number, Value};

use super::review::{Asked, Choice};
use super::server::{Need, ServerName};

/// The answers to whether anything is told at all.
pub(crate) const ACCEPT: &str = "accept";
pub(crate) const DECLINE: &str = "decline";

/// Letters of the name of a field.
const HEADER: usize = 20;

/// Without what steers a terminal, and within bounds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    pub(crate) server: ServerName,
    /// In the words of the server.
    pub(crate) message: String,
    pub(crate) fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    /// As the server knows it.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) need: Need,
    pub(crate) kind: FieldKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FieldKind {
    /// Of so many letters.
    Text {
        least: u64,
        most: u64,
    },
    Number {
        whole: bool,
        least: Option<f64>,
        most: Option<f64>,
    },
    Flag,
    One(Vec<Offer>),
    /// So many of them.
    Several {
        of: Vec<Offer>,
        least: u64,
        most: u64,
    },
}

/// A value to choose, and what people read in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) value: String,
    pub(crate) shown: String,
}

/// What a server is told.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    Given(Map<String, Value>),
    Declined,
    /// Nobody answered.
    Cancelled,
}

/// An answer that is not what the server asked for, so that it is asked for once more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) field: String,
    pub(crate) why: WhyWrong,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhyWrong {
    Missing,
    Length {
        least: u64,
        most: u64,
    },
    NoNumber,
    NotWhole,
    /// It is a number, and less or more than may be given.
    Range,
    Count {
        least: u64,
        most: u64,
    },
}

impl Form {
    /// A question for each field.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.fields.iter().map(Field::asked).collect()
    }

    /// What the answers come to: first whether anything is told, then one to each field.
    pub(crate) fn filled(&self, answers: &[Vec<String>]) -> Result<Reply, Wrong> {
        let further = answers.get(1..).unwrap_or_default();
        match answers.first().and_then(|first| first.first()).map(String::as_str) {
            Some(ACCEPT) => {}
            Some(DECLINE) => return Ok(Reply::Declined),
            Some(_) | None => return Ok(Reply::Cancelled),
        }
        let mut given = Map::new();
        for (at, field) in self.fields.iter().enumerate() {
            let answers = further.get(at).map_or(&[][..], Vec::as_slice);
            let answers: Vec<&str> = answers
                .iter()
                .map(|one| one.trim())
                .filter(|one| !one.is_empty())
                .collect();
            let value = field.value(&answers).map_err(|why| Wrong {
                field: field.label().to_owned(),
                why,
            })?;
            given.extend(value.map(|value| (field.name.clone(), value)));
        }
        Ok(Reply::Given(given))
    }
}

impl Field {
    fn label(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }

    fn asked(&self) -> Asked {
        let label = self.label();
        let sign = match self.need {
            Need::Required => " *",
            Need::Optional => "",
        };
        let text = if self.about.is_empty() {
            format!("{label}{sign}")
        } else {
            format!("{label}{sign}\n{}", self.about)
        };
        let shown = |offers: &[Offer]| offers.iter().map(|offer| choice(&offer.shown)).collect();
        let (options, multiple, own_words) = match &self.kind {
            FieldKind::Text { .. } | FieldKind::Number { .. } => (Vec::new(), false, true),
            FieldKind::Flag => (vec![choice("false"), choice("true")], false, false),
            FieldKind::One(of) => (shown(of), false, false),
            FieldKind::Several { of, .. } => (shown(of), true, false),
        };
        Asked {
            header: label.chars().take(HEADER).collect(),
            text,
            options,
            multiple,
            own_words,
        }
    }

    /// `None`: nothing is told of it.
    fn value(&self, answers: &[&str]) -> Result<Option<Value>, WhyWrong> {
        let Some(answer) = answers.first() else {
            return match self.need {
                Need::Required => Err(WhyWrong::Missing),
                Need::Optional => Ok(None),
            };
        };
        let value = match &self.kind {
            FieldKind::Text { least, most } => {
                let letters = answer.chars().count() as u64;
                let fits = (*least..=*most).contains(&letters);
                fits.then(|| Value::from(*answer)).ok_or(WhyWrong::Length {
                    least: *least,
                    most: *most,
                })?
            }
            FieldKind::Number { whole, least, most } => number(answer, *whole, (*least, *most))?,
            FieldKind::Flag => Value::from(*answer == "true"),
            FieldKind::One(of) => value_of(of, answer).ok_or(WhyWrong::Missing)?,
            FieldKind::Several { of, least, most } => {
                let chosen: Vec<Value> = answers.iter().filter_map(|answer| value_of(of, answer)).collect();
                if !(*least..=*most).contains(&(chosen.len() as u64)) {
                    return Err(WhyWrong::Count {
                        least: *least,
                        most: *most,
                    });
                }
                Value::from(chosen)
            }
        };
        Ok(Some(value))
    }
}

fn choice(label: &str) -> Choice {
    Choice {
        label: label.to_owned(),
        description: String::new(),
    }
}

fn value_of(of: &[Offer], shown: &str) -> Option<Value> {
    let found = of.iter().find(|offer| offer.shown == shown);
    found.map(|offer| Value::from(offer.value.as_str()))
}

fn number(answer: &str, whole: bool, (least, most): (Option<f64>, Option<f64>)) -> Result<Value, WhyWrong> {
    let read: f64 = answer.parse().map_err(|_| WhyWrong::NoNumber)?;
    let fits = least.is_none_or(|least| read >= least) && most.is_none_or(|most| read <= most);
    if whole {
        let number: i64 = answer.parse().map_err(|_| WhyWrong::NotWhole)?;
        return fits.then(|| Value::from(number)).ok_or(WhyWrong::Range);
    }
    let number = Number::from_f64(read).ok_or(WhyWrong::NoNumber)?;
    fits.then_some(Value::Number(number)).ok_or(WhyWrong::Range)
}

#[cfg(test)]
mod tests {
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

    fn form() -> Form {
        let offer = |value: &str, shown: &str| Offer {
            value: value.to_owned(),
            shown: shown.to_owned(),
        };
        let several = FieldKind::Several {
            of: vec![offer("b", "Bones"), offer("w", "Water")],
            least: 1,
            most: 1,
        };
        let age = FieldKind::Number {
            whole: true,
            least: Some(0.0),
            most: Some(30.0),
        };
        Form {
            server: ServerName("dogs".to_owned()),
            message: "Which dog?".to_owned(),
            fields: vec![
                field("name", Need::Required, FieldKind::Text { least: 2, most: 5 }),
                field("age", Need::Optional, age),
                field("eats", Need::Optional, several),
                field("good", Need::Optional, FieldKind::Flag),
            ],
        }
    }

    fn filled(answers: &[&[&str]]) -> Result<Reply, Wrong> {
        let owned = answers
            .iter()
            .map(|one| one.iter().map(|answer| (*answer).to_owned()).collect());
        form().filled(&owned.collect::<Vec<Vec<String>>>())
    }

    #[test]
    fn answers_become_what_the_server_asked_for_and_nothing_else() {
        let given = filled(&[&["accept"], &["Rex"], &["7"], &["Bones"], &["false"]]);
        let wanted = json!({"name": "Rex", "age": 7, "eats": ["b"], "good": false});
        assert_eq!(given, Ok(Reply::Given(wanted.as_object().cloned().unwrap_or_default())));
        let least = filled(&[&["accept"], &["Rex"], &[], &[], &[]]);
        assert_eq!(
            least,
            Ok(Reply::Given(
                json!({"name": "Rex"}).as_object().cloned().unwrap_or_default()
            ))
        );
        assert_eq!(filled(&[&["decline"], &["Rex"]]), Ok(Reply::Declined));
        assert_eq!(filled(&[&[], &["Rex"]]), Ok(Reply::Cancelled));
        assert_eq!(filled(&[]), Ok(Reply::Cancelled));
    }

    #[test]
    fn what_is_wrong_with_an_answer_is_told_by_its_field() {
        type Row<'r> = (&'r [&'r [&'r str]], &'r str, WhyWrong);
        let rows: [Row<'_>; 7] = [
            (&[&["accept"], &[], &[], &[]], "name", WhyWrong::Missing),
            (
                &[&["accept"], &["R"], &[], &[]],
                "name",
                WhyWrong::Length { least: 2, most: 5 },
            ),
            (&[&["accept"], &["Rex"], &["old"], &[]], "age", WhyWrong::NoNumber),
            (&[&["accept"], &["Rex"], &["1.5"], &[]], "age", WhyWrong::NotWhole),
            (&[&["accept"], &["Rex"], &["31"], &[]], "age", WhyWrong::Range),
            (&[&["accept"], &["Rex"], &["NaN"], &[]], "age", WhyWrong::NotWhole),
            (
                &[&["accept"], &["Rex"], &[], &["Bones", "Water"]],
                "eats",
                WhyWrong::Count { least: 1, most: 1 },
            ),
        ];
        for (answers, field, why) in rows {
            let wrong = filled(answers).unwrap_err();
            assert_eq!((wrong.field.as_str(), wrong.why), (field, why), "{answers:?}");
        }
    }
}
