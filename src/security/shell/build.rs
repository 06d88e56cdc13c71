//! Build tools, task runners, linters, formatters: what they run is the project's; some of their words reach further.

use super::arguments::Arguments;
use super::grammar::Row;
use super::services::ENDS;
use super::state::{Field, is_open};
use super::walk::Walker;

impl Walker<'_> {
    /// Build tools and linters: `--fix` and its like are in no row, and a target is a word of the project.
    pub(super) fn make(&mut self, row: &Row, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        self.tasks(name, args, fields);
        for operand in &args.operands {
            let sets = operand.text.split_once('=');
            if let Some((variable, value)) = sets
                && matches!(name, "make" | "gmake" | "bmake")
                && (!matches!(variable, "V" | "VERBOSE" | "CONFIG" | "BUILD" | "MODE" | "PROFILE")
                    || !value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
            {
                self.unknown(fields, &format!("`{variable}` may change what the build runs"));
            }
            let target = operand.text.as_str();
            if name == "ruff" {
                continue;
            }
            if ENDS.contains(&target)
                || ["drop", "destroy", "purge", "reset"]
                    .iter()
                    .any(|word| target.ends_with(&format!(":{word}")) || target == *word)
            {
                self.unknown(fields, &format!("`{target}` may remove something"));
            }
            if is_open(target) && !row.is_harmless() {
                self.unknown(fields, "what it builds is not known");
            }
        }
        self.targets(name, args, fields);
        self.build_options(name, args, fields);
        let dry = matches!(name, "make" | "gmake" | "bmake") && args.has("n");
        let shows = matches!(name, "rustc" | "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++")
            && fields.len() == 2
            && args.has_any(&["V", "version"]);
        if dry || shows {
            self.tells(name, fields, "only tells what it would do");
        } else {
            self.base(row, name, fields);
        }
    }

    /// Targets that reach beyond the build, and makefiles that are not seen.
    fn targets(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let dry = matches!(name, "make" | "gmake" | "bmake" | "gradle" | "gradlew") && args.has_any(&["n", "m"]);
        if matches!(name, "make" | "gmake" | "bmake")
            && let Some(file) = args.values("f").first()
            && (matches!(file.text.as_str(), "-" | "/dev/stdin") || file.text.starts_with("/dev/fd/"))
        {
            self.doubt_about(fields, "it builds by a file that is not known");
        }
        let targets = args.values("target").into_iter().filter(|_| name == "cmake");
        for target in args.operands.iter().cloned().chain(targets) {
            let builds = matches!(
                name,
                "make"
                    | "gmake"
                    | "bmake"
                    | "ninja"
                    | "cmake"
                    | "meson"
                    | "mvn"
                    | "mvnw"
                    | "mvnd"
                    | "gradle"
                    | "gradlew"
            );
            if target.text == "install" && !builds {
                self.unknown(fields, "it installs something");
            }
            if matches!(
                target.text.as_str(),
                "uninstall" | "deploy" | "publish" | "release" | "push"
            ) && !dry
            {
                self.unknown(fields, &format!("`{}` acts on more than the build", target.text));
            }
        }
    }

    /// Options by which a compiler or a build loads other code.
    fn build_options(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let properties = [
            "skipTests",
            "skipITs",
            "maven.test.skip",
            "test=",
            "it.test=",
            "failIfNoTests",
        ];
        if matches!(name, "mvn" | "mvnw" | "mvnd")
            && args
                .values("D")
                .iter()
                .any(|field| !properties.iter().any(|known| field.text.starts_with(known)))
        {
            self.unknown(fields, "a property may change what the build runs");
        }
        let passed = args.values("f").into_iter().chain(args.values("W")).any(|field| {
            ["plugin", "l,", "a,", "p,"]
                .iter()
                .any(|start| field.text.starts_with(start))
                || field.text.contains('/')
        });
        if matches!(
            name,
            "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "rustc" | "as" | "ld" | "javac"
        ) && (passed || args.operands.iter().any(|operand| operand.text.starts_with('@')))
        {
            self.unknown(fields, "it may load code, or options that are not seen");
        }
    }

    /// Tools whose commands can run anything: only the usual ones are known.
    fn tasks(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        const USUAL: &[&str] = &[
            "test",
            "tests",
            "build",
            "check",
            "compile",
            "lint",
            "docs",
            "doc",
            "typecheck",
            "verify",
            "ct",
            "eunit",
            "runtest",
        ];
        let known = |operand: &Field| {
            let text = operand.text.as_str();
            match name {
                "sbt" | "mix" | "lein" | "stack" | "cabal" | "dune" | "rebar3" | "hatch" | "lerna" | "nx" | "turbo" => {
                    USUAL.contains(&text)
                        || text.starts_with('@')
                        || text.contains("test") && !text.contains(['!', ';', ' '])
                }
                "mvn" | "mvnw" | "mvnd" => !text.contains(':'),
                "pre-commit" => text == "run",
                "bazel" | "bazelisk" => {
                    matches!(text, "build" | "test" | "query" | "info" | "cquery" | "version")
                        || text.starts_with("//")
                        || text.starts_with(':')
                }
                // What stands behind `--` is for the compiler.
                "cargo clippy" => {
                    !text.starts_with('-') || ["-D", "-W", "-A", "-F"].iter().any(|start| text.starts_with(start))
                }
                _ => true,
            }
        };
        if !args.operands.iter().all(known) {
            self.unknown(fields, "what one of its words leads to is not known");
            self.ends(fields);
        }
        if args.values("cov-report").iter().any(|report| report.text.contains(':')) {
            self.unknown(fields, "its report is written to a file");
        }
    }

    /// `cargo fmt`, `gofmt`, `rustfmt`: they give the project's files its format unless they are told to check.
    pub(super) fn formatter(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let prints = matches!(name, "gofmt" | "goimports" | "clang-format") && !args.has_any(&["w", "i"]);
        let checks = args.operands.iter().any(|operand| operand.text == "--check");
        if prints || checks || args.has("check") {
            self.reads(fields, &format!("`{name}` shows what it would change"));
            self.operands(args, fields, 0);
            self.reads_only = false;
        } else {
            self.project(fields, &format!("`{name}` gives the project's files its format"));
            self.operands(args, fields, 0);
        }
    }
}
