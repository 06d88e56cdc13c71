//! Files that other programs obey or run later without asking: shell start-up files, CI definitions, settings of tools that
//! name programs. Writing one decides what is run when nobody looks, so it takes a person.
//!
//! One check for file tools and commands. The folders of Git and of Benchdog in the workspace itself no tool writes at all.

use std::path::Path;

use super::secrets::lower_names;
use crate::domain::command::Put;

/// Whole file names, in lower case, wherever they lie.
const NAMES: &[&str] = &[
    // Shells and the things that load them.
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".inputrc",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".pam_environment",
    ".envrc",
    // Programs that run what their settings name.
    ".gitconfig",
    ".gitmodules",
    ".gitattributes",
    ".hgrc",
    ".gdbinit",
    ".lldbinit",
    ".vimrc",
    ".exrc",
    ".nvimrc",
    ".emacs",
    ".tmux.conf",
    ".screenrc",
    ".psqlrc",
    ".sqliterc",
    ".pythonrc",
    ".pythonrc.py",
    "sitecustomize.py",
    "usercustomize.py",
    ".pdbrc",
    ".irbrc",
    ".pryrc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".wgetrc",
    ".curlrc",
    ".mailcap",
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "lefthook.yml",
    "lefthook.yaml",
    "lefthook.toml",
    ".lefthook.yml",
    ".lefthook.yaml",
    "mise.toml",
    ".mise.toml",
    ".nvim.lua",
    ".dir-locals.el",
    ".xsessionrc",
    ".bazelrc",
    "cloudbuild.yaml",
    "buildspec.yml",
    // CI.
    ".gitlab-ci.yml",
    ".gitlab-ci.yaml",
    ".travis.yml",
    ".drone.yml",
    ".woodpecker.yml",
    ".appveyor.yml",
    "appveyor.yml",
    "azure-pipelines.yml",
    "azure-pipelines.yaml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
    // Other agents: what they are told, and what they may start.
    ".mcp.json",
];

/// Folders of which every file is one. To make one, or a link in its place, is as good as writing there.
const FOLDERS: &[&[&str]] = &[
    &[".github", "workflows"],
    &[".github", "actions"],
    &[".gitea", "workflows"],
    &[".forgejo", "workflows"],
    &[".circleci"],
    &[".buildkite"],
    &[".woodpecker"],
    &[".husky"],
    &[".githooks"],
    &[".cargo"],
    &[".vscode"],
    &[".idea"],
    &[".zed"],
    &[".devcontainer"],
    &[".agents"],
    &[".claude"],
    &[".codex"],
    &[".gemini"],
    &[".opencode"],
    &[".windsurf"],
    &[".fleet"],
    &[".hg"],
    &[".gitlab"],
    &[".semaphore"],
    &[".emacs.d"],
    &[".cursor"],
    &[".config", "autostart"],
    &[".config", "systemd"],
    &[".config", "fish"],
    &[".config", "git"],
    &[".config", "nvim"],
    &[".local", "bin"],
    &[".local", "share", "systemd"],
    &[".oh-my-zsh"],
    &[".vim"],
    &[".ssh"],
    &[".gnupg"],
];

/// Whether something obeys or runs, without asking, what is put under this name. `path` may be relative or absolute, its
/// `..` taken back; an empty one is the workspace itself.
pub(crate) fn is_obeyed(path: &Path, put: Put) -> bool {
    let names = lower_names(path);
    let Some((name, folders)) = names.split_last() else {
        return put == Put::Unseen;
    };
    let stands_in = |wanted: &[&str]| {
        let mut parts = names.windows(wanted.len());
        parts.any(|part| part.iter().eq(wanted.iter().copied()))
    };
    // A repository without a work tree keeps its settings and hooks beside its objects.
    folders.iter().any(|folder| folder.ends_with(".git"))
        || name == ".git"
        || name.ends_with(".code-workspace")
        || NAMES.contains(&name.as_str())
        || FOLDERS.iter().any(|wanted| stands_in(wanted))
        || put == Put::Unseen && FOLDERS.iter().any(|wanted| leads_to(&names, wanted))
}

/// Whether this is a folder above such a place.
fn leads_to(names: &[String], place: &[&str]) -> bool {
    (1..place.len()).any(|length| {
        let above = place.iter().take(length);
        let last = names.iter().rev().take(length).rev();
        names.len() >= length && last.eq(above)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_run_or_obey_is_known_by_its_place() {
        for path in [
            ".bashrc",
            "/home/u/.ZSHRC",
            ".github/workflows/ci.yml",
            "sub/.github/workflows/deep/er.yml",
            "Jenkinsfile",
            ".husky/pre-commit",
            ".vscode/tasks.json",
            ".cargo/config.toml",
            ".gitattributes",
            "bare.git/hooks/pre-commit",
            "/root/.config/autostart/x.desktop",
            "sub/.git",
            "sub/.git/config",
            "sub/.git/modules/x/hooks/post-checkout",
            "sub/.git/info/attributes",
            ".githooks",
            "sub/.github/workflows",
        ] {
            assert!(is_obeyed(Path::new(path), Put::Known), "{path}");
        }
    }

    #[test]
    fn what_is_not_seen_may_not_come_to_lie_above_such_a_place() {
        for path in [".github", "sub/.gitea", "sub/.config", ".local/share", ".local", ""] {
            assert!(is_obeyed(Path::new(path), Put::Unseen), "{path}");
            assert!(!is_obeyed(Path::new(path), Put::Known), "{path}");
        }
        for path in ["sub", "github", ".github/ISSUE_TEMPLATE", "share", "workflows"] {
            assert!(!is_obeyed(Path::new(path), Put::Unseen), "{path}");
        }
    }

    #[test]
    fn code_and_settings_of_the_project_itself_are_not() {
        for path in [
            "src/main.rs",
            "Makefile",
            "package.json",
            ".github/ISSUE_TEMPLATE.md",
            "github/workflows/ci.yml",
            "docs/.bashrc.md",
            ".gitignore",
            "workflows/ci.yml",
            "src/hooks/use-it.ts",
            "remote.git",
            "",
        ] {
            assert!(!is_obeyed(Path::new(path), Put::Known), "{path}");
        }
    }
}
