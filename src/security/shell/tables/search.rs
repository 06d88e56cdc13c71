//! Programs that search for files and for text in them.

use super::{looks, reads};
use crate::shell::grammar::{Code, Spec, Style};

const GREP: &str = "E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp=T \
        f,file=R i,ignore-case \
        no-ignore-case w,word-regexp x,line-regexp z,null-data s,no-messages v,invert-match \
        m,max-count=T b,byte-offset n,line-number line-buffered H,with-filename h,no-filename label=T \
        o,only-matching q,quiet,silent binary-files=T a,text I d,directories=T D,devices=T r,recursive \
        R,dereference-recursive include=T exclude=T exclude-from=R exclude-dir=T L,files-without-match \
        l,files-with-matches c,count T,initial-tab Z,null B,before-context=T A,after-context=T \
        C,context=T color?T colour?T U,binary y u,unix-byte-offsets group-separator=T no-group-separator \
        V,version #";

pub(super) const ROWS: &[Spec] = &[
    looks("grep ggrep egrep fgrep rgrep", "searches", &[GREP], "D").code(Code::Grep),
    reads("find gfind bfs", "looks for files", &[], "")
        .style(Style::Single)
        .code(Code::Find),
    reads(
        "fd fdfind",
        "looks for files",
        &[
            "H,hidden I,no-ignore u,unrestricted s,case-sensitive i,ignore-case g,glob F,fixed-strings \
        a,absolute-path l,list-details L,follow p,full-path 0,print0 d,max-depth=T min-depth=T \
        exact-depth=T E,exclude=T t,type=T e,extension=T S,size=T changed-within=T changed-before=T \
        o,owner=T c,color=T j,threads=T max-results=T 1 q,quiet base-directory=M path-separator=T \
        search-path=M strip-cwd-prefix no-ignore-vcs V,version h,help x,exec=C X,exec-batch=C",
        ],
        "TM",
    ),
    looks("which whereis", "tells where a program is", &[], "T"),
    reads(
        "cloc tokei",
        "counts lines",
        &[
            "by-file exclude-dir=T include-lang=T json csv quiet vcs=T~ f,files s,sort=T t,types=T \
        e,exclude=T o,output=T C,no-cocomo i,include-ext=T",
        ],
        "D",
    ),
    reads(
        "rg",
        "searches",
        &[
            "e,regexp=T f,file=R A,after-context=T B,before-context=T C,context=T c,count count-matches \
        color=T colors=T column crlf d,max-depth=T E,encoding=T files l,files-with-matches \
        files-without-match F,fixed-strings L,follow g,glob=T iglob=T glob-case-insensitive h,help \
        H,with-filename I,no-filename heading no-heading hidden . i,ignore-case ignore-file=R \
        v,invert-match json line-buffered x,line-regexp n,line-number N,no-line-number m,max-count=T \
        M,max-columns=T max-columns-preview max-filesize=T mmap no-mmap U,multiline multiline-dotall \
        no-config no-ignore no-ignore-vcs no-ignore-parent no-ignore-global no-ignore-dot no-messages \
        no-unicode 0,null null-data one-file-system o,only-matching path-separator=T passthru P,pcre2 \
        p,pretty q,quiet r,replace=T S,smart-case s,case-sensitive sort=T sortr=T stats a,text \
        j,threads=T trim t,type=T T,type-not=T type-add=T type-list u,unrestricted V,version vimgrep \
        w,word-regexp b,byte-offset include-zero auto-hybrid-regex engine=T dfa-size-limit=T \
        regex-size-limit=T no-require-git debug pre=U pre-glob=T hostname-bin=U z,search-zip~",
        ],
        "D",
    )
    .code(Code::Grep),
];
