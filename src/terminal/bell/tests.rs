use super::*;

fn bell(setting: &str, pairs: &[(&str, &str)]) -> Bell {
    let pairs = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    Bell::of(setting, &Environment::of(pairs))
}

fn first(setting: &str, pairs: &[(&str, &str)], looked_at: bool) -> String {
    bell(setting, pairs).ring("edit waits\x1b]0;evil\x07\nmore", looked_at, Instant::now())
}

#[test]
fn a_terminal_that_shows_notices_gets_words_while_nobody_looks() {
    let iterm = [("TERM_PROGRAM", "iTerm.app")];
    assert!(first("auto", &iterm, false).starts_with("\x1b]9;edit waits"));
    assert_eq!(first("auto", &iterm, true), "\x07");
    assert!(first("auto", &[("TERM", "foot")], false).starts_with("\x1b]777;notify;Benchdog;edit waits"));
    assert_eq!(first("auto", &[("TERM", "xterm-256color")], false), "\x07");
    assert_eq!(first("bell", &iterm, false), "\x07");
    assert_eq!(first("off", &iterm, false), "");
    let words = first("osc9", &[], false);
    assert_eq!(
        words.matches('\x1b').count(),
        2,
        "{words:?}: nothing of the words is a command"
    );
    assert_eq!(words.matches('\x07').count(), 1, "{words:?}");
    let through = first("osc9", &[("TMUX", "x")], false);
    assert!(
        through.starts_with("\x1bPtmux;\x1b\x1b]9;") && through.ends_with("\x1b\x1b\\\x1b\\\x07"),
        "{through:?}"
    );
}

#[test]
fn it_rings_once_a_second_at_most() {
    let mut bell = bell("bell", &[]);
    let begin = Instant::now();
    let rings: Vec<bool> = [0, 10, 999, 1_000, 1_500, 2_001]
        .iter()
        .map(|ms| !bell.ring("x", false, begin + Duration::from_millis(*ms)).is_empty())
        .collect();
    assert_eq!(rings, [true, false, false, true, false, true]);
}
