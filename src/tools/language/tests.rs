use super::*;

fn set(tmp: &TmpShown, writes_only_tmp: bool) -> Vec<(String, String)> {
    let inherited = ("CARGO_TARGET_DIR".to_owned(), "/home/user/target".to_owned());
    let mut variables = vec![inherited];
    set_cargo(&mut variables, tmp, writes_only_tmp);
    variables.sort();
    variables
}

#[test]
fn cargo_writes_to_the_tmp_of_the_sandbox_unless_a_folder_is_writable() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let offline = pair("CARGO_NET_OFFLINE", "true");
    let target = |value: &str| pair("CARGO_TARGET_DIR", value);
    assert_eq!(
        set(&TmpShown::InPlace, true),
        [offline.clone(), target("/tmp/cargo-target")]
    );
    assert_eq!(
        set(&TmpShown::At("/run/stage".into()), true),
        [offline.clone(), target("/run/stage/cargo-target")]
    );
    assert_eq!(set(&TmpShown::InPlace, false), [offline, target("/home/user/target")]);
}
