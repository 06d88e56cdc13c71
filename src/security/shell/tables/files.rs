//! Programs that read, create or copy files and folders.

use super::{looks, plain, reads};
use crate::shell::grammar::{Code, Spec, Style};

pub(super) const ROWS: &[Spec] = &[
    looks("cat gcat", "prints files", &[], "R").code(Code::Print),
    looks("tac", "prints files", &[], "R").code(Code::Print),
    looks("nl", "prints files", &[], "R"),
    looks("head ghead", "prints the beginning of files", &[], "R").code(Code::Print),
    looks("tail gtail", "prints the end of files", &[], "R").code(Code::Print),
    looks(
        "wc",
        "counts",
        &["c,bytes m,chars l,lines files0-from=F L,max-line-length w,words total=T debug"],
        "R",
    ),
    looks(
        "ls dir vdir gls",
        "lists files",
        &["l s i R g o n Z C m x Q b F p"],
        "M",
    ),
    looks("stat", "tells about files", &[], "M"),
    looks(
        "file",
        "tells what files are",
        &["p,preserve-date~ z,uncompress~ Z,uncompress-noreport~ F,separator=T e,exclude=T C,compile!"],
        "R",
    ),
    looks(
        "du",
        "counts sizes",
        &["files0-from=F X,exclude-from=R B,block-size=T d,max-depth=T t,threshold=T time-style=T exclude=T"],
        "M",
    ),
    looks("df", "shows free space", &[], "M"),
    looks(
        "tree",
        "lists files",
        &["o=W R! gitfile=R L=T P=T I=T H=T T=T charset=T filelimit=T sort=T timefmt=T"],
        "M",
    ),
    looks(
        "readlink realpath greadlink grealpath",
        "tells where a name leads",
        &["relative-to=M relative-base=M"],
        "M",
    ),
    looks("basename", "prints a part of a name", &[], "T").code(Code::Print),
    looks("dirname", "prints a part of a name", &[], "T").code(Code::Print),
    looks("cmp", "compares files", &["i,ignore-initial=T n,bytes=T"], "RRT"),
    looks(
        "diff gdiff colordiff",
        "compares files",
        &["l,paginate~ X,exclude-from=R from-file=R to-file=R C=T U=T W,width=T \
        F,show-function-line=T label=T tabsize=T x,exclude=T S,starting-file=T \
        I,ignore-matching-lines=T D,ifdef=T GTYPE-group-format=T line-format=T horizon-lines=T palette=T"],
        "D",
    ),
    looks("comm", "compares files", &[], "R"),
    looks(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum gmd5sum gsha256sum",
        "computes checksums",
        &["c,check"],
        "R",
    ),
    looks("od", "prints bytes", &[], "R"),
    looks(
        "hexdump hd",
        "prints bytes",
        &["f,format-file=R e,format=T n,length=T s,skip=T"],
        "R",
    ),
    reads(
        "xxd",
        "prints bytes",
        &["a b c=T C d E e g=T h i l=T n=T o=T p ps plain r s=T u v"],
        "RW",
    )
    // Letters cannot be combined: `-ps` is not `-p -s`.
    .style(Style::Single)
    .code(Code::Print),
    looks("strings", "prints the texts in files", &[], "R"),
    looks("base64 base32 basenc gbase64", "encodes or decodes", &[], "R").code(Code::Print),
    reads(
        "bat batcat",
        "prints files",
        &[
            "A,show-all p,plain l,language=T H,highlight-line=T n,number r,line-range=T style=T color=T \
        theme=T paging=T~ P,pager=S tabs=T wrap=T d,diff L,list-languages",
        ],
        "R",
    ),
    plain(
        "touch",
        "makes files or sets their times",
        &["a c,no-create d,date=T f h,no-dereference m r,reference=M t=T time=T"],
        "A",
    ),
    plain(
        "mkdir",
        "makes folders",
        &["m,mode=T p,parents v,verbose Z context?T"],
        "E",
    ),
    plain("mkfifo", "makes a pipe", &["m,mode=T Z context?T"], "W"),
    plain(
        "mktemp",
        "makes a new file",
        &["d,directory u,dry-run q,quiet p=E tmpdir?E suffix=T t"],
        "E",
    ),
    plain(
        "cp gcp",
        "copies files",
        &[
            "a,archive attributes-only b backup?T copy-contents d f,force i,interactive H l,link \
        L,dereference n,no-clobber P,no-dereference p preserve?T no-preserve=T parents~ R,r,recursive \
        reflink?T remove-destination! sparse=T strip-trailing-slashes s,symbolic-link S,suffix=T \
        t,target-directory=T T,no-target-directory u update?T v,verbose x,one-file-system Z context?T \
        debug keep-directory-symlink~",
        ],
        "",
    )
    .code(Code::Copy),
    plain(
        "install ginstall",
        "copies files",
        &[
            "b backup?T c C,compare d,directory D g,group=T m,mode=T o,owner=T! p,preserve-timestamps \
        s,strip~ strip-program=U S,suffix=T t,target-directory=T T,no-target-directory v,verbose Z \
        context?T",
        ],
        "",
    )
    .code(Code::Copy),
    plain(
        "ln link gln",
        "makes a link",
        &[
            "b backup?T d,directory F f,force i,interactive L,logical n,no-dereference P,physical r,relative \
        s,symbolic S,suffix=T t,target-directory=T T,no-target-directory v,verbose",
        ],
        "",
    )
    .code(Code::Copy),
    plain(
        "tee",
        "writes what it reads",
        &["a,append i,ignore-interrupts p output-error?T"],
        "W",
    )
    .code(Code::Tee),
    plain("sponge", "writes what it reads", &["a"], "W").code(Code::Tee),
    plain(
        "truncate",
        "sets a file's size",
        &["c,no-create o,io-blocks r,reference=M s,size=T"],
        "W",
    ),
    plain(
        "fallocate",
        "sets a file's size",
        &[
            "c,collapse-range! d,dig-holes i,insert-range! l,length=T n,keep-size o,offset=T p,punch-hole! \
        z,zero-range! x,posix v,verbose",
        ],
        "W",
    ),
    plain("dd gdd dcfldd", "copies bytes", &[], "T").code(Code::Dd),
];
