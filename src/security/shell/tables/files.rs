//! Files and folders: looked at, made, copied.

use super::{plain, reads};
use crate::shell::grammar::{Code, Spec, Style};

/// What checksum programs have in common.
const SUMS: &str = "b,binary c,check l,length=T tag t,text z,zero ignore-missing quiet status strict w,warn \
        a,algorithm=T untagged base64 raw debug r s,sysv";

pub(super) const ROWS: &[Spec] = &[
    reads(
        "cat gcat",
        "prints files",
        &["A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u v,show-nonprinting"],
        "R",
    )
    .complete()
    .code(Code::Print),
    reads("tac", "prints files", &["b,before r,regex s,separator=T"], "R")
        .complete()
        .code(Code::Print),
    reads(
        "nl",
        "prints files",
        &[
            "b,body-numbering=T d,section-delimiter=T f,footer-numbering=T h,header-numbering=T \
        i,line-increment=T l,join-blank-lines=T n,number-format=T p,no-renumber s,number-separator=T \
        v,starting-line-number=T w,number-width=T",
        ],
        "R",
    )
    .complete(),
    reads(
        "head ghead",
        "prints the beginning of files",
        &["c,bytes=T n,lines=T q,quiet,silent v,verbose z,zero-terminated #"],
        "R",
    )
    .complete()
    .code(Code::Print),
    reads(
        "tail gtail",
        "prints the end of files",
        &[
            "c,bytes=T f,follow?T F n,lines=T max-unchanged-stats=T pid=T q,quiet,silent retry \
        s,sleep-interval=T v,verbose z,zero-terminated debug #",
        ],
        "R",
    )
    .complete()
    .code(Code::Print),
    reads(
        "wc",
        "counts",
        &["c,bytes m,chars l,lines files0-from=F L,max-line-length w,words total=T debug"],
        "R",
    )
    .complete(),
    reads(
        "ls dir vdir gls",
        "lists files",
        &[
            "a,all A,almost-all author b,escape block-size=T B,ignore-backups c C color?T colour?T \
        d,directory D,dired f F,classify?T file-type format=T full-time g group-directories-first \
        G,no-group h,human-readable si H,dereference-command-line \
        dereference-command-line-symlink-to-dir hide=T hyperlink?T indicator-style=T i,inode I,ignore=T \
        k,kibibytes l L,dereference m n,numeric-uid-gid N,literal o p q,hide-control-chars \
        show-control-chars Q,quote-name quoting-style=T r,reverse R,recursive s,size S sort=T time=T \
        time-style=T t T,tabsize=T u U v w,width=T x X Z,context zero 1",
        ],
        "M",
    )
    .complete(),
    reads(
        "exa eza lsd",
        "lists files",
        &[
            "a,all l,long r,reverse s,sort=T T,tree L,level=T d,list-dirs D,only-dirs 1,oneline F,classify \
        h,header g,group i,inode git no-icons icons?T color=T colour=T R,recurse",
        ],
        "M",
    ),
    reads(
        "stat",
        "tells about files",
        &["L,dereference f,file-system cached=T c,format=T printf=T t,terse"],
        "M",
    )
    .complete(),
    reads(
        "file",
        "tells what files are",
        &[
            "b,brief E h,no-dereference i,mime mime-type mime-encoding k,keep-going L,dereference l,list \
        N,no-pad n,no-buffer p,preserve-date~ r,raw s,special-files v,version 0,print0 F,separator=T \
        e,exclude=T z,uncompress~ Z,uncompress-noreport~",
        ],
        "R",
    ),
    reads(
        "du",
        "counts sizes",
        &[
            "0,null a,all apparent-size B,block-size=T b,bytes c,total D,dereference-args d,max-depth=T \
        files0-from=F H h,human-readable inodes k L,dereference l,count-links m P,no-dereference \
        S,separate-dirs si s,summarize t,threshold=T time?T time-style=T X,exclude-from=R exclude=T \
        x,one-file-system",
        ],
        "M",
    )
    .complete(),
    reads(
        "df",
        "shows free space",
        &[
            "a,all B,block-size=T h,human-readable H,si i,inodes k l,local no-sync output?T P,portability \
        sync total t,type=T T,print-type x,exclude-type=T v",
        ],
        "M",
    )
    .complete(),
    reads(
        "tree",
        "lists files",
        &[
            "a d l f x L=T P=T I=T H=T T=T i q N Q p u g s h D F v t c U r n C S A J X o=W noreport nolinks \
        charset=T filelimit=T du si prune dirsfirst matchdirs ignore-case gitignore gitfile=R fromfile \
        inodes device sort=T timefmt=T filesfirst metafirst info version help",
        ],
        "M",
    ),
    reads(
        "readlink realpath greadlink grealpath",
        "tells where a name leads",
        &[
            "f,canonicalize e,canonicalize-existing m,canonicalize-missing n,no-newline q,quiet \
        s,silent,strip,no-symlinks v,verbose z,zero L,logical P,physical relative-to=M relative-base=M",
        ],
        "M",
    )
    .complete(),
    reads(
        "basename",
        "prints a part of a name",
        &["a,multiple s,suffix=T z,zero"],
        "T",
    )
    .complete()
    .code(Code::Print),
    reads("dirname", "prints a part of a name", &["z,zero"], "T")
        .complete()
        .code(Code::Print),
    reads("pathchk", "tells about names", &["p P portability"], "T").complete(),
    reads(
        "cmp",
        "compares files",
        &["b,print-bytes i,ignore-initial=T l,verbose n,bytes=T s,quiet,silent"],
        "RRT",
    )
    .complete(),
    reads(
        "diff gdiff colordiff",
        "compares files",
        &[
            "normal q,brief s,report-identical-files c C=T context?T u U=T unified?T e,ed n,rcs \
        y,side-by-side W,width=T left-column suppress-common-lines p,show-c-function \
        F,show-function-line=T label=T t,expand-tabs T,initial-tab tabsize=T suppress-blank-empty \
        l,paginate~ r,recursive no-dereference N,new-file unidirectional-new-file ignore-file-name-case \
        no-ignore-file-name-case x,exclude=T X,exclude-from=R S,starting-file=T from-file=R to-file=R \
        i,ignore-case E,ignore-tab-expansion Z,ignore-trailing-space b,ignore-space-change \
        w,ignore-all-space B,ignore-blank-lines I,ignore-matching-lines=T a,text strip-trailing-cr \
        D,ifdef=T GTYPE-group-format=T line-format=T d,minimal horizon-lines=T speed-large-files color?T \
        palette=T v",
        ],
        "D",
    )
    .complete(),
    reads(
        "diff3",
        "compares files",
        &[
            "A,show-all e,ed E,show-overlap 3,easy-only x,overlap-only X i m,merge a,text strip-trailing-cr \
        T,initial-tab L,label=T",
        ],
        "R",
    ),
    reads(
        "comm",
        "compares files",
        &["1 2 3 check-order nocheck-order output-delimiter=T total z,zero-terminated"],
        "R",
    )
    .complete(),
    reads(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum gmd5sum gsha256sum",
        "computes checksums",
        &[SUMS],
        "R",
    )
    .complete(),
    reads(
        "shasum md5",
        "computes checksums",
        &["a,algorithm=T b,binary c,check t,text q,quiet s,status w,warn U,UNIVERSAL r"],
        "R",
    ),
    reads(
        "od",
        "prints bytes",
        &[
            "A,address-radix=T endian=T j,skip-bytes=T N,read-bytes=T S,strings?T t,format=T \
        v,output-duplicates w,width?T traditional a b c d f i l o s x",
        ],
        "R",
    )
    .complete(),
    reads(
        "hexdump hd",
        "prints bytes",
        &[
            "b,one-byte-octal X,one-byte-hex c,one-byte-char C,canonical d,two-bytes-decimal \
        o,two-bytes-octal x,two-bytes-hex L,color?T e,format=T f,format-file=R n,length=T s,skip=T \
        v,no-squeezing",
        ],
        "R",
    ),
    reads(
        "xxd",
        "prints bytes",
        &["a b c=T C d E e g=T h i l=T n=T o=T p ps plain r s=T u v"],
        "RW",
    )
    // One letter a word: `-ps` is no bundle.
    .style(Style::Single)
    .code(Code::Print),
    reads(
        "strings",
        "prints the texts in files",
        &[
            "a,all d,data f,print-file-name n,bytes=T t,radix=T w,include-all-whitespace o T,target=T \
        e,encoding=T s,output-separator=T U,unicode=T #",
        ],
        "R",
    ),
    reads(
        "base64 base32 basenc gbase64",
        "encodes or decodes",
        &["d,decode D i,ignore-garbage w,wrap=T base64 base64url base32 base32hex base16 base2msbf base2lsbf z85"],
        "R",
    )
    .complete()
    .code(Code::Print),
    reads("sync", "waits for the disk", &["d,data f,file-system"], "M").complete(),
    reads(
        "namei",
        "tells where a name leads",
        &["x,mountpoints m,modes o,owners l,long n,nosymlinks v,vertical Z,context"],
        "M",
    ),
    reads(
        "getfacl lsattr",
        "tells about files",
        &[
            "a,access c,omit-header d,default e,all-effective E,no-effective s,skip-base R,recursive \
        L,logical P,physical t,tabular p,absolute-names n,numeric v l",
        ],
        "M",
    ),
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
    plain("dd gdd dcfldd", "copies bytes", &[], "T").code(Code::Dd),
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
];
