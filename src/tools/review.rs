//! Reviews of changed files by a read-only agent, for scripts and the workbench.

use std::path::Path;

use super::cancelled;
use super::row::{Draft, Run, Work};
use super::size::shorten;
use super::task::{self, Delegates, Plan};
use crate::context::reviewing::{self, Reviewing};
use crate::domain::agent::{AgentName, REVIEW};
use crate::domain::child::ChildEnd;
use crate::domain::comparison::NoComparison;
use crate::domain::finding::{Reviewed, ToReview};
use crate::domain::notice::Notice;
use crate::domain::permission::Subject;
use crate::domain::review::Review;
use crate::domain::summary::Summary;
use crate::domain::tool::Outcome;
use crate::files::git;
use crate::security::redact::Redactor;
use crate::security::secrets::is_secret_path;

/// Maximum characters of the closing text.
const CLOSING: usize = 2_000;

pub(crate) struct Looked {
    pub(crate) review: ToReview,
    pub(crate) notices: Vec<Notice>,
}

/// Prepares the changes within `room` bytes, without secret files and keys. `None` if there are no changes.
pub(crate) fn look(root: &Path, range: &str, room: usize, redactor: &Redactor) -> Result<Option<Looked>, NoComparison> {
    let comparison = git::compare(root, range)?;
    if comparison.files.is_empty() {
        return Ok(None);
    }
    let is_secret = |path: &str| is_secret_path(Path::new(path));
    let Reviewing { prompt, cut, secret } = reviewing::prompt(range, &comparison, room, is_secret);
    let cut = (cut > 0).then_some(Notice::NotToldWhole { files: cut });
    let secret = (!secret.is_empty()).then_some(Notice::SecretsLeftOut { paths: secret });
    Ok(Some(Looked {
        review: ToReview {
            prompt: redactor.text(&prompt).into_owned(),
            files: Reviewed::of(&comparison),
        },
        notices: cut.into_iter().chain(secret).collect(),
    }))
}

/// Creates the call. `line` is the command the person entered.
pub(super) fn draft(line: String, review: ToReview, to: Delegates) -> Draft {
    let ToReview { prompt, files } = review;
    let agent = AgentName(REVIEW.to_owned());
    Draft {
        title: line.clone(),
        subjects: vec![Subject::Named(agent.0.clone())],
        review: Review::Fields(vec![("agent".to_owned(), agent.0.clone())]),
        work: Work::of(
            Plan {
                agent,
                task: line,
                prompt,
                files: Some(files),
                to,
            },
            |plan, it| Box::pin(run(plan, it)),
        ),
    }
}

async fn run(plan: Plan, it: Run<'_>) -> Outcome {
    let Some(mut returned) = task::returned(plan, &it).await else {
        return task::unbegun();
    };
    let found = std::mem::take(&mut returned.findings);
    if returned.how == ChildEnd::Done {
        let findings = found.len() as u64;
        return Outcome {
            findings: Some(found),
            ..Outcome::ok(Summary::Findings { findings }, shorten(returned.text.trim(), CLOSING))
        };
    }
    let ended = match returned.how {
        // The person stopped it.
        ChildEnd::Stopped => cancelled(shorten(returned.text.trim(), CLOSING)),
        _ => task::reported(returned, it.cx),
    };
    Outcome {
        findings: Some(found),
        ..ended
    }
}

#[cfg(test)]
mod tests;
