//! `task`: runs a subagent in a separate session. The engine creates the session, and the tool waits for the subagent's
//! answer.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::arguments::Args;
use super::outputs::kept_whole;
use super::row::{Declares, Draft, Row, Run, Serves, Work};
use super::size::{count, shorten};
use super::{Refusal, Stop, ToolContext};
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_base::spelling::nearest;
use benchdog_domain::agent::{AgentName, EXPLORE};
use benchdog_domain::child::ChildEnd;
use benchdog_domain::finding::{Finding, Reviewed};
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{AppliedChange, CallStatus, EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "Give work to a subagent, which sees only `prompt`, and get its answer. `explore` (default) only reads, `general` may do what you may. Several calls in one reply run in parallel.";

/// Maximum characters of an answer. A longer answer is truncated, and a file stores all of it.
pub const ANSWER: usize = 20_000;

/// Maximum characters of a title.
const TITLE: usize = 60;

/// Maximum bytes of a prompt.
const PROMPT: usize = 64 * 1024;

#[derive(Clone)]
pub struct Delegates {
    pub seat: SeatId,
    pub agents: Arc<[AgentName]>,
    pub door: mpsc::Sender<Delegation>,
}

#[derive(Debug)]
pub struct Delegation {
    pub seat: SeatId,
    pub call: CallId,
    pub agent: AgentName,
    pub task: String,
    pub prompt: String,
    pub files: Option<Reviewed>,
    pub stop: Stop,
    pub reply: oneshot::Sender<Returned>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Returned {
    pub how: ChildEnd,
    pub text: String,
    pub why: Option<String>,
    pub steps: u32,
    /// The subagent's session. `None` if the subagent never started.
    pub session: Option<SessionId>,
    pub changes: Vec<AppliedChange>,
    pub findings: Vec<Finding>,
}

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Ask), (EXPLORE.into(), Action::Allow)],
            ..ToolFacts::of("task", EffectClass::Delegates)
        },
        aliases: &[
            "agent",
            "subagent",
            "delegate",
            "dispatch_agent",
            "spawn_agent",
            "new_task",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Brief(
            "task {agent?, prompt}: let a subagent work that sees only `prompt`; `explore` reads, `general` changes",
        ),
        parameters: parameters(),
        arguments: &[
            ("agent", &["subagent_type", "subagent", "agent_type", "type"]),
            ("prompt", &["task", "instructions", "message"]),
            ("description", &["title", "name"]),
        ],
        more: "",
        serves: Some(Serves::Delegation),
        prepare: Box::new(prepare),
    }
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "agent": {"type": "string"},
            "prompt": {"type": "string"},
            "description": {"type": "string", "undeclared": true}
        },
        "required": ["prompt"]
    })
}

pub(super) struct Plan {
    pub(super) agent: AgentName,
    pub(super) task: String,
    pub(super) prompt: String,
    pub(super) files: Option<Reviewed>,
    pub(super) to: Delegates,
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let prompt = args.filled_text("prompt")?.trim().to_owned();
    let to = cx.children.clone().ok_or_else(nobody)?;
    let name = args.text("agent")?.unwrap_or_default();
    let agent = agent(name.trim(), &to.agents).map_err(|why| args.refuse(&why))?;
    if prompt.len() > PROMPT {
        return Err(args.refuse(&format!(
            "a prompt of {} bytes is too long; name files instead of quoting them, and give at most {PROMPT}",
            prompt.len()
        )));
    }
    let words = args.text("description")?.unwrap_or_default();
    let words = words.trim().lines().next().filter(|line| !line.is_empty());
    let task = shorten(words.or(prompt.lines().next()).unwrap_or_default(), TITLE);
    Ok(Draft {
        title: format!("{agent} · {task}"),
        subjects: vec![Subject::Named(agent.0.clone())],
        review: Review::Fields(vec![
            ("agent".to_owned(), agent.0.clone()),
            ("prompt".to_owned(), prompt.clone()),
        ]),
        work: Work::of(
            Plan {
                agent,
                task,
                prompt,
                files: None,
                to,
            },
            |plan, it| Box::pin(run(plan, it)),
        ),
    })
}

pub(super) fn nobody() -> Refusal {
    Refusal::new(
        "no_children",
        "This agent cannot start other agents: do the work yourself.",
    )
}

fn agent(name: &str, known: &[AgentName]) -> Result<AgentName, String> {
    let wanted = if name.is_empty() { EXPLORE } else { name };
    if let Some(found) = known.iter().find(|agent| agent.0 == wanted) {
        return Ok(found.clone());
    }
    let names = || known.iter().map(|agent| agent.0.as_str());
    let near = nearest(wanted, names()).map(|near| format!("did you mean `{near}`? "));
    Err(format!(
        "there is no subagent `{wanted}`; {}available: {}",
        near.unwrap_or_default(),
        names().collect::<Vec<_>>().join(", ")
    ))
}

async fn run(plan: Plan, it: Run<'_>) -> Outcome {
    match returned(plan, &it).await {
        Some(returned) => reported(returned, it.cx),
        None => unbegun(),
    }
}

/// Waits for the subagent's answer. Returns `None` if the subagent could not start.
pub(super) async fn returned(plan: Plan, it: &Run<'_>) -> Option<Returned> {
    let (reply, answer) = oneshot::channel();
    let delegation = Delegation {
        seat: plan.to.seat,
        call: it.call.clone(),
        agent: plan.agent,
        task: plan.task,
        prompt: plan.prompt,
        files: plan.files,
        stop: it.cx.stop.clone(),
        reply,
    };
    // If the engine has ended, it drops the reply sender, so `answer` returns an error.
    let _ = plan.to.door.send(delegation).await;
    answer.await.ok()
}

pub(super) fn unbegun() -> Outcome {
    Outcome::error("failed", "The subagent could not be started. Nothing was done.")
}

pub(super) fn reported(returned: Returned, cx: &ToolContext) -> Outcome {
    let Returned {
        how,
        text,
        why,
        steps,
        session,
        changes,
        findings: _,
    } = returned;
    let (mut output, truncated) = kept_whole(text.trim().to_owned(), ANSWER, &cx.outputs, &cx.redactor);
    if output.is_empty() {
        output = "(It gave no answer.)".to_owned();
    }
    if let Some(sentence) = sentence(how) {
        output.push_str(&format!(
            "\n\n{sentence}{}",
            why.map(|why| format!(" {why}")).unwrap_or_default()
        ));
    }
    let steps_text = count(usize::try_from(steps).unwrap_or(usize::MAX), "step", "steps");
    let of_session = session
        .map(|id| format!(", session {}", id.short()))
        .unwrap_or_default();
    output.push_str(&format!("\n\n[{}: {steps_text}{of_session}]", how.word()));
    let ended = match how {
        ChildEnd::Done => Outcome::ok(Summary::Steps { steps: steps.into() }, output),
        ChildEnd::Stopped => Outcome {
            status: CallStatus::Cancelled,
            summary: Summary::Interrupted,
            ..Outcome::error("cancelled", output)
        },
        _ => Outcome::error(how.word(), output),
    };
    Outcome {
        truncated,
        changes,
        ..ended
    }
}

fn sentence(how: ChildEnd) -> Option<&'static str> {
    Some(match how {
        ChildEnd::Done => return None,
        ChildEnd::StepsOver => "It reached its request limit before it finished.",
        ChildEnd::TimeOver => "It timed out before it finished.",
        ChildEnd::WindowOver => "Its context window is full: give it a smaller task.",
        ChildEnd::BudgetOver => "This run has reached its token or cost limit.",
        ChildEnd::Loop => "It went round in a loop.",
        ChildEnd::Denied => "Its calls were denied repeatedly.",
        ChildEnd::Failed => "It failed.",
        ChildEnd::Stopped => "The user stopped it. Its work until then is kept.",
        ChildEnd::Cut => "Benchdog ended while it worked.",
    })
}

#[cfg(test)]
mod tests;
