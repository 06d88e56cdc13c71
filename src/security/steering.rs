//! Files that other programs obey or run later without asking: shell start-up files, CI definitions, settings of tools that
//! name programs. Writing one decides what is run when nobody looks, so it takes a person.
//!
//! One check for file tools and commands. The folders of Git and of Benchdog in the workspace itself no tool writes at all.

use std::path::Path;

use super::secrets::lower_names;
use benchdog_domain::command::Put;

/// Whole file names, in lower case, wherever they lie.
const NAMES: &[&str] = &[
    // Shells and the things that load them.
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".xprofile",
    ".xsession",
    ".pam_environment",
    // Programs that run what their settings name.
    ".gitconfig",
    ".gitmodules",
    ".gitattributes",
    ".gdbinit",
    ".lldbinit",
    ".emacs",
    ".tmux.conf",
    "sitecustomize.py",
    "usercustomize.py",
    ".pnpmfile.cjs",
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
    "cloudbuild.yaml",
    "buildspec.yml",
    // Which toolchain, interpreter or package manager is run.
    "rust-toolchain",
    "rust-toolchain.toml",
    ".python-version",
    ".ruby-version",
    ".node-version",
    ".java-version",
    ".go-version",
    ".swift-version",
    ".tool-versions",
    ".mise.local.toml",
    "mise.local.toml",
    ".rtx.toml",
    ".mill-version",
    ".bazelversion",
    ".terraform-version",
    "global.json",
    "nuget.config",
    "directory.build.props",
    "directory.build.targets",
    "directory.build.rsp",
    "gradlew",
    "gradlew.bat",
    "mvnw",
    "mvnw.cmd",
    "gradle-wrapper.properties",
    "gradle-wrapper.jar",
    ".sbtopts",
    ".jvmopts",
    "bunfig.toml",
    ".pnp.cjs",
    ".pnp.loader.mjs",
    "pnpmfile.js",
    "pip.conf",
    "devbox.json",
    "devenv.nix",
    // Editors and what they load.
    ".devcontainer.json",
    "devcontainer.json",
    "_vimrc",
    "_gvimrc",
    ".dir-locals-2.el",
    ".projectile",
    ".spacemacs",
    ".neoconf.json",
    ".nlsp.json",
    ".clangd",
    ".ccls",
    ".ycm_extra_conf.py",
    "ycm_extra_conf.py",
    "compile_flags.txt",
    ".gdbearlyinit",
    ".pythonstartup",
    ".rprofile",
    ".renviron",
    ".ghci",
    ".ocamlinit",
    ".iex.exs",
    ".erlang",
    ".guile",
    "latexmkrc",
    ".ctags",
    ".rspec",
    "user.bazelrc",
    "ansible.cfg",
    ".user.ini",
    ".htaccess",
    ".lfsconfig",
    "shell.nix",
    "flake.nix",
    ".netrwhist",
    // What git and commits run.
    ".git-hooks",
    ".overcommit.yml",
    ".pre-commit-hooks.yaml",
    ".simple-git-hooks.js",
    ".simple-git-hooks.json",
    ".simple-git-hooks.cjs",
    // Machines of others that build or serve what is pushed.
    "netlify.toml",
    "vercel.json",
    "now.json",
    "fly.toml",
    "render.yaml",
    "procfile",
    "heroku.yml",
    "app.yaml",
    "appspec.yml",
    ".gitpod.yml",
    ".gitpod.dockerfile",
    ".replit",
    "replit.nix",
    "devfile.yaml",
    ".devfile.yaml",
    "dependabot.yml",
    "renovate.json",
    "renovate.json5",
    // CI.
    ".cirrus.yml",
    ".build.yml",
    ".bitrise.yml",
    "bitrise.yml",
    "codefresh.yml",
    "wercker.yml",
    ".scrutinizer.yml",
    ".semaphore.yml",
    ".vela.yml",
    "cloudbuild.yml",
    "buildspec.yaml",
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
    "mcp.json",
    "agents.md",
    "agent.md",
    "agents.override.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "qwen.md",
    "crush.md",
    "warp.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".roorules",
    ".roomodes",
    ".goosehints",
    ".continuerules",
    ".aider.conf.yml",
    ".aider.model.settings.yml",
    ".augment-guidelines",
    ".rules",
    "opencode.json",
    "opencode.jsonc",
    ".opencode.json",
    "crush.json",
    ".crush.json",
];

/// Beginnings of names of which the rest may be anything, as of settings that may be written in several languages.
const BEGINNINGS: &[&str] = &[
    ".lintstagedrc",
    "lint-staged.config.",
    ".huskyrc",
    "lefthook",
    ".lefthook",
    ".commitlintrc",
    "jenkinsfile",
    ".gitlab-ci",
    "azure-pipelines",
    "simple-git-hooks.",
    // Containers and machines that see what their file says of the disk.
    "docker-compose",
    "compose.y",
    "vagrantfile",
    // Tools that editors run when a file is opened or saved, and what they load.
    ".golangci.",
    ".rubocop",
    ".clang-",
    ".phpunit",
    ".air.",
    ".rustfmt.",
    "rustfmt.",
    "clippy.",
    "ruff.",
    "pyrightconfig.",
    "nodemon.",
    ".watchmanconfig",
    ".buckconfig",
    ".editorconfig",
    ".ansible",
    ".terraform",
    "gradle.properties",
    // Test runners of Python load them from every folder above a test.
    "conftest.py",
    "noxfile.py",
    "go.work",
    "conventions.md",
];

/// Endings of names of files that editors and interpreters load.
const ENDINGS: &[&str] = &[
    ".code-workspace",
    ".sublime-project",
    ".sublime-workspace",
    ".pth",
    ".cursorrules",
    ".desktop",
    ".sln",
    // Settings that name plugins and start-up files; scripts that an editor runs when it opens the folder.
    ".ini",
    ".gradle",
    ".gradle.kts",
    ".project",
    ".classpath",
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
    // Wrappers and settings of build tools.
    &[".mvn"],
    &[".gradle"],
    &["gradle", "wrapper"],
    &[".yarn", "releases"],
    &[".yarn", "plugins"],
    &[".bundle"],
    &[".mise"],
    &[".config", "mise"],
    &[".direnv"],
    &[".jj"],
    &[".ctags.d"],
    &[".git-hooks"],
    // Editors.
    &[".vs"],
    &[".fleet"],
    &[".helix"],
    &[".nova"],
    &[".theia"],
    &[".lapce"],
    &[".settings"],
    &[".nvim"],
    &[".ipython"],
    &[".jupyter"],
    &[".idx"],
    &[".codesandbox"],
    // Agents.
    &[".github", "instructions"],
    &[".github", "prompts"],
    &[".github", "agents"],
    &[".github", "chatmodes"],
    &[".github", "hooks"],
    &[".clinerules"],
    &[".roo"],
    &[".kilocode"],
    &[".continue"],
    &[".trae"],
    &[".junie"],
    &[".amazonq"],
    &[".augment"],
    &[".kiro"],
    &[".qwen"],
    &[".crush"],
    &[".goose"],
    &[".openhands"],
    &[".factory"],
    &[".aider"],
    // CI.
    &[".teamcity"],
    &[".tekton"],
    &[".builds"],
    &[".drone"],
    &["nbproject"],
];

/// Whether a name is that of settings for a tool: `.babelrc`, `.eslintrc.cjs`, or a program that says them, `vite.config.ts`.
fn is_settings(name: &str) -> bool {
    const PROGRAMS: [&str; 6] = ["js", "cjs", "mjs", "ts", "mts", "cts"];
    const DATA: [&str; 7] = ["json", "jsonc", "json5", "yml", "yaml", "toml", "local"];
    let mut parts = name.strip_prefix('.').unwrap_or("").split('.');
    let stem = parts.next().unwrap_or("");
    let is_rc = stem.ends_with("rc") && stem.len() > 2;
    let ending = name.rsplit('.').next().unwrap_or("");
    is_rc && parts.all(|part| PROGRAMS.contains(&part) || DATA.contains(&part))
        || name.contains(".config.") && !name.starts_with("app.") && PROGRAMS.contains(&ending)
}

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
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || is_settings(name)
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
mod tests;
