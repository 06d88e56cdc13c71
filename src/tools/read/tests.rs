use serde_json::json;

use super::*;
use crate::bench::Bench;
use benchdog_domain::tool::CallStatus;

async fn read(bench: &Bench, arguments: Value) -> Outcome {
    bench.call("read", arguments).await
}

#[tokio::test]
async fn lines_come_with_their_numbers() {
    let bench = Bench::with(&[("src/a.rs", "fn main() {\n\tx();\n}\n")]);
    let outcome = read(&bench, json!({"path": "src/a.rs"})).await;
    assert_eq!(outcome.output, "1\tfn main() {\n2\t\tx();\n3\t}\n");
    assert_eq!((&*outcome.summary.to_string(), outcome.truncated), ("3 lines", false));
}

#[tokio::test]
async fn a_part_says_where_to_go_on() {
    let text: String = (1..=3_000).map(|number| format!("line {number}\n")).collect();
    let bench = Bench::with(&[("a", &text)]);
    let outcome = read(&bench, json!({"path": "a"})).await;
    assert!(outcome.output.starts_with("1\tline 1\n") && outcome.truncated);
    assert!(
        outcome
            .output
            .ends_with("2000\tline 2000\n[lines 1 to 2,000 of 3,000; go on with offset 2001]\n")
    );
    let outcome = read(&bench, json!({"path": "a", "offset": 2001})).await;
    assert!(outcome.output.starts_with("2001\tline 2001\n") && outcome.output.ends_with("3000\tline 3000\n"));
    assert!(!outcome.truncated);
    let outcome = read(&bench, json!({"path": "a", "offset": "2", "limit": "1"})).await;
    assert!(
        outcome
            .output
            .starts_with("2\tline 2\n[lines 2 to 2 of 3,000; go on with offset 3]"),
        "{}",
        outcome.output
    );
    let outcome = read(&bench, json!({"path": "a", "offset": 3001})).await;
    assert_eq!(outcome.code.as_deref(), Some("past_the_end"));
    assert_eq!(
        outcome.output,
        "past_the_end: `a` has 3,000 lines; line 3,001 is past its end."
    );
}

#[tokio::test]
async fn bytes_are_limited_too_and_long_lines_are_cut() {
    let bench = Bench::with(&[
        ("wide", &format!("{}\n", "y".repeat(1_000)).repeat(200)),
        ("long", &"漢".repeat(5_000)),
    ]);
    let outcome = read(&bench, json!({"path": "wide"})).await;
    assert!(
        outcome.output.len() <= 66_000 && outcome.truncated,
        "{}",
        outcome.output.len()
    );
    assert!(outcome.output.contains("go on with offset 66]"), "{}", outcome.summary);
    let outcome = read(&bench, json!({"path": "long"})).await;
    assert!(outcome.output.contains("漢… [3,000 more characters in this line]\n"));
}

#[tokio::test]
async fn what_is_special_about_a_file_is_said_and_not_shown() {
    let bench = Bench::new();
    bench.write("dos", b"\xef\xbb\xbfone\r\ntwo");
    bench.write("latin", b"caf\xe9\n");
    bench.write("empty", b"");
    let dos = read(&bench, json!({"path": "dos"})).await.output;
    assert!(dos.starts_with("1\tone\n2\ttwo\n["), "{dos:?}");
    for note in ["byte order mark", "CRLF", "no line end after its last line"] {
        assert!(dos.contains(note), "{note}: {dos}");
    }
    let latin = read(&bench, json!({"path": "latin"})).await.output;
    assert!(
        latin.starts_with("1\tcafé\n") && latin.contains("windows-1252"),
        "{latin}"
    );
    assert_eq!(
        read(&bench, json!({"path": "empty"})).await.output,
        "`empty` is empty (0 bytes)."
    );
}

#[tokio::test]
async fn utf_16_with_its_mark_is_read_as_text_and_what_only_begins_like_it_is_not() {
    let bench = Bench::new();
    let units = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}eins\r\n漢字 🦀\n".encode_utf16().flat_map(unit).collect()
    };
    bench.write("little", units(u16::to_le_bytes));
    bench.write("big", units(u16::to_be_bytes));
    for name in ["little", "big"] {
        let outcome = read(&bench, json!({"path": name})).await;
        assert!(
            outcome.output.starts_with("1\teins\n2\t漢字 🦀\n["),
            "{}",
            outcome.output
        );
        for note in ["is UTF-16", "CRLF"] {
            assert!(outcome.output.contains(note), "{note}: {}", outcome.output);
        }
        assert!(bench.cx.seen.lock().unwrap().contains_key(name));
    }
    let no_text: [(&str, &[u8]); 4] = [
        ("half a unit", b"\xff\xfea\0b"),
        ("half a pair", b"\xff\xfe\x00\xd8a\0"),
        ("zeros", b"\xff\xfea\0\0\0"),
        ("UTF-32", b"\xff\xfe\0\0a\0\0\0"),
    ];
    for (name, bytes) in no_text {
        bench.write(name, bytes);
        let outcome = read(&bench, json!({"path": name})).await;
        assert!(
            outcome.output.contains("is a binary file of"),
            "{name}: {}",
            outcome.output
        );
    }
    bench.write("mark", b"\xff\xfe");
    let mark = read(&bench, json!({"path": "mark"})).await;
    assert_eq!(mark.output, "`mark` is empty (2 bytes).");
}

#[tokio::test]
async fn binary_files_are_refused_with_what_they_are() {
    let mut bench = Bench::new();
    bench.write("a.bmp", b"BM\x46\0\0\0\0\0\0\0\x36");
    bench.write(
        "a.gif",
        b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;",
    );
    bench.write("cut.png", b"\x89PNG\r\n\x1a\n rest");
    bench.write("data", b"abc\0def");
    let gif = read(&bench, json!({"path": "a.gif"})).await;
    assert_eq!((gif.code.as_deref(), gif.status), (Some("image"), CallStatus::Error));
    let said = "image: `a.gif` is a GIF image of 29 bytes, 1 x 1 pixels, not text; it is not shown, because images are not sent to this model.";
    assert_eq!(
        (gif.output.as_str(), gif.image.is_some(), gif.images.len()),
        (said, true, 0)
    );
    let cut = read(&bench, json!({"path": "cut.png"})).await;
    let said = "image: `cut.png` is a PNG image that is damaged or incomplete; it is not shown.";
    assert_eq!((cut.output.as_str(), cut.image), (said, None));
    assert!(
        read(&bench, json!({"path": "data"}))
            .await
            .output
            .contains("a binary file of 7 bytes")
    );
    assert!(
        read(&bench, json!({"path": "a.bmp"}))
            .await
            .output
            .contains("a BMP image of 11 bytes, not text; it is not shown")
    );
    bench.cx.sees = true;
    let gif = read(&bench, json!({"path": "a.gif"})).await;
    assert_eq!((gif.status, gif.images.len()), (CallStatus::Ok, 1));
    assert_eq!(
        gif.output,
        "`a.gif` is a GIF image of 29 bytes, 1 x 1 pixels. The image follows the results.\n"
    );
}

#[tokio::test]
async fn what_is_read_is_remembered_with_the_hash_of_all_of_it() {
    let bench = Bench::with(&[("a", "one\ntwo\n")]);
    read(&bench, json!({"path": "./a", "limit": 1})).await;
    let seen = bench.cx.seen.lock().unwrap();
    assert_eq!(seen.get("a"), Some(&BlobId::of(b"one\ntwo\n")));
}

#[tokio::test]
async fn what_was_refused_is_not_remembered() {
    let bench = Bench::new();
    bench.write("data", b"abc\0def");
    read(&bench, json!({"path": "data"})).await;
    assert!(bench.cx.seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_wrong_path_is_answered_with_a_near_one() {
    let bench = Bench::with(&[("src/main.rs", ""), ("README.md", "")]);
    let outcome = read(&bench, json!({"path": "src/mian.rs"})).await;
    assert_eq!(outcome.code.as_deref(), Some("not_found"));
    assert_eq!(
        outcome.output,
        "not_found: There is no file `src/mian.rs`. Did you mean `src/main.rs`?"
    );
    assert!(
        read(&bench, json!({"path": "readme.md"}))
            .await
            .output
            .contains("Did you mean `README.md`?")
    );
    assert!(
        read(&bench, json!({"path": "no/such/thing"}))
            .await
            .output
            .contains("`glob`")
    );
}

#[tokio::test]
async fn folders_pipes_and_places_outside_are_refused() {
    let bench = Bench::with(&[("src/main.rs", "")]);
    std::process::Command::new("mkfifo")
        .arg(bench.root().join("pipe"))
        .status()
        .unwrap();
    std::fs::write(bench.outside().join("secret.txt"), "s").unwrap();
    std::os::unix::fs::symlink(bench.outside().join("secret.txt"), bench.root().join("link")).unwrap();
    for (path, code) in [
        ("src", "not_a_file"),
        ("pipe", "not_a_file"),
        ("../secret.txt", "outside_workspace"),
        ("/etc/passwd", "outside_workspace"),
        ("link", "symlink_escape"),
    ] {
        let outcome = read(&bench, json!({"path": path})).await;
        assert_eq!(outcome.code.as_deref(), Some(code), "{path}: {}", outcome.output);
    }
    assert!(read(&bench, json!({"path": "src"})).await.output.contains("Use `list`"));
}

#[tokio::test]
async fn a_file_that_became_a_link_out_is_not_read() {
    let bench = Bench::with(&[("a", "inside\n")]);
    std::fs::write(bench.outside().join("b"), "outside\n").unwrap();
    let prepared = bench.prepare("read", json!({"path": "a"})).await.unwrap();
    std::fs::remove_file(bench.root().join("a")).unwrap();
    std::os::unix::fs::symlink(bench.outside().join("b"), bench.root().join("a")).unwrap();
    let (output, _chunks) = tokio::sync::mpsc::channel(1);
    let allowed = benchdog_domain::permission::Decision::Once {
        kept: benchdog_domain::permission::Kept::All,
    };
    let outcome = crate::bench::run(prepared, &allowed, &bench.cx, output).await;
    assert_eq!(outcome.status, CallStatus::Error);
    assert!(!outcome.output.contains("outside\n"), "{}", outcome.output);
}

#[tokio::test]
async fn a_large_file_is_read_on_another_thread_with_the_same_result() {
    let line = format!("{}\n", "z".repeat(99));
    let bench = Bench::with(&[("large", &line.repeat(30_000))]);
    let outcome = read(&bench, json!({"path": "large", "offset": 30_000})).await;
    assert_eq!(outcome.output, format!("30000\t{line}"));
    assert_eq!(outcome.summary.to_string(), "1 of 30,000 lines");
}

#[tokio::test]
async fn a_secret_is_marked_for_the_policy() {
    let bench = Bench::with(&[(".env", "KEY=1\n")]);
    let prepared = bench.prepare("read", json!({"path": ".env"})).await.unwrap();
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
}

#[tokio::test]
async fn a_notebook_is_shown_by_cells() {
    let text = include_str!("../../../tests/data/notebooks/ids.ipynb");
    let bench = Bench::with(&[("a.ipynb", text), ("b.ipynb", "{}\n")]);
    let outcome = read(&bench, json!({"path": "a.ipynb"})).await;
    let (head, cells) = outcome.output.split_once('\n').unwrap();
    assert!(head.starts_with("[notebook of 2 cells, nbformat 4.5, python; ") && head.contains("notebook_edit"));
    assert_eq!(
        cells,
        "[cell 0, markdown, id intro]\n1\t# Total\n[cell 1, code, id a1b2c3d4, ran as 3]\n1\tplot(1)\n2\tplot(2)\n\
         [output, image/png, 72 bytes; not shown]\n[output, text/plain]\n>\t<Figure>\n"
    );
    let outcome = read(&bench, json!({"path": "a.ipynb", "limit": 1})).await;
    assert!(
        outcome.output.ends_with("[1 of 2 cells shown; go on with offset 2]\n"),
        "{}",
        outcome.output
    );
    let outcome = read(&bench, json!({"path": "a.ipynb", "offset": 2})).await;
    assert!(
        outcome.output.contains("[cell 1") && !outcome.output.contains("[cell 0"),
        "{}",
        outcome.output
    );
    // An invalid notebook is shown as plain text.
    let outcome = read(&bench, json!({"path": "b.ipynb"})).await;
    assert!(
        outcome.output.starts_with("1\t{}\n[the file is not shown by cells"),
        "{}",
        outcome.output
    );
}

#[tokio::test]
async fn a_large_notebook_stays_within_its_limit() {
    let output = json!({"output_type": "stream", "text": "\u{1b}[31mred\u{1b}[0m [cell 9, code]\n".repeat(900)});
    let source = |at: usize| format!("x = {at}\n").repeat(if at == 7 { 30_000 } else { 3 });
    let cells = (0..200).map(|at| json!({"cell_type": "code", "source": source(at), "outputs": [output]}));
    let text = json!({"cells": cells.collect::<Vec<_>>(), "nbformat": 4, "nbformat_minor": 4}).to_string();
    let bench = Bench::with(&[("a.ipynb", &text)]);
    let mut offset = 1;
    let mut shown = 0;
    while offset <= 200 {
        let outcome = read(&bench, json!({"path": "a.ipynb", "offset": offset})).await;
        assert!(
            outcome.output.len() <= 70_000 && !outcome.output.contains('\u{1b}'),
            "{}",
            outcome.output.len()
        );
        assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
        shown += outcome.output.lines().filter(|line| line.starts_with("[cell ")).count();
        let next = outcome
            .output
            .rsplit_once("offset ")
            .and_then(|(_, next)| next.trim_end_matches("]\n").parse().ok());
        offset = next.unwrap_or(201);
    }
    assert_eq!(shown, 200);
}

fn command(program: &str, arguments: &[&str], folder: &std::path::Path) -> bool {
    let done = std::process::Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .status();
    done.is_ok_and(|status| status.success())
}

#[tokio::test]
async fn archives_are_listed_and_not_unpacked() {
    let long = format!("{}/{}.txt", "folder".repeat(15), "name".repeat(20));
    let bench = Bench::with(&[
        ("d/a.txt", "hello"),
        ("d/b\n\u{202e}.txt", ""),
        (&format!("d/{long}"), "x"),
    ]);
    std::os::unix::fs::symlink("a.txt", bench.root().join("d/link")).unwrap();
    for format in ["gnu", "pax", "ustar"] {
        let format = format!("--format={format}");
        let sorted = ["--sort=name", &format, "-czf", "a.tar.gz", "d"];
        assert!(command("tar", &sorted, &bench.root()));
        let outcome = read(&bench, json!({"path": "a.tar.gz"})).await;
        assert_eq!(
            outcome.output,
            format!(
                "1\td/\t\n2\td/a.txt\t5 bytes\n3\td/b\\n\\u202e.txt\t0 bytes\n4\td/{}/\t\n5\td/{long}\t1 bytes\n\
                 6\td/link\tlink to a.txt\n[the file is a tar archive, packed with gzip; these are its entries, with their sizes unpacked]\n",
                "folder".repeat(15)
            ),
            "{format}"
        );
        assert!(outcome.places[0].lines.is_empty());
    }
    let cut = std::fs::read(bench.root().join("a.tar.gz")).unwrap();
    bench.write("cut.tgz", &cut[..cut.len() - 30]);
    let outcome = read(&bench, json!({"path": "cut.tgz"})).await;
    assert!(outcome.output.contains("is listed in part"), "{}", outcome.output);
}

#[tokio::test]
async fn a_zip_archive_is_listed_in_parts() {
    let bench = Bench::new();
    let mut local = Vec::new();
    let mut central = Vec::new();
    for at in 0..2_500_u32 {
        let name = format!("e{at}");
        let mut record = vec![0_u8; 46];
        record[..4].copy_from_slice(b"PK\x01\x02");
        record[8] = u8::from(at == 1);
        record[24..28].copy_from_slice(&at.to_le_bytes());
        record[28] = u8::try_from(name.len()).unwrap();
        central.extend(record.into_iter().chain(name.bytes()));
    }
    local.extend(b"PK\x03\x04");
    let start = u32::try_from(local.len()).unwrap();
    let mut zip = [local, central].concat();
    zip.extend(b"PK\x05\x06\0\0\0\0\xc4\x09\xc4\x09\0\0\0\0");
    zip.extend(start.to_le_bytes());
    zip.extend(b"\0\0");
    bench.write("cut.zip", b"PK\x03\x04 and no more");
    let cut = read(&bench, json!({"path": "cut.zip"})).await;
    assert_eq!(cut.code.as_deref(), Some("damaged"), "{}", cut.output);
    bench.write("a.zip", &zip);
    let outcome = read(&bench, json!({"path": "a.zip"})).await;
    assert!(
        outcome
            .output
            .starts_with("1\te0\t0 bytes\n2\te1\t1 bytes, encrypted\n"),
        "{}",
        outcome.output
    );
    assert!(
        outcome.output.contains("of 2,500; go on with offset 2001]"),
        "{}",
        outcome.output
    );
    // No damaged byte causes a panic.
    for at in 0..zip.len().min(4_000) {
        let mut hurt = zip.clone();
        hurt[at] ^= 0xff;
        hurt.truncate(zip.len() - at % 50);
        archive::listed(&hurt);
    }
}

#[test]
fn a_bomb_is_listed_in_part() {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..300 {
        packed.write_all(&[0; 1 << 20]).unwrap();
    }
    let listing = archive::listed(&packed.finish().unwrap()).unwrap();
    assert_eq!(listing.notes, ["is listed in part: only 256 MB were unpacked"]);
}
