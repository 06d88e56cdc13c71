//! The results of `doctor` as messages.

use super::say;
use benchdog_base::text::grouped;
use benchdog_domain::checkup::Check;

#[derive(Debug, Clone, Copy)]
pub enum Finding<'a> {
    Config {
        file: &'a str,
    },
    NoConfig {
        file: &'a str,
    },
    FixConfig,
    Endpoint {
        name: &'a str,
        address: &'a str,
    },
    NoEndpoint,
    NoEndpointButFound {
        servers: &'a str,
    },
    FixFound {
        address: &'a str,
    },
    TookTooLong {
        seconds: u64,
    },
    NoProxy,
    Proxy {
        address: &'a str,
        by: &'a str,
    },
    NoServerIn {
        address: &'a str,
    },
    FixAddress,
    Name {
        host: &'a str,
        address: &'a str,
    },
    NameUnknown {
        host: &'a str,
        error: &'a str,
    },
    NameSilent {
        host: &'a str,
        seconds: u64,
    },
    FixName,
    Connected {
        place: &'a str,
        ms: u64,
    },
    NotConnected {
        place: &'a str,
        why: &'a str,
    },
    Silent {
        seconds: u64,
    },
    HeldOffline {
        host: &'a str,
    },
    FixOffline {
        host: &'a str,
    },
    /// `chain`: the certificates as sent, each in backticks.
    Trusted {
        chain: &'a str,
        until: &'a str,
    },
    UnknownIssuer {
        chain: &'a str,
    },
    FixSaveLast {
        subject: &'a str,
        host: &'a str,
        port: u16,
    },
    FixSaveIssuer {
        issuer: &'a str,
    },
    Expired {
        chain: &'a str,
        subject: &'a str,
        until: &'a str,
    },
    NotYetValid {
        chain: &'a str,
        from: &'a str,
    },
    FixExpired {
        today: &'a str,
    },
    ForOthers {
        chain: &'a str,
        names: &'a str,
        host: &'a str,
    },
    FixForOthers {
        host: &'a str,
    },
    NotAccepted {
        chain: &'a str,
        why: &'a str,
    },
    NoHandshake {
        why: &'a str,
    },
    FixNotAccepted,
    NoTls {
        host: &'a str,
    },
    FixTls {
        name: &'a str,
    },
    FixKey {
        name: &'a str,
    },
    Models {
        count: usize,
    },
    NoModels,
    FixNoModels,
    Offered {
        id: &'a str,
    },
    OtherName {
        id: &'a str,
        own: &'a str,
    },
    NotOffered {
        id: &'a str,
    },
    FixModel {
        near: &'a str,
    },
    WindowTooLarge {
        configured: u64,
        told: u64,
    },
    FixWindow {
        id: &'a str,
        told: u64,
    },
    WindowOfBoth {
        configured: u64,
        told: u64,
    },
    WindowConfigured {
        configured: u64,
    },
    WindowTold {
        told: u64,
    },
    WindowUnknown,
    AnsweredNothing,
    FixSlow,
    Called,
    NotCalled,
    FixCall,
    WroteCall,
    FixByText {
        id: &'a str,
    },
    WroteNoCall,
    FixWroteNoCall,
    Kept {
        kept: u64,
        prompt: u64,
    },
    KeptNothing {
        prompt: u64,
    },
    FixCache,
    /// `once` and `again` are milliseconds to the first token, in the first and second request.
    KeptUntold {
        once: u64,
        again: u64,
    },
    Counts {
        counted: u64,
        estimated: u64,
    },
    CountsWithAnswers {
        counted: u64,
        estimated: u64,
    },
    NoCounts,
    FixNoCounts,
    /// `first`: milliseconds to the first token. `rate`: tokens per second after it.
    Speed {
        first: u64,
        rate: Option<u64>,
    },
    FixSpeed,
    NoFolderYet {
        folder: &'a str,
    },
    Writable {
        folder: &'a str,
    },
    NotWritable {
        folder: &'a str,
        error: &'a str,
    },
    FixOwner {
        folder: &'a str,
    },
    Private,
    NotPrivate {
        paths: &'a str,
    },
    FixPrivate {
        paths: &'a str,
    },
    Free {
        megabytes: u64,
    },
    FixSpace,
    PlainTerminal,
    FixTerminal,
    CopiesBy {
        tool: &'a str,
    },
    CopiesByTerminal,
    NoClipboard,
    FixClipboard,
    Locale {
        locale: &'a str,
    },
    NotUtf8 {
        locale: &'a str,
    },
    FixLocale,
    NoGit,
    FixGit,
    NoRipgrep,
    /// Milliseconds to the first token.
    Answered {
        first: u64,
    },
    Terminal {
        name: &'a str,
        colours: &'a str,
        /// Columns and rows.
        size: Option<(u16, u16)>,
    },
}

#[expect(clippy::too_many_lines, reason = "a flat table, a row each")]
pub fn finding(what: Finding<'_>) -> String {
    match what {
        Finding::Config { file } => say("check-config", &[("file", file)]),
        Finding::NoConfig { file } => say("check-no-config", &[("file", file)]),
        Finding::FixConfig => say("fix-config", &[]),
        Finding::Endpoint { name, address } => say("check-endpoint", &[("name", name), ("address", address)]),
        Finding::NoEndpoint => say("check-no-endpoint", &[]),
        Finding::NoEndpointButFound { servers } => say("check-no-endpoint-but-found", &[("servers", servers)]),
        Finding::FixFound { address } => say("fix-found", &[("address", address)]),
        Finding::TookTooLong { seconds } => say("check-took-too-long", &[("seconds", &grouped(seconds))]),
        Finding::NoProxy => say("check-no-proxy", &[]),
        Finding::Proxy { address, by } => say("check-proxy", &[("address", address), ("by", by)]),
        Finding::NoServerIn { address } => say("check-no-server", &[("address", address)]),
        Finding::FixAddress => say("fix-address", &[]),
        Finding::Name { host, address } => say("check-name", &[("host", host), ("address", address)]),
        Finding::NameUnknown { host, error } => say("check-name-unknown", &[("host", host), ("error", error)]),
        Finding::NameSilent { host, seconds } => {
            say("check-name-silent", &[("host", host), ("seconds", &grouped(seconds))])
        }
        Finding::FixName => say("fix-name", &[]),
        Finding::Connected { place, ms } => say("check-connected", &[("place", place), ("ms", &grouped(ms))]),
        Finding::NotConnected { place, why } => say("check-not-connected", &[("place", place), ("why", why)]),
        Finding::Silent { seconds } => say("check-silent", &[("seconds", &grouped(seconds))]),
        Finding::HeldOffline { host } => say("check-held-offline", &[("host", host)]),
        Finding::FixOffline { host } => say("fix-offline", &[("host", host)]),
        Finding::Trusted { chain, until } => say("check-trusted", &[("chain", chain), ("until", until)]),
        Finding::UnknownIssuer { chain } => say("check-unknown-issuer", &[("chain", chain)]),
        Finding::FixSaveLast { subject, host, port } => {
            let port = &port.to_string();
            say("fix-save-last", &[("subject", subject), ("host", host), ("port", port)])
        }
        Finding::FixSaveIssuer { issuer } => say("fix-save-issuer", &[("issuer", issuer)]),
        Finding::Expired { chain, subject, until } => {
            let values = [("chain", chain), ("subject", subject), ("until", until)];
            say("check-expired", &values)
        }
        Finding::NotYetValid { chain, from } => say("check-not-yet-valid", &[("chain", chain), ("from", from)]),
        Finding::FixExpired { today } => say("fix-expired", &[("today", today)]),
        Finding::ForOthers { chain, names, host } => say(
            "check-for-others",
            &[("chain", chain), ("names", names), ("host", host)],
        ),
        Finding::FixForOthers { host } => say("fix-for-others", &[("host", host)]),
        Finding::NotAccepted { chain, why } => say("check-not-accepted", &[("chain", chain), ("why", why)]),
        Finding::NoHandshake { why } => say("check-no-handshake", &[("why", why)]),
        Finding::FixNotAccepted => say("fix-not-accepted", &[]),
        Finding::NoTls { host } => say("check-no-tls", &[("host", host)]),
        Finding::FixTls { name } => say("fix-tls", &[("name", name)]),
        Finding::FixKey { name } => say("fix-key", &[("name", name)]),
        Finding::Models { count } => super::count("check-models", count, &[]),
        Finding::NoModels => say("check-no-models", &[]),
        Finding::FixNoModels => say("fix-no-models", &[]),
        Finding::Offered { id } => say("check-offered", &[("id", id)]),
        Finding::OtherName { id, own } => say("check-other-name", &[("id", id), ("own", own)]),
        Finding::NotOffered { id } => say("check-not-offered", &[("id", id)]),
        Finding::FixModel { near } => say("fix-model", &[("near", near)]),
        Finding::WindowTooLarge { configured, told } => say(
            "check-window-too-large",
            &[("configured", &grouped(configured)), ("told", &grouped(told))],
        ),
        Finding::FixWindow { id, told } => say("fix-window", &[("id", id), ("told", &grouped(told))]),
        Finding::WindowOfBoth { configured, told } => say(
            "check-window-of-both",
            &[("configured", &grouped(configured)), ("told", &grouped(told))],
        ),
        Finding::WindowConfigured { configured } => {
            say("check-window-configured", &[("configured", &grouped(configured))])
        }
        Finding::WindowTold { told } => say("check-window-told", &[("told", &grouped(told))]),
        Finding::WindowUnknown => say("check-window-unknown", &[]),
        Finding::AnsweredNothing => say("check-answered-nothing", &[]),
        Finding::FixSlow => say("fix-slow", &[]),
        Finding::Called => say("check-called", &[]),
        Finding::NotCalled => say("check-not-called", &[]),
        Finding::FixCall => say("fix-call", &[]),
        Finding::WroteCall => say("check-wrote-call", &[]),
        Finding::FixByText { id } => say("fix-by-text", &[("id", id)]),
        Finding::WroteNoCall => say("check-wrote-no-call", &[]),
        Finding::FixWroteNoCall => say("fix-wrote-no-call", &[]),
        Finding::Kept { kept, prompt } => say("check-kept", &[("kept", &grouped(kept)), ("prompt", &grouped(prompt))]),
        Finding::KeptNothing { prompt } => say("check-kept-nothing", &[("prompt", &grouped(prompt))]),
        Finding::FixCache => say("fix-cache", &[]),
        Finding::KeptUntold { once, again } => say(
            "check-kept-untold",
            &[("once", &grouped(once)), ("again", &grouped(again))],
        ),
        Finding::Counts { counted, estimated } => {
            let (counted, estimated) = (&grouped(counted), &grouped(estimated));
            say("check-counts", &[("counted", counted), ("estimated", estimated)])
        }
        Finding::CountsWithAnswers { counted, estimated } => {
            let (counted, estimated) = (&grouped(counted), &grouped(estimated));
            say(
                "check-counts-with-answers",
                &[("counted", counted), ("estimated", estimated)],
            )
        }
        Finding::NoCounts => say("check-no-counts", &[]),
        Finding::FixNoCounts => say("fix-no-counts", &[]),
        Finding::NoFolderYet { folder } => say("check-no-folder-yet", &[("folder", folder)]),
        Finding::Writable { folder } => say("check-writable", &[("folder", folder)]),
        Finding::NotWritable { folder, error } => say("check-not-writable", &[("folder", folder), ("error", error)]),
        Finding::FixOwner { folder } => say("fix-owner", &[("folder", folder)]),
        Finding::Private => say("check-private", &[]),
        Finding::NotPrivate { paths } => say("check-not-private", &[("paths", paths)]),
        Finding::FixPrivate { paths } => say("fix-private", &[("paths", paths)]),
        Finding::Free { megabytes } => say("check-free", &[("megabytes", &grouped(megabytes))]),
        Finding::FixSpace => say("fix-space", &[]),
        Finding::PlainTerminal => say("check-plain-terminal", &[]),
        Finding::FixTerminal => say("fix-terminal", &[]),
        Finding::CopiesBy { tool } => say("check-copies-by", &[("tool", tool)]),
        Finding::CopiesByTerminal => say("check-copies-by-terminal", &[]),
        Finding::NoClipboard => say("check-no-clipboard", &[]),
        Finding::FixClipboard => say("fix-clipboard", &[]),
        Finding::Locale { locale } => say("check-locale", &[("locale", locale)]),
        Finding::NotUtf8 { locale } => say("check-not-utf8", &[("locale", locale)]),
        Finding::FixLocale => say("fix-locale", &[]),
        Finding::NoGit => say("check-no-git", &[]),
        Finding::FixGit => say("fix-git", &[]),
        Finding::NoRipgrep => say("check-no-rg", &[]),
        Finding::Answered { first } => say("check-answered", &[("first", &grouped(first))]),
        Finding::Speed { first, rate: None } => say("check-speed-first", &[("first", &grouped(first))]),
        Finding::Speed {
            first,
            rate: Some(rate),
        } => {
            let (first, rate) = (&grouped(first), &grouped(rate));
            say("check-speed", &[("first", first), ("rate", rate)])
        }
        Finding::FixSpeed => say("fix-speed", &[]),
        Finding::Terminal { name, colours, size } => {
            let size = size.map_or_else(String::new, |(columns, rows)| format!(", {columns}×{rows}"));
            say(
                "check-terminal",
                &[("name", name), ("colours", colours), ("size", &size)],
            )
        }
    }
}

/// Formats a check result, followed by a line with its advice.
pub fn check(check: &Check) -> String {
    let fix = if check.fix.is_empty() {
        String::new()
    } else {
        format!("      {}\n", check.fix)
    };
    format!("{:<5} {}: {}\n{fix}", check.state.word(), check.check, check.detail)
}
