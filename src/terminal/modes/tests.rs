use std::collections::BTreeMap;

use super::{KITTY_ON, Modes, title};

fn private_modes(bytes: &str) -> BTreeMap<&str, bool> {
    let mut modes = BTreeMap::new();
    for part in bytes.split("\x1b[?").skip(1) {
        let Some(end) = part.find(['h', 'l']) else { continue };
        let (number, rest) = part.split_at(end);
        modes.insert(number, rest.starts_with('h'));
    }
    modes
}

fn all() -> Vec<Modes> {
    let mut out = Vec::new();
    for bits in 0..8 {
        out.push(Modes {
            mouse: bits & 1 != 0,
            kitty: bits & 2 != 0,
            title: bits & 4 != 0,
        });
    }
    out
}

#[test]
fn leaving_undoes_every_mode_that_entering_or_a_frame_sets() {
    for modes in all() {
        // An interrupted frame hid the cursor and began a synchronized update.
        let bytes = format!("{}\x1b[?2026h\x1b[?25l{}", modes.enter(), modes.leave());
        for (mode, on) in private_modes(&bytes) {
            // By default, the cursor is visible and lines wrap.
            assert_eq!(on, matches!(mode, "7" | "25"), "mode {mode} after {modes:?}");
        }
        let entered = modes.enter();
        assert_eq!(
            entered.contains("\x1b[>3u"),
            modes.leave().contains("\x1b[<u"),
            "kitty, {modes:?}"
        );
        assert_eq!(
            entered.contains("\x1b[22;2t"),
            modes.leave().contains("\x1b[23;2t"),
            "title, {modes:?}"
        );
    }
}

#[test]
fn keyboard_flags_are_popped_on_the_screen_they_were_pushed_on() {
    let modes = Modes {
        kitty: true,
        ..Modes::default()
    };
    let (entered, left) = (modes.enter(), modes.leave());
    assert!(entered.find("?1049h").unwrap() < entered.find(KITTY_ON).unwrap());
    assert!(left.find("\x1b[<u").unwrap() < left.find("?1049l").unwrap());
}

#[test]
fn the_screen_a_shell_gets_back_is_the_one_it_had() {
    let mut terminal = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
    terminal.process(b"$ benchdog\r\n");
    let before = terminal.screen().contents();
    for modes in all() {
        terminal.process(modes.enter().as_bytes());
        terminal.process(b"\x1b[?2026h\x1b[?25l\x1b[38;2;1;2;3mpicture");
        terminal.process(modes.leave().as_bytes());
        let screen = terminal.screen();
        assert_eq!(screen.contents(), before);
        assert!(!screen.hide_cursor() && !screen.bracketed_paste() && !screen.alternate_screen());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(screen.fgcolor(), vt100::Color::Default);
    }
}

#[test]
fn a_title_cannot_end_its_own_sequence() {
    assert_eq!(title("fix\x07 \x1b]52;c;x\u{9c}漢"), "\x1b]2;fix ]52;c;x漢\x07");
}
