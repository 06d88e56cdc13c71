use super::*;

fn facts() -> Facts {
    Facts {
        focus: Pane::Prompt,
        files: true,
        side: SidePanes {
            todo: true,
            context: true,
            changes: true,
        },
        over: None,
        prompt_rows: 1,
        has_status_line: false,
        card_rows: 0,
        completion_rows: 0,
        changes_rows: 1,
        context_rows: 7,
        approval: None,
        reads: false,
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
            for (approval, reads) in [(None, true), (Some(u16::MAX), false), (Some(9), true)] {
                let approval = approval.map(|rows| ApprovalSize {
                    rows,
                    above: Above::Stays,
                });
                for prompt_rows in [1, 9] {
                    let facts = Facts {
                        // Every combination of panes, at adjacent heights.
                        side: SidePanes {
                            todo: height & 1 == 0,
                            context: height & 2 == 0,
                            changes: height & 4 == 0,
                        },
                        approval,
                        reads,
                        prompt_rows,
                        card_rows: 3,
                        completion_rows: 8,
                        dialog: Some(DialogSize {
                            columns: 70,
                            rows: 20,
                            place: if width % 2 == 0 { Place::Middle } else { Place::Edge },
                        }),
                        ..facts()
                    };
                    check(&compute(width, height, &facts));
                }
            }
        }
    }
}

#[test]
fn a_list_at_the_edge_leaves_the_prompt_and_the_line_above_it_in_view() {
    let list = Facts {
        dialog: Some(DialogSize {
            columns: 64,
            rows: 40,
            place: Place::Edge,
        }),
        prompt_rows: 2,
        ..facts()
    };
    for (width, height) in [(80, 24), (120, 40), (60, 24), (200, 12)] {
        let layout = compute(width, height, &list);
        let (prompt, list) = (layout.prompt.unwrap(), layout.dialog.unwrap());
        assert_eq!(list.bottom(), prompt.y - 1, "{width}x{height}: {list:?} {prompt:?}");
    }
    // The preview above a list keeps its rows, even in a low window.
    let layout = compute(40, 12, &list);
    assert_eq!(layout.dialog.unwrap(), Rect::new(0, 4, 40, 7));
}

#[test]
fn the_changes_fill_the_side_column_below_the_gauge_where_there_is_no_list() {
    let side = SidePanes {
        todo: false,
        context: true,
        changes: true,
    };
    let layout = compute(120, 40, &Facts { side, ..facts() });
    let (context, changes) = (layout.context.unwrap(), layout.changes.unwrap());
    assert_eq!((context.y, changes.y), (1, context.bottom() + 1));
    assert_eq!(changes.bottom(), layout.prompt.unwrap().bottom());
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

#[test]
fn a_request_hides_neither_the_end_of_the_conversation_nor_what_is_queued() {
    for (width, height) in [(80, 24), (120, 40), (160, 45)] {
        let approval = Some(ApprovalSize {
            rows: u16::MAX,
            above: Above::Stays,
        });
        let layout = compute(
            width,
            height,
            &Facts {
                approval,
                card_rows: 2,
                ..facts()
            },
        );
        let request = layout.approval.unwrap();
        let conversation = layout.conversation.unwrap();
        assert!(
            conversation.height >= 3 && conversation.bottom() == request.y,
            "{layout:?}"
        );
        assert_eq!(request.bottom(), layout.cards.unwrap().y);
        let beside = [layout.files, layout.todo, layout.context, layout.changes]
            .into_iter()
            .flatten();
        assert!(
            beside.into_iter().all(|pane| pane.intersection(request).is_empty()),
            "{layout:?}"
        );
        assert_eq!(request.width, width, "{layout:?}");
    }
}

#[test]
fn the_prompt_stands_where_it_stood_when_a_request_comes() {
    let approval = Some(ApprovalSize {
        rows: 9,
        above: Above::Stays,
    });
    let asked = compute(160, 45, &Facts { approval, ..facts() });
    assert_eq!(asked.prompt, compute(160, 45, &facts()).prompt);
}

#[test]
fn before_a_text_to_read_all_else_gives_way_as_far_as_it_has_to() {
    let with = |rows| {
        let approval = Some(ApprovalSize {
            rows,
            above: Above::GivesWay,
        });
        compute(80, 24, &Facts { approval, ..facts() })
    };
    let long = with(u16::MAX);
    assert!(long.approval_body.unwrap().height >= 17, "{long:?}");
    let short = with(8);
    assert_eq!(
        short.conversation.unwrap().bottom(),
        short.approval.unwrap().y,
        "{short:?}"
    );
}
