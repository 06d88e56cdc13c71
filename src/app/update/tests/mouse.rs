//! Tests the focus: a selection with the mouse keeps it, and a click moves it. Typed text never decides.

use super::approval::decided;
use super::*;
use crate::layout::Pane;
use crate::msg::MouseKind;

impl Bench {
    fn mouse_at(&mut self, kind: MouseKind, (x, y): (u16, u16)) {
        let at = self.now;
        self.send(Msg::Mouse { kind, x, y, at });
    }

    fn drags(&mut self, (x, y): (u16, u16)) {
        self.mouse_at(MouseKind::Press, (x, y));
        self.mouse_at(MouseKind::Drag, (x + 6, y + 1));
        self.mouse_at(MouseKind::Release, (x + 6, y + 1));
    }

    fn clicks(&mut self, at: (u16, u16)) {
        self.mouse_at(MouseKind::Press, at);
        self.mouse_at(MouseKind::Release, at);
    }

    fn in_request(&self) -> (u16, u16) {
        let body = self.state.layout.approval_body.expect("a request");
        (body.x + 8, body.y + 3)
    }
}

fn drafting(request: ApprovalRequest) -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.asks(request);
    bench.types("draft ");
    bench.wait(1_000);
    bench
}

fn types_at(bench: &mut Bench, text: &str, pace: i64) {
    for c in text.chars() {
        bench.types(&c.to_string());
        bench.wait(pace - 20);
    }
    bench.wait(2_000);
}

#[test]
fn marking_in_a_request_leaves_the_keyboard_in_the_prompt() {
    for (request, text) in [(edit("c"), "yes do"), (edit("c"), " and on"), (dangerous("c"), "no do")] {
        for pace in [30, 300, 800] {
            let mut bench = drafting(request.clone());
            let at = bench.in_request();
            bench.drags(at);
            assert!(!bench.state.screen.approvals.has_focus());
            bench.wait(1_500);
            types_at(&mut bench, text, pace);
            assert!(decided(&bench).is_empty(), "{text} {pace}");
            assert_eq!(bench.prompt(), format!("draft {text}"), "{pace}");
            let diff = bench.state.screen.approvals.front().unwrap().diff();
            assert!(diff.is_none_or(|diff| diff.files[0].part().is_none()), "{text} {pace}");
        }
    }
}

#[test]
fn a_drag_that_comes_back_and_a_button_that_is_let_go_elsewhere_are_no_clicks() {
    let mut bench = drafting(edit("c"));
    let at = bench.in_request();
    bench.mouse_at(MouseKind::Press, at);
    bench.mouse_at(MouseKind::Drag, (at.0 + 3, at.1));
    bench.mouse_at(MouseKind::Drag, at);
    bench.mouse_at(MouseKind::Release, at);
    assert!(!bench.state.screen.approvals.has_focus());
    bench.mouse_at(MouseKind::Press, at);
    bench.mouse_at(MouseKind::Release, (at.0, at.1 + 1));
    bench.mouse_at(MouseKind::Release, at);
    assert!(!bench.state.screen.approvals.has_focus());
    bench.clicks(at);
    assert!(bench.state.screen.approvals.has_focus());
}

#[test]
fn marking_in_the_conversation_takes_no_first_letter_and_a_click_moves_there() {
    let mut bench = drafting(edit("c"));
    bench.entry(super::transcript::user("some words of a prompt"));
    let pane = bench.state.layout.conversation.expect("a conversation");
    bench.drags((pane.x + 4, pane.y));
    assert_eq!(bench.state.screen.focus, Pane::Prompt);
    bench.wait(1_500);
    types_at(&mut bench, "yes do", 100);
    assert_eq!(bench.prompt(), "draft yes do");
    assert!(decided(&bench).is_empty());
    bench.clicks((pane.x + 4, pane.y));
    assert_eq!(bench.state.screen.focus, Pane::Conversation);
}
