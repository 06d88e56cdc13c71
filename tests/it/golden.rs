//! Every conversation that needs no screen, as scripts see it: what the binary prints is compared with files that an earlier
//! binary wrote. Nothing here judges whether a line is good; a changed line is to be noticed, and meant.
//!
//! One test is one scenario: replies of the model server, files, configuration, one or more runs. Its golden file is
//! `tests/data/stream/NAME.jsonl`: for each run its arguments, every line of its stdout, exit code and stderr, then what the
//! model was newly sent; at the end the files of the project. All of it goes through `normal`, which says what it leaves out.
//!
//! - `BENCHDOG_GOLDEN=write cargo nextest run -E 'test(golden) | test(old_sessions)'` writes the files anew. Under `CI` it is refused.
//! - `BENCHDOG_GOLDEN_BIN=/path/to/benchdog` runs another binary than this build's: with both, an older one writes the
//!   files that a newer one is held to.

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
