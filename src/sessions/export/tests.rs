use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use super::{Export, Form, SessionsError};
use crate::tests::{holder, meta, run};
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, CallId, EntryId, SessionId, TurnId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_security::redact::{MARK, Redactor};
use benchdog_storage::Storage;

const KEY: &str = "correct-horse-battery";

fn entry(id: u64, body: Body) -> Arc<Entry> {
    Arc::new(Entry {
        id: EntryId(id),
        turn: TurnId(1),
        time: Time(1_700_000_000_000),
        body,
    })
}

/// Stores a session with an answer, an output with a secret, and a changed file with a secret.
pub(crate) async fn stored(storage: &Storage) -> SessionId {
    let meta = meta();
    let before: Arc<[u8]> = Arc::from(b"let a = 1;\n".as_slice());
    let after: Arc<[u8]> = Arc::from(format!("let a = 1;\nlet key = \"{KEY}\";\n").as_bytes());
    let picture: Arc<[u8]> = Arc::from([0x89, b'P', 0xff, 0].as_slice());
    let entries = vec![
        entry(
            1,
            Body::User {
                text: "修复 <script>alert(1)</script> & more".to_owned(),
                mentions: Vec::new(),
                notes: Vec::new(),
            },
        ),
        entry(
            2,
            Body::Assistant {
                text: "# Plan\n\n- <b>one</b> `x<y`\n\n[site](https://example.com/a)\n\n```rust\nif a < b {}\n```\n"
                    .to_owned(),
                reasoning: String::new(),
                seals: Vec::new(),
                calls: Vec::new(),
                model: ModelRef {
                    provider: "p".to_owned(),
                    id: "m".to_owned(),
                },
                usage: None,
                error: None,
            },
        ),
        entry(
            3,
            Body::ToolResult {
                call: CallId("c1".to_owned()),
                tool: "bash".to_owned(),
                title: "env".to_owned(),
                status: CallStatus::Ok,
                summary: Summary::Words("1 line".to_owned()),
                output: format!("KEY={KEY} [benchdog:redacted:api-key]\n</pre><img src=x onerror=y>"),
                truncated: false,
                notes: Vec::new(),
                took_ms: 4,
                places: Vec::new(),
                images: Vec::new(),
            },
        ),
        entry(
            4,
            Body::Change {
                call: CallId("c2".to_owned()),
                path: "src/a.rs".to_owned(),
                before: Some(BlobId::of(&before)),
                after: Some(BlobId::of(&after)),
                added: 1,
                removed: 0,
                moved: Vec::new(),
                undoes: Vec::new(),
                in_part: false,
                mode_before: None,
                job: None,
            },
        ),
    ];
    let blobs = [before, after, picture].map(|bytes| (BlobId::of(&bytes), bytes));
    storage.create(meta.clone(), holder()).await.unwrap();
    storage.append(&meta.id, entries, blobs.to_vec()).await.unwrap();
    storage.release(&meta.id).await;
    meta.id
}

pub(crate) fn redactor() -> Redactor {
    Redactor::new([KEY.to_owned()])
}

fn text(export: &Export, form: Form) -> String {
    let mut out = Vec::new();
    export.write(form, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn values_of_secret_names_are_missing_and_counted_by_place() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = meta();
        let user = Body::User {
            text: "password=hunter2secretpw then DB_PASSWORD=hunter2secretpw\n{\"api_key\":\"plainliteral\"}"
                .to_owned(),
            mentions: Vec::new(),
            notes: Vec::new(),
        };
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![entry(1, user)], Vec::new())
            .await
            .unwrap();
        storage.release(&meta.id).await;
        let export = Export::of(&storage, &meta.id.0, &redactor()).await.unwrap();
        for form in [Form::Jsonl, Form::Markdown, Form::Html] {
            let text = text(&export, form);
            assert!(
                !text.contains("hunter2secretpw") && !text.contains("plainliteral"),
                "{text}"
            );
        }
        assert_eq!(
            export.redactions().lines(),
            [
                "Redacted: placeholders replace secrets in 5 places.",
                "  2 × named-secret: description",
                "  3 × named-secret: entry 1 (user)",
            ]
        );
    });
}

#[test]
fn no_format_holds_a_secret_and_the_list_says_where_each_one_was() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage).await;
        let export = Export::of(&storage, &id.0, &redactor()).await.unwrap();
        for form in [Form::Jsonl, Form::Markdown, Form::Html] {
            let text = text(&export, form);
            assert!(!text.contains(KEY), "{form:?}\n{text}");
            assert!(text.contains("[benchdog:redacted:configured-key]"), "{form:?}\n{text}");
        }
        assert_eq!(
            export.redactions().lines(),
            [
                "Redacted: placeholders replace secrets in 2 places.",
                "  1 × configured-key: entry 3 (tool_result)",
                "  1 × configured-key: file `src/a.rs`",
            ]
        );
        let without = Export::of(&storage, &id.0, &Redactor::default()).await.unwrap();
        assert_eq!(
            without.redactions().lines(),
            ["Redacted: nothing. No known secret was found."]
        );
    });
}

#[test]
fn the_count_is_the_number_of_marks_in_the_file() {
    let (home, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = meta();
        let user = Body::User {
            text: format!("one {KEY}, and recorded as {}", redactor().text(KEY)).repeat(1_000),
            mentions: Vec::new(),
            notes: Vec::new(),
        };
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![entry(1, user)], Vec::new())
            .await
            .unwrap();
        storage.release(&meta.id).await;
        let export = Export::of(&storage, &meta.id.0, &redactor()).await.unwrap();
        for form in [Form::Jsonl, Form::Markdown, Form::Html] {
            let file = folder.path().join(format!("{form:?}"));
            let count = export.create(form, &file).unwrap();
            let marks = std::fs::read_to_string(file).unwrap().matches(MARK).count();
            assert_eq!(count, marks, "{form:?}");
            assert!(count >= 2_000, "{form:?}: {count}");
        }
    });
}

#[test]
fn json_lines_have_every_entry_and_every_stored_file_under_the_name_of_its_bytes() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage).await;
        let export = Export::of(&storage, &id.0, &redactor()).await.unwrap();
        let text = text(&export, Form::Jsonl);
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 1 + 4 + 3);
        assert_eq!(lines[0]["session"]["id"], id.0.as_str());
        let blobs: Vec<&Value> = lines.iter().filter(|line| !line["blob"].is_null()).collect();
        let texts = blobs
            .iter()
            .filter_map(|blob| Some((blob["blob"].as_str()?, blob["text"].as_str()?)));
        let texts: Vec<_> = texts.collect();
        assert_eq!(texts.len(), 2);
        for (id, text) in &texts {
            assert_eq!(*id, BlobId::of(text.as_bytes()).0);
        }
        // The change refers to the redacted file.
        let after = lines[4]["after"].as_str().unwrap();
        assert!(texts.iter().any(|(id, text)| *id == after && text.contains("redacted")));
        assert!(blobs.iter().any(|blob| blob["base64"] == "iVD/AA=="));
    });
}

#[test]
fn a_page_escapes_everything_and_refers_to_nothing() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage).await;
        let export = Export::of(&storage, &id.0, &redactor()).await.unwrap();
        let page = text(&export, Form::Html);
        let tags: Vec<&str> = page
            .split('<')
            .skip(1)
            .filter_map(|rest| Some(rest.split_once('>')?.0))
            .collect();
        for tag in tags {
            let active = ["script", "img", "iframe", "link", "src=", "href=", "onerror"];
            assert!(!active.iter().any(|word| tag.contains(word)), "{tag}");
        }
        assert!(!page.contains("url(") && !page.contains("@import"));
        for part in [
            "default-src 'none'",
            "prefers-color-scheme:dark",
            "修复 &lt;script&gt;alert(1)&lt;/script&gt; &amp; more",
            "<h3>Plan</h3>",
            "<code>x&lt;y</code>",
            "<pre><code>if a &lt; b {}\n</code></pre>",
            "site (<code>https://example.com/a</code>)",
            "<summary>✓ <b>bash</b> <code>env</code> <span>1 line</span></summary>",
            "<span class=\"add\">+let key = &quot;[benchdog:redacted:configured-key]&quot;;</span>",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        for element in ["section", "details", "pre", "p", "ul", "li", "code", "span", "div"] {
            let opened = page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
            assert_eq!(
                opened,
                page.matches(&format!("</{element}>")).count(),
                "{element}\n{page}"
            );
        }
    });
}

#[test]
fn a_file_is_created_whole_and_never_replaced() {
    let home = TempDir::new().unwrap();
    let folder = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage).await;
        let export = Export::of(&storage, &id.0, &redactor()).await.unwrap();
        let file = folder.path().join("a.md");
        export.create(Form::Markdown, &file).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text(&export, Form::Markdown));
        std::fs::write(&file, "mine").unwrap();
        let again = export.create(Form::Markdown, &file);
        assert!(matches!(again, Err(SessionsError::Exists(_))), "{again:?}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
        let nowhere = export.create(Form::Html, &folder.path().join("none/a.html"));
        assert!(matches!(nowhere, Err(SessionsError::Unwritable { .. })), "{nowhere:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    });
}
