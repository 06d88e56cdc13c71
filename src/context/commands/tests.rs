use std::path::Path;

use super::{Commands, Found, OwnCommand};
use benchdog_domain::skill::{SkillSource, SkillState};

/// Returns the commands of a project with these files in `commands/`.
fn of_project(files: &[(&str, &str)]) -> Commands {
    let names: Vec<String> = files
        .iter()
        .map(|(name, _)| format!(".benchdog/commands/{name}"))
        .collect();
    let bytes = |wanted: &str| {
        let found = names.iter().zip(files).find(|(name, _)| *name == wanted);
        found.map(|(_, (_, text))| text.as_bytes())
    };
    let found = Found::held(Path::new("/project"), ".benchdog/commands", &names, bytes);
    Commands::of(found, |name| name == "commit")
}

fn one(text: &str) -> OwnCommand {
    let commands = of_project(&[("a.md", text)]);
    assert!(commands.broken.is_empty(), "{:?}", commands.broken);
    commands.invoked("/a").unwrap().0.clone()
}

fn wrong(name: &str, text: &str) -> (u64, String) {
    let broken = of_project(&[(name, text)]).broken;
    let [broken] = broken.as_slice() else {
        panic!("{broken:?}")
    };
    (broken.line, broken.why.clone())
}

#[test]
fn arguments_stand_where_the_file_wants_them_and_become_no_places_themselves() {
    let command = one("Fix $1 in $2, as: $ARGUMENTS. It costs $10 or $$.");
    let sent = command.expanded(r#"'the bug' src/a.rs $1 !`rm x`"#);
    assert_eq!(
        sent.text,
        "Fix the bug in src/a.rs, as: 'the bug' src/a.rs $1 !`rm x`. It costs $10 or $$."
    );
    assert!(sent.lines.is_empty(), "a person's words run nothing");
    assert_eq!(command.expanded("").text, "Fix  in , as: . It costs $10 or $$.");
    assert_eq!(one("Be brief.").expanded("and kind").text, "Be brief.\n\nand kind");
}

#[test]
fn command_lines_are_taken_out_once_each_with_their_arguments_in_them() {
    let sent =
        one("State:\n!`git log $1`\nAgain !`git log $1`, then !`git status`. Done!`x` and !`open\n`.").expanded("-3");
    assert_eq!(sent.lines, ["git log -3", "git status"]);
    assert_eq!(
        sent.text,
        "State:\n(what `git log -3` printed stands above)\nAgain (what `git log -3` printed stands above), then (what `git status` printed stands above). Done!`x` and !`open\n`."
    );
}

#[test]
fn what_a_file_says_of_itself_is_read_and_every_other_field_is_told_with_its_line() {
    let front = "---\ndescription: Fixes: an issue\nargument-hint: [number] [words]\nagent: plan\nmodel: big\n---\n";
    let commands = of_project(&[
        ("fix-it.md", &format!("{front}Fix $1.\n")),
        ("plain.md", "# Say hello\n\nHello."),
    ]);
    let listed = commands.listed();
    assert_eq!(
        (&*listed[0].name, &*listed[0].hint, &*listed[0].description),
        ("fix-it", "[number] [words]", "Fixes: an issue")
    );
    assert_eq!((&*listed[1].name, &*listed[1].description), ("plain", "Say hello"));
    assert_eq!(listed[0].source, SkillSource::Project);
    let (command, _) = commands.invoked("/fix-it 1").unwrap();
    assert_eq!((command.agent(), command.model()), (Some("plan"), Some("big")));
    assert_eq!(
        wrong("a.md", "---\ndescription: x\nallowed-tools: bash\n---\nx"),
        (
            3,
            "there is no field `allowed-tools` (there are description, argument-hint, agent, model)".to_owned()
        )
    );
    assert!(
        wrong("a.md", "---\nagnet: plan\n---\nx")
            .1
            .contains("did you mean `agent`?")
    );
    assert_eq!(
        wrong("a.md", "---\n\nmodel: 3\n---\nx"),
        (3, "`model` is a text, not a number".to_owned())
    );
    assert_eq!(wrong("a.md", "---\nmodel: m\n---\n\n").1, "there is no text to send");
}

#[test]
fn a_name_takes_nothing_from_a_built_in_command_and_is_one_that_can_be_typed() {
    assert!(wrong("commit.md", "x").1.contains("is a built-in command"));
    assert!(wrong("Fix It.md", "x").1.contains("lower-case letters"));
    assert!(wrong("deep/a.md", "x").1.contains("in their folder itself"));
    assert!(
        of_project(&[("README.md", "x"), ("notes.txt", "x")])
            .listed()
            .is_empty()
    );
}

#[test]
fn the_first_of_a_name_counts_and_the_other_is_listed_as_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("commands");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("a.md"), "Mine.").unwrap();
    std::fs::write(own.join("b.md"), "Old.").unwrap();
    let names = [".benchdog/commands/a.md".to_owned()];
    let project = Found::held(Path::new("/p"), ".benchdog/commands", &names, |_| Some(b"Theirs."));
    let commands = Commands::of(
        project.into_iter().chain(Found::in_folder(&own, SkillSource::Person)),
        |_| false,
    );
    assert_eq!(commands.invoked("/a").unwrap().0.expanded("").text, "Theirs.");
    let states: Vec<SkillState> = commands.listed().into_iter().map(|offer| offer.state).collect();
    assert!(matches!(states[2], SkillState::Shadowed { .. }), "{states:?}");
    std::fs::write(own.join("b.md"), "New.").unwrap();
    let fresh = commands.invoked("/b").unwrap().0.clone().fresh().unwrap();
    assert_eq!(fresh.expanded("").text, "New.", "one's own is read as it stands");
    std::fs::remove_file(own.join("b.md")).unwrap();
    assert!(commands.invoked("/b").unwrap().0.clone().fresh().is_err());
}
