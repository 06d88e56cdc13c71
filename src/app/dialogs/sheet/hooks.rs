//! The configured hooks in the order in which they run, each with its last result, as rows of a table.

use super::Fact;
use benchdog_base::clock::Zone;
use benchdog_base::text::clean;
use benchdog_domain::hook::HookOffer;
use benchdog_lang as lang;

pub(super) fn facts(hooks: &[HookOffer], zone: &Zone) -> Vec<Fact> {
    let row = |row: lang::HookRow| match row {
        lang::HookRow::Hook(text) => Fact::Heading(clean(&text).into_owned()),
        lang::HookRow::Of(name, value) => Fact::Field(name, clean(&value).into_owned()),
        lang::HookRow::Said(text) => Fact::Text(clean(&text).into_owned()),
        lang::HookRow::Wrong(text) => Fact::Wrong(clean(&text).into_owned()),
    };
    lang::hooks(hooks, zone).into_iter().map(row).collect()
}
