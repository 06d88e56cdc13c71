//! Signs JWTs for client authentication (RFC 7523, 2.2). The key determines the algorithm.

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

/// Short, because the token is used immediately.
const LASTS_SECONDS: i64 = 300;

/// Signature schemes with their JWT names, and the bytes of each integer for ECDSA.
const WAYS: [(SignatureScheme, &str, Option<usize>); 4] = [
    (SignatureScheme::ECDSA_NISTP256_SHA256, "ES256", Some(32)),
    (SignatureScheme::ECDSA_NISTP384_SHA384, "ES384", Some(48)),
    (SignatureScheme::ED25519, "EdDSA", None),
    (SignatureScheme::RSA_PKCS1_SHA256, "RS256", None),
];

/// Creates an assertion for client `id` at `audience`. `pem` is the private key.
pub(super) fn signed(pem: &str, id: &str, audience: &str) -> Result<String, SignInTrouble> {
    // Errors never contain the key.
    let wrong = |words: &str| SignInTrouble::NoKey {
        words: words.to_owned(),
    };
    let der = PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| wrong("it is no private key in PEM form"))?;
    let unknown = || wrong("it is no key of RSA, P-256, P-384 or Ed25519");
    let key = any_supported_type(&der).map_err(|_| unknown())?;
    let signer = key
        .choose_scheme(&WAYS.map(|(scheme, ..)| scheme))
        .ok_or_else(unknown)?;
    let mut ways = WAYS.iter().filter(|(scheme, ..)| *scheme == signer.scheme());
    let (_, name, number) = ways.next().ok_or_else(unknown)?;
    let now = Time::now().0 / 1000;
    let about = json!({
        "iss": id,
        "sub": id,
        "aud": audience,
        "iat": now,
        "exp": now + LASTS_SECONDS,
        "jti": pkce::secret()?,
    });
    let written = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let said = format!("{}.{}", written(&json!({"alg": name, "typ": "JWT"})), written(&about));
    let signature = signer.sign(said.as_bytes()).map_err(|_| unknown())?;
    let signature = match number {
        Some(bytes) => side_by_side(&signature, *bytes).ok_or_else(unknown)?,
        None => signature,
    };
    Ok(format!("{said}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
}

/// Converts an ECDSA signature from DER to the JWT form (RFC 7518, 3.4).
fn side_by_side(der: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let (both, []) = part(0x30, der)? else { return None };
    let (first, rest) = part(0x02, both)?;
    let (second, []) = part(0x02, rest)? else { return None };
    Some([padded(first, bytes)?, padded(second, bytes)?].concat())
}

/// Parses a DER value whose length fits in one byte.
fn part(kind: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let [told, length, rest @ ..] = der else { return None };
    let is_it = *told == kind && *length < 0x80;
    is_it.then(|| rest.split_at_checked(usize::from(*length)))?
}

fn padded(number: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let begins = number.iter().position(|digit| *digit != 0).unwrap_or(number.len());
    let digits = number.get(begins..)?;
    let lacking = bytes.checked_sub(digits.len())?;
    Some([&vec![0; lacking], digits].concat())
}

#[cfg(test)]
mod tests;
