//! Sets linker options that depend on the build machine.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells this program by its environment what it builds for"
)]

use std::env::var;
use std::path::Path;
use std::process::Command;

/// Target for which Rust brings its own linker.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Oldest glibc whose loader reads packed relocations (DT_RELR).
const PACKED_SINCE: (u32, u32) = (2, 36);

/// If this variable is set, the program is also linked for older C libraries.
const OLDER: &str = "BENCHDOG_OLDER_GLIBC";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in [OLDER, "CARGO_ENCODED_RUSTFLAGS", "RUSTC_LINKER"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    if packs_relocations() {
        // Saves nearly 1 MB of the file, and as much memory of an idle workbench, because the loader reads all
        // relocations at each start.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Whether packed relocations certainly work. They do if the program runs with this machine's own glibc, the glibc
/// reads them, and Rust's own linker is used. Some versions of other linkers omit a mark that glibc requires.
fn packs_relocations() -> bool {
    let own_glibc = var("HOST") == var("TARGET") && var("TARGET").as_deref() == Ok(TARGET);
    let own_flags = var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| !flags.is_empty()) || var("RUSTC_LINKER").is_ok();
    own_glibc
        && !own_flags
        && var(OLDER).is_err()
        && has_linker()
        && glibc().is_some_and(|version| version >= PACKED_SINCE)
}

/// Whether this Rust installation has its own linker, as with rustup. A distribution's Rust may use another linker.
fn has_linker() -> bool {
    let rustc = var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    told(&rustc, &["--print", "sysroot"]).is_some_and(|sysroot| {
        let linker = format!("lib/rustlib/{TARGET}/bin/gcc-ld/ld.lld");
        Path::new(sysroot.trim()).join(linker).exists()
    })
}

/// Returns the version of this machine's glibc. `None` if the version is unknown.
fn glibc() -> Option<(u32, u32)> {
    let version = told("getconf", &["GNU_LIBC_VERSION"])?;
    let (major, minor) = version.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn told(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    String::from_utf8(output.stdout).ok()
}
