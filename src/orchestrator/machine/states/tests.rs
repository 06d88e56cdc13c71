use super::{MOVES, may_move};
use benchdog_protocol::TurnState;

fn name(state: TurnState) -> String {
    serde_json::to_value(state).unwrap().as_str().unwrap().to_owned()
}

#[test]
fn the_table_in_the_architecture_page_is_this_one() {
    let page = include_str!("../../../../docs/ARCHITECTURE.md");
    for (from, to) in MOVES {
        let to: Vec<String> = to.iter().map(|state| name(*state)).collect();
        let row = format!("| {} | {} |", name(*from), to.join(", "));
        assert!(page.contains(&row), "the page has no row {row:?}");
    }
}

#[test]
fn every_state_under_way_can_be_interrupted_and_none_at_rest_can() {
    for (state, _) in MOVES {
        assert_eq!(may_move(*state, TurnState::Interrupted), !state.is_rest(), "{state:?}");
    }
}
