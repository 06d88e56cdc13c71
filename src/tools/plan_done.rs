//! `plan_done`: submits a plan for the user to accept or reject.

use serde_json::{Value, json};

use super::arguments::Args;
use super::row::{Declares, Draft, Row, Work};
use super::size::shorten;
use super::{Refusal, ToolContext};
use benchdog_domain::adjustment::Settable;
use benchdog_domain::agent::{ACCEPT_EDITS, AgentName, BUILD};
use benchdog_domain::permission::{Action, Decision, Subject};
use benchdog_domain::plan::{LEAVE, Plan, Planned, WITH_APPROVALS, WITH_EDITS};
use benchdog_domain::review::{Question, Review};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "For the agent `plan`: hand over the finished plan, in Markdown.";

const MOST: usize = 64 * 1024;

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            settable: Settable {
                needed: Some("the agent `plan` hands its plan over with it"),
                ..Settable::default()
            },
            ..ToolFacts::of("plan_done", EffectClass::Asks)
        },
        aliases: &["exit_plan_mode", "exitplanmode", "present_plan"],
        description: DESCRIPTION.into(),
        declares: Declares::Brief("plan_done {plan}: for the agent `plan`: hand over the plan"),
        parameters: parameters(),
        arguments: &[("plan", &["text", "content", "markdown"])],
        more: "",
        serves: None,
        prepare: Box::new(prepare),
    }
}

fn parameters() -> Value {
    json!({"type": "object", "properties": {"plan": {"type": "string"}}, "required": ["plan"]})
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let plan = args.filled_text("plan")?.trim_end().to_owned();
    if !cx.plans {
        return Err(args.refuse("no plan is asked for: the agent that works may change things, so go on with the work"));
    }
    if plan.len() > MOST {
        return Err(args.refuse(&format!(
            "a plan of {} bytes is too long to be read; hand over at most {MOST}",
            plan.len()
        )));
    }
    let first = plan.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    Ok(Draft {
        title: shorten(first.trim_start_matches(['#', ' ']), 80),
        subjects: vec![Subject::Tool],
        review: Review::Question(Question::Plan { text: plan.clone() }),
        work: Work::of(plan, |plan, it| Box::pin(async move { run(plan, it.decision) })),
    })
}

fn run(text: String, decision: &Decision) -> Outcome {
    let answer = match decision {
        Decision::Answer { answers, .. } => answers.first().map(|answer| answer.trim()),
        Decision::Once { .. } | Decision::Confined | Decision::Always { .. } | Decision::Deny { .. } => None,
    };
    let next = match answer {
        Some(WITH_EDITS) => Some(ACCEPT_EDITS),
        Some(WITH_APPROVALS) => Some(BUILD),
        _ => None,
    };
    let accepted = next.is_some();
    let plan = Plan { text, accepted };
    let todo = plan.steps().filter(|_| accepted);
    let planned = Planned {
        plan,
        next: next.map(|name| AgentName(name.to_owned())),
    };
    let (summary, output) = match answer {
        _ if accepted => (
            Summary::PlanAccepted,
            "The user accepted the plan. Carry it out now, step by step; the todo list holds its steps.".to_owned(),
        ),
        Some(LEAVE) => (
            Summary::PlanLeft,
            "The user leaves the plan for now. End your turn here.".to_owned(),
        ),
        Some(words) if !words.is_empty() => {
            return Outcome::ok(
                Summary::Answer {
                    text: shorten(words, 60),
                },
                format!("The user wants the plan to be different: {words}\nRevise it and hand it over again."),
            );
        }
        _ => (
            Summary::NoAnswer,
            "Nobody can answer now. The plan is kept; end your turn with its summary.".to_owned(),
        ),
    };
    Outcome {
        todo,
        planned: Some(planned),
        ..Outcome::ok(summary, output)
    }
}
