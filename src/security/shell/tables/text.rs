//! Programs that sort, cut, count or transform text.

use super::{looks, reads, unknown};
use crate::shell::grammar::{Code, Spec};

pub(super) const ROWS: &[Spec] = &[
    looks(
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
    ),
    looks(
        "shuf gshuf",
        "shuffles lines",
        &["o,output=W random-source=R i,input-range=T n,head-count=T"],
        "R",
    ),
    looks(
        "uniq",
        "drops repeated lines",
        &[
            "c,count d,repeated D all-repeated?T f,skip-fields=T group?T i,ignore-case s,skip-chars=T \
        u,unique z,zero-terminated w,check-chars=T #",
        ],
        "RW",
    ),
    looks("cut gcut", "prints parts of lines", &[], "R"),
    looks("paste", "joins lines", &[], "R"),
    looks("tr gtr", "replaces characters", &[], "T").code(Code::Print),
    looks("fold", "wraps lines", &[], "R").code(Code::Print),
    looks("expand unexpand", "changes tabs", &[], "R"),
    looks("column", "lines text up", &[], "R"),
    looks("rev", "turns lines round", &[], "R").code(Code::Print),
    reads(
        "seq gseq",
        "prints numbers",
        &["f,format=T s,separator=T w,equal-width 1 2 3 4 5 6 7 8 9 0 #"],
        "T",
    )
    .code(Code::Print),
    looks("yes", "prints a word again and again", &[], "T").code(Code::Print),
    reads("expr", "computes", &["#"], "T").style(crate::shell::grammar::Style::Posix),
    reads(
        "bc",
        "computes",
        &["h,help i,interactive l,mathlib q,quiet s,standard w,warn v,version"],
        "R",
    ),
    looks(
        "iconv",
        "changes an encoding",
        &["o,output=W f,from-code=T t,to-code=T"],
        "R",
    ),
    looks(
        "jq gojq jaq",
        "reads JSON",
        &[
            "output~ run-tests~ library-path~ f,from-file=U L=U arg=TT argjson=TT slurpfile=TR \
        rawfile=TR indent=T",
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
    looks("whatis apropos", "tells about programs", &[], "T"),
];
