use std::time::Duration;

use super::*;

#[tokio::test]
async fn a_stop_is_heard_by_all_also_by_those_who_listen_later() {
    let (stopper, stop) = Stop::pair();
    let early = tokio::spawn({
        let stop = stop.clone();
        async move { stop.stopped().await }
    });
    stopper.stop();
    early.await.unwrap();
    drop(stopper);
    stop.stopped().await;
}

#[tokio::test]
async fn what_only_looks_is_let_go_of() {
    let (stopper, stop) = Stop::pair();
    assert_eq!(
        or_stopped(&stop, async { Outcome::ok(Summary::NoMatch, "x") })
            .await
            .summary,
        Summary::NoMatch
    );
    let looking = tokio::spawn(async move { or_stopped(&stop, pending()).await });
    stopper.stop();
    let outcome = looking.await.unwrap();
    assert_eq!(
        (outcome.status, outcome.summary),
        (CallStatus::Cancelled, Summary::Interrupted)
    );
}

#[tokio::test]
async fn a_stop_that_nobody_can_say_any_more_never_comes() {
    let (stopper, stop) = Stop::pair();
    drop(stopper);
    let heard = tokio::time::timeout(Duration::from_millis(20), stop.stopped()).await;
    assert!(heard.is_err());
}
