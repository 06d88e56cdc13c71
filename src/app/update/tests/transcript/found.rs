//! Tests search in the conversation, and copying from it.

use super::*;
use crate::find::MOST_SOUGHT;
use crate::panes::conversation::Sought;

#[test]
fn find_goes_to_the_newest_hit_and_back() {
    let mut bench = Bench::new(80, 14);
    for n in 0..200 {
        bench.entry(answer(&format!("text {n}{}", if n % 50 == 7 { " needle" } else { "" })));
    }
    bench.keys("ctrl-f");
    bench.types("needle");
    bench.keys("enter");
    assert!(bench.screen().iter().any(|row| row.contains("text 157 needle")));
    let find = bench.state.screen.conversation.find.clone().unwrap();
    assert_eq!((find.hits, find.at), (4, 4));
    bench.keys("N");
    assert!(bench.screen().iter().any(|row| row.contains("text 107 needle")));
}

#[test]
fn find_goes_from_line_to_line_of_what_is_long() {
    let mut bench = Bench::new(80, 14);
    let lines: Vec<_> = (0..300)
        .map(|n| format!("line {n}{}", if n % 100 == 50 { " needle" } else { "" }))
        .collect();
    bench.entry(answer(&format!("```\n{}\n```", lines.join("\n"))));
    bench.entry(answer("the end"));
    bench.keys("ctrl-f");
    bench.types("needle");
    for (key, line, at) in [
        ("enter", 250, 3),
        ("N", 150, 2),
        ("N", 50, 1),
        ("N", 250, 3),
        ("n", 50, 1),
    ] {
        bench.keys(key);
        let shown = bench.screen();
        let row = shown
            .iter()
            .position(|row| row.contains(&format!("line {line} needle")));
        assert!(row.is_some_and(|row| (2..10).contains(&row)), "{key}: {shown:?}");
        let find = bench.state.screen.conversation.find.clone().unwrap();
        assert_eq!((find.hits, find.at), (3, at), "{key}");
    }
}

#[test]
fn lines_that_hold_the_words_are_counted_as_they_are_typed_and_of_a_long_conversation_in_what_is_newest() {
    let mut bench = Bench::new(80, 14);
    let sought = |bench: &Bench| {
        bench
            .state
            .screen
            .conversation
            .find
            .as_ref()
            .and_then(|find| find.sought)
    };
    for text in ["one needle", "nothing", "needle, needle\nand a needle"] {
        bench.entry(answer(text));
    }
    bench.keys("ctrl-f");
    assert_eq!(sought(&bench), None);
    bench.types("needl");
    assert_eq!(sought(&bench), Some(Sought::All(3)));
    bench.types("x");
    assert_eq!(sought(&bench), Some(Sought::All(0)));
    bench.keys("esc");
    let long = "words\n".repeat(MOST_SOUGHT / 6 + 1);
    bench.entry(result("long", "bash", "make", CallStatus::Ok, "", &long));
    bench.entry(answer("the last needle"));
    bench.keys("ctrl-f");
    bench.types("needle");
    assert_eq!(sought(&bench), Some(Sought::Newest(1)));
    bench.keys("enter");
    let find = bench.state.screen.conversation.find.clone().unwrap();
    assert_eq!((find.hits, find.at), (4, 4), "whoever goes there counts all");
}

#[test]
fn what_arrives_while_the_find_line_is_open_is_counted_but_not_at_every_piece() {
    let mut bench = Bench::new(80, 14);
    let find = |bench: &Bench| bench.state.screen.conversation.find.clone().unwrap();
    bench.entry(user("count"));
    bench.keys("ctrl-f");
    bench.types("word45");
    stream(&mut bench, "word44\n");
    stream(&mut bench, "word45\n");
    assert_eq!(
        find(&bench).sought,
        Some(Sought::All(0)),
        "a piece was counted just now"
    );
    assert!(bench.ops.contains(&Op::WakeAt(Time(bench.now.0 + 250))));
    bench.wait(250);
    assert_eq!(find(&bench).sought, Some(Sought::All(1)));
    bench.state.dirty = false;
    bench.wait(1_000);
    assert!(!bench.state.dirty, "nothing came, nothing is drawn");
    bench.keys("enter");
    assert_eq!((find(&bench).hits, find(&bench).at), (1, 1));
    stream(&mut bench, "word45 once more\n");
    assert_eq!((find(&bench).hits, find(&bench).at), (2, 1), "one stays where one went");
}

#[test]
fn what_was_not_found_is_counted_once_it_arrives() {
    let mut bench = Bench::new(80, 14);
    let hits = |bench: &Bench| {
        bench
            .state
            .screen
            .conversation
            .find
            .as_ref()
            .map(|find| (find.hits, find.at))
    };
    bench.entry(user("count"));
    bench.keys("ctrl-f");
    bench.types("word45");
    bench.keys("enter");
    assert_eq!(hits(&bench), Some((0, 0)));
    stream(&mut bench, "word45\n");
    assert_eq!(hits(&bench), Some((1, 0)));
}

fn streams(bench: &mut Bench, lines: std::ops::Range<usize>) {
    for n in lines {
        let needle = if n % 3 == 0 { "needle " } else { "" };
        stream(bench, &format!("Line {n} {needle}.\n\n"));
    }
}

#[test]
fn a_hit_in_a_reply_that_arrives_is_shown_at_once_and_stays_in_view() {
    let mut bench = Bench::new(80, 24);
    let shows = |bench: &Bench| bench.screen().iter().any(|row| row.contains("Line 13 ."));
    bench.entry(user("count"));
    streams(&mut bench, 0..60);
    bench.keys("ctrl-f");
    bench.types("line 13 .");
    assert!(!shows(&bench), "{:?}", bench.screen());
    bench.keys("enter");
    assert!(shows(&bench), "{:?}", bench.screen());
    let held = bench.screen();
    streams(&mut bench, 60..90);
    assert_eq!(bench.screen(), held);
    assert!(bench.state.screen.conversation.new_lines.is_some_and(|new| new >= 50));
    bench.keys("pagedown");
    assert!(!shows(&bench), "{:?}", bench.screen());
    bench.keys("n");
    assert!(shows(&bench), "the only one is gone to again: {:?}", bench.screen());
    bench.keys("G");
    streams(&mut bench, 90..95);
    assert!(bench.screen().iter().any(|row| row.contains("Line 94 ")));
}

#[test]
fn where_a_hit_is_in_view_already_the_view_stays() {
    for up in ["pageup pageup", "pagedown"] {
        let mut bench = Bench::new(80, 24);
        bench.entry(user("count"));
        streams(&mut bench, 0..61);
        bench.keys(up);
        bench.keys("ctrl-f");
        bench.types("needle");
        let before = bench.screen();
        bench.keys("enter");
        assert_eq!(bench.screen(), before, "{up}");
        streams(&mut bench, 61..80);
        assert_eq!(bench.screen(), before, "{up}");
        let at = bench.state.screen.conversation.find.as_ref().unwrap().at;
        let newest = before.iter().rfind(|row| row.contains("needle")).unwrap();
        assert!(newest.contains(&format!("Line {} ", (at - 1) * 3)), "{at}: {newest}");
        bench.keys("N N N N N");
        let older = format!("Line {} needle", (at - 6) * 3);
        assert!(bench.screen().iter().any(|row| row.contains(&older)), "{older}");
    }
}

#[test]
fn a_hit_in_view_stays_where_it_is_while_the_rest_of_its_output_is_opened() {
    let mut bench = Bench::new(80, 24);
    for n in 0..30 {
        bench.entry(answer(&format!("text {n}")));
    }
    let output: String = (0..30).map(|n| format!("row {n} needle\n")).collect();
    bench.entry(result("one", "bash", "make", CallStatus::Ok, "", &output));
    for n in 0..8 {
        bench.entry(answer(&format!("more {n}")));
    }
    bench.keys("pageup ctrl-f");
    bench.types("needle");
    let at = |bench: &Bench| bench.screen().iter().position(|row| row.contains("row 29 needle"));
    let before = at(&bench);
    assert!(before.is_some(), "{:?}", bench.screen());
    bench.keys("enter");
    assert_eq!(at(&bench), before, "{:?}", bench.screen());
    let find = bench.state.screen.conversation.find.as_ref().unwrap();
    assert_eq!((find.hits, find.at), (30, 30));
}

#[test]
fn copying_gives_what_was_said() {
    let mut bench = Bench::new(60, 20);
    let said = "```rust\nfn very_long_line_that_is_wrapped_on_the_screen() -> Result<(), Error> {}\n```";
    bench.entry(answer(said));
    bench.keys("alt-2 y");
    assert!(bench.ops.contains(&Op::Copy {
        text: said.into(),
        what: "message".to_owned()
    }));
}

#[test]
fn the_last_answer_is_copied_by_a_command_whatever_is_chosen() {
    let mut bench = Bench::new(60, 20);
    bench.types("/copy\n");
    assert!(!bench.ops.iter().any(|op| matches!(op, Op::Copy { .. })));
    assert_eq!(bench.state.screen.toast.as_ref().unwrap().text, "Nothing to copy yet.");
    for body in [answer("first"), answer("last **one** 終"), user("more")] {
        bench.entry(body);
    }
    bench.keys("alt-2 up up up alt-3");
    bench.types("/copy\n");
    assert!(bench.ops.contains(&Op::Copy {
        text: "last **one** 終".into(),
        what: "answer".to_owned()
    }));
}
