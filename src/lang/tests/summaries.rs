//! Examples of summaries beside calls.

use super::values::t;
use benchdog_domain::job::JobId;
use benchdog_domain::summary::{Change, Summary};

pub(super) fn summaries() -> Vec<Summary> {
    let found = [0, 1, 2, 1_234].into_iter().flat_map(|n| {
        [
            Summary::Lines { lines: n },
            Summary::SomeLines { shown: n, lines: n },
            Summary::Unseen { images: n },
            Summary::Entries { entries: n },
            Summary::SomePages { shown: n, pages: n },
            Summary::Findings { findings: n },
            Summary::Files { files: n },
            Summary::Matches { matches: n },
            Summary::MatchesIn { matches: n, files: n },
            Summary::FirstMatches { matches: n, files: n },
        ]
    });
    let changes = [
        Change::Created,
        Change::Updated,
        Change::Deleted,
        Change::Renamed,
        Change::Copied,
    ];
    let changed = changes.map(|change| Summary::Changed {
        kept: None,
        change,
        added: 1_200,
        removed: 0,
    });
    let took_ms = 1_949;
    let others = [
        Summary::Empty,
        Summary::NoMatch,
        Summary::ChangedFiles {
            files: 2,
            added: 10,
            removed: 4,
            of: None,
        },
        Summary::ChangedFiles {
            files: 2,
            added: 10,
            removed: 4,
            of: Some(3),
        },
        Summary::Unchanged,
        Summary::NothingKept,
        Summary::Todo { done: 1, total: 2 },
        Summary::NoAnswer,
        Summary::Answer { text: t("A") },
        Summary::Answers { answers: 2 },
        Summary::Proven { places: 2 },
        Summary::Exit { code: 101, took_ms },
        Summary::Signal { signal: 9, took_ms },
        Summary::TimedOut { took_ms },
        Summary::Background { job: JobId(1) },
        Summary::Runs { job: JobId(1) },
        Summary::Stopped { took_ms },
        Summary::EndUnknown { took_ms },
        Summary::Denied,
        Summary::NotRun,
        Summary::Interrupted,
        Summary::OutOfTime,
        Summary::NotSaved,
        Summary::ResultUnknown,
        Summary::Failed { code: t("not_found") },
        Summary::Words(t("A")),
    ];
    found.chain(changed).chain(others).collect()
}
