//! Golden files for conversations without a screen. The binary's output is compared with the output of an earlier
//! binary. A test cannot judge whether a line is good, but every changed line must be intended.
//!
//! Each test is one scenario: replies of the model server, files, configuration, and one or more runs. Its golden file
//! is `tests/data/stream/NAME.jsonl`. For each run, it has the arguments, every line of stdout, the exit code, stderr,
//! and the messages that are new to the model. The project files are at its end. `normal` lists the omissions.
//!
//! - `BENCHDOG_GOLDEN=write cargo nextest run -E 'test(golden) | test(old_sessions)'` writes the files, but never under `CI`.
//! - `BENCHDOG_GOLDEN_BIN=/path/to/benchdog` runs another binary. With both, an older binary writes the expected files.

mod answers;
mod calls;
mod checks;
mod commands;
mod faults;
mod limits;
pub mod normal;
mod outputs;
pub mod pages;
mod sessions;
pub mod stage;
mod stops;

use std::collections::BTreeSet;

#[test]
fn every_golden_file_has_its_scenario_and_every_scenario_its_file() {
    let folder = pages::data("stream");
    let files = std::fs::read_dir(folder).expect("the golden files");
    let files: BTreeSet<String> = files
        .filter_map(|file| {
            file.ok()?
                .file_name()
                .to_str()?
                .strip_suffix(".jsonl")
                .map(str::to_owned)
        })
        .collect();
    let scenario = regex::Regex::new(r#"fn (\w+)\(\) \{\s+let (?:mut )?\w+ = Stage::(?:new|with)\(\s*"(\w+)""#)
        .expect("a fixed pattern");
    let sources = std::fs::read_dir(pages::package("tests/it/golden")).expect("the scenarios");
    let mut named = BTreeSet::new();
    for source in sources.flatten() {
        let text = std::fs::read_to_string(source.path()).expect("a source");
        for found in scenario.captures_iter(&text) {
            assert_eq!(found[1], found[2], "a test and its file have one name");
            assert!(named.insert(found[1].to_owned()), "`{}` stands twice", &found[1]);
        }
    }
    assert_eq!(files, named);
}
