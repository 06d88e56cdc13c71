//! Build tools, task runners, linters and formatters. They run the project's code, and some act outside the project.

use super::arguments::Arguments;
use super::grammar::Row;
use super::services::ends_something;
use super::state::{Field, is_open};
use super::walk::Walker;

const FURTHER: &[&str] = &["uninstall", "deploy", "publish", "release", "push"];
/// Tools for which `install` is a step of the build.
const BUILDS: &str = "make gmake bmake ninja cmake meson mvn mvnw mvnd gradle gradlew";
/// Usual names of tasks. A task of `RUNNERS` can be any command.
const USUAL: &str = "test tests build check compile lint docs doc typecheck verify ct eunit runtest";
const RUNNERS: &str = "sbt mix lein stack cabal dune rebar3 hatch lerna nx turbo";
const COMPILERS: &str = "gcc g++ cc c++ clang clang++ rustc as ld javac";
/// Maven properties that skip tests.
const PROPERTIES: &str = "skipTests skipITs maven.test.skip test= it.test= failIfNoTests";

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

impl Walker<'_> {
    /// Judges build tools and linters. Unusual targets are defined by the project, so their commands are unknown.
    pub(super) fn make(&mut self, row: &Row, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let is_make = is_in("make gmake bmake", name);
        let dry = is_make && args.has("n");
        let targets = args.values("target").into_iter().filter(|_| name == "cmake");
        for target in args.operands.iter().cloned().chain(targets).filter(|_| name != "ruff") {
            let text = target.text.as_str();
            let sets = text
                .split_once('=')
                .filter(|_| is_make)
                .is_some_and(|(variable, value)| {
                    !is_in("V VERBOSE CONFIG BUILD MODE PROFILE", variable)
                        || !value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
                });
            let ends = text.rsplit(':').next().is_some_and(ends_something);
            let further = FURTHER.contains(&text) && !dry || text == "install" && !is_in(BUILDS, name);
            if sets || ends || further || (is_open(text) && !row.is_harmless()) || !is_task(name, text) {
                self.unknown(fields, &format!("`{text}` may do more than build"));
                self.ends(fields);
            }
        }
        if is_make
            && let Some(file) = args.values("f").first()
            && (matches!(file.text.as_str(), "-" | "/dev/stdin") || file.text.starts_with("/dev/fd/"))
        {
            self.doubt_about(fields, "it builds by a file that is not known");
        }
        self.build_options(name, args, fields);
        let shows = is_in("rustc gcc g++ cc c++ clang clang++", name)
            && args.operands.is_empty()
            && args.has_any(&["V", "version"]);
        if dry || shows {
            self.tells(name, fields, "only tells what it would do");
        } else {
            self.base(row, name, fields);
        }
    }

    fn build_options(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let is_property = |field: &Field| PROPERTIES.split(' ').any(|known| field.text.starts_with(known));
        let loads = |field: &Field| {
            let text = field.text.as_str();
            text.contains('/') || ["plugin", "l,", "a,", "p,"].iter().any(|start| text.starts_with(start))
        };
        let passed = args.values("f").iter().chain(&args.values("W")).any(loads)
            || args.operands.iter().any(|operand| operand.text.starts_with('@'));
        if is_in(COMPILERS, name) && passed
            || name.starts_with("mvn") && !args.values("D").iter().all(is_property)
            || args.values("cov-report").iter().any(|report| report.text.contains(':'))
        {
            self.unknown(fields, "it may load code, or options that are not seen");
        }
    }

    /// Judges formatters, which rewrite the project's files unless an option says to check only.
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

fn is_task(name: &str, text: &str) -> bool {
    match name {
        _ if is_in(RUNNERS, name) => {
            is_in(USUAL, text) || text.starts_with('@') || text.contains("test") && !text.contains(['!', ';', ' '])
        }
        "mvn" | "mvnw" | "mvnd" => !text.contains(':'),
        "pre-commit" => text == "run",
        // Arguments after `--` are for the compiler.
        "cargo clippy" => {
            !text.starts_with('-') || ["-D", "-W", "-A", "-F"].iter().any(|start| text.starts_with(start))
        }
        _ => true,
    }
}
