//! Translated titles of keys and commands, and descriptions of settings. The English ones are in the tables of keys,
//! commands and settings.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::language::{Language, current_index};

type Titles = HashMap<&'static str, &'static str>;

/// The tables, in the order of `Language`. Each is parsed on first use.
static TITLES: [OnceLock<Titles>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];
static SETTINGS: [OnceLock<Titles>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];

/// Returns the title of `id`, a key or a command with its slash. `english` is the fallback.
pub fn title(id: &str, english: &'static str) -> &'static str {
    let titles = TITLES
        .get(current_index())
        .map(|titles| titles.get_or_init(|| pairs(table_text(current_index())).collect()));
    titles.and_then(|titles| titles.get(id)).copied().unwrap_or(english)
}

/// Returns the description of a setting. `english` is the fallback.
pub fn about_setting(key: &str, english: &'static str) -> &'static str {
    let said = SETTINGS
        .get(current_index())
        .map(|said| said.get_or_init(|| pairs(settings_in(current_index())).collect()));
    said.and_then(|said| said.get(key)).copied().unwrap_or(english)
}

fn settings_in(place: usize) -> &'static str {
    const CHINESE: usize = Language::Chinese as usize;
    const JAPANESE: usize = Language::Japanese as usize;
    const KOREAN: usize = Language::Korean as usize;
    match place {
        CHINESE => include_str!("../../assets/lang/settings/zh.txt"),
        JAPANESE => include_str!("../../assets/lang/settings/ja.txt"),
        KOREAN => include_str!("../../assets/lang/settings/ko.txt"),
        _ => "",
    }
}

fn table_text(place: usize) -> &'static str {
    const CHINESE: usize = Language::Chinese as usize;
    const JAPANESE: usize = Language::Japanese as usize;
    const KOREAN: usize = Language::Korean as usize;
    match place {
        CHINESE => include_str!("../../assets/lang/titles/zh.txt"),
        JAPANESE => include_str!("../../assets/lang/titles/ja.txt"),
        KOREAN => include_str!("../../assets/lang/titles/ko.txt"),
        _ => "",
    }
}

/// Parses lines of `id = title`.
fn pairs(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter_map(|line| line.split_once(" = "))
}

pub fn titled(language: Language) -> Vec<(&'static str, &'static str)> {
    pairs(table_text(language as usize)).collect()
}

pub fn described(language: Language) -> Vec<(&'static str, &'static str)> {
    pairs(settings_in(language as usize)).collect()
}
