//! Tests the whole workbench in random states: after many small updates, a terminal shows the same as one that draws
//! the last frame only.
//!
//! Runs two hundred states. `BENCHDOG_PROPERTY_STATES` sets another number.

use std::sync::Arc;

use ratatui::layout::{Position, Rect, Size};

use super::links::Linked;
use super::{Painter, emulator_of};
use crate::picture::Picture;
use benchdog_app::msg::MouseKind;
use benchdog_app::picture::Old;
use benchdog_app::{self as app, Msg, State};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, TurnId};
use benchdog_domain::call::Origin;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::permission::{Action, Because, Layer, Verdict};
use benchdog_domain::review::{FileChange, FileOperation, Review};
use benchdog_keys::{Key, Keymap};
use benchdog_protocol::{ApprovalRequest, Event, Live, TurnState};
use benchdog_theme::{Depth, Theme};
use benchdog_ui::{self as ui, Cache, Frame};

const STATES: usize = 200;

const WORDS: [&str; 16] = [
    "plain words ",
    "漢字かな交じり文",
    "한국어 문장 ",
    "e\u{301}e\u{308} ",
    "👩‍👩‍👧‍👦 family ",
    "🇯🇵",
    "ﬁ ‐ – — … ",
    "שלום ",
    "\t tab",
    "\n",
    "\n\n```rust\nfn f() { \"é\" }\n```\n",
    "\n| a | 漢 |\n|---|---|\n| 1 | 二 |\n",
    "\n- item **bold** `code`\n",
    "0123456789012345678901234567890123456789",
    "https://a.example/a/long/path/that/goes/over/more/than/one/row?of=it ",
    "[a name](https://b.example/) ",
];

const KEYS: [&str; 58] = [
    "esc",
    "enter",
    "tab",
    "shift-tab",
    "backspace",
    "delete",
    "up",
    "down",
    "left",
    "right",
    "home",
    "end",
    "pageup",
    "pagedown",
    "space",
    "ctrl-p",
    "ctrl-n",
    "ctrl-t",
    "ctrl-f",
    "ctrl-o",
    "ctrl-r",
    "ctrl-a",
    "ctrl-e",
    "ctrl-u",
    "ctrl-w",
    "ctrl-k",
    "ctrl-c",
    "f1",
    "alt-a",
    "alt-1",
    "alt-2",
    "alt-3",
    "alt-4",
    "alt-5",
    "alt-enter",
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "j",
    "k",
    "n",
    "o",
    "q",
    "r",
    "u",
    "w",
    "x",
    "y",
    "/",
    "?",
    "[",
    "]",
    "{",
    "1",
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn size(&mut self) -> (u16, u16) {
        let (width, height) = (20 + self.below(381), 5 + self.below(116));
        // Prefer small sizes, in which not everything fits.
        let (width, height) = if self.below(4) == 0 {
            (width, height)
        } else {
            (20 + width % 120, 5 + height % 40)
        };
        (u16::try_from(width).unwrap(), u16::try_from(height).unwrap())
    }

    fn text(&mut self) -> String {
        (0..=self.below(6)).map(|_| WORDS[self.below(WORDS.len())]).collect()
    }
}

struct Scene {
    state: State,
    old: Old,
    now: Time,
    entries: u64,
    dice: Dice,
}

impl Scene {
    fn new(seed: u64) -> Self {
        let now = Time(1_795_000_000_000);
        Self {
            state: State::new(Keymap::default(), 80, 24, now),
            old: Old::All,
            now,
            entries: 0,
            dice: Dice(seed),
        }
    }

    fn update(&mut self, msg: Msg) {
        app::update(&mut self.state, msg);
        self.old = self.old.max(self.state.take_old());
    }

    fn event(&mut self, event: impl Into<Event>) {
        let (seat, event, at) = (self.state.screen.seat, event.into(), self.now);
        self.update(Msg::Agent { seat, event, at });
    }

    fn entry(&mut self, body: Body) {
        self.entries += 1;
        let entry = Entry {
            id: EntryId(self.entries),
            turn: TurnId(1),
            time: self.now,
            body,
        };
        self.event(Event::Fact(Arc::new(entry)));
    }

    fn proposal(&mut self) {
        let before = (0..self.dice.below(60))
            .map(|_| self.dice.text() + "\n")
            .collect::<String>();
        let after = before.replace("plain", "簡単") + &self.dice.text();
        let change = FileChange {
            path: format!("src/{}.rs", self.dice.text().replace(['\n', '\t'], "")),
            operation: FileOperation::Update,
            before: Some(before.into_bytes().into()),
            after: Some(after.into_bytes().into()),
            mode_after: None,
            note: None,
        };
        let request = ApprovalRequest {
            edition: 0,
            on_disk: benchdog_protocol::OnDisk::AsShown,
            call: CallId(format!("call{}", self.dice.below(4))),
            origin: Origin::Model,
            tool: "edit".to_owned(),
            title: change.path.clone(),
            review: Review::Files(vec![change]),
            child: None,
            verdict: Verdict {
                action: Action::Ask,
                because: Because::Words("asked".to_owned()),
                layer: Layer::Default,
                class: None,
                scopes: Vec::new(),
                only_once: None,
                network: false,
                needs_person: false,
                confinable: false,
            },
        };
        self.event(Live::ApprovalRequested(Arc::new(request)));
    }

    fn letter(&mut self) {
        self.now.0 += 50;
        let letter = LETTERS[self.dice.below(LETTERS.len())];
        let (key, at) = (Key::char(letter.chars().next().unwrap()), self.now);
        self.update(Msg::Key { key, at });
    }

    /// Feeds one random event. Returns whether the window size changed.
    fn happen(&mut self) -> bool {
        self.now.0 += i64::try_from(self.dice.below(400)).unwrap();
        let at = self.now;
        match self.dice.below(20) {
            0..=7 => {
                let key = KEYS[self.dice.below(KEYS.len())].parse().unwrap();
                self.update(Msg::Key { key, at });
            }
            8 | 9 => {
                let text = self.dice.text();
                self.update(Msg::Paste { text, at });
            }
            10..=12 => {
                let text = self.dice.text();
                self.event(Live::State(TurnState::Generating));
                self.event(Live::Text(text));
            }
            13 => {
                let text = self.dice.text();
                self.entry(Body::User {
                    text,
                    mentions: Vec::new(),
                    notes: Vec::new(),
                });
            }
            14 => self.proposal(),
            15 => {
                self.update(Msg::Tick { at });
            }
            16 => {
                let kinds = [
                    MouseKind::Press,
                    MouseKind::Drag,
                    MouseKind::Release,
                    MouseKind::ScrollUp,
                    MouseKind::ScrollDown,
                ];
                let kind = kinds[self.dice.below(kinds.len())];
                let x = u16::try_from(self.dice.below(usize::from(self.state.width))).unwrap();
                let y = u16::try_from(self.dice.below(usize::from(self.state.height))).unwrap();
                self.update(Msg::Mouse { kind, x, y, at });
            }
            17 => {
                self.update(Msg::Focus(at.0 % 2 == 0));
            }
            _ => {
                let (width, height) = self.dice.size();
                self.update(Msg::Resize { width, height });
                return true;
            }
        }
        false
    }
}

struct Shown {
    painter: Painter<Vec<u8>>,
    terminal: vt100::Parser,
    links: Linked,
    cache: Cache,
    picture: Picture,
}

impl Shown {
    fn new(width: u16, height: u16) -> Self {
        Self {
            painter: super::screen(width, height),
            terminal: emulator_of(height, width),
            links: Linked::new(width, height),
            cache: Cache::default(),
            picture: Picture::new(Size::new(width, height)),
        }
    }

    /// Draws the part that is out of date. Returns the number of bytes.
    fn show(&mut self, scene: &mut Scene, theme: &Theme) -> usize {
        self.picture.outdate(std::mem::take(&mut scene.old));
        self.painter.to.clear();
        let state = &mut scene.state;
        let bytes = self.picture.show(state, theme, &mut self.cache, &mut self.painter);
        self.terminal.process(&self.painter.to);
        self.links.process(&self.painter.to);
        bytes.unwrap()
    }

    /// Draws everything. Returns the cursor position, and the number of bytes.
    fn show_all(&mut self, state: &State, theme: &Theme) -> (Option<Position>, usize) {
        let mut frame = Frame::empty(Rect::new(0, 0, state.width, state.height));
        let caret = ui::draw(state, theme, &mut self.cache, &mut frame);
        self.painter.to.clear();
        let bytes = self.painter.show(&frame, caret).unwrap();
        self.terminal.process(&self.painter.to);
        self.links.process(&self.painter.to);
        self.links.check(&frame);
        (caret, bytes)
    }

    fn resized(&mut self, width: u16, height: u16) {
        self.terminal
            .screen_mut()
            .set_size(height.try_into().unwrap(), width.try_into().unwrap());
        self.links.resize(width, height);
        self.picture.resize(Size::new(width, height));
    }

    fn seen(&self) -> (Vec<String>, Option<(u16, u16)>) {
        let screen = self.terminal.screen();
        let cursor = (!screen.hide_cursor()).then(|| screen.cursor_position());
        (super::seen(screen), cursor)
    }
}

fn number(name: &str) -> Option<usize> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the variables of the test run, not of benchdog"
    )]
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn a_workbench_that_was_updated_looks_as_one_that_is_drawn_anew() {
    let states = number("BENCHDOG_PROPERTY_STATES").unwrap_or(STATES);
    let theme = Theme::shipped("dark", Depth::Full);
    let mut drawn = 0;
    for seed in 1.. {
        let mut scene = Scene::new(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let mut kept = Shown::new(80, 24);
        for step in 0..100 {
            if drawn == states {
                return;
            }
            drawn += 1;
            if scene.happen() {
                kept.resized(scene.state.width, scene.state.height);
            }
            kept.show(&mut scene, &theme);
            for _ in 0..scene.dice.below(3) {
                scene.letter();
                kept.show(&mut scene, &theme);
            }
            let (caret, again) = kept.show_all(&scene.state, &theme);
            assert_eq!(again, 0, "seed {seed}, step {step}: nothing changed");
            let mut fresh = Shown::new(scene.state.width, scene.state.height);
            fresh.show_all(&scene.state, &theme);
            let (kept, fresh) = (kept.seen(), fresh.seen());
            let caret = caret.map(|at| (at.y, at.x));
            assert_eq!(
                (kept.1, fresh.1),
                (caret, caret),
                "seed {seed}, step {step}: the cursor"
            );
            for (row, (old, new)) in kept.0.iter().zip(&fresh.0).enumerate() {
                assert_eq!(old, new, "seed {seed}, step {step}, cell {row}");
            }
        }
    }
}

#[test]
fn letters_after_which_the_prompt_alone_is_drawn_leave_a_whole_picture() {
    let theme = Theme::shipped("dark", Depth::Full);
    let (mut alone, mut drawn) = (0, 0);
    for seed in 1..12 {
        let mut scene = Scene::new(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let mut kept = Shown::new(80, 24);
        for step in 0..40 {
            if step % 13 == 0 {
                let (width, height) = scene.dice.size();
                scene.update(Msg::Resize { width, height });
                kept.resized(width, height);
            }
            scene.letter();
            alone += usize::from(scene.old == Old::Prompt);
            drawn += 1;
            kept.show(&mut scene, &theme);
            let (caret, again) = kept.show_all(&scene.state, &theme);
            assert_eq!(again, 0, "seed {seed}, step {step}: what the whole picture adds");
            assert_eq!(kept.seen().1, caret.map(|at| (at.y, at.x)), "seed {seed}, step {step}");
        }
    }
    assert!(
        alone > drawn * 3 / 4,
        "{alone} of {drawn} letters draw the prompt alone"
    );
}

/// Characters of zero, one and two columns, with the same width in every terminal.
const LETTERS: [&str; 16] = [
    "a", "Z", " ", "é", "e\u{301}", "漢", "字", "か", "ー", "한", "글", "，", "（", "ж", "ñ", "n\u{303}",
];

#[test]
fn the_caret_stands_where_a_terminal_that_prints_the_text_has_its_cursor() {
    let theme = Theme::shipped("dark", Depth::Full);
    let mut scene = Scene::new(7);
    let mut bench = Shown::new(80, 24);
    bench.show(&mut scene, &theme);
    let (caret, _) = bench.show_all(&scene.state, &theme);
    let start = caret.unwrap().x;
    for number in 0..5_000 {
        let letters = 1 + scene.dice.below(20);
        let text: String = (0..letters).map(|_| LETTERS[scene.dice.below(LETTERS.len())]).collect();
        scene.now.0 += 1_000;
        let at = scene.now;
        let msg = Msg::Paste { text: text.clone(), at };
        scene.update(msg);
        bench.show(&mut scene, &theme);
        let (caret, _) = bench.show_all(&scene.state, &theme);
        let mut printed = emulator_of(2, 80);
        printed.process(text.as_bytes());
        let (_, column) = printed.screen().cursor_position();
        assert_eq!(caret.unwrap().x, start + column, "{number}: {text:?}");
        for _ in 0..2 {
            scene.now.0 += 50;
            let at = scene.now;
            let key = "ctrl-u".parse().unwrap();
            scene.update(Msg::Key { key, at });
        }
    }
}
