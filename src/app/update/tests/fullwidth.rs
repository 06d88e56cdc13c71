//! Tests full-width characters of an input method: they act as keys where keys are expected, and else are typed.

use super::approval::decided;
use super::*;

#[test]
fn texts_keep_every_width_and_lists_take_the_key() {
    let mut bench = Bench::new(160, 40);
    bench.types("ｙ　ａ１");
    assert_eq!(bench.prompt(), "ｙ　ａ１");
    bench.keys("ctrl-p");
    bench.types("ｊ");
    assert!(
        matches!(&bench.state.screen.dialog, Some(crate::dialogs::Dialog::Palette(palette)) if palette.filter == "ｊ")
    );
    bench.keys("esc");
    bench.asks(question("ask"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("down down");
    bench.types("１ｙ");
    bench.wait(600);
    bench.keys("enter");
    assert_eq!(decided(&bench), [("ask", &Decision::answered(vec!["１ｙ".to_owned()]))]);
    let folder = |path: &str| benchdog_protocol::FolderItem {
        path: path.to_owned(),
        folder: false,
        ignored: false,
        git: None,
    };
    bench.event(Answer::Folder {
        path: ".".to_owned(),
        items: vec![folder("a"), folder("b")],
    });
    bench.keys("alt-1");
    bench.types("ｊ");
    assert_eq!(bench.state.screen.files.cursor.at, 1);
    assert_eq!(bench.prompt(), "ｙ　ａ１");
}

#[test]
fn a_digit_chooses_the_answer_of_its_number_and_sends_nothing() {
    for (digits, answer) in [("2", "blue"), ("２", "blue"), ("21", "red")] {
        let mut bench = Bench::new(120, 40);
        bench.asks(question("ask"));
        bench.keys("alt-a");
        bench.wait(600);
        bench.types(digits);
        bench.wait(600);
        assert!(decided(&bench).is_empty(), "Enter answers");
        bench.keys("enter");
        assert_eq!(decided(&bench), [("ask", &Decision::answered(vec![answer.to_owned()]))]);
    }
}

#[test]
fn a_number_without_an_answer_says_so_and_on_the_page_of_answers_it_leads_to_that_question() {
    let mut bench = Bench::new(120, 40);
    bench.asks(questions("ask"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.types("9");
    assert!(bench.state.screen.toast.take().is_some());
    assert_eq!(bench.prompt(), "");
    bench.keys("tab tab");
    bench.wait(600);
    let at = |bench: &Bench| match bench.state.screen.approvals.front().map(|waiting| &waiting.view) {
        Some(crate::dialogs::approval::RequestView::Question(view)) => view.at,
        _ => panic!("no question"),
    };
    assert_eq!(at(&bench), 2);
    bench.types("2");
    assert_eq!(at(&bench), 1);
}
