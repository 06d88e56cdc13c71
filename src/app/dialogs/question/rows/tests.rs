use super::*;
use benchdog_domain::review::{Asked, Question};

#[test]
fn the_option_under_the_cursor_is_in_view_however_low_the_dialog_is() {
    let mut first = Asked::of(
        "Which database should the shop use for its carts?",
        &["one", "an option that needs two rows of the dialog", "three"],
    );
    first.options[1].description = "and what it means".to_owned();
    let mut view = QuestionView::new(&Question::Model {
        asked: vec![first],
        note: Some("a note that takes a row or two".to_owned()),
    });
    for width in [10, 20, 34, 80] {
        let rows = rows(&view, width);
        for selected in 0..=3 {
            view.pages[0].selected = selected;
            let first = top(&rows, &view, 5);
            let shown = rows.iter().skip(first).take(5);
            let seen = shown.filter(|row| match row {
                QuestionRow::Option { place, .. } => *place == selected,
                QuestionRow::Own => selected == 3,
                _ => false,
            });
            assert!(seen.count() > 0, "{width} columns, option {selected}");
        }
    }
}

#[test]
fn all_answers_are_seen_with_the_names_of_their_questions() {
    let mut view = QuestionView::new(&Question::Model {
        asked: vec![Asked::of("Colour", &["red", "blue"]), Asked::of("Size", &["small"])],
        note: None,
    });
    view.done();
    view.turn(1);
    let rows = rows(&view, 40);
    let answered = |place, name: &str, answer: &str| QuestionRow::Answered {
        place,
        name: name.to_owned(),
        answer: answer.to_owned(),
    };
    assert_eq!(
        rows[..2],
        [
            answered(0, "Colour", "red"),
            answered(1, "Size", word(Word::SummaryNoAnswer)),
        ]
    );
}
