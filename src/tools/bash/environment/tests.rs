use super::*;

fn of(pairs: &[(&str, &str)], keys: &[&str]) -> Vec<(String, String)> {
    passing(pairs, keys, &[])
}

fn passing(pairs: &[(&str, &str)], keys: &[&str], passed: &[&str]) -> Vec<(String, String)> {
    let ours = Environment::of(
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    let owned = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    let withheld = Withheld {
        view: View::Whole,
        keys: &owned(keys),
        passed: &owned(passed),
        tmp: None,
    };
    variables(&ours, &withheld, "/work")
}

fn value<'a>(variables: &'a [(String, String)], name: &str) -> Option<&'a str> {
    variables
        .iter()
        .find(|(other, _)| other == name)
        .map(|(_, value)| value.as_str())
}

#[test]
fn secrets_and_named_variables_are_left_out() {
    let found = of(
        &[
            ("PATH", "/bin"),
            ("OPENAI_API_KEY", "sk"),
            ("GH_TOKEN", "t"),
            ("MY_ENDPOINT", "x"),
            ("DB_PASSWORD", "p"),
            ("HOME", "/h"),
        ],
        &["MY_ENDPOINT"],
    );
    for name in ["OPENAI_API_KEY", "GH_TOKEN", "MY_ENDPOINT", "DB_PASSWORD"] {
        assert_eq!(value(&found, name), None, "{name}");
    }
    assert_eq!(value(&found, "PATH"), Some("/bin"));
    assert_eq!(value(&found, "HOME"), Some("/h"));
}

#[test]
fn variables_are_left_out_for_what_they_hold_too_and_passed_where_the_person_says_so() {
    let pairs = [
        ("BACKEND", "postgres://app:hunter2@db/app"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("DOCKER_HOST", "unix:///run/docker.sock"),
        ("SOMETHING", "ghp_0123456789abcdefghijABCDEFGHIJ012345"),
        ("GH_TOKEN", "t"),
        ("PROXY", "http://proxy:3128"),
    ];
    let found = passing(&pairs, &["GH_TOKEN"], &["SSH_AUTH_SOCK", "GH_TOKEN"]);
    for name in ["BACKEND", "DOCKER_HOST", "SOMETHING", "GH_TOKEN"] {
        assert_eq!(value(&found, name), None, "{name}");
    }
    assert_eq!(value(&found, "SSH_AUTH_SOCK"), Some("/run/agent"));
    assert_eq!(value(&found, "PROXY"), Some("http://proxy:3128"));
}

#[test]
fn a_confined_command_has_its_own_folder_for_temporary_files() {
    let ours = Environment::of([("TMPDIR".to_owned(), "/var/folders/x".to_owned())]);
    let told = |tmp: TmpShown| {
        let withheld = Withheld {
            view: View::Whole,
            keys: &[],
            passed: &[],
            tmp: Some(&tmp),
        };
        value(&variables(&ours, &withheld, "/work"), "TMPDIR").map(str::to_owned)
    };
    assert_eq!(told(TmpShown::InPlace), None);
    assert_eq!(told(TmpShown::At("/ours/tmp".into())).as_deref(), Some("/ours/tmp"));
}

#[test]
fn nothing_waits_for_a_person() {
    let found = of(
        &[
            ("PAGER", "less"),
            ("TERM", "xterm-256color"),
            ("GIT_ASKPASS", "/window"),
            ("PWD", "/elsewhere"),
            ("LANG", "de_DE.UTF-8"),
        ],
        &[],
    );
    assert_eq!(value(&found, "PAGER"), Some("cat"));
    assert_eq!(value(&found, "TERM"), Some("dumb"));
    assert_eq!(value(&found, "GIT_ASKPASS"), None);
    assert_eq!(value(&found, "PWD"), Some("/work"));
    assert_eq!(value(&found, "LANG"), Some("de_DE.UTF-8"));
    assert_eq!(value(&of(&[], &[]), "LANG"), Some("C.UTF-8"));
    let mut names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), found.len(), "a variable stands twice");
}

#[test]
fn there_is_always_a_shell() {
    assert!(shell(&Environment::default()).exists());
    let none = Environment::of([("PATH".to_owned(), "/nowhere".to_owned())]);
    assert!(shell(&none).exists());
}
