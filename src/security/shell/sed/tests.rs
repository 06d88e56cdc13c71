use super::*;

#[test]
fn only_what_writes_or_runs_is_an_effect() {
    for program in [
        "s/rm/RM/g",
        "1,5p",
        "/w file/d",
        "s,w x,e y,",
        "y/we/ew/",
        "$!N;P;D",
        "a w notes.txt",
        "/a/,/b/p",
        ":a;N;$!ba;s/\\n/,/g",
        "s/[[:space:]]*$//;/^$/d",
        "/fn main/,/^}/{p;q}",
        "10q",
        "",
    ] {
        assert!(only_prints(program), "{program}");
    }
    for program in [
        "w notes.txt",
        "s/a/b/gw out.txt",
        "1e rm notes.txt",
        "s/^/rm /;p\n/x/e date",
        "s/.*/rm x/e",
        "s/[/]w x/_/",
        "r x.txt",
        "p;w x",
    ] {
        assert!(!only_prints(program), "{program}");
    }
}
