use super::*;

#[test]
fn an_undo_that_was_finished_after_a_crash_is_not_called_unknown() {
    let started = Body::CallStarted {
        call: CallId("u".to_owned()),
        tool: UNDO.to_owned(),
        title: "f.txt".to_owned(),
        files: Vec::new(),
    };
    let ends = |is_undo_finished| {
        let left = LeftBehind {
            call: CallId("u".to_owned()),
            changed: Vec::new(),
            unchanged: Vec::new(),
            unreadable: Vec::new(),
            child: None,
            printed: String::new(),
            is_undo_finished,
        };
        match end_of_own(&started, &[left]) {
            Some(Body::Shell { status, summary, .. }) => (status, summary),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(ends(false), (CallStatus::Cancelled, Summary::ResultUnknown));
    let (status, summary) = ends(true);
    assert_eq!(status, CallStatus::Ok);
    assert_ne!(summary, Summary::ResultUnknown);
}
