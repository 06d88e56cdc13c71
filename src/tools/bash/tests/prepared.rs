//! Preparation of calls, and refused calls.

use super::*;

#[tokio::test]
async fn what_is_prepared_is_what_a_person_sees() {
    let bench = Bench::with(&[("sub/x", "")]);
    let arguments = json!({"cmd": "cargo test\nls", "description": "see it", "timeout": 5, "cwd": "sub"});
    let prepared = bench.prepare("shell", arguments).await.unwrap();
    assert_eq!(prepared.tool, "bash");
    assert_eq!(prepared.title, "cargo test …");
    let ([Subject::Command(line)], Review::Command(review)) = (&*prepared.subjects, &*prepared.review) else {
        panic!("a command")
    };
    assert_eq!(
        (line.command.as_str(), line.workdir.as_str()),
        ("cargo test\nls", "sub")
    );
    let judged = (line.analysis.class, &line.analysis.parts, &line.analysis.writes);
    assert_eq!((review.class, &review.parts, &review.writes), judged);
    assert_eq!(
        (
            review.runs.limit_ms(),
            review.workdir.as_str(),
            review.reason.as_deref()
        ),
        (Some(5_000), "sub", Some("see it"))
    );
    let tools = Registry::builtin();
    let call = tools
        .command_call(CallId("check".to_owned()), "make test", Some(600_000))
        .unwrap();
    let prepared = prepare(&call, &bench.cx).await.unwrap();
    assert_eq!(
        (&*prepared.tool, prepared.call.0.as_str(), prepared.title.as_str()),
        ("bash", "check", "make test")
    );
}

#[tokio::test]
async fn the_time_limit_knows_seconds_from_milliseconds() {
    let bench = Bench::new();
    for (arguments, wanted) in [
        (json!({"command": "x"}), 120_000),
        (json!({"command": "x", "timeout_ms": 500}), 500),
        (json!({"command": "x", "timeout": 30}), 30_000),
        (json!({"command": "x", "timeout": 30_000}), 30_000),
        (json!({"command": "x", "timeout_ms": "9000000"}), 600_000),
        (json!({"command": "x", "timeout_ms": 0}), 120_000),
    ] {
        let prepared = bench.prepare("bash", arguments.clone()).await.unwrap();
        let Review::Command(review) = &*prepared.review else {
            panic!("a command")
        };
        assert_eq!(review.runs, Runs::UntilDone { limit_ms: wanted }, "{arguments}");
    }
    for (arguments, limit_ms) in [
        (json!({"command": "x", "background": true}), None),
        (
            json!({"command": "x", "run_in_background": true, "timeout": 30}),
            Some(30_000),
        ),
        (
            json!({"command": "x", "background": true, "timeout_ms": 900_000_000}),
            Some(86_400_000),
        ),
    ] {
        let prepared = bench.prepare("bash", arguments.clone()).await.unwrap();
        let Review::Command(review) = &*prepared.review else {
            panic!("a command")
        };
        assert_eq!(review.runs, Runs::Behind { limit_ms }, "{arguments}");
    }
}

#[tokio::test]
async fn what_cannot_be_run_is_refused_with_advice() {
    let bench = Bench::new();
    assert_eq!(
        bench.call("bash", json!({"command": " "})).await.code.as_deref(),
        Some("bad_arguments")
    );
    assert_eq!(
        bench.call("bash", json!({"command": "a\u{0}b"})).await.code.as_deref(),
        Some("bad_arguments")
    );
}

#[tokio::test]
async fn a_call_that_the_model_calls_risky_says_so_to_policy_and_person() {
    let bench = Bench::new();
    for (risk, risky) in [
        ("high", true),
        ("High ", true),
        ("medium", true),
        ("low", false),
        ("", false),
    ] {
        let prepared = bench
            .prepare("bash", json!({"command": "ls", "risk": risk}))
            .await
            .unwrap();
        let Review::Command(review) = &*prepared.review else {
            panic!("a command")
        };
        assert_eq!(review.risky, risky, "{risk}");
        assert_eq!(prepared.subjects.contains(&Subject::CalledRisky), risky, "{risk}");
    }
}

#[tokio::test]
async fn who_is_asked_sees_what_a_removal_would_take() {
    let bench = Bench::new();
    bench.write("sub/build/a.o", "12345");
    bench.write("sub/build/deep/b.o", "1");
    bench.write("sub/x.o", "1");
    bench.write("sub/-odd", "12");
    let told = |path: &str, files, bytes| (path.to_owned(), files, bytes);
    assert_eq!(
        removed(&bench, "cd sub && rm -rf build *.o '*.o' -- -odd").await,
        [
            told("sub/build", 2, 6),
            told("sub/*.o", 1, 1),
            told("sub/*.o", 0, 0),
            told("sub/-odd", 1, 2),
        ]
    );
    assert_eq!(
        removed(&bench, "rm \"$(cat list)\" sub/x.o").await,
        [told("sub/x.o", 1, 1)]
    );
    assert_eq!(
        removed(&bench, "cd \"$X\" && rm -rf build").await,
        [],
        "the folder is not known"
    );
    assert_eq!(removed(&bench, "ls sub").await, []);
}

async fn removed(bench: &Bench, command: &str) -> Vec<(String, u64, u64)> {
    let prepared = bench.prepare("bash", json!({"command": command})).await.unwrap();
    let Review::Command(review) = &*prepared.review else {
        panic!()
    };
    let told = review.removes.iter();
    told.map(|removal| (removal.path.clone(), removal.files, removal.bytes))
        .collect()
}
