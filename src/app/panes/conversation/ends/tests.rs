use super::*;
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, TurnId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Usage;
use benchdog_domain::failure::Cut;

fn entry(id: u32, body: Body) -> Arc<Entry> {
    Arc::new(Entry {
        id: EntryId(u64::from(id)),
        turn: TurnId(1),
        time: Time(0),
        body,
    })
}

fn said(text: &str) -> Body {
    Body::User {
        text: text.to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    }
}

fn ended(outcome: TurnOutcome) -> Body {
    Body::TurnEnded {
        outcome,
        steps: 1,
        usage: Usage::default(),
    }
}

fn cut(text: &str) -> Body {
    Body::Assistant {
        text: text.to_owned(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls: Vec::new(),
        model: ModelRef::none(),
        usage: None,
        error: Some(Cut::Interrupted),
    }
}

fn rows(conversation: &mut Conversation) -> String {
    conversation.arrange(80, 40, Time(0));
    let rows = conversation.rows();
    rows.iter().map(|row| row.line.text() + "\n").collect()
}

#[test]
fn a_stop_is_said_once() {
    let mut conversation = Conversation::default();
    conversation.entry(&entry(1, said("talk")));
    conversation.entry(&entry(2, cut("half")));
    conversation.entry(&entry(3, ended(TurnOutcome::Interrupted)));
    let rows = rows(&mut conversation);
    assert_eq!(rows.matches("interrupted").count(), 1, "{rows}");
}

#[test]
fn a_stop_is_said_once_whatever_was_remarked_before_it_ended() {
    let mut conversation = Conversation::default();
    conversation.entry(&entry(1, said("talk")));
    conversation.entry(&entry(2, cut("half")));
    conversation.remark("one remark");
    conversation.remark("another one");
    conversation.entry(&entry(3, ended(TurnOutcome::Interrupted)));
    let rows = rows(&mut conversation);
    assert_eq!(rows.matches("interrupted").count(), 1, "{rows}");
}

#[test]
fn an_error_is_said_once_and_an_end_without_one_is_said() {
    let mut conversation = Conversation::default();
    conversation.entry(&entry(1, said("talk")));
    conversation.error("`http://a` did not answer.", "Start it.");
    conversation.entry(&entry(2, ended(TurnOutcome::Error)));
    let told = rows(&mut conversation);
    assert!(!told.contains("the turn ended with an error"), "{told}");
    conversation.entry(&entry(3, said("again")));
    conversation.entry(&entry(4, ended(TurnOutcome::Error)));
    let told = rows(&mut conversation);
    assert!(told.contains("the turn ended with an error"), "{told}");
}

#[test]
fn why_an_answer_was_cut_is_not_said_again_above_what_helps() {
    let mut conversation = Conversation::default();
    conversation.entry(&entry(1, said("talk")));
    conversation.entry(&entry(2, cut("half")));
    let why = lang::cut_short(&Cut::Interrupted);
    let why = why.rsplit(": ").next().unwrap();
    conversation.error(why, "Send `continue`.");
    let told = rows(&mut conversation);
    assert_eq!(told.matches(why).count(), 1, "{told}");
    assert!(told.contains("Send `continue`."), "{told}");
}
