//! Programs that access other machines.

use super::{danger, external, reads};
use crate::shell::grammar::{Code, Spec, Style};

const SSH: &[&str] = &[
    "4 6 A a C f G g K k M N n q s T t V v X x Y y 1 2",
    "B=T b=T c=T D=T~ E=W e=T F=R~ I=U i=R J=T L=T~ l=T m=T O=T o=T~ p=T P=T Q=T R=T~ S=T~ W=T w=T~",
];

pub(super) const ROWS: &[Spec] = &[
    external(
        "curl",
        "asks another machine",
        &[
            "d,data=T data-ascii=T data-raw=T data-urlencode=T data-binary=T json=T H,header=T X,request=T \
        A,user-agent=T u,user=T b,cookie=R e,referer=T F,form=T form-string=T m,max-time=T \
        connect-timeout=T retry=T retry-delay=T retry-max-time=T retry-all-errors retry-connrefused \
        w,write-out=T T,upload-file=R r,range=T y,speed-time=T Y,speed-limit=T limit-rate=T url=N \
        resolve=T interface=T cacert=R E,cert=R key=R ciphers=T x,proxy=T max-redirs=T max-filesize=T",
            "s,silent S,show-error f,fail fail-with-body L,location I,head i,include,show-headers k,insecure \
        v,verbose G,get g,globoff 0,http1.0 http1.1 http2 http2-prior-knowledge http3 4,ipv4 6,ipv6 \
        compressed N,no-buffer #,progress-bar no-progress-meter q,disable path-as-is parallel Z \
        tcp-nodelay ssl-reqd tlsv1.2 tlsv1.3 V,version h,help n,netrc~ M,manual",
            "o,output=W O,remote-name remote-name-all J,remote-header-name output-dir=O create-dirs \
        D,dump-header=W c,cookie-jar=W trace=W trace-ascii=W stderr=W libcurl=W etag-save=W \
        etag-compare=R hsts=W alt-svc=W K,config=R~ a C,continue-at=T z,time-cond=T Q,quote=T~ \
        unix-socket=T~ abstract-unix-socket=T~ remove-on-error!",
        ],
        "N",
    )
    .code(Code::Curl),
    external(
        "wget",
        "downloads",
        &[
            "q,quiet v,verbose nv,no-verbose S,server-response spider T,timeout=T t,tries=T w,wait=T \
        c,continue~ N,timestamping~ nc,no-clobber U,user-agent=T header=T post-data=T post-file=R \
        method=T body-data=T no-check-certificate 4 6 r,recursive~ l,level=T np,no-parent A,accept=T \
        R,reject=T k,convert-links~ p,page-requisites~ max-redirect=T limit-rate=T show-progress \
        progress=T no-proxy V,version h,help user=T password=T",
            "O,output-document=W o,output-file=W a,append-output=W P,directory-prefix=O i,input-file=R \
        e,execute=T~ use-askpass=T~ config=R~ save-cookies=W load-cookies=R B,base=T content-disposition \
        delete-after! rejected-log=W warc-file=W~ hsts-file=W use-server-timestamps",
        ],
        "N",
    )
    .code(Code::Curl),
    external(
        "ssh autossh mosh dbclient sshpass",
        "works on another machine",
        SSH,
        "C",
    )
    .style(Style::Posix)
    .code(Code::Wrapper),
    external(
        "scp",
        "copies from or to another machine",
        &["3 4 6 A B C O p q r T v s", "c=T D=U F=R~ i=R J=T l=T o=T~ P=T S=U X=T"],
        "N",
    )
    .code(Code::Rsync),
    external(
        "rsync",
        "copies files",
        &[
            "a,archive v,verbose q,quiet c,checksum r,recursive b,backup u,update l,links \
        H,hard-links p,perms o,owner g,group t,times n,dry-run x,one-file-system z,compress \
        i,itemize-changes h,human-readable P partial progress stats 4,ipv4 6,ipv6 ignore-existing \
        existing,ignore-non-existing list-only",
            "exclude=T include=T f,filter=T F exclude-from=R include-from=R files-from=R bwlimit=T \
        timeout=T chmod=T port=T backup-dir=O suffix=T e,rsh=S~ rsync-path=S~ M,remote-option=T~ \
        T,temp-dir=O partial-dir=T~ log-file=W~ write-batch=W! only-write-batch=W! read-batch=U~ \
        chown=T! usermap=T! groupmap=T!",
            "del! delete! delete-before! delete-during! delete-delay! delete-after! \
        delete-excluded! delete-missing-args! ignore-errors force! remove-source-files! \
        remove-sent-files! inplace! append! append-verify! max-delete=T super~ fake-super~ daemon~ \
        server~ sender~",
        ],
        "",
    )
    .complete()
    .code(Code::Rsync),
    external(
        "ping ping6 traceroute tracepath mtr",
        "asks another machine",
        &["c=T W=T w=T i=T 4 6 n q s=T t=T m=T r"],
        "N",
    ),
    external(
        "dig nslookup host whois drill",
        "asks a name server",
        &["t=T x p=T 4 6 a b=T~ f=R~ k=R~ v V"],
        "N",
    ),
    reads(
        "ip",
        "tells about the network",
        &["4 6 s,stats d,details h,human j,json p,pretty o,oneline br,brief c,color"],
        "T",
    )
    .style(Style::Single)
    .code(Code::Verbs),
    reads(
        "ip a,ip addr,ip address,ip l,ip link,ip r,ip route,ip n,ip neigh,ip rule,ip maddress",
        "tells about the network",
        &[],
        "T",
    )
    .code(Code::Planned),
    external("openssl", "computes", &[], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    reads(
        "openssl version,openssl ciphers,openssl list,openssl speed",
        "computes",
        &["a v V"],
        "T",
    )
    .style(Style::Single),
    danger(
        "rclone gsutil s3cmd mc borg restic duplicity rdiff-backup git-annex",
        "copies to or removes from stores",
    )
    .code(Code::Verbs),
    reads("openssl rand,", "computes", &["hex base64 out=W"], "T").style(Style::Single),
];
