//! The results of `doctor` as messages.

use super::{Word, message, word};
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
    /// `chain`: the certificates in the order in which the server sends them, each in backticks.
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
    /// `once` and `again`: milliseconds to the first token of the first request, and of the second request.
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
    /// `first`: milliseconds to the first token. `rate`: tokens per second after the first token.
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
    Checkpoints {
        folders: usize,
        megabytes: u64,
        most: u64,
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
    /// `first`: milliseconds to the first token.
    Answered {
        first: u64,
    },
    Terminal {
        name: &'a str,
        colours: &'a str,
        /// Width in columns, height in rows.
        size: Option<(u16, u16)>,
    },
}

#[expect(clippy::too_many_lines, reason = "a flat table, a row each")]
pub fn finding(what: Finding<'_>) -> String {
    match what {
        Finding::Config { file } => message::check_config(file),
        Finding::NoConfig { file } => message::check_no_config(file),
        Finding::FixConfig => word(Word::FixConfig).to_owned(),
        Finding::Endpoint { name, address } => message::check_endpoint(address, name),
        Finding::NoEndpoint => word(Word::CheckNoEndpoint).to_owned(),
        Finding::NoEndpointButFound { servers } => message::check_no_endpoint_but_found(servers),
        Finding::FixFound { address } => message::fix_found(address),
        Finding::TookTooLong { seconds } => message::check_took_too_long(&grouped(seconds)),
        Finding::NoProxy => word(Word::CheckNoProxy).to_owned(),
        Finding::Proxy { address, by } => message::check_proxy(address, by),
        Finding::NoServerIn { address } => message::check_no_server(address),
        Finding::FixAddress => word(Word::FixAddress).to_owned(),
        Finding::Name { host, address } => message::check_name(address, host),
        Finding::NameUnknown { host, error } => message::check_name_unknown(error, host),
        Finding::NameSilent { host, seconds } => message::check_name_silent(host, &grouped(seconds)),
        Finding::FixName => word(Word::FixName).to_owned(),
        Finding::Connected { place, ms } => message::check_connected(&grouped(ms), place),
        Finding::NotConnected { place, why } => message::check_not_connected(place, why),
        Finding::Silent { seconds } => message::check_silent(&grouped(seconds)),
        Finding::HeldOffline { host } => message::check_held_offline(host),
        Finding::FixOffline { host } => message::fix_offline(host),
        Finding::Trusted { chain, until } => message::check_trusted(chain, until),
        Finding::UnknownIssuer { chain } => message::check_unknown_issuer(chain),
        Finding::FixSaveLast { subject, host, port } => {
            let port = &port.to_string();
            message::fix_save_last(host, port, subject)
        }
        Finding::FixSaveIssuer { issuer } => message::fix_save_issuer(issuer),
        Finding::Expired { chain, subject, until } => message::check_expired(chain, subject, until),
        Finding::NotYetValid { chain, from } => message::check_not_yet_valid(chain, from),
        Finding::FixExpired { today } => message::fix_expired(today),
        Finding::ForOthers { chain, names, host } => message::check_for_others(chain, host, names),
        Finding::FixForOthers { host } => message::fix_for_others(host),
        Finding::NotAccepted { chain, why } => message::check_not_accepted(chain, why),
        Finding::NoHandshake { why } => message::check_no_handshake(why),
        Finding::FixNotAccepted => word(Word::FixNotAccepted).to_owned(),
        Finding::NoTls { host } => message::check_no_tls(host),
        Finding::FixTls { name } => message::fix_tls(name),
        Finding::FixKey { name } => message::fix_key(name),
        Finding::Models { count } => message::check_models(&count.to_string()),
        Finding::NoModels => word(Word::CheckNoModels).to_owned(),
        Finding::FixNoModels => word(Word::FixNoModels).to_owned(),
        Finding::Offered { id } => message::check_offered(id),
        Finding::OtherName { id, own } => message::check_other_name(id, own),
        Finding::NotOffered { id } => message::check_not_offered(id),
        Finding::FixModel { near } => message::fix_model(near),
        Finding::WindowTooLarge { configured, told } => {
            message::check_window_too_large(&grouped(configured), &grouped(told))
        }
        Finding::FixWindow { id, told } => message::fix_window(id, &grouped(told)),
        Finding::WindowOfBoth { configured, told } => {
            message::check_window_of_both(&grouped(configured), &grouped(told))
        }
        Finding::WindowConfigured { configured } => message::check_window_configured(&grouped(configured)),
        Finding::WindowTold { told } => message::check_window_told(&grouped(told)),
        Finding::WindowUnknown => word(Word::CheckWindowUnknown).to_owned(),
        Finding::AnsweredNothing => word(Word::CheckAnsweredNothing).to_owned(),
        Finding::FixSlow => word(Word::FixSlow).to_owned(),
        Finding::Called => word(Word::CheckCalled).to_owned(),
        Finding::NotCalled => word(Word::CheckNotCalled).to_owned(),
        Finding::FixCall => word(Word::FixCall).to_owned(),
        Finding::WroteCall => word(Word::CheckWroteCall).to_owned(),
        Finding::FixByText { id } => message::fix_by_text(id),
        Finding::WroteNoCall => word(Word::CheckWroteNoCall).to_owned(),
        Finding::FixWroteNoCall => word(Word::FixWroteNoCall).to_owned(),
        Finding::Kept { kept, prompt } => message::check_kept(&grouped(kept), &grouped(prompt)),
        Finding::KeptNothing { prompt } => message::check_kept_nothing(&grouped(prompt)),
        Finding::FixCache => word(Word::FixCache).to_owned(),
        Finding::KeptUntold { once, again } => message::check_kept_untold(&grouped(again), &grouped(once)),
        Finding::Counts { counted, estimated } => {
            let (counted, estimated) = (&grouped(counted), &grouped(estimated));
            message::check_counts(counted, estimated)
        }
        Finding::CountsWithAnswers { counted, estimated } => {
            let (counted, estimated) = (&grouped(counted), &grouped(estimated));
            message::check_counts_with_answers(counted, estimated)
        }
        Finding::NoCounts => word(Word::CheckNoCounts).to_owned(),
        Finding::FixNoCounts => word(Word::FixNoCounts).to_owned(),
        Finding::NoFolderYet { folder } => message::check_no_folder_yet(folder),
        Finding::Writable { folder } => message::check_writable(folder),
        Finding::NotWritable { folder, error } => message::check_not_writable(error, folder),
        Finding::FixOwner { folder } => message::fix_owner(folder),
        Finding::Private => word(Word::CheckPrivate).to_owned(),
        Finding::NotPrivate { paths } => message::check_not_private(paths),
        Finding::FixPrivate { paths } => message::fix_private(paths),
        Finding::Free { megabytes } => message::check_free(&grouped(megabytes)),
        Finding::Checkpoints {
            folders,
            megabytes,
            most,
        } => message::check_checkpoints(&folders.to_string(), &grouped(megabytes), &grouped(most)),
        Finding::FixSpace => word(Word::FixSpace).to_owned(),
        Finding::PlainTerminal => word(Word::CheckPlainTerminal).to_owned(),
        Finding::FixTerminal => word(Word::FixTerminal).to_owned(),
        Finding::CopiesBy { tool } => message::check_copies_by(tool),
        Finding::CopiesByTerminal => word(Word::CheckCopiesByTerminal).to_owned(),
        Finding::NoClipboard => word(Word::CheckNoClipboard).to_owned(),
        Finding::FixClipboard => word(Word::FixClipboard).to_owned(),
        Finding::Locale { locale } => message::check_locale(locale),
        Finding::NotUtf8 { locale } => message::check_not_utf8(locale),
        Finding::FixLocale => word(Word::FixLocale).to_owned(),
        Finding::NoGit => word(Word::CheckNoGit).to_owned(),
        Finding::FixGit => word(Word::FixGit).to_owned(),
        Finding::NoRipgrep => word(Word::CheckNoRg).to_owned(),
        Finding::Answered { first } => message::check_answered(&grouped(first)),
        Finding::Speed { first, rate: None } => message::check_speed_first(&grouped(first)),
        Finding::Speed {
            first,
            rate: Some(rate),
        } => {
            let (first, rate) = (&grouped(first), &grouped(rate));
            message::check_speed(first, rate)
        }
        Finding::FixSpeed => word(Word::FixSpeed).to_owned(),
        Finding::Terminal { name, colours, size } => {
            let size = size.map_or_else(String::new, |(columns, rows)| format!(", {columns}×{rows}"));
            message::check_terminal(colours, name, &size)
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
