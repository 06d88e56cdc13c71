//! A `!command`: what was typed is the person's own, and what was kept somewhere is not.

use super::*;

/// Whether the newest command counts as typed.
fn typed(bench: &Bench) -> Option<bool> {
    let mut commands = bench.commands().into_iter().rev();
    commands.find_map(|command| match command {
        Command::Shell { typed, .. } => Some(*typed),
        _ => None,
    })
}

#[test]
fn a_shell_line_is_typed_unless_some_of_it_was_pasted_or_came_back() {
    let mut bench = Bench::new(80, 24);
    bench.types("!ls ");
    bench.send(Msg::Paste {
        text: "src".to_owned(),
        at: bench.now,
    });
    bench.types("\n");
    assert_eq!(typed(&bench), Some(false));
    bench.types("!ls\n");
    assert_eq!(typed(&bench), Some(true));
    bench.send(Msg::Paste {
        text: "!ls".to_owned(),
        at: bench.now,
    });
    bench.keys("ctrl-c");
    bench.types("!ls\n");
    assert_eq!(typed(&bench), Some(true), "nothing of the paste is left");
    bench.event(Answer::Unqueued { text: "!ls".to_owned() });
    bench.types("\n");
    assert_eq!(typed(&bench), Some(false));
}

#[test]
fn what_comes_back_is_typed_only_where_it_was_typed_here() {
    let mut bench = Bench::new(80, 24);
    bench.event(Answer::Draft("!ls kept".to_owned()));
    bench.types("\n");
    assert_eq!(typed(&bench), Some(false), "a draft of an earlier day");
    bench.keys("up enter");
    assert_eq!(typed(&bench), Some(false), "from the history");
    bench.types("!ls\n");
    bench.keys("up enter");
    assert_eq!(typed(&bench), Some(true), "typed a moment ago");
    bench.send(Msg::Paste {
        text: "!ls src".to_owned(),
        at: bench.now,
    });
    bench.keys("ctrl-c up enter");
    assert_eq!(typed(&bench), Some(false), "pasted, put away and taken out again");
}
