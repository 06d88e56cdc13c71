//! Random values for a sign-in: the state and the PKCE verifier.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use benchdog_domain::sign_in::SignInTrouble;

/// Returns 256 random bits in URL-safe characters.
pub(super) fn random_secret() -> Result<String, SignInTrouble> {
    let mut bytes = [0_u8; 32];
    let random = rustls::crypto::ring::default_provider().secure_random;
    random.fill(&mut bytes).map_err(|_| SignInTrouble::NotKept {
        words: std::io::Error::from(std::io::ErrorKind::Unsupported).to_string(),
    })?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

pub(super) fn challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

#[cfg(test)]
mod tests;
