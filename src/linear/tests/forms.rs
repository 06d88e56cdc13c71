//! Tests of a server's form, line by line.

use super::scene::scene;
use crate::From;
use benchdog_domain::elicited::{Field, FieldKind, Form, Offer};
use benchdog_domain::permission::Decision;
use benchdog_domain::review::{Question, Review};
use benchdog_domain::server::{Need, ServerName};

fn form() -> Review {
    let field = |name: &str, need, kind| Field {
        name: name.to_owned(),
        title: String::new(),
        about: String::new(),
        need,
        kind,
    };
    let text = |default: Option<&str>| FieldKind::Text {
        least: 2,
        most: 9,
        format: None,
        pattern: None,
        default: default.map(str::to_owned),
    };
    let offer = |shown: &str| Offer {
        value: shown.to_lowercase(),
        shown: shown.to_owned(),
    };
    let of = vec![offer("Small"), offer("Large")];
    Review::Question(Question::Server(Form {
        server: ServerName("dogs".to_owned()),
        message: "Which dog?".to_owned(),
        fields: vec![
            field("name", Need::Required, text(None)),
            field("nick", Need::Optional, text(Some("Rexy"))),
            field("size", Need::Optional, FieldKind::One { of, default: None }),
            field("good", Need::Required, FieldKind::Flag { default: None }),
        ],
    }))
}

fn told(fields: [&str; 4]) -> Decision {
    let further = fields.map(|one| match one {
        "" => Vec::new(),
        one => vec![one.to_owned()],
    });
    Decision::Answer {
        answers: vec!["accept".to_owned()],
        further: further.to_vec(),
    }
}

#[test]
fn a_form_is_filled_in_line_by_line_and_an_empty_line_is_what_it_says() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", form());
    scene.settles();
    for line in ["yes", "", "R", "Rex", "", "", "no"] {
        scene.line(line);
    }
    let Decision::Answer { answers, mut further } = told(["Rex", "Rexy", "", "false"]) else {
        panic!("it is an answer")
    };
    further[2] = vec![String::new()];
    assert_eq!(scene.decided(), [("c1", &Decision::Answer { answers, further })]);
    for said in [
        "This field is required.",
        "Not valid. Expected: 2 to 9 characters",
        "Press Enter to answer `Rexy`. Type `-` to skip it.",
        "1. skip this field",
        "Press Enter to skip it",
    ] {
        assert!(scene.printed.contains(said), "{said}: {}", scene.printed);
    }
    assert!(!scene.printed.contains("not recognised"), "{}", scene.printed);
}

#[test]
fn what_would_be_answered_by_itself_is_left_out_by_a_line_that_says_so() {
    let mut scene = scene(From::Terminal);
    scene.asks("c1", form());
    scene.settles();
    for line in ["1", "Rex", "-", "3", "", "2"] {
        scene.line(line);
    }
    assert!(
        scene.printed.contains("not recognised"),
        "an empty line chooses neither yes nor no"
    );
    assert_eq!(scene.decided(), [("c1", &told(["Rex", "", "Large", "true"]))]);
    let mut other = super::scene::scene(From::Terminal);
    other.asks("c1", form());
    other.settles();
    other.line("no");
    assert_eq!(
        other.decided(),
        [("c1", &Decision::answered(vec!["decline".to_owned()]))]
    );
}
