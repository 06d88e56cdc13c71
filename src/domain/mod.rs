//! The nouns: what a session, a message, a change, a permission *are*. Data only, no I/O, no clock.

pub(crate) mod agent;
pub(crate) mod budget;
pub(crate) mod call;
pub(crate) mod checkup;
pub(crate) mod command;
pub(crate) mod compaction;
pub(crate) mod confinement;
pub(crate) mod damage;
pub(crate) mod entry;
pub(crate) mod failure;
pub(crate) mod history;
pub(crate) mod image;
pub(crate) mod mention;
pub(crate) mod message;
pub(crate) mod note;
pub(crate) mod notice;
pub(crate) mod permission;
pub(crate) mod plan;
pub(crate) mod review;
pub(crate) mod session;
pub(crate) mod setting;
pub(crate) mod skill;
pub(crate) mod status;
pub(crate) mod summary;
pub(crate) mod todo;
pub(crate) mod tool;
