use super::*;

fn personal_store(path: &Path, name: &str) -> TokenStore {
    TokenStore::new(path, &SignInOwner::Person, name)
}

#[tokio::test]
async fn tokens_are_stored_by_server_and_url_in_a_private_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data/mcp/credentials.json");
    let store = |name: &str| personal_store(&path, name);
    assert_eq!(store("a").read("https://a").await.unwrap(), None);
    let tokens = TokenSet::manual("t0k");
    store("a").write("https://a", Some(tokens.clone())).await.unwrap();
    store("b")
        .write("https://b", Some(TokenSet::manual("other")))
        .await
        .unwrap();
    assert_eq!(store("a").read("https://a").await.unwrap(), Some(tokens.clone()));
    assert_eq!(store("a").read("https://elsewhere").await.unwrap(), None);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    let second = TokenSet::manual("second");
    store("a").write("https://second", Some(second.clone())).await.unwrap();
    assert_eq!(store("a").read("https://a").await.unwrap(), Some(tokens.clone()));
    let mut both = store("a").remove_all().await.unwrap();
    both.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [("https://a".to_owned(), tokens), ("https://second".to_owned(), second)];
    assert_eq!(both, expected);
    assert_eq!(store("a").read("https://a").await.unwrap(), None);
    assert!(store("b").read("https://b").await.unwrap().is_some());
    let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[tokio::test]
async fn a_personal_sign_in_is_not_used_for_a_folders_server_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("credentials.json");
    let old = r#"{"tokens": [{"server": "a", "url": "https://a", "access": "t0k"}]}"#;
    open_options().write(true).create_new(true).open(&path).unwrap();
    fs::write(&path, old).unwrap();
    let tokens = |text: &str| Some(TokenSet::manual(text));
    let read = async |owner: SignInOwner| TokenStore::new(&path, &owner, "a").read("https://a").await.unwrap();
    let others = [
        SignInOwner::Folder("/work".into()),
        SignInOwner::Folder("/other".into()),
        SignInOwner::Run("/work".into()),
    ];
    assert_eq!(
        read(SignInOwner::Person).await,
        tokens("t0k"),
        "a file of an older version"
    );
    for owner in &others {
        assert_eq!(read(owner.clone()).await, None, "{owner:?}");
        let store = TokenStore::new(&path, owner, "a");
        store.write("https://a", tokens(&format!("{owner:?}"))).await.unwrap();
    }
    assert_eq!(read(SignInOwner::Person).await, tokens("t0k"));
    assert_eq!(personal_store(&path, "a").remove_all().await.unwrap().len(), 1);
    for owner in others {
        assert_eq!(read(owner.clone()).await, tokens(&format!("{owner:?}")));
    }
}

#[tokio::test]
async fn a_file_above_the_limit_is_neither_read_nor_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("credentials.json");
    let keep = async |name: &str, length: usize| {
        let tokens = TokenSet::manual(&"x".repeat(length));
        personal_store(&path, name).write("https://a", Some(tokens)).await
    };
    keep("a", 1_000_000).await.unwrap();
    let told = keep("b", 100_000).await.unwrap_err().to_string();
    assert!(
        told.contains("would hold more than 1") && told.contains("mcp logout"),
        "{told}"
    );
    let kept = personal_store(&path, "a").read("https://a").await.unwrap();
    assert!(kept.is_some(), "what was there stays");
    fs::write(&path, "x".repeat((1 << 20) + 1)).unwrap();
    let told = personal_store(&path, "a")
        .read("https://a")
        .await
        .unwrap_err()
        .to_string();
    assert!(told.contains("holds more than"), "{told}");
}

#[tokio::test]
async fn links_and_files_that_others_can_read_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let (path, victim) = (folder.path().join("credentials.json"), folder.path().join("victim"));
    let store = personal_store(&path, "a");
    let keep = async || store.write("https://a", Some(TokenSet::manual("t0k"))).await;
    fs::write(&victim, "{\"tokens\": []}").unwrap();
    std::os::unix::fs::symlink(&victim, &path).unwrap();
    assert!(store.read("https://a").await.is_err());
    assert!(keep().await.is_err());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "{\"tokens\": []}");
    fs::remove_file(&path).unwrap();
    keep().await.unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let told = store.read("https://a").await.unwrap_err().to_string();
    assert!(told.contains("chmod 600") && !told.contains("t0k"), "{told}");
}

#[test]
fn the_format_of_the_file_does_not_change() {
    let stored = serde_json::json!({"tokens": [{
        "server": "a", "url": "https://a", "whose": {"folder": "/work"},
        "access": "t0k", "refresh": "r3fresh", "until": 1,
        "from": {
            "token": "https://i/token", "revoke": "https://i/revoke", "resource": "https://a",
            "client": {"id": "c", "secret": "s", "shown": "in_header"},
        },
    }]});
    let file: TokenFile = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(serde_json::to_value(file).unwrap(), stored);
}
