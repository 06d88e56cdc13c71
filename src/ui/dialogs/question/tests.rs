use super::tabs_around;

#[test]
fn of_more_tabs_than_fit_those_around_the_one_on_screen_are_shown_whole() {
    let widths = [10; 15];
    assert_eq!(tabs_around(0, &widths, 3, 200, 4), 0..15);
    assert_eq!(tabs_around(0, &widths, 3, 80, 4), 0..6);
    assert_eq!(tabs_around(7, &widths, 3, 80, 4), 7..13);
    assert_eq!(tabs_around(14, &widths, 3, 80, 4), 9..15);
    assert_eq!(
        tabs_around(3, &widths, 3, 5, 4),
        3..4,
        "the one on screen is always there"
    );
}
