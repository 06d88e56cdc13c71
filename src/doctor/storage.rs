//! Checks the session storage: whether it is writable and private, and has enough space.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Access, access};

use benchdog_base::disk::Space;
use benchdog_base::environment::Folders;
use benchdog_checkpoints::{Limits, stores};
use benchdog_domain::checkup::Check;
use benchdog_lang::{Finding, finding};

/// Free bytes below which a long session may not fit, so that a warning is shown. Below `NOTHING`, the check fails.
const LITTLE: u64 = 200 << 20;
const NOTHING: u64 = 10 << 20;

pub(super) fn checks(folders: &Folders) -> Vec<Check> {
    let folder = &folders.data.display().to_string();
    if !folders.data.exists() {
        return vec![Check::ok("storage", finding(Finding::NoFolderYet { folder }))];
    }
    let mut checks = vec![match access(&folders.data, Access::WRITE_OK | Access::EXEC_OK) {
        Ok(()) => Check::ok("storage", finding(Finding::Writable { folder })),
        Err(error) => {
            let error = &std::io::Error::from(error).to_string();
            let detail = finding(Finding::NotWritable { folder, error });
            Check::fail("storage", detail, finding(Finding::FixOwner { folder }))
        }
    }];
    checks.extend(room(&folders.data));
    checks.push(checkpoints(&folders.data));
    let open: Vec<String> = [
        &folders.data,
        &folders.data.join("sessions"),
        &folders.stored_keys(),
        &folders.server_tokens(),
    ]
    .into_iter()
    .filter(|path| others_reach(path))
    .map(|path| path.display().to_string())
    .collect();
    checks.push(if open.is_empty() {
        Check::ok("permissions", finding(Finding::Private))
    } else {
        let paths = &open.join(" ");
        Check::warn(
            "permissions",
            finding(Finding::NotPrivate { paths }),
            finding(Finding::FixPrivate { paths }),
        )
    });
    checks
}

fn checkpoints(data: &Path) -> Check {
    let stores = stores(data);
    let bytes: u64 = stores.iter().map(|store| store.bytes).sum();
    let detail = finding(Finding::Checkpoints {
        folders: stores.len(),
        megabytes: bytes.div_ceil(1 << 20),
        most: Limits::default().quota >> 20,
    });
    Check::ok("checkpoints", detail)
}

fn room(folder: &Path) -> Option<Check> {
    let free = Space::of(folder)?.free;
    let detail = finding(Finding::Free { megabytes: free >> 20 });
    Some(match free {
        ..NOTHING => Check::fail("space", detail, finding(Finding::FixSpace)),
        NOTHING..LITTLE => Check::warn("space", detail, finding(Finding::FixSpace)),
        LITTLE.. => Check::ok("space", detail),
    })
}

fn others_reach(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}
