//! Tests of the crate as its callers use it.

mod capture;
mod histories;
mod place;
mod restore;
