//! Formats a request as lines, and parses lines that answer a request. Pure.

use std::sync::Arc;

use benchdog_app::dialogs::question::{ByItself, Page, QuestionView};
use benchdog_app::dialogs::rows::{self, RequestRow};
use benchdog_app::dialogs::why::{asks_because, on_disk_row, on_disk_said};
use benchdog_app::diff_view::DiffView;
use benchdog_base::id::CallId;
use benchdog_base::text::reveal;
use benchdog_diff::{Encoding, hunks, unified_text};
use benchdog_domain::permission::{Decision, Kept, Lasts, Scope};
use benchdog_domain::review::{END_TURN, FileChange, GO_ON, Question as Asked, Review};
use benchdog_lang::{self as lang, Said, Word, word};
use benchdog_protocol::{ApprovalRequest, OnDisk};
use benchdog_transcript::{Mark, name_of, one_line};

pub const PAGE: usize = 200;

const CONTEXT: usize = 3;

const UNWRAPPED: u16 = u16::MAX;

/// The input that leaves a field without an answer, although the field has a default value.
const LEFT_OUT: &str = "-";

pub(super) struct Question {
    request: Arc<ApprovalRequest>,
    unread: std::vec::IntoIter<String>,
    asked: Option<QuestionView>,
    always: Vec<(Scope, Lasts)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    Decided(Decision),
    ReadsOn,
    Undecided,
    Wrong(String),
}

impl Question {
    pub(super) fn new(request: Arc<ApprovalRequest>) -> Self {
        let scopes = request.verdict.scopes.iter();
        let always = scopes.flat_map(|scope| [Lasts::Session, Lasts::Project].map(|lasts| (scope.clone(), lasts)));
        let asked = match &request.review {
            Review::Question(asked @ (Asked::Model { .. } | Asked::Plan { .. } | Asked::Server { .. })) => {
                Some(QuestionView::new(asked))
            }
            _ => None,
        };
        Self {
            unread: about(&request).into_iter(),
            asked,
            always: always.collect(),
            request,
        }
    }

    pub(super) fn into_request(self) -> Arc<ApprovalRequest> {
        self.request
    }

    pub(super) fn call(&self) -> &CallId {
        &self.request.call
    }

    pub(super) fn asks(&self, request: &ApprovalRequest) -> bool {
        is_same(&self.request, request)
    }

    pub(super) fn edition(&self) -> u32 {
        self.request.edition
    }

    pub(super) fn page(&mut self) -> Vec<String> {
        let mut lines: Vec<String> = self.unread.by_ref().take(PAGE).collect();
        let left = self.unread.len();
        if left > 0 {
            lines.push(lang::message::linear_reads_on(left));
        }
        let child = self.request.child.as_ref().map(|child| &child.agent);
        let numbered = (1..).zip(&self.always).map(|(number, (scope, lasts))| {
            let said = lang::always(number, (scope, *lasts), &self.request.review, child);
            reveal(&said).into_owned()
        });
        lines.extend(numbered);
        if left == 0 && has_parts(&self.request.review) {
            lines.push(word(Word::LinearWhole).to_owned());
        }
        lines.push(word(self.how()).to_owned());
        if self.request.verdict.confinable {
            lines.push(word(Word::LinearConfined).to_owned());
        }
        lines
    }

    pub(super) fn how(&self) -> Word {
        if let Some(page) = self.asked.as_ref().and_then(QuestionView::page) {
            return match (page.options.is_empty(), page.own_words, page.multiple) {
                (true, _, _) => Word::LinearInOwnWords,
                (false, true, true) => Word::LinearChooseSome,
                (false, true, false) => Word::LinearChoose,
                (false, false, true) => Word::LinearNumbersOnly,
                (false, false, false) => Word::LinearNumberOnly,
            };
        }
        match &self.request.review {
            Review::Question(_) => Word::LinearGoOn,
            Review::Files(_) | Review::Command(_) | Review::Fields(_) if self.always.is_empty() => Word::LinearAllow,
            Review::Files(_) | Review::Command(_) | Review::Fields(_) => Word::LinearAllowOrAlways,
        }
    }

    pub(super) fn reply(&mut self, line: &str) -> Reply {
        if let Some(view) = &mut self.asked {
            let reply = answered(view, line);
            if reply == Reply::ReadsOn {
                self.unread = page(view).into_iter();
            }
            return reply;
        }
        match &self.request.review {
            Review::Question(_) => match lang::said(line) {
                Some(Said::Yes) => answer(GO_ON),
                Some(Said::No { .. }) => answer(END_TURN),
                Some(Said::Confined | Said::Always { .. } | Said::More) | None => Reply::Undecided,
            },
            Review::Files(_) | Review::Command(_) | Review::Fields(_) => self.decided(line),
        }
    }

    fn decided(&self, line: &str) -> Reply {
        let kept = Kept::All;
        match lang::said(line) {
            Some(Said::Yes) => Reply::Decided(Decision::Once { kept }),
            Some(Said::Confined) if self.request.verdict.confinable => Reply::Decided(Decision::Confined),
            Some(Said::No { reason }) => Reply::Decided(Decision::Deny {
                reason: (!reason.is_empty()).then(|| reason.to_owned()),
            }),
            Some(Said::Always { number }) => match self.always.get(number.wrapping_sub(1)).cloned() {
                Some((scope, lasts)) => Reply::Decided(Decision::Always { scope, lasts, kept }),
                None => Reply::Undecided,
            },
            Some(Said::More) if self.unread.len() > 0 => Reply::ReadsOn,
            Some(Said::Confined | Said::More) | None => Reply::Undecided,
        }
    }
}

/// Whether both requests are the same edition of one call. Ignores later changes of the files on disk.
pub(super) fn is_same(one: &ApprovalRequest, other: &ApprovalRequest) -> bool {
    (&one.call, one.edition) == (&other.call, other.edition) && one.review == other.review
}

fn has_parts(review: &Review) -> bool {
    let Review::Files(files) = review else { return false };
    let hunks = |file: &FileChange| {
        let [before, after] = [&file.before, &file.after].map(|side| side.as_deref().unwrap_or_default());
        hunks(before, after).len().max(1)
    };
    files.iter().map(hunks).sum::<usize>() > 1
}

fn answer(text: &str) -> Reply {
    Reply::Decided(Decision::answered(vec![text.to_owned()]))
}

/// Parses an answer to the current question. Numbers choose options. Other text is a free answer.
fn answered(view: &mut QuestionView, line: &str) -> Reply {
    let Some(page) = view.page_mut() else {
        return Reply::Undecided;
    };
    if takes(page, line.trim()).is_none() {
        return Reply::Undecided;
    }
    let before = view.at;
    let sent = view.done().or_else(|| match view.page() {
        Some(_) => None,
        None => view.done(),
    });
    match (sent, view.page().and_then(Page::wrong)) {
        (Some(decision), _) => Reply::Decided(decision),
        (None, Some(why)) if view.at == before => Reply::Wrong(why),
        (None, _) => Reply::ReadsOn,
    }
}

/// Applies a line to the current question. An empty line keeps the default value. `None` for an invalid line.
fn takes(page: &mut Page, line: &str) -> Option<()> {
    page.begin_anew();
    let by_itself = page.by_itself();
    match (
        lang::numbers(line),
        lang::said(line).and_then(|said| page.place_of(said)),
    ) {
        (Some(numbers), _) if numbers.is_empty() => by_itself.map(drop).or(page.is_checked().then_some(())),
        (_, Some(place)) => page.choose([place]),
        (Some(numbers), _) if !page.options.is_empty() => {
            let known = |number: &usize| (1..=page.options.len()).contains(number);
            let fits = (numbers.len() == 1 || page.multiple) && numbers.iter().all(known);
            fits.then(|| numbers.into_iter().map(|number| number - 1))
                .and_then(|places| page.choose(places))
        }
        _ if line == LEFT_OUT && page.may_be_left_out() && matches!(by_itself, Some(ByItself::Answers(_))) => {
            page.leave_out();
            Some(())
        }
        _ => page.own_words.then(|| page.own.set(line)),
    }
}

/// Formats the request, its reason and its effects. Invisible characters are made visible.
fn about(request: &ApprovalRequest) -> Vec<String> {
    let title = format!(
        "{} {} {}",
        Mark::Waiting.sign(),
        name_of(&request.tool),
        asks_because(request)
    );
    let whose = request.child.as_ref().map(|child| one_line(&reveal(&child.name())));
    let mut lines: Vec<String> = whose.into_iter().chain([one_line(&reveal(&title))]).collect();
    lines.extend(on_disk_said(request).map(|said| word(said).to_owned()));
    match &request.review {
        Review::Files(files) => lines.extend(changes(files, request.on_disk)),
        Review::Command(command) => lines.extend(rows::command(command, request.origin, UNWRAPPED).iter().map(line_of)),
        Review::Fields(fields) => lines.extend(rows::fields(fields, UNWRAPPED).iter().map(line_of)),
        Review::Question(asked @ (Asked::Model { .. } | Asked::Plan { .. } | Asked::Server { .. })) => {
            lines.extend(page(&QuestionView::new(asked)))
        }
        // This question is a complete sentence, so it has no heading.
        Review::Question(Asked::GoOn(pause)) => lines.push(lang::go_on(pause)),
    }
    lines
}

fn page(view: &QuestionView) -> Vec<String> {
    let Some(page) = view.page() else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    if view.has_pages() {
        let (at, all) = (view.at + 1, view.pages.len());
        lines.push(format!("{} {}", lang::place_of(at, all), reveal(&page.name)));
    }
    lines.extend(reveal(&page.text).lines().map(str::to_owned));
    for (number, option) in (1..).zip(&page.options) {
        lines.push(format!("{number}. {}", reveal(&option.shown)));
        lines.extend(option.description.lines().map(|line| format!("   {}", reveal(line))));
    }
    lines.extend(view.note.iter().map(|note| reveal(note).into_owned()));
    lines.extend(view.page().and_then(by_itself));
    lines
}

fn by_itself(page: &Page) -> Option<String> {
    Some(match page.by_itself()? {
        ByItself::LeftOut => word(Word::LinearEmptyLeavesOut).to_owned(),
        ByItself::Answers(answers) => {
            let gives = lang::message::linear_empty_gives(&reveal(&answers.join(" · ")));
            match page.may_be_left_out() && (page.own_words || page.multiple) {
                true => format!("{gives} {}", lang::message::linear_leaves_out(LEFT_OUT)),
                false => gives,
            }
        }
    })
}

fn line_of(row: &RequestRow) -> String {
    match row {
        RequestRow::Text(text) => text.clone(),
        RequestRow::Part {
            number,
            command,
            because,
            ..
        } if because.is_empty() => format!("  {number}. {command}"),
        RequestRow::Part {
            number,
            command,
            because,
            ..
        } => format!("  {number}. {command}  ({because})"),
        RequestRow::Because { text, .. } => format!("      ({text})"),
        // An empty name marks a further value of the same field.
        RequestRow::Field { name, value, .. } if name.is_empty() => format!("    {value}"),
        RequestRow::Field { name, value, .. } => format!("  {name}: {value}"),
    }
}

/// Formats unified diffs of the exact bytes that will be written.
fn changes(files: &[FileChange], on_disk: OnDisk) -> Vec<String> {
    let mut lines = Vec::new();
    let mut view = DiffView::new(files);
    view.stand(on_disk_row(on_disk));
    for (file, change) in view.files.iter().zip(files) {
        lines.push(format!(
            "{} {}  +{} -{}",
            file.operation(),
            file.path,
            file.added,
            file.removed
        ));
        // The note about files on disk is printed above all files, so do not repeat the note.
        let above = on_disk_row(on_disk).map(word);
        let notes = file.notes.iter().filter(|note| above != Some(note.as_str()));
        lines.extend(notes.map(|note| format!("  {}", reveal(note))));
        let (before, after) = (bytes(&change.before), bytes(&change.after));
        if is_text(before) && is_text(after) {
            let diff = unified_text(before, after, CONTEXT);
            let diff = String::from_utf8_lossy(&diff);
            // Split only at line feeds, because a carriage return before a line feed is part of the file.
            lines.extend(diff.split_terminator('\n').map(|line| reveal(line).into_owned()));
        }
    }
    lines
}

fn bytes(side: &Option<Arc<[u8]>>) -> &[u8] {
    side.as_deref().unwrap_or_default()
}

fn is_text(bytes: &[u8]) -> bool {
    !matches!(Encoding::of(bytes), Encoding::Binary | Encoding::Utf16)
}
