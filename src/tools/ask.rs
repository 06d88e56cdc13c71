//! `ask`: asks the user questions with optional choices. The answer is also the permission decision on the call.

use serde_json::{Value, json};

use super::arguments::{Args, Names};
use super::row::{Declares, Draft, Row, Serves, Work};
use super::size::shorten;
use super::{Refusal, ToolContext};
use benchdog_base::text::truncate;
use benchdog_domain::permission::{Action, Decision, Subject};
use benchdog_domain::review::{Asked, Choice, Question, Review};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "Ask the user when you cannot find the answer yourself.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            ..ToolFacts::of("ask", EffectClass::Asks)
        },
        aliases: &[
            "ask_user_question",
            "ask_user",
            "ask_question",
            "question",
            "ask_followup_question",
            "askuserquestion",
            "askuser",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Brief("ask {question, options?: [text]}: ask the user"),
        parameters: parameters(),
        arguments: &[
            ("question", &["text", "prompt", "message"]),
            ("options", &["choices", "answers", "follow_up"]),
            ("multiple", MULTIPLE),
            ("hide_other", HIDE_OTHER),
            ("header", &["title"]),
            ("footer_note", &["footer", "note"]),
        ],
        more: "",
        serves: Some(Serves::Questions(draft)),
        prepare: Box::new(prepare),
    }
}

const MOST_QUESTIONS: usize = 4;

const MOST_OPTIONS: usize = 20;

/// Maximum characters of the answers in the call's summary.
const SAID: usize = 60;

/// Maximum characters of a question's header.
const HEADER: usize = 20;

const MULTIPLE: &[&str] = &["multi_select", "multiselect", "allow_multiple"];
const HIDE_OTHER: &[&str] = &["no_other", "only_options"];

const OF_QUESTION: Names = &[
    ("header", &["title", "tab"]),
    ("question", &["text", "prompt", "message"]),
    ("options", &["choices", "answers"]),
    ("multiple", MULTIPLE),
    ("hide_other", HIDE_OTHER),
];

const OF_OPTION: Names = &[
    ("label", &["text", "title", "value", "name"]),
    ("description", &["detail", "details", "explanation"]),
];

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "question": {"type": "string"},
            "options": {"type": "array", "items": {"type": "string"}},
            "multiple": {"type": "boolean", "undeclared": true},
            "questions": {
                "type": "array",
                "undeclared": true,
                "items": {
                    "type": "object",
                    "properties": {
                        "header": {"type": "string"},
                        "question": {"type": "string"},
                        "options": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "properties": {"label": {"type": "string"}, "description": {"type": "string"}}
                            }
                        },
                        "multiple": {"type": "boolean"},
                        "hide_other": {"type": "boolean"}
                    },
                    "required": ["question"]
                }
            },
            "footer_note": {"type": "string", "undeclared": true}
        }
    })
}

fn prepare(args: &Args<'_>, _: &ToolContext) -> Result<Draft, Refusal> {
    let several = args.list("questions")?.unwrap_or_default();
    let asked = if several.is_empty() {
        vec![asked(args, "")?]
    } else {
        if args.text("question")?.is_some_and(|text| !text.trim().is_empty()) {
            return Err(args.refuse("`question` and `questions` are both given; put every question into `questions`"));
        }
        if several.len() > MOST_QUESTIONS {
            return Err(args.refuse(&format!(
                "{} questions are too many for one call; ask at most {MOST_QUESTIONS}",
                several.len()
            )));
        }
        let asked = (1..).zip(&several).map(|(number, one)| {
            let one = args.inside("questions", one, "question", OF_QUESTION)?;
            asked(&one, &format!("question {number}: "))
        });
        asked.collect::<Result<_, _>>()?
    };
    let note = args.text("footer_note")?.map(|note| note.trim().to_owned());
    Ok(draft(Question::Model {
        asked,
        note: note.filter(|note| !note.is_empty()),
    }))
}

/// Parses one question. `which` identifies it in error messages.
fn asked(args: &Args<'_>, which: &str) -> Result<Asked, Refusal> {
    let text = args.filled_text("question")?.trim().to_owned();
    let mut options: Vec<Choice> = Vec::new();
    for option in args.list("options")?.unwrap_or_default() {
        let option = args.inside("options", &option, "label", OF_OPTION)?;
        let part = |name| Ok::<_, Refusal>(option.text(name)?.unwrap_or_default().trim().to_owned());
        let (label, description) = (part("label")?, part("description")?);
        if !label.is_empty() && options.iter().all(|other| other.label != label) {
            options.push(Choice { label, description });
        }
    }
    if options.len() > MOST_OPTIONS {
        return Err(args.refuse(&format!(
            "{which}{} options are too many to choose from; give at most {MOST_OPTIONS}",
            options.len()
        )));
    }
    let header = args.text("header")?.unwrap_or_default();
    Ok(Asked {
        header: truncate(header.trim(), HEADER).into_owned(),
        text,
        own_words: options.is_empty() || !args.flag("hide_other")?,
        multiple: args.flag("multiple")?,
        options,
    })
}

fn draft(question: Question) -> Draft {
    let (title, asked) = match &question {
        Question::Model { asked, .. } => {
            let texts: Vec<&str> = asked.iter().filter_map(|one| one.text.lines().next()).collect();
            (shorten(&texts.join(" · "), 80), asked.clone())
        }
        Question::GoOn(_) | Question::Plan { .. } | Question::Server { .. } => (String::new(), Vec::new()),
    };
    Draft {
        title,
        subjects: vec![Subject::Tool],
        review: Review::Question(question),
        work: Work::of(asked, |asked, it| Box::pin(async move { run(&asked, it.decision) })),
    }
}

fn run(asked: &[Asked], decision: &Decision) -> Outcome {
    let Decision::Answer { answers, further } = decision else {
        return Outcome::error(
            "not_answered",
            "Nobody answered the question. Go on with what you think is best, and say what you assumed.",
        );
    };
    let answered: Vec<Vec<&str>> = std::iter::once(answers).chain(further).map(|one| said(one)).collect();
    match asked {
        [_, _, ..] if answered.iter().any(|one| !one.is_empty()) => several(asked, &answered),
        _ => one(
            asked.first().map_or(&[], |asked| &asked.options),
            answered.first().map_or(&[], Vec::as_slice),
        ),
    }
}

fn said(answers: &[String]) -> Vec<&str> {
    let answers = answers.iter().map(|answer| answer.trim());
    answers.filter(|answer| !answer.is_empty()).collect()
}

fn one(options: &[Choice], answers: &[&str]) -> Outcome {
    match answers {
        [] => Outcome::ok(
            Summary::NoAnswer,
            "The user gave no answer. Go on with what you think is best, and say what you assumed.",
        ),
        [one] => Outcome::ok(
            Summary::Answer {
                text: shorten(one, SAID),
            },
            format!("The user answered: {one}{}", own_words(options, one)),
        ),
        several => {
            let list: String = several.iter().map(|answer| format!("- {answer}\n")).collect();
            Outcome::ok(
                Summary::Answer {
                    text: shorten(&several.join(" · "), SAID),
                },
                format!("The user chose:\n{list}"),
            )
        }
    }
}

fn several(asked: &[Asked], answered: &[Vec<&str>]) -> Outcome {
    let mut list = String::new();
    for (n, asked) in asked.iter().enumerate() {
        let answers = answered.get(n).map_or(&[][..], Vec::as_slice);
        let name = if asked.header.is_empty() {
            &asked.text
        } else {
            &asked.header
        };
        let answers: Vec<String> = answers
            .iter()
            .map(|answer| format!("{answer}{}", own_words(&asked.options, answer)))
            .collect();
        let answers = if answers.is_empty() {
            "(no answer)".to_owned()
        } else {
            answers.join(" · ")
        };
        list.push_str(&format!("- {name}: {answers}\n"));
    }
    let said: Vec<String> = answered.iter().map(|answers| answers.join(", ")).collect();
    let said: Vec<&str> = said
        .iter()
        .map(String::as_str)
        .filter(|said| !said.is_empty())
        .collect();
    Outcome::ok(
        Summary::Answer {
            text: shorten(&said.join(" · "), SAID),
        },
        format!("The user answered:\n{list}"),
    )
}

fn own_words(options: &[Choice], answer: &str) -> &'static str {
    if options.is_empty() || options.iter().any(|option| option.label == answer) {
        ""
    } else {
        " (in their own words)"
    }
}

#[cfg(test)]
mod tests;
