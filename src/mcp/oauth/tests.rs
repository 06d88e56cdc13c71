use super::*;

#[test]
fn offline_access_adds_prompt_consent() {
    let link_for = |scopes: &[&str]| {
        let server = AuthorizationServer {
            authorization_endpoint: "https://auth.example/authorize".to_owned(),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
            ..AuthorizationServer::default()
        };
        let client = Client::new("kennel", None, &server);
        authorization_url(&server, &client, "http://127.0.0.1:1/", "state", "proof")
    };
    let lasting = link_for(&["tools", "offline_access"]);
    assert!(
        lasting.contains("&scope=tools%20offline_access&prompt=consent"),
        "{lasting}"
    );
    assert!(!link_for(&["tools"]).contains("prompt="));
}

#[test]
fn a_redirect_of_another_issuer_is_rejected() {
    let server = AuthorizationServer {
        issuer: "https://auth.example".to_owned(),
        sends_issuer: true,
        ..AuthorizationServer::default()
    };
    let redirect = |issuer: Option<&str>| Redirect {
        code: Ok("code".to_owned()),
        issuer: issuer.map(str::to_owned),
    };
    assert_eq!(
        authorization_code(&server, redirect(Some("https://auth.example")), &[]),
        Ok("code".to_owned())
    );
    for other in [None, Some("https://evil.example")] {
        assert!(
            matches!(
                authorization_code(&server, redirect(other), &[]),
                Err(SignInTrouble::OtherIssuer { .. })
            ),
            "{other:?}"
        );
    }
    let refusal = Redirect {
        code: Err("not for pr00f".to_owned()),
        issuer: Some(server.issuer.clone()),
    };
    let words = "not for [token]".to_owned();
    assert_eq!(
        authorization_code(&server, refusal, &["pr00f"]),
        Err(SignInTrouble::Denied { words })
    );
    let silent = AuthorizationServer {
        sends_issuer: false,
        ..server
    };
    assert_eq!(authorization_code(&silent, redirect(None), &[]), Ok("code".to_owned()));
}
