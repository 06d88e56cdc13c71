use super::*;

#[test]
fn an_answer_is_an_acknowledgement_or_the_number_of_an_error() {
    let answer = |kind: u16, code: i32| {
        let mut bytes = vec![0; 20];
        bytes[4..6].copy_from_slice(&kind.to_ne_bytes());
        bytes[16..20].copy_from_slice(&code.to_ne_bytes());
        bytes
    };
    assert_eq!(error_in(&answer(NLMSG_ERROR, 0)), Some(0));
    assert_eq!(error_in(&answer(NLMSG_ERROR, -1)), Some(-1));
    assert_eq!(error_in(&answer(RTM_NEWLINK, 0)), None);
    assert_eq!(error_in(&[2; 7]), None);
}

#[test]
fn a_request_is_as_long_as_it_says() {
    assert_eq!(request().len(), 32);
}
