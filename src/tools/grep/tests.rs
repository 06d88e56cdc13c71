mod ripgrep;

use serde_json::json;

use crate::bench::Bench;

fn project() -> Bench {
    let bench = Bench::with(&[
        ("src/a.rs", "fn alpha() {}\n// Alpha\nlet beta = 1;\n"),
        ("src/b.rs", "alpha(beta)\r\nlast alpha\r\n"),
        ("docs/c.md", "nothing here\n"),
        (".gitignore", "out\n"),
        ("out/gen.rs", "fn alpha_generated() {}\n"),
        (".env", "alpha=secret\n"),
        (".hidden.rs", "alpha hidden\n"),
    ]);
    bench.write("data.bin", b"alpha\0alpha\n");
    bench
}

#[tokio::test]
async fn matches_stand_under_their_file_in_the_order_of_paths() {
    let outcome = project().call("grep", json!({"pattern": "alpha"})).await;
    assert_eq!(
        outcome.output,
        ".hidden.rs\n1: alpha hidden\nsrc/a.rs\n1: fn alpha() {}\nsrc/b.rs\n1: alpha(beta)\n2: last alpha\n\
         [1 file not searched: secrets; name one as `path` to ask for it]\n"
    );
    assert_eq!(outcome.summary.to_string(), "4 matches in 3 files");
}

#[tokio::test]
async fn modes_case_context_and_glob() {
    let bench = project();
    let files = bench
        .call(
            "grep",
            json!({"pattern": "ALPHA", "ignore_case": true, "mode": "files", "glob": "src/**"}),
        )
        .await;
    assert_eq!(
        (files.output.as_str(), &*files.summary.to_string()),
        ("src/a.rs\nsrc/b.rs\n", "2 files")
    );
    let count = bench
        .call(
            "grep",
            json!({"pattern": "alpha", "output_mode": "count", "glob": "*.rs"}),
        )
        .await;
    assert_eq!(count.output, ".hidden.rs: 1\nsrc/a.rs: 1\nsrc/b.rs: 2\n");
    let around = bench
        .call("grep", json!({"pattern": "Alpha", "context": 1, "path": "src"}))
        .await;
    assert_eq!(
        around.output,
        "src/a.rs\n1- fn alpha() {}\n2: // Alpha\n3- let beta = 1;\n"
    );
    assert_eq!(
        bench
            .call("grep", json!({"pattern": "x", "mode": "poem"}))
            .await
            .code
            .as_deref(),
        Some("bad_arguments")
    );
}

#[tokio::test]
async fn ends_of_lines_are_found_whatever_the_line_ends() {
    let bench = Bench::new();
    for (name, bytes) in [
        ("dos.txt", &b"alpha\r\nbeta\r\n\r\nlast\r\n"[..]),
        ("mixed.txt", b"alpha\r\nbeta\n\r\nlast"),
        ("open.txt", b"alpha\nbeta\n\nlast"),
        ("unix.txt", b"alpha\nbeta\n\nlast\n"),
    ] {
        bench.write(name, bytes);
    }
    let all = ["dos.txt", "mixed.txt", "open.txt", "unix.txt"];
    for (pattern, line, files) in [
        ("alpha$", "1: alpha", &all[..]),
        ("^beta$", "2: beta", &all),
        ("^$", "3: ", &all),
        ("^\\s*$", "3: ", &all),
        ("last$", "4: last", &all),
        ("(beta|x)$", "2: beta", &all),
        ("a\\b$", "1: alpha\n2: beta", &all),
        // Patterns with an explicit carriage return match carriage returns.
        ("alpha\\r$", "1: alpha", &all[..2]),
        ("^\\r$", "3: ", &all[..2]),
        ("alpha\\r?$", "1: alpha", &all),
    ] {
        let outcome = bench.call("grep", json!({"pattern": pattern})).await;
        let wanted: String = files.iter().map(|file| format!("{file}\n{line}\n")).collect();
        assert_eq!(outcome.output, wanted, "{pattern}");
    }
}

#[tokio::test]
async fn what_is_no_expression_is_searched_as_text_and_that_is_said() {
    let outcome = project().call("grep", json!({"pattern": "alpha("})).await;
    assert!(
        outcome
            .output
            .starts_with("[`alpha(` is not a regular expression (unclosed group); it was searched"),
        "{}",
        outcome.output
    );
    assert!(
        outcome.output.contains("src/b.rs\n1: alpha(beta)\n"),
        "{}",
        outcome.output
    );
    let two_lines = project().call("grep", json!({"pattern": "a\nb"})).await;
    assert_eq!(two_lines.code.as_deref(), Some("bad_arguments"));
}

#[tokio::test]
async fn ignored_secret_and_binary_files_are_searched_only_when_named() {
    let bench = project();
    let ignored = bench.call("grep", json!({"pattern": "alpha", "path": "out"})).await;
    assert_eq!(ignored.output, "out/gen.rs\n1: fn alpha_generated() {}\n");
    let prepared = bench
        .prepare("grep", json!({"pattern": "alpha", "path": ".env"}))
        .await
        .unwrap();
    assert_eq!(
        prepared.subjects,
        [benchdog_domain::permission::Subject::Path {
            path: ".env".to_owned(),
            place: benchdog_domain::permission::Place::Inside,
            reach: Some(benchdog_domain::command::Reach::Secret {
                path: ".env".to_owned()
            }),
        }]
    );
    let binary = bench
        .call("grep", json!({"pattern": "alpha", "path": "data.bin"}))
        .await;
    assert_eq!(binary.code.as_deref(), Some("binary"));
    let none = bench.call("grep", json!({"pattern": "zeta"})).await;
    assert!(
        none.output.starts_with("No match for `zeta` in `.` (") && none.output.contains("Ignored files"),
        "{}",
        none.output
    );
    let nothing = bench.call("grep", json!({"pattern": "a", "glob": "*.zig"})).await;
    assert!(
        nothing.output.starts_with("No file in `.` matches the `glob`"),
        "{}",
        nothing.output
    );
}

#[tokio::test]
async fn a_folder_where_everything_is_ignored_is_searched_all_the_same() {
    let bench = Bench::with(&[(".ignore", "*\n"), ("a.txt", "needle\n")]);
    let outcome = bench.call("grep", json!({"pattern": "needle"})).await;
    assert!(outcome.output.contains("a.txt\n1: needle\n"), "{}", outcome.output);
    assert!(
        outcome.output.starts_with("[every file here is ignored"),
        "{}",
        outcome.output
    );
}

#[tokio::test]
async fn the_limit_gives_the_first_matches_by_path_every_time() {
    let bench = Bench::new();
    for number in 0..400 {
        bench.write(&format!("d{:02}/f{number:03}", number % 20), "one needle\ntwo\n");
    }
    let first = bench.call("grep", json!({"pattern": "needle", "limit": 7})).await;
    assert!(first.truncated && first.output.contains("[there is more"));
    assert_eq!(first.output.matches("1: one needle").count(), 7);
    assert!(
        first.output.starts_with("d00/f000\n1: one needle\nd00/f020\n"),
        "{}",
        first.output
    );
    assert_eq!(first.summary.to_string(), "7+ matches in 7 files");
    for _ in 0..10 {
        assert_eq!(
            bench
                .call("grep", json!({"pattern": "needle", "limit": 7}))
                .await
                .output,
            first.output
        );
    }
    let all = bench.call("grep", json!({"pattern": "needle", "limit": 400})).await;
    assert!(!all.truncated, "{}", all.summary);
    assert_eq!(all.summary.to_string(), "400 matches in 400 files");
    let exact = bench
        .call("grep", json!({"pattern": "needle", "path": "d00", "limit": 20}))
        .await;
    assert!(!exact.truncated, "{}", exact.output);
}

#[tokio::test]
async fn long_lines_are_shown_around_their_match() {
    let bench = Bench::with(&[("min.js", &format!("{}needle{}\n", "a".repeat(5_000), "b".repeat(5_000)))]);
    let outcome = bench.call("grep", json!({"pattern": "needle"})).await;
    assert!(
        outcome.output.contains("aneedleb") && outcome.output.len() < 700,
        "{}",
        outcome.output
    );
    assert!(outcome.output.contains("… [line of 10006 bytes]"), "{}", outcome.output);
}

#[tokio::test]
async fn it_agrees_with_grep_on_a_tree_of_odd_files() {
    let bench = Bench::new();
    for number in 0..120 {
        let text: String = (0..number)
            .map(|line| format!("{line} needle{} 漢字\n", line * number % 7))
            .collect();
        bench.write(
            &format!("p{}/q {}/f{number}.txt", number % 5, number % 3),
            text + "no end: needle3",
        );
    }
    let pattern = "needle3( |$)";
    let ours = bench.call("grep", json!({"pattern": pattern, "mode": "count"})).await;
    let output = std::process::Command::new("grep")
        .args(["-rcE", pattern, "."])
        .current_dir(bench.root())
        .output()
        .unwrap();
    let mut theirs: Vec<String> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter(|line| !line.ends_with(":0"))
        .map(|line| line.trim_start_matches("./").replace(".txt:", ".txt: "))
        .collect();
    theirs.sort_unstable();
    let ours: Vec<&str> = ours.output.lines().collect();
    assert_eq!(
        ours,
        theirs[..100.min(theirs.len())]
            .iter()
            .map(String::as_str)
            .chain(ours.get(100).copied())
            .collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_link_leads_nowhere_even_when_it_appears_during_the_search() {
    let bench = project();
    std::fs::write(bench.outside().join("outside.rs"), "alpha outside\n").unwrap();
    std::os::unix::fs::symlink(bench.outside().join("outside.rs"), bench.root().join("src/link.rs")).unwrap();
    let outcome = bench.call("grep", json!({"pattern": "alpha outside"})).await;
    assert_eq!(outcome.summary.to_string(), "no match");
    let prepared = bench
        .prepare("grep", json!({"pattern": "alpha", "path": "src/a.rs"}))
        .await
        .unwrap();
    std::fs::remove_file(bench.root().join("src/a.rs")).unwrap();
    std::os::unix::fs::symlink(bench.outside().join("outside.rs"), bench.root().join("src/a.rs")).unwrap();
    let (output, _chunks) = tokio::sync::mpsc::channel(1);
    let allowed = benchdog_domain::permission::Decision::Once {
        kept: benchdog_domain::permission::Kept::All,
    };
    let outcome = crate::bench::run(prepared, &allowed, &bench.cx, output).await;
    assert!(!outcome.output.contains("outside\n"), "{}", outcome.output);
}

#[tokio::test]
async fn a_file_is_searched_up_to_a_line_that_is_too_long_to_hold_and_that_is_said() {
    let bench = Bench::new();
    let mut text = b"alpha\n".to_vec();
    text.resize(17 << 20, b'x');
    text.extend(b"\nalpha\n");
    bench.write("long.txt", &text);
    bench.write("short.txt", b"alpha\n");
    let outcome = bench.call("grep", json!({"pattern": "alpha"})).await;
    assert_eq!(
        outcome.output,
        "long.txt\n1: alpha\nshort.txt\n1: alpha\n\
         [1 file searched only up to a line of more than 8.0 MB; `bash` with `grep -o` can search it]\n"
    );
}
