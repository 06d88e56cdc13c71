//! Which theme colours the picture, by name. What it looks like is known to the driver alone.

/// Why no theme is drawn with all its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FewColours {
    /// `NO_COLOR`, or a terminal that has none.
    None,
    Sixteen,
}

/// A theme that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ThemeOffer {
    pub(crate) name: String,
    pub(crate) about: ThemeAbout,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ThemeAbout {
    /// It is one of two, by the ground of the terminal.
    FollowsTerminal,
    /// What it looks like.
    Shipped(&'static str),
    /// A file of the person's.
    Own,
    /// A file of the person's that is wrong, and how: a line each.
    Broken(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Themes {
    /// By the configuration.
    configured: String,
    /// By the person, for as long as the program runs.
    picked: Option<String>,
    /// The one that the driver was told last.
    shown: String,
    /// A name that was written: whether there is such a theme, the list will say that is on its way.
    pub(super) asked: Option<String>,
}

impl Default for Themes {
    fn default() -> Self {
        Self::configured("auto")
    }
}

impl Themes {
    /// The driver draws with the theme of the configuration from the beginning.
    pub(crate) fn configured(name: &str) -> Self {
        Self {
            configured: name.to_owned(),
            picked: None,
            shown: name.to_owned(),
            asked: None,
        }
    }

    /// The theme that counts where none is being looked at.
    pub(super) fn chosen(&self) -> &str {
        self.picked.as_deref().unwrap_or(&self.configured)
    }

    pub(super) fn is_configured(&self, name: &str) -> bool {
        self.configured == name
    }

    /// What the configuration says is not what counts while the person picked another.
    pub(super) fn configure(&mut self, name: String) {
        self.configured = name;
    }

    pub(super) fn pick(&mut self, name: &str) {
        self.picked = Some(name.to_owned());
    }

    /// The one of the configuration counts again.
    pub(super) fn forget_pick(&mut self) {
        self.picked = None;
    }

    /// The theme to draw with from now on, if it is another one. `looked_at`: the one under the bar of the list.
    pub(super) fn becomes(&mut self, looked_at: Option<&str>) -> Option<String> {
        let wanted = looked_at.unwrap_or(self.chosen());
        if wanted == self.shown {
            return None;
        }
        self.shown = wanted.to_owned();
        Some(self.shown.clone())
    }
}
