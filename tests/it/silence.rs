//! Tests of silent servers. A server that sends keep-alives has no time limit, and any other one times out. `Esc` ends
//! both waits at once.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::api::Api;
use crate::support::home::{Home, config};
use crate::support::reply::{never, stream, text};
use crate::support::server::Server;

/// Idle timeout in seconds: the minimum, and the default.
const SHORT: u64 = 1;
const DEFAULT: u64 = 300;
/// Allowed delay of the timeout on a busy machine.
const LATE: Duration = Duration::from_secs(5);
/// Maximum time until an interrupt takes effect.
const AT_ONCE: Duration = Duration::from_secs(2);

const APIS: [Api; 4] = [Api::OpenAi, Api::Ollama, Api::Anthropic, Api::Responses];

fn home(api: Api, server: &Server, silence: u64) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api"] = api.word().into();
    if silence != DEFAULT {
        settings["provider"]["kit"]["idle_timeout_s"] = json!(silence);
    }
    home.configure(&settings);
    home
}

/// Returns an interval that is short enough to prevent the timeout.
fn often(silence: u64) -> Duration {
    Duration::from_secs(silence) / 5
}

#[track_caller]
fn assert_waited_for(api: Api, silence: u64, lasting: Duration) {
    let server = Server::start();
    let home = home(api, &server, silence);
    server.script([
        stream()
            .keeps_alive(often(silence), lasting)
            .says("Here at last.")
            .ends(),
        text("asked again"),
    ]);
    let began = Instant::now();
    let run = home.start(&["run", "hello"], None).wait_within(lasting * 2);
    run.assert_code(0);
    assert_eq!(run.stdout, "Here at last.\n", "{api:?}");
    assert!(began.elapsed() >= lasting, "{api:?} after {:?}", began.elapsed());
    assert_eq!(server.requests().len(), 1);
}

#[track_caller]
fn assert_given_up(api: Api, silence: u64, alive: Duration) {
    let server = Server::start();
    let home = home(api, &server, silence);
    server.script([
        stream().keeps_alive(often(silence), alive).falls_silent(),
        text("asked again"),
    ]);
    let began = Instant::now();
    let (least, most) = (
        alive + Duration::from_secs(silence),
        alive + Duration::from_secs(silence) + LATE,
    );
    let run = home.start(&["run", "hello"], None).wait_within(most * 2);
    let took = began.elapsed();
    run.assert_code(5);
    assert!(run.stderr.contains(&format!("{silence} s")), "{api:?}: {run}");
    assert!(
        (least..most).contains(&took),
        "{api:?} after {took:?}, not between {least:?} and {most:?}"
    );
    server.wait_abandoned(1);
}

#[track_caller]
fn assert_esc_ends_the_wait(api: Api, silence: u64, before: Duration) {
    let server = Server::start();
    let home = home(api, &server, silence);
    let forever = before * 10;
    server.script([
        stream().keeps_alive(often(silence), forever).ends(),
        never(),
        text("Fine."),
    ]);
    let bench = home.bench(&[]);
    for (number, pause) in [(1, before), (2, Duration::ZERO)] {
        bench.ask("hello");
        server.request(number);
        bench.wait_for_text("Esc stop");
        std::thread::sleep(pause);
        let pressed = Instant::now();
        bench.keys("esc");
        bench.wait_for("the turn to end", |screen| {
            screen.has("interrupted") && !screen.has("Esc stop")
        });
        assert!(
            pressed.elapsed() < AT_ONCE,
            "{api:?}: request {number} ended after {:?}",
            pressed.elapsed()
        );
        server.wait_abandoned(number);
    }
    bench.ask("and now?");
    bench.wait_for_text("Fine.");
    bench.leave();
}

#[test]
fn a_server_that_keeps_alive_longer_than_the_longest_silence_is_waited_for() {
    for api in APIS {
        assert_waited_for(api, SHORT, Duration::from_millis(1_600));
    }
}

#[test]
fn a_server_that_dies_behind_signs_of_life_is_given_up_after_the_longest_silence() {
    for api in APIS {
        assert_given_up(api, SHORT, Duration::from_millis(600));
    }
}

#[test]
fn esc_ends_the_wait_for_a_server_that_keeps_alive_and_for_one_that_never_answers() {
    for api in APIS {
        assert_esc_ends_the_wait(api, SHORT, Duration::from_millis(1_500));
    }
}

#[test]
#[ignore = "takes five minutes"]
fn five_minutes_of_signs_of_life_are_waited_for() {
    assert_waited_for(Api::OpenAi, DEFAULT, Duration::from_secs(DEFAULT + 10));
}

#[test]
#[ignore = "takes five minutes"]
fn five_minutes_of_silence_are_the_end_of_it() {
    assert_given_up(Api::OpenAi, DEFAULT, Duration::ZERO);
}

#[test]
#[ignore = "takes five minutes"]
fn esc_works_after_five_minutes_of_signs_of_life() {
    assert_esc_ends_the_wait(Api::OpenAi, DEFAULT, Duration::from_secs(DEFAULT + 10));
}
