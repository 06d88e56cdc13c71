//! Runs the binary as another, unprivileged user, who owns only the home.

use std::process::Command;

use super::home::{self, Home};

/// Id of the unprivileged user and group, on every system.
const NOBODY: &str = "65534";

const STRANGER: &str = "54321";

impl Home {
    /// Runs the binary as an unprivileged user who owns this home. If that needs root rights, prints the reason and
    /// returns `None`.
    pub fn of_nobody(self) -> Option<Self> {
        self.of(NOBODY)
    }

    /// Runs the binary as a user without an account and home folder.
    pub fn of_a_stranger(self) -> Option<Self> {
        self.of(STRANGER)
    }

    #[expect(
        clippy::print_stdout,
        reason = "a check that is left out says so in the report of its test"
    )]
    fn of(mut self, user: &str) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            println!("not checked as another user: only root can become one");
            return None;
        }
        // That user may be unable to read the build folder.
        let binary = self.outside().join("benchdog-of-another");
        std::fs::copy(home::binary(), &binary).expect("a copy of the binary");
        let owner = format!("{user}:{user}");
        let given = Command::new("chown").args(["-R", &owner]).arg(self.outside()).status();
        assert!(given.expect("chown").success(), "the home is given to the user");
        let become_user = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"];
        self.program = become_user.map(str::to_owned).to_vec();
        self.program.push(binary.to_string_lossy().into_owned());
        Some(self)
    }
}
