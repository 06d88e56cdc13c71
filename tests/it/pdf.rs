//! Tests that `read` shows PDF documents by pages. A sandboxed process parses them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::process::{Running, look_until};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn document(name: &str) -> Vec<u8> {
    std::fs::read(format!("tests/data/pdf/{name}")).expect("a document")
}

fn read(bytes: &[u8], arguments: &Value) -> String {
    let server = Server::start();
    let home = Home::with(&server);
    std::fs::write(home.path("a.pdf"), bytes).expect("a document");
    let mut given = json!({"path": "a.pdf"});
    let object = given.as_object_mut().expect("an object");
    object.extend(arguments.as_object().cloned().unwrap_or_default());
    server.script([call("read", given), text("Read.")]);
    home.run(&["run", "read it"]).assert_code(0);
    server.request(2).last("tool").to_owned()
}

fn pages(contents: &[Vec<u8>]) -> Vec<u8> {
    let kids: String = (0..contents.len()).map(|at| format!("{} 0 R ", 4 + 2 * at)).collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {}>>", contents.len()).into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
    ];
    for (at, content) in contents.iter().enumerate() {
        let page = format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>",
            5 + 2 * at
        );
        objects.push(page.into_bytes());
        let mut stream = format!("<</Length {}>>stream\n", content.len()).into_bytes();
        stream.extend_from_slice(content);
        stream.extend_from_slice(b"\nendstream");
        objects.push(stream);
    }
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut table = String::new();
    for (at, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", out.len()));
        out.extend_from_slice(format!("{} 0 obj\n", at + 1).as_bytes());
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let (start, size) = (out.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    );
    out.extend_from_slice(end.as_bytes());
    out
}

fn words(text: &str) -> Vec<u8> {
    format!("BT /F1 12 Tf 72 700 Td ({text}) Tj ET").into_bytes()
}

#[test]
fn a_long_document_comes_in_parts_and_a_mention_reads_it_too() {
    let contents: Vec<_> = (1..=500)
        .map(|number| words(&format!("Words of leaf {number}.")))
        .collect();
    let long = pages(&contents);
    let first = read(&long, &json!({}));
    assert!(
        first.starts_with("[PDF document of 500 pages]\n[page 1 of 500]\nWords of leaf 1.\n[page 2 of 500]\n"),
        "{first}"
    );
    assert!(
        first.ends_with("[20 of 500 pages shown; go on with offset 21, or with pages \"21-40\"]\n"),
        "{first}"
    );
    let some = read(&long, &json!({"pages": "499,7-8"}));
    assert_eq!(
        some,
        "[PDF document of 500 pages]\n[page 499 of 500]\nWords of leaf 499.\n[page 7 of 500]\nWords of leaf 7.\n[page 8 of 500]\nWords of leaf 8.\n"
    );
    let some = read(&long, &json!({"offset": 499, "limit": 1}));
    assert!(
        some.contains("Words of leaf 499.") && !some.contains("leaf 500."),
        "{some}"
    );
    let wrong = read(&long, &json!({"pages": "last"}));
    assert!(
        wrong.contains("`pages` must be such as \"3\", \"2-5\" or \"1,4-6\", not `last`"),
        "{wrong}"
    );

    let server = Server::start();
    let home = Home::with(&server);
    std::fs::write(home.path("a.pdf"), &long).expect("a document");
    server.script([text("Read.")]);
    home.run(&["run", "sum up @a.pdf:3-4"]).assert_code(0);
    let user = server.request(1).last("user").to_owned();
    assert!(
        user.contains("[page 4 of 500]\nWords of leaf 4.") && !user.contains("leaf 5."),
        "{user}"
    );
}

#[test]
fn a_password_is_asked_for_and_other_files_have_no_pages() {
    let told = read(&document("encrypted-user.pdf"), &json!({}));
    assert!(
        told.starts_with("encrypted: `a.pdf` is an encrypted PDF document, which needs a password."),
        "{told}"
    );
    let told = read(b"plain text\n", &json!({"pages": "1"}));
    assert!(
        told.contains("`a.pdf` is not a PDF document, and only these have `pages`."),
        "{told}"
    );
}

#[test]
fn a_page_that_unpacks_to_too_much_does_not_hide_the_others() {
    let began = Instant::now();
    let told = read(&document("hostile-text-bomb.pdf"), &json!({}));
    assert!(
        told.contains("[page 1 of 3]\nWords of a sound page.\n[page 2 of 3: not readable, it needs too much memory]\n"),
        "{told}"
    );
    assert!(told.contains("[page 3 of 3]\nWords of a sound page.\n"), "{told}");
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn a_page_that_takes_too_long_ends_after_10_seconds_and_the_rest_can_be_asked_for() {
    let began = Instant::now();
    let told = read(&document("hostile-slow.pdf"), &json!({}));
    assert!(
        told.ends_with(
            "[page 1 of 3]\nWords of a sound page.\n\
             [1 of 3 pages shown; go on with offset 2, or with pages \"2-3\"]\n"
        ),
        "{told}"
    );
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    // This page is now read first and has the full time, but is still too slow.
    let told = read(&document("hostile-slow.pdf"), &json!({"offset": 2}));
    assert!(
        told.contains("[page 2 of 3: not readable, it takes more than 10 s]\n[1 of 3 pages shown; go on with offset 3"),
        "{told}"
    );
    let told = read(&document("hostile-slow.pdf"), &json!({"offset": 3}));
    assert!(told.ends_with("[page 3 of 3]\nWords of a sound page.\n"), "{told}");
}

#[test]
fn the_reader_is_sealed_before_it_reads_a_byte() {
    let home = Home::bare();
    let order = r#"{"len":999,"pages":[[1,null]],"skip":0,"most":20,"room":64000}"#;
    let mut command = home.command(&["read-pdf", order]);
    command.env("MIMALLOC_ARENA_RESERVE", "0");
    let (reader, input) = Running::fed(command);
    let about = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", reader.pid())).unwrap_or_default();
    let is_sealed = look_until(Duration::from_secs(20), || about("status").contains("Seccomp:\t2"));
    assert!(is_sealed, "{}", about("status"));
    let limits = about("limits");
    for limit in [
        "address space         419430400",
        "data size             167772160",
        "cpu time              10",
    ] {
        assert!(limits.contains(limit), "{limit}: {limits}");
    }
    drop(input);
    let ended = reader.wait();
    assert!(ended.stdout.starts_with("{\"failed\":{\"damaged\":"), "{ended}");
}

#[test]
fn hostile_documents_end_with_a_result() {
    for name in ["loop", "cyclic", "count", "tree", "forms", "bomb2"] {
        let told = read(&document(&format!("hostile-{name}.pdf")), &json!({}));
        assert!(
            told.starts_with("[PDF document of 1 page]\n[page 1 of 1") || told.starts_with("damaged: "),
            "{name}: {told}"
        );
    }
    let nested = [b"[".repeat(1_000_000), words("after")].concat();
    let told = read(&pages(&[nested]), &json!({}));
    assert!(told.starts_with("[PDF document of 1 page]\n[page 1 of 1"), "{told}");
}
