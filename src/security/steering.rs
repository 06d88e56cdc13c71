//! Files that other programs obey or run later without asking: shell start-up files, CI definitions, settings of tools that
//! name programs. Writing one decides what is run when nobody looks, so it takes a person.
//!
//! Git's own folder and Benchdog's are not among them: no tool writes there at all.

use std::path::Path;

use super::secrets::lower_names;

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

/// Folders of which every file is one.
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

/// Whether something obeys or runs this file without asking. `path` may be relative or absolute.
pub(crate) fn is_obeyed(path: &Path) -> bool {
    let names = lower_names(path);
    let Some((file, folders)) = names.split_last() else {
        return false;
    };
    // A repository without a work tree keeps its settings and hooks beside its objects.
    folders.iter().any(|folder| folder.ends_with(".git"))
        || file.ends_with(".code-workspace")
        || NAMES.contains(&file.as_str())
        || FOLDERS.iter().any(|wanted| {
            folders
                .windows(wanted.len())
                .any(|part| part.iter().eq(wanted.iter().copied()))
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
        ] {
            assert!(is_obeyed(Path::new(path)), "{path}");
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
            "",
        ] {
            assert!(!is_obeyed(Path::new(path)), "{path}");
        }
    }
}
