//! Messages about signing in to MCP servers.

use super::say;
use benchdog_base::disk::bytes_text;
use benchdog_domain::sign_in::SignInTrouble;

pub fn sign_in_link() -> String {
    say("sign-in-link", &[])
}

pub fn sign_in_waits() -> String {
    say("sign-in-waits", &[])
}

pub fn token_wanted(server: &str) -> String {
    say("sign-in-token", &[("server", server)])
}

pub fn signed_in(server: &str) -> String {
    say("signed-in", &[("server", server)])
}

pub fn signed_out(server: &str) -> String {
    say("signed-out", &[("server", server)])
}

pub fn not_signed_in(server: &str) -> String {
    say("not-signed-in", &[("server", server)])
}

/// Explains why a sign-in failed, and what helps, without a full stop.
pub fn sign_in_trouble(server: &str, trouble: &SignInTrouble) -> String {
    let server = ("server", server);
    match trouble {
        SignInTrouble::NotThere => say("sign-in-not-there", &[server]),
        SignInTrouble::ByToken => say("sign-in-by-token", &[server]),
        SignInTrouble::Lacks { variable } => say("server-lacks", &[("variable", variable)]),
        SignInTrouble::NotOffered => say("sign-in-not-offered", &[server]),
        SignInTrouble::OtherResource { told } => say("sign-in-other-resource", &[("told", told)]),
        SignInTrouble::Unsafe { address } => say("sign-in-unsafe", &[("address", address)]),
        SignInTrouble::OtherIssuer { told } => say("sign-in-other-issuer", &[("told", told)]),
        SignInTrouble::NoProof => say("sign-in-no-proof", &[]),
        SignInTrouble::NoRegistration => say("sign-in-no-registration", &[server]),
        SignInTrouble::NotRegistered { words } => say("sign-in-not-registered", &[server, ("words", words)]),
        SignInTrouble::Denied { words } => say("sign-in-denied", &[("words", words)]),
        SignInTrouble::NoToken { words } => say("sign-in-no-token", &[("words", words)]),
        SignInTrouble::Late { minutes } => say("sign-in-late", &[("minutes", &minutes.to_string())]),
        SignInTrouble::NoDoor { words } => say("sign-in-no-door", &[("words", words)]),
        SignInTrouble::Http { words } => say("server-http", &[("words", words)]),
        SignInTrouble::Silent { seconds } => say("sign-in-silent", &[("seconds", &seconds.to_string())]),
        SignInTrouble::TooLong { most } => say("server-too-long", &[("most", &bytes_text(*most))]),
        SignInTrouble::NotKept { words } => say("server-tokens-file", &[("words", words)]),
        SignInTrouble::Alone => say("sign-in-alone", &[server]),
        SignInTrouble::Unread { file, words } => say("sign-in-unread", &[("file", file), ("words", words)]),
        SignInTrouble::NoKey { words } => say("sign-in-no-key", &[server, ("words", words)]),
        SignInTrouble::NotExchanged { words } => say("sign-in-not-exchanged", &[("words", words)]),
        SignInTrouble::GivenUp => say("sign-in-given-up", &[]),
    }
}
