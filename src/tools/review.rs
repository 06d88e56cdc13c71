//! Reviews of changed files by a read-only agent, for scripts and the workbench.

use std::path::Path;

use super::cancelled;
use super::row::{Draft, Run, Work};
use super::size::shorten;
use super::task::{self, Delegates, Plan};
use benchdog_context::reviewing::{self, Reviewing};
use benchdog_domain::agent::{AgentName, REVIEW};
use benchdog_domain::child::ChildEnd;
use benchdog_domain::comparison::NoComparison;
use benchdog_domain::finding::{Reviewed, ToReview};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Subject;
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::Outcome;
use benchdog_files::git;
use benchdog_security::redact::Redactor;
use benchdog_security::secrets::is_secret_path;

/// Maximum characters of the reviewer's final text.
const CLOSING: usize = 2_000;

pub struct Looked {
    pub review: ToReview,
    pub notices: Vec<Notice>,
}

/// Returns the changes in a git range as a review prompt, without secrets. Returns `None` without changes.
pub fn look(root: &Path, range: &str, room: usize, redactor: &Redactor) -> Result<Option<Looked>, NoComparison> {
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

/// `line` is the command that the user entered.
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
