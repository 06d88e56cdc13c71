//! The checkpoints that stay when time passes: all of a day, then one an hour, then one a day.

use std::collections::{BTreeMap, BTreeSet};

use benchdog_base::clock::Time;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// Age below which all stay.
const ALL: i64 = DAY;

/// Age below which one an hour stays.
const HOURLY: i64 = 7 * DAY;

/// Returns the indexes of the checkpoints that stay. The newest of an hour or day stays, so a second run changes nothing.
pub fn thin(times: &[Time], now: Time) -> BTreeSet<usize> {
    let mut stay = BTreeSet::new();
    let mut spans: BTreeMap<(i64, i64), (Time, usize)> = BTreeMap::new();
    for (index, time) in times.iter().enumerate() {
        let age = now.0.saturating_sub(time.0);
        if age < ALL {
            stay.insert(index);
            continue;
        }
        let span = if age < HOURLY { HOUR } else { DAY };
        let newest = spans.entry((span, time.0.div_euclid(span))).or_insert((*time, index));
        *newest = (*newest).max((*time, index));
    }
    stay.extend(spans.into_values().map(|(_, index)| index));
    stay
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time(400 * DAY);

    fn ago(time: i64) -> Time {
        Time(NOW.0 - time)
    }

    #[test]
    fn all_of_a_day_stay_then_one_an_hour_then_one_a_day() {
        let every_ten_minutes: Vec<Time> = (0..30 * 24 * 6).map(|n| ago(n * HOUR / 6)).collect();
        let stay = thin(&every_ten_minutes, NOW);
        let count = |from: i64, to: i64| {
            let ages = stay.iter().map(|index| NOW.0 - every_ten_minutes[*index].0);
            ages.filter(|age| (from..to).contains(age)).count()
        };
        assert_eq!(count(0, DAY), 24 * 6);
        // One more where an hour or a day is cut by the border.
        assert_eq!(count(DAY, 7 * DAY), 6 * 24 + 1);
        assert_eq!(count(7 * DAY, 30 * DAY), 23 + 1);
    }

    #[test]
    fn thinning_twice_is_thinning_once_and_later_ones_are_among_earlier_ones() {
        let mut rng = fastrand::Rng::with_seed(7);
        let times: Vec<Time> = (0..3000).map(|_| ago(rng.i64(0..60 * DAY))).collect();
        let once = thin(&times, NOW);
        let left: Vec<Time> = once.iter().map(|index| times[*index]).collect();
        assert_eq!(thin(&left, NOW).len(), left.len());
        let later = Time(NOW.0 + 3 * DAY + 5 * HOUR);
        let of_all: BTreeSet<Time> = thin(&times, later).iter().map(|index| times[*index]).collect();
        let of_left: BTreeSet<Time> = thin(&left, later).iter().map(|index| left[*index]).collect();
        assert_eq!(of_all, of_left);
        assert!(thin(&[], NOW).is_empty());
    }

    #[test]
    fn a_checkpoint_of_the_future_stays() {
        assert_eq!(thin(&[ago(-DAY)], NOW).len(), 1);
    }
}
