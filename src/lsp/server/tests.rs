use super::*;

fn definition() -> Definition {
    Definition {
        name: "fake".to_owned(),
        program: "fake".to_owned(),
        arguments: Vec::new(),
        environment: Vec::new(),
        files: vec!["*.txt".to_owned()],
        settings: json!({}),
        warnings: false,
        writable: Vec::new(),
        pinned: Vec::new(),
        root: "/p".into(),
        is_trusted: true,
    }
}

#[tokio::test]
async fn the_wait_for_a_hung_server_ends_and_the_next_edit_begins_another() {
    let server = Arc::new(Server::new(definition(), Notices::default()));
    let (client, _queue) = Client::new("/p".into(), json!({}));
    let client = Arc::new(client);
    let edit = FileEdit {
        path: "/p/a.txt".into(),
        before: None,
        after: Some("one".into()),
    };
    for _ in 0..2 {
        server.catch_up(&client, std::slice::from_ref(&edit), deadline_in(SHORT_WAIT));
        assert!(server.is_catching_up.load(Ordering::Relaxed));
        let tasks = std::mem::take(&mut *server.tasks.lock().unwrap());
        assert_eq!(tasks.len(), 1);
        let end = before_deadline(deadline_in(START_TIMEOUT), tasks.join_all()).await;
        assert!(end.is_some());
        let flags = (&server.is_behind, &server.is_catching_up);
        assert!(flags.0.load(Ordering::Relaxed) && !flags.1.load(Ordering::Relaxed));
    }
}
