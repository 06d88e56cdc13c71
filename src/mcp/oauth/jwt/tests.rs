use super::*;

const P256: &str = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXk6KCXczKRmox0ui\nkIJeUcbMum+9jmDZBObtTtI9sp2hRANCAATXOQvWt0GYtEeKCc20yaimhuVhY1aH\nxayuw6d4l6EOgjDf0zQ/VeBFmngkRWprVaKfsbWZ13FAg6J6IcKV5uBc\n-----END PRIVATE KEY-----";
const OF_OLD: &str = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIF5Oigl3MykZqMdLopCCXlHGzLpvvY5g2QTm7U7SPbKdoAoGCCqGSM49\nAwEHoUQDQgAE1zkL1rdBmLRHignNtMmopoblYWNWh8WsrsOneJehDoIw39M0P1Xg\nRZp4JEVqa1Win7G1mddxQIOieiHClebgXA==\n-----END EC PRIVATE KEY-----";
const ED25519: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJZFqXGZJHva3cd39lpkAMM14hr2Eo4Av6xkyY1AyAYB\n-----END PRIVATE KEY-----";

#[test]
fn what_is_signed_says_who_asks_where_and_for_how_long() {
    for (pem, name, long) in [(P256, "ES256", 64), (OF_OLD, "ES256", 64), (ED25519, "EdDSA", 64)] {
        let word = signed(pem, "kennel", "https://auth.example").unwrap();
        let parts: Vec<Vec<u8>> = word
            .split('.')
            .map(|part| BASE64_URL_SAFE_NO_PAD.decode(part).unwrap())
            .collect();
        let [header, about, signature] = parts.as_slice() else {
            panic!("{word}")
        };
        let header: Value = serde_json::from_slice(header).unwrap();
        let about: Value = serde_json::from_slice(about).unwrap();
        assert_eq!(header, json!({"alg": name, "typ": "JWT"}));
        assert_eq!((&about["iss"], &about["sub"]), (&json!("kennel"), &json!("kennel")));
        assert_eq!(about["aud"], json!("https://auth.example"));
        let lasts = about["exp"].as_i64().unwrap() - about["iat"].as_i64().unwrap();
        assert_eq!((lasts, signature.len()), (LASTS_SECONDS, long));
    }
}

#[test]
fn a_key_that_cannot_be_used_is_not_repeated() {
    for pem in [
        "s3cret",
        "-----BEGIN PRIVATE KEY-----\nczNjcmV0\n-----END PRIVATE KEY-----\n",
    ] {
        let Err(SignInTrouble::NoKey { words }) = signed(pem, "kennel", "https://auth.example") else {
            panic!("{pem}")
        };
        assert!(words.starts_with("it is no ") && !words.contains("czNjcmV0"), "{words}");
    }
}

#[test]
fn both_numbers_of_a_signature_have_their_whole_length() {
    let der = [0x30, 0x09, 0x02, 0x03, 0x00, 0x80, 0x01, 0x02, 0x02, 0x01, 0x02];
    assert_eq!(side_by_side(&der, 4).unwrap(), [0, 0, 0x80, 1, 0, 0, 1, 2]);
    assert_eq!(side_by_side(&der, 1), None);
    for odd in [
        &[][..],
        &[0x30],
        &[0x30, 0x09, 0x02],
        &[0x30, 0x81, 0x02],
        &[0x30, 0x02, 0x02, 0x05],
    ] {
        assert_eq!(side_by_side(odd, 4), None, "{odd:?}");
    }
}
