use std::time::Instant;

use tempfile::TempDir;

use super::*;
use benchdog_domain::history::History;

const DRAFT: &str = "/folder";

fn session() -> SessionId {
    SessionId("one".to_owned())
}

fn begins(text: &str) -> Unlogged {
    Unlogged {
        begins: Some(text.to_owned()),
        waits: Vec::new(),
    }
}

async fn is_stored(storage: &Storage) -> bool {
    !storage.unsent(&session(), &History::default()).await.is_empty()
}

#[tokio::test]
async fn a_prompt_is_stored_without_a_delay() {
    let home = TempDir::new().unwrap();
    let storage = Storage::start(home.path()).unwrap();
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        let mut keeper = Keeper::new(false);
        let sent = Instant::now();
        keeper.note(&storage, (&session(), None), EntryId(1), begins("go on"));
        while !is_stored(&storage).await {
            tokio::task::yield_now().await;
        }
        fastest = fastest.min(sent.elapsed());
        keeper.note(&storage, (&session(), None), EntryId(2), Unlogged::default());
        keeper.end().await;
        assert!(!is_stored(&storage).await, "it is logged");
    }
    assert!(fastest < Duration::from_millis(20), "{fastest:?}");
}

#[tokio::test]
async fn a_prompt_of_an_empty_log_is_the_draft_until_it_is_logged() {
    let home = TempDir::new().unwrap();
    let storage = Storage::start(home.path()).unwrap();
    for is_logged in [true, false] {
        let mut keeper = Keeper::new(false);
        keeper.note(&storage, (&session(), Some(DRAFT)), EntryId(0), begins("begin"));
        if is_logged {
            keeper.note(&storage, (&session(), None), EntryId(2), Unlogged::default());
        }
        keeper.end().await;
        let expected = if is_logged { "" } else { "begin" };
        assert_eq!(storage.draft(DRAFT).await.unwrap().text, expected);
    }
}

#[tokio::test]
async fn a_prompt_of_a_killed_process_that_was_not_shown_survives_the_next_first_prompt() {
    let home = TempDir::new().unwrap();
    let storage = Storage::start(home.path()).unwrap();
    for (is_logged, expected) in [(false, "fix the date\n\nbegin"), (true, "fix the date")] {
        storage.keep_first_prompt(DRAFT, "fix the date".to_owned()).await;
        let mut keeper = Keeper::new(false);
        keeper.note(&storage, (&session(), Some(DRAFT)), EntryId(0), begins("begin"));
        while !storage
            .first_prompt(DRAFT)
            .await
            .is_some_and(|text| text.contains("begin"))
        {
            tokio::task::yield_now().await;
        }
        if is_logged {
            keeper.note(&storage, (&session(), None), EntryId(2), Unlogged::default());
        }
        keeper.end().await;
        assert_eq!(storage.first_prompt(DRAFT).await.as_deref(), Some(expected));
    }
}
