//! What things look like: semantic scopes, theme files, and the styles that follow for this terminal.
//!
//! Nothing outside this room names a colour. A scope says what a piece of text *is*; a theme file says how that looks.

mod file;
mod load;
mod scope;
mod shelf;
mod shipped;
mod style;

pub(crate) use scope::Scope;
pub(crate) use shelf::{AUTO, Offer, OfferKind, Shelf};
pub(crate) use shipped::{Colours, SHIPPED};
#[cfg(test)]
pub(crate) use style::indexed_rgb;
pub(crate) use style::{Choice, Depth, Ground, Theme};

#[cfg(test)]
mod tests;
