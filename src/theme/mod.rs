//! What things look like: semantic scopes, theme files, and the styles that follow for this terminal.
//!
//! Nothing outside this room names a colour. A scope says what a piece of text *is*; a theme file says how that looks.

mod load;
mod scope;
mod style;

pub(crate) use load::ThemeError;
pub(crate) use scope::Scope;
pub(crate) use style::{Choice, Depth, Ground, Theme};

#[cfg(test)]
mod tests;
