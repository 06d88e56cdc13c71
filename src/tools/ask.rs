//! `ask`: a question to the person, with answers to choose from. The answer is the decision; nothing else happens.

use serde_json::{Value, json};

use super::arguments::Args;
use super::row::{Draft, Row, Serves, Work};
use super::size::shorten;
use super::{Refusal, ToolContext};
use crate::domain::permission::{Action, Decision, Subject};
use crate::domain::review::{Question, Review};
use crate::domain::summary::Summary;
use crate::domain::tool::{EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "Ask the user a question when you cannot go on without their choice; never for what you can find out yourself. Give two to five \
    short `options` where you can; the user may also answer in their own words.";

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
        parameters: parameters(),
        arguments: &[
            ("question", &["text", "prompt", "message"]),
            ("options", &["choices", "answers", "follow_up"]),
            ("multiple", &["multi_select", "multiselect", "allow_multiple"]),
        ],
        more: "",
        serves: Some(Serves::Questions(draft)),
        prepare: Box::new(prepare),
    }
}

const MOST_OPTIONS: usize = 20;

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "One question, in the user's language."},
            "options": {"type": "array", "items": {"type": "string"}, "description": "Answers to choose from."},
            "multiple": {"type": "boolean", "description": "Whether several options may be chosen."}
        },
        "required": ["question"]
    })
}

fn prepare(args: &Args<'_>, _: &ToolContext) -> Result<Draft, Refusal> {
    let text = args.filled_text("question")?.trim().to_owned();
    let mut options: Vec<String> = Vec::new();
    for option in args.texts("options")? {
        let option = option.trim().to_owned();
        if !option.is_empty() && !options.contains(&option) {
            options.push(option);
        }
    }
    if options.len() > MOST_OPTIONS {
        return Err(args.refuse(&format!(
            "{} options are too many to choose from; give at most {MOST_OPTIONS}",
            options.len()
        )));
    }
    Ok(draft(Question::Model {
        text,
        options,
        multiple: args.flag("multiple")?,
    }))
}

fn draft(question: Question) -> Draft {
    let (title, options) = match &question {
        Question::Model { text, options, .. } => {
            let title = shorten(text.lines().next().unwrap_or_default(), 80);
            (title, options.clone())
        }
        Question::GoOn(_) => (String::new(), Vec::new()),
    };
    Draft {
        title,
        subjects: vec![Subject::Tool],
        review: Review::Question(question),
        work: Work::of(options, |options, it| {
            Box::pin(async move { run(&options, it.decision) })
        }),
    }
}

fn run(options: &[String], decision: &Decision) -> Outcome {
    let Decision::Answer { answers } = decision else {
        return Outcome::error(
            "not_answered",
            "Nobody answered the question. Go on with what you think is best, and say what you assumed.",
        );
    };
    let answers: Vec<&str> = answers
        .iter()
        .map(|answer| answer.trim())
        .filter(|answer| !answer.is_empty())
        .collect();
    match answers.as_slice() {
        [] => Outcome::ok(
            Summary::NoAnswer,
            "The user gave no answer. Go on with what you think is best, and say what you assumed.",
        ),
        [one] => Outcome::ok(
            Summary::Answer { text: shorten(one, 60) },
            format!("The user answered: {one}{}", own_words(options, one)),
        ),
        several => {
            let list: String = several.iter().map(|answer| format!("- {answer}\n")).collect();
            Outcome::ok(
                Summary::Answers {
                    answers: several.len() as u64,
                },
                format!("The user chose:\n{list}"),
            )
        }
    }
}

/// Tells the model when the answer is none of its options.
fn own_words(options: &[String], answer: &str) -> &'static str {
    if options.is_empty() || options.iter().any(|option| option == answer) {
        ""
    } else {
        " (in their own words)"
    }
}

#[cfg(test)]
mod tests;
