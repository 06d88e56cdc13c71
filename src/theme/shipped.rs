//! The shipped themes, embedded so that the first frame opens no file. A theme is parsed when it is chosen.

#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    pub name: &'static str,
    pub about: &'static str,
    pub colours: Colours,
    pub(super) text: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    Own,
    /// A palette published by other authors. `themes/LICENSES` contains its licence.
    Published {
        by: &'static str,
        licence: &'static str,
    },
}

macro_rules! shipped {
    ($($name:literal $about:literal $colours:expr;)*) => {
        pub const SHIPPED: &[Shipped] = &[
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
    "light" "paper and brass, for light backgrounds" Colours::Own;
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
