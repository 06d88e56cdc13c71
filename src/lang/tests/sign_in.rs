//! Examples of sign-in messages, with all problems.

use super::super::*;
use super::values::t;
use benchdog_domain::server::{Sent, ServerName, ServerStage, ServerStatus};
use benchdog_domain::sign_in::{SignIn, SignInTrouble};

pub(super) fn of_sign_ins() -> Vec<String> {
    let troubles = [
        SignInTrouble::NotThere,
        SignInTrouble::ByToken,
        SignInTrouble::Lacks { variable: t("A") },
        SignInTrouble::NotOffered,
        SignInTrouble::OtherResource { told: t("A") },
        SignInTrouble::Unsafe { address: t("A") },
        SignInTrouble::OtherIssuer { told: t("A") },
        SignInTrouble::NoProof,
        SignInTrouble::NoRegistration,
        SignInTrouble::NotRegistered { words: t("A") },
        SignInTrouble::Denied { words: t("A") },
        SignInTrouble::NoToken { words: t("A") },
        SignInTrouble::Late { minutes: 5 },
        SignInTrouble::NoDoor { words: t("A") },
        SignInTrouble::Http { words: t("A") },
        SignInTrouble::Silent { seconds: 5 },
        SignInTrouble::TooLong { most: 1 << 20 },
        SignInTrouble::NotKept { words: t("A") },
        SignInTrouble::Alone,
        SignInTrouble::Unread {
            file: t("A"),
            words: t("B"),
        },
        SignInTrouble::NoKey { words: t("A") },
        SignInTrouble::NotExchanged { words: t("A") },
        SignInTrouble::GivenUp,
    ];
    let stands = [
        SignIn::Begun,
        SignIn::Link(t("A")),
        SignIn::Done,
        SignIn::Out,
        SignIn::NotIn,
    ];
    let failed = troubles.iter().cloned().map(SignIn::Failed);
    let rows = stands
        .into_iter()
        .chain(failed)
        .flat_map(|stands| server_rows(&status(stands)));
    let told = troubles.iter().map(|trouble| sign_in_trouble("x", trouble));
    let lines = [
        sign_in_link(),
        sign_in_waits(),
        token_wanted("x"),
        signed_in("x"),
        signed_out("x"),
        not_signed_in("x"),
        server_removed("x"),
        server_and_tokens_removed("x"),
    ];
    rows.chain(told).chain(lines).collect()
}

fn status(stands: SignIn) -> ServerStatus {
    ServerStatus {
        prompts: vec!["files:review".to_owned()],
        resources: 2,
        templates: 1,
        name: ServerName(t("x")),
        stage: ServerStage::Ready,
        tools: Vec::new(),
        tokens: 0,
        sent: Sent::NotYet,
        trouble: None,
        restarts: 0,
        asked: Vec::new(),
        left_out: Vec::new(),
        missing: Vec::new(),
        sign_in: Some(stands),
    }
}
