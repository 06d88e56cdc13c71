//! Programs that run another command from their arguments.

use super::{external, plain, reads, unknown};
use crate::shell::grammar::{Code, Spec, Style};

const fn wrap(names: &'static str, options: &'static [&'static str], operands: &'static str) -> Spec {
    plain(names, "runs a command", options, operands)
        .style(Style::Posix)
        .code(Code::Wrapper)
}

pub(super) const ROWS: &[Spec] = &[
    wrap(
        "timeout gtimeout",
        &["k,kill-after=T s,signal=T f,foreground p,preserve-status v,verbose"],
        "TC",
    ),
    wrap(
        "nohup setsid eatmydata catchsegv linux32 linux64 unbuffer ifne chronic",
        &["w,wait c,ctty f,fork n"],
        "C",
    ),
    wrap("nice gnice", &["n,adjustment=T #"], "C"),
    wrap(
        "time gtime",
        &["p,portability f,format=T o,output=W a,append v,verbose q,quiet"],
        "C",
    ),
    wrap("stdbuf gstdbuf", &["i,input=T o,output=T e,error=T"], "C"),
    // The configuration of these programs selects the files that they write.
    reads(
        "env genv",
        "sets variables for a command",
        &[
            "i,ignore-environment 0,null u,unset=T C,chdir=M S,split-string=S block-signal?T default-signal?T \
        ignore-signal?T list-signal-handling v,debug a,argv0=T",
        ],
        "C",
    )
    .style(Style::Posix)
    .complete()
    .code(Code::Env),
    reads(
        "xargs gxargs",
        "runs a command with what it reads",
        &[
            "0,null a,arg-file=R d,delimiter=T E=T e?T eof?T I=T i?T replace?T L=T l?T max-lines?T \
        n,max-args=T o,open-tty P,max-procs=T p,interactive process-slot-var=T r,no-run-if-empty \
        s,max-chars=T show-limits t,verbose x,exit",
        ],
        "C",
    )
    .style(Style::Posix)
    .complete()
    .code(Code::Xargs),
    external(
        "npx bunx pnpx uvx pipx corepack",
        "fetches and runs a program",
        &["y,yes p,package=T c,call=S q,quiet n,no-install no"],
        "C",
    )
    .style(Style::Posix)
    .code(Code::Wrapper),
    unknown("sudo doas pkexec", "works as another user")
        .takes(&["A b E H k l n S u,user=T g,group=T p,prompt=T C=T"], "C")
        .style(Style::Posix)
        .code(Code::Wrapper),
];
