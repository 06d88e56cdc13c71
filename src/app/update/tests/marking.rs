//! Tests selection with the mouse: it copies the original text of one pane, without wrapping.

use ratatui::layout::Rect;

use super::transcript::{answer, result, user};
use super::*;
use crate::dialogs::Dialog;
use crate::dialogs::viewer::Viewer;
use crate::marking::{Side, Surface};
use crate::msg::MouseKind;
use crate::view::surfaces::{area, rows};
use benchdog_base::text::width;
use benchdog_domain::tool::CallStatus;

impl Bench {
    fn mouse(&mut self, kind: MouseKind, (x, y): (u16, u16)) {
        let at = self.now;
        self.send(Msg::Mouse { kind, x, y, at });
    }

    fn marks(&mut self, from: (u16, u16), upto: (u16, u16)) -> Option<String> {
        self.ops.clear();
        self.mouse(MouseKind::Press, from);
        self.mouse(MouseKind::Drag, upto);
        self.mouse(MouseKind::Release, upto);
        self.ops.iter().find_map(|op| match op {
            Op::Copy { text, .. } => Some(text.to_string()),
            _ => None,
        })
    }

    fn cells_of(&self, surface: Surface, text: &str) -> Option<((u16, u16), (u16, u16))> {
        let area = area(&self.state, surface)?;
        (area.y..area.bottom())
            .zip(rows(&self.state, surface))
            .find_map(|(y, row)| {
                let row = row?;
                let at = row.text.find(text)?;
                let column = |byte| u16::try_from(width(row.text.get(..byte).unwrap())).unwrap();
                Some(((row.x + column(at), y), (row.x + column(at + text.len()) - 1, y)))
            })
    }
}

const WRITTEN: &str = "First, 先に読む。  two spaces — and a word that is much_longer_than_any_narrow_pane_can_hold_in_one_row_of_it.\n\n    indented, with `marks` of markdown *left alone*\n👨‍👩‍👧 é한국어 e\u{301} end";

const CODE: &str =
    "fn main() {\n\tprintln!(\"a line of code that no narrow pane can hold in one of its rows: {}\", 漢字);\n}";

#[test]
fn a_prompt_and_its_code_come_back_byte_for_byte_at_every_width() {
    for width in 20..=300 {
        let mut bench = Bench::new(width, 120);
        bench.entry(user(WRITTEN));
        bench.entry(answer(&format!("```rust\n{CODE}\n```\n\nend of it")));
        let shown = Surface::Conversation;
        let (from, _) = bench.cells_of(shown, "First").expect("the prompt");
        let (_, upto) = bench.cells_of(shown, "end").expect("its end");
        assert_eq!(bench.marks(from, upto).as_deref(), Some(WRITTEN), "{width}");
        let (from, _) = bench.cells_of(shown, "fn main").expect("the code");
        let (upto, _) = bench.cells_of(shown, "end of it").expect("what is behind it");
        let copied = bench.marks(from, (0, upto.1 - 1)).expect("a copy");
        assert_eq!(copied.trim_end(), CODE, "{width}");
    }
}

#[test]
fn a_drag_the_other_way_marks_the_same_and_a_click_marks_nothing() {
    let mut bench = Bench::new(100, 30);
    bench.entry(user("one 漢字 two"));
    let (from, _) = bench.cells_of(Surface::Conversation, "漢").unwrap();
    let (_, upto) = bench.cells_of(Surface::Conversation, "tw").unwrap();
    assert_eq!(bench.marks(from, upto).as_deref(), Some("漢字 tw"));
    assert_eq!(bench.marks(upto, from).as_deref(), Some("漢字 tw"));
    // The second half of a wide character counts as that character.
    assert_eq!(bench.marks((from.0 + 1, from.1), upto).as_deref(), Some("漢字 tw"));
    assert_eq!(bench.marks(from, from), None);
    assert!(bench.state.screen.marking.is_none());
    bench.marks(from, upto);
    assert!(bench.state.screen.marking.is_some(), "it stays in view");
    bench.keys("x");
    assert!(bench.state.screen.marking.is_none() && bench.prompt() == "x");
}

#[test]
fn output_comes_without_its_bar_and_rows_without_what_stands_at_their_edge() {
    let mut bench = Bench::new(60, 40);
    bench.entry(user("go"));
    let line = "one line of output that is longer than the window is wide";
    let output = format!("{line}\nsecond\nthird\nfourth\nfifth");
    bench.entry(result("1", "bash", "run", CallStatus::Ok, "exit 0", &output));
    bench.keys("alt-2 k o");
    let (from, _) = bench.cells_of(Surface::Conversation, "one line").unwrap();
    let (_, upto) = bench.cells_of(Surface::Conversation, "fifth").unwrap();
    assert_eq!(bench.marks(from, upto).as_deref(), Some(output.as_str()));
    let (from, _) = bench.cells_of(Surface::Conversation, "bash").unwrap();
    assert_eq!(
        bench.marks(from, (59, from.1)).as_deref().map(str::trim_end),
        Some("bash   run")
    );
}

#[test]
fn a_side_of_a_diff_is_copied_alone_and_tabs_are_tabs() {
    for (width, side) in [(180, Side::Left), (180, Side::Right), (90, Side::Right)] {
        let mut bench = Bench::new(width, 40);
        let (before, after) = ("one\n\ttwo\nthree\n", "one\n\tzwei\nthree\n");
        let Review::Files(mut files) = edit("c").review else {
            panic!()
        };
        files[0].before = Some(before.as_bytes().into());
        files[0].after = Some(after.as_bytes().into());
        bench.asks(request("c", Review::Files(files)));
        bench.wait(1_000);
        let surface = Surface::Proposal(side);
        let (from, _) = bench.cells_of(surface, "one").expect("the first line");
        let (_, upto) = bench.cells_of(surface, "three").expect("the last line");
        let wanted = match (side, width) {
            (Side::Left, _) => "one\n\ttwo\nthree",
            (Side::Right, 180) => "one\n\tzwei\nthree",
            _ => "one\n\ttwo\n\tzwei\nthree",
        };
        assert_eq!(bench.marks(from, upto).as_deref(), Some(wanted), "{width} {side:?}");
        assert!(bench.decisions().is_empty(), "marking decides nothing");
    }
}

#[test]
fn a_drag_beyond_the_edge_scrolls_and_marks_on() {
    let mut bench = Bench::new(100, 24);
    let lines: Vec<String> = (0..400).map(|n| format!("line {n:03} of a long text")).collect();
    let mut viewer = Viewer::new("a".to_owned());
    viewer.fill(Ok(lines.join("\n").into()));
    bench.state.screen.dialog = Some(Dialog::Viewer(viewer));
    bench.send(Msg::Focus(true));
    arrange(&mut bench.state);
    let shown: Rect = area(&bench.state, Surface::Viewer).unwrap();
    let (from, _) = bench.cells_of(Surface::Viewer, "line 000").unwrap();
    bench.mouse(MouseKind::Press, from);
    for _ in 0..100 {
        bench.mouse(MouseKind::Drag, (from.0, shown.bottom() + 1));
    }
    let upto = (shown.right() - 1, shown.bottom() - 1);
    bench.mouse(MouseKind::Drag, upto);
    bench.ops.clear();
    bench.mouse(MouseKind::Release, upto);
    let last = usize::from(shown.height) + 99;
    let wanted = lines[..=last].join("\n");
    assert!(
        bench
            .ops
            .iter()
            .any(|op| matches!(op, Op::Copy { text, .. } if **text == *wanted))
    );
}
