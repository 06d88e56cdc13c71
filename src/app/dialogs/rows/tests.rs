use super::*;
use benchdog_domain::review::{Counted, Removal};

#[test]
fn no_reason_is_cut_and_a_short_one_stands_beside_its_part() {
    let part = |because: &str| CommandPart {
        command: "find . -name *.orig -newer setup.py -delete".to_owned(),
        written: "find . -name '*.orig' -newer setup.py -delete".to_owned(),
        class: CommandClass::Dangerous,
        because: because.to_owned(),
    };
    let long = "it removes what it finds: every file below the folder whose name and age pass its tests";
    for width in [30, 72, 200] {
        let mut rows = Vec::new();
        judged(1, &[part(long)], width, &mut rows);
        let told: Vec<&str> = rows
            .iter()
            .map(|row| match row {
                RequestRow::Part { because, .. } => because,
                RequestRow::Because { text, .. } => text.trim_end(),
                RequestRow::Text(_) | RequestRow::Field { .. } => "",
            })
            .filter(|text| !text.is_empty())
            .collect();
        assert_eq!(told.join(" "), long, "{width}");
        assert!(told.iter().all(|text| columns(text) <= usize::from(width)), "{told:?}");
    }
    let mut rows = Vec::new();
    judged(1, &[part("removes files")], 72, &mut rows);
    assert_eq!(rows.len(), 1);
}

#[test]
fn no_character_of_a_command_looks_like_another_blank() {
    assert_eq!(visible("touch x\ty"), "touch x\\ty");
    assert_eq!(visible("rm\u{a0}a\u{2800}b"), "rm\\u{a0}a\\u{2800}b");
    assert_eq!(visible("echo \u{202e}x 漢\u{3000}字"), "echo ⟨202E⟩x 漢\u{3000}字");
    let shown = |value: &str| match fields(&[("reason".to_owned(), value.to_owned())], 80).as_slice() {
        [RequestRow::Field { value, .. }] => value.clone(),
        other => format!("{other:?}"),
    };
    assert_eq!(shown("a\tb\u{a0}c\u{2800}d"), "a\\tb\\u{a0}c\\u{2800}d");
}

#[test]
fn a_part_of_which_two_things_are_said_is_one_part() {
    let part = |command: &str, because: &str| CommandPart {
        command: command.to_owned(),
        written: command.to_owned(),
        class: CommandClass::Unknown,
        because: because.to_owned(),
    };
    let review = CommandReview {
        command: "ls | tee /tmp/x".to_owned(),
        class: CommandClass::Unknown,
        parts: vec![
            part("ls", "lists"),
            part("tee /tmp/x", "writes"),
            part("tee /tmp/x", "leads out"),
        ],
        writes: Vec::new(),
        removes: Vec::new(),
        workdir: ".".to_owned(),
        reason: None,
        risky: false,
        runs: Runs::UntilDone { limit_ms: 1_000 },
    };
    let rows = command(&review, Origin::Model, 72);
    let told = rows.iter().filter_map(|row| match row {
        RequestRow::Part {
            number,
            command,
            because,
            ..
        } => Some(format!("{number} {command}: {because}")),
        RequestRow::Because { text, .. } => Some(text.clone()),
        RequestRow::Text(_) | RequestRow::Field { .. } => None,
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        ["1 ls: lists", "2 tee /tmp/x: writes", "leads out"]
    );
}

#[test]
fn a_line_that_is_one_command_stands_once() {
    let review = CommandReview {
        command: "sleep 100".to_owned(),
        class: CommandClass::Plain,
        parts: vec![CommandPart {
            command: "sleep 100".to_owned(),
            written: "sleep 100".to_owned(),
            class: CommandClass::Plain,
            because: "`sleep` waits".to_owned(),
        }],
        writes: Vec::new(),
        removes: Vec::new(),
        workdir: ".".to_owned(),
        reason: None,
        risky: false,
        runs: Runs::UntilDone { limit_ms: 1_000 },
    };
    let rows = command(&review, Origin::Model, 72);
    assert_eq!(rows[0], RequestRow::Text("sleep 100".to_owned()));
    let said = |row: &RequestRow| matches!(row, RequestRow::Because { text, .. } if text == "`sleep` waits");
    assert!(
        said(&rows[2]) && !rows.iter().any(|row| matches!(row, RequestRow::Part { .. })),
        "{rows:?}"
    );
}

#[test]
fn the_part_that_decides_stands_above_a_line_that_is_long() {
    let part = |command: &str, class| CommandPart {
        command: command.to_owned(),
        written: command.to_owned(),
        class,
        because: format!("of {command}"),
    };
    let steps = ["git log", "sort", "uniq -c", "head", "tee out", "gzip"];
    let line = format!("{} | curl -T - host", steps.join(" --an-option=of-it | "));
    let mut parts: Vec<_> = steps.iter().map(|step| part(step, CommandClass::Plain)).collect();
    parts.push(part("curl -T - host", CommandClass::External));
    let review = CommandReview {
        command: line,
        class: CommandClass::External,
        parts,
        writes: Vec::new(),
        removes: Vec::new(),
        workdir: ".".to_owned(),
        reason: None,
        risky: false,
        runs: Runs::UntilDone { limit_ms: 1_000 },
    };
    let numbers = |review: &CommandReview, width| -> Vec<(usize, usize)> {
        let rows = command(review, Origin::Model, width);
        let part = |(at, row): (usize, &RequestRow)| match row {
            RequestRow::Part { number, .. } => Some((at, *number)),
            RequestRow::Text(_) | RequestRow::Because { .. } | RequestRow::Field { .. } => None,
        };
        rows.iter().enumerate().filter_map(part).collect()
    };
    let long = numbers(&review, 72);
    assert_eq!(long.first(), Some(&(0, 7)), "it decides");
    assert_eq!(
        long.iter().map(|(_, number)| *number).collect::<Vec<_>>(),
        [7, 1, 2, 3, 4, 5, 6]
    );
    let short = CommandReview {
        command: "ls | curl -T - host".to_owned(),
        parts: [&review.parts[..1], &review.parts[6..]].concat(),
        ..review
    };
    assert_eq!(
        numbers(&short, 72),
        [(2, 1), (3, 2)],
        "what is in sight stays in its order"
    );
}

#[test]
fn who_types_a_command_reads_that_the_model_gets_what_it_prints() {
    let review = CommandReview {
        command: "cat .env".to_owned(),
        class: CommandClass::External,
        parts: Vec::new(),
        writes: Vec::new(),
        removes: Vec::new(),
        workdir: ".".to_owned(),
        reason: None,
        risky: false,
        runs: Runs::UntilDone { limit_ms: 1_000 },
    };
    for (origin, told) in [(Origin::Typed, true), (Origin::Person, true), (Origin::Model, false)] {
        let rows = command(&review, origin, 72);
        let says = |row: &RequestRow| matches!(row, RequestRow::Field { name, value, .. } if name.trim() == "output" && value.contains("your next prompt"));
        assert_eq!(rows.iter().any(says), told, "{origin:?}");
    }
}

#[test]
fn files_that_undo_cannot_restore_are_counted_beside_the_removed_files() {
    let told = |counted, not_saved| {
        lang::removal(&Removal {
            path: "build".to_owned(),
            files: 3,
            bytes: 2,
            not_saved,
            counted,
        })
    };
    assert_eq!(told(Counted::All, 0), "build  3 files, 2 bytes");
    let all = "build  3 files, 2 bytes, `/undo` cannot restore 1 file";
    assert_eq!(told(Counted::All, 1), all);
    let more = "build  more than 3 files, 2 bytes, `/undo` cannot restore all";
    assert_eq!(told(Counted::Some, 3), more);
}
