use std::time::Duration;

use super::*;

#[tokio::test]
async fn what_was_written_before_somebody_waits_for_it_is_told() {
    let mut paper = start(Vec::new());
    paper.print("a".to_owned());
    paper.goes_on().await.unwrap();
    while !paper.is_written() {
        tokio::task::yield_now().await;
    }
    let told = tokio::time::timeout(Duration::from_secs(20), paper.goes_on()).await;
    assert_eq!(told, Ok(Ok(())));
    let again = tokio::time::timeout(Duration::from_millis(20), paper.goes_on()).await;
    assert!(again.is_err(), "nothing is left to tell");
}
