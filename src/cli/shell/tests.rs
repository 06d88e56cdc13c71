use clap::{CommandFactory, ValueEnum};

use super::{Shell, completions, manual, manuals};
use crate::cli::Cli;

fn visible() -> Vec<String> {
    let command = Cli::command();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    shown.map(|command| command.get_name().to_owned()).collect()
}

#[test]
fn every_shell_completes_every_command() {
    for shell in Shell::value_variants() {
        let script = completions(*shell);
        for name in visible() {
            assert!(script.contains(&name), "{shell:?} does not know `{name}`");
        }
        assert!(!script.contains("exec-child"), "{shell:?} offers a hidden command");
    }
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    manuals(folder.path()).unwrap();
    for name in visible() {
        assert!(
            folder.path().join(format!("benchdog-{name}.1")).exists(),
            "no page for `{name}`"
        );
    }
    assert!(manual().unwrap().contains(".SH OPTIONS"));
}
