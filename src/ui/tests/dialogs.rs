//! Tests dialogs above a screen: the part that stays visible, and the position in long lists.

use ratatui::layout::Rect;

use super::*;
use benchdog_domain::agent::{ModelOffer, ModelRef};

#[test]
fn no_torn_words_are_left_beside_a_dialog_and_nothing_of_it_when_it_is_closed() {
    for (width, height) in [(80, 24), (160, 45)] {
        let mut rig = Rig::new(width, height);
        rig.work();
        let before = rig.buffer();
        rig.keys("f1");
        let over = rig.buffer();
        let (dialog, text) = (rig.layout().dialog.unwrap(), rig.layout().conversation.unwrap());
        let rows = dialog.intersection(Rect { x: 0, width, ..text });
        let sides = [text.x..dialog.x, dialog.right()..text.right()];
        let sides = sides.into_iter().filter(|side| (1..=8).contains(&side.len()));
        let sides: Vec<_> = sides.collect();
        assert!(width > 80 || !sides.is_empty(), "{dialog:?} {text:?}");
        for y in rows.top()..rows.bottom() {
            for x in sides.iter().flat_map(Clone::clone) {
                assert_eq!(over[(x, y)].symbol(), " ", "{x},{y} at {width}x{height}");
            }
        }
        rig.keys("esc");
        assert_eq!(rig.buffer(), before);
    }
}

#[test]
fn a_list_that_goes_on_below_its_box_has_a_bar() {
    let mut rig = Rig::new(80, 24);
    rig.keys("ctrl-p");
    let buffer = rig.buffer();
    let dialog = rig.layout().dialog.unwrap();
    let right = (dialog.top()..dialog.bottom()).map(|y| buffer[(dialog.right() - 1, y)].symbol().to_owned());
    assert!(right.into_iter().any(|symbol| symbol == "┃"));
    rig.keys("esc");
    rig.keys("ctrl-p");
    rig.keys("z z z");
    let buffer = rig.buffer();
    let dialog = rig.layout().dialog.unwrap();
    let right = (dialog.top()..dialog.bottom()).map(|y| buffer[(dialog.right() - 1, y)].symbol().to_owned());
    assert!(!right.into_iter().any(|symbol| symbol == "┃"), "it is whole");
}

#[test]
fn a_row_of_the_palette_keeps_the_name_of_its_command_beside_a_long_title() {
    for (width, height) in SIZES {
        let mut rig = Rig::new(width, height);
        rig.keys("ctrl-p");
        rig.type_text("accept edits without");
        let screen = rig.screen();
        let row = screen.lines().find(|row| row.contains("Accept edits"));
        assert!(row.is_some_and(|row| row.contains(" /yes ")), "{screen}");
    }
}

#[test]
fn long_names_of_models_keep_what_tells_them_apart() {
    let offer = |end: &str| ModelOffer {
        model: ModelRef {
            provider: "p".to_owned(),
            id: format!("an-organisation/a-model-with-a-very-long-name-and-{end}"),
        },
        context: Some(32_768),
    };
    for (width, height) in [(40, 12), (60, 24)] {
        let mut rig = Rig::new(width, height);
        rig.type_text("/model");
        rig.keys("enter");
        rig.event(Answer::Models {
            offers: vec![offer("awq"), offer("gptq")],
            current: None,
            failed: Vec::new(),
        });
        let screen = rig.screen();
        for end in ["-awq", "-gptq"] {
            assert!(screen.contains(end), "{screen}");
        }
    }
}

#[test]
fn what_completes_a_word_is_seen_over_a_request_that_waits() {
    for (width, height) in SIZES {
        let mut rig = Rig::new(width, height);
        rig.work();
        rig.hold_edit();
        rig.keys("/ m o d");
        let screen = rig.screen();
        assert!(screen.lines().any(|row| row.contains("› model")), "{screen}");
    }
}

#[test]
fn a_list_of_no_skills_says_so_and_where_the_first_one_goes() {
    for (width, height) in SIZES {
        let mut rig = Rig::new(width, height);
        rig.type_text("/skills");
        rig.keys("enter");
        rig.event(Answer::Skills(Vec::new()));
        let screen = rig.screen();
        assert!(screen.contains("no custom commands or skills"), "{screen}");
        assert!(width < 80 || screen.contains("commands/NAME.md"), "{screen}");
        assert!(!screen.contains("nothing matches"), "{screen}");
    }
}
