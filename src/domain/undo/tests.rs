use super::*;
use benchdog_base::clock::Time;

/// A log built from changes: call, path, before and after.
#[derive(Default)]
struct Log(Vec<Arc<Entry>>);

impl Log {
    fn change(&mut self, call: &str, path: &str, sides: (&str, &str), undoes: &[u64]) {
        self.push(call, path, sides, (undoes, false));
    }

    fn push(&mut self, call: &str, path: &str, (before, after): (&str, &str), (undoes, in_part): (&[u64], bool)) {
        let side = |text: &str| (!text.is_empty()).then(|| BlobId(text.to_owned()));
        let lines = u32::from(!(after.is_empty() && before.starts_with("moved")));
        self.0.push(Arc::new(Entry {
            id: EntryId(self.0.len() as u64 + 1),
            turn: TurnId(1),
            time: Time(0),
            body: Body::Change {
                call: CallId(call.to_owned()),
                path: path.to_owned(),
                before: side(before),
                after: side(after),
                added: lines,
                removed: lines,
                moved: Vec::new(),
                undoes: undoes.iter().copied().map(EntryId).collect(),
                in_part,
                mode_before: None,
                job: None,
            },
        }));
    }

    fn steps(&self, only: Option<&str>) -> Vec<String> {
        steps(&self.0, only).into_iter().map(written).collect()
    }

    fn undone(&self) -> Vec<String> {
        undone(&self.0).into_iter().map(written).collect()
    }
}

fn written(step: Step) -> String {
    let side = |side: &Option<BlobId>| side.as_ref().map_or_else(|| "-".to_owned(), |blob| blob.0.clone());
    let file = |file: &FileBack<BlobId>| {
        let to = file.moved_to.as_ref().map(|to| format!("→{to}")).unwrap_or_default();
        format!("{}{to} {}>{}", file.path, side(&file.was), side(&file.became))
    };
    let files: Vec<String> = step.files.iter().map(file).collect();
    let ids: Vec<u64> = step.entries.iter().map(|id| id.0).collect();
    format!("{} {ids:?}", files.join(", "))
}

#[test]
fn the_newest_change_comes_first_and_the_files_of_one_call_belong_together() {
    let mut log = Log::default();
    log.change("a", "one", ("1", "2"), &[]);
    log.change("b", "one", ("2", "3"), &[]);
    log.change("b", "new", ("", "n"), &[]);
    assert_eq!(log.steps(None), ["one 2>3, new ->n [2, 3]", "one 1>2 [1]"]);
}

#[test]
fn what_was_taken_back_is_not_taken_back_again_nor_is_the_taking_back() {
    let mut log = Log::default();
    log.change("a", "one", ("1", "2"), &[]);
    log.change("b", "one", ("2", "3"), &[]);
    log.change("c", "one", ("3", "2"), &[2]);
    assert_eq!(log.steps(None), ["one 1>2 [1]"]);
    log.change("d", "one", ("2", "1"), &[1]);
    assert_eq!(log.steps(None), Vec::<String>::new());
}

#[test]
fn an_undo_can_be_undone_and_the_change_applies_again() {
    let mut log = Log::default();
    log.change("a", "one", ("1", "2"), &[]);
    log.change("b", "one", ("2", "3"), &[]);
    assert_eq!(log.undone(), Vec::<String>::new());
    log.change("u", "one", ("3", "1"), &[1, 2]);
    assert_eq!(log.undone(), ["one 3>1 [3]"]);
    log.change("r", "one", ("1", "3"), &[3]);
    assert_eq!(log.undone(), Vec::<String>::new());
    assert_eq!(log.steps(None), ["one 2>3 [2]", "one 1>2 [1]"]);
    log.change("u2", "one", ("3", "2"), &[2]);
    assert_eq!(log.undone(), ["one 3>2 [5]"]);
    assert_eq!(log.steps(None), ["one 1>2 [1]"]);
}

#[test]
fn a_file_that_was_left_when_the_others_of_its_call_were_taken_back_still_stands() {
    let mut log = Log::default();
    log.change("a", "b", ("0", "1"), &[]);
    log.change("b", "a", ("1", "2"), &[]);
    log.change("b", "b", ("1", "2"), &[]);
    log.change("u", "a", ("2", "1"), &[2, 3]);
    assert_eq!(log.steps(None), ["b 1>2 [3]", "b 0>1 [1]"]);
    assert_eq!(log.steps(Some("b")), ["b 1>2 [3]", "b 0>1 [1]"]);
    log.change("v", "b", ("2", "1"), &[3]);
    assert_eq!(log.steps(None), ["b 0>1 [1]"]);
}

#[test]
fn a_file_of_which_hunks_were_dropped_still_stands_until_the_rest_is_taken_back() {
    let mut log = Log::default();
    log.change("a", "one", ("1", "2"), &[]);
    log.push("u", "one", ("2", "half"), (&[1], true));
    assert_eq!(log.steps(None), ["one 1>2 [1]"]);
    log.change("v", "one", ("half", "1"), &[1]);
    assert_eq!(log.steps(None), Vec::<String>::new());
}

#[test]
fn a_change_of_the_mode_alone_is_not_passed_over_for_an_older_one() {
    let mut log = Log::default();
    log.change("a", "run", ("1", "2"), &[]);
    log.change("b", "run", ("2", "2"), &[]);
    assert_eq!(log.steps(Some("run")), ["run 2>2 [2]", "run 1>2 [1]"]);
}

#[test]
fn a_rename_is_taken_back_under_either_of_its_names() {
    let mut log = Log::default();
    log.change("a", "old", ("moved", ""), &[]);
    log.change("a", "new", ("", "changed"), &[]);
    log.push("u", "new", ("changed", ""), (&[1, 2], true));
    log.push("u", "old", ("", "half"), (&[1, 2], true));
    assert_eq!(log.steps(None), ["old→new moved>changed [1, 2]"]);
    log.change("v", "old", ("half", "moved"), &[1, 2]);
    assert_eq!(log.steps(None), Vec::<String>::new());
}

#[test]
fn of_one_file_the_newest_change_is_found_and_the_others_of_its_call_stay() {
    let mut log = Log::default();
    log.change("a", "one", ("1", "2"), &[]);
    log.change("a", "two", ("1", "2"), &[]);
    log.change("b", "two", ("2", "3"), &[]);
    assert_eq!(log.steps(Some("one")), ["one 1>2 [1]"]);
    log.change("c", "one", ("2", "1"), &[1]);
    assert_eq!(log.steps(None), ["two 2>3 [3]", "two 1>2 [2]"]);
}

#[test]
fn a_rename_is_one_file_and_what_a_child_changed_twice_is_one_change() {
    let mut log = Log::default();
    log.change("a", "old", ("moved", ""), &[]);
    log.change("a", "new", ("", "moved"), &[]);
    log.change("b", "one", ("1", "2"), &[]);
    log.change("b", "one", ("2", "3"), &[]);
    log.change("c", "same", ("1", "2"), &[]);
    log.change("c", "same", ("2", "1"), &[]);
    assert_eq!(log.steps(None), ["one 1>3 [3, 4]", "old→new moved>moved [1, 2]"]);
    assert_eq!(log.steps(Some("new")), ["old→new moved>moved [1, 2]"]);
}

#[test]
fn the_line_of_it_is_known_again_and_a_command_of_that_name_is_not_one() {
    let line = line(&["one", "two"]);
    assert_eq!(line, "/undo one, two");
    assert_eq!(of_line(&line), Some("one, two"));
    assert_eq!(of_line("undo one"), None);
    assert_eq!(of_line("/undone"), None);
}

#[test]
fn a_command_for_the_shell_that_begins_like_it_is_not_it() {
    let typed = for_shell("/undo one".to_owned());
    assert_eq!((typed.trim(), of_line(&typed)), ("/undo one", None));
    assert_eq!(as_typed(&typed), "! /undo one");
    assert_eq!(for_shell("ls /undo".to_owned()), "ls /undo");
}

#[test]
fn the_line_names_what_went_back_and_of_many_the_first() {
    let file = |path: &str| FileBytes {
        path: path.to_owned(),
        moved_to: None,
        was: None,
        became: None,
        mode_before: None,
    };
    let changed = |path: &str| AppliedChange {
        path: path.to_owned(),
        before: None,
        after: None,
        added: 0,
        removed: 0,
        in_part: false,
        mode_before: None,
    };
    let files = ["1", "2", "3", "4", "5", "6", "7"].map(file);
    assert_eq!(line_of_changed(&files, &[]), None);
    let of_some = line_of_changed(&files, &["7", "2"].map(changed));
    assert_eq!(of_some.as_deref(), Some("/undo 2, 7"));
    let of_five = line_of_changed(&files, &["2", "3", "4", "5", "6"].map(changed));
    assert_eq!(of_five.as_deref(), Some("/undo 2, 3, 4, 5, 6"));
    let of_all = line_of_changed(&files, &files.clone().map(|file| changed(&file.path)));
    assert_eq!(of_all.as_deref(), Some("/undo 1, 2, 3, 4, 5, …"));
}
