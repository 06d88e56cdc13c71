use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Jobs, MOST_RUNNING, News};
use crate::Stop;
use crate::bench::Bench;
use crate::outputs::MOST_OF_JOB;
use benchdog_base::id::CallId;
use benchdog_children::become_subreaper;
use benchdog_domain::job::{JobEnd, JobId};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, Outcome};
use benchdog_testing::{processes_with, until};

fn heard() -> (Bench, mpsc::Receiver<News>) {
    become_subreaper().unwrap();
    let mut bench = Bench::new();
    let (jobs, news) = Jobs::new(0);
    bench.cx.jobs = jobs;
    (bench, news)
}

async fn start(bench: &Bench, command: &str) -> Outcome {
    bench
        .call("bash", json!({"command": command, "background": true}))
        .await
}

async fn read(bench: &Bench, arguments: Value) -> Outcome {
    bench.call("bash_output", arguments).await
}

async fn kill(bench: &Bench, id: &str) -> Outcome {
    bench.call("bash_kill", json!({"id": id})).await
}

async fn end(news: &mut mpsc::Receiver<News>) -> JobEnd {
    let ended = async {
        loop {
            if let Some(News::Ended(end)) = news.recv().await {
                return end;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), ended).await.unwrap()
}

#[tokio::test]
async fn a_server_is_started_read_and_ended() {
    let (bench, mut news) = heard();
    let begun = start(&bench, "echo ready; sleep 62.0101").await;
    assert_eq!(begun.status, CallStatus::Ok, "{}", begun.output);
    assert_eq!(begun.summary, Summary::Background { job: JobId(1) });
    assert!(
        begun.output.starts_with("ready\n[bg_1 runs in the background"),
        "{}",
        begun.output
    );

    let nothing = read(&bench, json!({"id": "bg_1"})).await;
    assert!(
        nothing.output.starts_with("(nothing new)\n[bg_1 runs since "),
        "{}",
        nothing.output
    );
    let again = read(&bench, json!({"id": "1", "offset": 0})).await;
    assert!(again.output.starts_with("ready\n[bg_1 runs"), "{}", again.output);

    let killed = kill(&bench, "bg_1").await;
    assert!(matches!(killed.summary, Summary::Stopped { .. }), "{killed:?}");
    assert!(killed.output.contains("[stopped after "), "{}", killed.output);
    assert_eq!(processes_with("62.0101"), [0_u32; 0]);
    let end = end(&mut news).await;
    assert_eq!(
        (end.name.job, end.untold),
        (JobId(1), None),
        "the result of the call tells it"
    );
    let ended = read(&bench, json!({"id": "bg_1"})).await;
    assert!(
        ended.output.contains("[bg_1 has ended; its output is in `"),
        "{}",
        ended.output
    );
}

#[tokio::test]
async fn what_fails_at_once_is_told_by_the_call_and_is_no_job() {
    let (bench, _news) = heard();
    let failed = start(&bench, "echo no such thing >&2; exit 3").await;
    assert_eq!(
        (failed.status, failed.code.as_deref()),
        (CallStatus::Error, Some("exit"))
    );
    assert!(
        failed.output.starts_with("no such thing\n[exit 3, 0."),
        "{}",
        failed.output
    );
    let unknown = read(&bench, json!({"id": "bg_1"})).await;
    assert_eq!(unknown.code.as_deref(), Some("unknown_job"));
    assert!(unknown.output.contains("This session has none"), "{}", unknown.output);
}

#[tokio::test]
async fn its_own_end_is_told_with_its_last_lines() {
    let (bench, mut news) = heard();
    start(&bench, "sleep 0.6; echo last words; exit 4").await;
    let end = end(&mut news).await;
    assert!(matches!(end.how, Summary::Exit { code: 4, .. }), "{end:?}");
    let told = end.untold.unwrap();
    assert!(told.starts_with("last words\n[exit 4, 0."), "{told}");
}

#[tokio::test]
async fn one_that_refuses_to_end_and_a_grandchild_that_detaches_are_ended() {
    let (bench, _news) = heard();
    let command = "trap '' TERM; (setsid sleep 62.0202 &); echo deaf; while :; do sleep 62.0202; done";
    start(&bench, command).await;
    let began = Instant::now();
    let killed = kill(&bench, "bg_1").await;
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(matches!(killed.summary, Summary::Stopped { .. }), "{killed:?}");
    assert_eq!(processes_with("62.0202"), [0_u32; 0]);
}

#[tokio::test]
async fn what_a_shell_leaves_behind_ends_with_its_job_and_the_way_is_told() {
    let (bench, _news) = heard();
    let over = start(&bench, "sleep 62.0303 & echo away").await;
    assert!(over.output.contains("were stopped: sleep 62.0303"), "{}", over.output);
    assert!(over.output.contains("let the command itself go on"), "{}", over.output);
    assert_eq!(processes_with("62.0303"), [0_u32; 0]);
}

#[tokio::test]
async fn there_are_never_more_than_sixteen_and_the_end_of_a_session_ends_all() {
    let (bench, _news) = heard();
    for _ in 0..MOST_RUNNING {
        let begun = start(&bench, "sleep 62.0404").await;
        assert!(matches!(begun.summary, Summary::Background { .. }), "{begun:?}");
    }
    let one_more = start(&bench, "sleep 62.0404").await;
    assert_eq!(one_more.code.as_deref(), Some("too_many_jobs"));
    assert!(
        one_more.output.contains("bg_16 (`sleep 62.0404`)"),
        "{}",
        one_more.output
    );
    kill(&bench, "bg_7").await;
    assert!(matches!(
        start(&bench, "sleep 62.0404").await.summary,
        Summary::Background { job: JobId(17) }
    ));
    let ended = bench.cx.jobs.end_all().await;
    assert_eq!(ended.len(), MOST_RUNNING);
    assert_eq!(processes_with("62.0404"), [0_u32; 0]);
    assert_eq!(
        start(&bench, "sleep 62.0404").await.code.as_deref(),
        Some("not_started")
    );
}

#[tokio::test]
async fn a_flood_keeps_its_beginning_and_its_newest_end_in_bounded_space() {
    let (bench, _news) = heard();
    // About 40 MB, five times the limit.
    let command =
        "echo first; yes 0123456789012345678901234567890123456789 | head -n 1000000; echo done; sleep 62.0505";
    start(&bench, command).await;
    let deadline = Instant::now() + Duration::from_secs(60);
    let last = loop {
        let last = read(&bench, json!({"id": "bg_1", "wait_ms": 1_000})).await;
        if last.output.contains("\ndone\n") || Instant::now() > deadline {
            break last;
        }
    };
    assert!(last.output.contains("\ndone\n"), "{}", last.output);
    assert!(last.output.len() <= 32_000, "{}", last.output.len());
    let begin = read(&bench, json!({"id": "bg_1", "offset": 0})).await;
    assert!(begin.output.starts_with("first\n0123"), "{}", begin.output);
    let gap = read(&bench, json!({"id": "bg_1", "offset": MOST_OF_JOB + (1 << 20)})).await;
    assert!(gap.output.contains("were not kept"), "{}", gap.output);
    kill(&bench, "bg_1").await;
    let file = bench.cx.jobs.find("bg_1").unwrap().how().unwrap().file.unwrap();
    let kept = std::fs::metadata(&file).unwrap().len();
    assert!(kept < MOST_OF_JOB + (1 << 20), "{kept}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("first\n") && text.ends_with("done\n") && text.contains("are left out here"));
}

#[tokio::test]
async fn what_it_writes_is_plain_text_without_secrets() {
    let (bench, _news) = heard();
    let key = ["sk", "ant", "api03", &"Zq8".repeat(30)].join("-");
    std::fs::write(
        bench.root().join("odd"),
        format!("\x1b[31mred\x1b[0m \x1b]0;title\x07{key}\nnext\n"),
    )
    .unwrap();
    let begun = start(&bench, "cat odd; sleep 62.0606").await;
    let again = read(&bench, json!({"id": "bg_1", "offset": 0})).await;
    for output in [&begun.output, &again.output] {
        assert!(output.starts_with("red "), "{output}");
        assert!(!output.contains(&key) && !output.contains('\x1b'), "{output}");
        assert!(output.contains("\nnext\n"), "{output}");
    }
    kill(&bench, "bg_1").await;
    let file = bench.cx.jobs.find("bg_1").unwrap().how().unwrap().file.unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(!text.contains(&key) && !text.contains('\x1b'), "{text}");
}

#[tokio::test]
async fn a_wait_ends_with_what_comes_and_with_a_stop() {
    let (mut bench, _news) = heard();
    start(&bench, "sleep 0.8; echo here; sleep 62.0707").await;
    let began = Instant::now();
    let came = read(&bench, json!({"id": "bg_1", "wait_ms": 20_000})).await;
    assert!(came.output.starts_with("here\n"), "{}", came.output);
    assert!(began.elapsed() < Duration::from_secs(10));

    let (stopper, stop) = Stop::pair();
    bench.cx.stop = stop;
    let began = Instant::now();
    let (stopped, ()) = tokio::join!(read(&bench, json!({"id": "bg_1", "wait_ms": 20_000})), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        stopper.stop();
    });
    assert_eq!(stopped.status, CallStatus::Cancelled);
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(bench.cx.jobs.find("bg_1").unwrap().is_running(), "it goes on");
    kill(&bench, "bg_1").await;
}

#[tokio::test]
async fn a_lifetime_ends_it() {
    let (bench, mut news) = heard();
    let arguments = json!({"command": "sleep 62.0808", "background": true, "timeout_ms": 700});
    bench.call("bash", arguments).await;
    let end = end(&mut news).await;
    assert!(matches!(end.how, Summary::TimedOut { .. }), "{end:?}");
    assert!(end.untold.unwrap().contains("its lifetime"));
}

#[tokio::test]
async fn they_are_listed_with_their_last_line_and_the_numbers_go_on() {
    become_subreaper().unwrap();
    let mut bench = Bench::new();
    let (jobs, _news) = Jobs::new(4);
    bench.cx.jobs = jobs;
    start(&bench, "echo one; echo two; sleep 62.0909").await;
    let all = bench.cx.jobs.all();
    let [job] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((job.id, job.last.as_str(), &job.ended), (JobId(5), "two", &None));
    assert_eq!(job.call, CallId("call".to_owned()));
    assert_eq!(bench.cx.jobs.newest(JobId(5), 1_000).as_deref(), Some("one\ntwo\n"));
    bench.cx.jobs.end(JobId(5));
    bench.cx.jobs.find("bg_5").unwrap().ended().await;
    assert_eq!(processes_with("62.0909"), [0_u32; 0]);
}

#[tokio::test]
async fn the_question_that_one_waits_with_is_its_last_line_and_no_whole_one() {
    become_subreaper().unwrap();
    let mut bench = Bench::new();
    let (jobs, _news) = Jobs::new(0);
    bench.cx.jobs = jobs;
    start(&bench, "echo one; printf 'Continue? '; sleep 62.0911").await;
    until("it is shown", || {
        bench.cx.jobs.all().iter().any(|job| job.last == "Continue? ")
    })
    .await;
    assert_eq!(
        bench.cx.jobs.newest(JobId(1), 1_000).as_deref(),
        Some("one\nContinue? ")
    );
    let handle = bench.cx.jobs.find("bg_1").unwrap();
    assert_eq!(handle.newest(1_000).text, "one\n", "the model reads whole lines");
    handle.stop();
    handle.ended().await;
}
