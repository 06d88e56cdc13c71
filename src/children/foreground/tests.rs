use super::*;
use crate::become_subreaper;
use benchdog_testing::{processes_with, until};

fn shell(script: &str, without: &[String]) -> Foreground {
    become_subreaper().unwrap();
    let words = ["/bin/sh", "-c", script].map(OsString::from);
    Foreground::start(&words, without).unwrap()
}

#[tokio::test]
async fn how_it_ended_is_told_and_what_it_left_goes_on() {
    let mut program = shell("setsid sleep 61.0501 & exit 3", &[]);
    assert_eq!(program.ended().await.unwrap().code(), Some(3));
    drop(program);
    until("what it left runs", || !processes_with("sleep\x0061.0501").is_empty()).await;
    process_tree::signal_all(
        &processes_with("sleep\x0061.0501").into_iter().collect(),
        rustix::process::Signal::KILL,
    );
}

#[tokio::test]
async fn dropped_it_is_asked_first_and_has_time_to_save() {
    let folder = tempfile::tempdir().unwrap();
    let (ready, saved) = (folder.path().join("ready"), folder.path().join("saved"));
    let script = format!(
        "trap 'sleep 0.3; touch {}; exit' TERM; sleep 61.0502 & touch {}; wait",
        saved.display(),
        ready.display()
    );
    let program = shell(&script, &[]);
    until("it runs", || ready.exists()).await;
    drop(program);
    assert!(saved.exists());
    assert!(processes_with("61.0502").is_empty());
}

#[tokio::test]
async fn dropped_it_ends_with_its_descendants_also_when_it_does_not_want_to() {
    let folder = tempfile::tempdir().unwrap();
    let ready = folder.path().join("ready");
    let script = format!(
        "trap '' TERM; setsid sleep 61.0503 & sleep 61.0503 & touch {}; while :; do sleep 61.0503; done",
        ready.display()
    );
    let program = shell(&script, &[]);
    until("it runs", || {
        ready.exists() && processes_with("sleep\x0061.0503").len() > 1
    })
    .await;
    let started = Instant::now();
    drop(program);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    assert!(processes_with("61.0503").is_empty());
}

#[tokio::test]
async fn it_does_not_get_the_variables_it_must_not_have() {
    let mut program = shell("test -z \"$HOME\"", &["HOME".to_owned()]);
    assert!(program.ended().await.unwrap().success());
    let mut program = shell("test -n \"$HOME\"", &[]);
    assert!(program.ended().await.unwrap().success(), "the check can fail");
}

#[tokio::test]
async fn a_program_that_does_not_exist_is_an_error() {
    let missing = Foreground::start(&[OsString::from("no-such-program-here")], &[]);
    assert_eq!(missing.err().map(|error| error.kind()), Some(io::ErrorKind::NotFound));
    assert!(Foreground::start(&[], &[]).is_err());
}
