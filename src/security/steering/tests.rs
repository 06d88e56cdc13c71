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
        "rust-toolchain.toml",
        ".devcontainer.json",
        ".mvn/extensions.xml",
        "sub/AGENTS.md",
        "CLAUDE.md",
        ".cursorrules",
        ".lintstagedrc.cjs",
        "x.pth",
        ".babelrc",
        "sub/.eslintrc.cjs",
        "vite.config.ts",
        "docker-compose.override.yml",
        "tests/conftest.py",
        "pytest.ini",
        "settings.gradle.kts",
        "compose.override.yaml",
        ".bsp/sbt.json",
        ".lsp/config.edn",
        "mise/config.toml",
        "mise.ci.toml",
        "pnpm-workspace.yaml",
        ".yarn/sdks/eslint/bin/eslint.js",
        "common/git-hooks/pre-commit",
        ".sl/config",
        ".agent/rules/x.md",
        ".roorules-code",
        ".github/skills/x/SKILL.md",
        "pylintrc",
        ".php-cs-fixer.dist.php",
        "App.csproj.user",
        ".externalToolBuilders/x.launch",
        ".woodpecker.yaml",
        ".cirrus.star",
        "ci_scripts/ci_post_clone.sh",
        "build.gocd.yaml",
        "CODEOWNERS",
        "tools/bazel",
        ".config/tmux/tmux.conf",
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
        "tsconfig.json",
        "src/app.config.json",
        "node_modules/.bin/tsc",
        "venv/bin/python",
        "compose.ts",
        "src/mise.rs",
        "tools/bazel.py",
        "Dockerfile",
        "",
    ] {
        assert!(!is_obeyed(Path::new(path), Put::Known), "{path}");
    }
}
