use super::*;

#[test]
fn while_a_terminal_took_nothing_titles_and_rings_piled_up() {
    let mut aside = Aside::default();
    for number in 0..1_000 {
        aside.title(format!("title {number}"));
        aside.ring(format!("ring {number}"));
        aside.ring(String::new());
    }
    assert_eq!(
        aside.take(),
        (Some("title 999".to_owned()), Some("ring 999".to_owned()))
    );
    assert_eq!(aside.take(), (None, None));
}
