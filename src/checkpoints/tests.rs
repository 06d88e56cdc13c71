//! Tests of the crate through its public functions.

mod capture;
mod damage;
mod gc;
mod histories;
mod kills;
mod place;
mod restore;
mod scenarios;
mod watch;
