use std::collections::BTreeSet;

use super::TABLE;
use benchdog_base::text::width;
use benchdog_keys::action::rows;
use benchdog_lang::{Language, titled};

#[test]
fn every_key_and_command_has_a_title_in_every_language() {
    let keys = rows().map(|row| row.id.to_owned());
    let commands = TABLE.iter().map(|row| format!("/{}", row.name));
    let wanted: BTreeSet<String> = keys.chain(commands).collect();
    for language in Language::OTHERS {
        let titles = titled(language);
        let ids: BTreeSet<String> = titles.iter().map(|(id, _)| (*id).to_owned()).collect();
        assert_eq!(ids, wanted, "{language:?}");
        assert_eq!(titles.len(), wanted.len(), "{language:?}: one title each");
        for (id, title) in titles {
            assert!((1..=44).contains(&width(title)), "{language:?}: {id}");
        }
    }
}
