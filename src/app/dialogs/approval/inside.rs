//! The keyboard inside a request: which key counts, when it does, and which is typing.

use super::{Approvals, QUIET_MS, Waiting, is_own_command};
use crate::app::diff_view::DiffView;
use crate::base::clock::Time;
use crate::diff::Line;
use crate::domain::permission::{CommandClass, Layer};
use crate::keys::action::ProposalAction;
use crate::keys::{Action, Key};
use crate::lang::Word;

/// A key that comes again within this time is held down; hands and fast typing repeat a letter more slowly or seldom.
const HELD_MS: u64 = 120;

/// No text begins with one letter so many times (`yyyy-mm-dd` does with four): whoever presses it so often wants what it does.
const NO_WORD: u8 = 5;

/// Nobody answers to what they see sooner: a letter that comes within this time was meant for what was there before.
const GLANCE_MS: u64 = 200;

/// The keyboard is in the dialog.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside {
    since: Time,
    /// It was kept from the request before, went along with what the person sent, or came by the mouse.
    kept: bool,
    /// It came with a command that the person sent: a letter that comes too early is haste.
    sent: bool,
    /// The person decided the request before, and this one came up behind it: who goes on in that rhythm looks at it.
    follows: bool,
    /// The mouse led here while a text stood in the prompt, which goes on with what is typed: no letter counts.
    draft: bool,
    /// Letters that only move count at once.
    settled: bool,
    /// The letters were lit since this request has the keyboard.
    was_lit: bool,
    /// The last key led back from something that was open in the request.
    came_back: bool,
    /// The letter that counts soon, or came too early.
    pressed: Option<Pressed>,
}

/// A letter, and what it does if it stays alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pressed {
    pub(crate) key: Key,
    pub(crate) action: Action,
    pub(crate) alone: Alone,
    /// What was pressed right before it and waits along with it.
    first: Option<First>,
    aim: Aim,
    /// Until when it must stay alone.
    until: Time,
    /// Its first press and its newest.
    begun: Time,
    last: Time,
    /// How often it was pressed again while it waited to count: the same wish, and as many letters where it is typing after all.
    again: u8,
    /// It came before it was lit.
    early: bool,
}

/// A key that drops a part and waits in front of a letter: it counts first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct First {
    key: Key,
    action: Action,
    aim: Aim,
}

/// What the cursor of the request was on when a key was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Aim {
    hunk: Option<(usize, usize)>,
    line: Option<(usize, Line)>,
}

/// What comes of a letter that stayed alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alone {
    Counts,
    /// Nothing: it came before any letter could count, so many times. The dialog says so and keeps it from the prompt.
    Nothing {
        times: u8,
    },
}

impl Pressed {
    /// What waits in front of it, as it would without it.
    pub(crate) fn first(self) -> Option<Self> {
        let First { key, action, aim } = self.first?;
        let (alone, first) = (Alone::Counts, None);
        Some(Self {
            key,
            action,
            alone,
            first,
            aim,
            again: 0,
            early: false,
            ..self
        })
    }

    /// The request on screen is another one, or was made anew: the letter does not count there. With another one beside it both are typing
    /// as ever; a blank begins no text.
    fn unarmed(self) -> Option<Self> {
        let times = self.times();
        let begins_text = self.key.half_width().printable() != Some(' ');
        begins_text.then_some(Self {
            alone: Alone::Nothing { times },
            first: None,
            ..self
        })
    }

    /// How often it was pressed.
    pub(crate) fn times(self) -> u8 {
        match self.alone {
            Alone::Counts => self.again.saturating_add(1),
            Alone::Nothing { times } => times,
        }
    }
}

impl Inside {
    pub(super) fn entered(since: Time) -> Self {
        Self {
            since,
            kept: false,
            sent: false,
            follows: false,
            draft: false,
            settled: true,
            was_lit: false,
            came_back: false,
            pressed: None,
        }
    }

    pub(super) fn kept(since: Time) -> Self {
        Self {
            kept: true,
            settled: false,
            ..Self::entered(since)
        }
    }

    /// Behind the person's own decision about the one before.
    pub(super) fn following(since: Time) -> Self {
        Self {
            follows: true,
            ..Self::kept(since)
        }
    }

    /// With the Enter that sent what is asked about, or with the decision on what that waited behind.
    pub(super) fn sent(since: Time) -> Self {
        Self {
            sent: true,
            ..Self::kept(since)
        }
    }

    /// Begins anew as `next`. A letter that waited where the keyboard was kept may be the first of a text, of which none is lost.
    pub(super) fn anew(self, next: Self) -> Self {
        let pressed = self.pressed.filter(|_| self.kept).and_then(Pressed::unarmed);
        Self { pressed, ..next }
    }

    pub(super) fn is_kept(self) -> bool {
        self.kept
    }

    pub(super) fn is_sent(self) -> bool {
        self.sent
    }
}

impl Approvals {
    /// Whether the deciding letters count at `now`: they are lit then.
    pub(crate) fn lit(&self, now: Time) -> bool {
        self.quiet_since().is_some_and(|since| now.since(since) >= QUIET_MS)
    }

    /// When the letters will light up, if nothing comes in between.
    pub(super) fn lights_at(&self) -> Option<Time> {
        self.quiet_since()
            .map(|since| Time(since.0.saturating_add_unsigned(QUIET_MS)))
    }

    /// Where the keyboard was kept, the request must have been seen as well.
    pub(super) fn quiet_since(&self) -> Option<Time> {
        let inside = self.inside.filter(|inside| !inside.draft)?;
        let quiet = inside.since.max(self.last_key);
        if inside.kept {
            Some(quiet.max(self.front()?.shown_since?))
        } else {
            Some(quiet)
        }
    }

    /// When something changes by itself: letters light up, one counts, or keys are no more those of a form that went.
    pub(crate) fn wakes_at(&self) -> [Option<Time>; 3] {
        let until = self.pressed().map(|pressed| pressed.until);
        [self.lights_at(), until, self.paused_at()]
    }

    /// Whether letters that only move count at once.
    pub(crate) fn settled(&self) -> bool {
        self.inside.is_some_and(|inside| inside.settled)
    }

    /// Whether the letters have counted for this request.
    pub(crate) fn was_lit(&self) -> bool {
        self.inside.is_some_and(|inside| inside.was_lit)
    }

    /// Whether the last key led back from something that was open in the request: who goes on from there does not type.
    pub(crate) fn came_back(&self) -> bool {
        self.inside.is_some_and(|inside| inside.came_back)
    }

    pub(crate) fn note_way_back(&mut self, came_back: bool) {
        if let Some(inside) = &mut self.inside {
            inside.came_back = came_back;
        }
    }

    /// Whether the person moved the keyboard here, or sent what it asks about.
    pub(crate) fn came_by_key(&self) -> bool {
        self.inside.is_some_and(|inside| !inside.kept || inside.sent)
    }

    /// The mouse led here, and who marks and clicks may type on for the prompt: letters count as where the keyboard was kept. `draft`: a
    /// text stands there.
    pub(crate) fn came_by_mouse(&mut self, draft: bool, at: Time) {
        self.inside = self.inside.map(|_| Inside {
            draft,
            ..Inside::kept(at)
        });
    }

    /// Whether a letter has to stay alone for a moment before it counts.
    pub(crate) fn is_kept(&self) -> bool {
        self.inside.is_some_and(Inside::is_kept)
    }

    /// The letter that counts soon, or came too early.
    pub(crate) fn pressed(&self) -> Option<Pressed> {
        self.inside?.pressed
    }

    /// A letter counts where it stays alone for as long as would have lit it: who types forty words a minute presses the next one after
    /// 300 ms.
    pub(crate) fn press(&mut self, key: Key, action: Action, at: Time) {
        self.wait(key, action, Alone::Counts, at);
    }

    /// A letter that came before any could count since the person moved the keyboard here stays here, and does nothing.
    pub(crate) fn press_unarmed(&mut self, key: Key, action: Action, times: u8, at: Time) {
        self.wait(key, action, Alone::Nothing { times }, at);
    }

    /// The same before it is lit.
    pub(crate) fn press_early(&mut self, key: Key, action: Action, at: Time) {
        self.press(key, action, at);
        if let Some(pressed) = self.inside.as_mut().and_then(|inside| inside.pressed.as_mut()) {
            pressed.early = true;
        }
    }

    /// Whether the press that is taken back was haste: it came before it was lit, with the key that decided the request before.
    pub(crate) fn was_haste(&self, pressed: Pressed) -> bool {
        pressed.early && self.is_haste()
    }

    /// The letter that waits to allow or to deny is pressed again, where the keyboard was kept: the wait does not begin anew. It ends once
    /// no more letters of a text can follow. `false`: it is held down, or does not wait to count.
    pub(crate) fn press_again(&mut self, pressed: Pressed, at: Time) -> bool {
        let is_letter = pressed.alone == Alone::Counts && pressed.key.printable().is_some();
        let is_held = at.since(pressed.last) < HELD_MS;
        // The press before was too early even to wait, and this one is not.
        if let (Alone::Nothing { times }, None) = (pressed.alone, pressed.first)
            && self.may_wait_early()
            && !is_held
        {
            self.press_early(pressed.key, pressed.action, at);
            if let Some(now) = self.inside.as_mut().and_then(|inside| inside.pressed.as_mut()) {
                now.again = times;
            }
            return true;
        }
        let Some(inside) = self.inside.as_mut().filter(|inside| inside.kept && is_letter) else {
            return false;
        };
        if is_held {
            return false;
        }
        let again = pressed.again.saturating_add(1);
        let rest = if again.saturating_add(1) < NO_WORD {
            QUIET_MS
        } else {
            HELD_MS
        };
        // What the press before had to stay alone for is over with this one.
        let first = Time(pressed.begun.0.saturating_add_unsigned(QUIET_MS));
        let until = first.max(Time(at.0.saturating_add_unsigned(rest)));
        inside.pressed = Some(Pressed {
            until,
            last: at,
            again,
            ..pressed
        });
        true
    }

    /// Whether a letter may wait to allow or to deny before it is lit: the request it is about came up behind the person's own decision,
    /// and is on screen. By the time it counts that was shown for half a second. What came there by itself was not expected.
    pub(crate) fn may_wait_early(&self) -> bool {
        let follows = self.inside.is_some_and(|inside| inside.follows);
        let shown = self.front().and_then(|front| front.shown_since);
        let is_seen = shown.is_some_and(|shown| self.last_key.since(shown) >= GLANCE_MS);
        follows && is_seen && !self.looks_ahead()
    }

    fn wait(&mut self, key: Key, action: Action, alone: Alone, at: Time) {
        let aim = self.aim();
        if let Some(inside) = self.inside.as_mut() {
            inside.pressed = Some(Pressed {
                key,
                action,
                alone,
                first: None,
                aim,
                until: Time(at.0.saturating_add_unsigned(QUIET_MS)),
                begun: at,
                last: at,
                again: 0,
                early: false,
            });
        }
    }

    /// The letter waits behind one that waited already and that drops a part.
    pub(crate) fn press_behind(&mut self, first: Option<Pressed>) {
        let pressed = self.inside.as_mut().and_then(|inside| inside.pressed.as_mut());
        if let Some(pressed) = pressed {
            pressed.first = first.map(|Pressed { key, action, aim, .. }| First { key, action, aim });
        }
    }

    fn aim(&self) -> Aim {
        let diff = self.front().and_then(Waiting::diff);
        Aim {
            hunk: diff.and_then(|diff| diff.current),
            line: diff.and_then(DiffView::commented),
        }
    }

    /// Whether the cursor is still on what a letter was about when it was pressed: the room may be another one since then, and the cursor
    /// with it.
    pub(crate) fn is_still_meant(&self, pressed: Pressed) -> bool {
        let (then, now) = (pressed.aim, self.aim());
        let file = |aim: Aim| aim.hunk.map(|(file, _)| file);
        match pressed.action {
            Action::Proposal(ProposalAction::KeepOrDrop) => now.hunk == then.hunk,
            Action::Proposal(ProposalAction::KeepOrDropFile) => file(now) == file(then),
            Action::Proposal(_) => now.line == then.line,
            _ => true,
        }
    }

    /// Whether a key waits that would count.
    pub(crate) fn is_to_count(&self) -> bool {
        let counts = |pressed: Pressed| pressed.alone == Alone::Counts || pressed.first.is_some();
        self.pressed().is_some_and(counts)
    }

    /// Takes what waits in front of the letter, which goes on waiting.
    pub(crate) fn take_first(&mut self) -> Option<Pressed> {
        let pressed = self.inside.as_mut()?.pressed.as_mut()?;
        let first = pressed.first();
        pressed.first = None;
        first
    }

    /// Takes the letter back before it counts, and what waits in front of it.
    pub(crate) fn take_pressed(&mut self) -> Option<Pressed> {
        self.inside.as_mut()?.pressed.take()
    }

    /// The person moves in the request, and does not type: letters that only move count at once from here on.
    pub(crate) fn settle(&mut self) {
        if let Some(inside) = &mut self.inside {
            inside.settled = true;
        }
    }

    /// Something else of the request is on screen, of a question another page: no key counts for it before its own quiet.
    pub(crate) fn turned(&mut self) {
        if let Some(inside) = &mut self.inside {
            inside.was_lit = false;
        }
    }

    /// What is on screen of the request came there at `now`: no chord decides about it before it was looked at, and where the keyboard was
    /// kept no letter either.
    pub(crate) fn looked_anew(&mut self, now: Time) {
        if let Some(front) = self.front_mut() {
            front.shown_since = Some(now);
        }
        if let Some(inside) = &mut self.inside {
            inside.follows = false;
        }
    }

    /// Takes the letter that stayed alone until `now`, where it counts then; where it came too early, what waits in front of it.
    pub(crate) fn alone(&mut self, now: Time) -> Option<Pressed> {
        let inside = self.inside.as_mut()?;
        let pressed = inside.pressed.take_if(|pressed| pressed.until <= now)?;
        let pressed = match pressed.alone {
            Alone::Counts => pressed,
            Alone::Nothing { .. } => pressed.first()?,
        };
        inside.settled |= !pressed.action.decides();
        Some(pressed)
    }

    /// A key came. Returns whether the letters were lit when it did.
    pub(crate) fn key(&mut self, at: Time) -> bool {
        let lit = self.option_key(at);
        self.last_key = at;
        lit
    }

    /// A key came that moves among the options of a question: nobody types with it, so it ends no quiet.
    pub(crate) fn option_key(&mut self, at: Time) -> bool {
        let lit = self.lit(at);
        if let Some(inside) = &mut self.inside {
            inside.was_lit |= lit;
        }
        self.typed_between |= self.waiting.is_empty() && self.decided.is_some();
        (self.decided, self.sent) = (None, None);
        lit
    }

    /// Whether the request that has come would have kept the keyboard, had no key come behind the decision before. It is told once.
    pub(crate) fn take_typed_between(&mut self) -> bool {
        std::mem::take(&mut self.typed_between) && self.inside.is_none()
    }
}

/// What is grave is entered each time: nobody allows that in the rhythm of the edits around it. So is a text about a proposal that comes
/// back half written: what is typed next may be for the prompt. An answer in words is what is asked for.
pub(super) fn can_be_kept(waiting: &Waiting) -> bool {
    waiting.stays_out().is_none() && !waiting.writes()
}

impl Waiting {
    /// Why it never has the keyboard before the person comes: what the guard asks about, and a command that is not plain.
    fn stays_out(&self) -> Option<Word> {
        let verdict = &self.request.verdict;
        match verdict.class {
            Some(CommandClass::Catastrophic) => Some(Word::CatastrophicWaits),
            Some(CommandClass::Dangerous) => Some(Word::DangerousWaits),
            Some(CommandClass::External) => Some(Word::ExternalWaits),
            Some(CommandClass::Unknown) => Some(Word::UnknownWaits),
            Some(CommandClass::Plain) | None => (verdict.layer == Layer::Guard).then_some(Word::GuardedWaits),
        }
    }

    /// The same where it has to be said: a command of the person's own has the keyboard from the key that sent it.
    pub(super) fn said_to_stay_out(&self) -> Option<Word> {
        self.stays_out().filter(|_| !is_own_command(self))
    }
}
