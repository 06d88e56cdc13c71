use super::*;

#[tokio::test]
async fn one_theme_is_read_at_a_time_and_it_is_known_that_another_was_chosen_since() {
    let mut reading = NextTheme::default();
    let (answers, disk) = std::sync::mpsc::channel::<()>();
    let slow = move || disk.recv().ok().map(|()| Theme::shipped("dark", Depth::Full));
    assert!(reading.begin(slow));
    assert!(!reading.is_outdated);
    for _ in 0..3 {
        assert!(reading.begin(|| None));
    }
    answers.send(()).unwrap();
    assert!(reading.next().await.is_some(), "no second one was begun");
    assert!(reading.is_outdated);
    assert!(reading.begin(|| None));
    assert!(!reading.is_outdated && reading.next().await.is_none());
}
