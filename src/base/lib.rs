//! Foundation of all modules: ids, time, paths, text. Independent of sessions and the screen.

pub mod chance;
pub mod charset;
pub mod clock;
pub mod composed;
pub mod disk;
pub mod document;
pub mod environment;
pub mod front_matter;
pub mod id;
pub mod json;
pub mod link;
pub mod page_text;
pub mod panics;
pub mod path_name;
pub mod problem;
pub mod process;
pub mod repair;
pub mod ring;
pub mod spelling;
pub mod spot;
pub mod text;
pub mod token;
