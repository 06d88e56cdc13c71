//! The list of themes with a live preview, and `/theme NAME`.

use super::settings;
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::op::Op;
use crate::state::State;
use crate::themes::{FewColours, ThemeAbout, ThemeOffer};
use benchdog_base::spelling::nearest;
use benchdog_base::text::reveal;
use benchdog_lang::{self as lang, Word, word};

pub(super) fn list(state: &mut State, ops: &mut Vec<Op>) {
    state.screen.dialog = Some(Dialog::Picker(Picker::new(PickerKind::Themes)));
    ops.push(Op::ListThemes);
}

pub(super) fn name(state: &mut State, written: &str, ops: &mut Vec<Op>) {
    if written.is_empty() {
        return list(state, ops);
    }
    state.themes.asked = Some(written.to_owned());
    ops.push(Op::ListThemes);
}

pub(super) fn listed(state: &mut State, offers: Vec<ThemeOffer>, few: Option<FewColours>) {
    if let Some(name) = state.themes.asked.take() {
        answer(state, &name, &offers);
    }
    let chosen = state.themes.chosen().to_owned();
    let Some(Dialog::Picker(picker)) = state.screen.dialog.as_mut() else {
        return;
    };
    let note = match (picker.kind, few) {
        (PickerKind::Themes | PickerKind::Values, Some(FewColours::Sixteen)) => word(Word::ThemeSixteen),
        (PickerKind::Themes | PickerKind::Values, Some(FewColours::None)) => word(Word::ThemeNoColours),
        (PickerKind::Themes, None) if state.screen.wizard.is_some() => word(Word::WizardTheme),
        (PickerKind::Themes, None) => word(Word::ThemeHow),
        (PickerKind::Values, None) => "",
        _ => return,
    };
    let setting = picker.setting.as_ref();
    let current = setting.map_or(chosen, |setting| setting.written.clone());
    let unset = setting.and_then(|setting| settings::unset(setting));
    let items = offers.into_iter().map(|offer| item(offer, &current)).chain(unset);
    picker.fill(items.collect(), note.to_owned());
}

fn item(offer: ThemeOffer, chosen: &str) -> PickerItem {
    let detail = match &offer.about {
        ThemeAbout::FollowsTerminal => word(Word::ThemeAuto).to_owned(),
        ThemeAbout::Shipped(about) => (*about).to_owned(),
        ThemeAbout::Own => word(Word::ThemeOwn).to_owned(),
        ThemeAbout::Broken(_) => word(Word::ThemeBroken).to_owned(),
    };
    PickerItem {
        text: offer.name.clone(),
        detail,
        current: offer.name == chosen,
        value: match offer.about {
            ThemeAbout::Broken(why) => PickerValue::BrokenTheme(why),
            ThemeAbout::FollowsTerminal | ThemeAbout::Shipped(_) | ThemeAbout::Own => PickerValue::Theme(offer.name),
        },
    }
}

fn answer(state: &mut State, name: &str, offers: &[ThemeOffer]) {
    match offers.iter().find(|offer| offer.name == name) {
        Some(ThemeOffer {
            about: ThemeAbout::Broken(why),
            ..
        }) => broken(state, why),
        Some(_) => take(state, name),
        None => {
            let near = nearest(name, offers.iter().map(|offer| offer.name.as_str()));
            state.say(lang::no_theme(&reveal(name), near), true);
        }
    }
}

pub(super) fn take(state: &mut State, name: &str) {
    state.themes.pick(name);
    if state.themes.is_configured(name) {
        state.say(lang::message::toast_theme(name), false);
    } else {
        state.screen.conversation.remark(&lang::message::theme_for_now(name));
    }
}

pub(super) fn broken(state: &mut State, why: &str) {
    state.screen.conversation.refuse(why, "");
}

/// Applies a theme: the previewed theme while the list is open, and otherwise the selected theme.
pub(super) fn recolour(state: &mut State, ops: &mut Vec<Op>) {
    let looked_at = match state.screen.dialog.as_mut() {
        Some(Dialog::Picker(picker)) if matches!(picker.kind, PickerKind::Themes | PickerKind::Values) => {
            picker.chosen()
        }
        _ => None,
    };
    let looked_at = match looked_at {
        Some(PickerValue::Theme(name)) => Some(name.as_str()),
        _ => None,
    };
    ops.extend(state.themes.becomes(looked_at).map(Op::Theme));
}
