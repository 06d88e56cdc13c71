use super::*;
use benchdog_domain::checkup::CheckState;

fn certificate(subject: &str, issuer: &str) -> Certificate {
    Certificate {
        subject: subject.to_owned(),
        issuer: issuer.to_owned(),
        from: "2020-01-01T00:00:00".to_owned(),
        until: "2021-01-01T00:00:00".to_owned(),
        is_own_issuer: subject == issuer,
    }
}

#[test]
fn the_certificate_to_be_saved_is_the_one_that_is_sent_or_the_one_that_is_missing() {
    let place = Place {
        host: "models.house".to_owned(),
        port: 8443,
    };
    let judged = |chain: Vec<Certificate>| {
        judged(
            &place,
            &PresentedChain {
                chain,
                verdict: Verdict::UnknownIssuer,
            },
        )
    };
    let (server, root) = (
        certificate("models.house", "House Root"),
        certificate("House Root", "House Root"),
    );
    let whole = judged(vec![server.clone(), root]);
    assert_eq!(whole.state, CheckState::Fail);
    assert!(whole.fix.contains("`network.ca_file`"), "{whole:?}");
    assert!(whole.fix.contains("-connect models.house:8443"), "{whole:?}");
    let alone = judged(vec![server]);
    assert!(alone.detail.contains("`models.house` ← `House Root`"), "{alone:?}");
    assert!(alone.fix.contains("does not send"), "{alone:?}");
}
