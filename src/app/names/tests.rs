use super::{listed, shortened};
use benchdog_base::text::width;

#[test]
fn paths_in_a_row_are_each_shortened_or_the_first_is_named() {
    assert_eq!(listed("a.rs, b.rs", 10), "a.rs, b.rs");
    assert_eq!(listed("requests/2024/models.py", 14), "models.py");
    assert_eq!(
        listed("requests/2024/models.py, requests/2024/money.py", 20),
        "models.py, money.py"
    );
    let many = "requests/models.py, requests/money.py, requests/api.py, …";
    assert_eq!(listed(many, 16), "models.py, …");
    for columns in 0..60 {
        assert!(width(&listed(many, columns)) <= columns, "{columns}");
    }
}

fn names(paths: &[&str], columns: usize) -> Vec<String> {
    shortened(paths, 0..paths.len(), columns)
}

#[test]
fn a_file_that_is_listed_twice_keeps_its_name_in_both_rows() {
    let twice = ["requests/2024/total.py", "requests/2024/total.py"];
    assert_eq!(names(&twice, 12), ["total.py", "total.py"]);
    assert_eq!(names(&twice, 19), ["requests/…/total.py", "requests/…/total.py"]);
    let other = [
        "requests/2024/total.py",
        "answers/2024/total.py",
        "requests/2024/total.py",
    ];
    let names = names(&other, 14);
    assert_eq!(names[0], names[2]);
    assert_ne!(names[0], names[1]);
}

#[test]
fn among_several_with_one_end_each_is_named_from_where_any_of_them_differs() {
    let paths = ["one/c", "one/a", "one/b", "two/a"].map(|folder| format!("{folder}/and/a/long/tail/of/it/mod.rs"));
    let paths = paths.each_ref().map(String::as_str);
    let begin = |paths: &[&str]| -> Vec<String> {
        let begin = |name: &String| name.split("/and").next().unwrap_or_default().to_owned();
        names(paths, 24).iter().map(begin).collect()
    };
    assert_eq!(begin(&paths[..3]), ["…c", "…a", "…b"]);
    assert_eq!(begin(&paths), ["one/c", "one/a", "one/b", "two/…/tail/of/it/mod.rs"]);
}
