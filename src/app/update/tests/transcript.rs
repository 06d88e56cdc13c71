//! Tests how events of the engine are shown in the conversation.

mod found;

use super::*;
use crate::msg::MouseKind;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::history::LetGo;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::Opened;

fn model() -> ModelRef {
    ModelRef {
        provider: "local".to_owned(),
        id: "m".to_owned(),
    }
}

pub(super) fn answer(text: &str) -> Body {
    Body::Assistant {
        text: text.to_owned(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls: Vec::new(),
        model: model(),
        usage: None,
        error: None,
    }
}

pub(super) fn result(call: &str, tool: &str, title: &str, status: CallStatus, summary: &str, output: &str) -> Body {
    Body::ToolResult {
        call: CallId(call.to_owned()),
        tool: tool.to_owned(),
        title: title.to_owned(),
        status,
        summary: Summary::Words(summary.to_owned()),
        output: output.to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 10,
        places: Vec::new(),
        images: Vec::new(),
    }
}

pub(super) fn stream(bench: &mut Bench, text: &str) {
    bench.event(Live::Text(text.to_owned()));
}

pub(super) fn user(text: &str) -> Body {
    Body::User {
        text: text.to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    }
}

#[test]
fn a_turn_reads_plan_tools_answer() {
    let mut bench = Bench::new(80, 30);
    bench.entry(user("The total is wrong."));
    bench.entry(result("1", "read", "src/money.rs", CallStatus::Ok, "112 lines", "…"));
    bench.entry(result(
        "2",
        "bash",
        "cargo test",
        CallStatus::Error,
        "exit 101",
        &format!("{}error: left 1, right 2\nend", "noise\n".repeat(30)),
    ));
    bench.entry(answer("It is **fixed**."));
    let screen = bench.screen();
    let has = |text: &str| assert!(screen.iter().any(|row| row.contains(text)), "{text}: {screen:#?}");
    has("you");
    has("The total is wrong.");
    assert!(
        screen
            .iter()
            .any(|row| row.starts_with("✓ read   src/money.rs") && row.ends_with("112 lines")),
        "{screen:#?}"
    );
    has("✗ bash   cargo test");
    has("┊ error: left 1, right 2");
    has("(o open)");
    has("answer");
    has("It is fixed.");
}

#[test]
fn a_row_says_once_how_a_command_ended_and_hides_no_single_line() {
    let mut bench = Bench::new(80, 30);
    bench.entry(result(
        "1",
        "bash",
        "sh check.sh",
        CallStatus::Ok,
        "exit 0 0.1s",
        "one\ntwo\nthree\nfour\n[exit 0, 0.1s]",
    ));
    let screen = bench.screen();
    let shown: Vec<&str> = screen
        .iter()
        .filter_map(|row| row.trim_start().strip_prefix("┊ "))
        .collect();
    assert_eq!(shown, ["one", "two", "three", "four"], "{screen:#?}");
    bench.entry(result(
        "2",
        "bash",
        "true",
        CallStatus::Ok,
        "exit 0 0.1s",
        "one\n[exit 1, 0.1s]",
    ));
    assert!(
        bench.screen().iter().any(|row| row.contains("[exit 1, 0.1s]")),
        "not what the row says"
    );
}

#[test]
fn what_streamed_is_what_stays() {
    let text = "# Head\n\nSome *text*.\n\n```rust\nfn f() {}\n```\n\n- a\n- b\n";
    let mut bench = Bench::new(80, 40);
    bench.entry(user("go"));
    for c in text.chars() {
        stream(&mut bench, &c.to_string());
    }
    let streamed = bench.screen();
    bench.entry(answer(text));
    let settled = bench.screen();
    assert_eq!(settled.len(), streamed.len());
    let body = |rows: &[String]| {
        rows.iter()
            .filter(|row| *row != "writing" && *row != "answer")
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(body(&settled), body(&streamed));
    let mut fresh = Bench::new(80, 40);
    fresh.entry(user("go"));
    fresh.entry(answer(text));
    assert_eq!(body(&fresh.screen()), body(&settled));
}

#[test]
fn the_view_does_not_move_while_one_reads() {
    let mut bench = Bench::new(80, 20);
    for n in 0..50 {
        bench.entry(answer(&format!("answer number {n}")));
    }
    bench.keys("pageup");
    let before = bench.screen();
    for n in 0..500 {
        stream(&mut bench, &format!("line {n}\n"));
        assert_eq!(bench.screen(), before);
    }
    assert!(bench.state.screen.conversation.new_lines.unwrap() >= 500);
    bench.keys("pagedown pagedown alt-2 G");
    assert!(bench.state.screen.conversation.follows());
    assert!(
        bench.screen().last().unwrap().contains("line 499"),
        "{:#?}",
        bench.screen()
    );
}

#[test]
fn the_first_row_survives_a_resize() {
    let mut bench = Bench::new(120, 30);
    for n in 0..50 {
        bench.entry(answer(&format!(
            "{} number {n}",
            "some words that wrap at a narrow width, ".repeat(6)
        )));
    }
    bench.keys("pageup pageup");
    let mark = bench
        .screen()
        .iter()
        .find_map(|row| row.split("number ").nth(1).map(str::to_owned))
        .unwrap();
    for (width, height) in [(60, 20), (45, 12), (140, 50), (120, 30)] {
        bench.send(Msg::Resize { width, height });
        let shown = bench.screen().join(" ");
        assert!(
            shown.contains(&format!("number {mark}")) || shown.contains("some words"),
            "{width}"
        );
    }
    assert!(!bench.state.screen.conversation.follows());
}

#[test]
fn how_a_call_failed_is_said_to_the_person_and_what_the_model_reads_is_a_key_away() {
    let failed = |code: &str, output: &str| {
        let mut bench = Bench::new(60, 24);
        bench.entry(Body::ToolResult {
            call: CallId("1".to_owned()),
            tool: "edit".to_owned(),
            title: "README.md".to_owned(),
            status: CallStatus::Error,
            summary: Summary::Failed { code: code.to_owned() },
            output: output.to_owned(),
            truncated: false,
            notes: Vec::new(),
            took_ms: 3,
            places: Vec::new(),
            images: Vec::new(),
        });
        bench
    };
    let text = "hunk_failed: hunk 1 for `README.md` (line 5 of the patch) does not fit. Read it again.";
    let mut bench = failed("hunk_failed", text);
    let screen = bench.screen().join("\n");
    assert!(
        screen.contains("hunk does not apply") && screen.contains("Nothing was changed: a hunk"),
        "{screen}"
    );
    assert!(
        !screen.contains("hunk_failed") && !screen.contains("Read it again"),
        "{screen}"
    );
    bench.keys("alt-2 o");
    let screen = bench.screen().join("\n");
    assert!(screen.contains("hunk 1 for `README.md`"), "{screen}");
    assert!(!screen.contains("hunk_failed"), "the row says it: {screen}");

    let why = "not_read: `README.md` could not be read, because the system says that it holds a lock on it.";
    let screen = failed("not_read", why).screen();
    let said: Vec<&str> = screen
        .iter()
        .filter_map(|row| Some(row.split_once("┊ ")?.1.trim_end_matches(['│', ' '])))
        .collect();
    assert_eq!(
        format!("not_read: {}", said.join(" ")),
        why,
        "whole, and broken between words"
    );
}

#[test]
fn a_call_whose_result_was_never_written_says_so() {
    let mut bench = Bench::new(80, 24);
    let entry = |id, body| {
        Arc::new(Entry {
            id: EntryId(id),
            turn: TurnId(1),
            time: Time(0),
            body,
        })
    };
    let started = Body::CallStarted {
        call: CallId("1".to_owned()),
        tool: "bash".to_owned(),
        title: "make".to_owned(),
        files: Vec::new(),
    };
    let opened = Opened {
        skills: Vec::new(),
        meta: SessionMeta {
            id: benchdog_base::id::SessionId("s".to_owned()),
            title: String::new(),
            workspace: "/w".to_owned(),
            created: Time(0),
            updated: Time(0),
            model: None,
            agent: AgentName::default(),
            entries: 2,
            window: None,
            parent: None,
            tag: None,
            forked_from: None,
        },
        worktree: None,
        gone: LetGo::default(),
        entries: vec![entry(1, user("go")), entry(2, started)],
        model: None,
        todo: Default::default(),
        plan: None,
        tools: Arc::default(),
    };
    bench.event(Answer::Opened(Arc::new(opened)));
    bench.event(Answer::Draft {
        text: "half a thought".to_owned(),
        written: None,
    });
    assert!(
        bench
            .screen()
            .iter()
            .any(|row| row.starts_with("? bash") && row.ends_with("result unknown"))
    );
    assert_eq!(bench.prompt(), "half a thought");
}

#[test]
fn an_interrupted_turn_says_so_and_takes_back_what_no_entry_confirmed() {
    let mut bench = Bench::new(80, 24);
    stream(&mut bench, "half an ans");
    bench.entry(Body::TurnEnded {
        outcome: TurnOutcome::Interrupted,
        steps: 1,
        usage: Usage::default(),
    });
    assert_eq!(
        bench.screen().iter().filter(|row| !row.is_empty()).collect::<Vec<_>>(),
        ["■ interrupted"]
    );
}

#[test]
fn hostile_output_is_harmless() {
    let mut bench = Bench::new(80, 24);
    bench.entry(result(
        "1",
        "bash",
        "cat \u{1b}[2Jx",
        CallStatus::Error,
        "exit 1",
        "\u{1b}]0;owned\u{7}a\u{202e}b\rc",
    ));
    let all = bench.screen().join("\n");
    assert!(!all.contains(|c: char| c.is_control() && c != '\n'));
    assert!(!all.contains('\u{202e}'));
}

#[test]
fn rows_never_exceed_the_width_of_their_pane() {
    for width in [20, 41, 80, 121, 200] {
        let mut bench = Bench::new(width, 40);
        bench.entry(user("購物車有優惠券時，總額不對。😀👨\u{200d}👩\u{200d}👧 한국어 test"));
        bench.entry(result(
            "1",
            "bash",
            &"漢".repeat(200),
            CallStatus::Error,
            "exit 1",
            &"長い行".repeat(100),
        ));
        bench.entry(answer("| a | b |\n|---|---|\n| 漢字漢字漢字漢字 | x |\n\n```\nlong code line long code line long code line long code\n```"));
        let room = bench
            .state
            .layout
            .conversation
            .map_or(0, |rect| usize::from(rect.width));
        for row in bench.state.screen.conversation.rows() {
            assert!(row.line.width() <= room, "{width}: {:?}", row.line.text());
        }
    }
}

#[test]
fn output_opens_and_folds() {
    let mut bench = Bench::new(80, 30);
    bench.entry(result(
        "1",
        "bash",
        "seq 9",
        CallStatus::Ok,
        "exit 0",
        "1\n2\n3\n4\n5\n6\n7\n8\n9",
    ));
    assert!(bench.screen().iter().any(|row| row.contains("… 6 lines")));
    bench.keys("alt-2 o");
    assert!(bench.screen().iter().any(|row| row.ends_with("┊ 9")));
    bench.keys("o");
    assert!(bench.screen().iter().any(|row| row.contains("… 6 lines")));
}

#[test]
fn random_sizes_and_keys_never_break_it() {
    let mut seed = 11_u64;
    let mut roll = |sides: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % sides
    };
    let keys = [
        "a",
        "y",
        "漢",
        "enter",
        "esc",
        "tab",
        "up",
        "down",
        "pageup",
        "pagedown",
        "alt-1",
        "alt-2",
        "alt-3",
        "alt-4",
        "alt-5",
        "alt-6",
        "alt-a",
        "ctrl-p",
        "f1",
        "ctrl-f",
        "ctrl-n",
        "ctrl-t",
        "ctrl-w",
        "ctrl-x",
        "G",
        "g",
        "o",
        "u",
        "w",
        "]",
        "space",
        "@",
        "/",
        "ctrl-_",
        "ctrl-c",
        "backspace",
        "left",
        "j",
        "k",
    ];
    let mut bench = Bench::new(80, 24);
    for step in 0..6_000_u64 {
        match roll(12) {
            0 => bench.send(Msg::Resize {
                width: u16::try_from(roll(200)).unwrap(),
                height: u16::try_from(roll(60)).unwrap(),
            }),
            1 => stream(&mut bench, "some *text* 漢字\n\n"),
            2 => bench.entry(answer("done\n\n| a |\n|---|\n| b |")),
            3 => bench.asks(edit(&format!("c{step}"))),
            4 => bench.wait(i64::try_from(roll(1_200)).unwrap()),
            5 | 6 => bench.send(Msg::Mouse {
                kind: [
                    MouseKind::Press,
                    MouseKind::Drag,
                    MouseKind::Release,
                    MouseKind::ScrollUp,
                ][usize::try_from(roll(4)).unwrap()],
                x: u16::try_from(roll(200)).unwrap(),
                y: u16::try_from(roll(60)).unwrap(),
                at: bench.now,
            }),
            _ => {
                let key = keys[usize::try_from(roll(keys.len() as u64)).unwrap()];
                bench.keys(key);
            }
        }
    }
    bench.send(Msg::Resize { width: 120, height: 40 });
}
