//! The page about servers: every configuration on it is one, and no key stands in it.

use std::path::PathBuf;

use crate::support::home::Home;

/// The blocks between the marks of code.
fn blocks(page: &str) -> Vec<&str> {
    let parts = page.split("```jsonc\n").skip(1);
    parts.filter_map(|part| Some(part.split_once("```")?.0)).collect()
}

#[test]
fn every_configuration_of_the_page_is_sound() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/servers.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let blocks = blocks(&page);
    assert!(blocks.len() >= 9, "{} blocks", blocks.len());
    for block in &blocks {
        let home = Home::bare();
        home.configure_text(block);
        let run = home.run(&["config", "check"]);
        assert_eq!(run.code, Some(0), "{block}\n{run}");
    }
    for address in [
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        "https://dashscope-us.aliyuncs.com/compatible-mode/v1",
    ] {
        assert!(blocks.iter().any(|block| block.contains(address)), "{address}");
    }
}
