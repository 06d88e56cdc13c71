use super::*;

#[test]
fn a_challenge_is_the_one_of_the_standard_and_secrets_differ() {
    // RFC 7636, appendix B.
    let proof = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    assert_eq!(challenge(proof), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    let (one, other) = (secret().unwrap(), secret().unwrap());
    assert!(one != other && one.len() == 43, "{one} {other}");
}
