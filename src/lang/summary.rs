//! Messages beside a finished call.

use std::borrow::Cow;

use super::{Word, count, say, word};
use benchdog_base::text::grouped;
use benchdog_domain::summary::{Change, Kept, Summary, duration, signal_name};

/// The summary of a model's call. A call that was pending when Benchdog crashed did nothing.
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
        Summary::Lines { lines } => return number("summary-lines", *lines).into(),
        Summary::SomeLines { shown, lines } => {
            let lines = number("summary-lines", *lines);
            return say("summary-some", &[("shown", &grouped(*shown)), ("all", &lines)]).into();
        }
        Summary::Unseen { images } => {
            return say("summary-unseen", &[("images", &number("summary-images", *images))]).into();
        }
        Summary::Steps { steps } => return number("summary-steps", *steps).into(),
        Summary::Entries { entries } => return number("summary-entries", *entries).into(),
        Summary::Files { files } => return number("summary-files", *files).into(),
        Summary::Matches { matches } => return number("summary-matches", *matches).into(),
        Summary::MatchesIn { matches, files } => {
            let (matches, files) = (number("summary-matches", *matches), number("summary-files", *files));
            return say("summary-matches-in", &[("matches", &matches), ("files", &files)]).into();
        }
        Summary::FirstMatches { matches, files } => {
            let (matches, files) = (grouped(*matches), number("summary-files", *files));
            return say("summary-first-matches", &[("matches", &matches), ("files", &files)]).into();
        }
        Summary::Changed {
            change,
            added,
            removed,
            kept,
        } => {
            let done = counts(done(*change), *added, *removed);
            let Some(Kept { hunks, of }) = kept else {
                return done.into();
            };
            let values = [
                ("kept", &*hunks.to_string()),
                ("all", &*of.to_string()),
                ("done", &*done),
            ];
            return say("summary-kept", &values).into();
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
            return say(
                "summary-todo",
                &[("done", &done.to_string()), ("all", &total.to_string())],
            )
            .into();
        }
        Summary::Proven { places } => return number("summary-places", *places).into(),
        Summary::Findings { findings } => return number("summary-findings", *findings).into(),
        Summary::Answers { answers } => return number("summary-answers", *answers).into(),
        Summary::Exit { code, took_ms } => {
            let values = [("code", &*code.to_string()), ("took", &*duration(*took_ms))];
            return say("summary-exit", &values).into();
        }
        Summary::Signal { signal, took_ms } => {
            let values = [("signal", &*signal_name(*signal)), ("took", &*duration(*took_ms))];
            return say("summary-signal", &values).into();
        }
        Summary::Background { job } => return say("summary-background", &[("job", &job.to_string())]).into(),
        Summary::Runs { job } => return say("summary-runs", &[("job", &job.to_string())]).into(),
        Summary::Stopped { took_ms } => return say("summary-stopped", &[("took", &duration(*took_ms))]).into(),
        Summary::TimedOut { took_ms } => return say("summary-timeout", &[("took", &duration(*took_ms))]).into(),
        Summary::EndUnknown { took_ms } => return say("summary-unknown", &[("took", &duration(*took_ms))]).into(),
    };
    word(words).into()
}

/// `of` is the total, if the person rejected some files.
fn files_kept(files: u64, of: Option<u64>) -> String {
    match of {
        Some(of) => say(
            "summary-files-kept",
            &[("kept", &grouped(files)), ("all", &grouped(of))],
        ),
        None => number("summary-files", files),
    }
}

pub fn with_images<'w>(words: Cow<'w, str>, images: usize) -> Cow<'w, str> {
    if images == 0 {
        return words;
    }
    let images = number("summary-images", images as u64);
    say("summary-with-images", &[("summary", &words), ("images", &images)]).into()
}

/// The person changed the proposed text.
pub fn edited_by_you(done: &str) -> String {
    say("summary-edited", &[("done", done)])
}

/// Formats a command that ran in the sandbox because the user chose that.
pub fn in_sandbox(done: &str) -> String {
    say("summary-confined", &[("done", done)])
}

pub fn no_output() -> String {
    say("no-output", &[])
}

/// Adds the duration to a summary that does not contain it.
pub fn summary_with(summary: &Summary, took_ms: u64) -> Cow<'_, str> {
    let words = self::summary(summary);
    if summary.says_duration() {
        return words;
    }
    say("summary-took", &[("summary", &words), ("took", &duration(took_ms))]).into()
}

pub(super) fn number(id: &str, number: u64) -> String {
    let all = usize::try_from(number).unwrap_or(usize::MAX);
    count(id, all, &[("number", &grouped(number))])
}

fn counts(what: &str, added: u32, removed: u32) -> String {
    let (added, removed) = (added.to_string(), removed.to_string());
    say(
        "summary-changed",
        &[("what", what), ("added", &added), ("removed", &removed)],
    )
}

fn done(change: Change) -> &'static str {
    word(match change {
        Change::Created => Word::FileCreated,
        Change::Updated => Word::FileUpdated,
        Change::Deleted => Word::FileDeleted,
        Change::Renamed => Word::FileRenamed,
        Change::Copied => Word::FileCopied,
    })
}
