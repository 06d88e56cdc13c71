use crate::bench::Bench;
use crate::view::status::status;
use benchdog_domain::voice::{NoVoice, VoiceOrder, VoiceReport, VoiceState};
use benchdog_protocol::{Answer, Command, Everyday};

fn orders(bench: &Bench) -> Vec<VoiceOrder> {
    let orders = bench.commands().into_iter().filter_map(|command| match command {
        Command::Everyday(Everyday::Voice(order)) => Some(*order),
        _ => None,
    });
    orders.collect()
}

fn screen(bench: &Bench) -> String {
    status(&bench.state).left
}

fn becomes(bench: &mut Bench, state: VoiceState) {
    bench.event(Answer::Voice(VoiceReport::State(state)));
}

#[test]
fn the_same_key_ends_a_recording_escape_discards_it_and_its_text_goes_to_the_caret() {
    let mut bench = Bench::new(120, 40);
    bench.types("before after");
    bench.keys("ctrl-left left");
    bench.keys("ctrl-x v");
    assert_eq!(orders(&bench), [VoiceOrder::Start]);
    becomes(&mut bench, VoiceState::Recording);
    assert!(
        screen(&bench).contains("● recording (Ctrl+X v ends, Esc discards)"),
        "{}",
        screen(&bench)
    );
    bench.keys("ctrl-x v");
    becomes(&mut bench, VoiceState::Transcribing);
    assert!(screen(&bench).contains("transcribing"), "{}", screen(&bench));
    bench.event(Answer::Voice(VoiceReport::Heard("spoken words".to_owned())));
    assert_eq!(bench.state.screen.prompt.buffer.text(), "before spoken words after");
    assert!(!screen(&bench).contains("transcribing"), "{}", screen(&bench));

    bench.types("\u{8}");
    bench.keys("ctrl-x v");
    becomes(&mut bench, VoiceState::Recording);
    bench.keys("esc");
    becomes(&mut bench, VoiceState::Off);
    bench.keys("ctrl-x v");
    becomes(&mut bench, VoiceState::Transcribing);
    bench.keys("esc");
    becomes(&mut bench, VoiceState::Off);
    let expected = [
        VoiceOrder::Start,
        VoiceOrder::Finish,
        VoiceOrder::Start,
        VoiceOrder::Cancel,
        VoiceOrder::Start,
        VoiceOrder::Cancel,
    ];
    assert_eq!(orders(&bench), expected);
    assert!(
        !bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::Prompt { .. } | Command::Interrupt))
    );
}

#[test]
fn a_failure_names_the_program_and_what_to_do() {
    let mut bench = Bench::new(200, 40);
    becomes(&mut bench, VoiceState::Recording);
    let failed = NoVoice::NotStarted {
        program: "arecord".to_owned(),
        error: "there is no program `arecord` in PATH".to_owned(),
    };
    bench.event(Answer::Voice(VoiceReport::Failed(failed)));
    let toast = bench.state.screen.toast.as_ref().expect("a message");
    assert!(toast.error && toast.text.contains("`arecord`") && toast.text.contains("Install it"));
    assert_eq!(bench.state.screen.voice, VoiceState::Off);
}

#[test]
fn the_text_keeps_what_is_selected() {
    let mut bench = Bench::new(120, 40);
    bench.types("keep");
    bench.keys("shift-left shift-left");
    becomes(&mut bench, VoiceState::Transcribing);
    bench.event(Answer::Voice(VoiceReport::Heard("and".to_owned())));
    assert_eq!(bench.state.screen.prompt.buffer.text(), "ke andep");
}
