use super::*;

const P256: &str = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXk6KCXczKRmox0ui\nkIJeUcbMum+9jmDZBObtTtI9sp2hRANCAATXOQvWt0GYtEeKCc20yaimhuVhY1aH\nxayuw6d4l6EOgjDf0zQ/VeBFmngkRWprVaKfsbWZ13FAg6J6IcKV5uBc\n-----END PRIVATE KEY-----";
const SEC1: &str = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIF5Oigl3MykZqMdLopCCXlHGzLpvvY5g2QTm7U7SPbKdoAoGCCqGSM49\nAwEHoUQDQgAE1zkL1rdBmLRHignNtMmopoblYWNWh8WsrsOneJehDoIw39M0P1Xg\nRZp4JEVqa1Win7G1mddxQIOieiHClebgXA==\n-----END EC PRIVATE KEY-----";
const ED25519: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJZFqXGZJHva3cd39lpkAMM14hr2Eo4Av6xkyY1AyAYB\n-----END PRIVATE KEY-----";

#[test]
fn an_assertion_names_client_audience_and_lifetime() {
    for (pem, name, long) in [(P256, "ES256", 64), (SEC1, "ES256", 64), (ED25519, "EdDSA", 64)] {
        let word = sign(pem, "kennel", "https://auth.example").unwrap();
        let parts: Vec<Vec<u8>> = word
            .split('.')
            .map(|part| BASE64_URL_SAFE_NO_PAD.decode(part).unwrap())
            .collect();
        let [header, claims, signature] = parts.as_slice() else {
            panic!("{word}")
        };
        let header: Value = serde_json::from_slice(header).unwrap();
        let claims: Value = serde_json::from_slice(claims).unwrap();
        assert_eq!(header, json!({"alg": name, "typ": "JWT"}));
        assert_eq!((&claims["iss"], &claims["sub"]), (&json!("kennel"), &json!("kennel")));
        assert_eq!(claims["aud"], json!("https://auth.example"));
        let lasts = claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap();
        assert_eq!((lasts, signature.len()), (LIFETIME_SECONDS, long));
    }
}

#[test]
fn errors_do_not_contain_the_key() {
    for pem in [
        "s3cret",
        "-----BEGIN PRIVATE KEY-----\nczNjcmV0\n-----END PRIVATE KEY-----\n",
    ] {
        let Err(SignInTrouble::NoKey { words }) = sign(pem, "kennel", "https://auth.example") else {
            panic!("{pem}")
        };
        assert!(words.starts_with("it is no ") && !words.contains("czNjcmV0"), "{words}");
    }
}

#[test]
fn both_integers_of_a_signature_are_padded() {
    let der = [0x30, 0x09, 0x02, 0x03, 0x00, 0x80, 0x01, 0x02, 0x02, 0x01, 0x02];
    assert_eq!(fixed_width(&der, 4).unwrap(), [0, 0, 0x80, 1, 0, 0, 1, 2]);
    assert_eq!(fixed_width(&der, 1), None);
    for odd in [
        &[][..],
        &[0x30],
        &[0x30, 0x09, 0x02],
        &[0x30, 0x81, 0x02],
        &[0x30, 0x02, 0x02, 0x05],
    ] {
        assert_eq!(fixed_width(odd, 4), None, "{odd:?}");
    }
}
