//! Lists that one types in: the palette, help, models, and the list over the prompt.

use super::*;
use crate::app::dialogs::Dialog;
use crate::app::layout::Pane;
use crate::keys;
use crate::keys::action::PromptAction;
use crate::protocol::FoundServer;

#[test]
fn typing_in_a_list_that_knows_no_such_letter_is_typing() {
    let mut bench = Bench::new(140, 40);
    bench.keys("alt-5 w z");
    assert_eq!(bench.prompt(), "wz");
    assert_eq!(bench.state.focus, Pane::Prompt);
}

#[test]
fn the_palette_begins_with_what_one_looks_for_and_ends_with_what_a_hand_knows() {
    let mut bench = Bench::new(80, 24);
    bench.keys("ctrl-p");
    let Some(Dialog::Palette(palette)) = &bench.state.dialog else {
        panic!("no palette")
    };
    let at_hand: Vec<bool> = palette.rows.iter().map(|row| row.action.is_at_hand()).collect();
    assert!(
        !at_hand[0] && at_hand.is_sorted() && at_hand.contains(&true),
        "{at_hand:?}"
    );
}

#[test]
fn no_word_finds_an_editing_key_in_the_palette() {
    let mut bench = Bench::new(80, 24);
    for filter in ["", "wor", "paste", "select", "delete", "undo", "fold"] {
        bench.keys("ctrl-p");
        bench.types(filter);
        let Some(Dialog::Palette(palette)) = &bench.state.dialog else {
            panic!("no palette")
        };
        let edits = |action: &keys::Action| {
            matches!(
                action,
                keys::Action::Text(_) | keys::Action::Prompt(PromptAction::Unfold)
            )
        };
        let found = palette.rows.iter().find(|row| edits(&row.action));
        assert!(found.is_none(), "{filter}: {}", found.unwrap().title);
        bench.keys("esc");
    }
}

#[test]
fn the_palette_finds_an_action_by_its_words() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-p");
    bench.types("go to todo");
    let Some(Dialog::Palette(palette)) = &bench.state.dialog else {
        panic!()
    };
    assert_eq!(palette.rows[0].title, "Go to todo list");
    assert!(palette.rows.iter().all(|row| row.action.is_named()));
    bench.keys("enter");
    assert_eq!(bench.state.focus, Pane::Todo);
    assert!(bench.state.dialog.is_none());
}

#[test]
fn help_lists_only_keys_that_work_now() {
    let mut bench = Bench::new(120, 40);
    bench.keys("f1");
    let Some(Dialog::Help(help)) = &bench.state.dialog else {
        panic!()
    };
    let all: Vec<&str> = help
        .sections
        .iter()
        .flat_map(|section| &section.rows)
        .map(|entry| entry.title.as_str())
        .collect();
    assert!(all.contains(&"All commands"));
    assert!(!all.contains(&"Keep or drop hunk"));
}

#[test]
fn a_server_found_at_the_first_start_is_taken_from_the_list_of_models() {
    let mut bench = Bench::new(120, 40);
    bench.event(Answer::FirstStart {
        found: vec![FoundServer {
            base_url: "http://127.0.0.1:8080/v1".to_owned(),
            models: ["small", "large"].map(found_model).to_vec(),
        }],
    });
    bench.types("/models\n");
    bench.event(Answer::Models {
        offers: Vec::new(),
        current: None,
        failed: Vec::new(),
    });
    bench.keys("down enter");
    assert!(bench.commands().contains(&&Command::UseServer {
        base_url: "http://127.0.0.1:8080/v1".to_owned(),
        model: "large".to_owned(),
    }));
}

#[test]
fn three_hundred_skills_leave_room_for_the_file_that_matters_and_for_the_two_commands() {
    let mut bench = Bench::new(80, 24);
    let skill = |number: usize| {
        [
            format!(".agents/skills/skill-{number:03}/SKILL.md"),
            format!(".agents/skills/skill-{number:03}/run.sh"),
        ]
    };
    let mut files: Vec<String> = (0..306).flat_map(skill).collect();
    files.push("AGENTS.md".to_owned());
    bench.event(Answer::TrustAsked { files });
    let rows = crate::app::cards::cards(&bench.state, 78);
    let said = rows.iter().map(|(row, _)| row.as_str()).collect::<Vec<_>>().join("\n");
    assert!(said.contains("AGENTS.md, 306 skills"), "{said}");
    assert!(
        said.contains("/trust uses them") && said.contains("/distrust"),
        "{said}"
    );
    let room = bench.state.layout.cards.map_or(0, |rect| usize::from(rect.height));
    assert!(rows.len() <= room, "all of it is seen: {} of {room}", rows.len());
    bench.types("/trust files\n");
    let Some(Dialog::Viewer(viewer)) = &bench.state.dialog else {
        panic!("no list")
    };
    assert!(matches!(&viewer.text, Some(Ok(text)) if text.contains("skill-305/run.sh") && text.contains("AGENTS.md")));
    assert!(
        !bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::Trust { .. }))
    );
}

#[test]
fn the_palette_begins_with_what_waits_and_goes_on_with_what_was_chosen_lately() {
    let first = |bench: &Bench| -> Vec<&'static str> {
        let Some(Dialog::Palette(palette)) = &bench.state.dialog else {
            panic!("no palette")
        };
        palette.rows.iter().take(2).map(|row| row.title).collect()
    };
    let mut bench = Bench::new(120, 40);
    for wanted in ["choose a theme", "where this session"] {
        bench.keys("ctrl-p");
        bench.types(wanted);
        bench.keys("enter esc");
    }
    bench.keys("ctrl-p");
    assert_eq!(first(&bench), ["Where this session stands", "Choose a theme"]);
    bench.keys("esc");
    bench.asks(edit("one"));
    bench.keys("ctrl-p");
    assert_eq!(
        first(&bench),
        ["Go to the waiting approval", "Where this session stands"]
    );
}
