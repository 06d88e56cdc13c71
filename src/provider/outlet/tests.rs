use tokio::sync::mpsc;

use super::Outlet;
use crate::Progress;
use crate::retry::Output;
use benchdog_domain::message::{Delta, Stage};

fn text(text: &str) -> Delta {
    Delta::Text(text.to_owned())
}

#[tokio::test]
async fn what_does_not_fit_is_merged_and_not_lost() {
    let (sender, mut receiver) = mpsc::channel(1);
    let mut outlet = Outlet::new(sender, Stage::Asked);
    assert_eq!(outlet.output(), Output::Nothing);
    for piece in ["a", "b", "c"] {
        outlet.offer(vec![text(piece)]);
    }
    outlet.offer(vec![Delta::Reasoning("r".to_owned()), text("d")]);
    assert_eq!(outlet.output(), Output::Text);
    let reader = async {
        let mut got = Vec::new();
        while let Some(progress) = receiver.recv().await {
            got.push(progress);
        }
        got
    };
    let writer = async move { outlet.flush().await };
    let (got, ()) = tokio::join!(reader, writer);
    let wanted = [text("a"), text("bc"), Delta::Reasoning("r".to_owned()), text("d")];
    assert_eq!(got, wanted.map(Progress::Delta));
}

#[tokio::test]
async fn room_is_used_while_something_else_is_awaited() {
    let (sender, mut receiver) = mpsc::channel(1);
    let mut outlet = Outlet::new(sender, Stage::Asked);
    outlet.offer(vec![text("a")]);
    outlet.offer(vec![text("b")]);
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let reader = async {
        assert_eq!(receiver.recv().await, Some(Progress::Delta(text("a"))));
        assert_eq!(receiver.recv().await, Some(Progress::Delta(text("b"))));
        stop.send(7).unwrap();
    };
    let (awaited, ()) = tokio::join!(outlet.forward_while(stopped), reader);
    assert_eq!(awaited, Ok(7));
}

#[tokio::test]
async fn a_watcher_that_left_holds_nothing_up() {
    let (sender, receiver) = mpsc::channel(1);
    let mut outlet = Outlet::new(sender, Stage::Asked);
    outlet.offer(vec![text("a"), Delta::Reasoning("r".to_owned())]);
    drop(receiver);
    assert_eq!(outlet.forward_while(async { 1 }).await, 1);
    outlet.offer(vec![text("b")]);
    outlet.flush().await;
}
