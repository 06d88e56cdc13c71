//! Tests of notes that the model needs for the whole session.

use super::*;
use benchdog_domain::note::Note;

const REPOSITORY: &str = "The branch is `main`; nothing is changed.";

fn rules(folder: &str, bytes: usize) -> String {
    format!("Rules of `{folder}/`: round half to even. {}", text(bytes))
}

impl Desk {
    /// Adds a turn that reads a file in `folder`. The result contains the folder's rules.
    fn reads_in(&mut self, folder: &str, bytes: usize) -> EntryId {
        self.user("look there");
        let call = CallId(format!("in {folder}"));
        let made = ToolCall {
            id: call.clone(),
            name: "read".to_owned(),
            arguments: Arguments::Raw(String::new()),
        };
        self.answer("I look.", vec![made]);
        let result = self.push(Body::ToolResult {
            call,
            tool: "read".to_owned(),
            title: format!("{folder}/a.rs"),
            status: CallStatus::Ok,
            summary: Summary::NotRun,
            output: text(4_000),
            truncated: false,
            notes: vec![
                Note::rules(folder, rules(folder, bytes)),
                "Only of this moment.".to_owned().into(),
            ],
            took_ms: 0,
            places: Vec::new(),
            images: Vec::new(),
        });
        self.answer("Done.", Vec::new());
        self.end();
        result
    }

    fn first_prompt(&mut self) {
        self.turn += 1;
        self.push(Body::User {
            text: "The task.".to_owned(),
            mentions: Vec::new(),
            notes: vec![Note::repository(REPOSITORY.to_owned())],
        });
        self.answer("I begin.", Vec::new());
        self.end();
    }

    fn told(&mut self) -> String {
        read(&self.messages())
    }
}

#[test]
fn rules_of_a_folder_and_what_git_said_stay_through_prunes_and_summaries_once_each() {
    let mut desk = Desk::with(16_000);
    desk.first_prompt();
    desk.reads_in("src/ledger", 100);
    for turn in 0..10 {
        desk.reads(&format!("turn {turn}"), 4_000);
    }
    let told = |desk: &mut Desk| {
        let all = desk.told();
        [REPOSITORY, &rules("src/ledger", 100)].map(|note| all.matches(note).count())
    };
    let Some(Step::Take(pruned)) = step(&mut desk) else {
        panic!("outputs are enough")
    };
    desk.take(pruned);
    assert_eq!(told(&mut desk), [1, 1]);
    for round in 0..3 {
        desk.reads("more", 4_000);
        let plan = desk.bench(POLICY).plan(Why::Asked).expect("turns to summarise");
        let compaction = desk.summarised(plan, &format!("Summary {round}."));
        desk.take(compaction);
        assert_eq!(told(&mut desk), [1, 1], "{}", desk.told());
        assert!(!desk.told().contains("Only of this moment."));
    }
}

#[test]
fn rules_stay_where_the_file_that_brought_them_is_left_out() {
    let mut desk = Desk::with(16_000);
    desk.first_prompt();
    let read = desk.reads_in("src/ledger", 100);
    desk.take(Compaction {
        dropped: vec![read],
        ..Compaction::default()
    });
    let all = desk.told();
    assert!(
        all.contains("took this output out") && all.contains(&rules("src/ledger", 100)),
        "{all}"
    );
    assert!(!all.contains("Only of this moment."));
}

#[test]
fn rules_that_do_not_fit_any_more_are_named_and_a_prompt_is_sendable() {
    let mut desk = Desk::with(9_000);
    desk.first_prompt();
    for folder in ["a", "b", "c", "d", "e", "f"] {
        desk.reads_in(folder, 2_000);
        desk.make_room(POLICY, Some("So far."));
    }
    let alone = desk.bench(POLICY).alone("Go on.");
    assert!(alone <= desk.window.room() / 2, "{alone} of {}", desk.window.room());
    desk.user("Go on.");
    desk.make_room(POLICY, None);
    assert!(desk.used() <= desk.window.room());
    let all = desk.told();
    assert!(
        all.contains(&rules("a", 2_000)) && all.contains("Rules of `f/`"),
        "{all}"
    );
}
