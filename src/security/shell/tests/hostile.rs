//! Tests of lines made to be slow, to crash the parser, or to hide an earlier command.

use super::{EmptyWorld, analyse, bench};
use benchdog_domain::permission::CommandClass;

/// Analyses slow lines of 100 KB. The bound is far above the usual time, and far below superlinear time.
#[test]
fn hostile_lines_take_time_in_proportion() {
    let size = 100 * 1024;
    let unit = |text: &str| text.repeat(size / text.len());
    let mut lines: Vec<String> = [
        "(",
        ")",
        "{ ",
        "$(",
        "$((",
        "`",
        "\"",
        "'",
        "${",
        "${x:-",
        "{a,",
        "a=b;",
        "x=$x$x;",
        "<<E\n",
        "<(",
        "[[ ",
        "if ",
        "case x in a) ",
        "for a in b;do ",
        "while ",
        "ls;",
        "$(ls)",
        "\\",
        "a[",
        "x=${x//a/bb};",
        "f(){ f;};f;",
        "&&",
        "|",
        "eval ",
        "eval eval ",
        "{1..99}",
        "*",
        "sh -c '",
        "xargs ",
        "env ",
        "nice timeout 5 ",
        "$[",
        "((",
        "!",
        "time ",
        "echo a|",
        "a\n",
        "\u{4e2d}",
    ]
    .iter()
    .map(|text| unit(text))
    .collect();
    lines.push(format!("x=ab; {}", unit("x=$x$x; ")));
    lines.push(format!(
        "f() {{ g; g; }}; g() {{ h; h; }}; h() {{ f; f; }}; {}",
        unit("f;")
    ));
    lines.push("while :; do ".repeat(30) + "ls" + &"; done".repeat(30));
    lines.push(format!("echo {}", "{a,b}".repeat(5000)));
    for line in lines {
        let start = std::time::Instant::now();
        let _ = analyse(&line, &EmptyWorld);
        let taken = start.elapsed();
        assert!(
            // Generous for a busy machine. Superlinear analysis takes minutes here.
            taken.as_secs() < 15,
            "{:?}… took {taken:?}",
            line.chars().take(20).collect::<String>()
        );
    }
}

proptest::proptest! {
    /// Analyses any text after a removal. The analysis must end, and must find the removal.
    #[test]
    fn nothing_after_a_removal_hides_it(tail in "[-a-z$(){}\\[\\]|&;<>'\"`\\\\ \n#!*]{0,60}") {
        let line = format!("rm notes.txt\n{tail}");
        let class = analyse(&line, &bench()).class;
        proptest::prop_assert!(class >= CommandClass::Dangerous, "{}", line);
    }

    #[test]
    fn no_text_makes_it_panic(line in "[-a-z$(){}\\[\\]|&;<>'\"`\\\\ \n#!*=@:/%,^0-9\u{4e2d}]{0,120}") {
        analyse(&line, &bench());
    }
}
