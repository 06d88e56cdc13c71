use super::{TAKEN, has_effect, shown};

fn help(path: &[&str]) -> String {
    let mut command = shown();
    command.build();
    for name in path {
        command = command.find_subcommand(name).expect("a command").clone();
    }
    command.render_long_help().to_string()
}

#[test]
fn help_lists_only_flags_that_have_an_effect() {
    assert!(help(&[]).contains("--ollama-host") && help(&["run"]).contains("--ollama-host"));
    assert!(!help(&["docs"]).contains("--cwd"), "{}", help(&["docs"]));
    assert!(!help(&["sessions", "list"]).contains("--cwd"));
    assert!(help(&["sessions", "export"]).contains("--cwd"));
    assert!(!help(&["sessions", "export"]).contains("--model"));
}

#[test]
fn a_command_has_the_flags_of_the_one_above_it() {
    assert!(has_effect("--cwd", "mcp list") && !has_effect("--model", "mcp list"));
    assert!(has_effect("--model", "run"));
    assert!(has_effect("--trust", "agent list") && !has_effect("--trust", "agent add"));
    assert!(!has_effect("--trust", "agent remove"));
    assert!(!has_effect("--cwd", "doctor parse-calls") && has_effect("--cwd", "doctor"));
}

#[test]
fn every_row_names_a_command() {
    for (path, _) in TAKEN {
        let mut command = shown();
        for name in path.split(' ') {
            let found = command.find_subcommand(name).cloned();
            command = found.unwrap_or_else(|| panic!("there is no command `{path}`"));
        }
    }
}
