//! Tests the row of a call: the decision and the result.

use super::transcript::result;
use super::*;
use benchdog_domain::permission::{Kept, PartKept};
use benchdog_domain::summary::{self, Change, ENDED_MEANWHILE, Summary};
use benchdog_domain::tool::CallStatus;

const REFUSED: &str = "The user refused this call. Nothing was done. Do not repeat it unchanged.";

impl Bench {
    fn decides(&mut self, call: &str, decision: Decision, by: DecidedBy, because: Because) {
        self.entry(Body::Approval {
            call: CallId(call.to_owned()),
            tool: "bash".to_owned(),
            decision,
            by,
            because,
        });
    }

    fn shell(&mut self, status: CallStatus, summary: Summary, output: &str) {
        self.entry(Body::Shell {
            call: Some(CallId("own".to_owned())),
            command: "ls".to_owned(),
            output: output.to_owned(),
            summary,
            status,
            findings: Vec::new(),
        });
    }

    fn says(&self, words: &str) -> bool {
        self.screen().iter().any(|row| row.contains(words))
    }
}

fn denied(reason: Option<&str>) -> Decision {
    Decision::Deny {
        reason: reason.map(str::to_owned),
    }
}

#[test]
fn a_refusal_reads_in_the_words_of_who_refused_and_not_in_those_for_the_model() {
    let mut bench = Bench::new(80, 24);
    bench.decides("a", denied(Some("use the helper")), DecidedBy::User, Because::NoRule);
    let text = format!("The user refused this call: use the helper\n{REFUSED}");
    bench.entry(result("a", "bash", "make", CallStatus::Denied, "denied", &text));
    assert!(bench.says("┊ use the helper"), "{:?}", bench.screen());
    bench.decides("own", denied(None), DecidedBy::User, Because::NoRule);
    bench.shell(CallStatus::Denied, Summary::Denied, REFUSED);
    let why = "it removes every file there is, from the first to the last, and there is no way back to any of them"
        .to_owned();
    bench.decides("b", denied(None), DecidedBy::Policy, Because::Catastrophic { why });
    bench.entry(result(
        "b",
        "bash",
        "rm -rf /",
        CallStatus::Denied,
        "denied",
        "This command is catastrophic.",
    ));
    let screen = bench.screen().join(" ").replace("  ┊ ", "");
    assert!(
        screen.contains("no way back to any of them"),
        "nothing of it is cut: {screen}"
    );
    for for_the_model in ["The user", "Do not repeat", "This command is"] {
        assert!(!screen.contains(for_the_model), "{screen}");
    }
}

#[test]
fn a_denial_by_a_hook_names_it_on_the_row_of_the_call() {
    let mut bench = Bench::new(80, 24);
    let hook = Because::Hook {
        hook: "guard".to_owned(),
        reason: "not on a Friday".to_owned(),
    };
    bench.decides("a", denied(None), DecidedBy::Policy, hook);
    bench.entry(result("a", "bash", "make", CallStatus::Denied, "denied", REFUSED));
    assert!(
        bench.says("┊ the hook `guard` refused: not on a Friday"),
        "{:?}",
        bench.screen()
    );
}

#[test]
fn what_was_stopped_shows_what_came_out_and_says_once_that_it_was() {
    let mut bench = Bench::new(80, 24);
    let output = "building\n[interrupted after 34s: what it did until then stays]\nThe user interrupted this call.";
    bench.entry(result(
        "a",
        "bash",
        "make",
        CallStatus::Cancelled,
        "interrupted",
        output,
    ));
    bench.shell(CallStatus::Cancelled, Summary::Interrupted, output);
    let shown: Vec<_> = bench.screen().into_iter().filter(|row| row.contains('┊')).collect();
    assert_eq!(shown, ["  ┊ building", "  ┊ building"]);
    let said: Vec<_> = bench
        .screen()
        .into_iter()
        .filter(|row| row.contains("interrupted"))
        .collect();
    assert_eq!(
        said,
        ["  ■ interrupted", "  ■ interrupted"],
        "below what came out, and not above it too"
    );
}

#[test]
fn where_nobody_saw_the_end_the_last_row_of_what_was_printed_says_so() {
    let mut bench = Bench::new(40, 12);
    let printed: String = (1..=20).map(|n| format!("tick {n}\n")).collect();
    bench.shell(
        CallStatus::Cancelled,
        Summary::ResultUnknown,
        &format!("{printed}{ENDED_MEANWHILE}"),
    );
    let screen = bench.screen().join(" ");
    assert!(
        screen
            .trim_end()
            .ends_with("tick 20   ■ result unknown: check it before you continue"),
        "{screen}"
    );
}

fn rewritten(bench: &mut Bench, kept: Option<summary::Kept>) {
    let files = vec![Some(PartKept::Text("mine".to_owned()))];
    let decision = Decision::Once {
        kept: Kept::Parts { files },
    };
    bench.decides("a", decision, DecidedBy::User, Because::NoRule);
    let mut body = result("a", "edit", "a.rs", CallStatus::Ok, "", "");
    if let Body::ToolResult { summary, .. } = &mut body {
        *summary = Summary::Changed {
            change: Change::Updated,
            added: 6,
            removed: 5,
            kept,
        };
    }
    bench.entry(body);
}

#[test]
fn a_change_that_the_person_wrote_anew_says_so_in_its_row() {
    let mut bench = Bench::new(100, 24);
    rewritten(&mut bench, None);
    assert!(bench.says("updated +6 -5, edited by you"), "{:?}", bench.screen());
}

#[test]
fn what_became_of_a_change_has_the_columns_that_its_path_leaves_and_its_counts_come_first() {
    let kept = summary::Kept { hunks: 2, of: 3 };
    let mut bench = Bench::new(80, 24);
    rewritten(&mut bench, Some(kept));
    let whole = "updated +6 -5, 2 of 3 hunks, edited by you";
    assert!(bench.says(whole), "{:?}", bench.screen());
    let mut bench = Bench::new(40, 12);
    rewritten(&mut bench, Some(kept));
    let row = |bench: &Bench| bench.screen().into_iter().find(|row| row.contains("a.rs")).unwrap();
    assert!(row(&bench).ends_with(" updated +6 -5"), "{}", row(&bench));
    // In a narrow window, the least important part is omitted completely.
    let mut bench = Bench::new(46, 24);
    rewritten(&mut bench, Some(kept));
    assert!(row(&bench).ends_with(" updated +6 -5, 2 of 3 hunks"), "{}", row(&bench));
}

#[test]
fn the_mark_of_what_is_folded_stands_where_the_gap_is() {
    let shown = |bench: &Bench| -> Vec<String> {
        let rows = bench.screen().into_iter().filter(|row| row.contains('┊'));
        rows.map(|row| row.trim_start_matches("  ┊ ").to_owned()).collect()
    };
    let ten = (1..=10).map(|n| format!("row {n}\n")).collect::<String>();
    let mut bench = Bench::new(80, 24);
    bench.entry(result("a", "bash", "seq", CallStatus::Ok, "exit 0", &ten));
    assert_eq!(shown(&bench), ["… 7 lines  (o open)", "row 8", "row 9", "row 10"]);
    let mut bench = Bench::new(80, 24);
    let text = ten.replace("row 4", "error: four");
    bench.entry(result("a", "bash", "seq", CallStatus::Ok, "exit 0", &text));
    assert_eq!(
        shown(&bench),
        ["… 3 lines  (o open)", "error: four", "row 5", "row 6", "… 4 lines"]
    );
}

#[test]
fn of_what_failed_the_lines_that_say_so_are_in_view_and_the_end_as_well() {
    let shown = |output: &str| -> Vec<String> {
        let mut bench = Bench::new(80, 40);
        bench.entry(result("a", "bash", "ls; head", CallStatus::Error, "exit 1", output));
        let rows = bench.screen().into_iter().filter(|row| row.contains('┊'));
        rows.map(|row| row.trim_start_matches("  ┊ ").to_owned()).collect()
    };
    let fifty = (1..=50).map(|n| format!("row {n}.\n")).collect::<String>();
    for says in [
        "ls: cannot access '/nowhere': No such file or directory",
        "cat: notes: Permission denied",
        "sh: 1: mkae: not found",
        "fatal: not a git repository",
        "Traceback (most recent call last):",
        "main.c:3:5: error: expected ';'",
    ] {
        let first = shown(&fifty.replace("row 1.", says));
        assert_eq!((first.len(), &*first[0], &*first[8]), (13, says, "row 9."), "{first:?}");
        assert_eq!(first[9..], ["… 38 lines  (o open)", "row 48.", "row 49.", "row 50."]);
        let seems = fifty.replace("row 5.", "Where an error is expected, nothing is done.");
        let within = shown(&seems.replace("row 20.", says));
        assert_eq!((&*within[0], &*within[1]), ("… 19 lines  (o open)", says), "{within:?}");
        assert_eq!(within[10..], ["… 19 lines", "row 48.", "row 49.", "row 50."]);
    }
    let end = shown(&fifty);
    assert_eq!((end.len(), &*end[1]), (13, "row 39."), "{end:?}");
}

#[test]
fn the_line_that_says_what_failed_is_wrapped_over_three_rows_and_what_is_cut_names_the_key() {
    let shown = |width: u16, output: &str| -> Vec<String> {
        let mut bench = Bench::new(width, 40);
        bench.entry(result("a", "bash", "pytest", CallStatus::Error, "exit 1", output));
        let rows = bench.screen().into_iter().filter(|row| row.contains('┊'));
        rows.map(|row| row.trim_start_matches("  ┊ ").to_owned()).collect()
    };
    let says = "ModuleNotFoundError: No module named 'requests_toolbelt' of any release";
    let rows = shown(40, &format!("one\n{says}\nthree"));
    assert!((4..=5).contains(&rows.len()), "{rows:?}");
    assert_eq!(rows[1..rows.len() - 1].join(" "), says);
    let long = "many words of it ".repeat(40);
    for width in [40, 80, 120] {
        let rows = shown(width, &format!("one\nerror: {long}\nthree"));
        assert_eq!((rows.len(), &*rows[4]), (5, "three"), "{rows:?}");
        assert!(rows[3].ends_with("…  (o open)"), "{rows:?}");
        let rows = shown(width, &format!("{long}\n{long}\nerror: one\ntwo"));
        assert_eq!(rows.len(), 4, "{rows:?}");
        assert!(rows[0].ends_with("…  (o open)") && rows[1].ends_with('…'), "{rows:?}");
    }
    let fifty = (1..=50).map(|n| format!("row {n}.\n")).collect::<String>();
    let rows = shown(80, &fifty.replace("row 1.", &format!("error: {long}")));
    assert!(rows[2].ends_with("…  (o open)"), "{rows:?}");
    assert_eq!((&*rows[3], &*rows[11]), ("row 2.", "… 38 lines"), "{rows:?}");
}

#[test]
fn what_was_asked_for_with_an_exclamation_mark_is_shown_up_to_half_the_pane() {
    let ten = (1..=10).map(|n| format!("row {n}\n")).collect::<String>();
    let end = || Summary::Exit { code: 0, took_ms: 3 };
    let mut bench = Bench::new(80, 30);
    bench.shell(CallStatus::Ok, end(), &ten);
    assert!(bench.says("┊ row 1") && bench.says("┊ row 10"), "{:?}", bench.screen());
    bench.send(Msg::Resize { width: 80, height: 14 });
    assert!(
        !bench.says("row 1 ") && bench.says("row 10") && bench.says("(o open)"),
        "{:?}",
        bench.screen()
    );
}

#[test]
fn a_folded_paste_says_how_many_lines_are_folded() {
    let mut bench = Bench::new(80, 40);
    let text = (1..=60).map(|n| format!("line {n}\n")).collect::<String>();
    bench.entry(Body::User {
        text,
        mentions: Vec::new(),
        notes: Vec::new(),
    });
    assert!(bench.says("┄ 52 lines  (o open)"), "{:?}", bench.screen());
}
