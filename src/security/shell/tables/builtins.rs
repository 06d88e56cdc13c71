//! Shell builtins.

use super::{plain, reads, unknown};
use crate::shell::grammar::{Code, Spec, Style};

const fn shell(
    names: &'static str,
    does: &'static str,
    options: &'static [&'static str],
    operands: &'static str,
) -> Spec {
    reads(names, does, options, operands)
        .style(Style::Posix)
        .code(Code::Builtin)
}

pub(super) const ROWS: &[Spec] = &[
    shell("cd chdir", "changes the folder", &["L P e @"], "M"),
    shell("pushd popd", "changes the folder", &["n"], "M"),
    shell("eval", "runs its arguments as a command line", &[], "T"),
    shell("source .", "runs a file", &[], "T"),
    shell("trap", "runs a command later", &["l p P"], "T"),
    unknown("alias", "changes what a name means").code(Code::Builtin),
    shell(
        "read",
        "reads into variables",
        &["a=T d=T e E i=T n=T N=T p=T r s t=T u=T"],
        "T",
    ),
    shell(
        "mapfile readarray",
        "reads into variables",
        &["d=T n=T O=T s=T t u=T"],
        "T",
    ),
    shell("export", "sets variables", &["n p"], "T"),
    shell(
        "declare typeset local readonly",
        "sets variables",
        &["a A f F g I p r x t l u"],
        "T",
    ),
    shell("unset", "removes variables", &["v f"], "T"),
    shell("let", "computes", &[], "T"),
    shell("set", "changes the shell's settings", &[], "T"),
    shell("shopt", "changes the shell's settings", &["s u q p"], "T"),
    shell(
        "shift break continue return exit times jobs disown bg fg caller help",
        "steers the line",
        &["l n p r f s d m h a"],
        "T",
    ),
    shell("wait", "waits for what runs in the background", &["n f p=T~"], "T"),
    shell("test [", "tests something", &[], "T"),
    shell("echo", "prints words", &[], "T"),
    shell("printf", "prints words", &["v=T"], "T"),
    shell("type", "tells what a name stands for", &["a f p P t"], "T"),
    plain("exec", "takes the place of the shell", &["a=T c l"], "C")
        .style(Style::Posix)
        .code(Code::Builtin),
    plain("command builtin", "runs a command", &["p v V"], "C")
        .style(Style::Posix)
        .code(Code::Builtin),
];
