use super::*;

#[test]
fn a_sign_in_that_is_to_last_asks_the_person_for_it() {
    let link_for = |scopes: &[&str]| {
        let at = Authority {
            authorize: "https://auth.example/authorize".to_owned(),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
            ..Authority::default()
        };
        let client = Client::configured("kennel", None, &at);
        link(&at, &client, "http://127.0.0.1:1/", "state", "proof")
    };
    let lasting = link_for(&["tools", "offline_access"]);
    assert!(
        lasting.contains("&scope=tools%20offline_access&prompt=consent"),
        "{lasting}"
    );
    assert!(!link_for(&["tools"]).contains("prompt="));
}

#[test]
fn a_code_of_another_place_than_was_asked_is_not_taken() {
    let at = Authority {
        issuer: "https://auth.example".to_owned(),
        names_itself: true,
        ..Authority::default()
    };
    let back = |issuer: Option<&str>| Back {
        answer: Ok("code".to_owned()),
        issuer: issuer.map(str::to_owned),
    };
    assert_eq!(
        taken(&at, back(Some("https://auth.example")), &[]),
        Ok("code".to_owned())
    );
    for other in [None, Some("https://evil.example")] {
        assert!(
            matches!(taken(&at, back(other), &[]), Err(SignInTrouble::OtherIssuer { .. })),
            "{other:?}"
        );
    }
    let refusal = Back {
        answer: Err("not for pr00f".to_owned()),
        issuer: Some(at.issuer.clone()),
    };
    let words = "not for [token]".to_owned();
    assert_eq!(taken(&at, refusal, &["pr00f"]), Err(SignInTrouble::Denied { words }));
    let silent = Authority {
        names_itself: false,
        ..at
    };
    assert_eq!(taken(&silent, back(None), &[]), Ok("code".to_owned()));
}
