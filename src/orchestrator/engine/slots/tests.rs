use super::*;

#[test]
fn sessions_share_a_slot_only_if_there_are_too_few() {
    let slots = Slots::default();
    let take = |seat: u32, provider: &str| slots.take(SeatId(seat), provider, 2);
    assert_eq!((take(1, "a"), take(2, "a"), take(1, "a")), (0, 1, 0));
    assert_eq!(take(3, "b"), 0, "another server");
    assert_eq!(take(4, "a"), 0, "both have one user");
    assert_eq!(take(5, "a"), 1);
    assert_eq!(take(1, "b"), 1, "the session changed its model");
    assert_eq!(take(6, "a"), 0, "so its slot has fewer users");
}
