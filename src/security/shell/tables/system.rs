//! The machine: looked at, or changed.

use super::{danger, external, plain, reads, unknown};
use crate::shell::grammar::{Code, Spec, Style};

pub(super) const ROWS: &[Spec] = &[
    reads("pwd", "tells the folder", &["L,logical P,physical W"], "").complete(),
    reads(
        "uname arch",
        "tells about the machine",
        &[
            "a,all s,kernel-name n,nodename r,kernel-release v,kernel-version m,machine p,processor \
        i,hardware-platform o,operating-system",
        ],
        "",
    )
    .complete(),
    reads("nproc", "tells about the machine", &["all ignore=T"], "").complete(),
    reads(
        "whoami logname tty groups users",
        "tells who works here",
        &["s,silent,quiet"],
        "T",
    )
    .complete(),
    reads(
        "id",
        "tells who works here",
        &["a Z,context g,group G,groups n,name r,real u,user z,zero"],
        "T",
    )
    .complete(),
    reads(
        "who w last",
        "tells who works here",
        &["a,all b,boot q,count u,users H,heading h s f i n=T #"],
        "T",
    ),
    reads(
        "date gdate",
        "tells the time",
        &[
            "d,date=T debug f,file=R I?T iso-8601?T R,rfc-email,rfc-822 rfc-3339=T r,reference=M s,set=T! \
        u,utc,universal resolution",
        ],
        "T",
    )
    .complete()
    .code(Code::Print),
    reads("cal ncal", "shows a calendar", &["1 3 y m=T j A=T B=T h"], "T"),
    reads(
        "uptime free vmstat iostat mpstat",
        "tells about the machine",
        &["h,human b,bytes k,kibi m,mebi g,giga p,pretty s,since t,total w,wide S=T c=T l a x"],
        "T",
    ),
    reads(
        "hostname",
        "tells the machine's name",
        &["f,fqdn,long i,ip-address I,all-ip-addresses s,short d,domain A,all-fqdns"],
        "",
    )
    .complete(),
    reads(
        "ps",
        "lists processes",
        &[
            "A a d e f F l j o=T O=T p,pid=T u=T U=T C=T g=T t=T x w H L T N r c v s y m ppid=T sort=T forest \
        no-headers headers cols=T columns=T width=T user=T format=T",
        ],
        "T",
    ),
    reads(
        "pgrep pidof pstree",
        "lists processes",
        &[
            "f,full l,list-name a,list-full x,exact n,newest o,oldest u,euid=T U=T P,parent=T c,count \
        d,delimiter=T v,inverse i,ignore-case w p,show-pids h A s q",
        ],
        "T",
    ),
    reads(
        "lsof",
        "lists open files",
        &["i?T n P t p=T u=T c=T a d=T s?T F?T l w R U N"],
        "M",
    ),
    reads(
        "ss netstat",
        "lists connections",
        &[
            "l,listening t,tcp u,udp n,numeric p,processes,programs a,all r,resolve,route e,extended \
        o,options s,summary,statistics 4,ipv4 6,ipv6 x,unix H,no-header i,info,interfaces m w c",
        ],
        "T",
    ),
    reads(
        "lscpu lsblk lsusb lspci lsmod lsmem findmnt blkid lsns",
        "tells about the machine",
        &[
            "a,all f,fs J,json o,output=T p,paths l,list n,noheadings b,bytes d,nodeps e,extended?T v k t \
        T,target=M r,raw P,pairs",
        ],
        "M",
    ),
    reads(
        "getconf locale",
        "tells about the system",
        &["a,all-locales m,charmaps k,keyword-name"],
        "T",
    ),
    reads("printenv", "prints variables", &["0,null"], "T").complete(),
    reads(
        "dmesg",
        "shows the kernel's messages",
        &[
            "H,human T,ctime l,level=T f,facility=T w,follow k,kernel u,userspace x,decode L,color?T t,notime \
        n~ C,clear! c,read-clear! D! E!",
        ],
        "",
    ),
    reads(
        "journalctl",
        "shows logs",
        &[
            "u,unit=T user-unit=T n,lines?T n=T f,follow e,pager-end x,catalog b,boot?T k,dmesg o,output=T \
        p,priority=T r,reverse S,since=T U,until=T no-pager a,all q,quiet user system g,grep=T \
        t,identifier=T list-boots disk-usage no-hostname utc vacuum-size=T! vacuum-time=T! \
        vacuum-files=T! rotate! flush^ sync^",
        ],
        "T",
    ),
    external(
        "systemctl",
        "acts on services",
        &[
            "no-pager user system a,all q,quiet l,full t,type=T state=T p,property=T n,lines=T o,output=T \
        no-legend plain now no-block f,force r,recursive value",
        ],
        "T",
    )
    .style(Style::Gnu)
    .code(Code::Verbs),
    reads(
        "systemctl status,systemctl is-active,systemctl is-enabled,systemctl is-failed,systemctl show,\
        systemctl cat,systemctl list-units,systemctl list-unit-files,systemctl list-timers,\
        systemctl list-sockets,systemctl list-dependencies,systemctl get-default",
        "tells about services",
        &[
            "no-pager user system a,all q,quiet l,full t,type=T state=T p,property=T n,lines=T o,output=T \
        no-legend plain value r,reverse",
        ],
        "T",
    ),
    external(
        "systemctl start,systemctl restart,systemctl reload,systemctl try-restart,\
        systemctl reload-or-restart,systemctl daemon-reload",
        "acts on services",
        &["no-pager user system now no-block q,quiet"],
        "T",
    ),
    danger(
        "systemctl stop,systemctl kill,systemctl disable,systemctl mask,systemctl enable,systemctl link,\
        systemctl edit,systemctl set-default,systemctl isolate,systemctl reboot,systemctl poweroff,\
        systemctl halt,systemctl kexec,systemctl suspend,systemctl hibernate,systemctl hybrid-sleep,\
        systemctl rescue,systemctl emergency,systemctl revert,systemctl set-property,systemctl exit,\
        systemctl soft-reboot",
        "stops or changes services or the machine",
    ),
    danger(
        "loginctl machinectl busctl dbus-send gdbus timedatectl hostnamectl localectl",
        "acts on the system",
    )
    .code(Code::Verbs),
    reads(
        "loginctl list-sessions,loginctl show-session,loginctl user-status,timedatectl status,\
        timedatectl show,timedatectl list-timezones,hostnamectl status,busctl list,busctl status,\
        busctl tree,busctl introspect,localectl status,machinectl list",
        "tells about the system",
        &["no-pager l,full a,all"],
        "T",
    ),
    external("service", "acts on services", &["status-all"], "T"),
    external("kill pkill killall", "ends or signals processes", &[], "T").code(Code::Kill),
    external(
        "renice reptyr",
        "acts on processes",
        &["n,priority=T p,pid g,pgrp u,user"],
        "T",
    ),
    reads("crontab", "shows planned work", &["l u=T"], "").code(Code::Planned),
    danger("at batch atrm", "plans commands for later").code(Code::Planned),
    reads("atq", "shows planned work", &["q=T V"], ""),
    danger("sysctl", "changes the running kernel").code(Code::Planned),
    unknown(
        "ipcrm ipcmk run-parts daemonize start-stop-daemon",
        "acts on the system",
    ),
    plain("sleep usleep", "waits", &[], "T").complete(),
    reads("true false :", "does nothing", &[], "T")
        .complete()
        .code(Code::Print),
    reads("tput", "tells about the terminal", &["T=T"], "T"),
    reads("clear reset", "clears the terminal", &["x"], ""),
    plain("getent", "looks a name up, and may ask a server", &["s=T i"], "T"),
    unknown("top htop", "keeps settings of its own").takes(&["b n=T d=T p=T u=T H c o=T w?T"], ""),
    plain("pmap pwdx", "tells about a process", &["x d q p"], "T"),
    reads(
        "pkg-config pkgconf",
        "tells about libraries",
        &["cflags libs modversion exists list-all variable=T static print-errors short-errors atleast-version=T"],
        "T",
    ),
    unknown("ldd", "runs the program it looks at"),
    reads(
        "nvidia-smi sensors acpi",
        "tells about the machine",
        &["L,list-gpus"],
        "",
    ),
];
