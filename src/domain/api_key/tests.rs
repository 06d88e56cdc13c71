use super::*;

#[test]
fn no_log_shows_a_key() {
    assert_eq!(format!("{:?}", ApiKey::new(" sk-secret ")), "ApiKey");
    assert_eq!(ApiKey::new(" sk-secret ").get(), Some("sk-secret"));
    assert_eq!(ApiKey::new(" ").get(), None);
}
