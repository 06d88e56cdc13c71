//! Tests typing, sending, and the prompt history.

mod completed;
mod pasted;
mod returned;

use super::*;
use crate::panes::prompt::buffer::LONGEST_TEXT;
use crate::picture::Old;
use benchdog_domain::comparison::NoComparison;
use benchdog_protocol::{Delivery, Everyday};

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
fn a_letter_makes_the_rows_of_the_prompt_old_and_nothing_else_as_long_as_nothing_else_shows_it() {
    let mut bench = Bench::new(80, 24);
    let old_after = |bench: &mut Bench, keys: &str| {
        bench.state.take_old();
        bench.keys(keys);
        bench.state.take_old()
    };
    assert_eq!(
        old_after(&mut bench, "a"),
        Old::All,
        "the hint of the empty prompt goes"
    );
    assert_eq!(old_after(&mut bench, "b"), Old::Prompt);
    assert_eq!(old_after(&mut bench, "字"), Old::Prompt);
    assert_eq!(old_after(&mut bench, "left"), Old::All, "no letter");
    bench.keys("space");
    assert_eq!(old_after(&mut bench, "@"), Old::All, "names are completed");
    assert_eq!(old_after(&mut bench, "c"), Old::All, "they still are");
    bench.keys("ctrl-u a");
    bench.state.say("copied", false);
    assert_eq!(old_after(&mut bench, "b"), Old::All, "something is said");
    bench.wait(5_000);
    assert_eq!(old_after(&mut bench, "c"), Old::Prompt);
    bench.event(Live::State(TurnState::Generating));
    assert_eq!(old_after(&mut bench, "d"), Old::All, "a clock runs");
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
    bench.event(Live::State(benchdog_protocol::TurnState::Generating));
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
    let said = |bench: &Bench| bench.state.screen.toast.as_ref().unwrap().text.clone();
    assert_eq!(said(&bench), "Unknown command `/modles`. Did you mean `/models`?");
    bench.keys("ctrl-u");
    bench.types("/zzzz\n");
    assert_eq!(said(&bench), "Unknown command `/zzzz`. Type `/` to list all.");
    bench.keys("ctrl-u");
    bench.types("/qqqq-wwww\n");
    assert_eq!(said(&bench), "Unknown command `/qqqq-wwww`. Type `/` to list all.");
    assert_eq!(prompts(&bench).len(), 1);
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
fn the_caret_of_the_prompt_is_where_typing_goes() {
    let mut bench = Bench::new(80, 24);
    bench.types("漢字 ok");
    bench.keys("left left left");
    assert_eq!(bench.state.screen.prompt.buffer.view().caret, (4, 0));
    bench.keys("backspace");
    assert_eq!(bench.prompt(), "漢 ok");
    assert_eq!(bench.state.screen.prompt.buffer.view().caret, (2, 0));
}

#[test]
fn ctrl_x_and_a_number_goes_to_a_pane_and_ctrl_w_deletes_a_word() {
    let mut bench = Bench::new(140, 40);
    bench.keys("ctrl-x 2");
    assert_eq!(bench.state.screen.focus, crate::layout::Pane::Conversation);
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
        unbound: Vec::new(),
        repository: None,
    });
    bench.types("a");
    assert_eq!(bench.commands(), [] as [&Command; 0]);
    bench.state.screen.trust = None;
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
    let read = bench.state.screen.conversation.transcript();
    assert!(
        read.contains("`nosuch` is neither a path here") && read.contains("no differences"),
        "{read}"
    );
}

#[test]
fn a_letter_read_together_with_esc_is_not_lost() {
    let mut bench = Bench::new(80, 24);
    bench.keys("alt-o");
    bench.types("nce more");
    assert_eq!(bench.prompt(), "once more");
    // With the kitty protocol, Alt is reported reliably, so the key has no meaning.
    let mut bench = Bench::new(80, 24);
    bench.kitty();
    bench.keys("alt-o");
    assert_eq!(bench.prompt(), "");
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
fn what_another_seat_tells_is_not_for_this_screen_until_it_takes_its_place() {
    let mut bench = Bench::new(80, 24);
    let other = benchdog_base::id::SeatId(bench.state.screen.seat.0 + 1);
    let tell = |bench: &mut Bench, seat, event: Event| {
        let at = bench.now;
        bench.send(Msg::Agent { seat, event, at });
    };
    tell(&mut bench, other, Live::Text("of another".to_owned()).into());
    assert!(bench.screen().is_empty());
    let seat = bench.state.screen.seat;
    tell(&mut bench, seat, Answer::Replaced(other).into());
    tell(&mut bench, other, Live::Text("of mine now".to_owned()).into());
    assert!(bench.screen().iter().any(|row| row.contains("of mine now")));
    tell(&mut bench, seat, Live::Text("too late".to_owned()).into());
    assert!(!bench.screen().iter().any(|row| row.contains("too late")));
}

#[test]
fn a_command_with_more_behind_it_than_it_takes_does_nothing_and_stays_in_the_prompt() {
    for (line, said) in [
        ("/new hello", "Not run: `/new` accepts only `beside`."),
        ("/reload hello", "Not run: `/reload` takes no arguments."),
        ("/trust hello", "Not run: `/trust` accepts only `files | repository`."),
    ] {
        let mut bench = Bench::new(80, 24);
        bench.types(line);
        bench.keys("esc");
        let before = bench.ops.len();
        bench.keys("enter");
        assert_eq!(bench.state.screen.prompt.buffer.text(), line);
        assert_eq!(bench.state.screen.toast.as_ref().unwrap().text, said);
        let sent = bench.ops.iter().skip(before).filter(|op| matches!(op, Op::Send(_)));
        assert_eq!(sent.count(), 0, "{line}");
    }
}

#[test]
fn a_prompt_that_is_full_took_no_letter_of_what_is_looked_for_either() {
    let mut bench = Bench::new(80, 24);
    let text = "x\n".repeat(LONGEST_TEXT / 2);
    bench.state.screen.prompt.buffer.insert(&text);
    bench.types("y");
    assert_eq!(bench.state.screen.prompt.buffer.size(), LONGEST_TEXT, "it is full");
    assert!(bench.state.screen.toast.is_some());
    bench.keys("ctrl-f");
    bench.types("ab");
    let find = bench.state.screen.conversation.find.as_ref().unwrap();
    assert_eq!(find.query, "ab");
}
