//! Examples of the status, cost and health dialogs, with all variants of their values.

use super::super::*;
use super::values::t;
use benchdog_base::id::{BlobId, EntryId, SessionId};
use benchdog_domain::agent::{ModelRef, Sampling, Thinking};
use benchdog_domain::budget::{Ledger, Price, Usage};
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::damage::{Checked, Flaw};
use benchdog_domain::history::CallTotals;
use benchdog_domain::status::{Asked, EndpointFacts, WindowFrom};

pub(super) fn of_a_status() -> Vec<String> {
    let price = Price {
        input: 0.5,
        output: 1.5,
    };
    let from = [
        WindowFrom::Configured,
        WindowFrom::Server,
        WindowFrom::Recalled,
        WindowFrom::Refused,
        WindowFrom::Assumed,
    ];
    let windows = from.map(|window_from| {
        window_of(&Asked {
            model: ModelRef::none(),
            endpoint: None,
            window: 65_536,
            window_from,
            output: 8_192,
        })
    });
    let endpoint = endpoint(&EndpointFacts {
        address: t("http://A"),
        api: "openai",
    });
    let one = [
        cost(None),
        cost(Some(0.0123)),
        cost(Some(12.0)),
        answers(3),
        silent("A", 10),
        self::price(None),
    ];
    let others = [
        endpoint,
        self::price(Some(price)),
        used_of(&Ledger::default()),
        usage(Usage::default()),
        sampling(Sampling::default()),
        sampling(Sampling {
            temperature: Some(0.2),
            thinking: Some(Thinking::High),
        }),
        at_work(1, 61_000),
        at_work(2, 3_661_000),
        calls_ended(CallTotals::default()),
        calls_decided(CallTotals::default()),
        held((Level::ReadOnly, Network::None)),
    ];
    windows.into_iter().chain(one).chain(others).collect()
}

#[expect(clippy::too_many_lines, reason = "a flat table, a row each")]
pub(super) fn of_a_checkup() -> Vec<String> {
    let findings = [
        Finding::Config { file: "A" },
        Finding::NoConfig { file: "A" },
        Finding::FixConfig,
        Finding::Endpoint {
            name: "A",
            address: "A",
        },
        Finding::NoEndpoint,
        Finding::NoEndpointButFound { servers: "A" },
        Finding::FixFound { address: "A" },
        Finding::TookTooLong { seconds: 1 },
        Finding::NoProxy,
        Finding::Proxy { address: "A", by: "A" },
        Finding::NoServerIn { address: "A" },
        Finding::FixAddress,
        Finding::Name {
            host: "A",
            address: "A",
        },
        Finding::NameUnknown { host: "A", error: "A" },
        Finding::NameSilent { host: "A", seconds: 1 },
        Finding::FixName,
        Finding::Connected { place: "A", ms: 1 },
        Finding::NotConnected { place: "A", why: "A" },
        Finding::Silent { seconds: 1 },
        Finding::HeldOffline { host: "h" },
        Finding::FixOffline { host: "h" },
        Finding::Trusted {
            chain: "`c`",
            until: "d",
        },
        Finding::UnknownIssuer { chain: "`c`" },
        Finding::FixSaveLast {
            subject: "s",
            host: "h",
            port: 1,
        },
        Finding::FixSaveIssuer { issuer: "i" },
        Finding::Expired {
            chain: "`c`",
            subject: "s",
            until: "d",
        },
        Finding::NotYetValid {
            chain: "`c`",
            from: "d",
        },
        Finding::FixExpired { today: "d" },
        Finding::ForOthers {
            chain: "`c`",
            names: "n",
            host: "h",
        },
        Finding::FixForOthers { host: "h" },
        Finding::NotAccepted { chain: "`c`", why: "w" },
        Finding::NoHandshake { why: "w" },
        Finding::FixNotAccepted,
        Finding::NoTls { host: "h" },
        Finding::FixTls { name: "A" },
        Finding::FixKey { name: "A" },
        Finding::Models { count: 1 },
        Finding::NoModels,
        Finding::FixNoModels,
        Finding::Offered { id: "A" },
        Finding::OtherName { id: "A", own: "A" },
        Finding::NotOffered { id: "A" },
        Finding::FixModel { near: "A" },
        Finding::WindowTooLarge { configured: 1, told: 1 },
        Finding::FixWindow { id: "A", told: 1 },
        Finding::WindowOfBoth { configured: 1, told: 1 },
        Finding::WindowConfigured { configured: 1 },
        Finding::WindowTold { told: 1 },
        Finding::WindowUnknown,
        Finding::AnsweredNothing,
        Finding::FixSlow,
        Finding::Called,
        Finding::NotCalled,
        Finding::FixCall,
        Finding::NoFolderYet { folder: "A" },
        Finding::Writable { folder: "A" },
        Finding::NotWritable {
            folder: "A",
            error: "A",
        },
        Finding::FixOwner { folder: "A" },
        Finding::Private,
        Finding::NotPrivate { paths: "A" },
        Finding::FixPrivate { paths: "A" },
        Finding::Free { megabytes: 1 },
        Finding::FixSpace,
        Finding::PlainTerminal,
        Finding::FixTerminal,
        Finding::CopiesBy { tool: "A" },
        Finding::CopiesByTerminal,
        Finding::NoClipboard,
        Finding::FixClipboard,
        Finding::Locale { locale: "A" },
        Finding::NotUtf8 { locale: "A" },
        Finding::FixLocale,
        Finding::NoGit,
        Finding::FixGit,
        Finding::NoRipgrep,
        Finding::Answered { first: 1 },
        Finding::Speed { first: 1, rate: None },
        Finding::Speed {
            first: 1,
            rate: Some(2),
        },
        Finding::FixSpeed,
        Finding::WroteCall,
        Finding::FixByText { id: "m" },
        Finding::WroteNoCall,
        Finding::FixWroteNoCall,
        Finding::Kept { kept: 1, prompt: 2 },
        Finding::KeptNothing { prompt: 2 },
        Finding::FixCache,
        Finding::KeptUntold { once: 1, again: 2 },
        Finding::Counts {
            counted: 1,
            estimated: 2,
        },
        Finding::CountsWithAnswers {
            counted: 1,
            estimated: 2,
        },
        Finding::NoCounts,
        Finding::FixNoCounts,
        Finding::Terminal {
            name: "A",
            colours: "B",
            size: Some((80, 24)),
        },
    ];
    // One finding contains configuration text with braces.
    let bare = |text: String| text.replace(['{', '}'], "");
    findings.into_iter().map(|one| bare(finding(one))).collect()
}

pub(super) fn of_damage() -> Vec<String> {
    let id = || SessionId(t("A"));
    let range = |from, upto| Flaw::Missing {
        from: EntryId(from),
        upto: EntryId(upto),
    };
    let flaws = [
        range(1, 1),
        range(1, 2),
        Flaw::Orphaned { entry: EntryId(1) },
        Flaw::Body { blob: BlobId(t("B")) },
        Flaw::Description,
        Flaw::File { reason: t("R") },
    ];
    let checked = |flaws: &[Flaw], read| {
        session_checked(&Checked {
            session: id(),
            flaws: flaws.to_vec(),
            read,
            written: 2,
            saved: None,
        })
    };
    let lines = [checked(&[], 1), checked(&[], 2), checked(&flaws, 1)];
    let saved = [session_saved(&id(), 1), session_saved(&id(), 2)];
    let others = [session_unchecked("A", "W"), more_flaws(3)];
    lines
        .into_iter()
        .chain(saved)
        .chain(others)
        .chain(flaws.iter().map(flaw))
        .collect()
}
