//! Files with other encodings than UTF-8 are read, searched and changed. All bytes outside a change stay the same.

use serde_json::json;

use crate::bench::Bench;
use benchdog_base::charset::Charset;

/// An encoding, a text with a line `x = 1`, a word in the text, and a character that the encoding lacks.
const TEXTS: &[(&str, &str, &str, Option<char>)] = &[
    (
        "gbk",
        "# 测试编码\r\nprint('你好，世界')\r\nx = 1\r\n# 这是一个加法运算\r\n",
        "你好",
        Some('한'),
    ),
    (
        "gb18030",
        "# 测试编码 𠀀\nprint('你好，世界')\nx = 1\n# 这是一个加法运算\n",
        "你好",
        None,
    ),
    (
        "big5",
        "# 測試編碼\nprint('你好，世界')\nx = 1\n# 這是一個加法運算\n",
        "你好",
        Some('한'),
    ),
    (
        "shift-jis",
        "# 日本語のコメント\nx = 1\nprint('こんにちは、世界')\n",
        "日本語",
        Some('한'),
    ),
    (
        "euc-jp",
        "# 日本語のコメント\nx = 1\nprint('こんにちは、世界')\n",
        "日本語",
        Some('한'),
    ),
    (
        "euc-kr",
        "# 한국어 주석입니다\nx = 1\nprint('안녕하세요, 세계')\n",
        "안녕",
        Some('é'),
    ),
    ("utf-16le", "# 测试编码\nx = 1\nprint('hello 你好')\n", "你好", None),
    ("utf-16be", "# 測試\nx = 1\nprint('hello 你好')\n", "你好", None),
    (
        "latin-1",
        "# Été à la plage\nx = 1\nprint('ça va où?')\n",
        "plage",
        Some('€'),
    ),
    (
        "windows-1251",
        "# Русский комментарий\nx = 1\nprint('Привет, мир')\n",
        "Привет",
        Some('你'),
    ),
    (
        "windows-1252",
        "# Été à la plage, déjà vu\nx = 1\nprint('ça va où?')\n",
        "déjà",
        Some('你'),
    ),
];

fn bench(name: &str, bytes: &[u8]) -> Bench {
    let mut bench = Bench::new();
    bench.write("f.py", bytes);
    // Without this setting, Latin-1 is detected as Windows-1252, which is a superset of it.
    let set = Charset::from_name(name).filter(|charset| *charset == Charset::Latin1);
    let workspace = (*bench.cx.workspace).clone().with_charset(set);
    bench.cx.workspace = std::sync::Arc::new(workspace);
    bench
}

#[tokio::test]
async fn every_tool_works_in_the_encoding_of_the_file() {
    for (name, text, word, lacking) in TEXTS {
        let charset = Charset::from_name(name).unwrap();
        for mark in ["", "\u{feff}"] {
            if !mark.is_empty() && !name.starts_with("utf-16") {
                continue;
            }
            let text = format!("{mark}{text}");
            let bytes = charset.encode(&text).unwrap();
            let bench = bench(name, &bytes);
            let on_disk = || std::fs::read(bench.root().join("f.py")).unwrap();

            let read = bench.call("read", json!({"path": "f.py"})).await.output;
            let called = if *name == "gb18030" { "GB" } else { charset.name() };
            assert!(read.contains(word) && read.contains(called), "{name}: {read}");
            let found = bench.call("grep", json!({"pattern": word})).await.output;
            assert!(found.contains("f.py") && found.contains(word), "{name}: {found}");

            let edit = json!({"path": "f.py", "edits": [{"old": "x = 1", "new": format!("x = 2 # {word}")}]});
            let edited = bench.call("edit", edit).await.output;
            assert!(edited.contains("encoding kept as"), "{name}: {edited}");
            let text = text.replace("x = 1", &format!("x = 2 # {word}"));
            assert_eq!(on_disk(), charset.encode(&text).unwrap(), "{name}");

            let patch = format!("*** Begin Patch\n*** Update File: f.py\n@@\n-x = 2 # {word}\n+x = 3\n*** End Patch");
            let patched = bench.call("patch", json!({"patch": patch})).await.output;
            let text = text.replace(&format!("x = 2 # {word}"), "x = 3");
            assert_eq!(on_disk(), charset.encode(&text).unwrap(), "{name}: {patched}");

            if let Some(lacking) = lacking {
                let edit = json!({"path": "f.py", "edits": [{"old": "x = 3", "new": format!("x = '{lacking}'")}]});
                let refused = bench.call("edit", edit).await;
                assert_eq!(refused.code.as_deref(), Some("encoding"), "{name}: {}", refused.output);
                assert!(refused.output.contains(*lacking), "{name}: {}", refused.output);
                assert_eq!(on_disk(), charset.encode(&text).unwrap(), "{name}");
            }

            let written = bench
                .call("write", json!({"path": "f.py", "content": format!("# {word}\n")}))
                .await
                .output;
            let end = if text.contains('\r') { "\r\n" } else { "\n" };
            assert_eq!(
                on_disk(),
                charset.encode(&format!("{mark}# {word}{end}")).unwrap(),
                "{name}: {written}"
            );
        }
    }
}
