//! Messages about importing another program's configuration.

use super::say;
use benchdog_domain::importing::Why;

pub fn import_nothing(from: &str) -> String {
    say("import-nothing", &[("from", from)])
}

pub fn import_read(file: &str) -> String {
    say("import-read", &[("file", file)])
}

pub fn import_keys(file: &str) -> String {
    say("import-keys", &[("file", file)])
}

pub fn import_file(file: &str, theirs: &str) -> String {
    say("import-file", &[("file", file), ("theirs", theirs)])
}

pub fn import_left() -> String {
    say("import-left", &[])
}

pub fn import_unwritten() -> String {
    say("import-unwritten", &[])
}

pub fn import_written() -> String {
    say("import-written", &[])
}

pub fn import_allow(tool: &str, pattern: &str, theirs: &str) -> String {
    say(
        "import-allow",
        &[("tool", tool), ("pattern", pattern), ("theirs", theirs)],
    )
}

pub fn import_why(why: &Why) -> String {
    match why {
        Why::Nothing => say("import-why-nothing", &[]),
        Why::Otherwise(key) => say("import-why-otherwise", &[("key", key)]),
        Why::OfFolder => say("import-why-of-folder", &[]),
        Why::Secret => say("import-why-secret", &[]),
        Why::Variable(name) => say("import-why-variable", &[("name", name)]),
        Why::Link => say("import-why-link", &[]),
        Why::Taken => say("import-why-taken", &[]),
        Why::Unconfirmed => say("import-why-unconfirmed", &[]),
        Why::Milder { key, pattern } => say("import-why-milder", &[("key", key), ("pattern", pattern)]),
        Why::Twice => say("import-why-twice", &[]),
        Why::Limits => say("import-why-limits", &[]),
        Why::Quotes(line) => say("import-why-quotes", &[("line", line)]),
        Why::Form => say("import-why-form", &[]),
        Why::Refused(why) => why.clone(),
    }
}
