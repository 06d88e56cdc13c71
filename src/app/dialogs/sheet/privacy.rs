//! Destinations of sent data and locations of stored data, as rows of a table.

use super::Fact;
use benchdog_domain::confinement::Network;
use benchdog_domain::status::Status;
use benchdog_lang::{self as lang, Word, word};

pub(super) fn facts(status: &Status) -> Vec<Fact> {
    let privacy = &status.privacy;
    let none = || word(Word::PrivacyNone).to_owned();
    let listed = |all: Vec<String>| if all.is_empty() { none() } else { all.join(", ") };
    let used = status.asked.as_ref().and_then(|asked| asked.endpoint.as_ref());
    let used = used.map(|endpoint| endpoint.address.as_str());
    let others = privacy.endpoints.iter();
    let others = others.filter(|(_, address)| used != Some(address.as_str()));
    let others = others.map(|(name, address)| format!("{name} {address}")).collect();
    let commands = match status.held.1 {
        Network::Inherit => Word::PrivacyCommands,
        Network::None => Word::PrivacyCommandsNone,
    };
    let mut facts = vec![
        Fact::Heading(word(Word::PrivacySent).to_owned()),
        Fact::Field(word(Word::FactEndpoint), used.map_or_else(none, str::to_owned)),
        Fact::Field(word(Word::PrivacyOthers), listed(others)),
        Fact::Field(word(Word::PrivacyServers), listed(privacy.servers.clone())),
        Fact::Field(
            word(Word::PrivacyWeb),
            status.web.as_ref().map_or_else(none, lang::web_tools),
        ),
        Fact::Field(
            word(Word::PrivacyTelemetry),
            privacy.telemetry.clone().unwrap_or_else(none),
        ),
        Fact::Field(word(Word::PrivacyOfCommands), word(commands).to_owned()),
        Fact::Text(word(Word::PrivacyNothingElse).to_owned()),
    ];
    facts.extend(
        privacy
            .is_offline
            .then(|| Fact::Text(word(Word::PrivacyOffline).to_owned())),
    );
    let kept = [
        (Word::PrivacySessions, &privacy.data),
        (Word::PrivacyConfig, &privacy.config),
        (Word::PrivacyKeys, &privacy.keys),
        (Word::PrivacyLogs, &privacy.logs),
        (Word::PrivacyCache, &privacy.cache),
    ];
    facts.push(Fact::Heading(word(Word::PrivacyKept).to_owned()));
    facts.extend(kept.map(|(name, path)| Fact::Field(word(name), path.clone())));
    facts.push(Fact::Text(word(Word::PrivacyDelete).to_owned()));
    facts
}
