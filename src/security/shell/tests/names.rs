//! Tests of names with several possible meanings, one from each branch.

use super::{analyse, bench};
use benchdog_domain::permission::CommandClass;

#[test]
fn what_a_name_means_is_not_taken_from_a_branch_that_may_not_run() {
    let world = bench();
    for line in [
        "alias rm=echo; rm notes.txt",
        "rm() { echo; }; unset -f rm; rm notes.txt",
        "(rm() { :; }); rm notes.txt",
        "false && rm() { :; }; rm notes.txt",
        "f() { rm notes.txt; }; (f() { ls; }); f",
        "X=rm; X=ls & $X notes.txt",
        "X=rm; false && X=ls; $X notes.txt",
        "X=rm; if true; then :; elif X=ls; then :; fi; $X notes.txt",
        "X=rm; f() { return; X=ls; }; f; $X notes.txt",
        "X=rm; for i in 1; do break; X=ls; done; $X notes.txt",
        "readonly X=rm\nX=ls\n$X notes.txt",
        "declare -l X; X=RM; $X notes.txt",
        "shopt -s lastpipe; x=ls; echo rm | read x; $x notes.txt",
        "IFS=; set -- r m; \"$*\" notes.txt",
        "set -- rm; false && set -- ls; \"$1\" notes.txt",
        "x=rm; ${x^^z} notes.txt",
        "x=rxm; ${x/x/} notes.txt",
        "$(printf %.2s rmx) notes.txt",
        "$(basename rm.sh .sh) notes.txt",
        "echo -n r > x1; echo m >> x1; $(cat x1) notes.txt",
        "echo rm notes.txt > n.sh; false && echo ls > n.sh; sh n.sh",
        "while read -r l; do eval \"$l\"; done < big.lst",
        "{ read a; read b; $b notes.txt; } <<< $'ls\\nrm'",
        "cp rmnotes.sh new.sh; ./new.sh",
        "echo 'ls rm' | xargs -n1 timeout 5",
        "_=ls; : rm; $_ notes.txt",
        "declare -n r=x; x=rm; r=ls; $x notes.txt",
    ] {
        assert_ne!(analyse(line, &world).class, CommandClass::Plain, "{line:?}");
    }
}

#[test]
fn why_a_name_may_lead_elsewhere_is_said_as_it_is() {
    let world = bench();
    for (line, why) in [
        (
            "for i in 1 2; do echo $i >> /tmp/log.txt; done",
            "writes by a whole path",
        ),
        (
            "for i in 1 2; do cp -r src d$i; echo > d$i/x; done",
            "copies what may be a link",
        ),
        ("ln -s src s; echo > s/x", "makes links"),
    ] {
        let analysis = analyse(line, &world);
        assert_eq!(analysis.class, CommandClass::Unknown, "{line}");
        let told: Vec<&str> = analysis.parts.iter().map(|part| part.because.as_str()).collect();
        let of_names = told.iter().filter(|told| told.contains("leads is not known"));
        assert!(of_names.clone().count() > 0, "{line}: {told:?}");
        assert!(of_names.clone().all(|told| told.ends_with(why)), "{line}: {told:?}");
    }
}
