use super::*;

fn help(now: &[Action]) -> Help {
    Help::new(&Keymap::default(), Scope::Prompt, now)
}

fn picture(help: &Help) -> Vec<String> {
    let row = |row: &HelpRow| match row {
        HelpRow::Heading(title) => title.clone(),
        HelpRow::Entry { keys, title, .. } => format!("{keys} {title}"),
    };
    help.rows().iter().map(row).collect()
}

#[test]
fn what_matters_now_comes_first() {
    let mut help = help(&[
        Action::Global(GlobalAction::Approvals),
        Action::Prompt(PromptAction::Send),
    ]);
    help.arrange(80, 10);
    let picture = picture(&help);
    assert!(picture[1].starts_with("Alt+A"), "{picture:?}");
    assert!(picture[2].starts_with("Enter"), "{picture:?}");
    let rows = |title: &str| picture.iter().filter(|row| row.ends_with(title)).count();
    assert_eq!(rows(" Keyboard shortcuts"), 1, "once, not again below: {picture:?}");
    assert_eq!(help.sections[0].rows.len(), MOST_USED);
}

#[test]
fn nothing_is_cut_at_any_width_and_every_row_is_reached() {
    for width in [24, 32, 76, 120] {
        let mut help = help(&[]);
        help.arrange(width, 7);
        let mut titles = String::new();
        for row in help.rows() {
            if let HelpRow::Entry { keys, title, column } = row {
                assert!(columns(keys) + 2 <= usize::from(*column), "{width}: {keys}");
                assert!(
                    columns(title) + usize::from(*column) <= usize::from(width),
                    "{width}: {title}"
                );
                titles.extend(title.split_whitespace());
            }
        }
        for entry in help.sections.iter().flat_map(|section| &section.rows) {
            let title: String = entry.title.split_whitespace().collect();
            assert!(titles.contains(&title), "{width}: {title}");
        }
        help.scroll(isize::MAX / 2);
        help.arrange(width, 7);
        assert_eq!(help.top + 7, help.rows().len());
    }
}

#[test]
fn what_is_typed_leaves_the_rows_that_have_all_its_words() {
    let mut help = help(&[]);
    help.edit(|filter| filter.push_str("f1 KEYBOARD"));
    help.arrange(80, 10);
    let picture = picture(&help);
    assert_eq!(picture.len(), 2, "its section and its row: {picture:?}");
    assert!(picture[1].ends_with("Keyboard shortcuts"), "{picture:?}");
    help.edit(|filter| *filter = "copy".to_owned());
    help.arrange(80, 10);
    let found = self::picture(&help);
    assert!(found.iter().any(|row| row.starts_with("/copy ")), "{found:?}");
    help.edit(|filter| filter.push_str(" nonsense"));
    help.arrange(80, 10);
    assert!(help.rows().is_empty());
}
