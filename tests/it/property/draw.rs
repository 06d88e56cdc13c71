//! Generates command lines from the tables. Options are bundled, joined with values, and abbreviated, as in real
//! command lines.

use std::collections::HashMap;

use fastrand::Rng;

use super::help::{Choice, Help, Value};
use super::tables::{GIT, GIT_READING, POOLS, PROGRAMS, SHAPES};

pub struct Draw {
    random: Rng,
    help: Help,
    pools: HashMap<&'static str, Vec<&'static str>>,
}

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            help: Help::default(),
            pools: pools(),
        }
    }

    pub fn line(&mut self) -> String {
        self.nested(0)
    }

    fn nested(&mut self, depth: u8) -> String {
        if depth > 1 || self.random.u8(..10) < 6 {
            return self.simple(depth);
        }
        let shape = self.one(SHAPES);
        self.fill(shape, depth)
    }

    fn simple(&mut self, depth: u8) -> String {
        if self.random.u8(..10) < 3 {
            return self.git();
        }
        let row = self.one(PROGRAMS);
        self.fill(row, depth)
    }

    fn git(&mut self) -> String {
        let commands = if self.random.bool() { GIT_READING } else { GIT };
        let command = self.one(commands);
        let first = command.split(' ').next().unwrap_or(command);
        let options = self.options(&format!("git {first}"));
        self.fill(&format!("git «git?» {command} {options} «ref?» «path?»"), 2)
    }

    fn one<T: Copy>(&mut self, rows: &[T]) -> T {
        *self.random.choice(rows).expect("a table has rows")
    }

    fn fill(&mut self, row: &str, depth: u8) -> String {
        let program = row.split(' ').next().unwrap_or(row);
        let (mut line, mut rest) = (String::new(), row);
        while let Some((before, place)) = rest.split_once('«') {
            let (place, behind) = place.split_once('»').expect("a place ends");
            let (name, left_out) = match place.strip_suffix('?') {
                Some(name) => (name, self.random.bool()),
                None => (place, false),
            };
            line += before;
            if !left_out {
                line += &self.place(name, program, depth);
            }
            rest = behind;
        }
        line + rest
    }

    fn place(&mut self, name: &str, program: &str, depth: u8) -> String {
        match name {
            "options" => self.options(program),
            "line" => self.nested(depth + 1),
            "simple" => self.simple(depth + 2),
            "quoted" => format!("'{}'", self.nested(depth + 1).replace('\'', "'\\''")),
            _ => {
                let pool = self
                    .pools
                    .get(name)
                    .unwrap_or_else(|| panic!("there is no pool of {name:?}"));
                let row = *self.random.choice(pool).expect("a pool has rows");
                self.fill(row, depth)
            }
        }
    }

    fn options(&mut self, program: &str) -> String {
        let count = self.one(&[0, 0, 1, 1, 2, 3]);
        let drawn: Vec<String> = (0..count).map(|_| self.option(program)).collect();
        drawn.join(" ")
    }

    fn option(&mut self, program: &str) -> String {
        let choices = self.help.options(program);
        let Some(choice) = self.random.choice(choices) else {
            return self.one(&["-a", "-o", "-f", "-i", "-n", "-v"]).to_owned();
        };
        let letters: Vec<&str> = choices.iter().filter_map(letter).collect();
        let mut name = choice.name.clone();
        if name.starts_with("--") && self.random.u8(..4) == 0 {
            let kept = self.random.usize(3..=name.len().max(3));
            name.truncate(kept);
        } else if let (Some(_), 0) = (letter(choice), self.random.u8(..3)) {
            name.insert_str(1, self.random.choice(&letters).copied().unwrap_or_default());
        }
        let (kind, glue) = match &choice.value {
            // Sometimes add a value to an option without one.
            Value::None if self.random.u8(..25) == 0 => ("FILE".to_owned(), "="),
            Value::None => return name,
            Value::Maybe(_) if self.random.bool() => return name,
            Value::Maybe(kind) => (kind.clone(), "="),
            Value::Needed(kind) => (kind.clone(), self.random.choice(&["=", " "]).copied().unwrap_or(" ")),
        };
        let glue = if name.starts_with("--") || glue == " " {
            glue
        } else {
            ""
        };
        format!("{name}{glue}{}", self.value(&kind))
    }

    fn value(&mut self, kind: &str) -> String {
        let is = |words: &[&str]| words.iter().any(|word| kind.contains(word));
        let pool = match self.random.u8(..10) {
            0 => "text",
            1 => "new",
            _ if is(&["FILE", "PATH", "DIR", "OUTPUT"]) => "new",
            _ if is(&["COMMAND", "CMD", "PROG"]) => "command",
            _ if is(&["COMMIT", "REV", "BRANCH"]) => "ref",
            _ if is(&["N", "SIZE", "COUNT", "WIDTH"]) => "number",
            _ => "text",
        };
        self.place(pool, "", 2)
    }
}

fn letter(choice: &Choice) -> Option<&str> {
    choice.name.strip_prefix('-').filter(|letter| letter.len() == 1)
}

/// Parses the table of pools. A line that begins with a space continues the pool above it.
fn pools() -> HashMap<&'static str, Vec<&'static str>> {
    let mut pools: HashMap<_, Vec<_>> = HashMap::new();
    let mut name = "";
    for line in POOLS.trim().lines() {
        let rows = match line.split_once(": ") {
            Some((new, rows)) if !line.starts_with(' ') => {
                name = new;
                rows
            }
            _ => line.trim_start().trim_start_matches("· "),
        };
        pools.entry(name).or_default().extend(rows.split(" · "));
    }
    pools
}
