//! Tests the highlighting cache: a frame always equals a frame without a cache.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rig::Rig;

use super::*;
use crate::Worker;

/// Variants of a line above the viewport. Some of them turn everything below into a comment or string.
const ABOVE: [&str; 4] = ["let b = 1;", "/*", "let s = \"", "x"];

#[derive(Debug, Clone, Copy)]
enum Step {
    Key(&'static str),
    Wait,
    /// Another call proposes a change of this file, with this line above.
    Proposal(&'static str, usize),
    /// The pending proposal is rebuilt with this line above.
    Edition(usize),
    Says(&'static str),
}

fn text(above: usize, changed: &str) -> String {
    let line = |n| match n {
        100 => format!("{}\n", ABOVE[above]),
        240 => format!("{changed}\n"),
        n => format!("let a{n} = {n};\n"),
    };
    (0..260).map(line).collect()
}

struct Scene {
    rig: Rig,
    path: &'static str,
}

impl Scene {
    fn take(&mut self, step: Step) {
        let sides = |above| (text(above, "let y = 0;"), text(above, "let y = 1;"));
        match step {
            Step::Key(keys) => self.rig.keys(keys),
            Step::Wait => self.rig.wait(600),
            Step::Proposal(path, above) => {
                let (before, after) = sides(above);
                self.rig.proposes(path, (&before, &after));
                self.path = path;
            }
            Step::Edition(above) => {
                let (before, after) = sides(above);
                self.rig.proposes_anew(self.path, (&before, &after));
            }
            Step::Says(text) => self.rig.event(Live::Text(text.to_owned())),
        }
    }
}

/// Runs the steps. Returns the worker, and the first step after which the frames with and without cache differ.
fn played(steps: &[Step], worker: Worker) -> (Worker, Option<Step>) {
    let mut scene = Scene {
        rig: Rig::new(120, 30).works_with(worker),
        path: "src/money.rs",
    };
    let mut differs = None;
    for step in [Step::Proposal(scene.path, 0)].iter().chain(steps) {
        scene.take(*step);
        let (warm, fresh) = scene.rig.warm_and_fresh();
        if warm != fresh {
            differs = Some(*step);
            break;
        }
    }
    (scene.rig.into_worker(), differs)
}

#[test]
fn what_is_proposed_anew_with_another_line_out_of_view_has_its_own_colours() {
    let mut worker = Worker::default();
    for path in ["src/money.rs", "notes.txt"] {
        for steps in [
            [Step::Proposal(path, 0), Step::Edition(1), Step::Edition(0)],
            [
                Step::Proposal(path, 1),
                Step::Proposal(path, 2),
                Step::Proposal(path, 0),
            ],
        ] {
            let (after, differs) = played(&steps, worker);
            worker = after;
            assert!(differs.is_none(), "{path}: behind {differs:?} of {steps:?}");
        }
    }
}

#[test]
fn the_colours_never_tell_what_was_drawn_before() {
    let keys = [
        "alt-a", "esc", "]", "[", "up", "down", "pageup", "pagedown", "home", "end", "u", "w", "o", "space", "x", "f",
        "e", "ctrl-s", "/", "enter", "alt-1",
    ];
    let path = || prop::sample::select(vec!["src/money.rs", "src/total.rs", "notes.txt"]);
    let step = prop_oneof![
        6 => prop::sample::select(keys.to_vec()).prop_map(Step::Key),
        2 => Just(Step::Wait),
        1 => (path(), 0..ABOVE.len()).prop_map(|(path, above)| Step::Proposal(path, above)),
        2 => (0..ABOVE.len()).prop_map(Step::Edition),
        1 => prop::sample::select(vec!["```rust\n", "/*\n", "let a = 1;\n", "let b", "\n```\n"]).prop_map(Step::Says),
    ];
    let mut runner = TestRunner::new(Config {
        cases: 10,
        failure_persistence: None,
        ..Config::default()
    });
    // All cases share the worker, because loading the syntaxes takes long.
    let worker = RefCell::new(Worker::default());
    let outcome = runner.run(&prop::collection::vec(step, 1..8), |steps| {
        let (after, differs) = played(&steps, worker.take());
        worker.replace(after);
        prop_assert!(differs.is_none(), "behind {:?} of {:?}", differs, steps);
        Ok(())
    });
    outcome.unwrap();
}
