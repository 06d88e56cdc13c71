//! `task`: has a child agent do a piece of work, in a session of its own. It only asks the engine, which has the child, and waits for its last word.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::arguments::Args;
use super::outputs::kept_whole;
use super::row::{Draft, Row, Run, Serves, Work};
use super::size::{count, shorten};
use super::{Refusal, Stop, ToolContext};
use crate::base::id::{CallId, SeatId, SessionId};
use crate::base::spelling::nearest;
use crate::domain::agent::{AgentName, EXPLORE};
use crate::domain::child::ChildEnd;
use crate::domain::finding::{Finding, Reviewed};
use crate::domain::permission::{Action, Subject};
use crate::domain::review::Review;
use crate::domain::summary::Summary;
use crate::domain::tool::{AppliedChange, CallStatus, EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "Give a piece of work to another agent, with a window of its own, and get its answer. `explore` only looks: use it to find things in a \
    large project without filling your own window. `general` may do what you may. It knows nothing of this conversation: say in `prompt` all it needs and what \
    to answer. Independent tasks go side by side as several calls of one reply. `description` is three to five words for the user.";

/// Characters of an answer that the model gets; the rest lies in a file.
pub(crate) const ANSWER: usize = 20_000;

/// Characters of a title.
const TITLE: usize = 60;

/// A longer prompt is no piece of work.
const PROMPT: usize = 64 * 1024;

/// Who may be given work, and the way to the engine.
#[derive(Clone)]
pub(crate) struct Delegates {
    pub(crate) seat: SeatId,
    pub(crate) agents: Arc<[AgentName]>,
    pub(crate) door: mpsc::Sender<Delegation>,
}

/// A piece of work for a child.
#[derive(Debug)]
pub(crate) struct Delegation {
    /// Whose call it is.
    pub(crate) seat: SeatId,
    pub(crate) call: CallId,
    pub(crate) agent: AgentName,
    /// What it is about, in a few words.
    pub(crate) task: String,
    pub(crate) prompt: String,
    /// Set where it is to hand over what it finds in these files.
    pub(crate) files: Option<Reviewed>,
    /// Says when the call is to stop.
    pub(crate) stop: Stop,
    pub(crate) reply: oneshot::Sender<Returned>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Returned {
    pub(crate) how: ChildEnd,
    /// What it said last.
    pub(crate) text: String,
    /// Why it failed, where it did.
    pub(crate) why: Option<String>,
    pub(crate) steps: u32,
    /// `None`: it never began.
    pub(crate) session: Option<SessionId>,
    pub(crate) changes: Vec<AppliedChange>,
    /// What it handed over.
    pub(crate) findings: Vec<Finding>,
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
            "agent": {"type": "string", "description": "Who does it; `explore` unless said otherwise."},
            "prompt": {"type": "string"},
            "description": {"type": "string"}
        },
        "required": ["prompt"]
    })
}

/// What is to be done, and by whom.
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

/// Nobody may be given work.
pub(super) fn nobody() -> Refusal {
    Refusal::new(
        "no_children",
        "Here no work can be given to other agents: do it yourself.",
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
        "there is no agent `{wanted}` to give work to; {}there are: {}",
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

/// What came of it; `None`: it could not be begun.
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
    // An engine that is gone drops it, and with it the way back.
    let _ = plan.to.door.send(delegation).await;
    answer.await.ok()
}

pub(super) fn unbegun() -> Outcome {
    Outcome::error("failed", "The child could not be begun. Nothing was done.")
}

/// What the model reads: the answer, and how the child ended.
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

/// What the model is told of an end that is none of the child's own.
fn sentence(how: ChildEnd) -> Option<&'static str> {
    Some(match how {
        ChildEnd::Done => return None,
        ChildEnd::StepsOver => "It had made all its requests before it was done.",
        ChildEnd::TimeOver => "Its time was over before it was done.",
        ChildEnd::WindowOver => "Its window is full: give it a smaller piece of the work.",
        ChildEnd::BudgetOver => "The tokens or the money of this run are spent.",
        ChildEnd::Loop => "It went round in a loop.",
        ChildEnd::Denied => "Its calls were refused one after the other.",
        ChildEnd::Failed => "It failed.",
        ChildEnd::Stopped => "The user stopped it. What it did until then stays.",
        ChildEnd::Cut => "Benchdog ended while it worked.",
    })
}

#[cfg(test)]
mod tests;
