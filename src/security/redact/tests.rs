//! Tests with planted keys. Each key is assembled here, so that the source contains no key.

use proptest::prelude::*;

use super::*;

fn planted() -> Vec<(&'static str, String)> {
    let letters = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF".repeat(3);
    let of = |count: usize| letters.get(..count).unwrap().to_owned();
    let upper = |count: usize| of(count).to_uppercase();
    vec![
        ("api-key", format!("sk-{}", of(48))),
        ("api-key", format!("sk-ant-api03-{}", of(60))),
        ("github-token", format!("ghp_{}", of(36))),
        ("github-token", format!("github_pat_{}", of(60))),
        ("gitlab-token", format!("glpat-{}", of(20))),
        ("aws-key", format!("AKIA{}", upper(16))),
        ("google-key", format!("AIza{}", of(35))),
        ("slack-token", format!("xoxb-1234-{}", of(24))),
        ("npm-token", format!("npm_{}", of(36))),
        ("pypi-token", format!("pypi-{}", of(60))),
        ("hugging-face-token", format!("hf_{}", of(34))),
        ("stripe-key", format!("sk_live_{}", of(24))),
        ("digitalocean-token", format!("dop_v1_{}", "0a1b".repeat(16))),
        ("sendgrid-key", format!("SG.{}.{}", of(22), of(43))),
        ("vault-token", format!("hvs.{}", of(30))),
        ("groq-key", format!("gsk_{}", of(48))),
        ("xai-key", format!("xai-{}", of(60))),
        ("perplexity-key", format!("pplx-{}", of(48))),
        ("replicate-token", format!("r8_{}", of(37))),
        ("notion-token", format!("ntn_{}", of(46))),
        ("linear-key", format!("lin_api_{}", of(40))),
        ("sentry-token", format!("sntrys_{}", of(60))),
        ("shopify-token", format!("shpat_{}", "0a1b".repeat(8))),
        ("webhook-secret", format!("whsec_{}", of(32))),
        ("databricks-token", format!("dapi{}", "0a1b".repeat(8))),
        ("docker-token", format!("dckr_pat_{}", of(27))),
        ("grafana-token", format!("glsa_{}", of(41))),
        ("atlassian-token", format!("ATATT3x{}", of(80))),
        ("age-key", format!("AGE-SECRET-KEY-1{}", upper(58))),
        (
            "slack-webhook",
            format!("hooks.slack.com/services/T{0}/B{0}/{1}", upper(9), of(24)),
        ),
        ("azure-key", format!("AccountKey={}==", of(86))),
        ("password-of-an-address", "postgres://app:hunter2@".to_owned()),
        ("web-token", format!("eyJ{}.eyJ{}.{}", of(20), of(40), of(43))),
    ]
}

fn private_key() -> String {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n";
    format!(
        "-----BEGIN {0} KEY-----\n{1}-----END {0} KEY-----\n",
        "RSA PRIVATE",
        line.repeat(20)
    )
}

#[test]
fn published_formats_and_configured_keys_are_taken_out_and_named() {
    let redactor = Redactor::new(["our-own-key-of-the-house".to_owned(), "short".to_owned()]);
    for (kind, key) in planted() {
        assert_eq!(
            redactor.text(&format!("export KEY=\"{key}\" # short\n")),
            format!("export KEY=\"[benchdog:redacted:{kind}]\" # short\n")
        );
    }
    assert_eq!(
        redactor.text("x=our-own-key-of-the-house;"),
        "x=[benchdog:redacted:configured-key];"
    );
}

#[test]
fn of_a_line_that_goes_on_no_part_of_a_secret_is_shown() {
    let ours = "our-own-key-of-the-house";
    let redactor = Redactor::new([ours.to_owned(), "abcdabcdabcdabcd".to_owned()]);
    let secrets = planted().into_iter().map(|(_, key)| key);
    for key in secrets.chain([ours.to_owned(), "abcdabcdabcdabcd".to_owned()]) {
        // A prefix that is public, or too short to reveal the key.
        let open = redactor.public_of(&key);
        for cut in 1..=key.len() {
            let mut stream = redactor.stream();
            let (begun, more) = key.split_at(cut / 2);
            assert_eq!(stream.push(&format!("before {begun}")), "");
            let shown = stream.unfinished(more.get(..cut - cut / 2).unwrap_or_default());
            let said = shown
                .strip_prefix("before ")
                .unwrap_or_else(|| panic!("{key} {cut}: {shown}"));
            assert!(said.len() <= open || said.starts_with(MARK), "{key} {cut}: {shown}");
        }
        let mut stream = redactor.stream();
        assert_eq!(stream.push(&format!("before {key}")), "");
        let shown = stream.unfinished(" and more? ");
        assert!(
            shown.ends_with("] and more? ") && !shown.contains(key.as_str()),
            "{shown}"
        );
        assert_eq!(
            stream.push("\n"),
            format!("{}\n", redactor.text(&format!("before {key}")))
        );
    }
    let mut key = redactor.stream();
    key.push(
        &private_key()
            .lines()
            .take(3)
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
    assert_eq!(key.unfinished("MIIEvQ"), "");
    let shown = redactor.stream().unfinished("x -----BEGIN RSA PRIV");
    assert_eq!(shown, "x ");
    let hidden = redactor.stream().unfinished("a \u{200b}our-\u{200b}own-k");
    assert!(!hidden.contains("own"), "{hidden:?}");
}

#[test]
fn of_a_line_that_goes_on_all_is_shown_that_is_no_secret() {
    let redactor = Redactor::new(["our-own-key-of-the-house".to_owned()]);
    for text in [
        "Continue? ",
        "[=====>    ]  45%  12.3 MB/s",
        "下载中 45%",
        "Listening on http://localhost:3000/",
        "see https://example.com",
        "the task-force of a disk-usage o",
        "",
    ] {
        assert_eq!(redactor.stream().unfinished(text), text);
    }
}

#[test]
fn what_stands_before_a_key_does_not_hide_it() {
    let redactor = Redactor::default();
    let letters = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF".repeat(2);
    for key in [
        format!("X_ghp_{letters}"),
        format!("tokenghp_{letters}"),
        format!("_sk-{letters}"),
    ] {
        assert!(!redactor.text(&key).contains(&letters), "{key}");
    }
    assert!(holds_key("--db=mysql://root:x@h/d") && !holds_key("ssh://git@host/x.git"));
}

#[test]
fn a_key_between_chinese_words_is_one() {
    for (name, key) in planted() {
        let text = format!("密钥{key}是");
        let told = Redactor::default().text(&text).into_owned();
        assert!(
            told.starts_with("密钥[") && told.ends_with("是") && !told.contains(&key),
            "{name}: {told}"
        );
    }
}

#[test]
fn a_private_key_goes_whole_also_between_line_numbers_and_in_one_line() {
    let redactor = Redactor::default();
    let text = format!("before\n{}after\n", private_key());
    assert_eq!(redactor.text(&text), "before\n[benchdog:redacted:private-key]\nafter\n");
    let numbered: String = text
        .lines()
        .zip(1..)
        .map(|(line, n)| format!("{n:>6}\t{line}\n"))
        .collect();
    let shown = redactor.text(&numbered).into_owned();
    assert!(!shown.contains("MII") && shown.ends_with("\tafter\n"), "{shown}");
    let json = format!("{{\"private_key\": {:?}, \"id\": 7}}", private_key());
    assert_eq!(
        redactor.text(&json),
        "{\"private_key\": \"[benchdog:redacted:private-key]\\n\", \"id\": 7}"
    );
    let endless = format!("-----BEGIN {} KEY-----\n{}", "PRIVATE", "text\n".repeat(300));
    assert!(redactor.text(&endless).ends_with("text\n"));
}

const OWN: &str = "our-own-key-of-the-house";

#[test]
fn what_no_reader_sees_does_not_hide_a_key() {
    let redactor = Redactor::new([OWN.to_owned()]);
    let all = planted().into_iter().map(|(_, key)| key).chain([OWN.to_owned()]);
    for key in all {
        for unseen in [
            "\u{200b}",
            "\u{ad}",
            "\u{2060}",
            "\u{feff}",
            "\u{1b}[31m",
            "\u{1b}[0;1m",
            "\u{1b}]8;;x\u{7}",
            "\0",
        ] {
            let hidden: String = key.chars().flat_map(|c| [c.to_string(), unseen.to_owned()]).collect();
            let shown = redactor.text(&format!("before {hidden} after")).into_owned();
            assert!(
                shown.contains(MARK) && shown.ends_with(" after"),
                "{unseen:?}: {shown:?}"
            );
            let left = shown.replace(unseen, "");
            let longest = left
                .split_whitespace()
                .filter(|word| key.contains(word))
                .map(str::len)
                .max();
            assert!(longest.unwrap_or(0) < 8, "{unseen:?}: {left}");
        }
    }
    let coloured: String = private_key()
        .lines()
        .map(|line| format!("\u{1b}[32m{line}\u{1b}[0m\n"))
        .collect();
    let shown = redactor.text(&coloured).into_owned();
    assert!(!shown.contains("MII") && shown.contains(MARK), "{shown}");
}

#[test]
fn a_configured_key_is_taken_out_in_other_forms() {
    let redactor = Redactor::new([OWN.to_owned()]);
    for form in forms::of(OWN) {
        let shown = redactor.text(&format!("x {form} y\n")).into_owned();
        assert_eq!(shown, format!("x {} y\n", mark("configured-key")), "{form}");
    }
}

#[test]
fn letters_in_a_row_are_a_key_without_a_digit() {
    let letters: String = ('a'..='z').chain('A'..='X').collect();
    assert_eq!(Redactor::default().text(&format!("sk-{letters}")), mark("api-key"));
}

#[test]
fn a_form_is_taken_out_wherever_the_text_is_cut() {
    let redactor = Redactor::new([OWN.to_owned()]);
    let hidden: String = OWN.chars().flat_map(|c| [c, '\u{200b}']).collect();
    for form in forms::of(OWN).into_iter().chain([hidden]) {
        let text = format!("a {form} b\n");
        let whole = redactor.text(&text).into_owned();
        assert!(whole.contains(MARK), "{form}");
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            let mut stream = redactor.stream();
            let (begin, end) = text.split_at(cut);
            let out = stream.push(begin) + &stream.push(end) + &stream.finish();
            assert_eq!(out, whole, "cut at {cut}");
        }
    }
}

#[test]
fn this_repository_holds_nothing_that_is_taken_for_a_key() {
    let redactor = Redactor::new(["not-in-this-repository-at-all".to_owned()]);
    let mut open: Vec<std::path::PathBuf> = [
        "src/app",
        "src/tools",
        "src/security",
        "docs",
        "Cargo.lock",
        "Cargo.toml",
    ]
    .map(Into::into)
    .into();
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut bytes = 0;
    while let Some(path) = open.pop() {
        let path = root.join(path);
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().flatten().map(|entry| entry.path()));
        } else if let Ok(text) = std::fs::read_to_string(&path)
            && !path.ends_with("security/redact.rs")
            && !path.to_string_lossy().contains("tests")
        {
            // Test modules contain text that looks like keys.
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            bytes += text.len();
            let shown = redactor.text(text).into_owned();
            let marked = |(line, before): &(&str, &str)| {
                line != before && line.contains(MARK) && !before.contains("://user:password@")
            };
            let wrong: Vec<_> = shown.lines().zip(text.lines()).filter(marked).collect();
            assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        }
    }
    assert!(bytes > 500_000, "{bytes}");
}

#[test]
fn ordinary_text_stays_as_it_is() {
    let redactor = Redactor::new([]);
    for text in [
        "disk-usage-of-a-folder-with-a-long-name",
        "sk-learn-is-a-name-people-use-for-scikit",
        "AKIA is how they begin",
        "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n",
        "the hash is 3f786850e387550fdab836ed7e6dc881de23001b",
        "eyJ only",
    ] {
        assert_eq!(redactor.text(text), text);
    }
}

#[test]
fn only_text_that_gains_a_mark_is_refused() {
    let marked = format!("key = {}", mark("api-key"));
    assert!(adds_mark(b"", marked.as_bytes()));
    assert!(adds_mark(b"key = 7", marked.as_bytes()));
    assert!(!adds_mark(marked.as_bytes(), format!("// moved\n{marked}").as_bytes()));
    assert!(!adds_mark(b"", b"nothing"));
}

#[test]
fn a_line_without_end_is_given_out_while_it_grows_and_keeps_its_secrets() {
    let (_, key) = planted().swap_remove(0);
    let mut stream = Redactor::default().stream();
    let mut out = String::new();
    for _ in 0..200 {
        out.push_str(&stream.push(&" ".repeat(997)));
        out.push_str(&stream.push(key.get(..20).unwrap()));
        out.push_str(&stream.push(key.get(20..).unwrap()));
    }
    assert!(out.len() > 100_000);
    out.push_str(&stream.finish());
    assert!(!out.contains("sk-"));
    assert_eq!(out.matches(MARK).count(), 200);
    let endless = format!("sk-{}", "a1".repeat(200_000));
    let mut stream = Redactor::default().stream();
    let mut out = String::new();
    for piece in endless.as_bytes().chunks(1000) {
        out.push_str(&stream.push(std::str::from_utf8(piece).unwrap()));
    }
    out.push_str(&stream.finish());
    assert_eq!(out, mark("api-key"));
}

#[test]
fn a_secret_is_taken_out_wherever_the_pieces_of_a_long_text_end() {
    let redactor = Redactor::default();
    let (_, key) = planted().swap_remove(0);
    for before in (PIECE - 1_000..PIECE + 100).step_by(37) {
        let text = format!(
            "{}\n{}{key}\nfour\u{200b} {}\u{200b}{}\n{}",
            "x".repeat(before),
            private_key(),
            key.get(..9).unwrap(),
            key.get(9..).unwrap(),
            "the rest\n".repeat(PIECE / 4)
        );
        let at_once = redactor.stream().push(&text);
        let mut stream = redactor.stream();
        let by_lines: String = text.split_inclusive('\n').map(|line| stream.push(line)).collect();
        assert_eq!(at_once, by_lines, "{before}");
        assert!(
            !at_once.contains("MII") && at_once.matches(MARK).count() == 3,
            "{before}"
        );
    }
}

proptest! {
    #[test]
    fn it_does_not_matter_where_a_text_is_cut(which in 0usize..33, cuts in prop::collection::vec(0usize..700, 0..8), padding in 0usize..40) {
        let redactor = Redactor::new(["our-own-key-of-the-house".to_owned()]);
        let (_, key) = planted().swap_remove(which);
        let text = format!("{}{key}\n{}our-own-key-of-the-house {key}", "x ".repeat(padding), private_key());
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.sort_unstable();
        let mut stream = redactor.stream();
        let mut out = String::new();
        let mut from = 0;
        for to in cuts.into_iter().chain([text.len()]) {
            out.push_str(&stream.push(text.get(from..to).unwrap()));
            from = to;
        }
        out.push_str(&stream.finish());
        let whole = redactor.text(&text);
        prop_assert_eq!(&out, whole.as_ref());
        prop_assert!(!out.contains(&key) && !out.contains("MII") && !out.contains("our-own"));
    }
}
