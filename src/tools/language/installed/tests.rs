use super::*;

/// Creates a program, and returns the folders that it may see, relative to the temporary folder.
fn seen(files: &[&str], link: Option<(&str, &str)>, program: &str) -> Vec<String> {
    let root = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(root.path()).unwrap();
    let made = root.join("some/where");
    for file in files {
        let file = made.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    if let Some((from, to)) = link {
        let from = made.join(from);
        fs::create_dir_all(from.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, from).unwrap();
    }
    let found = places(&made.join(program)).into_iter();
    found
        .map(|folder| folder.strip_prefix(&made).unwrap().display().to_string())
        .collect()
}

#[test]
fn a_program_sees_the_folder_around_its_bin() {
    assert_eq!(seen(&["venv/bin/pylsp"], None, "venv/bin/pylsp"), ["venv"]);
    assert_eq!(seen(&["tools/zls"], None, "tools/zls"), ["tools"]);
}

#[test]
fn a_package_sees_the_modules_around_it() {
    let link = Some(("node_modules/.bin/tool", "../tool/cli.js"));
    assert_eq!(
        seen(&["node_modules/tool/cli.js"], link, "node_modules/.bin/tool"),
        ["node_modules"]
    );
}

#[test]
fn a_link_shows_both_folders() {
    let link = Some(("bin/tool", "../opt/tool/bin/tool"));
    assert_eq!(seen(&["opt/tool/bin/tool"], link, "bin/tool"), ["", "opt/tool"]);
}

#[test]
fn a_home_is_not_shown_for_a_program_in_its_bin() {
    let files = ["home/ann/bin/tool", "home/ann/.config/x"];
    assert_eq!(seen(&files, None, "home/ann/bin/tool"), ["home/ann/bin"]);
}
