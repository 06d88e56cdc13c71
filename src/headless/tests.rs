use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use tokio::sync::mpsc;

use super::{Ending, Ends, Options, Output, Stops};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, SeatId, TurnId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Usage;
use benchdog_domain::call::Origin;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::permission::{Action, Because, Decision, Layer, Verdict};
use benchdog_domain::review::Review;
use benchdog_protocol::{ApprovalRequest, Command, Event, Live, Order, Told};

const SEAT: SeatId = SeatId(7);

fn options(output: Output) -> Options {
    Options {
        pasted: Vec::new(),
        review: None,
        output,
        prompt: "hello".to_owned(),
        until: None,
        is_quiet: false,
        answers: super::Answers::Nobody,
    }
}

fn no_stops() -> Stops {
    futures::stream::pending().boxed()
}

fn told(event: impl Into<Event>) -> Told {
    Told {
        seat: SEAT,
        event: event.into(),
    }
}

fn fact(body: Body) -> Told {
    told(Event::Fact(Arc::new(Entry {
        id: EntryId(1),
        turn: TurnId(1),
        time: Time(0),
        body,
    })))
}

fn finished(outcome: TurnOutcome) -> Told {
    fact(Body::TurnEnded {
        outcome,
        steps: 1,
        usage: Usage::default(),
    })
}

fn asks() -> Told {
    told(Live::ApprovalRequested(Arc::new(ApprovalRequest {
        edition: 0,
        on_disk: benchdog_protocol::OnDisk::AsShown,
        child: None,
        call: CallId("c1".to_owned()),
        origin: Origin::Model,
        tool: "bash".to_owned(),
        title: "make".to_owned(),
        review: Review::Fields(Vec::new()),
        verdict: Verdict {
            action: Action::Ask,
            because: Because::Words("bash: ask".to_owned()),
            layer: Layer::Default,
            class: None,
            scopes: Vec::new(),
            only_once: None,
            network: false,
            needs_person: false,
            confinable: false,
        },
    })))
}

async fn next(sent: &mut mpsc::Receiver<Order>) -> Option<Command> {
    let order = sent.recv().await?;
    assert_eq!(order.seat, SEAT);
    Some(order.command)
}

async fn run(
    options: Options,
    orders: mpsc::Sender<Order>,
    told: mpsc::Receiver<Told>,
    stops: Stops,
    out: impl Write + Send + 'static,
    err: impl Write + Send + 'static,
) -> Ending {
    let ends = Ends {
        seat: SEAT,
        orders,
        told,
    };
    let run = super::run(options, ends, stops, out, err);
    tokio::time::timeout(Duration::from_secs(5), run)
        .await
        .expect("the run ends")
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Closed(io::ErrorKind);

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn it_sends_the_prompt_and_leaves_with_the_outcome() {
    let (orders, mut sent) = mpsc::channel(4);
    let (engine, heard) = mpsc::channel(16);
    engine
        .send(fact(Body::Assistant {
            text: "Hi".to_owned(),
            reasoning: String::new(),
            seals: Vec::new(),
            calls: Vec::new(),
            model: ModelRef::none(),
            usage: None,
            error: None,
        }))
        .await
        .unwrap();
    engine.send(finished(TurnOutcome::Limit)).await.unwrap();
    let (out, err) = (Written::default(), Written::default());
    let ending = run(
        options(Output::Text),
        orders,
        heard,
        no_stops(),
        out.clone(),
        err.clone(),
    )
    .await;
    assert_eq!((out.text().as_str(), err.text().as_str()), ("Hi\n", ""));
    assert_eq!(ending.exit.code(), 4);
    assert!(matches!(next(&mut sent).await, Some(Command::Prompt { text, .. }) if text == "hello"));
}

#[tokio::test]
async fn an_approval_nobody_answers_is_denied() {
    let (orders, mut sent) = mpsc::channel(4);
    let (engine, heard) = mpsc::channel(16);
    engine.send(asks()).await.unwrap();
    let answering = tokio::spawn(async move {
        next(&mut sent).await;
        let answer = next(&mut sent).await;
        engine.send(finished(TurnOutcome::Denied)).await.unwrap();
        answer
    });
    let (out, err) = (Written::default(), Written::default());
    run(
        options(Output::Text),
        orders,
        heard,
        no_stops(),
        out.clone(),
        err.clone(),
    )
    .await;
    let answer = answering.await.unwrap();
    assert!(
        matches!(&answer, Some(Command::Decide { call, decision: Decision::Deny { .. }, .. }) if call.0 == "c1"),
        "{answer:?}"
    );
}

#[tokio::test]
async fn the_first_stop_interrupts_and_the_second_leaves_at_once() {
    let (orders, mut sent) = mpsc::channel(4);
    let (_engine, heard) = mpsc::channel(16);
    let stops = futures::stream::iter([(), ()])
        .chain(futures::stream::pending())
        .boxed();
    let (out, err) = (Written::default(), Written::default());
    let ending = run(options(Output::Text), orders, heard, stops, out, err).await;
    assert_eq!(ending.exit.code(), 130);
    next(&mut sent).await;
    assert_eq!(next(&mut sent).await, Some(Command::Interrupt));
}

#[tokio::test]
async fn a_command_that_did_not_fit_is_sent_when_there_is_room() {
    let (orders, mut sent) = mpsc::channel(1);
    let (engine, heard) = mpsc::channel(16);
    let stops = futures::stream::iter([()]).chain(futures::stream::pending()).boxed();
    let reading = tokio::spawn(async move {
        let first = next(&mut sent).await;
        let second = next(&mut sent).await;
        engine.send(finished(TurnOutcome::Interrupted)).await.unwrap();
        (first, second)
    });
    let (out, err) = (Written::default(), Written::default());
    run(options(Output::Text), orders, heard, stops, out, err).await;
    let (first, second) = reading.await.unwrap();
    assert!(matches!(first, Some(Command::Prompt { .. })));
    assert_eq!(second, Some(Command::Interrupt));
}

#[tokio::test]
async fn what_nobody_reads_ends_the_turn_and_what_cannot_be_written_is_told() {
    for (kind, said) in [
        (io::ErrorKind::BrokenPipe, ""),
        (io::ErrorKind::StorageFull, "standard output cannot be written"),
    ] {
        let (orders, mut sent) = mpsc::channel(4);
        let (engine, heard) = mpsc::channel(16);
        engine.send(told(Live::Text("Hi".to_owned()))).await.unwrap();
        let answering = tokio::spawn(async move {
            next(&mut sent).await;
            let interrupt = next(&mut sent).await;
            engine.send(finished(TurnOutcome::Interrupted)).await.unwrap();
            interrupt
        });
        let (out, err) = (Closed(kind), Written::default());
        let ending = run(options(Output::StreamJson), orders, heard, no_stops(), out, err.clone()).await;
        assert_eq!(answering.await.unwrap(), Some(Command::Interrupt));
        assert_eq!(ending.exit.code(), 1);
        let err = err.text();
        assert!(err.contains(said) && err.is_empty() == said.is_empty(), "{err}");
    }
}
