//! How the program is linked, where that depends on the machine it is built on.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells this program by its environment what it builds for"
)]

use std::env::var;
use std::path::Path;
use std::process::Command;

/// Where Rust links with its own linker.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The oldest glibc whose loader reads packed relocations (DT_RELR).
const PACKED_SINCE: (u32, u32) = (2, 36);

/// Set to anything, the program is linked for older C libraries, too.
const OLDER: &str = "BENCHDOG_OLDER_GLIBC";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in [OLDER, "CARGO_ENCODED_RUSTFLAGS", "RUSTC_LINKER"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    if packs_relocations() {
        // Nearly 1 MB less of the file, and as much less of an idle bench's memory: the loader reads all of them at each start.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Whether packed relocations are sure to work: the program is for this machine's own glibc, which reads them, and it is linked by the
/// linker that comes with Rust. Some releases of others leave out the mark without which glibc refuses such a program.
fn packs_relocations() -> bool {
    let own_glibc = var("HOST") == var("TARGET") && var("TARGET").as_deref() == Ok(TARGET);
    let own_flags = var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| !flags.is_empty()) || var("RUSTC_LINKER").is_ok();
    own_glibc
        && !own_flags
        && var(OLDER).is_err()
        && has_linker()
        && glibc().is_some_and(|version| version >= PACKED_SINCE)
}

/// Whether this Rust brings its linker along, as rustup's does; one of a distribution may link by another.
fn has_linker() -> bool {
    let rustc = var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    told(&rustc, &["--print", "sysroot"]).is_some_and(|sysroot| {
        let linker = format!("lib/rustlib/{TARGET}/bin/gcc-ld/ld.lld");
        Path::new(sysroot.trim()).join(linker).exists()
    })
}

/// The version of this machine's glibc, where it says one.
fn glibc() -> Option<(u32, u32)> {
    let version = told("getconf", &["GNU_LIBC_VERSION"])?;
    let (major, minor) = version.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn told(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    String::from_utf8(output.stdout).ok()
}
