//! The name of the selected theme. Only the driver knows the colours of the theme.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FewColours {
    /// No colours: `NO_COLOR` is set, or the terminal has none.
    None,
    Sixteen,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThemeOffer {
    pub name: String,
    pub about: ThemeAbout,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThemeAbout {
    /// The light or the dark theme, depending on the terminal's background.
    FollowsTerminal,
    Shipped(&'static str),
    Own,
    /// The user's theme file is invalid. Contains one error per line.
    Broken(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Themes {
    configured: String,
    picked: Option<String>,
    shown: String,
    /// A theme name that the user has typed. The name is checked when the list of themes arrives.
    pub(super) asked: Option<String>,
}

impl Default for Themes {
    fn default() -> Self {
        Self::configured("auto")
    }
}

impl Themes {
    pub fn configured(name: &str) -> Self {
        Self {
            configured: name.to_owned(),
            picked: None,
            shown: name.to_owned(),
            asked: None,
        }
    }

    pub(super) fn chosen(&self) -> &str {
        self.picked.as_deref().unwrap_or(&self.configured)
    }

    pub(super) fn is_configured(&self, name: &str) -> bool {
        self.configured == name
    }

    pub(super) fn configure(&mut self, name: String) {
        self.configured = name;
    }

    pub(super) fn pick(&mut self, name: &str) {
        self.picked = Some(name.to_owned());
    }

    pub(super) fn forget_pick(&mut self) {
        self.picked = None;
    }

    /// Returns the theme to switch to. `None` if that theme is already active. `looked_at` is the previewed theme.
    pub(super) fn becomes(&mut self, looked_at: Option<&str>) -> Option<String> {
        let wanted = looked_at.unwrap_or(self.chosen());
        if wanted == self.shown {
            return None;
        }
        self.shown = wanted.to_owned();
        Some(self.shown.clone())
    }
}
