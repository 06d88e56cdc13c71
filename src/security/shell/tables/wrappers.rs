//! Programs that run the command behind them.

use super::{external, plain, reads, unknown};
use crate::shell::grammar::{Code, Spec, Style};

const fn wrap(names: &'static str, options: &'static [&'static str], operands: &'static str) -> Spec {
    plain(names, "runs a command", options, operands)
        .style(Style::Posix)
        .code(Code::Wrapper)
}

pub(super) const ROWS: &[Spec] = &[
    unknown("sudo doas", "works as another user")
        .takes(
            &[
                "A,askpass b,background B E,preserve-env?T e,edit~ H,set-home i,login~ K k l,list N \
        n,non-interactive P p,prompt=T S,stdin s,shell~ V v u,user=T g,group=T h,host=T C,close-from=T \
        r,role=T t,type=T T,command-timeout=T U,other-user=T D,chdir=T R,chroot=T",
            ],
            "C",
        )
        .style(Style::Posix)
        .code(Code::Wrapper),
    unknown("sudoedit", "changes files as another user"),
    unknown("pkexec gosu su-exec", "works as another user")
        .takes(&["u,user=T"], "TC")
        .style(Style::Posix)
        .code(Code::Wrapper),
    unknown("su runuser sg newgrp", "works as another user")
        .takes(
            &[
                "c,command=S session-command=S s,shell=T g,group=T G=T w=T u,user=T l,login \
        m,p,preserve-environment f,fast P,pty",
            ],
            "T",
        )
        .code(Code::Wrapper),
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
    wrap("ionice", &["c,class=T n,classdata=T p,pid=T~ P=T~ u=T~ t,ignore"], "C"),
    wrap(
        "chrt",
        &["b,batch d,deadline f,fifo i,idle o,other r,rr R a p=T~ T=T P=T D=T v,verbose"],
        "TC",
    ),
    wrap("taskset", &["a c,cpu-list p~"], "TC"),
    wrap(
        "numactl",
        &["i=T N=T C=T m=T l p=T cpunodebind=T membind=T interleave=T localalloc"],
        "C",
    ),
    wrap(
        "prlimit",
        &[
            "n,nofile=T u,nproc=T v,as=T c,core=T t,cpu=T d,data=T f,fsize=T l,memlock=T s,stack=T m,rss=T \
        x,locks=T p,pid=T~ o,output=T noheadings raw verbose",
        ],
        "C",
    ),
    wrap(
        "time gtime",
        &["p,portability f,format=T o,output=W a,append v,verbose q,quiet"],
        "C",
    ),
    wrap("stdbuf gstdbuf", &["i,input=T o,output=T e,error=T"], "C"),
    wrap("choom", &["n,adjust=T p,pid=T~"], "C"),
    wrap("cpulimit", &["l,limit=T z m f p=T~ e=T~"], "C"),
    wrap("setarch", &["R,addr-no-randomize B v,verbose L X 3 4"], "TC"),
    wrap("i386 x86_64", &["R v"], "C"),
    wrap("faketime", &["m f exclude-monotonic"], "TC"),
    wrap("xvfb-run", &["a,auto-servernum s,server-args=T n=T"], "C"),
    wrap(
        "strace",
        &[
            "f F c C w r t T v V x y k q i n ttt tt ff A",
            "a=T b=T e=T E=T~ I=T l=T o,output=W O=T p=T~ P=T s=T S=T u=T~ U=T X=T trace=T",
        ],
        "C",
    ),
    // They write where files of settings say.
    unknown("valgrind heaptrack", "runs a command")
        .takes(
            &["tool=T leak-check=T v q error-exitcode=T log-file=W show-leak-kinds=T track-origins=T"],
            "C",
        )
        .style(Style::Posix)
        .code(Code::Wrapper),
    unknown("busybox toybox", "runs a command")
        .takes(&["list help"], "C")
        .style(Style::Posix)
        .code(Code::Wrapper),
    unknown(
        "chroot unshare nsenter bwrap proot firejail nsjail fakeroot setpriv capsh runcon systemd-run \
        cgexec chpst runit ld.so ld-linux-x86-64.so perf gdb lldb uftrace rlwrap tini dumb-init \
        proxychains proxychains4 torsocks torify dbus-run-session winpty logsave script hyperfine entr \
        watch watchexec nodemon sem parallel flock aws-vault direnv dotenv singularity apptainer incus \
        lxc lxc-attach tmux screen byobu expect",
        "runs commands in a way that is not followed",
    ),
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
];
