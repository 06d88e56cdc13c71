//! Shells and interpreters. Only shell code is analysed.

use super::{reads, unknown};
use crate::shell::grammar::{Code, Spec, Style};

pub(super) const ROWS: &[Spec] = &[
    unknown(
        "sh bash dash ash zsh ksh ksh93 mksh pdksh yash rbash posh",
        "runs a script",
    )
    .code(Code::Shell),
    unknown("python python2 python3 pypy pypy3", "runs code")
        .takes(
            &["b B d E i I O s S u v V x q P h help version W=T X=T c=Z m=Z check-hash-based-pycs=T"],
            "T",
        )
        .style(Style::Posix)
        .code(Code::Python),
    unknown(
        "ipython java kotlinc scalac perl ruby jruby irb node nodejs bun deno php lua luajit texlua tclsh \
        wish Rscript osascript pwsh powershell guile racket scheme julia elixir erl iex groovy scala \
        kotlin raku janet ocaml ghc ghci runghc escript jshell gjs qjs dc gnuplot octave clojure clj bb \
        ts-node tsx sbcl clisp swipl R",
        "runs code",
    )
    .code(Code::Interpreter),
    reads(
        "python-json-tool",
        "reads JSON",
        &["sort-keys json-lines indent=T tab no-indent compact no-ensure-ascii h,help"],
        "RW",
    ),
];
