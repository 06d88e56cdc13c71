use super::bar;

#[test]
fn the_bar_has_thirty_cells_however_full_it_is() {
    assert_eq!(bar(0), format!("[{}]", "-".repeat(30)));
    assert_eq!(bar(50), format!("[{}{}]", "#".repeat(15), "-".repeat(15)));
    assert_eq!(bar(100), format!("[{}]", "#".repeat(30)));
}
