//! The binary as another user sees the world: one without rights, who owns the home and nothing else.

use std::process::Command;

use super::home::{self, Home};

/// The user and the group that have nothing, on every system.
const NOBODY: &str = "65534";

impl Home {
    /// The binary is run by a user without rights, who owns all of this home. `None`, with the reason printed, where only root could do that.
    #[expect(
        clippy::print_stdout,
        reason = "a check that is left out says so in the report of its test"
    )]
    pub fn of_nobody(mut self) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            println!("not checked as another user: only root can become one");
            return None;
        }
        // Where the binary was built nobody else may be allowed to look.
        let binary = self.outside().join("benchdog-of-nobody");
        std::fs::copy(home::binary(), &binary).expect("a copy of the binary");
        let owner = format!("{NOBODY}:{NOBODY}");
        let given = Command::new("chown").args(["-R", &owner]).arg(self.outside()).status();
        assert!(given.expect("chown").success(), "the home is given to nobody");
        let become_nobody = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"];
        self.program = become_nobody.map(str::to_owned).to_vec();
        self.program.push(binary.to_string_lossy().into_owned());
        Some(self)
    }
}
