//! Foundation of all modules: ids, time, paths, text. Knows nothing of sessions or screens.

pub(crate) mod chance;
pub(crate) mod charset;
pub(crate) mod clock;
pub(crate) mod disk;
pub(crate) mod document;
pub(crate) mod environment;
pub(crate) mod front_matter;
pub(crate) mod id;
pub(crate) mod json;
pub(crate) mod link;
pub(crate) mod panics;
pub(crate) mod problem;
pub(crate) mod process;
pub(crate) mod repair;
pub(crate) mod ring;
pub(crate) mod spelled;
pub(crate) mod spelling;
pub(crate) mod spot;
pub(crate) mod text;
pub(crate) mod token;
