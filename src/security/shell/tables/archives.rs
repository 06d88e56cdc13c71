//! Archives and compressed files.

use super::{looks, reads};
use crate::shell::grammar::{Code, Spec};

pub(super) const ROWS: &[Spec] = &[
    reads(
        "tar gtar bsdtar",
        "packs, lists or unpacks an archive",
        &[
            "A,catenate,concatenate! c,create d,diff,compare delete! r,append t,list u,update x,extract,get",
            "f,file=T C,directory=T T,files-from=R X,exclude-from=R exclude=T exclude-vcs exclude-vcs-ignores \
        exclude-caches exclude-backups",
            "z,gzip,gunzip,ungzip j,bzip2 J,xz lzip lzma Z,compress zstd a,auto-compress no-auto-compress \
        I,use-compress-program=S~",
            "v,verbose p,preserve-permissions,same-permissions P,absolute-names~ h,dereference \
        hard-dereference k,keep-old-files skip-old-files keep-newer-files! overwrite! overwrite-dir! \
        U,unlink-first! recursive-unlink! remove-files!",
            "O,to-stdout to-command=S~ checkpoint?T checkpoint-action=S~ F,info-script,new-volume-script=S~ \
        rsh-command=S~ rmt-command=S~ force-local",
            "strip-components=T transform,xform=T~ owner=T group=T mode=T mtime=T sort=T numeric-owner \
        no-same-owner no-same-permissions same-owner~ format=T H=T posix wildcards no-wildcards anchored \
        ignore-case no-recursion recursion totals?T W,verify~ w,interactive,confirmation warning=T \
        no-xattrs xattrs no-acls acls null no-null one-file-system full-time utc index-file=W \
        g,listed-incremental=U~ newer=T N=T m,touch show-transformed-names quote-chars=T occurrence?T \
        ignore-zeros i R,block-number b,blocking-factor=T B,read-full-records L,tape-length=U~ \
        K,starting-file=T S,sparse ignore-failed-read n,seek M,multi-volume~ l,check-links label=T V=T \
        volno-file=U~",
        ],
        "",
    )
    .code(Code::Tar),
    reads(
        "unzip",
        "unpacks an archive",
        &["l Z v t p c q n j a d=O o! f! u! x C L"],
        "RT",
    )
    .code(Code::Compress),
    reads(
        "zip",
        "packs an archive",
        &[
            "r,recurse-paths q,quiet v,verbose 9 8 7 6 5 4 3 2 1 0 j,junk-paths x,exclude=T i,include=T \
        u,update y,symlinks X e~ P=T~ m,move! d,delete! T~ F~ unzip-command=S~ D O,out=W sf s=T n=T @",
        ],
        "WR",
    )
    .code(Code::Compress),
    reads(
        "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lzip lzop compress uncompress pigz unpigz pbzip2",
        "packs or unpacks",
        &[
            "c,stdout,to-stdout d,decompress,uncompress f,force k,keep l,list n,no-name N,name q,quiet \
        r,recursive S,suffix=T t,test v,verbose z,compress s,small 1 2 3 4 5 6 7 8 9 0 fast best \
        e,extreme T,threads=T p,processes=T L,license rsyncable V,version h,help",
        ],
        "U",
    )
    .code(Code::Compress),
    looks(
        "zcat gzcat bzcat xzcat zstdcat lzcat zless zmore",
        "prints packed files",
        &[],
        "R",
    ),
    looks(
        "nm objdump readelf size addr2line",
        "tells about programs",
        &["plugin~ e,exe=R section=T j=T M=T"],
        "R",
    ),
    reads("7z 7za 7zr ar unrar rar cpio", "packs or unpacks an archive", &[], "U").code(Code::Compress),
    reads(
        "zstd unzstd lz4 brotli zstdmt",
        "packs or unpacks",
        &[
            "c,stdout d,decompress f,force k,keep l,list q,quiet r~ t,test v,verbose o,output=W rm! 1 2 3 4 5 \
        6 7 8 9 z,compress T?T threads=T ultra long?T D=R #",
        ],
        "U",
    )
    .code(Code::Compress),
];
