//! Approval requests as `session/request_permission`: the options, and the decision from the client's answer. Does no
//! I/O.
//!
//! Only a chosen option approves. Any other answer is a denial.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_client_protocol_schema::v1::{
    CreateElicitationResponse, Meta, PermissionOption, PermissionOptionKind, RequestPermissionOutcome,
    RequestPermissionResponse,
};
use serde_json::{Value, json};

use super::elicitation;
use benchdog_app::dialogs::question::QuestionView;
use benchdog_app::dialogs::rows::{self, RequestRow};
use benchdog_app::dialogs::why::{asks_because, on_disk_said};
use benchdog_base::text::reveal;
use benchdog_diff::hunks;
use benchdog_domain::permission::{Decision, Kept, Lasts, PartKept, Scope};
use benchdog_domain::review::{FileChange, Question, Review};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::ApprovalRequest;

const UNWRAPPED: u16 = u16::MAX;

/// Key in `_meta`. Contains the hunks in a request, and the numbers of the accepted hunks in the answer.
const HUNKS: &str = "benchdog/hunks";
/// Key in `_meta` of the answer. Contains the reason of a denial for the model.
const REASON: &str = "benchdog/reason";

const LONGEST_REASON: usize = 2_000;

pub(crate) struct Asking {
    pub(crate) request: Arc<ApprovalRequest>,
    options: BTreeMap<String, Choice>,
    /// The pages of a question. Each page is sent to the client as a separate request.
    pages: Option<QuestionView>,
}

#[derive(Debug, Clone, PartialEq)]
enum Choice {
    Once,
    Confined,
    Always(Scope, Lasts),
    Deny,
    /// Denies this request, and later requests of the session that have this scope.
    DenyAll(Scope),
    /// The index of an answer of a question.
    Answer(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    Decided(Decision),
    DeniedFor(Scope),
    /// The next page of the question must be sent.
    AsksOn,
}

impl Asking {
    pub(crate) fn new(request: Arc<ApprovalRequest>) -> Self {
        let pages = match &request.review {
            Review::Question(question) => Some(QuestionView::new(question)),
            Review::Files(_) | Review::Command(_) | Review::Fields(_) => None,
        };
        Self {
            request,
            options: BTreeMap::new(),
            pages,
        }
    }

    /// Returns the options to show. Empty if the question asks for text, because a permission request has no field for
    /// text.
    pub(crate) fn options(&mut self) -> Vec<PermissionOption> {
        let choices = match &self.pages {
            Some(pages) => answers(pages),
            None => choices(&self.request),
        };
        self.options.clear();
        let mut shown = Vec::new();
        for (id, name, kind, choice) in choices {
            shown.push(PermissionOption::new(id.clone(), name, kind));
            self.options.insert(id, choice);
        }
        shown
    }

    pub(crate) fn question(&self) -> Option<String> {
        let page = self.pages.as_ref()?.page()?;
        Some(reveal(&page.text).into_owned())
    }

    /// Returns the hunks of a proposal for `_meta` of the request. `None` if the request is not about files.
    pub(crate) fn hunks(&self) -> Option<Meta> {
        let Review::Files(files) = &self.request.review else {
            return None;
        };
        let mut listed = Vec::new();
        for file in files {
            let found = parts(file);
            for hunk in 0..found.max(1) {
                listed.push(json!({"number": listed.len() + 1, "path": file.path, "hunk": hunk + 1}));
            }
        }
        let mut meta = Meta::new();
        meta.insert(HUNKS.to_owned(), Value::Array(listed));
        Some(meta)
    }

    pub(crate) fn answered(&mut self, answer: &RequestPermissionResponse) -> Outcome {
        let chosen = match &answer.outcome {
            RequestPermissionOutcome::Selected(selected) => self.options.get(selected.option_id.0.as_ref()),
            _ => None,
        };
        let kept = kept(&self.request.review, answer.meta.as_ref());
        let Some(chosen) = chosen.cloned() else {
            return denied(None);
        };
        match (chosen, kept) {
            (Choice::Deny, _) => denied(reason(answer.meta.as_ref())),
            (Choice::DenyAll(scope), _) => Outcome::DeniedFor(scope),
            (Choice::Answer(place), _) => self.chose(place),
            // The numbers of the accepted hunks are invalid, so nothing is accepted.
            (_, None) => denied(None),
            (Choice::Once, Some(kept)) => Outcome::Decided(Decision::Once { kept }),
            (Choice::Confined, Some(_)) => Outcome::Decided(Decision::Confined),
            (Choice::Always(scope, lasts), Some(kept)) => Outcome::Decided(Decision::Always { scope, lasts, kept }),
        }
    }

    pub(crate) fn filled(&self, answer: CreateElicitationResponse) -> Outcome {
        match &self.request.review {
            Review::Question(question) => Outcome::Decided(elicitation::decision(question, answer)),
            Review::Files(_) | Review::Command(_) | Review::Fields(_) => denied(None),
        }
    }

    fn chose(&mut self, place: usize) -> Outcome {
        let Some(view) = &mut self.pages else {
            return denied(None);
        };
        let page = view.page_mut();
        if page.and_then(|page| page.choose([place])).is_none() {
            return denied(None);
        }
        let decision = view.done().or_else(|| match view.page() {
            Some(_) => None,
            None => view.done(),
        });
        decision.map_or(Outcome::AsksOn, Outcome::Decided)
    }
}

pub(crate) fn denied(reason: Option<String>) -> Outcome {
    Outcome::Decided(Decision::Deny { reason })
}

type Shown = (String, String, PermissionOptionKind, Choice);

fn choices(request: &ApprovalRequest) -> Vec<Shown> {
    let once = word(Word::AcpAllowOnce).to_owned();
    let mut shown = vec![("allow".to_owned(), once, PermissionOptionKind::AllowOnce, Choice::Once)];
    if request.verdict.confinable {
        let name = word(Word::AcpConfined).to_owned();
        let kind = PermissionOptionKind::AllowOnce;
        shown.push(("sandbox".to_owned(), name, kind, Choice::Confined));
    }
    let child = request.child.as_ref().map(|child| &child.agent);
    for (number, scope) in (1..).zip(&request.verdict.scopes) {
        for (lasts, id) in [(Lasts::Session, "session"), (Lasts::Project, "project")] {
            let name = lang::always_allows((scope, lasts), &request.review, child);
            let choice = Choice::Always(scope.clone(), lasts);
            let id = format!("always-{id}-{number}");
            shown.push((
                id,
                reveal(&name).into_owned(),
                PermissionOptionKind::AllowAlways,
                choice,
            ));
        }
    }
    let name = word(Word::AcpReject).to_owned();
    shown.push((
        "reject".to_owned(),
        name,
        PermissionOptionKind::RejectOnce,
        Choice::Deny,
    ));
    if let Some(scope) = request.verdict.scopes.first() {
        let name = lang::always_rejects(scope);
        let choice = Choice::DenyAll(scope.clone());
        let kind = PermissionOptionKind::RejectAlways;
        shown.push(("never".to_owned(), reveal(&name).into_owned(), kind, choice));
    }
    shown
}

fn answers(pages: &QuestionView) -> Vec<Shown> {
    let Some(page) = pages.page().filter(|page| !page.options.is_empty()) else {
        return Vec::new();
    };
    let mut shown: Vec<Shown> = page
        .options
        .iter()
        .enumerate()
        .map(|(place, option)| {
            let name = match option.description.as_str() {
                "" => reveal(&option.shown).into_owned(),
                about => reveal(&format!("{}: {about}", option.shown)).into_owned(),
            };
            let id = format!("answer-{}", place + 1);
            (id, name, PermissionOptionKind::AllowOnce, Choice::Answer(place))
        })
        .collect();
    let name = word(Word::AcpNoAnswer).to_owned();
    shown.push((
        "reject".to_owned(),
        name,
        PermissionOptionKind::RejectOnce,
        Choice::Deny,
    ));
    shown
}

fn reason(meta: Option<&Meta>) -> Option<String> {
    let reason = meta?.get(REASON)?.as_str()?.trim();
    let end = (0..=reason.len().min(LONGEST_REASON))
        .rev()
        .find(|at| reason.is_char_boundary(*at));
    let reason = reason.get(..end?)?;
    (!reason.is_empty()).then(|| reason.to_owned())
}

/// Returns the part of a proposal that was accepted. `None` if the numbers of the hunks are invalid.
fn kept(review: &Review, meta: Option<&Meta>) -> Option<Kept> {
    let Some(numbers) = meta.and_then(|meta| meta.get(HUNKS)) else {
        return Some(Kept::All);
    };
    let Review::Files(files) = review else { return None };
    let numbers: Option<Vec<u64>> = numbers.as_array()?.iter().map(Value::as_u64).collect();
    let numbers = numbers?;
    let mut last = 0;
    let mut chosen = Vec::new();
    for file in files {
        let count = parts(file).max(1) as u64;
        let accepted = (last + 1..=last + count).map(|number| numbers.contains(&number));
        chosen.push(Some(PartKept::Hunks(accepted.collect())));
        last += count;
    }
    let is_known = |number: &u64| (1..=last).contains(number);
    (!numbers.is_empty() && numbers.iter().all(is_known)).then_some(Kept::Parts { files: chosen })
}

fn parts(file: &FileChange) -> usize {
    let [before, after] = [&file.before, &file.after].map(|side| side.as_deref().unwrap_or_default());
    hunks(before, after).len()
}

/// Formats the request: the reason, the command with its parts, or the question.
pub(crate) fn about(request: &ApprovalRequest) -> String {
    let mut lines: Vec<String> = request
        .child
        .iter()
        .map(|child| reveal(&child.name()).into_owned())
        .collect();
    lines.extend(on_disk_said(request).map(|said| word(said).to_owned()));
    match &request.review {
        Review::Command(command) => {
            lines.push(reveal(&asks_because(request)).into_owned());
            lines.extend(rows::command(command, request.origin, UNWRAPPED).iter().map(line_of));
        }
        Review::Fields(fields) => {
            lines.push(reveal(&asks_because(request)).into_owned());
            lines.extend(rows::fields(fields, UNWRAPPED).iter().map(line_of));
        }
        Review::Question(Question::Plan { text }) => lines.push(reveal(text).into_owned()),
        Review::Question(_) | Review::Files(_) => {}
    }
    lines.join("\n")
}

fn line_of(row: &RequestRow) -> String {
    match row {
        RequestRow::Text(text) => text.clone(),
        RequestRow::Part {
            number,
            command,
            because,
            ..
        } if because.is_empty() => format!("{number}. {command}"),
        RequestRow::Part {
            number,
            command,
            because,
            ..
        } => format!("{number}. {command} ({because})"),
        RequestRow::Because { text, .. } => format!("({text})"),
        RequestRow::Field { name, value, .. } if name.is_empty() => value.clone(),
        RequestRow::Field { name, value, .. } => format!("{name}: {value}"),
    }
}
