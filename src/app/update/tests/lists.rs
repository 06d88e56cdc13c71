//! Tests lists with a filter: palette, help, models, and completion.

use super::*;
use crate::commands::TABLE;
use crate::dialogs::Dialog;
use crate::dialogs::palette::Choice;
use crate::layout::Pane;
use benchdog_keys as keys;
use benchdog_keys::action::{GlobalAction, PromptAction};

#[test]
fn typing_in_a_list_that_knows_no_such_letter_is_typing() {
    let mut bench = Bench::new(140, 40);
    bench.keys("alt-5 w z");
    assert_eq!(bench.prompt(), "wz");
    assert_eq!(bench.state.screen.focus, Pane::Prompt);
}

#[test]
fn the_palette_begins_with_what_one_looks_for_and_ends_with_what_a_hand_knows() {
    let mut bench = Bench::new(80, 24);
    bench.keys("ctrl-p");
    let Some(Dialog::Palette(palette)) = &bench.state.screen.dialog else {
        panic!("no palette")
    };
    let at_hand: Vec<bool> = palette.rows.iter().map(|row| row.choice.is_at_hand()).collect();
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
        let Some(Dialog::Palette(palette)) = &bench.state.screen.dialog else {
            panic!("no palette")
        };
        let edits = |choice: Choice| {
            matches!(
                choice,
                Choice::Action(keys::Action::Text(_) | keys::Action::Prompt(PromptAction::Unfold))
            )
        };
        let found = palette.rows.iter().find(|row| edits(row.choice));
        assert!(found.is_none(), "{filter}: {}", found.unwrap().title);
        bench.keys("esc");
    }
}

#[test]
fn the_palette_finds_an_action_by_its_words() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-p");
    bench.types("go to todo");
    let Some(Dialog::Palette(palette)) = &bench.state.screen.dialog else {
        panic!()
    };
    assert_eq!(palette.rows[0].title, "Go to todo list");
    let is_named = |choice| !matches!(choice, Choice::Action(action) if !action.is_named());
    assert!(palette.rows.iter().all(|row| is_named(row.choice)));
    bench.keys("enter");
    assert_eq!(bench.state.screen.focus, Pane::Todo);
    assert!(bench.state.screen.dialog.is_none());
}

fn listed(bench: &mut Bench, filter: &str) -> Vec<(Choice, &'static str, String)> {
    bench.keys("ctrl-p");
    bench.types(filter);
    let Some(Dialog::Palette(palette)) = &bench.state.screen.dialog else {
        panic!("no palette: {filter}")
    };
    let rows = palette.rows.iter();
    let rows = rows.map(|row| (row.choice, row.title, row.keys.clone())).collect();
    bench.keys("esc");
    rows
}

#[test]
fn the_palette_finds_every_command_by_its_name_and_those_that_no_action_does_by_their_title() {
    let mut bench = Bench::new(120, 40);
    for row in TABLE {
        for filter in [row.name.to_owned(), format!("/{}", row.name)] {
            let (first, ..) = listed(&mut bench, &filter)[0];
            assert!(first.does(row), "{filter}: {first:?}");
        }
        if row.command.action().is_none() && !row.is_second_name() {
            let found = listed(&mut bench, row.title());
            let own = found.iter().find(|(choice, ..)| choice.does(row));
            let (_, title, keys) = own.unwrap_or_else(|| panic!("{}", row.name));
            assert_eq!((*title, keys.as_str()), (row.title(), &*format!("/{}", row.name)));
        }
    }
}

#[test]
fn a_workbench_that_cannot_detach_says_so_in_the_palette() {
    let mut bench = Bench::new(120, 40);
    let detach = Choice::Action(keys::Action::Global(GlobalAction::Detach));
    let (choice, _, why) = listed(&mut bench, "detach").remove(0);
    assert_eq!((choice, why.as_str()), (detach, "ends with this terminal"));
    bench.keys("ctrl-x d");
    assert!(!bench.ops.contains(&Op::Detach));
    let toast = bench.state.screen.toast.as_ref().map(|toast| toast.text.as_str());
    assert!(toast.unwrap_or_default().contains("benchdog --detached"), "{toast:?}");
    bench.state.terminal.can_detach = true;
    let (_, _, keys) = listed(&mut bench, "detach").remove(0);
    assert!(keys.starts_with("Ctrl+X"), "{keys}");
    bench.keys("ctrl-x d");
    assert!(bench.ops.contains(&Op::Detach));
}

#[test]
fn other_words_for_a_command_find_it() {
    let mut bench = Bench::new(120, 40);
    for (filter, wanted) in [
        ("branch", "/fork"),
        ("copy session", "/fork"),
        ("share", "/export"),
        ("api key", "/setup"),
        ("login", "/setup"),
        ("delete", "Ctrl+O"),
    ] {
        let found = listed(&mut bench, filter);
        assert!(found.iter().any(|(_, _, keys)| keys == wanted), "{filter}: {found:?}");
    }
}

#[test]
fn the_palette_lists_no_command_twice_and_shows_its_name_where_no_key_does_the_same() {
    let mut bench = Bench::new(120, 40);
    let all = listed(&mut bench, "");
    for row in TABLE {
        let rows = all.iter().filter(|(choice, ..)| choice.does(row));
        assert_eq!(rows.count(), 1, "{}", row.name);
    }
    let keys = |title: &str| {
        let row = all.iter().find(|(_, own, _)| *own == title);
        row.map(|(_, _, keys)| keys.clone()).unwrap_or_default()
    };
    assert_eq!(keys("Undo the last change"), "/undo");
    assert_eq!(keys("Change settings permanently"), "/config");
    assert_eq!(keys("Keyboard shortcuts"), "F1");
}

#[test]
fn a_command_with_its_word_finds_the_action_that_is_that() {
    let mut bench = Bench::new(120, 40);
    let beside = Choice::Action(keys::Action::Global(GlobalAction::NewBeside));
    for filter in ["/new beside", "new beside", "/new b"] {
        let (first, ..) = listed(&mut bench, filter)[0];
        assert_eq!(first, beside, "{filter}");
    }
    let names: Vec<Choice> = listed(&mut bench, "/new")
        .into_iter()
        .map(|(choice, ..)| choice)
        .collect();
    let new = Choice::Action(keys::Action::Global(GlobalAction::NewSession));
    assert_eq!(names[..2], [new, beside], "the command alone comes first");
}

#[test]
fn the_permissions_are_found_by_what_one_did_with_them() {
    let mut bench = Bench::new(120, 40);
    let permissions = Choice::Action(keys::Action::Global(GlobalAction::Permissions));
    for filter in ["allow", "always", "Alwa"] {
        let found = listed(&mut bench, filter);
        let row = found.iter().find(|(choice, ..)| *choice == permissions);
        let (_, title, keys) = row.unwrap_or_else(|| panic!("{filter}: {found:?}"));
        assert_eq!(
            (*title, keys.as_str()),
            ("Active permissions", "/permissions"),
            "{filter}"
        );
        let idle = found.iter().position(|(_, _, keys)| keys.starts_with("nothing "));
        let at = found.iter().position(|(choice, ..)| *choice == permissions);
        assert!(idle.is_none() || at < idle, "{filter}: {found:?}");
    }
    let once = Choice::Action(keys::Action::Global(GlobalAction::OnceNow));
    bench.asks(edit("one"));
    let found: Vec<Choice> = listed(&mut bench, "allow")
        .into_iter()
        .map(|(choice, ..)| choice)
        .collect();
    let at = |wanted: Choice| found.iter().position(|choice| *choice == wanted);
    assert!(at(once) < at(permissions) && at(once).is_some(), "{found:?}");
}

#[test]
fn the_palette_finds_what_one_calls_a_thing_and_no_noise() {
    let mut bench = Bench::new(120, 40);
    let wanted = [
        ("approve", "/approve"),
        ("hunk", "/diff"),
        ("key", "F1"),
        ("vim", "/config"),
        ("language", "/config"),
        ("queue", "/steer"),
        ("export", "/plan"),
        ("regenerate", "/retry"),
    ];
    for (filter, key) in wanted {
        let found = listed(&mut bench, filter);
        let has = |(choice, _, keys): &(Choice, &str, String)| {
            keys.starts_with(key)
                || TABLE
                    .iter()
                    .any(|row| key == format!("/{}", row.name) && choice.does(row))
        };
        assert!(found.iter().take(3).any(has), "{filter}: {found:?}");
    }
    for (filter, noise) in [("mcp", "Paste image"), ("docs", "conversation"), ("trust", "mouse")] {
        let found = listed(&mut bench, filter);
        assert!(
            !found.iter().any(|(_, title, _)| title.contains(noise)),
            "{filter}: {found:?}"
        );
    }
}

#[test]
fn what_would_change_nothing_now_stands_last_in_the_palette_and_says_why() {
    let mut bench = Bench::new(120, 40);
    bench.state.terminal.can_detach = true;
    let title = "Allow the pending request once";
    let place = |rows: &[(Choice, &'static str, String)]| rows.iter().position(|(_, own, _)| *own == title).unwrap();
    let all = listed(&mut bench, "");
    let at = place(&all);
    assert_eq!(all[at].2, "nothing waits for you");
    let behind = |(choice, _, keys): &(Choice, &str, String)| choice.is_at_hand() || keys.starts_with("nothing ");
    assert!(all[at..].iter().all(behind), "{:?}", &all[at..]);
    let found = listed(&mut bench, "pending");
    let idle: Vec<bool> = found.iter().map(|(_, _, keys)| keys.starts_with("nothing ")).collect();
    assert!(idle.is_sorted() && idle.contains(&true), "{found:?}");
    bench.asks(edit("one"));
    let all = listed(&mut bench, "");
    let at = place(&all);
    assert!(all[at].2.starts_with("Alt+Y"), "{:?}", all[at]);
}

#[test]
fn a_command_chosen_in_the_palette_is_carried_out_and_leaves_what_is_being_written() {
    let mut bench = Bench::new(120, 40);
    bench.types("be brief");
    bench.keys("ctrl-p");
    bench.types("/reload\n");
    assert!(bench.commands().contains(&&Command::Reload));
    assert_eq!(bench.prompt(), "be brief");
    assert!(bench.state.screen.dialog.is_none());
}

#[test]
fn a_command_that_wants_words_goes_into_the_prompt_before_what_is_being_written() {
    let mut bench = Bench::new(120, 40);
    bench.types("be brief");
    bench.keys("ctrl-p");
    bench.types("/steer\n");
    assert_eq!(bench.prompt(), "/steer be brief");
    let said = bench.state.screen.toast.as_ref().map(|toast| toast.text.as_str());
    assert_eq!(said, Some("TEXT  Send this text into the running turn"));
    let steered = |command: &&Command| matches!(command, Command::Prompt { .. });
    assert!(!bench.commands().iter().any(steered), "nothing is sent yet");
}

#[test]
fn what_gives_leave_beside_a_request_only_moves_the_keyboard_to_it_from_the_palette() {
    for name in ["yes", "no", "execute"] {
        let mut bench = Bench::new(120, 40);
        bench.asks(edit("one"));
        bench.keys("ctrl-p");
        bench.types(name);
        bench.keys("enter");
        assert!(bench.state.screen.approvals.has_focus(), "{name}");
        let gives = |command: &&Command| matches!(command, Command::SetAgent { .. } | Command::AcceptPlan);
        assert!(!bench.commands().iter().any(gives), "{name}");
        assert!(bench.decisions().is_empty(), "{name}");
    }
}

#[test]
fn what_gives_leave_is_never_the_first_row_of_the_palette_but_for_its_whole_name() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-p");
    bench.types("yes");
    bench.keys("enter");
    let gives = |command: &&Command| matches!(command, Command::SetAgent { .. });
    assert!(bench.commands().iter().any(gives));
    for filter in ["", "y", "ye", "ex"] {
        let rows = listed(&mut bench, filter);
        assert!(!rows.first().is_some_and(|(first, ..)| first.gives_leave()), "{filter}");
    }
}

#[test]
fn a_command_that_wants_words_stands_in_place_of_another_command_which_up_finds_again() {
    let mut bench = Bench::new(120, 40);
    bench.types("/todo change 3 more");
    bench.keys("ctrl-p");
    bench.types("/steer\n");
    assert_eq!(bench.prompt(), "/steer ");
    bench.keys("ctrl-u up");
    assert_eq!(bench.prompt(), "/todo change 3 more");
}

#[test]
fn help_lists_only_keys_that_work_now() {
    let mut bench = Bench::new(120, 40);
    bench.keys("f1");
    let Some(Dialog::Help(help)) = &bench.state.screen.dialog else {
        panic!()
    };
    let all: Vec<&str> = help
        .sections
        .iter()
        .flat_map(|section| &section.rows)
        .map(|entry| entry.title.as_str())
        .collect();
    assert!(all.contains(&"All commands"));
    assert!(!all.contains(&"Select or deselect hunk"));
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
    bench.event(Answer::TrustAsked {
        files,
        unbound: Vec::new(),
        repository: None,
    });
    let rows = crate::view::cards::cards(&bench.state, 78);
    let said = rows.iter().map(|(row, _)| row.as_str()).collect::<Vec<_>>().join("\n");
    assert!(said.contains("AGENTS.md, 306 skills"), "{said}");
    assert!(
        said.contains("/trust uses them") && said.contains("/distrust"),
        "{said}"
    );
    let room = bench.state.layout.cards.map_or(0, |rect| usize::from(rect.height));
    assert!(rows.len() <= room, "all of it is seen: {} of {room}", rows.len());
    bench.types("/trust files\n");
    let Some(Dialog::Viewer(viewer)) = &bench.state.screen.dialog else {
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
        let Some(Dialog::Palette(palette)) = &bench.state.screen.dialog else {
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
    assert_eq!(first(&bench), ["Status of this session", "Choose a theme"]);
    bench.keys("esc");
    bench.asks(edit("one"));
    bench.keys("ctrl-p");
    assert_eq!(first(&bench), ["Go to the pending request", "Status of this session"]);
}

#[test]
fn the_key_of_the_log_opens_it_and_closes_it_again_from_inside() {
    let mut bench = Bench::new(120, 40);
    let is_log = |bench: &Bench| matches!(&bench.state.screen.dialog, Some(Dialog::Viewer(viewer)) if viewer.is_log());
    bench.types("words");
    bench.keys("ctrl-\\");
    assert!(is_log(&bench));
    assert!(bench.ops.iter().any(|op| matches!(op, Op::ReadLog)));
    bench.keys("ctrl-\\");
    assert!(bench.state.screen.dialog.is_none());
    // The log replaces another text in the viewer.
    bench.state.screen.session.plan = Some("a plan".to_owned());
    bench.keys("ctrl-u");
    bench.types("/plan\n");
    assert!(bench.state.screen.dialog.is_some() && !is_log(&bench));
    bench.keys("ctrl-\\");
    assert!(is_log(&bench));
    let (_, _, keys) = listed(&mut bench, "debug").swap_remove(0);
    assert_eq!(keys, "Ctrl+\\");
}

#[test]
fn turning_the_mouse_on_or_off_says_which_it_is_now() {
    let mut bench = Bench::new(120, 40);
    bench.state.mouse = true;
    for (capture, said) in [(false, "Mouse off: the terminal selects text."), (true, "Mouse on.")] {
        bench.keys("ctrl-p");
        bench.types("turn the mouse\n");
        assert!(bench.ops.contains(&Op::Mouse { capture }), "{said}");
        assert_eq!(
            bench.state.screen.toast.as_ref().map(|toast| toast.text.as_str()),
            Some(said)
        );
    }
}
