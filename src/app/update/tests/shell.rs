//! Tests a `!command`. A typed command counts as the user's own, and a restored command does not.

use super::*;

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

fn sent(bench: &Bench) -> Option<String> {
    let mut commands = bench.commands().into_iter().rev();
    commands.find_map(|command| match command {
        Command::Shell { command, .. } => Some(command.clone()),
        _ => None,
    })
}

#[test]
fn git_is_run_as_the_line_that_was_typed() {
    let mut bench = Bench::new(120, 24);
    bench.types("/git\n");
    assert_eq!(sent(&bench).as_deref(), Some("git status --short --branch"));
    bench.types("/git log -n 2 'a b'\n");
    assert_eq!(sent(&bench).as_deref(), Some("git log -n 2 'a b'"));
    assert_eq!(typed(&bench), Some(true));
    bench.keys("up enter");
    assert_eq!(typed(&bench), Some(true), "typed a moment ago");
    bench.event(Answer::Unqueued {
        text: "!git log -n 2 'a b'".to_owned(),
    });
    bench.types("\n");
    assert_eq!(typed(&bench), Some(false), "it waited, as any line that comes back");
    bench.types("/git ");
    bench.send(Msg::Paste {
        text: "push".to_owned(),
        at: bench.now,
    });
    bench.types("\n");
    assert_eq!(sent(&bench).as_deref(), Some("git push"));
    assert_eq!(typed(&bench), Some(false), "some of it was pasted");
}

#[test]
fn a_git_line_that_is_refused_stays_to_be_mended() {
    let mut bench = Bench::new(160, 24);
    for line in ["/git -c core.pager=./x log", "/git log; rm x", "/git log 'a"] {
        bench.types(line);
        bench.types("\n");
        assert_eq!(sent(&bench), None, "{line}");
        assert_eq!(bench.state.screen.prompt.buffer.expanded(), line);
        bench.keys("ctrl-c");
    }
}

#[test]
fn what_comes_back_is_typed_only_where_it_was_typed_here() {
    let mut bench = Bench::new(80, 24);
    bench.event(Answer::Draft {
        text: "!ls kept".to_owned(),
        written: None,
    });
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

#[test]
fn git_that_is_chosen_from_the_list_runs_beside_what_is_being_written() {
    let mut bench = Bench::new(120, 40);
    bench.types("my draft");
    bench.keys("ctrl-p");
    bench.types("/git");
    bench.keys("enter");
    assert_eq!(sent(&bench).as_deref(), Some("git status --short --branch"));
    assert_eq!(bench.prompt(), "my draft");
}
