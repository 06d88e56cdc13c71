use super::*;
use benchdog_domain::confinement::Missing;

fn health(level: Option<Level>, network: Network, missing: Part) -> Health {
    let settings = SandboxSettings {
        level,
        network,
        ..SandboxSettings::default()
    };
    let tried = Confinement {
        level: Level::Workspace,
        network: Network::None,
        missing: vec![Missing {
            part: missing,
            why: "refused".to_owned(),
        }],
    };
    Health::of(&settings, tried, vec!["GH_TOKEN".to_owned()], Vec::new())
}

#[test]
fn it_is_well_unless_something_that_is_asked_for_is_missing() {
    let well = |level, network, missing| health(level, network, missing).is_well();
    assert!(well(None, Network::Inherit, Part::Landlock));
    assert!(well(Some(Level::Off), Network::Inherit, Part::Mounts));
    assert!(well(Some(Level::Workspace), Network::Inherit, Part::Network));
    assert!(!well(Some(Level::Workspace), Network::Inherit, Part::Landlock));
    assert!(!well(None, Network::None, Part::Network));
}

#[test]
fn both_ways_of_telling_name_the_missing_part_and_the_withheld_variable() {
    let health = health(Some(Level::ReadOnly), Network::Inherit, Part::Calls);
    let told = health.json();
    assert_eq!(
        (&told["ok"], &told["confinement"]["level"]),
        (&json!(false), &json!("read-only"))
    );
    let missing = json!({"part": "calls", "holds": false, "why": "refused"});
    assert_eq!(told["confinement"]["parts"][3], missing);
    assert_eq!(told["environment"]["withheld"][0], "GH_TOKEN");
    let text = health.text();
    for word in ["read-only", "seccomp", "refused", "GH_TOKEN", "`run` denies them"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}
