use super::*;

#[test]
fn only_what_runs_writes_or_reads_elsewhere_is_an_effect() {
    for program in [
        "$1 > 1 { n++ } END { print n+0 }",
        "{ print $1 / 2, \"a|b\" }",
        "/a|b/ { print; next }",
        "/start/,/end/",
        "$3 > 1000 {print $1}",
        "BEGIN { FS = \":\" } # a | b\n{ sum += $2 } END { printf \"%d\\n\", sum }",
        "NR % 2 == 0 && !seen[$0]++",
        "/^## /{p=0} /^## Usage/{p=1} p",
        "/^[[:space:]]*$/ { next } /[^a-z]/",
    ] {
        assert!(only_prints(program), "{program}");
    }
    for program in [
        "BEGIN { system(\"x\") }",
        "{ \"x\" | getline }",
        "{ print | \"x\" }",
        "{ print > $1 }",
        "{ i++ / 2 | \"x\" / 3 }",
        "BEGIN { f = \"system\"; @f(\"x\") }",
        "{ print > (\"a\" \"b\") }",
        "{ print > \"out.txt\" }",
        "/[/]/ | \"x\"",
        "{ print a ? b > c : d }",
        "{ print 1, # x\n 2 > $1 }",
        "{ x = /\"/ } { system(\"x\") } { y = /\"/ }",
        "BEGIN { x = 1 ? /\"/ : 2; system(\"x\"); y = /\"/ }",
        "BEGIN { x = 1 + /\"/; system(\"x\"); y = 1 + /\"/ }",
        "{ print /\"/ } { system(\"x\") } { print /\"/ }",
        "/[/\"]/ { system(\"x\") } /\"/",
        "/[]/\"]/ { system(\"x\") } /\"/",
        "/[^]/\"]/ { system(\"x\") } /\"/",
        "/[[:alpha:]/\"]/ { system(\"x\") } /\"/",
        "{ print /;/ > \"a.txt\" }",
        "{ print 1 ? /}/ : 2 > \"a.txt\" }",
        "{ print ($1 ~ /;/) > \"a.txt\" }",
        "{ print a[/}/] > \"a.txt\" }",
    ] {
        assert!(!only_prints(program), "{program}");
    }
}
