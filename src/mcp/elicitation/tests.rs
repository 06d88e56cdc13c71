use super::*;
use benchdog_domain::server::ServerName;

fn asker(seat: u32) -> (Option<Asker>, mpsc::Receiver<Asking>) {
    let (asks, asked) = mpsc::channel(4);
    let (seat, call) = (SeatId(seat), CallId(format!("call-{seat}")));
    (Some(Asker { seat, call, asks }), asked)
}

fn form() -> Form {
    Form {
        server: ServerName("dogs".to_owned()),
        message: "Which dog?".to_owned(),
        fields: Vec::new(),
    }
}

fn is_asked(asked: &mut mpsc::Receiver<Asking>) -> bool {
    let form = matches!(asked.try_recv(), Ok(Asking::Form { .. }));
    // The caller in these tests does not wait.
    form && matches!(asked.try_recv(), Ok(Asking::Withdrawn { .. }))
}

/// Limits the wait, because nobody answers in these tests.
async fn soon(asked: impl Future<Output = Option<Reply>>) -> Option<Reply> {
    let wait = std::time::Duration::from_secs(5);
    tokio::time::timeout(wait, asked).await.expect("it reached somebody")
}

/// Asks and drops the answer. Only the recipient matters.
async fn asks(askers: &Askers, of: Option<i64>) {
    let of = of.map(RequestId::Number);
    let wait = std::time::Duration::from_millis(5);
    let _ = tokio::time::timeout(wait, askers.ask(form(), of.as_ref())).await;
}

#[tokio::test]
async fn a_form_goes_to_the_session_whose_call_it_is_and_to_no_other() {
    let askers = Askers::default();
    let ((one, mut first), (two, mut second)) = (asker(1), asker(2));
    let (call, later) = (askers.add(one), askers.add(two));
    call.is_named(&RequestId::Number(7));
    later.is_named(&RequestId::Number(8));
    asks(&askers, Some(7)).await;
    assert!(is_asked(&mut first) && second.try_recv().is_err());
    drop(later);
    asks(&askers, None).await;
    assert!(is_asked(&mut first), "no other call runs");
    let child = askers.add(None);
    asks(&askers, None).await;
    assert!(
        matches!(first.try_recv(), Ok(Asking::Unclear)),
        "it may be of the call of nobody"
    );
    drop((call, child));
    assert_eq!(soon(askers.ask(form(), None)).await, None);
}

#[tokio::test]
async fn where_nobody_can_tell_whose_it_is_each_session_hears_that_it_reached_nobody() {
    let askers = Askers::default();
    let ((one, mut first), (same, mut beside), (two, mut second)) = (asker(1), asker(1), asker(2));
    let _calls = (askers.add(one), askers.add(same));
    asks(&askers, None).await;
    assert!(
        is_asked(&mut beside) && first.try_recv().is_err(),
        "both calls are of one session"
    );
    let _other = askers.add(two);
    assert_eq!(soon(askers.ask(form(), None)).await, None);
    assert!(matches!(first.try_recv(), Ok(Asking::Unclear)));
    assert!(beside.try_recv().is_err(), "it is said once");
    assert!(matches!(second.try_recv(), Ok(Asking::Unclear)));
}

#[tokio::test]
async fn a_form_that_may_be_of_several_calls_is_of_all_of_them_and_withdrawn_by_whichever_is_left() {
    let askers = Askers::default();
    let ((one, mut first), (two, mut second)) = (asker(1), asker(1));
    let (_older, newest) = (askers.add(one), askers.add(two));
    let mut asks = Box::pin(askers.ask(form(), None));
    let wait = std::time::Duration::from_millis(5);
    assert!(tokio::time::timeout(wait, &mut asks).await.is_err());
    let Ok(Asking::Form { number, of, reply, .. }) = second.try_recv() else {
        panic!("the newest is asked")
    };
    assert_eq!(of.len(), 2);
    drop((newest, second));
    drop(asks);
    let told = first.try_recv();
    assert!(matches!(told, Ok(Asking::Withdrawn { number: gone }) if gone == number));
    assert!(reply.is_closed());
}

#[tokio::test]
async fn who_is_not_asked_hears_why() {
    let askers = Askers::default();
    let ((one, mut first), (two, mut second)) = (asker(1), asker(2));
    let (call, _later) = (askers.add(one), askers.add(two));
    call.is_named(&RequestId::Number(7));
    askers.tell(&WhyNoForm::Odd, Some(&RequestId::Number(7)));
    assert!(matches!(first.try_recv(), Ok(Asking::Refused(WhyNoForm::Odd))));
    assert!(second.try_recv().is_err(), "it is not theirs");
    askers.tell(&WhyNoForm::Address, None);
    for asked in [&mut first, &mut second] {
        assert!(matches!(asked.try_recv(), Ok(Asking::Refused(WhyNoForm::Address))));
    }
}
