use super::*;

fn of_person(path: &Path, name: &str) -> Purse {
    Purse::of(path, &Whose::Person, name)
}

#[tokio::test]
async fn a_token_is_kept_for_one_address_in_a_file_of_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data/mcp/credentials.json");
    let purse = |name: &str| of_person(&path, name);
    assert_eq!(purse("a").read("https://a").await.unwrap(), None);
    let granted = Granted::written("t0k");
    purse("a").keep("https://a", Some(granted.clone())).await.unwrap();
    purse("b")
        .keep("https://b", Some(Granted::written("other")))
        .await
        .unwrap();
    assert_eq!(purse("a").read("https://a").await.unwrap(), Some(granted.clone()));
    assert_eq!(purse("a").read("https://elsewhere").await.unwrap(), None);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    let second = Granted::written("second");
    purse("a").keep("https://second", Some(second.clone())).await.unwrap();
    assert_eq!(purse("a").read("https://a").await.unwrap(), Some(granted.clone()));
    let mut both = purse("a").empty().await.unwrap();
    both.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [("https://a".to_owned(), granted), ("https://second".to_owned(), second)];
    assert_eq!(both, expected);
    assert_eq!(purse("a").read("https://a").await.unwrap(), None);
    assert!(purse("b").read("https://b").await.unwrap().is_some());
    let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[tokio::test]
async fn a_sign_in_of_the_persons_is_none_of_a_folders_that_calls_a_server_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("credentials.json");
    let old = r#"{"tokens": [{"server": "a", "url": "https://a", "access": "t0k"}]}"#;
    options().write(true).create_new(true).open(&path).unwrap();
    fs::write(&path, old).unwrap();
    let granted = |text: &str| Some(Granted::written(text));
    let read = async |whose: Whose| Purse::of(&path, &whose, "a").read("https://a").await.unwrap();
    let others = [
        Whose::Folder("/work".into()),
        Whose::Folder("/other".into()),
        Whose::Run("/work".into()),
    ];
    assert_eq!(read(Whose::Person).await, granted("t0k"), "a file of before");
    for whose in &others {
        assert_eq!(read(whose.clone()).await, None, "{whose:?}");
        let purse = Purse::of(&path, whose, "a");
        purse.keep("https://a", granted(&format!("{whose:?}"))).await.unwrap();
    }
    assert_eq!(read(Whose::Person).await, granted("t0k"));
    assert_eq!(of_person(&path, "a").empty().await.unwrap().len(), 1);
    for whose in others {
        assert_eq!(read(whose.clone()).await, granted(&format!("{whose:?}")));
    }
}

#[tokio::test]
async fn a_file_is_as_long_as_is_read_and_what_is_longer_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("credentials.json");
    let keep = async |name: &str, length: usize| {
        let granted = Granted::written(&"x".repeat(length));
        of_person(&path, name).keep("https://a", Some(granted)).await
    };
    keep("a", 1_000_000).await.unwrap();
    let told = keep("b", 100_000).await.unwrap_err().to_string();
    assert!(
        told.contains("would hold more than 1") && told.contains("mcp logout"),
        "{told}"
    );
    let kept = of_person(&path, "a").read("https://a").await.unwrap();
    assert!(kept.is_some(), "what was there stays");
    fs::write(&path, "x".repeat((1 << 20) + 1)).unwrap();
    let told = of_person(&path, "a").read("https://a").await.unwrap_err().to_string();
    assert!(told.contains("holds more than"), "{told}");
}

#[tokio::test]
async fn no_link_is_followed_and_nothing_that_others_can_read_counts() {
    let folder = tempfile::tempdir().unwrap();
    let (path, victim) = (folder.path().join("credentials.json"), folder.path().join("victim"));
    let purse = of_person(&path, "a");
    let keep = async || purse.keep("https://a", Some(Granted::written("t0k"))).await;
    fs::write(&victim, "{\"tokens\": []}").unwrap();
    std::os::unix::fs::symlink(&victim, &path).unwrap();
    assert!(purse.read("https://a").await.is_err());
    assert!(keep().await.is_err());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "{\"tokens\": []}");
    fs::remove_file(&path).unwrap();
    keep().await.unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let told = purse.read("https://a").await.unwrap_err().to_string();
    assert!(told.contains("chmod 600") && !told.contains("t0k"), "{told}");
}
