//! Tests of a workspace that is a mount, contains mounts, or is below a mount, as in containers and with `/tmp` in
//! memory.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

const OF_MINE: &str = "a-note-of-mine-4711";

/// Layouts: name, parent folder of the test's home, and mount commands. The project is `$P`, and the folder around it
/// is `$O`.
const LAYOUTS: [(&str, &str, &str); 6] = [
    ("the workspace is a mount", "/var/tmp", "mount --bind $P $P"),
    (
        "a mount in the workspace",
        "/var/tmp",
        "mkdir -p $P/modules; mount -t tmpfs tmpfs $P/modules",
    ),
    (
        "the workspace lies below a mount",
        "/var/tmp",
        "mount --rbind /var/tmp /var/tmp",
    ),
    (
        "mounts upon each other",
        "/var/tmp",
        "mount --bind $O $O; mount --bind $P $P; mount --bind $P $P",
    ),
    (
        "a mount in the home folder",
        "/var/tmp",
        "mkdir -p $O/user/.cargo/bin; mount --bind $O/user/.cargo $O/user/.cargo; mount --bind $O/user $O/user",
    ),
    (
        "the workspace lies in a `/tmp` that is a mount",
        "/tmp",
        "mount --rbind /tmp /tmp",
    ),
];

/// Makes the binary start in a mount namespace with these mounts. If `home` is for another user, `home.program`
/// switches to that user later.
fn mounted(mut home: Home, mounts: &str) -> Home {
    let (project, outside) = (home.project(), home.outside().to_path_buf());
    let script = format!(
        "set -e; P={}; O={}; mount --make-rprivate /; {mounts}; cd \"$P\"; exec \"$@\"",
        project.display(),
        outside.display()
    );
    let before = ["unshare", "-m", "sh", "-c", &script, "sh"];
    home.program.splice(0..0, before.map(str::to_owned));
    home
}

#[expect(
    clippy::print_stdout,
    reason = "a check that is left out says so in the report of its test"
)]
fn can_mount() -> bool {
    let tried = Command::new("unshare")
        .args(["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"])
        .output();
    let can = tried.as_ref().is_ok_and(|output| output.status.success());
    if !can {
        println!("not checked with mounts: this system lets nobody mount here: {tried:?}");
    }
    can
}

#[test]
fn the_sandbox_holds_however_the_workspace_is_mounted() {
    if !can_mount() {
        return;
    }
    let server = Server::start();
    for (layout, place, mounts) in LAYOUTS {
        let new = || {
            let home = Home::bare_in(Path::new(place));
            let mut config = config(&server.base_url());
            config["validation"] = json!({"auto": false});
            home.configure(&config);
            fs::write(home.user_home().join("notes"), OF_MINE).expect("a note");
            home.file(
                "Makefile",
                "all:\n\techo x > made; echo y > ../left; cat ../user/notes; ls; exit 3\n",
            );
            home
        };
        let nobody = new().of_nobody().map(|home| ("nobody", home));
        for (who, home) in [("ourselves", new())].into_iter().chain(nobody) {
            let home = mounted(home, mounts);
            server.script([call("bash", json!({"command": "make"})), text("Done.")]);
            let run = home.run(&["run", "--approve", "all", "go"]);
            let requests = server.requests();
            let said = requests.last().expect("a request").last("tool");
            assert!(home.path("made").exists(), "{layout}, as {who}: {said}\n{run}");
            assert!(!home.outside().join("left").exists(), "{layout}, as {who}: {said}");
            assert!(
                said.contains("Makefile") && !said.contains(OF_MINE),
                "{layout}, as {who}: {said}"
            );
        }
    }
}
