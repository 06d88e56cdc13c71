//! Tests of the configured system prompt.

use super::*;

fn own(named: &str) -> Fixture {
    let fixture = Fixture::user(&format!("{{\"system_prompt\": {named}}}"));
    std::fs::create_dir(fixture.path("prompts")).unwrap();
    fixture
        .with("prompts/terse.md", "\n Be terse.\r\nAlways.\n")
        .with("prompts/long.txt", "x".repeat(32_001))
        .with("prompts/empty.md", " \n")
        .with("prompts/odd.md", "a\u{1b}[2J")
}

#[test]
fn a_prompt_is_the_text_of_the_file_that_is_named_with_or_without_its_ending() {
    for named in ["terse", "terse.md"] {
        let prompt = own(&format!("\"{named}\"")).settings().system_prompt.unwrap();
        assert_eq!(
            (prompt.name.as_str(), prompt.text.as_str()),
            ("terse", "Be terse.\nAlways.")
        );
    }
    assert_eq!(own("null").settings().system_prompt, None);
    let named = own("null").variable("BENCHDOG__SYSTEM_PROMPT", "terse").settings();
    assert_eq!(named.system_prompt.unwrap().name, "terse");
}

#[test]
fn what_is_no_prompt_is_one_error_that_says_what_to_write() {
    for (named, told) in [
        (
            "tersee",
            "`system_prompt` names `tersee`, and there is no `tersee.md` in `{}/prompts`; did you mean `terse`? there is `empty`, `long.txt`, `odd`, `terse`",
        ),
        (
            "zzz",
            "`system_prompt` names `zzz`, and there is no `zzz.md` in `{}/prompts`; there is `empty`, `long.txt`, `odd`, `terse`",
        ),
        (
            "long.txt",
            "`{}/prompts/long.txt` has 32001 letters, and each request would begin with them; write 32000 at the most",
        ),
        ("empty", "`{}/prompts/empty.md` says nothing; remove `system_prompt`"),
        ("odd", "`{}/prompts/odd.md` holds control characters; write plain text"),
        (
            "../user",
            "`system_prompt` must be the name of a file in `{}/prompts`, without a path; write for example `\"system_prompt\": \"terse\"` for `prompts/terse.md`",
        ),
    ] {
        let fixture = own(&format!("\"{named}\""));
        let folder = fixture.home.path().display().to_string();
        let problems = fixture.load().unwrap_err().problems;
        let told = told.replace("{}", &folder);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(
            problems[0].to_string().ends_with(&format!(": {told}")),
            "{}",
            problems[0]
        );
    }
}

#[test]
fn a_project_names_what_it_brings_along_and_nothing_of_the_persons() {
    let project = "{\"system_prompt\": \"kennel\"}";
    let mut fixture = own("\"terse\"").with("project.jsonc", project);
    let problems = fixture.load().unwrap_err().problems;
    assert!(
        problems[0].to_string().contains("there is no `kennel.md`"),
        "{problems:?}"
    );
    fixture.texts.insert("prompts/kennel.md".to_owned(), b"Bark.".to_vec());
    assert_eq!(fixture.settings().system_prompt.unwrap().text, "Bark.");
    let theirs = own("\"terse\"").with("project.jsonc", "{\"system_prompt\": \"terse\"}");
    assert!(theirs.load().is_err(), "what the person has is not a project's to name");
    let back = own("\"terse\"").with("project.jsonc", "{\"system_prompt\": null}");
    assert_eq!(back.settings().system_prompt, None);
}
