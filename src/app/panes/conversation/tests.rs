use super::heights::Heights;
use super::*;
use crate::find::MOST_SOUGHT;
use crate::markdown::Document;
use benchdog_base::id::{EntryId, SessionId, TurnId};
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::child::ChildEntry;
use benchdog_domain::summary::{Change, Kept, Summary};

#[test]
fn sums_of_heights_stay_right_whatever_changes() {
    let mut heights = Heights::default();
    let mut plain: Vec<usize> = Vec::new();
    for n in 0..200 {
        heights.push(n % 7);
        plain.push(n % 7);
        let index = n * 31 % plain.len();
        heights.set(index, n % 11);
        plain[index] = n % 11;
        for count in [0, 1, n / 2, n + 1] {
            assert_eq!(heights.before(count), plain.iter().take(count).sum::<usize>());
        }
    }
    assert_eq!(heights.total(), plain.iter().sum::<usize>());
}

fn sought(conversation: &mut Conversation, word: &str) -> Option<Sought> {
    conversation.find_open();
    conversation.find_edit(|query| word.clone_into(query));
    conversation.find.as_ref().and_then(|find| find.sought)
}

#[test]
fn of_many_short_blocks_the_newest_are_looked_through_at_each_key() {
    let mut conversation = Conversation::default();
    conversation.remark("needle");
    for _ in 1..MOST_BLOCKS {
        conversation.remark("");
    }
    assert_eq!(sought(&mut conversation, "needle"), Some(Sought::All(1)));
    conversation.remark("");
    assert_eq!(sought(&mut conversation, "needle"), Some(Sought::Newest(0)));
}

#[test]
fn what_is_too_long_for_one_key_is_not_cleaned_to_know_its_length() {
    let colour = "\u{1b}[m";
    let body = Body::User {
        text: format!("{}needle", colour.repeat(MOST_SOUGHT / colour.len())),
        mentions: Vec::new(),
        notes: Vec::new(),
    };
    let mut conversation = Conversation::default();
    conversation.entry(&Arc::new(Entry {
        id: EntryId(1),
        turn: TurnId(1),
        time: Time(0),
        body,
    }));
    conversation.remark("a newer needle");
    assert_eq!(sought(&mut conversation, "needle"), Some(Sought::Newest(1)));
}

fn wrote(text: &str, unfinished: &str) -> OutputChunk {
    OutputChunk {
        call: CallId("1".to_owned()),
        text: text.to_owned(),
        unfinished: unfinished.to_owned(),
    }
}

#[test]
fn the_line_that_has_not_ended_is_shown_as_it_stands_at_its_end() {
    let mut conversation = Conversation::default();
    let call = CallId("1".to_owned());
    conversation.tool_started(&call, "bash", "ask", Time(0));
    let mut rows = |chunk: OutputChunk| {
        conversation.tool_output(&chunk);
        conversation.arrange(30, 4, Time(0));
        let rows = conversation
            .rows()
            .iter()
            .map(|row| row.line.text().trim_start().to_owned());
        rows.filter(|row| row.starts_with('┊')).collect::<Vec<_>>()
    };
    assert_eq!(rows(wrote("a\nb\nc\nd\n", "10%")), ["┊ c", "┊ d", "┊ 10%"]);
    assert_eq!(rows(wrote("", "20%")), ["┊ c", "┊ d", "┊ 20%"]);
    let long = rows(wrote("", &format!("{} Continue? ", "long ".repeat(20))));
    assert!(long.last().is_some_and(|row| row.ends_with("Continue?")), "{long:?}");
    assert_eq!(rows(wrote("e\n", "")), ["┊ c", "┊ d", "┊ e"]);
}

#[test]
fn a_running_call_that_is_opened_shows_all_that_is_at_hand() {
    let mut conversation = Conversation::default();
    conversation.tool_started(&CallId("1".to_owned()), "bash", "make", Time(0));
    conversation.tool_output(&wrote("a\nb\nc\nd\ne\n", "f"));
    let mut shown = |open: bool| {
        conversation.change_tool(0, |_| ());
        conversation.blocks[0].open = open;
        conversation.arrange(30, 6, Time(0));
        let rows = conversation.rows().iter().map(|row| row.line.text());
        rows.filter(|row| row.trim_start().starts_with('┊')).count()
    };
    assert_eq!((shown(false), shown(true)), (4, 6));
}

#[test]
fn a_running_call_shows_as_much_as_is_free_and_moves_no_row_above_it() {
    let seen = |above: usize, height: u16| {
        let mut conversation = Conversation::default();
        for n in 0..above {
            conversation.remark(&format!("remark {n}"));
        }
        conversation.tool_started(&CallId("1".to_owned()), "bash", "make", Time(0));
        conversation.arrange(40, height, Time(0));
        let texts = |conversation: &Conversation| -> Vec<String> {
            let rows = conversation.rows().iter();
            rows.map(|row| row.line.text().trim().to_owned()).collect()
        };
        let before = texts(&conversation);
        for n in 0..40 {
            conversation.tool_output(&wrote(&format!("line {n}\n"), ""));
            conversation.arrange(40, height, Time(0));
        }
        let after = texts(&conversation);
        let moved = before.iter().zip(&after).filter(|(was, is)| was != is).count();
        let lines: Vec<String> = after.into_iter().filter(|row| row.starts_with('┊')).collect();
        assert_eq!(lines.last().map(String::as_str), Some("┊ line 39"));
        (lines.len(), moved)
    };
    assert_eq!(seen(0, 40), (12, 0), "never more than of what failed");
    assert_eq!(seen(1, 10), (6, 0), "all that is free");
    assert_eq!(seen(10, 10).0, 3, "what is shown in any case");
}

#[test]
fn a_call_that_became_another_is_named_as_what_it_is_now() {
    let mut conversation = Conversation::default();
    let call = CallId("1".to_owned());
    conversation.tool_waits(&call, "write", "new.txt");
    conversation.tool_started(&call, "write", "other.txt", Time(0));
    conversation.arrange(60, 10, Time(0));
    let rows: String = conversation.rows().iter().map(|row| row.line.text()).collect();
    assert!(rows.contains("other.txt") && !rows.contains("new.txt"), "{rows}");
}

#[test]
fn a_call_below_a_command_of_the_persons_own_is_in_view_when_the_command_has_ended() {
    let mut conversation = Conversation::default();
    let own = CallId("own".to_owned());
    conversation.tool_started(&own, benchdog_domain::call::SHELL, "sleep 40", Time(0));
    conversation.tool_waits(&CallId("1".to_owned()), "write", "docs/one.md");
    let rows = |conversation: &mut Conversation| -> Vec<String> {
        conversation.arrange(60, 10, Time(0));
        let rows = conversation.rows().iter().map(|row| row.line.text());
        rows.map(|row| row.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
            .collect()
    };
    assert_eq!(rows(&mut conversation), ["", "▸ ! sleep", "◆ write docs/one.md"]);
    let body = Body::Shell {
        call: Some(own),
        command: "sleep 40".to_owned(),
        output: String::new(),
        summary: Summary::ResultUnknown,
        status: CallStatus::Cancelled,
        findings: Vec::new(),
    };
    conversation.entry(&Arc::new(Entry {
        id: EntryId(2),
        turn: TurnId(1),
        time: Time(0),
        body,
    }));
    assert_eq!(rows(&mut conversation), ["", "■ ! sleep", "", "◆ write docs/one.md"]);
}

#[test]
fn the_row_of_what_was_taken_back_is_torn_nowhere() {
    let row = |width: u16, command: &str| {
        let mut conversation = Conversation::default();
        let body = Body::Shell {
            call: None,
            command: command.to_owned(),
            output: String::new(),
            summary: Summary::Changed {
                change: Change::Updated,
                added: 2,
                removed: 2,
                kept: Some(Kept { hunks: 2, of: 3 }),
            },
            status: CallStatus::Ok,
            findings: Vec::new(),
        };
        conversation.entry(&Arc::new(Entry {
            id: EntryId(1),
            turn: TurnId(1),
            time: Time(0),
            body,
        }));
        conversation.arrange(width, 10, Time(0));
        let mut rows = conversation.rows().iter().map(|row| row.line.text());
        let row = rows.find(|row| row.contains("/undo")).unwrap();
        row.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let path = "/undo src/requests/models.py";
    assert_eq!(row(38, path), "✓ /undo models.py updated +2 -2");
    assert_eq!(row(44, path), "✓ /undo src/…/models.py updated +2 -2");
    assert!(row(76, path).ends_with("updated +2 -2, 2 of 3 hunks"));
    let two = "/undo src/requests/models.py, src/requests/money.py";
    assert_eq!(row(38, two), "✓ /undo models.py, … updated +2 -2");
}

#[test]
fn long_output_of_a_running_call_keeps_only_its_end() {
    let mut conversation = Conversation::default();
    let call = CallId("1".to_owned());
    conversation.tool_started(&call, "bash", "yes", Time(0));
    for n in 0..20_000 {
        conversation.tool_output(&wrote(&format!("漢 {n}\n"), ""));
    }
    conversation.arrange(80, 10, Time(0));
    let kept = match &conversation.blocks[0].source {
        Source::Tool(tool) => tool.output().len(),
        _ => 0,
    };
    assert!(kept < 20_000, "{kept}");
    assert!(conversation.rows().last().unwrap().line.text().contains("19999"));
}

#[test]
fn of_an_answer_that_pours_in_a_frame_lays_out_a_part_and_asks_for_the_next() {
    let text = "- **item** `code`\n| a | b |\n".repeat(20_000);
    let mut conversation = Conversation::default();
    conversation.arrange(80, 10, Time(0));
    conversation.text_delta(&text);
    let mut frames = 0;
    loop {
        frames += 1;
        conversation.arrange(80, 10, Time(0));
        if !conversation.is_behind() {
            break;
        }
    }
    assert_eq!(frames, text.len().div_ceil(64 * 1024));
    let whole = Document::of(&text, 80);
    let last = conversation.rows().last().map(|row| row.line.clone());
    assert_eq!(last.as_ref(), whole.rows().last());
}

#[test]
fn a_reply_that_begins_anew_takes_the_first_attempt_back() {
    let mut conversation = Conversation::default();
    conversation.text_delta("first att");
    conversation.retry("429");
    conversation.arrange(80, 10, Time(0));
    assert!(conversation.rows().iter().any(|row| row.line.text().contains("429")));
    conversation.text_delta("second");
    conversation.arrange(80, 10, Time(0));
    let all: String = conversation.rows().iter().map(|row| row.line.text()).collect();
    assert!(
        all.contains("second") && !all.contains("first") && !all.contains("429"),
        "{all}"
    );
}

#[test]
fn rows_far_from_the_view_are_let_go_of_however_long_the_blocks_are() {
    let mut conversation = Conversation::default();
    for n in 0..100 {
        conversation.error(&format!("error {n}\n").repeat(300), "");
    }
    for _ in 0..400 {
        conversation.arrange(80, 20, Time(0));
        conversation.page(-1);
    }
    let laid = conversation.blocks.iter().filter_map(|block| block.laid.as_ref());
    let rows: usize = laid.map(|laid| laid.rows.len()).sum();
    assert!(rows < 6_000, "{rows}");
}

#[test]
fn what_came_below_a_held_view_is_measured_once_and_not_for_every_frame() {
    let mut conversation = Conversation::default();
    conversation.error("one\ntwo\nthree\nfour", "");
    conversation.arrange(80, 2, Time(0));
    conversation.scroll(-1);
    for n in 0..6_000 {
        conversation.error(&format!("error {n}"), "");
    }
    conversation.arrange(80, 2, Time(0));
    assert_eq!(conversation.new_lines, Some(12_000));
    let before = conversation.laid;
    conversation.error("one more", "");
    conversation.arrange(80, 2, Time(0));
    assert_eq!(conversation.new_lines, Some(12_002));
    assert!(conversation.laid - before < 10, "{}", conversation.laid - before);
}

#[test]
fn an_answer_that_ends_in_the_same_moment_as_its_last_words_is_followed_to_its_end() {
    let mut conversation = Conversation::default();
    conversation.arrange(80, 10, Time(0));
    conversation.text_delta("first line\n\n");
    conversation.arrange(80, 10, Time(0));
    let rest: String = (0..40).map(|n| format!("paragraph {n}\n\n")).collect();
    conversation.text_delta(&rest);
    let text = format!("first line\n\n{rest}");
    let body = Body::Assistant {
        text,
        reasoning: String::new(),
        seals: Vec::new(),
        calls: Vec::new(),
        model: ModelRef {
            provider: "p".to_owned(),
            id: "m".to_owned(),
        },
        usage: None,
        error: None,
    };
    let entry = Entry {
        id: EntryId(2),
        turn: TurnId(1),
        time: Time(0),
        body,
    };
    conversation.entry(&Arc::new(entry));
    conversation.arrange(80, 10, Time(0));
    assert!(
        conversation
            .rows()
            .iter()
            .any(|row| row.line.text().contains("paragraph 39"))
    );
}

#[test]
fn thoughts_that_arrive_show_their_last_two_rows_and_fold_when_they_are_over() {
    let mut conversation = Conversation::default();
    let texts = |conversation: &mut Conversation| {
        conversation.arrange(40, 10, Time(0));
        let rows = conversation.rows();
        let texts = rows.iter().map(|row| row.line.text().trim_end().to_owned());
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>()
    };
    conversation.reasoning_delta("one\n\n");
    assert_eq!(texts(&mut conversation)[1..], ["one"]);
    conversation.reasoning_delta("two\nthree is longer than a row of the pane, so it is broken");
    let rows = texts(&mut conversation);
    assert_eq!(
        rows[1..],
        ["three is longer than a row of the pane,", "so it is broken"]
    );
    for n in 0..4_000 {
        conversation.reasoning_delta(&format!("漢字{n} "));
    }
    let rows = texts(&mut conversation);
    assert_eq!(rows.len(), 3);
    assert!(
        rows[0].contains("12015 words") && rows[2].ends_with("漢字3999"),
        "{rows:?}"
    );
    conversation.end_thought();
    assert_eq!(texts(&mut conversation).len(), 1);
}

#[test]
fn when_a_retry_ends_its_own_row_goes_although_earlier_turns_were_read_meanwhile() {
    let mut conversation = Conversation::default();
    let question = |n: u32| {
        Arc::new(Entry {
            id: EntryId(n.into()),
            turn: TurnId(n),
            time: Time(0),
            body: Body::User {
                text: format!("question {n}."),
                mentions: Vec::new(),
                notes: Vec::new(),
            },
        })
    };
    let log: Vec<_> = (1..=4).map(question).collect();
    let gone = LetGo {
        upto: EntryId(2),
        turns: 2,
    };
    conversation.open(&log, gone);
    conversation.retry("429");
    conversation.read_again(&log);
    conversation.open_earlier(true);
    conversation.text_delta("the answer");
    conversation.arrange(80, 40, Time(0));
    let all: String = conversation.rows().iter().map(|row| row.line.text()).collect();
    for n in 1..=4 {
        assert!(all.contains(&format!("question {n}.")), "{all}");
    }
    assert!(!all.contains("429"), "{all}");
}

#[test]
fn a_call_that_runs_shows_its_time_however_many_blocks_stand_behind_it() {
    let mut conversation = Conversation::default();
    conversation.tool_started(&CallId("1".to_owned()), "bash", "make", Time(0));
    for n in 0..20 {
        conversation.remark(&format!("remark {n}"));
    }
    let mut row = |seconds: i64| -> String {
        let now = Time(seconds * 1_000);
        conversation.tick(now);
        conversation.arrange(80, 60, now);
        let rows = conversation.rows().iter().map(|row| row.line.text());
        rows.filter(|row| row.contains("make")).collect()
    };
    assert!(row(5).contains("0:05"));
    assert!(row(65).contains("1:05"));
}

#[test]
fn the_clock_of_a_prompt_is_read_in_the_zone_that_was_given_and_not_in_that_of_the_machine() {
    let mut conversation = Conversation::default();
    conversation.entry(&Arc::new(Entry {
        id: EntryId(1),
        turn: TurnId(1),
        time: Time(0),
        body: Body::User {
            text: "hello".to_owned(),
            mentions: Vec::new(),
            notes: Vec::new(),
        },
    }));
    for (zone, clock) in [(Zone::ahead(2), "02:00"), (Zone::ahead(9), "09:00")] {
        conversation.in_zone(&zone);
        conversation.arrange(80, 10, Time(0));
        let all: String = conversation.rows().iter().map(|row| row.line.text()).collect();
        assert!(all.contains(clock), "{all}");
    }
}

#[test]
fn of_a_child_that_nothing_was_told_of_no_seat_is_made_up() {
    let mut conversation = Conversation::default();
    let call = CallId("1".to_owned());
    conversation.tool_started(&call, "task", "find callers", Time(0));
    conversation.child_of(&ChildEntry {
        call,
        session: SessionId("ab".repeat(16)),
        agent: AgentName("explore".to_owned()),
        ended: None,
    });
    conversation.selected = Some(0);
    let child = conversation.chosen_child().unwrap();
    assert!(child.session.is_some());
    assert_eq!((child.seat, child.asks()), (None, None));
}

fn row_of_command(changes: &[(u32, u32)], summary: Summary, width: u16) -> String {
    let mut conversation = Conversation::default();
    let call = CallId("1".to_owned());
    conversation.tool_started(&call, "bash", "make", Time(0));
    let changes = changes.iter().map(|(added, removed)| Body::Change {
        call: call.clone(),
        path: "a".to_owned(),
        before: None,
        after: None,
        added: *added,
        removed: *removed,
        moved: Vec::new(),
        undoes: Vec::new(),
        in_part: false,
        mode_before: None,
        job: None,
    });
    let result = Body::ToolResult {
        call: call.clone(),
        tool: "bash".to_owned(),
        title: "make".to_owned(),
        status: CallStatus::Ok,
        summary,
        output: String::new(),
        truncated: false,
        notes: Vec::new(),
        places: Vec::new(),
        images: Vec::new(),
        took_ms: 10,
    };
    for body in changes.chain([result]) {
        conversation.entry(&Arc::new(Entry {
            id: EntryId(1),
            turn: TurnId(1),
            time: Time(0),
            body,
        }));
    }
    conversation.arrange(width, 9, Time(1));
    let rows = conversation
        .rows()
        .iter()
        .map(|row| row.line.text().trim_end().to_owned());
    let rows: Vec<String> = rows.collect();
    let found = rows.iter().find(|row| row.contains("bash"));
    found.unwrap_or_else(|| panic!("{rows:#?}")).clone()
}

#[test]
fn the_row_of_a_command_says_how_many_files_it_changed() {
    let exit = || Summary::Exit { code: 0, took_ms: 10 };
    let some = [(2, 1), (0, 3), (1, 0)];
    let row = row_of_command(&some, exit(), 80);
    assert!(row.ends_with(" · 3 files changed +3 -4"), "{row}");
    let row = row_of_command(&[(0, 0)], exit(), 80);
    assert!(row.ends_with(" · 1 file changed"), "{row}");
    assert!(!row_of_command(&[], exit(), 80).contains("file"));
    let narrow = row_of_command(&some, exit(), 24);
    assert!(!narrow.contains("files"), "{narrow}");
}
