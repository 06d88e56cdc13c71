use super::*;

fn session(id: &str, from: Option<&str>) -> SessionMeta {
    let mut meta = serde_json::json!({
        "id": id, "title": id, "workspace": "/w", "created": 0, "updated": 0, "model": null, "agent": "build", "entries": 1
    });
    if let Some(from) = from {
        meta["forked_from"] = serde_json::json!({"session": from, "entry": 7});
    }
    serde_json::from_value(meta).unwrap()
}

fn shown(sessions: &[(&str, Option<&str>)]) -> Vec<String> {
    let sessions = sessions.iter().map(|(id, from)| session(id, *from)).collect();
    let row = |(depth, meta): (usize, SessionMeta)| format!("{}{}", "-".repeat(depth), meta.id);
    tree(sessions).into_iter().map(row).collect()
}

#[test]
fn forks_follow_their_origin_at_the_place_of_the_newest() {
    let rows = [
        ("other", None),
        ("fork", Some("main")),
        ("deep", Some("fork")),
        ("old", None),
        ("main", None),
        ("second", Some("main")),
        ("orphan", Some("gone")),
    ];
    let expected = ["other", "main", "-fork", "--deep", "-second", "old", "orphan"];
    assert_eq!(shown(&rows), expected);
}

#[test]
fn a_circle_loses_no_session() {
    let mut rows = shown(&[("a", Some("b")), ("b", Some("a")), ("self", Some("self"))]);
    rows.sort_unstable_by_key(|row| row.trim_start_matches('-').to_owned());
    assert_eq!(
        rows.iter().map(|row| row.trim_start_matches('-')).collect::<Vec<_>>(),
        ["a", "b", "self"]
    );
}

#[test]
fn a_fork_names_its_origin_and_old_descriptions_are_readable() {
    let fork = session("main", None).fork(Time(5), Some(EntryId(3)), &[]);
    let from = fork.forked_from.as_deref().unwrap();
    assert_eq!((from.session.0.as_str(), from.entry), ("main", Some(EntryId(3))));
}

#[test]
fn each_copy_of_a_session_has_its_own_title() {
    let mut all = vec![session("main", None), session("other", None)];
    let fork = |of: &SessionMeta, all: &[SessionMeta]| of.clone().fork(Time(5), None, all);
    let first = fork(&all[0], &all);
    all.push(first.clone());
    let second = fork(&all[0], &all);
    all.push(second.clone());
    let of_copy = fork(&first, &all);
    let titles = [first, second, of_copy].map(|copy| copy.title);
    assert_eq!(titles, ["(2) main", "(3) main", "(4) main"]);
    let untitled = SessionMeta {
        title: String::new(),
        ..session("new", None)
    };
    assert_eq!(fork(&untitled, &all).title, "");
    assert_eq!(fork(&session("(a) b", None), &all).title, "(2) (a) b");
}
