use std::sync::Arc;

use super::*;
use benchdog_domain::call::Origin;
use benchdog_domain::permission::{Action, Because, Layer, Verdict};
use benchdog_domain::review::FileOperation;

fn call(id: &str) -> CallId {
    CallId(id.to_owned())
}

fn now() -> BlobId {
    BlobId("now".to_owned())
}

fn proposes(pane: &mut ChangesPane, id: &str, paths: &[&str]) {
    let changes = paths.iter().map(|path| FileChange {
        path: (*path).to_owned(),
        before: Some(Arc::from(&b"a\n"[..])),
        after: Some(Arc::from(&b"b\n"[..])),
        operation: FileOperation::Update,
        note: None,
        mode_after: None,
    });
    let request = ApprovalRequest {
        edition: 0,
        on_disk: benchdog_protocol::OnDisk::AsShown,
        child: None,
        call: call(id),
        origin: Origin::Model,
        tool: "edit".to_owned(),
        title: String::new(),
        review: Review::Files(changes.collect()),
        verdict: Verdict {
            action: Action::Ask,
            because: Because::Words(String::new()),
            layer: Layer::Default,
            class: None,
            scopes: Vec::new(),
            only_once: None,
            network: false,
            needs_person: false,
            confinable: false,
        },
    };
    pane.wait(&request, None);
}

fn states(pane: &ChangesPane) -> Vec<(&str, ChangeState)> {
    pane.rows
        .iter()
        .map(|row| (row.path.as_str(), row.state.clone()))
        .collect()
}

#[test]
fn each_file_of_a_proposal_shows_what_became_of_it() {
    let mut pane = ChangesPane::default();
    proposes(&mut pane, "1", &["a", "b"]);
    assert!(pane.rows.iter().all(|row| row.state.waits()));
    pane.decided(&call("1"));
    pane.made("a", (1, 1), None, Some(&now()));
    pane.ended(&call("1"), CallStatus::Ok);
    assert_eq!(states(&pane), [("a", ChangeState::Made), ("b", ChangeState::Refused)]);
    // A second proposal for a file replaces the row of the first.
    proposes(&mut pane, "2", &["b"]);
    pane.decided(&call("2"));
    pane.ended(&call("2"), CallStatus::Error);
    assert_eq!(states(&pane), [("b", ChangeState::Failed), ("a", ChangeState::Made)]);
    assert_eq!(pane.made_files(None).len(), 1);
    pane.made("b", (1, 1), None, Some(&now()));
    assert_eq!(states(&pane), [("b", ChangeState::Made), ("a", ChangeState::Made)]);
    let files = pane.made_files(None).into_iter().map(|(path, _)| path);
    assert_eq!(files.collect::<Vec<_>>(), ["a", "b"], "in the order they were changed");
}

#[test]
fn what_changed_last_is_on_top_below_what_waits() {
    let mut pane = ChangesPane::default();
    for path in ["a", "b", "c", "a"] {
        pane.made(path, (1, 0), None, Some(&now()));
    }
    proposes(&mut pane, "1", &["d"]);
    pane.made("b", (1, 0), None, Some(&now()));
    let paths: Vec<&str> = pane.rows.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(paths, ["d", "b", "a", "c"]);
}

#[test]
fn what_was_not_answered_when_the_turn_ended_was_not_made() {
    let mut pane = ChangesPane::default();
    proposes(&mut pane, "1", &["a"]);
    pane.turn_ended();
    assert_eq!(states(&pane), [("a", ChangeState::Refused)]);
}

#[test]
fn what_an_opened_session_had_changed_was_made_earlier_until_it_changes_again() {
    let mut pane = ChangesPane::default();
    pane.made("a", (1, 0), None, Some(&now()));
    pane.made("b", (2, 0), None, Some(&now()));
    pane.resumed();
    pane.made("b", (0, 1), None, Some(&now()));
    assert_eq!(states(&pane), [("b", ChangeState::Made), ("a", ChangeState::Earlier)]);
    assert_eq!((pane.rows[0].added, pane.rows[0].removed), (2, 1));
}

#[test]
fn only_folders_in_which_something_was_changed_have_changes() {
    let mut pane = ChangesPane::default();
    let folder = |path: &str| FolderItem {
        path: path.to_owned(),
        folder: true,
        ignored: false,
        git: None,
    };
    pane.made("src/deep/a", (1, 0), None, Some(&now()));
    let listed = |pane: &mut ChangesPane, path: &str, below: &[&str]| {
        let items: Vec<FolderItem> = below.iter().map(|path| folder(path)).collect();
        pane.listed(path, &items)
    };
    assert!(listed(&mut pane, "src/deep", &[]));
    assert!(!listed(&mut pane, "src", &["src/deep"]) && !listed(&mut pane, ".", &["src"]));
    assert!(
        listed(&mut pane, "src", &["src/deeper"]) && listed(&mut pane, ".", &[]),
        "it went with its folder"
    );
    assert!(!listed(&mut pane, "sr", &[]) && !listed(&mut pane, "src/deep/a", &[]));
    pane.may_differ();
    let asked = pane.take_uncounted().unwrap();
    pane.counted(pane.asked, &[counted(&asked[0], (0, 0), false)]);
    assert!(!listed(&mut pane, ".", &[]));
    assert!(listed(&mut pane, ".", &["src"]), "it may be there again");
    assert!(!listed(&mut pane, ".", &["src"]), "the folder is there as it was");
    assert!(listed(&mut pane, "src", &["src/deep"]));
    assert!(
        !listed(&mut pane, "src", &["src/deep", "src/other"]),
        "the file alone is gone"
    );
    assert!(listed(&mut pane, "src/deep", &[]));
    pane.made("b", (1, 0), None, Some(&now()));
    assert!(listed(&mut pane, ".", &["src"]));
}

fn counted((path, before): &Changed, (added, removed): (u32, u32), is_there: bool) -> Counted {
    Counted {
        path: path.clone(),
        before: before.clone(),
        added,
        removed,
        is_there,
        lies_at: None,
    }
}

#[test]
fn a_file_that_is_named_through_a_link_is_counted_where_its_folder_is_listed_by_its_own_name() {
    let mut pane = ChangesPane::default();
    pane.made("link/deep/a", (1, 0), None, Some(&now()));
    assert!(!pane.listed("real/deep", &[]), "nobody knows yet where the link leads");
    pane.may_differ();
    let asked = pane.take_uncounted().unwrap();
    let counted = Counted {
        lies_at: Some("real/deep/a".to_owned()),
        ..counted(&asked[0], (1, 0), true)
    };
    pane.counted(pane.asked, &[counted]);
    assert!(pane.listed("real/deep", &[]));
    assert!(pane.listed("link/deep", &[]));
    assert!(!pane.listed("real/other", &[]));
    pane.may_differ();
    assert_eq!(pane.take_uncounted(), Some(asked), "it is asked about by its own name");
}

fn shown(pane: &ChangesPane) -> Vec<(&str, u32, u32)> {
    let rows = pane.rows.iter();
    rows.map(|row| (&*row.path, row.added, row.removed)).collect()
}

#[test]
fn several_changes_of_a_file_are_counted_as_what_differs_and_not_as_their_sum() {
    let mut pane = ChangesPane::default();
    let a = ("a".to_owned(), Some(BlobId("before".to_owned())));
    let new = ("new".to_owned(), None);
    pane.made("a", (3, 3), a.1.clone(), Some(&now()));
    pane.made("new", (60, 0), None, Some(&now()));
    assert_eq!(pane.take_uncounted(), None, "one change of a file is what differs");
    pane.made("a", (2, 2), Some(now()), Some(&BlobId("later".to_owned())));
    assert!(pane.rows[0].is_estimate && !pane.rows[1].is_estimate);
    assert_eq!(pane.take_uncounted(), Some(vec![a.clone()]));
    pane.made("a", (1, 0), Some(now()), Some(&now()));
    assert_eq!(pane.take_uncounted(), None, "it is being counted");
    pane.counted(pane.asked, &[counted(&a, (1, 1), true)]);
    assert_eq!(shown(&pane), [("a", 1, 1), ("new", 60, 0)]);
    assert!(!pane.rows[0].is_estimate);
    assert_eq!(pane.take_uncounted(), Some(vec![a.clone()]), "behind that");
    pane.counted(pane.asked, &[counted(&a, (2, 1), true)]);
    assert_eq!(pane.take_uncounted(), None, "asked once");
    pane.may_differ();
    assert_eq!(pane.take_uncounted(), Some(vec![a.clone(), new.clone()]));
    pane.counted(pane.asked, &[counted(&a, (0, 9), false), counted(&new, (0, 0), false)]);
    let gone: Vec<_> = pane.rows.iter().map(|row| (&*row.path, row.is_gone())).collect();
    assert_eq!(gone, [("a", false), ("new", true)], "the counts of the other say it");
    pane.resumed();
    pane.may_differ();
    assert_eq!(pane.take_uncounted(), None, "nothing changed in this run");
}

#[test]
fn what_could_not_be_counted_is_an_estimate_and_is_asked_about_again() {
    let mut pane = ChangesPane::default();
    pane.made("a", (3, 0), None, Some(&now()));
    pane.made("b", (4, 0), None, Some(&now()));
    pane.may_differ();
    let asked = pane.take_uncounted().unwrap();
    pane.counted(pane.asked, &[counted(&asked[0], (1, 0), true)]);
    assert_eq!(shown(&pane), [("b", 1, 0), ("a", 3, 0)]);
    assert!(!pane.rows[0].is_estimate && pane.rows[1].is_estimate);
    assert_eq!(pane.take_uncounted(), None, "nothing happened since");
    pane.may_differ();
    assert_eq!(pane.take_uncounted(), Some(asked.clone()));
    pane.counted(pane.asked, &[counted(&asked[1], (5, 0), true)]);
    assert!(pane.rows[0].is_estimate && !pane.rows[1].is_estimate);
}

#[test]
fn what_was_counted_for_another_session_changes_no_row() {
    let mut pane = ChangesPane::default();
    pane.made("a", (3, 0), None, Some(&now()));
    pane.may_differ();
    let (before, asked) = (pane.take_uncounted().unwrap(), pane.asked);
    pane.clear();
    pane.made("a", (7, 7), None, Some(&BlobId("later".to_owned())));
    pane.counted(asked, &[counted(&before[0], (3, 0), true)]);
    assert_eq!(shown(&pane), [("a", 7, 7)]);
    pane.may_differ();
    let newer = pane.take_uncounted().unwrap();
    pane.counted(asked, &[counted(&before[0], (3, 0), true)]);
    assert_eq!(shown(&pane), [("a", 7, 7)]);
    assert!(!pane.rows[0].is_estimate);
    pane.counted(pane.asked, &[counted(&newer[0], (8, 7), true)]);
    assert_eq!(
        shown(&pane),
        [("a", 8, 7)],
        "what was asked for this one is still awaited"
    );
}

#[test]
fn of_a_long_list_what_is_near_the_cursor_is_counted_and_the_rest_when_it_comes_near() {
    let mut pane = ChangesPane::default();
    let rows = 3 * COUNTED;
    for at in 0..rows {
        pane.made(&format!("{at}"), (1, 0), None, Some(&now()));
    }
    pane.may_differ();
    pane.step(1);
    let count = |pane: &mut ChangesPane| {
        let asked = pane.take_uncounted()?;
        let places = asked.iter().map(|(path, _)| rows - 1 - path.parse::<usize>().unwrap());
        let places: Vec<usize> = places.collect();
        pane.counted(
            pane.asked,
            &asked.iter().map(|file| counted(file, (2, 0), true)).collect::<Vec<_>>(),
        );
        Some((places.len(), places[0], *places.last().unwrap()))
    };
    assert_eq!(
        count(&mut pane),
        Some((COUNTED, 1, COUNTED - 1)),
        "what is under the cursor first"
    );
    assert_eq!(count(&mut pane), Some((1, COUNTED, COUNTED)));
    assert_eq!(count(&mut pane), None);
    pane.step(rows as isize);
    assert_eq!(count(&mut pane), Some((COUNTED, rows - 1, rows - COUNTED)));
    pane.step(-(COUNTED as isize));
    while count(&mut pane).is_some() {}
    assert!(shown(&pane).iter().all(|(_, added, _)| *added == 2));
}

#[test]
fn a_file_that_is_as_it_was_before_its_changes_is_none_of_them() {
    let mut pane = ChangesPane::default();
    let before = BlobId("before".to_owned());
    pane.made("a", (1, 0), Some(before.clone()), Some(&now()));
    pane.made("new", (1, 0), None, Some(&now()));
    pane.made("a", (2, 0), Some(now()), Some(&BlobId("later".to_owned())));
    pane.made("a", (0, 2), Some(BlobId("later".to_owned())), Some(&now()));
    assert_eq!(states(&pane), [("a", ChangeState::Made), ("new", ChangeState::Made)]);
    pane.made("a", (0, 1), Some(now()), Some(&before));
    pane.made("new", (0, 1), Some(now()), None);
    assert_eq!(states(&pane), []);
    // After its row was removed, a file's next change counts as its first.
    pane.made("a", (1, 0), Some(before), Some(&now()));
    assert_eq!((pane.rows[0].added, pane.rows[0].removed), (1, 0));
}
