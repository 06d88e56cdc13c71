//! Typing, sending, completing.

use super::*;
use crate::app::dialogs::Dialog;
use crate::app::panes::prompt::CompletionKind;
use crate::domain::comparison::NoComparison;
use crate::domain::failure::Overweight;
use crate::domain::skill::{OfferKind, SkillOffer, SkillSource, SkillState};
use crate::domain::waiting::{WaitingPrompt, WaitsFor};
use crate::protocol::{Delivery, Everyday};

fn prompts(bench: &Bench) -> Vec<(&str, Delivery)> {
    bench
        .commands()
        .into_iter()
        .filter_map(|command| {
            if let Command::Prompt { text, delivery, .. } = command {
                Some((text.as_str(), *delivery))
            } else {
                None
            }
        })
        .collect()
}

#[test]
fn enter_sends_what_was_typed_before_anything_is_kept() {
    let mut bench = Bench::new(80, 24);
    bench.types("修正 the total");
    bench.ops.clear();
    bench.keys("enter");
    assert_eq!(prompts(&bench), [("修正 the total", Delivery::Queue)]);
    assert!(matches!(bench.ops[0], Op::Send(Command::Prompt { .. })));
    assert_eq!(bench.prompt(), "");
}

#[test]
fn a_line_break_has_four_ways() {
    for way in ["shift-enter", "alt-enter", "ctrl-j"] {
        let mut bench = Bench::new(80, 24);
        bench.keys(&format!("a {way} b"));
        assert_eq!(bench.prompt(), "a\nb", "{way}");
    }
    let mut bench = Bench::new(80, 24);
    bench.types("a\\\nb");
    assert_eq!(bench.prompt(), "a\nb");
    assert!(prompts(&bench).is_empty());
}

#[test]
fn a_word_that_leaves_other_programs_leaves_where_it_is_the_whole_text() {
    for word in ["exit", "quit", "bye", ":q", ":quit", "/quit", "/exit"] {
        let mut bench = Bench::new(80, 24);
        bench.types(&format!("{word}\n"));
        assert!(bench.ops.contains(&Op::Quit), "{word}");
        assert!(prompts(&bench).is_empty(), "{word}");
    }
    for sentence in ["exit now", "Quit", "bye bye", ":q!", "\\:q"] {
        let mut bench = Bench::new(80, 24);
        bench.types(&format!("{sentence}\n"));
        assert!(!bench.ops.contains(&Op::Quit), "{sentence}");
        assert_eq!(prompts(&bench), [(sentence, Delivery::Queue)]);
    }
}

#[test]
fn steering_goes_into_the_running_turn() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(crate::protocol::TurnState::Generating));
    bench.types("wait");
    bench.keys("alt-s");
    bench.types("/steer and stop\n");
    assert_eq!(
        prompts(&bench),
        [("wait", Delivery::Steer), ("and stop", Delivery::Steer)]
    );
}

#[test]
fn a_shell_line_is_no_prompt() {
    let mut bench = Bench::new(80, 24);
    bench.types("!ls -l\n");
    assert!(bench.commands().contains(&&Command::Shell {
        command: "ls -l".to_owned(),
        typed: true,
    }));
    assert!(prompts(&bench).is_empty());
}

#[test]
fn a_path_at_the_beginning_is_a_sentence_and_a_slip_is_told() {
    let mut bench = Bench::new(80, 24);
    bench.types("/usr/bin/env is missing\n");
    assert_eq!(prompts(&bench), [("/usr/bin/env is missing", Delivery::Queue)]);
    bench.types("/modles x\n");
    assert_eq!(prompts(&bench).len(), 1);
    assert_eq!(bench.prompt(), "/modles x");
    let said = |bench: &Bench| bench.state.toast.as_ref().unwrap().text.clone();
    assert_eq!(said(&bench), "did you mean `/models`? there is no `/modles`");
    bench.keys("ctrl-u");
    bench.types("/zzzz\n");
    assert_eq!(said(&bench), "there is no command `/zzzz`; `/` lists them");
}

#[test]
fn slash_commands_complete_on_enter() {
    let mut bench = Bench::new(80, 24);
    bench.types("/res");
    assert_eq!(
        bench.state.prompt.completion.as_ref().unwrap().kind,
        CompletionKind::Slash
    );
    bench.keys("enter");
    assert!(bench.commands().contains(&&Command::ListSessions));
}

/// What the list over the prompt offers.
fn offered(bench: &Bench) -> Vec<&str> {
    let list = bench.state.prompt.completion.iter();
    list.flat_map(|list| &list.items)
        .map(|item| item.text.as_str())
        .collect()
}

#[test]
fn commands_are_found_by_some_of_their_letters_and_those_are_sent_by_a_second_enter() {
    let mut bench = Bench::new(80, 24);
    bench.types("/te");
    assert_eq!(offered(&bench)[0], "temperature");
    bench.keys("ctrl-u");
    bench.types("/dst");
    assert_eq!(offered(&bench), ["distrust"]);
    bench.keys("enter");
    assert_eq!(bench.prompt(), "/distrust ");
    assert!(
        !bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::Trust { .. }))
    );
    bench.keys("enter");
    assert!(bench.commands().contains(&&Command::Trust { trusted: false }));
    bench.types("/zzz");
    assert_eq!(offered(&bench), [] as [&str; 0]);
    assert!(
        bench.state.prompt.completion.is_some(),
        "the list says that there is none"
    );
}

#[test]
fn the_words_that_a_command_takes_are_completed() {
    let mut bench = Bench::new(80, 24);
    bench.types("/think");
    bench.keys("tab");
    assert_eq!(bench.prompt(), "/thinking ");
    assert_eq!(offered(&bench), ["off", "low", "medium", "high", "default"]);
    bench.types("me");
    bench.keys("tab");
    assert_eq!(bench.prompt(), "/thinking medium");
    assert_eq!(offered(&bench), [] as [&str; 0]);
    bench.keys("ctrl-u");
    for free in ["/steer of", "/compact keep", "/model x", "/diff x", "/thinking low l"] {
        bench.types(free);
        assert_eq!(bench.state.prompt.completion, None, "{free}");
        bench.keys("ctrl-u");
    }
}

#[test]
fn history_comes_at_the_first_row_and_the_draft_comes_back() {
    let mut bench = Bench::new(80, 24);
    bench.event(Answer::History(vec!["first".into(), "second\nrow".into()]));
    bench.types("draft");
    bench.keys("home up");
    assert_eq!(bench.prompt(), "second\nrow");
    bench.keys("up up");
    assert_eq!(bench.prompt(), "first");
    bench.keys("down");
    assert_eq!(bench.prompt(), "second\nrow");
    bench.keys("down");
    assert_eq!(bench.prompt(), "draft");
}

#[test]
fn up_walks_the_prompts_that_begin_with_what_stands_before_the_caret() {
    let mut bench = Bench::new(80, 24);
    let earlier = ["fix the 合計", "why", "fix the test", "fix the 合計", "fix"];
    bench.event(Answer::History(earlier.map(str::to_owned).to_vec()));
    bench.types("fix");
    bench.keys("up");
    assert_eq!(bench.prompt(), "fix the 合計", "`fix` is there already");
    bench.keys("up");
    assert_eq!(bench.prompt(), "fix the test");
    bench.keys("up up up");
    assert_eq!(bench.prompt(), "fix the 合計");
    bench.keys("down down down");
    assert_eq!(bench.prompt(), "fix");
    bench.keys("down");
    assert_eq!(bench.prompt(), "fix");
    bench.keys("up ctrl-u");
    bench.types("why");
    bench.keys("left up");
    assert_eq!(bench.prompt(), "why", "it is the only one that begins so");
    bench.types("x");
    bench.keys("up");
    assert_eq!(bench.prompt(), "whxy", "none begins so");
}

#[test]
fn a_cleared_draft_can_be_had_back_and_twice_leaves() {
    let mut bench = Bench::new(80, 24);
    bench.types("hours of text");
    bench.keys("ctrl-c");
    assert_eq!(bench.prompt(), "");
    bench.keys("up");
    assert_eq!(bench.prompt(), "hours of text");
    bench.keys("ctrl-c ctrl-_");
    assert_eq!(bench.prompt(), "hours of text");
    bench.keys("ctrl-c ctrl-c");
    assert!(bench.ops.contains(&Op::Quit));
}

#[test]
fn ctrl_c_long_after_does_not_leave() {
    let mut bench = Bench::new(80, 24);
    bench.keys("ctrl-c");
    bench.wait(1_600);
    bench.keys("ctrl-c");
    assert!(!bench.ops.contains(&Op::Quit));
}

#[test]
fn esc_twice_at_once_clears_the_draft_and_leaves_it_alone_while_there_is_something_to_close_or_stop() {
    let mut bench = Bench::new(80, 24);
    bench.types("hours of text");
    bench.keys("esc");
    bench.wait(250);
    bench.keys("esc");
    assert_eq!(bench.prompt(), "hours of text", "two single presses");
    bench.wait(250);
    bench.keys("esc x esc");
    assert_eq!(bench.prompt(), "hours of textx", "something was written between");
    bench.keys("esc");
    assert_eq!(bench.prompt(), "");
    bench.keys("ctrl-_");
    assert_eq!(bench.prompt(), "hours of textx");
    bench.keys("esc esc ctrl-c");
    assert!(!bench.ops.contains(&Op::Quit), "Esc is no first Ctrl+C");
    bench.keys("ctrl-_");
    bench.event(Live::State(TurnState::Generating));
    bench.keys("esc esc esc");
    assert_eq!(bench.prompt(), "hours of textx", "it stops the turn");
    bench.event(Live::State(TurnState::Interrupted));
    bench.types(" @m");
    bench.wait(250);
    bench.keys("esc esc");
    assert_eq!(bench.prompt(), "hours of textx @m", "the first closed the list");
}

#[test]
fn ctrl_d_deletes_right_until_there_is_nothing() {
    let mut bench = Bench::new(80, 24);
    bench.keys("a b home ctrl-d");
    assert_eq!(bench.prompt(), "b");
    bench.keys("ctrl-d ctrl-d");
    assert!(bench.ops.contains(&Op::Quit));
}

#[test]
fn the_draft_is_saved_a_moment_after_typing_and_not_with_every_key() {
    let mut bench = Bench::new(80, 24);
    bench.types("draft");
    assert!(bench.ops.iter().any(|op| matches!(op, Op::WakeAt(_))));
    bench.wait(250);
    let saved: Vec<_> = bench
        .commands()
        .into_iter()
        .filter(|command| matches!(command, Command::SaveDraft { .. }))
        .collect();
    assert_eq!(
        saved,
        [&Command::SaveDraft {
            text: "draft".to_owned()
        }]
    );
}

#[test]
fn a_mention_completes_and_a_late_answer_is_dropped() {
    let mut bench = Bench::new(80, 24);
    bench.types("look at @mo");
    assert!(
        bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::FindFiles { query, .. } if query == "mo"))
    );
    let found = |query: &str, path: &str| Answer::Found {
        query: query.to_owned(),
        paths: vec![path.to_owned()],
        scanning: false,
    };
    bench.event(found("m", "old.rs"));
    assert!(bench.state.prompt.completion.as_ref().unwrap().items.is_empty());
    bench.event(found("mo", "src/money.rs"));
    bench.keys("tab");
    assert_eq!(bench.prompt(), "look at @src/money.rs ");
    bench.types("x@y.z");
    assert!(bench.state.prompt.completion.is_none(), "an address is no mention");
}

#[test]
fn a_closed_list_stays_closed_for_its_word() {
    let mut bench = Bench::new(80, 24);
    bench.types("@m");
    bench.keys("esc");
    bench.types("oney");
    assert!(bench.state.prompt.completion.is_none());
    bench.types(" @");
    assert!(bench.state.prompt.completion.is_some());
}

#[test]
fn a_big_paste_is_a_chip_and_sent_whole() {
    let mut bench = Bench::new(80, 24);
    let text = "line\n".repeat(100);
    bench.send(Msg::Paste {
        text: text.clone(),
        at: bench.now,
    });
    assert_eq!(bench.state.prompt.buffer.view().rows[0].text, "[paste 1: 100 lines]");
    bench.keys("enter");
    assert_eq!(prompts(&bench), [(text.trim(), Delivery::Queue)]);
}

#[test]
fn a_folded_paste_is_written_out_where_the_caret_stands_and_deleted_as_one() {
    let mut bench = Bench::new(80, 24);
    let text = "line\n".repeat(50);
    bench.types("a ");
    bench.send(Msg::Paste {
        text: text.clone(),
        at: bench.now,
    });
    bench.types("b");
    let folded = |bench: &Bench| bench.state.prompt.buffer.folded().len();
    bench.keys("home alt-e");
    assert_eq!(folded(&bench), 1, "it is not at the caret");
    bench.keys("right right alt-e");
    assert_eq!((folded(&bench), bench.prompt()), (0, format!("a {text}b")));
    bench.keys("ctrl-_");
    assert_eq!((folded(&bench), bench.prompt()), (1, format!("a {text}b")));
    bench.keys("end left alt-e");
    assert_eq!(folded(&bench), 0, "the caret stands behind it");
    bench.keys("ctrl-_ end left backspace");
    assert_eq!(bench.prompt(), "a b");
}

#[test]
fn an_image_that_is_dropped_is_mentioned_where_a_mention_can_begin() {
    for (before, prompt) in [
        ("what is ", "what is @/a/shot.png "),
        ("", "@/a/shot.png "),
        ("x", "x/a/shot.png"),
        ("@", "@/a/shot.png"),
        ("!file ", "!file /a/shot.png"),
    ] {
        let mut bench = Bench::new(80, 24);
        bench.types(before);
        bench.send(Msg::Paste {
            text: "/a/shot.png".to_owned(),
            at: bench.now,
        });
        assert_eq!(bench.prompt(), prompt);
    }
}

#[test]
fn a_paste_never_decides_and_is_never_lost() {
    let mut bench = Bench::new(80, 24);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.send(Msg::Paste {
        text: "y\nn".to_owned(),
        at: bench.now,
    });
    assert!(bench.decisions().is_empty());
    assert_eq!(bench.prompt(), "y\nn");
}

#[test]
fn the_caret_of_the_prompt_is_where_typing_goes() {
    let mut bench = Bench::new(80, 24);
    bench.types("漢字 ok");
    bench.keys("left left left");
    assert_eq!(bench.state.prompt.buffer.view().caret, (4, 0));
    bench.keys("backspace");
    assert_eq!(bench.prompt(), "漢 ok");
    assert_eq!(bench.state.prompt.buffer.view().caret, (2, 0));
}

#[test]
fn ctrl_x_and_a_number_goes_to_a_pane_and_ctrl_w_deletes_a_word() {
    let mut bench = Bench::new(140, 40);
    bench.keys("ctrl-x 2");
    assert_eq!(bench.state.focus, crate::app::layout::Pane::Conversation);
    bench.keys("ctrl-x 3");
    bench.types("two words");
    bench.keys("ctrl-w");
    assert_eq!(bench.prompt(), "two ");
}

#[test]
fn the_first_key_of_a_prompt_is_told_once_and_not_while_trust_is_asked_for() {
    let mut bench = Bench::new(80, 24);
    bench.event(Answer::TrustAsked {
        files: vec![".benchdog/config.jsonc".to_owned()],
    });
    bench.types("a");
    assert_eq!(bench.commands(), [] as [&Command; 0]);
    bench.state.trust = None;
    bench.types("bc");
    assert_eq!(bench.commands(), [&Command::Typing]);
}

#[test]
fn a_review_is_asked_for_with_what_stands_behind_it_and_why_there_is_none_is_said() {
    let mut bench = Bench::new(80, 24);
    bench.types("/review main..\n");
    let range = "main..".to_owned();
    let asked = Command::Everyday(Everyday::Review { range });
    assert!(bench.commands().contains(&&asked), "{:?}", bench.commands());
    assert!(prompts(&bench).is_empty() && bench.prompt().is_empty());
    let named = "nosuch".to_owned();
    bench.event(Answer::NotReviewed(Some(NoComparison::NoSuch { named })));
    bench.event(Answer::NotReviewed(None));
    let read = bench.state.conversation.transcript();
    assert!(
        read.contains("`nosuch` is no path here") && read.contains("nothing differs"),
        "{read}"
    );
}

#[test]
fn a_letter_read_together_with_esc_is_not_lost() {
    let mut bench = Bench::new(80, 24);
    bench.keys("alt-o");
    bench.types("nce more");
    assert_eq!(bench.prompt(), "once more");
    // Where the terminal says what Alt is, it was Alt and means nothing.
    let mut bench = Bench::new(80, 24);
    bench.kitty();
    bench.keys("alt-o");
    assert_eq!(bench.prompt(), "");
}

#[test]
fn a_server_that_was_found_can_be_chosen() {
    let mut bench = Bench::new(80, 24);
    let found = vec![crate::protocol::FoundServer {
        base_url: "http://127.0.0.1:8000/v1".to_owned(),
        models: ["one", "two"].map(found_model).to_vec(),
    }];
    bench.event(Answer::FirstStart { found });
    bench.types("/models\n");
    bench.keys("down enter");
    assert!(bench.commands().iter().any(|command| matches!(
        command,
        Command::UseServer { base_url, model } if base_url.ends_with(":8000/v1") && model == "two"
    )));
}

#[test]
fn a_command_that_was_sent_is_no_draft_of_the_session_it_opens() {
    let mut bench = Bench::new(80, 24);
    bench.types("/new\n");
    let commands = bench.commands();
    let place = |wanted: fn(&Command) -> bool| commands.iter().position(|command| wanted(command));
    let emptied = place(|command| matches!(command, Command::SaveDraft { text } if text.is_empty()));
    let opened = place(|command| matches!(command, Command::NewSession));
    assert!(emptied.is_some() && emptied < opened, "{commands:?}");
}

#[test]
fn up_before_the_history_is_there_counts_when_it_comes() {
    let history = || Answer::History(vec!["one".to_owned(), "two".to_owned()]);
    let mut bench = Bench::new(80, 24);
    bench.keys("up");
    bench.event(history());
    assert_eq!(bench.prompt(), "two");
    let mut bench = Bench::new(80, 24);
    bench.keys("up");
    bench.types("mine");
    bench.event(history());
    assert_eq!(bench.prompt(), "mine");
}

#[test]
fn ctrl_c_stops_the_turn_before_it_touches_the_draft_or_leaves() {
    let mut bench = Bench::new(80, 24);
    bench.types("half a thought");
    bench.event(Live::State(TurnState::Generating));
    bench.keys("ctrl-c");
    assert_eq!(bench.prompt(), "half a thought");
    assert_eq!(bench.commands().last(), Some(&&Command::Interrupt));
    bench.keys("ctrl-c");
    assert_eq!(bench.prompt(), "", "it stops already: now the draft is meant");
    assert!(!bench.ops.contains(&Op::Quit));
    bench.event(Live::State(TurnState::Interrupted));
    bench.keys("ctrl-c");
    assert!(bench.ops.contains(&Op::Quit));
}

#[test]
fn a_prompt_that_is_too_large_for_the_window_is_back_in_the_editor_with_the_reason_above_it() {
    let mut bench = Bench::new(80, 24);
    bench.types("a whole book\n");
    assert_eq!(bench.prompt(), "");
    bench.event(Answer::TooLarge {
        prompt: "a whole book".to_owned(),
        over: Overweight {
            used: 90,
            limit: 80,
            fixed: 0,
        },
    });
    assert_eq!(bench.prompt(), "a whole book");
    assert!(bench.screen().iter().any(|row| row.contains("about 90 tokens")));
    assert!(
        !bench.screen().iter().any(|row| row.contains("you")),
        "it is not in the log"
    );
}

#[test]
fn what_another_seat_tells_is_not_for_this_screen_until_it_takes_its_place() {
    let mut bench = Bench::new(80, 24);
    let other = crate::base::id::SeatId(bench.state.seat.0 + 1);
    let tell = |bench: &mut Bench, seat, event: Event| {
        let at = bench.now;
        bench.send(Msg::Agent { seat, event, at });
    };
    tell(&mut bench, other, Live::Text("of another".to_owned()).into());
    assert!(bench.screen().is_empty());
    let seat = bench.state.seat;
    tell(&mut bench, seat, Answer::Replaced(other).into());
    tell(&mut bench, other, Live::Text("of mine now".to_owned()).into());
    assert!(bench.screen().iter().any(|row| row.contains("of mine now")));
    tell(&mut bench, seat, Live::Text("too late".to_owned()).into());
    assert!(!bench.screen().iter().any(|row| row.contains("too late")));
}

#[test]
fn a_paste_that_was_folded_is_told_apart_and_comes_back_folded() {
    let mut bench = Bench::new(80, 24);
    let log = format!("{}@gone/file.txt\n", "line é\n".repeat(900));
    bench.types("  look at ");
    bench.send(Msg::Paste {
        text: log.clone(),
        at: bench.now,
    });
    bench.types(" please\n");
    let sent = bench.commands().into_iter().find_map(|command| match command {
        Command::Prompt { text, pasted, .. } => Some((text.clone(), pasted.clone())),
        _ => None,
    });
    let (text, pasted) = sent.unwrap();
    assert_eq!(pasted.len(), 1);
    assert_eq!(text.get(pasted[0].clone()), Some(log.as_str()));
    bench.event(Answer::Unread {
        prompt: text.clone(),
        mentions: Vec::new(),
    });
    let row = bench.state.prompt.buffer.view().rows[0].text.clone();
    assert!(row.starts_with("look at [paste 1: 901 lines]"), "{row}");
    assert_eq!(bench.prompt(), text);
}

#[test]
fn a_skill_named_like_a_command_is_the_models_and_one_that_cannot_be_read_says_why() {
    let offer = |name: &str, state| SkillOffer {
        kind: OfferKind::Skill,
        hint: String::new(),
        name: name.to_owned(),
        description: "what for".to_owned(),
        path: format!("/s/{name}/SKILL.md"),
        source: SkillSource::Person,
        tokens: 12,
        state,
        invocable: true,
    };
    let why = "it is too long".to_owned();
    let skills = vec![
        offer("compact", SkillState::Offered),
        offer("huge-one", SkillState::Broken { why }),
    ];
    let mut bench = Bench::new(80, 24);
    bench.state.prompt.learn_skills(&skills);
    bench.types("/compa");
    let items = &bench.state.prompt.completion.as_ref().unwrap().items;
    assert_eq!(items.len(), 1, "{items:?}");
    bench.keys("ctrl-u");
    bench.types("/huge-one now\n");
    assert!(prompts(&bench).is_empty());
    assert!(
        bench
            .screen()
            .iter()
            .any(|row| row.contains("`huge-one` is not read: it is too long")),
        "{:?}",
        bench.screen()
    );
    bench.keys("ctrl-u");
    bench.types("/skills\n");
    bench.event(Answer::Skills(skills));
    let Some(Dialog::Picker(picker)) = &bench.state.dialog else {
        panic!("no list of skills")
    };
    assert!(
        picker.items[0].detail.contains("`/compact` is a command"),
        "{}",
        picker.items[0].detail
    );
    assert!(
        picker.items[1].detail.contains("too long"),
        "{}",
        picker.items[1].detail
    );
}

#[test]
fn letters_and_enter_that_come_together_take_what_was_meant() {
    let mut bench = Bench::new(120, 40);
    bench.event(Answer::History(vec![
        "run the tests".to_owned(),
        "write a parser".to_owned(),
    ]));
    bench.keys("ctrl-r");
    let from = bench.state.now;
    for key in ["t", "e", "s", "t", "enter"] {
        let key = crate::keys::keymap::Chord::parse(key).unwrap().first;
        update(&mut bench.state, Msg::Key { key, at: from });
    }
    assert_eq!(bench.prompt(), "run the tests");
}

#[test]
fn a_command_with_more_behind_it_than_it_takes_does_nothing_and_stays_in_the_prompt() {
    for (line, said) in [
        ("/new hello", "`/new` takes only `beside` behind it; nothing was done"),
        ("/reload hello", "`/reload` takes nothing behind it; nothing was done"),
        (
            "/trust hello",
            "`/trust` takes only `files` behind it; nothing was done",
        ),
    ] {
        let mut bench = Bench::new(80, 24);
        bench.types(line);
        // The list of commands is closed.
        bench.keys("esc");
        let before = bench.ops.len();
        bench.keys("enter");
        assert_eq!(bench.state.prompt.buffer.text(), line);
        assert_eq!(bench.state.toast.as_ref().unwrap().text, said);
        let sent = bench.ops.iter().skip(before).filter(|op| matches!(op, Op::Send(_)));
        assert_eq!(sent.count(), 0, "{line}");
    }
}

#[test]
fn what_was_never_sent_stands_above_the_prompt_with_the_key_that_brings_it_back() {
    let mut bench = Bench::new(80, 24);
    let waits = |text: &str, waits_for| WaitingPrompt {
        text: text.to_owned(),
        waits_for,
    };
    bench.event(Live::Queued(vec![
        waits("/steer stop", WaitsFor::Person),
        waits("then test", WaitsFor::Person),
    ]));
    let cards = |bench: &Bench| -> Vec<String> {
        let rows = crate::app::cards::cards(&bench.state, 78);
        rows.into_iter().map(|(row, _)| row).collect()
    };
    let told = cards(&bench);
    assert!(told[0].contains("Up brings it back"), "{told:?}");
    assert_eq!(told[1..], ["not sent  /steer stop", "not sent  then test"]);
    bench.asks(edit("c1"));
    assert_eq!(
        cards(&bench),
        ["not sent  /steer stop"],
        "what is asked about comes before them"
    );
    let before = bench.ops.len();
    bench.keys("up");
    assert!(matches!(bench.ops[before..], [Op::Send(Command::Unqueue), ..]));
}

/// What stands above the prompt.
fn above(bench: &Bench) -> Vec<String> {
    let rows = crate::app::cards::cards(&bench.state, 78);
    rows.into_iter().map(|(row, _)| row).collect()
}

fn comes_back(bench: &mut Bench, texts: &[&str]) {
    for text in texts {
        let text = (*text).to_owned();
        bench.event(Answer::Unqueued { text });
    }
}

#[test]
fn what_a_stop_gives_back_stands_above_the_draft_and_up_shows_it_whatever_is_written() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(TurnState::Generating));
    bench.types("add tests\n");
    bench.types("mention netrc");
    bench.keys("alt-s");
    bench.types("half a draft");
    bench.keys("esc");
    comes_back(&mut bench, &["/steer mention netrc", "add tests"]);
    assert_eq!(
        above(&bench),
        ["taken back (Up)  add tests", "taken back (Up)  /steer mention netrc"]
    );
    let mut walked = Vec::new();
    for _ in 0..3 {
        bench.keys("up");
        walked.push(bench.prompt());
    }
    assert_eq!(
        walked,
        ["add tests", "/steer mention netrc", "/steer mention netrc"],
        "what was steered is there once"
    );
    bench.keys("down down");
    assert_eq!(bench.prompt(), "half a draft");
    assert_eq!(above(&bench).len(), 2, "until they are sent");
    bench.keys("up");
    bench.types("\n");
    assert_eq!(above(&bench), ["taken back (Up)  /steer mention netrc"]);
    bench.types("something else\n");
    assert_eq!(above(&bench), [] as [&str; 0]);
}

#[test]
fn what_came_back_into_an_empty_prompt_hides_nothing_of_what_came_with_it() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::State(TurnState::Generating));
    bench.types("first of two\n");
    bench.types("second of two\n");
    bench.keys("esc");
    comes_back(&mut bench, &["first of two", "second of two"]);
    assert_eq!(bench.prompt(), "first of two");
    bench.keys("up");
    assert_eq!(bench.prompt(), "second of two");
    bench.keys("down");
    assert_eq!(bench.prompt(), "first of two");
}

#[test]
fn a_long_paste_that_was_sent_stands_in_the_conversation_as_it_stood_in_the_prompt() {
    let mut bench = Bench::new(80, 24);
    let log: String = (1..=60).map(|n| format!("log line {n}\n")).collect();
    bench.types("why does this fail? ");
    bench.send(Msg::Paste {
        text: log.clone(),
        at: bench.now,
    });
    bench.types(" Be brief.");
    bench.keys("enter");
    let sent = bench.commands().into_iter().find_map(|command| match command {
        Command::Prompt { text, .. } => Some(text.clone()),
        _ => None,
    });
    bench.entry(Body::User {
        text: sent.unwrap(),
        mentions: Vec::new(),
        notes: Vec::new(),
    });
    let rows = |bench: &Bench| -> String {
        let rows = bench.state.conversation.rows().iter();
        let texts = rows.map(|row| row.line.spans.iter().map(|span| span.text.as_str()).collect::<String>());
        texts.collect::<Vec<_>>().join("\n")
    };
    bench.wait(0);
    let shown = rows(&bench);
    assert!(
        shown.contains("why does this fail? [paste 1: 60 lines]") && shown.contains("Be brief."),
        "{shown}"
    );
    assert!(!shown.contains("log line") && shown.contains("(o open)"), "{shown}");
    bench.keys("alt-2 up o");
    bench.wait(0);
    assert!(rows(&bench).contains("log line"), "{}", rows(&bench));
}
