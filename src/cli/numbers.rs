//! Numeric values of flags.

use benchdog_lang as lang;

pub(super) fn temperature(written: &str) -> Result<f64, String> {
    within(written, 2.0).ok_or_else(|| lang::message::wanted_number("0.7", "2"))
}

pub(super) fn dollars(written: &str) -> Result<f64, String> {
    within(written, f64::MAX).ok_or_else(|| lang::word(lang::Word::WantedDollars).to_owned())
}

fn within(written: &str, most: f64) -> Option<f64> {
    written.parse().ok().filter(|number| (0.0..=most).contains(number))
}

pub(super) fn tokens(written: &str) -> Result<u64, String> {
    whole(written, "50000")
}

pub(super) fn seconds(written: &str) -> Result<u64, String> {
    whole(written, "600")
}

pub(super) fn window(written: &str) -> Result<u64, String> {
    const MOST: u64 = 100_000_000;
    whole(written, "32768").and_then(|tokens| match tokens {
        ..=MOST => Ok(tokens),
        _ => Err(lang::at_most(MOST)),
    })
}

pub(super) fn steps(written: &str) -> Result<u32, String> {
    let steps = whole(written, "50")?;
    u32::try_from(steps).map_err(|_| lang::at_most(u32::MAX.into()))
}

fn whole(written: &str, example: &str) -> Result<u64, String> {
    let number = written.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| lang::message::wanted_whole(example))
}
