use serde_json::json;

use super::*;
use crate::bench::Bench;

fn returned(how: ChildEnd, text: &str) -> Returned {
    Returned {
        how,
        text: text.to_owned(),
        why: None,
        steps: 3,
        session: Some(SessionId("0123456789abcdef".to_owned())),
        changes: Vec::new(),
        findings: Vec::new(),
    }
}

fn delegating() -> (Bench, mpsc::Receiver<Delegation>) {
    let mut bench = Bench::new();
    let (door, out) = mpsc::channel(1);
    bench.cx.children = Some(Delegates {
        seat: SeatId(1),
        agents: ["explore", "general"].map(|name| AgentName(name.to_owned())).into(),
        door,
    });
    (bench, out)
}

#[tokio::test]
async fn the_answer_of_the_child_is_the_result_and_says_how_it_ended() {
    let (bench, mut out) = delegating();
    let engine = async {
        let asked = out.recv().await.unwrap();
        assert_eq!(
            (asked.agent.0.as_str(), asked.task.as_str()),
            ("explore", "find callers")
        );
        asked.reply.send(returned(ChildEnd::Done, "In a.rs.\n")).unwrap();
    };
    let arguments = json!({"prompt": "Where is it called?", "description": "find callers"});
    let (outcome, ()) = tokio::join!(bench.call("task", arguments), engine);
    assert_eq!(outcome.output, "In a.rs.\n\n[done: 3 steps, session 89abcdef]");
    assert_eq!(outcome.summary, Summary::Steps { steps: 3 });
}

#[tokio::test]
async fn a_long_answer_is_cut_and_the_whole_is_kept() {
    let bench = Bench::new();
    let long = "ä".repeat(ANSWER + 5);
    let outcome = reported(returned(ChildEnd::Done, &long), &bench.cx);
    assert!(outcome.truncated && outcome.output.contains("[… 5 more characters; the whole is in "));
    assert_eq!(outcome.output.matches('ä').count(), ANSWER);
    let path = outcome
        .output
        .split("is in ")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), long);
}

#[tokio::test]
async fn an_end_that_is_not_its_own_is_an_error_with_what_it_said() {
    let bench = Bench::new();
    let over = reported(returned(ChildEnd::StepsOver, "So far: a.rs."), &bench.cx);
    assert_eq!(
        (over.status, over.code.as_deref()),
        (CallStatus::Error, Some("steps_over"))
    );
    assert!(
        over.output.starts_with("So far: a.rs.") && over.output.contains("before it finished"),
        "{over:?}"
    );
    let stopped = reported(returned(ChildEnd::Stopped, ""), &bench.cx);
    assert_eq!(stopped.status, CallStatus::Cancelled);
    assert!(stopped.output.contains("The user stopped it"), "{stopped:?}");
}

#[tokio::test]
async fn an_unknown_agent_is_refused_with_those_there_are() {
    let (bench, _out) = delegating();
    let refused = bench
        .prepare("task", json!({"prompt": "go", "agent": "explorer"}))
        .await
        .err()
        .unwrap();
    assert!(refused.outcome.output.contains("did you mean `explore`"), "{refused:?}");
    let nobody = Bench::new();
    let refused = nobody.prepare("task", json!({"prompt": "go"})).await.err().unwrap();
    assert_eq!(refused.outcome.code.as_deref(), Some("no_children"));
}
