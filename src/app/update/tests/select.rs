//! Tests selecting text by keys and by the mouse, and the actions on a selection.

use super::*;
use crate::msg::{MouseKind, OpResult};
use benchdog_domain::image::NoImage;

fn mouse(bench: &mut Bench, kind: MouseKind, x: u16, y: u16) {
    let at = bench.now;
    bench.send(Msg::Mouse { kind, x, y, at });
}

fn copied(bench: &Bench) -> Vec<&str> {
    let copies = bench.ops.iter().filter_map(|op| match op {
        Op::Copy { text, .. } => Some(&**text),
        _ => None,
    });
    copies.collect()
}

#[test]
fn what_is_selected_in_the_prompt_is_copied_cut_and_pasted() {
    let mut bench = Bench::new(80, 24);
    bench.types("one two");
    bench.keys("ctrl-shift-left alt-c");
    assert_eq!(copied(&bench), ["two"]);
    bench.keys("alt-x");
    assert_eq!((bench.prompt().as_str(), copied(&bench).len()), ("one ", 2));
    bench.keys("ctrl-v ctrl-v");
    assert_eq!(bench.prompt(), "one twotwo");
    bench.keys("ctrl-x a x");
    assert_eq!(bench.prompt(), "x");
}

#[test]
fn with_nothing_selected_nothing_is_copied_and_it_is_said() {
    for key in ["alt-c", "alt-x", "ctrl-v"] {
        let mut bench = Bench::new(80, 24);
        bench.types("text");
        bench.keys(key);
        assert!(bench.state.screen.toast.is_some(), "{key}");
        assert_eq!((bench.prompt().as_str(), copied(&bench).len()), ("text", 0), "{key}");
    }
}

#[test]
fn where_a_terminal_sends_no_shift_a_mark_selects_and_up_does_not_leave_the_text() {
    let mut bench = Bench::new(80, 24);
    bench.types("earlier\n");
    bench.types("one two");
    bench.keys("ctrl-space up alt-c");
    assert_eq!(copied(&bench), ["one two"]);
    bench.keys("ctrl-space left x");
    assert_eq!(bench.prompt(), "xone two");
}

#[test]
fn a_pasted_command_is_not_the_persons_own_though_it_was_copied_here() {
    let mut bench = Bench::new(80, 24);
    bench.types("!ls");
    bench.keys("ctrl-x a alt-x ctrl-v enter");
    let sent = bench.commands();
    let shell = sent.iter().find(|command| matches!(command, Command::Shell { .. }));
    assert!(matches!(shell, Some(Command::Shell { typed: false, .. })), "{sent:?}");
}

#[test]
fn the_mouse_selects_in_the_prompt_also_beyond_its_edge_and_copies_nothing_there() {
    let mut bench = Bench::new(80, 24);
    bench.types("one two");
    let area = bench.state.layout.prompt.unwrap();
    mouse(&mut bench, MouseKind::Press, area.x + 2 + 4, area.y);
    mouse(&mut bench, MouseKind::Drag, area.x + 2 + 6, area.y);
    assert_eq!(bench.state.screen.prompt.buffer.selection(), Some(4..6));
    mouse(&mut bench, MouseKind::Drag, area.x, area.y - 3);
    assert_eq!(bench.state.screen.prompt.buffer.selection(), Some(0..4));
    mouse(&mut bench, MouseKind::Release, area.x, area.y - 3);
    mouse(&mut bench, MouseKind::Drag, area.x, area.y);
    assert_eq!(
        (bench.state.screen.prompt.buffer.selection(), copied(&bench).len()),
        (Some(0..4), 0)
    );
    bench.types("x");
    assert_eq!(bench.prompt(), "xtwo");
}

#[test]
fn the_image_on_the_clipboard_is_named_in_the_prompt() {
    let mut bench = Bench::new(80, 24);
    bench.types("see ");
    bench.keys("alt-v");
    let seat = bench.state.screen.seat;
    assert!(bench.ops.contains(&Op::TakeImage { seat }), "{:?}", bench.ops);
    let path = std::path::PathBuf::from("/data/pasted/my shot.png");
    bench.send(Msg::Done(OpResult::Image { seat, taken: Ok(path) }));
    assert_eq!(bench.prompt(), "see @\"/data/pasted/my shot.png\" ");
    bench.send(Msg::Done(OpResult::Image {
        seat,
        taken: Err(NoImage::NoneThere),
    }));
    assert_eq!(bench.prompt(), "see @\"/data/pasted/my shot.png\" ");
    let said = bench.state.screen.toast.as_ref().map(|toast| toast.text.as_str());
    assert_eq!(said, Some("There is no image on the clipboard."));
}
