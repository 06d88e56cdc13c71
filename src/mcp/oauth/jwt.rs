//! Signs JSON Web Tokens (JWTs) that authenticate the client (RFC 7523, 2.2). The key determines the algorithm.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rustls::SignatureScheme;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use serde_json::{Value, json};

use super::pkce;
use benchdog_base::clock::Time;
use benchdog_domain::sign_in::SignInTrouble;

/// Validity of a token. Short, because the token is used immediately.
const LIFETIME_SECONDS: i64 = 300;

/// Signature schemes and their names in JWTs. For ECDSA, also the size in bytes of each of the two integers in a
/// signature.
const ALGORITHMS: [(SignatureScheme, &str, Option<usize>); 4] = [
    (SignatureScheme::ECDSA_NISTP256_SHA256, "ES256", Some(32)),
    (SignatureScheme::ECDSA_NISTP384_SHA384, "ES384", Some(48)),
    (SignatureScheme::ED25519, "EdDSA", None),
    (SignatureScheme::RSA_PKCS1_SHA256, "RS256", None),
];

/// Creates an assertion for client `id` at `audience`. `pem` is the private key.
pub(super) fn sign(pem: &str, id: &str, audience: &str) -> Result<String, SignInTrouble> {
    // The error messages are fixed texts, which can never contain the key.
    let error = |words: &str| SignInTrouble::NoKey {
        words: words.to_owned(),
    };
    let der = PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| error("it is no private key in PEM form"))?;
    let unsupported = || error("it is no key of RSA, P-256, P-384 or Ed25519");
    let key = any_supported_type(&der).map_err(|_| unsupported())?;
    let signer = key
        .choose_scheme(&ALGORITHMS.map(|(scheme, ..)| scheme))
        .ok_or_else(unsupported)?;
    let mut found = ALGORITHMS.iter().filter(|(scheme, ..)| *scheme == signer.scheme());
    let (_, name, number) = found.next().ok_or_else(unsupported)?;
    let now = Time::now().0 / 1000;
    let claims = json!({
        "iss": id,
        "sub": id,
        "aud": audience,
        "iat": now,
        "exp": now + LIFETIME_SECONDS,
        "jti": pkce::random_secret()?,
    });
    let encode = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let payload = format!("{}.{}", encode(&json!({"alg": name, "typ": "JWT"})), encode(&claims));
    let signature = signer.sign(payload.as_bytes()).map_err(|_| unsupported())?;
    let signature = match number {
        Some(bytes) => fixed_width(&signature, *bytes).ok_or_else(unsupported)?,
        None => signature,
    };
    Ok(format!("{payload}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
}

/// Converts an ECDSA signature from DER to the fixed-width form of JWT (RFC 7518, 3.4).
fn fixed_width(der: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let (pair, []) = der_value(0x30, der)? else { return None };
    let (first, rest) = der_value(0x02, pair)?;
    let (second, []) = der_value(0x02, rest)? else {
        return None;
    };
    Some([pad(first, bytes)?, pad(second, bytes)?].concat())
}

fn der_value(kind: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let [tag, length, rest @ ..] = der else { return None };
    let is_short = *tag == kind && *length < 0x80;
    is_short.then(|| rest.split_at_checked(usize::from(*length)))?
}

fn pad(number: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let start = number.iter().position(|digit| *digit != 0).unwrap_or(number.len());
    let digits = number.get(start..)?;
    let zeros = bytes.checked_sub(digits.len())?;
    Some([&vec![0; zeros], digits].concat())
}

#[cfg(test)]
mod tests;
