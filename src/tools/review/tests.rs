use tokio::sync::mpsc;

use super::*;
use crate::Registry;
use crate::bench::{Bench, run};
use crate::task::{Delegation, Returned};
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_domain::finding::{Finding, Severity};
use benchdog_domain::permission::{Decision, Kept};
use benchdog_domain::tool::CallStatus;

async fn reviewed(how: ChildEnd) -> Outcome {
    let mut bench = Bench::new();
    let (door, mut out) = mpsc::channel::<Delegation>(1);
    bench.cx.children = Some(Delegates {
        seat: SeatId(1),
        agents: Vec::new().into(),
        door,
    });
    let review = ToReview {
        prompt: "Review it.".to_owned(),
        files: Reviewed::default(),
    };
    let (id, line) = (CallId("call_1".to_owned()), "review main..".to_owned());
    let prepared = Registry::builtin()
        .review(id, line, review, &bench.cx)
        .expect("prepared");
    assert_eq!(prepared.title, "review main..");
    let engine = async {
        let asked = out.recv().await.expect("a piece of work");
        assert_eq!((asked.agent.0.as_str(), asked.prompt.as_str()), (REVIEW, "Review it."));
        assert_eq!(asked.files, Some(Reviewed::default()));
        let returned = Returned {
            how,
            text: "One thing.\n".to_owned(),
            why: None,
            steps: 2,
            session: Some(SessionId("0123456789abcdef".to_owned())),
            changes: Vec::new(),
            findings: vec![Finding {
                path: "a.rs".to_owned(),
                line: 1,
                severity: Severity::Error,
                title: "wrong".to_owned(),
                detail: String::new(),
            }],
        };
        asked.reply.send(returned).expect("somebody waits");
    };
    let once = Decision::Once { kept: Kept::All };
    let (output, _said) = mpsc::channel(1);
    let (outcome, ()) = tokio::join!(run(prepared, &once, &bench.cx, output), engine);
    outcome
}

#[tokio::test]
async fn the_result_is_what_was_found_and_what_was_said_of_the_whole() {
    let outcome = reviewed(ChildEnd::Done).await;
    assert_eq!(
        (outcome.status, outcome.output.as_str()),
        (CallStatus::Ok, "One thing.")
    );
    assert_eq!(outcome.summary, Summary::Findings { findings: 1 });
    assert_eq!(outcome.findings.map(|found| found.len()), Some(1));
}

#[tokio::test]
async fn one_that_does_not_end_well_is_no_review_and_keeps_what_it_had_found() {
    let outcome = reviewed(ChildEnd::StepsOver).await;
    assert_eq!(outcome.status, CallStatus::Error);
    assert!(outcome.output.contains("before it finished"), "{outcome:?}");
    assert_eq!(outcome.findings.map(|found| found.len()), Some(1));
    assert_eq!(reviewed(ChildEnd::Stopped).await.status, CallStatus::Cancelled);
}

#[test]
fn nobody_who_works_for_others_has_anything_reviewed() {
    let bench = Bench::new();
    let review = ToReview {
        prompt: String::new(),
        files: Reviewed::default(),
    };
    let made = Registry::builtin().review(CallId("c".to_owned()), "review".to_owned(), review, &bench.cx);
    let refused = made.map(|prepared| prepared.title).expect_err("there is nobody");
    assert_eq!(refused.outcome.code.as_deref(), Some("no_children"));
}
