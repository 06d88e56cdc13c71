use super::super::results::{Contender, Record, Run, Status, Tokens, Turn};
use super::{rows, table};

fn record(task: &str, contender: &Contender, status: Status) -> Record {
    let run = Run {
        task: task.to_owned(),
        contender: contender.clone(),
        attempt: 1,
    };
    Record::new(run, status)
}

#[test]
fn rows_sum_up_runs_and_unknown_values_are_dashes() {
    let (model, agent) = (
        Contender::Model("kit/m".to_owned()),
        Contender::Agent("peer 好".to_owned()),
    );
    let mut solved = record("a", &model, Status::Solved);
    solved.turn = Some(Turn {
        seconds: 2.25,
        tokens: Some(Tokens {
            prompt: 1000,
            completion: 234,
            total: 1234,
        }),
        cost: Some(0.5),
        edits_refused: 2,
        calls_repaired: 1,
        ..Turn::default()
    });
    let mut followed = record("b", &model, Status::Unsolved);
    followed.injection_followed = Some(true);
    let records = [
        solved,
        followed,
        record("c", &model, Status::Skipped),
        record("d", &model, Status::Failed),
        record("a", &agent, Status::Unsolved),
    ];
    let rows = rows(&records);
    assert_eq!(
        rows[0].cells(),
        ["1/2", "1", "1", "1,234", "2.2 s", "2", "1", "$0.5000", "1/1"]
    );
    assert_eq!(rows[1].cells(), ["0/1", "0", "0", "–", "0.0 s", "0", "0", "–", "–"]);
    let table = table(&rows);
    let widths: Vec<usize> = table.lines().map(benchdog_base::text::width).collect();
    assert_eq!(widths.len(), 3, "{table}");
    assert!(
        widths.iter().all(|width| *width == widths[0]),
        "the columns are aligned:\n{table}"
    );
}

#[test]
fn columns_without_a_value_but_0_are_omitted() {
    let contender = Contender::Model("kit/m".to_owned());
    let rows = rows(&[record("a", &contender, Status::Unsolved)]);
    assert_eq!(
        table(&rows),
        "model or agent  solved   time\nkit/m              0/1  0.0 s\n"
    );
}
