//! Examples of notices about the context window.

use super::super::values::t;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::job::{JobId, JobName};
use benchdog_domain::notice::Notice;
use benchdog_domain::summary::Summary;

pub(in crate::tests) fn room_notices() -> Vec<Notice> {
    vec![
        Notice::ContextFilled {
            percent: 51,
            used: 5_100,
            room: 10_000,
        },
        Notice::NotSummarised(NoSummary::Failed {
            error: t("A"),
            server: None,
        }),
        Notice::NotSummarised(NoSummary::Empty),
        Notice::JobEnded {
            job: JobId(1),
            title: t("A"),
            how: Summary::Denied,
        },
        Notice::JobsEnded {
            jobs: vec![JobName {
                job: JobId(2),
                title: t("A"),
            }],
        },
        Notice::NotSummarised(NoSummary::TooLong),
        Notice::NotSummarised(NoSummary::Called),
        Notice::NotSummarised(NoSummary::Repeated),
        Notice::NotSummarised(NoSummary::Silent { seconds: 0 }),
        Notice::NotSummarised(NoSummary::Silent { seconds: 60 }),
        Notice::NotSummarised(NoSummary::Unfinished { seconds: 180 }),
        Notice::NotSummarised(NoSummary::Skipped),
        Notice::NotSummarised(NoSummary::NoGain),
        Notice::Summarising,
        Notice::SummarisedInPart { read: 10, whole: 30 },
        Notice::SummaryStopped,
        Notice::PinnedWhole,
        Notice::NothingSaved { tokens: 12, line: 20 },
        Notice::NothingToCompact,
        Notice::NothingToUndo,
        Notice::PreviewStale,
        Notice::PinsFull {
            item: 30,
            taken: 5,
            most: 20,
        },
    ]
}
