//! Examples of notices about MCP servers, with all problems.

use super::super::values::t;
use benchdog_domain::notice::Notice;
use benchdog_domain::server::{
    FormEnd, ServerName, ServerNotice, ServerTools, ServerTrouble, WhyNoForm, WhyUnauthorized,
};
use benchdog_domain::sign_in::SignInTrouble;

pub(in crate::tests) fn server_notices() -> Vec<Notice> {
    let of = |name: &str| ServerName(name.to_owned());
    let troubles = [
        ServerTrouble::NotFound { program: t("A") },
        ServerTrouble::NoFolder { folder: t("A") },
        ServerTrouble::NotStarted { words: t("A") },
        ServerTrouble::Lacks { variable: t("A") },
        ServerTrouble::Changed { file: t("A") },
        ServerTrouble::Unpinned {
            file: t("A"),
            error: t("B"),
        },
        ServerTrouble::Untrusted,
        ServerTrouble::NoSandbox { words: t("A") },
        ServerTrouble::Floods { most: 50 },
        ServerTrouble::Ended {
            code: None,
            signal: None,
            said: String::new(),
        },
        ServerTrouble::Ended {
            code: Some(1),
            signal: None,
            said: t("A"),
        },
        ServerTrouble::Ended {
            code: None,
            signal: Some(9),
            said: t("A"),
        },
        ServerTrouble::OtherRevision,
        ServerTrouble::Unreadable,
        ServerTrouble::Garbage { line: t("A") },
        ServerTrouble::NoAnswer {
            seconds: 3,
            said: t("A"),
        },
        ServerTrouble::TooLong { most: 1 << 20 },
        ServerTrouble::Refused { words: t("A") },
        ServerTrouble::Unhealthy { words: t("A") },
        ServerTrouble::Unexpected,
        ServerTrouble::Asks { what: t("A") },
        ServerTrouble::Http { words: t("A") },
        ServerTrouble::Status {
            status: 500,
            words: t("A"),
        },
        ServerTrouble::Status {
            status: 500,
            words: String::new(),
        },
        ServerTrouble::Redirects { to: t("A") },
        ServerTrouble::NoToken {
            server: of("x"),
            variable: t("A"),
        },
        ServerTrouble::Narrow {
            server: of("x"),
            scope: t("A"),
        },
        ServerTrouble::Alone {
            server: of("x"),
            why: SignInTrouble::NoRegistration,
        },
        ServerTrouble::NarrowAlone {
            server: of("x"),
            scope: t("A"),
        },
        ServerTrouble::Tokens { words: t("A") },
        ServerTrouble::NotRenewed { words: t("A") },
        ServerTrouble::Off,
    ];
    let whys = [
        WhyUnauthorized::NoSignIn,
        WhyUnauthorized::NoToken,
        WhyUnauthorized::Nothing,
        WhyUnauthorized::TokenRefused,
        WhyUnauthorized::Over,
        WhyUnauthorized::NotTaken,
    ];
    let unknown = whys.map(|why| ServerTrouble::Unauthorized { server: of("x"), why });
    let troubles = troubles.into_iter().chain(unknown);
    let dead = troubles.map(|trouble| ServerNotice::Dead {
        server: of("x"),
        trouble,
    });
    let all = dead.into_iter().chain(other_server_notices());
    all.map(Notice::Server).collect()
}

fn other_server_notices() -> Vec<ServerNotice> {
    let of = |name: &str| ServerName(name.to_owned());
    let tools = |tools| ServerTools {
        server: of("x"),
        tools,
        tokens: 9,
    };
    let others = vec![
        ServerNotice::Awaited {
            servers: vec![of("x"), of("y")],
        },
        ServerNotice::Declared {
            whole: vec![tools(1)],
            on_demand: vec![tools(2)],
        },
        ServerNotice::NamesTaken { tools: vec![t("A")] },
        ServerNotice::Unknown { server: of("x") },
        ServerNotice::NoTool { tool: t("A") },
        ServerNotice::Missing {
            server: of("x"),
            tools: (0..7).map(|_| t("A")).collect(),
        },
    ];
    let form = |came_to| ServerNotice::Form {
        server: of("x"),
        came_to,
    };
    let forms = [FormEnd::Told, FormEnd::Declined, FormEnd::Withdrawn, FormEnd::Unclear].map(form);
    let secret = |field| WhyNoForm::Secret { word: t("A"), field };
    let refused = [
        secret(None),
        secret(Some(t("B"))),
        WhyNoForm::Address,
        WhyNoForm::Odd,
        WhyNoForm::TooMany,
        WhyNoForm::Off,
    ];
    let refused = refused.map(|why| ServerNotice::FormRefused { server: of("x"), why });
    others.into_iter().chain(forms).chain(refused).collect()
}
