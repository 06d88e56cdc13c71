use super::*;

fn of(arguments: &[&str]) -> Vec<String> {
    let arguments = arguments.iter().map(OsString::from).collect();
    let separated = separated(arguments).into_iter();
    separated.map(|argument| argument.into_string().unwrap()).collect()
}

#[test]
fn the_wide_space_separates_a_command_from_its_prompt_and_nothing_else() {
    assert_eq!(
        of(&["benchdog", "run　直して　ください"]),
        ["benchdog", "run", "直して　ください"]
    );
    assert_eq!(
        of(&["benchdog", "-m", "a/b", "-p　直して"]),
        ["benchdog", "-m", "a/b", "-p", "直して"]
    );
    assert_eq!(
        of(&["benchdog", "--prompt=直して　ください"]),
        ["benchdog", "--prompt", "直して　ください"]
    );
    assert_eq!(
        of(&["benchdog", "run", "--model　a/b", "-C　dir", "直して　ください"]),
        ["benchdog", "run", "--model", "a/b", "-C", "dir", "直して　ください"]
    );
    for whole in [
        &["benchdog", "run", "docs　を直して"][..],
        &["benchdog", "--cwd=/a　b"],
        &["benchdog", "直して　ください"],
        &["benchdog", "--", "run　a"],
        &["benchdog", "--", "--model　a"],
    ] {
        assert_eq!(of(whole), whole);
    }
}
