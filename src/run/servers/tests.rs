use super::*;

#[test]
fn a_variable_that_holds_nothing_is_not_set_and_is_named() {
    let set = [("EMPTY", ""), ("BLANK", " \n"), ("TOKEN", " t0k\n")];
    let environment = Environment::of(set.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    let all = names(&["GONE", "EMPTY", "BLANK", "TOKEN"]);
    assert_eq!(held(&all, &environment).as_deref(), Some("t0k"));
    assert_eq!(unset(&all, &environment), None);
    let empty = names(&["EMPTY", "BLANK"]);
    assert_eq!(held(&empty, &environment), None);
    assert_eq!(unset(&empty, &environment).as_deref(), Some("EMPTY`, `BLANK"));
}

#[test]
fn a_variable_of_the_person_is_filled_in_and_one_that_is_not_set_is_named() {
    let environment = Environment::of([("TOKEN".to_owned(), "t0k".to_owned())]);
    let mut lacks = Vec::new();
    let filled = environment.fill_in("Bearer ${TOKEN} ${GONE}, $HOME ${open", &mut lacks);
    assert_eq!(
        (filled.as_str(), lacks),
        ("Bearer t0k , $HOME ${open", vec!["GONE".to_owned()])
    );
    let mut lacks = Vec::new();
    let filled = environment.fill_in("${TOKEN:-none}/${GONE:-a:-b}/${GONE:-}", &mut lacks);
    assert_eq!((filled.as_str(), lacks), ("t0k/a:-b/", Vec::new()));
}
