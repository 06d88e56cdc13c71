//! Rectangles at every size.

use super::*;

fn facts() -> Facts {
    Facts {
        focus: Pane::Prompt,
        files: true,
        side: true,
        over: None,
        prompt_rows: 1,
        card_rows: 0,
        completion_rows: 0,
        changes_rows: 1,
        context_rows: 7,
        approval: None,
        dialog: None,
    }
}

#[test]
fn a_wide_window_has_all_six_panes() {
    let layout = compute(120, 40, &facts());
    for pane in Pane::ALL {
        assert!(
            layout.of(pane).is_some_and(|rect| rect.height > 0 && rect.width > 0),
            "{pane:?}"
        );
    }
}

#[test]
fn side_panes_fold_as_the_window_narrows() {
    let layout = compute(110, 40, &facts());
    assert!(layout.files.is_none() && layout.todo.is_some());
    let layout = compute(99, 40, &facts());
    assert!(layout.todo.is_none() && layout.conversation.is_some());
}

#[test]
fn a_folded_pane_comes_back_over_the_conversation() {
    let over = Facts {
        over: Some(Pane::Todo),
        ..facts()
    };
    let layout = compute(80, 24, &over);
    assert!(layout.todo.is_some() && layout.conversation.is_none());
}

#[test]
fn nothing_leaves_the_window_or_overlaps_at_any_size() {
    for width in 0..140 {
        for height in 0..50 {
            for approval in [None, Some(ApprovalSize::Whole), Some(ApprovalSize::Rows(9))] {
                for prompt_rows in [1, 9] {
                    let facts = Facts {
                        approval,
                        prompt_rows,
                        card_rows: 3,
                        completion_rows: 8,
                        dialog: Some((70, 20)),
                        ..facts()
                    };
                    check(&compute(width, height, &facts));
                }
            }
        }
    }
}

fn check(layout: &Layout) {
    let window = Rect::new(0, 0, layout.width, layout.height);
    let over = [
        layout.completion,
        layout.approval,
        layout.approval_body,
        layout.approval_keys,
        layout.dialog,
    ];
    let panes: Vec<Rect> = Pane::ALL
        .into_iter()
        .filter_map(|pane| layout.of(pane))
        .chain(layout.cards)
        .chain(layout.status)
        .collect();
    for rect in panes.iter().chain(over.iter().flatten()) {
        assert_eq!(rect.intersection(window).area(), rect.area(), "{rect:?} in {window:?}");
    }
    for (n, a) in panes.iter().enumerate() {
        for b in panes.iter().skip(n + 1) {
            assert!(a.intersection(*b).area() == 0, "{a:?} {b:?} in {window:?}");
        }
    }
    if let (Some(approval), Some(prompt)) = (layout.approval, layout.prompt) {
        assert_eq!(
            approval.intersection(prompt).area(),
            0,
            "the prompt stays usable: {window:?}"
        );
    }
}
