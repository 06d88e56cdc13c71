//! The project as a git repository, independent of the machine's settings.

use std::process::{Command, Output};

use super::home::Home;

impl Home {
    /// Runs git in the project as the home's person. Panics on failure.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        let done = self.git_tries(arguments);
        assert!(done.status.success(), "git {arguments:?}: {done:?}");
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    pub fn git_tries(&self, arguments: &[&str]) -> Output {
        let mut git = Command::new("git");
        git.args(arguments)
            .current_dir(self.project())
            .env("HOME", self.user_home())
            .env_remove("XDG_CONFIG_HOME")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        git.output().expect("git")
    }

    /// Creates a repository with a branch `trunk`, a user name, and all project files in the first commit.
    pub fn repository(&self) {
        let settings = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = trunk\n";
        std::fs::write(self.user_home().join(".gitconfig"), settings).expect("settings of git");
        self.git(&["init", "-q"]);
        self.git(&["add", "."]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "first: everything"]);
    }
}
