//! Programs that show or change the state of the machine.

use super::{danger, external, looks, plain, reads, unknown};
use crate::shell::grammar::{Code, Spec, Style};

pub(super) const ROWS: &[Spec] = &[
    looks("pwd", "tells the folder", &[], ""),
    looks("uname arch", "tells about the machine", &[], ""),
    looks("nproc", "tells about the machine", &[], ""),
    looks("whoami logname tty groups users", "tells who works here", &[], "T"),
    looks("id", "tells who works here", &[], "T"),
    looks(
        "date gdate",
        "tells the time",
        &[
            "d,date=T debug f,file=R I?T iso-8601?T R,rfc-email,rfc-822 rfc-3339=T r,reference=M s,set=T! \
        u,utc,universal resolution",
        ],
        "T",
    )
    .code(Code::Print),
    looks("uptime free vmstat iostat mpstat", "tells about the machine", &[], "T"),
    looks(
        "hostname",
        "tells the machine's name",
        &["f,fqdn,long i,ip-address I,all-ip-addresses s,short d,domain A,all-fqdns"],
        "",
    ),
    looks("ps", "lists processes", &[], "T"),
    looks("pgrep pidof pstree", "lists processes", &[], "T"),
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
    looks(
        "lscpu lsblk lsusb lspci lsmod lsmem findmnt lsns",
        "tells about the machine",
        &["T,target=M o,output=T"],
        "M",
    ),
    looks("printenv", "prints variables", &["0,null"], "T"),
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
    external("kill pkill killall", "ends or signals processes", &[], "T").code(Code::Kill),
    reads("crontab", "shows planned work", &["l u=T"], "").code(Code::Planned),
    danger("at batch atrm", "plans commands for later").code(Code::Planned),
    danger("sysctl", "changes the running kernel").code(Code::Planned),
    looks("sleep usleep", "waits", &[], "T"),
    looks("true false :", "does nothing", &[], "T").code(Code::Print),
    plain("getent", "looks a name up, and may ask a server", &["s=T i"], "T"),
    unknown("top htop", "keeps settings of its own").takes(&["b n=T d=T p=T u=T H c o=T w?T"], ""),
    reads(
        "nvidia-smi sensors acpi",
        "tells about the machine",
        &["L,list-gpus"],
        "",
    ),
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
];
