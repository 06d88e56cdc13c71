use super::*;

fn of(level: Option<Level>) -> Wanted {
    wanted(&SandboxSettings {
        level,
        ..SandboxSettings::default()
    })
}

#[test]
fn a_command_that_nobody_was_asked_about_is_confined_unless_the_person_switched_it_off() {
    let writes = Granted {
        writes: true,
        ..Granted::default()
    };
    for (level, granted, confined) in [
        (None, Granted::default(), Level::ReadOnly),
        (None, writes, Level::Workspace),
        (Some(Level::Workspace), writes, Level::Workspace),
        (Some(Level::Workspace), Granted::default(), Level::ReadOnly),
        (Some(Level::ReadOnly), writes, Level::ReadOnly),
        (Some(Level::Off), writes, Level::Off),
    ] {
        let unasked = of(level).unasked(granted);
        assert_eq!(unasked.level, confined, "{level:?}");
        assert_eq!(unasked.holds_in(), confined != Level::Off, "{level:?}");
        assert_eq!(unasked.view == View::Project, confined != Level::Off, "{level:?}");
    }
    assert_eq!(of(None).unasked(writes).network, Network::None);
    assert!(
        !of(None).holds_in(),
        "a command that a person allowed runs as they would run it"
    );
}

#[test]
fn a_network_that_is_cut_off_is_asked_for_and_holds_something_in_by_itself() {
    let settings = SandboxSettings {
        network: Network::None,
        ..SandboxSettings::default()
    };
    let wanted = wanted(&settings);
    assert!(wanted.holds_in());
    assert_eq!(wanted.asked_by, AskedBy::Person);
}
