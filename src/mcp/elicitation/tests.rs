use super::*;
use benchdog_domain::server::ServerName;

fn recipient(seat: u32) -> (Option<FormRecipient>, mpsc::Receiver<FormEvent>) {
    let (events, asked) = mpsc::channel(4);
    let (seat, call) = (SeatId(seat), CallId(format!("call-{seat}")));
    (Some(FormRecipient { seat, call, events }), asked)
}

fn form() -> Form {
    Form {
        server: ServerName("dogs".to_owned()),
        message: "Which dog?".to_owned(),
        fields: Vec::new(),
    }
}

fn is_asked(asked: &mut mpsc::Receiver<FormEvent>) -> bool {
    let form = matches!(asked.try_recv(), Ok(FormEvent::Form { .. }));
    // Nobody waits for the answer in these tests, so the form is withdrawn immediately.
    form && matches!(asked.try_recv(), Ok(FormEvent::Withdrawn { .. }))
}

/// Waits only briefly, because nobody answers in these tests.
async fn soon(asked: impl Future<Output = Option<Reply>>) -> Option<Reply> {
    let wait = std::time::Duration::from_secs(5);
    tokio::time::timeout(wait, asked).await.expect("it reached somebody")
}

/// Sends a form and drops its answer. These tests only check the recipient.
async fn events(recipients: &FormRouter, of: Option<i64>) {
    let of = of.map(RequestId::Number);
    let wait = std::time::Duration::from_millis(5);
    let _ = tokio::time::timeout(wait, recipients.ask(form(), of.as_ref())).await;
}

#[tokio::test]
async fn a_form_goes_to_the_session_whose_call_it_is_and_to_no_other() {
    let recipients = FormRouter::default();
    let ((one, mut first), (two, mut second)) = (recipient(1), recipient(2));
    let (call, later) = (recipients.add(one), recipients.add(two));
    call.set_request(&RequestId::Number(7));
    later.set_request(&RequestId::Number(8));
    events(&recipients, Some(7)).await;
    assert!(is_asked(&mut first) && second.try_recv().is_err());
    drop(later);
    events(&recipients, None).await;
    assert!(is_asked(&mut first), "no other call runs");
    let child = recipients.add(None);
    events(&recipients, None).await;
    assert!(
        matches!(first.try_recv(), Ok(FormEvent::Unclear)),
        "it may be of the call of nobody"
    );
    drop((call, child));
    assert_eq!(soon(recipients.ask(form(), None)).await, None);
}

#[tokio::test]
async fn where_nobody_can_tell_whose_it_is_each_session_hears_that_it_reached_nobody() {
    let recipients = FormRouter::default();
    let ((one, mut first), (same, mut beside), (two, mut second)) = (recipient(1), recipient(1), recipient(2));
    let _calls = (recipients.add(one), recipients.add(same));
    events(&recipients, None).await;
    assert!(
        is_asked(&mut beside) && first.try_recv().is_err(),
        "both calls are of one session"
    );
    let _other = recipients.add(two);
    assert_eq!(soon(recipients.ask(form(), None)).await, None);
    assert!(matches!(first.try_recv(), Ok(FormEvent::Unclear)));
    assert!(beside.try_recv().is_err(), "it is said once");
    assert!(matches!(second.try_recv(), Ok(FormEvent::Unclear)));
}

#[tokio::test]
async fn a_form_that_may_be_of_several_calls_is_of_all_of_them_and_withdrawn_by_whichever_is_left() {
    let recipients = FormRouter::default();
    let ((one, mut first), (two, mut second)) = (recipient(1), recipient(1));
    let (_older, newest) = (recipients.add(one), recipients.add(two));
    let mut events = Box::pin(recipients.ask(form(), None));
    let wait = std::time::Duration::from_millis(5);
    assert!(tokio::time::timeout(wait, &mut events).await.is_err());
    let Ok(FormEvent::Form { number, of, reply, .. }) = second.try_recv() else {
        panic!("the newest is asked")
    };
    assert_eq!(of.len(), 2);
    drop((newest, second));
    drop(events);
    let send_first = first.try_recv();
    assert!(matches!(send_first, Ok(FormEvent::Withdrawn { number: gone }) if gone == number));
    assert!(reply.is_closed());
}

#[tokio::test]
async fn who_is_not_asked_hears_why() {
    let recipients = FormRouter::default();
    let ((one, mut first), (two, mut second)) = (recipient(1), recipient(2));
    let (call, _later) = (recipients.add(one), recipients.add(two));
    call.set_request(&RequestId::Number(7));
    recipients.refuse(&WhyNoForm::Odd, Some(&RequestId::Number(7)));
    assert!(matches!(first.try_recv(), Ok(FormEvent::Refused(WhyNoForm::Odd))));
    assert!(second.try_recv().is_err(), "it is not theirs");
    recipients.refuse(&WhyNoForm::Address, None);
    for asked in [&mut first, &mut second] {
        assert!(matches!(asked.try_recv(), Ok(FormEvent::Refused(WhyNoForm::Address))));
    }
}
