use super::FirstStartCard;
use benchdog_domain::agent::Readiness;
use benchdog_lang::{Word, word};
use benchdog_protocol::FoundServer;

#[test]
fn a_server_without_models_is_no_invitation_to_choose_one() {
    let server = FoundServer {
        base_url: "http://127.0.0.1:11434/v1".to_owned(),
        readiness: Readiness::Ready,
        models: Vec::new(),
    };
    let rows = FirstStartCard { found: vec![server] }.rows();
    assert!(rows[1].ends_with(word(Word::NoModels)), "{rows:?}");
    assert_eq!(rows.last().unwrap(), word(Word::SetupHow));
    assert!(!rows.iter().any(|row| row == word(Word::ChooseModel)));
}
