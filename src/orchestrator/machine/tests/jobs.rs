//! Tests background jobs. The end of a job is logged and reported once, even if the session was resumed in between.

use std::sync::Arc;

use super::bench::{Bench, call, model, rules};
use crate::input::Happened;
use crate::machine::{Machine, last_job};
use benchdog_base::clock::Time;
use benchdog_domain::compaction::{Compaction, Replaced};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::job::{JobEnd, JobId, JobName};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Action;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome};

fn ended(job: u32, untold: Option<&str>) -> Happened {
    Happened::JobEnded(JobEnd {
        name: name(job),
        how: Summary::Exit { code: 1, took_ms: 9 },
        untold: untold.map(str::to_owned),
    })
}

fn name(job: u32) -> JobName {
    JobName {
        job: JobId(job),
        title: "serve".to_owned(),
    }
}

fn lost_one() -> JobName {
    JobName {
        title: "c3".to_owned(),
        ..name(3)
    }
}

fn begun(jobs: u32) -> Bench {
    let mut bench = Bench::new();
    bench.prompt("start them");
    for job in 1..=jobs {
        let id = format!("c{job}");
        bench.reply("", vec![call(&id, "bash")]);
        bench.prepared(&id, EffectClass::Executes, Action::Allow);
        let background = Summary::Background { job: JobId(job) };
        bench.finished(&id, Outcome::ok(background, "runs"));
    }
    bench.reply("They run.", vec![]);
    bench
}

fn told(log: &[Arc<Entry>], what: &str) -> usize {
    let notes = log.iter().flat_map(|entry| entry.body.notes());
    notes.filter(|note| note.text.contains(what)).count()
}

#[test]
fn an_end_is_told_with_the_next_prompt_or_the_next_result_and_once() {
    let mut bench = begun(2);
    bench.feed(ended(1, Some("last words")));
    assert!(bench.has_notice("job_ended"));
    assert_eq!(told(&bench.log, "last words"), 0);
    bench.prompt("and now?");
    assert_eq!(told(&bench.log, "bg_1 (`serve`) has ended:\nlast words"), 1);
    bench.reply("", vec![call("r", "read")]);
    bench.prepared("r", EffectClass::Reads, Action::Allow);
    bench.feed(ended(2, Some("more words")));
    bench.finished("r", Outcome::ok(Summary::Empty, "text"));
    assert_eq!(told(&bench.log, "more words"), 1);
    bench.reply("ok", vec![]);
    bench.prompt("and then?");
    assert_eq!((told(&bench.log, "last words"), told(&bench.log, "more words")), (1, 1));
}

#[test]
fn what_runs_is_told_again_where_earlier_turns_are_summarised() {
    let mut bench = begun(2);
    bench.feed(ended(1, None));
    // The third job ends before the call that started it.
    bench.prompt("one more");
    bench.reply("", vec![call("c3", "bash")]);
    bench.prepared("c3", EffectClass::Executes, Action::Allow);
    bench.feed(ended(3, None));
    bench.finished("c3", Outcome::ok(Summary::Background { job: JobId(3) }, "runs"));
    bench.reply("It ran.", vec![]);
    let replaced = Replaced {
        summary: Some("earlier".to_owned()),
        ..Replaced::default()
    };
    let compaction = Compaction {
        replaced: Some(replaced),
        ..Compaction::default()
    };
    bench.feed(Happened::Compacted {
        compaction: Box::new(compaction),
    });
    let carried = bench.log.iter().find_map(|entry| match &entry.body {
        Body::Compaction(compaction) => compaction.replaced.clone(),
        _ => None,
    });
    let notes = format!("{:?}", carried.map(|replaced| replaced.notes));
    assert!(
        notes.contains("bg_2 (`c2`)") && !notes.contains("bg_1") && !notes.contains("bg_3"),
        "{notes}"
    );
}

#[test]
fn what_a_call_has_told_is_only_logged() {
    let mut bench = begun(1);
    bench.feed(ended(1, None));
    assert!(bench.has_notice("job_ended"));
    bench.prompt("and now?");
    assert_eq!(told(&bench.log, "has ended"), 0);
}

#[test]
fn a_session_that_is_taken_up_knows_that_none_goes_on() {
    let mut bench = begun(3);
    bench.feed(ended(1, Some("told")));
    bench.prompt("and now?");
    bench.reply("ok", vec![]);
    // One job ended without a report to the model, and one was lost when the process ended.
    bench.feed(ended(2, Some("unheard")));
    let history = History::of(bench.log.clone());
    assert_eq!(last_job(&history), 3);
    let (mut machine, repairs) = Machine::resumed(rules(), model(), &history, &[], Time(1));
    let lost = repairs.iter().any(|effect| {
        matches!(effect, crate::effect::Effect::Persist(entry)
            if entry.body == Body::Notice(Notice::JobsEnded { jobs: vec![lost_one()] }))
    });
    assert!(lost, "{repairs:?}");
    let weighed = machine.handle(crate::input::Input {
        at: Time(2),
        happened: Happened::Prompt {
            text: "go".to_owned(),
            along: Default::default(),
            delivery: benchdog_protocol::Delivery::Queue,
        },
    });
    let notes = format!("{weighed:?}");
    assert!(
        notes.contains("bg_2") && notes.contains("bg_3") && !notes.contains("bg_1"),
        "{notes}"
    );
}
