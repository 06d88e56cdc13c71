//! Other machines.

use super::{danger, external, reads, unknown};
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
        "aria2c axel",
        "downloads",
        &["o,out=W d,dir=O x=T s=T j=T q,quiet"],
        "N",
    )
    .code(Code::Curl),
    external(
        "http https xh httpie",
        "asks another machine",
        &[
            "j,json f,form v,verbose h,headers b,body p,print=T o,output=W d,download~ a,auth=T timeout=T \
        follow F check-status ignore-stdin pretty=T",
        ],
        "N",
    ),
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
        "sftp",
        "copies from or to another machine",
        &[
            "4 6 A a C f N p q r v",
            "B=T b=U c=T D=U F=R~ i=R J=T l=T o=T~ P=T R=T S=U s=U X=T",
        ],
        "N",
    ),
    external(
        "rsync",
        "copies files",
        &[
            "a,archive v,verbose q,quiet c,checksum r,recursive R,relative b,backup u,update d,dirs l,links \
        L,copy-links k,copy-dirlinks K,keep-dirlinks H,hard-links p,perms E,executability A,acls \
        X,xattrs o,owner g,group D devices specials t,times O,omit-dir-times N,crtimes J,omit-link-times \
        S,sparse n,dry-run W,whole-file x,one-file-system z,compress s,secluded-args,protect-args \
        i,itemize-changes h,human-readable P partial progress stats 8,8-bit-output 0,from0 4,ipv4 6,ipv6 \
        ignore-existing existing,ignore-non-existing I,ignore-times size-only no-motd m,prune-empty-dirs \
        numeric-ids list-only safe-links copy-unsafe-links munge-links delay-updates C,cvs-exclude \
        y,fuzzy",
            "exclude=T include=T f,filter=T F exclude-from=R include-from=R files-from=R max-size=T \
        min-size=T bwlimit=T timeout=T contimeout=T info=T debug=T B,block-size=T chmod=T port=T \
        out-format=T compress-level=T modify-window=T password-file=R backup-dir=O suffix=T e,rsh=S~ \
        rsync-path=S~ M,remote-option=T~ T,temp-dir=O partial-dir=T~ log-file=W~ write-batch=W! \
        only-write-batch=W! read-batch=U~ compare-dest=M copy-dest=M link-dest=M chown=T! usermap=T! \
        groupmap=T!",
            "del! delete! delete-before! delete-during! delete-delay! delete-after! delete-excluded! \
        delete-missing-args! ignore-errors force! remove-source-files! remove-sent-files! inplace! \
        append! append-verify! max-delete=T super~ fake-super~ daemon~ server~ sender~",
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
    reads("ifconfig", "tells about the network", &["a s"], "").code(Code::None),
    external("openssl", "computes", &[], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    external(
        "openssl s_client,",
        "asks another machine",
        &["connect=T servername=T showcerts brief quiet CAfile=R verify=T starttls=T tls1_2 tls1_3"],
        "T",
    )
    .style(Style::Single),
    reads(
        "openssl version,openssl ciphers,openssl list,openssl speed",
        "computes",
        &["a v V"],
        "T",
    )
    .style(Style::Single),
    reads(
        "openssl x509,openssl req,openssl rsa,openssl pkey,openssl ec,openssl crl,openssl verify,\
        openssl asn1parse,openssl pkcs12,openssl dhparam,openssl genrsa,openssl genpkey,openssl ecparam",
        "computes",
        &[
            "in=R inform=T outform=T noout text subject issuer dates enddate startdate serial fingerprint \
        sha256 sha1 pubkey modulus check CAfile=R days=T checkend=T nodes pubin pubout new newkey=T \
        subj=T nameopt=T certopt=T keyout=W out=W algorithm=T name=T genkey x509 nokeys nocerts \
        passin=T~ passout=T~ batch",
        ],
        "T",
    )
    .style(Style::Single),
    reads(
        "openssl dgst,openssl sha256,openssl sha1,openssl md5,openssl sha512",
        "computes",
        &["sha256 sha1 md5 sha512 hex binary r c hmac=T out=W sign=R verify=R signature=R"],
        "R",
    )
    .style(Style::Single),
    reads("openssl rand,", "computes", &["hex base64 out=W"], "T").style(Style::Single),
    reads(
        "openssl enc,openssl base64,openssl aes-256-cbc",
        "computes",
        &["d e a A base64 in=R out=W salt nosalt pbkdf2 iter=T k=T pass=T K=T iv=T aes-256-cbc p P nopad md=T"],
        "T",
    )
    .style(Style::Single)
    .code(Code::Print),
    unknown("gpg gpg2 age rage minisign", "encrypts or signs"),
    unknown(
        "nc ncat netcat socat telnet ftp lftp tcpdump tshark nmap masscan",
        "opens connections",
    ),
    unknown("ssh-keygen ssh-add ssh-agent ssh-copy-id sshfs", "works with keys"),
    danger(
        "rclone gsutil s3cmd mc borg restic duplicity rdiff-backup git-annex",
        "copies to or removes from stores",
    )
    .code(Code::Verbs),
    external(
        "rclone ls,rclone lsd,rclone lsl,rclone lsf,rclone size,rclone copy,rclone check,\
        rclone listremotes,gsutil ls,gsutil cat,gsutil du,s3cmd ls,mc ls,borg list,borg info,\
        restic snapshots",
        "asks a store",
        &["l r a R h v q json"],
        "T",
    ),
];
