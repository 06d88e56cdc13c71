//! What a sign-in at a server of tools can come to.

use serde::{Deserialize, Serialize};

/// Why nothing came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SignInTrouble {
    /// It is a program, or its `auth` says that nobody signs in there.
    NotThere,
    /// It gets a token that a person types, and not here.
    ByToken,
    /// A variable of the person that its address has in it is not set.
    Lacks { variable: String },
    /// The server says nowhere where one signs in.
    NotOffered,
    /// What it says of itself is of another address.
    OtherResource { told: String },
    /// An address that is neither `https` nor of this machine, or one of this network that a server elsewhere names.
    Unsafe { address: String },
    /// Who answered is not who was to be asked.
    OtherIssuer { told: String },
    /// The place where one signs in does not hold codes to whoever asked for them.
    NoProof,
    /// It takes nobody it does not know, and no `client_id` is configured.
    NoRegistration,
    /// It does not take us; in its words.
    NotRegistered { words: String },
    /// The answer that came back says no.
    Denied { words: String },
    /// The code was not taken.
    NoToken { words: String },
    /// Nobody came back in time.
    Late { minutes: u64 },
    /// The address that was to be come back to cannot be had; in the words of the system.
    NoDoor { words: String },
    /// Somebody could not be asked.
    Http { words: String },
    /// Somebody did not answer in time.
    Silent { seconds: u64 },
    /// Somebody sent more than is read.
    TooLong { most: u64 },
    /// The file of tokens cannot be read or written.
    NotKept { words: String },
    /// No person does: it is done by what the configuration names, whenever it is needed.
    Alone,
    /// A file that holds a secret cannot be read.
    Unread { file: String, words: String },
    /// The private key of the client cannot be used.
    NoKey { words: String },
    /// The identity was not exchanged.
    NotExchanged { words: String },
    /// The person gave it up.
    GivenUp,
}

/// Where a sign-in stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignIn {
    /// It is found out where one signs in.
    Begun,
    /// The person is to open this address.
    Link(String),
    Done,
    /// Nobody is signed in any more.
    Out,
    /// The person wanted out, and nobody was in.
    NotIn,
    Failed(SignInTrouble),
}
