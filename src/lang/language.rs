//! The supported languages, and the language of the process.

use std::sync::atomic::{AtomicUsize, Ordering};

use benchdog_base::environment::Environment;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
    Japanese,
    Korean,
}

impl Language {
    pub(super) const COUNT: usize = 4;
    pub const ALL: [Self; Self::COUNT] = [Self::English, Self::Chinese, Self::Japanese, Self::Korean];
    pub const OTHERS: [Self; Self::COUNT - 1] = [Self::Chinese, Self::Japanese, Self::Korean];

    /// Parses the value of `ui.language`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "en" => Some(Self::English),
            "zh" => Some(Self::Chinese),
            "ja" => Some(Self::Japanese),
            "ko" => Some(Self::Korean),
            _ => None,
        }
    }

    /// Returns the name of the language as its speakers write it.
    pub fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Chinese => "中文",
            Self::Japanese => "日本語",
            Self::Korean => "한국어",
        }
    }

    /// Returns the value of `ui.language` for this language.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
            Self::Korean => "ko",
        }
    }

    /// Detects the language from the first locale variable that is set. English if the charset is not UTF-8.
    pub fn of_system(environment: &Environment) -> Self {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
        let locale = names.iter().find_map(|name| environment.get(name)).unwrap_or_default();
        let (place, charset) = locale.split_once('.').unwrap_or((locale, "UTF-8"));
        let charset = charset.split('@').next().unwrap_or_default();
        if !["utf-8", "utf8"].contains(&charset.to_ascii_lowercase().as_str()) {
            return Self::English;
        }
        let (language, region) = place.split_once(['_', '-']).unwrap_or((place, ""));
        let traditional = ["TW", "HK", "MO", "Hant"].iter().any(|name| region.starts_with(name));
        match Self::from_name(language) {
            Some(Self::Chinese) if traditional => Self::English,
            found => found.unwrap_or(Self::English),
        }
    }

    pub(super) fn table(self) -> &'static str {
        match self {
            Self::English => include_str!("../../assets/lang/en.ftl"),
            Self::Chinese => include_str!("../../assets/lang/zh.ftl"),
            Self::Japanese => include_str!("../../assets/lang/ja.ftl"),
            Self::Korean => include_str!("../../assets/lang/ko.ftl"),
        }
    }
}

static CURRENT: AtomicUsize = AtomicUsize::new(Language::English as usize);

pub fn set_language(language: Language) {
    CURRENT.store(language as usize, Ordering::Relaxed);
}

pub fn current_language() -> Language {
    let current = Language::ALL
        .into_iter()
        .find(|language| *language as usize == current_index());
    current.unwrap_or(Language::English)
}

pub(super) fn current_index() -> usize {
    CURRENT.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests;
