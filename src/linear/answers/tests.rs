use super::*;
use benchdog_domain::budget::{CarriedAs, LedgerKind};

#[test]
fn what_has_no_words_of_its_own_is_called_by_what_it_is() {
    let item = |label: &str| ContextItem {
        kind: LedgerKind::System,
        label: label.to_owned(),
        tokens: 120,
        entry: None,
        carried: CarriedAs::Whole,
        pinned: false,
    };
    let shown = context(&Known::default(), &[item(""), item("terse")]);
    assert_eq!(shown, ["  ~120  system", "  ~120  system: terse"]);
}
