use super::*;

#[test]
fn a_summary_comes_back_from_the_log_as_it_was_stored_and_so_do_the_words_of_earlier_versions() {
    for summary in [
        Summary::NoMatch,
        Summary::SomeLines { shown: 3, lines: 9 },
        Summary::Unseen { images: 1 },
        Summary::Changed {
            change: Change::Renamed,
            added: 1,
            removed: 2,
            kept: Some(Kept { hunks: 1, of: 2 }),
        },
        Summary::Answer { text: "red".to_owned() },
        Summary::Exit { code: -1, took_ms: 12 },
        Summary::Words("exit 1 1.9s".to_owned()),
    ] {
        let stored = serde_json::to_string(&summary).unwrap();
        assert_eq!(serde_json::from_str::<Summary>(&stored).unwrap(), summary, "{stored}");
    }
    assert_eq!(
        serde_json::to_string(&Summary::Words("3 lines".to_owned())).unwrap(),
        "\"3 lines\""
    );
    assert!(serde_json::from_str::<Summary>("{\"kind\": \"of later\"}").is_err());
    assert!(serde_json::from_str::<Summary>("7").is_err());
}

#[test]
fn a_command_says_how_it_ended_in_its_row_and_in_its_last_line() {
    let ended = Summary::Exit {
        code: 101,
        took_ms: 1_949,
    };
    assert_eq!(ended.to_string(), "exit 101 1.9s");
    assert_eq!(ended.last_line().as_deref(), Some("[exit 101, 1.9s]"));
    let killed = Summary::Signal {
        signal: 9,
        took_ms: 187_400,
    };
    assert_eq!(killed.to_string(), "signal 9 (KILL) 3m 07s");
    assert!(ended.is_last_line("[exit 101, 1.9s]") && !ended.is_last_line("[exit 101, 2.0s]"));
    assert_eq!(Summary::Unchanged.last_line(), None);
    let before = Summary::Words("exit 101 1.9s".to_owned());
    assert!(before.is_last_line("[exit 101, 1.9s]") && before.says_duration());
    let behind = Summary::Background { job: JobId(1) };
    assert!(behind.is_last_line("[bg_1 runs in the background.]") && !behind.is_last_line("bg_1 runs"));
    let before = Summary::Words("3 lines".to_owned());
    assert!(!before.is_last_line("[3 lines]x") && !before.says_duration());
    assert_eq!(
        [40, 1_940, 9_960, 12_400, 59_999, 125_000].map(duration),
        ["0.0s", "1.9s", "10.0s", "12s", "59s", "2m 05s"]
    );
    assert_eq!(signal_name(40), "signal 40");
}
