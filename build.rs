//! How the program is linked, where that depends on the machine it is built on.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells this program by its environment what it builds for"
)]

use std::env::var;
use std::process::Command;

/// The oldest glibc whose loader reads packed relocations (DT_RELR).
const PACKED_SINCE: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if packs_relocations() {
        // Nearly 1 MB less of the file, and as much less of an idle bench's memory: the loader reads all of them at each start.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Whether packed relocations are sure to work: the program is for this machine's own glibc, which reads them, and neither flags nor a
/// linker of one's own are set. Some releases of other linkers than Rust's leave out the mark without which glibc refuses such a program.
fn packs_relocations() -> bool {
    let own_glibc = var("HOST") == var("TARGET") && var("TARGET").as_deref() == Ok("x86_64-unknown-linux-gnu");
    let own_flags = var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| !flags.is_empty()) || var("RUSTC_LINKER").is_ok();
    own_glibc && !own_flags && glibc().is_some_and(|version| version >= PACKED_SINCE)
}

/// The version of this machine's glibc, where it says one.
fn glibc() -> Option<(u32, u32)> {
    let told = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let told = String::from_utf8(told.stdout).ok()?;
    let (major, minor) = told.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
