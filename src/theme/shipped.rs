//! The themes that come with the program. They are embedded, so drawing the first frame opens no file, and read only when chosen.

/// One theme file of `themes/`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shipped {
    pub(crate) name: &'static str,
    /// What it looks like.
    pub(crate) about: &'static str,
    pub(crate) colours: Colours,
    pub(super) text: &'static str,
}

/// Whose colours they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colours {
    Own,
    /// A palette that others published, under a licence whose notice stands in `themes/LICENSES`.
    Published {
        by: &'static str,
        licence: &'static str,
    },
}

macro_rules! shipped {
    ($($name:literal $about:literal $colours:expr;)*) => {
        /// In the order in which they are listed.
        pub(crate) const SHIPPED: &[Shipped] = &[
            $(Shipped {
                name: $name,
                about: $about,
                colours: $colours,
                text: include_str!(concat!("../../themes/", $name, ".jsonc")),
            },)*
        ];
    };
}

const fn mit(by: &'static str) -> Colours {
    Colours::Published { by, licence: "MIT" }
}

shipped! {
    "dark" "graphite and brass; the default" Colours::Own;
    "light" "paper and brass, for light grounds" Colours::Own;
    "contrast-dark" "bright on black, at least 7 : 1" Colours::Own;
    "contrast-light" "black on white, at least 7 : 1" Colours::Own;
    "sixteen" "the terminal's own sixteen colours" Colours::Own;
    "plain" "no colours: bold, reverse, signs" Colours::Own;
    "catppuccin-mocha" "pastel on deep blue grey" mit("Catppuccin");
    "catppuccin-latte" "pastel on light grey" mit("Catppuccin");
    "dracula" "vivid on violet grey" mit("Dracula Theme");
    "gruvbox-dark" "warm and retro on dark brown" mit("Pavel Pertsev");
    "gruvbox-light" "warm and retro on cream" mit("Pavel Pertsev");
    "nord" "cool and quiet on blue grey" mit("Sven Greb");
    "rose-pine" "rose and pine on dark violet" mit("rose-pine");
    "solarized-dark" "sixteen balanced colours on deep teal" mit("Ethan Schoonover");
    "solarized-light" "sixteen balanced colours on cream" mit("Ethan Schoonover");
    "tokyo-night" "neon on midnight blue" mit("Enkia");
}

pub(super) fn find(name: &str) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|theme| theme.name == name)
}
