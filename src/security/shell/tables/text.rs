//! Text: sorted, cut, counted, changed on its way through.

use super::{plain, reads, unknown};
use crate::shell::grammar::{Code, Spec};

pub(super) const ROWS: &[Spec] = &[
    reads(
        "sort gsort",
        "sorts lines",
        &[
            "b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort \
        i,ignore-nonprinting M,month-sort h,human-numeric-sort n,numeric-sort R,random-sort \
        random-source=R r,reverse sort=T V,version-sort batch-size=T c check?T C compress-program=U \
        debug files0-from=F k,key=T m,merge o,output=W s,stable S,buffer-size=T t,field-separator=T \
        T,temporary-directory=T parallel=T u,unique z,zero-terminated",
        ],
        "R",
    )
    .complete(),
    reads(
        "shuf gshuf",
        "shuffles lines",
        &["e,echo i,input-range=T n,head-count=T o,output=W random-source=R r,repeat z,zero-terminated"],
        "R",
    )
    .complete(),
    reads(
        "uniq",
        "drops repeated lines",
        &[
            "c,count d,repeated D all-repeated?T f,skip-fields=T group?T i,ignore-case s,skip-chars=T \
        u,unique z,zero-terminated w,check-chars=T #",
        ],
        "RW",
    )
    .complete(),
    reads(
        "cut gcut",
        "prints parts of lines",
        &[
            "b,bytes=T c,characters=T d,delimiter=T f,fields=T n complement s,only-delimited \
        output-delimiter=T z,zero-terminated",
        ],
        "R",
    )
    .complete(),
    reads(
        "paste",
        "joins lines",
        &["d,delimiters=T s,serial z,zero-terminated"],
        "R",
    )
    .complete(),
    reads(
        "join",
        "joins lines",
        &["a=T e=T i,ignore-case j=T o=T t=T v=T 1=T 2=T check-order nocheck-order header z,zero-terminated"],
        "R",
    )
    .complete(),
    reads(
        "tr gtr",
        "replaces characters",
        &["c,C,complement d,delete s,squeeze-repeats t,truncate-set1"],
        "T",
    )
    .complete()
    .code(Code::Print),
    reads("fold", "wraps lines", &["b,bytes s,spaces w,width=T #"], "R")
        .complete()
        .code(Code::Print),
    reads(
        "fmt",
        "wraps lines",
        &["c,crown-margin p,prefix=T s,split-only t,tagged-paragraph u,uniform-spacing w,width=T g,goal=T #"],
        "R",
    )
    .complete(),
    reads(
        "pr",
        "formats pages",
        &[
            "a,across c,show-control-chars d,double-space D,date-format=T e?T F,f,form-feed h,header=T i?T \
        J,join-lines l,length=T m,merge n?T N,first-line-number=T o,indent=T r,no-file-warnings s?T S?T \
        t,omit-header T,omit-pagination v,show-nonprinting w,width=T W,page-width=T #",
        ],
        "R",
    ),
    reads(
        "expand unexpand",
        "changes tabs",
        &["i,initial t,tabs=T a,all first-only"],
        "R",
    )
    .complete(),
    reads(
        "column",
        "lines text up",
        &[
            "t,table s,separator=T o,output-separator=T c,output-width=T n,table-name=T N,table-columns=T \
        R,table-right=T T,table-truncate=T J,json x,fillrows L,keep-empty-lines e,table-empty-lines \
        l,table-columns-limit=T d,table-noheadings H,table-hide=T",
        ],
        "R",
    ),
    reads("rev", "turns lines round", &["0,zero"], "R")
        .complete()
        .code(Code::Print),
    reads("col colrm", "filters text", &["b f h p x l=T"], "T"),
    reads("tsort", "prints text", &[], "R"),
    reads(
        "seq gseq",
        "prints numbers",
        &["f,format=T s,separator=T w,equal-width 1 2 3 4 5 6 7 8 9 0 #"],
        "T",
    )
    .code(Code::Print),
    reads("yes", "prints a word again and again", &[], "T")
        .complete()
        .code(Code::Print),
    reads("factor", "prints numbers", &["h,exponents"], "T").complete(),
    reads(
        "numfmt",
        "formats numbers",
        &[
            "debug d,delimiter=T field=T format=T from=T from-unit=T grouping header?T invalid=T padding=T \
        round=T suffix=T to=T to-unit=T z,zero-terminated",
        ],
        "T",
    )
    .complete(),
    reads("expr", "computes", &["#"], "T").style(crate::shell::grammar::Style::Posix),
    reads(
        "bc",
        "computes",
        &["h,help i,interactive l,mathlib q,quiet s,standard w,warn v,version"],
        "R",
    ),
    reads(
        "iconv",
        "changes an encoding",
        &["f,from-code=T t,to-code=T c l,list o,output=W s,silent verbose"],
        "R",
    )
    .complete(),
    reads(
        "jq gojq jaq",
        "reads JSON",
        &[
            "n,null-input r,raw-output j,join-output a,ascii-output s,slurp R,raw-input c,compact-output \
        C,color-output M,monochrome-output S,sort-keys e,exit-status f,from-file=U tab indent=T \
        unbuffered stream stream-errors seq raw-output0 L=U arg=TT argjson=TT slurpfile=TR rawfile=TR \
        args jsonargs h,help V,version build-configuration",
        ],
        "TR",
    )
    .code(Code::Jq),
    reads(
        "yq",
        "reads YAML",
        &[
            "e,expression=T r,raw-output,unwrapScalar?T o,output-format=T p,input-format=T P,prettyPrint \
        n,null-input N,no-doc C,colors M,no-colors i,inplace! in-place! I,indent=T j,tojson",
        ],
        "TR",
    )
    .code(Code::Jq),
    reads(
        "xmllint",
        "reads XML",
        &["noout xpath=T format html nonet encode=T"],
        "R",
    ),
    reads("csvcut csvlook csvstat", "reads tables", &["c=T d=T H n names"], "R"),
    reads(
        "awk gawk mawk nawk original-awk busybox-awk",
        "runs an awk program",
        &[
            "F,field-separator=T v,assign=T f,file=T e,source=T b,characters-as-bytes c,traditional P,posix \
        S,sandbox n,non-decimal-data N,use-lc-numeric M,bignum r,re-interval O,optimize s,no-optimize \
        t,lint-old L,lint?T",
        ],
        "T",
    )
    .style(crate::shell::grammar::Style::Posix)
    .code(Code::Awk),
    reads(
        "sed gsed ssed",
        "prints changed text",
        &[
            "n,quiet,silent e,expression=T f,file=T E,r,regexp-extended l,line-length=T posix s,separate \
        sandbox u,unbuffered z,null-data debug follow-symlinks i?T! in-place?T!",
        ],
        "T",
    )
    .complete()
    .code(Code::Sed),
    plain(
        "dos2unix unix2dos mac2unix",
        "changes line ends",
        &["q,quiet i,info n,newfile!"],
        "U",
    ),
    reads("rot13 caesar", "replaces characters", &[], "T"),
    reads("groff nroff troff", "formats text", &["T=T t e U~"], "U"),
    unknown(
        "m4 ed ex red vi vim nvim view rvim gvim vimdiff nano pico joe mcedit emacs emacsclient less more \
        most info",
        "opens an editor or a pager, which can run commands",
    )
    .code(Code::None),
    reads(
        "man",
        "shows a manual page",
        &[
            "f,whatis k,apropos w,where,path,location W a,all s,sections=T S=T K e,extension=T i I u t~ \
        P,pager=S~ c catman~ 7,ascii E,encoding=T no-hyphenation no-justification",
        ],
        "R",
    ),
    reads(
        "whatis apropos",
        "tells about programs",
        &["d,debug e,exact r,regex w,wildcard a,and l,long s,sections=T"],
        "T",
    ),
];
