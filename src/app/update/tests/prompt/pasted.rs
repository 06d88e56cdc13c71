//! Tests of pastes: folded in the prompt, sent as a whole, and shown unchanged.

use super::*;

#[test]
fn a_big_paste_is_a_chip_and_sent_whole() {
    let mut bench = Bench::new(80, 24);
    let text = "line\n".repeat(100);
    bench.send(Msg::Paste {
        text: text.clone(),
        at: bench.now,
    });
    assert_eq!(
        bench.state.screen.prompt.buffer.view().rows[0].text,
        "[paste 1: 100 lines]"
    );
    bench.keys("enter");
    assert_eq!(prompts(&bench), [(text.trim(), Delivery::Queue)]);
}

#[test]
fn a_paste_of_more_than_forty_lines_is_folded_and_a_smaller_one_stands_as_it_is() {
    for (lines, folded) in [(40, 0), (41, 1)] {
        let mut bench = Bench::new(80, 24);
        bench.send(Msg::Paste {
            text: "line\n".repeat(lines),
            at: bench.now,
        });
        assert_eq!(bench.state.screen.prompt.buffer.folded().len(), folded, "{lines} lines");
    }
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
    let folded = |bench: &Bench| bench.state.screen.prompt.buffer.folded().len();
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
    let row = bench.state.screen.prompt.buffer.view().rows[0].text.clone();
    assert!(row.starts_with("look at [paste 1: 901 lines]"), "{row}");
    assert_eq!(bench.prompt(), text);
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
        let rows = bench.state.screen.conversation.rows().iter();
        let texts = rows.map(|row| row.line.spans.iter().map(|span| span.text.as_str()).collect::<String>());
        texts.collect::<Vec<_>>().join("\n")
    };
    bench.wait(0);
    let shown = rows(&bench);
    assert!(
        shown.contains("why does this fail? [paste 1: 60 lines]") && shown.contains("Be brief."),
        "{shown}"
    );
    assert!(
        !shown.contains("log line") && shown.contains("┄ 60 lines  (o open)"),
        "{shown}"
    );
    bench.keys("alt-2 up o");
    bench.wait(0);
    assert!(rows(&bench).contains("log line"), "{}", rows(&bench));
}

#[test]
fn a_prompt_that_is_opened_stays_where_it_was_and_folded_again_lets_the_view_follow() {
    let mut bench = Bench::new(80, 24);
    let log: String = (1..=60).map(|n| format!("log line {n}\n")).collect();
    bench.types("why does this fail? ");
    bench.send(Msg::Paste {
        text: log.clone(),
        at: bench.now,
    });
    bench.keys("enter");
    bench.entry(Body::User {
        text: format!("why does this fail? {}", log.trim_end()),
        mentions: Vec::new(),
        notes: Vec::new(),
    });
    bench.wait(0);
    let place = |bench: &Bench, text: &str| bench.screen().iter().position(|row| row.contains(text));
    let asked = |bench: &Bench| place(bench, "why does this fail?");
    let folded = asked(&bench);
    assert!(folded.is_some(), "{:?}", bench.screen());
    bench.keys("alt-2 up o");
    bench.wait(0);
    assert!(
        place(&bench, "log line 2").is_some(),
        "it is open: {:?}",
        bench.screen()
    );
    assert_eq!(asked(&bench), folded, "{:?}", bench.screen());
    bench.keys("o");
    bench.wait(0);
    assert_eq!((asked(&bench), place(&bench, "log line 2")), (folded, None));
    assert!(bench.state.screen.conversation.follows(), "all of it is in view again");
}
