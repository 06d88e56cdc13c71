//! Prompts that are sent repeatedly: `/loop 5m PROMPT`. They end with the session.

use benchdog_base::clock::Time;

/// Minimum interval in ms. A shorter interval would leave no time for other work.
pub(crate) const LEAST_MS: u64 = 30_000;
pub(crate) const MOST_MS: u64 = 86_400_000;
pub(crate) const MOST: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    pub number: u32,
    pub every: String,
    every_ms: u64,
    pub prompt: String,
    pub next: Time,
    pub skipped: u32,
}

#[derive(Debug, Default)]
pub struct Loops {
    last: u32,
    list: Vec<Loop>,
    sent: Option<u32>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted<'a> {
    List,
    Stop(u32),
    StopAll,
    Begin { every: &'a str, ms: u64, prompt: &'a str },
}

pub(crate) fn wanted(arguments: &str) -> Option<Wanted<'_>> {
    let arguments = arguments.trim();
    if arguments.is_empty() {
        return Some(Wanted::List);
    }
    let (first, rest) = arguments.split_once(char::is_whitespace)?;
    let rest = rest.trim();
    match (first, rest) {
        ("stop", "all") => Some(Wanted::StopAll),
        ("stop", number) => number.parse().ok().map(Wanted::Stop),
        (every, prompt) => {
            let ms = interval(every)?;
            (!prompt.is_empty()).then_some(Wanted::Begin { every, ms, prompt })
        }
    }
}

/// Parses an interval such as `30s`, `5m` or `1h` into milliseconds.
fn interval(text: &str) -> Option<u64> {
    let unit = text.char_indices().last()?;
    let scale = match unit.1 {
        's' => 1_000,
        'm' => 60_000,
        'h' => 3_600_000,
        _ => return None,
    };
    let number: u64 = text.get(..unit.0)?.parse().ok()?;
    let ms = number.checked_mul(scale)?;
    (LEAST_MS..=MOST_MS).contains(&ms).then_some(ms)
}

impl Loops {
    pub(crate) fn all(&self) -> &[Loop] {
        &self.list
    }

    pub(crate) fn begin(&mut self, every: &str, ms: u64, prompt: &str, now: Time) -> Option<u32> {
        if self.list.len() >= MOST {
            return None;
        }
        self.last += 1;
        self.list.push(Loop {
            number: self.last,
            every: every.to_owned(),
            every_ms: ms,
            prompt: prompt.to_owned(),
            next: later(now, ms),
            skipped: 0,
        });
        Some(self.last)
    }

    pub(crate) fn stop(&mut self, number: u32) -> bool {
        let before = self.list.len();
        self.list.retain(|one| one.number != number);
        before != self.list.len()
    }

    pub(crate) fn stop_all(&mut self) -> usize {
        self.sent = None;
        std::mem::take(&mut self.list).len()
    }

    /// Returns the prompt to send now, at most one. Other due prompts wait for their next time. If Benchdog is busy,
    /// all due prompts wait for their next time.
    pub(crate) fn due(&mut self, now: Time, is_idle: bool) -> Option<String> {
        let mut prompt = None;
        for one in self.list.iter_mut().filter(|one| one.next <= now) {
            one.next = later(now, one.every_ms);
            if is_idle && self.sent.is_none() {
                self.sent = Some(one.number);
                prompt = Some(one.prompt.clone());
            } else {
                one.skipped += 1;
            }
        }
        prompt
    }

    pub(crate) fn next(&self) -> Option<Time> {
        self.list.iter().map(|one| one.next).min()
    }

    pub(crate) fn went_well(&mut self) {
        self.sent = None;
    }

    pub(crate) fn failed(&mut self) -> Option<u32> {
        let number = self.sent.take()?;
        self.stop(number).then_some(number)
    }
}

fn later(now: Time, ms: u64) -> Time {
    Time(now.0.saturating_add_unsigned(ms))
}

#[cfg(test)]
mod tests;
