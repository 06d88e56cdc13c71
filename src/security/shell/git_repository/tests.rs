use super::*;

#[test]
fn a_configuration_is_tame_only_when_every_key_of_it_is() {
    let tame = is_configuration_tame;
    assert!(tame(
        "[core]\n\tbare = false\n\tfilemode = true\n[remote \"origin\"]\n\turl = https://h/x\n\tfetch = +a:b\n[branch \"main\"]\n\tremote = origin\n"
    ));
    for text in [
        "[core]\n\tfsmonitor = ./x",
        "[core] fsmonitor = ./x",
        "[diff]\n\texternal = x",
        "[diff \"x\"]\n\ttextconv = x",
        "[filter \"x\"]\n\tclean = x",
        "[include]\n\tpath = x",
        "[includeIf \"gitdir:x\"]\n\tpath = x",
        "[remote \"o\"]\n\tuploadpack = x",
        "[core]\n\tpager = x\\\n y",
        "[core]\n\tworktree = /",
        "[gpg]\n\tprogram = x",
        "[extensions]\n\tworktreeConfig = true",
    ] {
        assert!(!tame(text), "{text}");
    }
}
