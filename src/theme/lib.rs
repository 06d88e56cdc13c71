//! Themes: semantic scopes, theme files, and the styles for this terminal.
//!
//! Only this module names colours. A scope says what a text *is*. A theme file says how it looks.

mod file;
mod load;
mod scope;
mod shelf;
mod shipped;
mod style;

pub use scope::Scope;
pub use shelf::{AUTO, Offer, OfferKind, Shelf};
pub use shipped::{Colours, SHIPPED};
pub use style::indexed_rgb;
pub use style::{Choice, Depth, Ground, Theme};

#[cfg(test)]
mod tests;
