use std::path::PathBuf;
use std::sync::Arc;

use super::{Clipboard, TMUX, tool};
use benchdog_base::environment::Environment;

fn of(pairs: &[(&str, &str)]) -> Clipboard {
    let pairs = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    Clipboard::of(&Environment::of(pairs), PathBuf::new(), Arc::default())
}

#[test]
fn the_terminal_gets_the_logical_text_and_nothing_is_claimed() {
    let (bytes, to) = of(&[("TERM", "xterm")]).by_terminal("let a = 1;\n漢字").unwrap();
    assert_eq!(bytes, "\x1b]52;c;bGV0IGEgPSAxOwrmvKLlrZc=\x1b\\");
    assert_eq!(to, super::CopiedTo::Terminal);
}

#[test]
fn a_terminal_without_a_clipboard_is_said_to_have_none() {
    assert!(of(&[("TERM", "linux")]).by_terminal("x").is_err());
    let longest = (super::LONGEST_OSC52 - "\x1b]52;c;\x1b\\".len()) / 4 * 3;
    for (length, fits) in [(longest, true), (longest + 3, false), (80_000, false)] {
        let taken = of(&[("TERM", "xterm")]).by_terminal(&"x".repeat(length));
        assert_eq!(taken.is_ok(), fits, "{length}");
    }
}

#[tokio::test]
async fn over_ssh_no_tool_of_the_far_machine_is_used() {
    let clipboard = of(&[("DISPLAY", ":0"), ("SSH_CONNECTION", "1 2 3 4"), ("TERM", "xterm")]);
    assert!(clipboard.by_tool("x").await.is_none());
}

#[test]
fn in_tmux_it_goes_to_tmux_wherever_the_terminal_is_and_through_it_where_that_fails() {
    let tmux = ("TMUX", "/tmp/tmux-0/default,1,0");
    let far = of(&[tmux, ("DISPLAY", ":0"), ("SSH_TTY", "/dev/pts/1"), ("TERM", "tmux")]);
    assert_eq!(far.tools, [TMUX]);
    let near = of(&[tmux, ("WAYLAND_DISPLAY", "w"), ("TERM", "tmux")]);
    assert_eq!(near.tools, [tool(&["wl-copy"]), TMUX]);
    let (bytes, _) = far.by_terminal("a").unwrap();
    assert_eq!(
        bytes,
        "\x1b]52;c;YQ==\x1b\\\x1bPtmux;\x1b\x1b]52;c;YQ==\x1b\x1b\\\x1b\\"
    );
    assert_eq!(of(&[("TMUX", ""), ("TERM", "xterm")]).tools, []);
}

#[tokio::test]
async fn a_tool_does_not_get_the_variables_it_must_not_have() {
    let copies = |without: &[&str]| Clipboard {
        tools: vec![tool(&["sh", "-c", "cat >/dev/null; test -z \"$HOME\""])],
        without: without.iter().map(|name| (*name).to_owned()).collect(),
        ..Clipboard::default()
    };
    assert!(copies(&["HOME"]).by_tool("x").await.is_some());
    assert!(copies(&[]).by_tool("x").await.is_none(), "the check can fail");
}
