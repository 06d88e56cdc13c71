//! Messages of the summary next to a finished call.

use std::borrow::Cow;

use super::{Word, message, word};
use benchdog_base::text::grouped;
use benchdog_domain::summary::{Change, Kept, Summary, duration, signal_name};

/// Formats the summary of a model's call. A call that was pending when Benchdog crashed did nothing.
pub fn summary_of_call(of: &Summary) -> Cow<'_, str> {
    match of {
        Summary::NotRun => word(Word::NothingDone).into(),
        other => summary(other),
    }
}

pub fn summary(summary: &Summary) -> Cow<'_, str> {
    let words = match summary {
        Summary::Empty => Word::SummaryEmpty,
        Summary::NoMatch => Word::SummaryNoMatch,
        Summary::Unchanged => Word::SummaryUnchanged,
        Summary::NothingKept => Word::SummaryNothingKept,
        Summary::NoAnswer => Word::SummaryNoAnswer,
        Summary::PlanAccepted => Word::SummaryPlanAccepted,
        Summary::PlanLeft => Word::SummaryPlanLeft,
        Summary::Denied => Word::SummaryDenied,
        Summary::NotRun => Word::SummaryNotRun,
        Summary::Interrupted => Word::SummaryInterrupted,
        Summary::OutOfTime => Word::SummaryOutOfTime,
        Summary::NotSaved => Word::SummaryNotSaved,
        Summary::ResultUnknown => Word::SummaryResultUnknown,
        Summary::Answer { text } | Summary::Words(text) => return text.into(),
        Summary::Failed { code } => return super::failed::failed(code).into(),
        Summary::Lines { lines } => return number(message::summary_lines, *lines).into(),
        Summary::SomeLines { shown, lines } => {
            let lines = number(message::summary_lines, *lines);
            return message::summary_some(&lines, &grouped(*shown)).into();
        }
        Summary::Unseen { images } => {
            return message::summary_unseen(&number(message::summary_images, *images)).into();
        }
        Summary::Steps { steps } => return number(message::summary_steps, *steps).into(),
        Summary::Entries { entries } => return number(message::summary_entries, *entries).into(),
        Summary::SomePages { shown, pages } => {
            let pages = number(message::summary_pages, *pages);
            return message::summary_some(&pages, &grouped(*shown)).into();
        }
        Summary::Files { files } => return number(message::summary_files, *files).into(),
        Summary::Matches { matches } => return number(message::summary_matches, *matches).into(),
        Summary::MatchesIn { matches, files } => {
            let (matches, files) = (
                number(message::summary_matches, *matches),
                number(message::summary_files, *files),
            );
            return message::summary_matches_in(&files, &matches).into();
        }
        Summary::FirstMatches { matches, files } => {
            let (matches, files) = (grouped(*matches), number(message::summary_files, *files));
            return message::summary_first_matches(&files, &matches).into();
        }
        Summary::Changed {
            change,
            added,
            removed,
            kept,
        } => {
            let done = counts(change_word(*change), *added, *removed);
            let Some(Kept { hunks, of }) = kept else {
                return done.into();
            };
            return message::summary_kept(&of.to_string(), &done, &hunks.to_string()).into();
        }
        Summary::ChangedFiles {
            files,
            added,
            removed,
            of,
        } => {
            return counts(&files_kept(*files, *of), *added, *removed).into();
        }
        Summary::Todo { done, total } => {
            return message::summary_todo(&total.to_string(), &done.to_string()).into();
        }
        Summary::Proven { places } => return number(message::summary_places, *places).into(),
        Summary::Findings { findings } => return number(message::summary_findings, *findings).into(),
        Summary::Answers { answers } => return number(message::summary_answers, *answers).into(),
        Summary::Exit { code, took_ms } => {
            return message::summary_exit(&code.to_string(), &duration(*took_ms)).into();
        }
        Summary::Signal { signal, took_ms } => {
            return message::summary_signal(&signal_name(*signal), &duration(*took_ms)).into();
        }
        Summary::Background { job } => return message::summary_background(&job.to_string()).into(),
        Summary::Runs { job } => return message::summary_runs(&job.to_string()).into(),
        Summary::Stopped { took_ms } => return message::summary_stopped(&duration(*took_ms)).into(),
        Summary::TimedOut { took_ms } => return message::summary_timeout(&duration(*took_ms)).into(),
        Summary::EndUnknown { took_ms } => return message::summary_unknown(&duration(*took_ms)).into(),
    };
    word(words).into()
}

/// Formats the number of accepted files. `of` is the number of all files, if the person rejected some.
fn files_kept(files: u64, of: Option<u64>) -> String {
    match of {
        Some(of) => message::summary_files_kept(&grouped(of), &grouped(files)),
        None => number(message::summary_files, files),
    }
}

pub fn with_images<'w>(words: Cow<'w, str>, images: usize) -> Cow<'w, str> {
    if images == 0 {
        return words;
    }
    let images = number(message::summary_images, images as u64);
    message::summary_with_images(&images, &words).into()
}

/// Adds the duration to a summary that does not contain it.
pub fn summary_with(summary: &Summary, took_ms: u64) -> Cow<'_, str> {
    let words = self::summary(summary);
    if summary.says_duration() {
        return words;
    }
    message::summary_took(&words, &duration(took_ms)).into()
}

pub(super) fn number(said: fn(usize, &str) -> String, number: u64) -> String {
    let all = usize::try_from(number).unwrap_or(usize::MAX);
    said(all, &grouped(number))
}

fn counts(what: &str, added: u32, removed: u32) -> String {
    let (added, removed) = (added.to_string(), removed.to_string());
    message::summary_changed(&added, &removed, what)
}

fn change_word(change: Change) -> &'static str {
    word(match change {
        Change::Created => Word::FileCreated,
        Change::Updated => Word::FileUpdated,
        Change::Deleted => Word::FileDeleted,
        Change::Renamed => Word::FileRenamed,
        Change::Copied => Word::FileCopied,
    })
}
