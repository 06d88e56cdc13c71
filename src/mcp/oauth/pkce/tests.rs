use super::*;

#[test]
fn the_challenge_matches_rfc_7636_and_secrets_differ() {
    // RFC 7636, appendix B.
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    assert_eq!(challenge(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    let (one, other) = (random_secret().unwrap(), random_secret().unwrap());
    assert!(one != other && one.len() == 43, "{one} {other}");
}
