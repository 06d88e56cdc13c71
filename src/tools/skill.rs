//! `skill`: loads the instructions of a skill, once per session. Without a name, lists the skills.

use std::sync::PoisonError;

use serde_json::{Value, json};

use super::arguments::Args;
use super::row::{Declares, Draft, Row, Serves, Work};
use super::{Refusal, ToolContext};
use benchdog_context::skills::Skill;
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, Success, ToolFacts};

const DESCRIPTION: &str = "Load the instructions for a special task by `name`, once. Without a name: list all.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Ask)],
            success: Success::Instructed,
            ..ToolFacts::of("skill", EffectClass::Reads)
        },
        aliases: &["use_skill", "load_skill", "read_skill", "skills"],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[("name", &["skill", "skill_name", "command"])],
        more: "Read the rest of its file with `read`.",
        serves: Some(Serves::Skills),
        prepare: Box::new(prepare),
    }
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"}
        }
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let name = args.text("name")?.unwrap_or_default();
    if name.trim().is_empty() {
        let list = cx.skills.list();
        return Ok(Draft {
            title: String::new(),
            // Listing needs no approval, because the prompt contains the same list unless it is too long.
            subjects: Vec::new(),
            review: Review::Fields(Vec::new()),
            work: Work::of(list, |list, _| Box::pin(async move { listed(list) })),
        });
    }
    let skill = cx.skills.find(&name).ok_or_else(|| unknown(&name, cx))?.clone();
    let (name, path) = (skill.name.clone(), skill.path.display().to_string());
    Ok(Draft {
        title: name.clone(),
        subjects: vec![Subject::Named(name.clone())],
        review: Review::Fields(vec![("skill".to_owned(), name), ("file".to_owned(), path)]),
        work: Work::of(skill, |skill, it| Box::pin(async move { run(&skill, it.cx) })),
    })
}

fn listed(list: String) -> Outcome {
    Outcome::ok(
        Summary::Lines {
            lines: list.lines().count() as u64,
        },
        list,
    )
}

fn run(skill: &Skill, cx: &ToolContext) -> Outcome {
    let mut loaded = cx.loaded.lock().unwrap_or_else(PoisonError::into_inner);
    if loaded.contains(&skill.name) {
        return Outcome::ok(
            Summary::Empty,
            format!(
                "Skill `{}` is loaded already. Its instructions are further up.",
                skill.name
            ),
        );
    }
    match skill.instructions() {
        Ok(instructions) => {
            loaded.insert(skill.name.clone());
            let told = instructions.told(skill, None);
            let lines = instructions.body.lines().count() as u64;
            Outcome::ok(Summary::Lines { lines }, told)
        }
        Err(error) => Outcome::error("not_read", format!("Skill `{}` cannot be read: {error}.", skill.name)),
    }
}

fn unknown(name: &str, cx: &ToolContext) -> Refusal {
    let hint = match cx.skills.near(name) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => "Call `skill` without a name to list all skills.".to_owned(),
    };
    Refusal::new("not_found", format!("There is no skill `{name}`. {hint}"))
}
