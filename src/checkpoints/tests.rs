//! Tests of the crate as its callers use it.

mod capture;
mod damage;
mod gc;
mod histories;
mod kills;
mod place;
mod restore;
mod scenarios;
mod watch;
