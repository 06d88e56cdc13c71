use super::{always, answered, decision};
use crate::input::{Bad, Message};
use benchdog_base::id::CallId;
use benchdog_domain::call::Origin;
use benchdog_domain::permission::{Action, Because, Decision, Kept, Lasts, Layer, Scope, Verdict};
use benchdog_domain::review::{Asked, Question, Review};
use benchdog_protocol::{ApprovalRequest, OnDisk};
use benchdog_transcript::script::DecisionName;

fn request(scopes: Vec<Scope>, confinable: bool) -> ApprovalRequest {
    ApprovalRequest {
        call: CallId("c".to_owned()),
        edition: 2,
        on_disk: OnDisk::AsShown,
        origin: Origin::Model,
        tool: "write".to_owned(),
        title: String::new(),
        review: Review::Files(Vec::new()),
        verdict: Verdict {
            action: Action::Ask,
            because: Because::NoRule,
            layer: Layer::Default,
            class: None,
            scopes,
            only_once: None,
            network: false,
            needs_person: false,
            confinable,
        },
        child: None,
    }
}

fn decide(name: DecisionName, number: Option<usize>) -> Message {
    Message::Decide {
        request: "c.2".to_owned(),
        decision: name,
        number,
        reason: None,
    }
}

#[test]
fn a_message_allows_only_what_the_request_offers() {
    let refused = Err(Bad::NotOffered("c.2".to_owned()));
    let bare = request(Vec::new(), false);
    for (name, number) in [
        (DecisionName::Confined, None),
        (DecisionName::Always, None),
        (DecisionName::Always, Some(0)),
        (DecisionName::Always, Some(1)),
        (DecisionName::Once, Some(1)),
        (DecisionName::Deny, Some(1)),
    ] {
        assert_eq!(decision(&bare, decide(name, number)), refused, "{name:?} {number:?}");
    }
    let once = Decision::Once { kept: Kept::All };
    assert_eq!(decision(&bare, decide(DecisionName::Once, None)), Ok(once));
    let confinable = request(Vec::new(), true);
    assert_eq!(
        decision(&confinable, decide(DecisionName::Confined, None)),
        Ok(Decision::Confined)
    );
    let answer = Message::Answer {
        request: "c.2".to_owned(),
        answers: vec![vec!["yes".to_owned()]],
    };
    assert_eq!(decision(&bare, answer), refused);
}

#[test]
fn always_is_chosen_by_the_number_of_the_proposal() {
    let scope = Scope {
        key: "edit".to_owned(),
        pattern: "src/**".to_owned(),
        options: None,
        and: Vec::new(),
    };
    let asked = request(vec![scope.clone()], false);
    assert_eq!(always(&asked).count(), 2);
    let chosen = decision(&asked, decide(DecisionName::Always, Some(2)));
    let expected = Decision::Always {
        scope,
        lasts: Lasts::Project,
        kept: Kept::All,
    };
    assert_eq!(chosen, Ok(expected));
    assert!(decision(&asked, decide(DecisionName::Always, Some(3))).is_err());
}

#[test]
fn every_question_needs_an_answer_that_fits() {
    let mut fixed = Asked::of("Which?", &["red", "green"]);
    fixed.own_words = false;
    let question = Question::Model {
        asked: vec![fixed, Asked::of("Name?", &[])],
        note: None,
    };
    let given = |answers: &[&[&str]]| {
        let texts = |texts: &&[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let answers: Vec<Vec<String>> = answers.iter().map(texts).collect();
        answered(&question, &answers)
    };
    assert!(given(&[&["green"], &["x"]]).is_some());
    let bad: [&[&[&str]]; 6] = [
        &[],
        &[&["green"]],
        &[&["blue"], &["x"]],
        &[&["red", "green"], &["x"]],
        &[&["green"], &[" "]],
        &[&["green"], &["x"], &["y"]],
    ];
    for bad in bad {
        assert_eq!(given(bad), None, "{bad:?}");
    }
}
