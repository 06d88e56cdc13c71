//! Messages about signing in to MCP servers.

use super::{Word, message, word};
use benchdog_base::disk::bytes_text;
use benchdog_domain::sign_in::SignInTrouble;

/// Explains why a sign-in failed, and what helps, without a full stop.
pub fn sign_in_trouble(server: &str, trouble: &SignInTrouble) -> String {
    match trouble {
        SignInTrouble::NotThere => message::sign_in_not_there(server),
        SignInTrouble::ByToken => message::sign_in_by_token(server),
        SignInTrouble::Lacks { variable } => message::server_lacks(variable),
        SignInTrouble::NotOffered => message::sign_in_not_offered(server),
        SignInTrouble::OtherResource { told } => message::sign_in_other_resource(told),
        SignInTrouble::Unsafe { address } => message::sign_in_unsafe(address),
        SignInTrouble::OtherIssuer { told } => message::sign_in_other_issuer(told),
        SignInTrouble::NoProof => word(Word::SignInNoProof).to_owned(),
        SignInTrouble::NoRegistration => message::sign_in_no_registration(server),
        SignInTrouble::NotRegistered { words } => message::sign_in_not_registered(server, words),
        SignInTrouble::Denied { words } => message::sign_in_denied(words),
        SignInTrouble::NoToken { words } => message::sign_in_no_token(words),
        SignInTrouble::Late { minutes } => message::sign_in_late(&minutes.to_string()),
        SignInTrouble::NoDoor { words } => message::sign_in_no_door(words),
        SignInTrouble::Http { words } => message::server_http(words),
        SignInTrouble::Silent { seconds } => message::sign_in_silent(&seconds.to_string()),
        SignInTrouble::TooLong { most } => message::server_too_long(&bytes_text(*most)),
        SignInTrouble::NotKept { words } => message::server_tokens_file(words),
        SignInTrouble::Alone => message::sign_in_alone(server),
        SignInTrouble::Unread { file, words } => message::sign_in_unread(file, words),
        SignInTrouble::NoKey { words } => message::sign_in_no_key(server, words),
        SignInTrouble::NotExchanged { words } => message::sign_in_not_exchanged(words),
        SignInTrouble::GivenUp => word(Word::SignInGivenUp).to_owned(),
    }
}
