use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

#[test]
fn what_servers_inherit_is_found_out_once_and_not_before_one_is_started() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&asked);
    let inherited = InheritedVariables::of(move || {
        counts.fetch_add(1, Ordering::Relaxed);
        vec![("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())]
    });
    let program = |environment: &[(&str, &str)]| Program {
        program: "x".to_owned(),
        arguments: Vec::new(),
        cwd: PathBuf::new(),
        environment: (environment.iter())
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        variables: inherited.clone(),
        launcher: PathBuf::new(),
    };
    let (one, other) = (program(&[]), program(&[("B", "3")]));
    assert!(one == one.clone() && one != other, "{one:?}");
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    let whole = other.whole_environment();
    let shown: Vec<(&str, &str)> = whole.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(shown, [("A", "1"), ("B", "3")]);
    assert_eq!(one.whole_environment().len(), 2);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let alike = InheritedVariables::of(|| vec![("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())]);
    assert!(alike == inherited, "what a second reading finds is no other server");
}
