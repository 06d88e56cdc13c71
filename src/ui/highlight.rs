//! Colours of code: which part of a line is what, worked out once a line and kept until the line changes.
//!
//! Syntaxes are loaded when code is first on screen, or when a call of a running turn is about to bring it there, beside
//! the loop, so neither the first frame nor a key waits for them; until then code shows plain. A few lines are done while
//! drawing, so that a line being written keeps its colours; for more than `AT_ONCE` a worker is asked, which remembers how
//! far it came. (The parser's state cannot move between threads, so a text belongs to one of the two for good.) Everything
//! here can be dropped and comes back.
//!
//! A long text is coloured in parts that know nothing of each other, so that a jump to its end costs one part and not the
//! whole. A comment or string that reaches over the start of a part looks like code there; that is the price.

mod colour;

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Arc;

pub(crate) use colour::Assets;
use colour::Progress;

use crate::app::State;
use crate::base::id::SessionId;
use crate::diff::TextId;
use crate::theme::Scope;

/// Lines that may be coloured while a frame is drawn.
const AT_ONCE: usize = 200;

/// The same for a text that is being edited.
const EDITED_AT_ONCE: usize = 600;

/// After so many lines it is noted how the walk stood there, so that a change is coloured from there and not from the start.
const NOTED: usize = 32;

/// Lines a job does beyond the one that is looked at, so that scrolling on finds them done.
const AHEAD: usize = 400;

/// Lines of a part.
const PART: usize = 10_000;

/// Kept blocks. Where there are more, all that were not in the last picture go.
const MOST_BLOCKS: usize = 200;

/// A part of a line and what it is.
pub(crate) type Coloured = (Range<usize>, Scope);

/// Where some code comes from. A text that is as it was read is known by itself, so that another edition of a file never has the
/// colours of this one; of one that is being written the place alone stays the same, and its lines are compared in each picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A fence of a block of the conversation.
    Fence { block: usize, fence: usize },
    /// A fence of a text that is asked about.
    Asked { fence: usize },
    /// A side of a file in a diff, or what is read.
    Text { id: TextId, path: String },
    /// The lines of a proposal that are being edited.
    Edited { path: String },
}

impl Key {
    /// Lines of it that may be coloured while a frame is drawn. An editor has no more than it opened, and its colours must
    /// not come and go with every letter.
    fn at_once(&self) -> usize {
        match self {
            Self::Edited { .. } => EDITED_AT_ONCE,
            Self::Fence { .. } | Self::Asked { .. } | Self::Text { .. } => AT_ONCE,
        }
    }

    /// The text under it is always the same.
    fn is_fixed(&self) -> bool {
        match self {
            Self::Text { .. } => true,
            Self::Fence { .. } | Self::Asked { .. } | Self::Edited { .. } => false,
        }
    }
}

/// A part of a text: the text, and the part's first line.
type PartId = (Key, usize);

/// Code as the painter has it.
pub(crate) struct Code<'a> {
    pub(crate) key: Key,
    /// A language's name (`rust`), a file's name or its extension.
    pub(crate) language: &'a str,
    pub(crate) count: usize,
    pub(crate) line: &'a dyn Fn(usize) -> Cow<'a, str>,
}

/// A part of it, with lines counted from its own first.
struct Part<'a> {
    id: PartId,
    language: &'a str,
    count: usize,
    line: &'a dyn Fn(usize) -> Cow<'a, str>,
}

#[derive(Default)]
pub(crate) struct Cache {
    assets: Option<Arc<Assets>>,
    loading: bool,
    blocks: HashMap<PartId, Block>,
    requests: Vec<Request>,
    session: Option<SessionId>,
    frame: u64,
    hasher: RandomState,
}

#[derive(Default)]
struct Block {
    language: String,
    lines: Vec<Line>,
    /// How the walk stood after every `NOTED` lines, as long as drawing is what walks.
    noted: Vec<Progress>,
    /// The last line of code that is still being written, coloured for now.
    tail: Option<(usize, Line)>,
    owner: Owner,
    used: u64,
    /// So many lines were compared with the text for this picture.
    compared: usize,
}

impl Block {
    /// What is known of a line.
    fn known(&self, line: usize) -> Option<&Line> {
        let tail = self.tail.as_ref().filter(|(at, _)| *at == line);
        self.lines.get(line).or(tail.map(|(_, tail)| tail))
    }

    /// Another text under the same name: from its first change on all is stale, also where the line itself stayed.
    fn compare(&mut self, hasher: &RandomState, part: &Part, line: usize) {
        let is_other = |at: usize, known: &Line| known.hash != hasher.hash_one((part.line)(at).as_ref());
        let upto = (line + 1).min(self.lines.len());
        let has_changed = |at: &usize| self.lines.get(*at).is_some_and(|known| is_other(*at, known));
        if let Some(changed) = (self.compared..upto).find(has_changed) {
            self.cut(changed);
        }
        self.compared = self.compared.max(upto).min(self.lines.len());
        let tail = self.tail.as_ref().filter(|(at, _)| *at == line);
        if tail.is_some_and(|(at, tail)| is_other(*at, tail)) {
            self.tail = None;
        }
    }

    /// Forgets the lines from `from` on, and those before it from which the walk cannot go on.
    fn cut(&mut self, from: usize) {
        let noted = from / NOTED;
        let known = match self.owner {
            Owner::Drawing(_) => self.noted.get(noted).cloned(),
            Owner::Nobody | Owner::Plain | Owner::Worker { .. } => None,
        };
        let Some(progress) = known else {
            *self = Self {
                language: std::mem::take(&mut self.language),
                used: self.used,
                ..Self::default()
            };
            return;
        };
        self.lines.truncate(noted * NOTED);
        self.noted.truncate(noted);
        self.tail = None;
        self.owner = Owner::Drawing(progress);
    }
}

/// Who walks through the text.
#[derive(Default)]
enum Owner {
    #[default]
    Nobody,
    /// There is nothing to walk through: its language is plain or unknown.
    Plain,
    Drawing(Progress),
    Worker {
        asked: bool,
    },
}

struct Line {
    hash: u64,
    parts: Vec<Coloured>,
}

/// What the worker is asked for.
pub(crate) enum Request {
    Load,
    /// The lines from `from` on; those before were asked for earlier, or `from` is 0 and the text is new.
    Colour {
        part: PartId,
        language: String,
        from: usize,
        lines: Vec<String>,
        /// The last of them is the last of the text and may still grow.
        open: bool,
    },
}

/// What the worker found out.
pub(crate) enum Done {
    Loaded(Arc<Assets>),
    Coloured {
        part: PartId,
        from: usize,
        /// `None`: the worker forgot where it was.
        lines: Option<Vec<(String, Vec<Coloured>)>>,
        open: bool,
    },
}

/// The part that runs on the worker thread. It is built on that thread, because the parser's state cannot move.
#[derive(Default)]
pub(crate) struct Worker {
    assets: Option<Arc<Assets>>,
    walks: HashMap<PartId, (usize, Progress)>,
}

impl Worker {
    /// Takes milliseconds to a second.
    pub(crate) fn serve(&mut self, request: Request) -> Done {
        let assets = Arc::clone(self.assets.get_or_insert_with(|| Arc::new(Assets::load())));
        match request {
            Request::Load => Done::Loaded(assets),
            Request::Colour {
                part,
                language,
                from,
                lines,
                open,
            } => {
                if self.walks.len() > MOST_BLOCKS {
                    self.walks.clear();
                }
                let known = self
                    .walks
                    .remove(&part)
                    .filter(|(at, _)| *at == from)
                    .map(|(_, progress)| progress);
                let begun = known.or_else(|| assets.begin(&language).filter(|_| from == 0));
                let Some(mut progress) = begun else {
                    return Done::Coloured {
                        part,
                        from,
                        lines: None,
                        open,
                    };
                };
                // The walk goes on from before a line that may still grow.
                let whole = lines.len() - usize::from(open);
                let mut coloured = Vec::with_capacity(lines.len());
                for line in lines {
                    let mut after = progress.clone();
                    let parts = assets.colour(&mut after, &line);
                    if coloured.len() < whole {
                        progress = after;
                    }
                    coloured.push((line, parts));
                }
                self.walks.insert(part.clone(), (from + whole, progress));
                Done::Coloured {
                    part,
                    from,
                    lines: Some(coloured),
                    open,
                }
            }
        }
    }
}

impl Cache {
    /// A new frame begins.
    pub(super) fn begin(&mut self, state: &State) {
        self.next_picture();
        let shown = match &state.watched {
            Some(watched) => Some(&watched.session),
            None => state.session.id.as_ref(),
        };
        if self.session.as_ref() != shown {
            self.session = shown.cloned();
            self.blocks.clear();
        }
        if self.blocks.len() > MOST_BLOCKS {
            let oldest = self.frame.saturating_sub(1);
            self.blocks.retain(|_, block| block.used >= oldest);
        }
        if state.turn.started.is_some() && state.conversation.shows_code && self.assets.is_none() {
            self.load();
        }
    }

    fn next_picture(&mut self) {
        self.frame += 1;
    }

    fn load(&mut self) {
        if !std::mem::replace(&mut self.loading, true) {
            self.requests.push(Request::Load);
        }
    }

    /// What came up while drawing.
    pub(crate) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Takes an answer in. A block that changed in between keeps what it has. `false`: the next picture would be the same.
    pub(crate) fn finish(&mut self, done: Done) -> bool {
        match done {
            Done::Loaded(assets) => {
                self.assets = Some(assets);
                self.loading = false;
            }
            Done::Coloured {
                part,
                from,
                lines,
                open,
            } => {
                let Some(block) = self.blocks.get_mut(&part) else {
                    return false;
                };
                let Owner::Worker { asked } = &mut block.owner else {
                    return false;
                };
                *asked = false;
                let Some(lines) = lines.filter(|_| block.lines.len() == from) else {
                    // From the start again, which the next picture asks for.
                    block.lines.clear();
                    block.tail = None;
                    return true;
                };
                let hasher = &self.hasher;
                let line = |(text, parts): (String, _)| Line {
                    hash: hasher.hash_one(text.as_str()),
                    parts,
                };
                block.lines.extend(lines.into_iter().map(line));
                if open {
                    block.tail = block.lines.pop().map(|line| (block.lines.len(), line));
                }
            }
        }
        true
    }

    /// The parts of one line, when they are known or quickly found out.
    pub(super) fn parts(&mut self, code: &Code, line: usize) -> Option<&[Coloured]> {
        let Some(assets) = self.assets.clone() else {
            self.load();
            return None;
        };
        if line >= code.count {
            return None;
        }
        let first = line / PART * PART;
        let at = |line: usize| (code.line)(first + line);
        let part = Part {
            id: (code.key.clone(), first),
            language: code.language,
            count: (code.count - first).min(PART),
            line: &at,
        };
        self.parts_in(&assets, &part, line - first)
    }

    fn parts_in(&mut self, assets: &Assets, part: &Part, line: usize) -> Option<&[Coloured]> {
        let fresh = || Block {
            language: part.language.to_owned(),
            ..Block::default()
        };
        let block = self.blocks.entry(part.id.clone()).or_insert_with(fresh);
        if block.language != part.language {
            *block = fresh();
        }
        if block.used != self.frame {
            block.used = self.frame;
            block.compared = 0;
        }
        if matches!(block.owner, Owner::Plain) {
            return None;
        }
        if !part.id.0.is_fixed() {
            block.compare(&self.hasher, part, line);
        }
        if block.known(line).is_none() {
            self.find_out(assets, part, line)?;
        }
        let known = self.blocks.get(&part.id)?.known(line);
        known.map(|known| known.parts.as_slice())
    }

    /// Colours up to `line` here and now, or asks the worker to. `None`: not now.
    fn find_out(&mut self, assets: &Assets, part: &Part, line: usize) -> Option<()> {
        let block = self.blocks.get_mut(&part.id)?;
        let from = block.lines.len();
        let mut progress = match std::mem::take(&mut block.owner) {
            owner @ (Owner::Plain | Owner::Worker { asked: true }) => {
                block.owner = owner;
                return None;
            }
            Owner::Nobody => {
                let Some(begun) = assets.begin(part.language) else {
                    block.owner = Owner::Plain;
                    return None;
                };
                if line >= part.id.0.at_once() {
                    return self.ask(part, 0, line);
                }
                begun
            }
            Owner::Drawing(progress) if line - from < part.id.0.at_once() => progress,
            // A text that goes over to the worker begins there anew.
            Owner::Drawing(_) => return self.ask(part, 0, line),
            Owner::Worker { asked: false } => return self.ask(part, from, line),
        };
        for at in from..=line {
            let text = (part.line)(at);
            let hash = self.hasher.hash_one(text.as_ref());
            // The last line may still grow; it is done with a copy, again each time it does.
            if at + 1 == part.count {
                let parts = assets.colour(&mut progress.clone(), &text);
                block.tail = Some((at, Line { hash, parts }));
                break;
            }
            if at == block.noted.len() * NOTED {
                block.noted.push(progress.clone());
            }
            let parts = assets.colour(&mut progress, &text);
            block.lines.push(Line { hash, parts });
        }
        block.owner = Owner::Drawing(progress);
        Some(())
    }

    /// Asks the worker for the lines from `from` on, and for some beyond `line`. Until it answers nothing is known.
    fn ask(&mut self, part: &Part, from: usize, line: usize) -> Option<()> {
        let block = self.blocks.get_mut(&part.id)?;
        if from == 0 {
            block.lines.clear();
            block.tail = None;
        }
        block.noted.clear();
        block.owner = Owner::Worker { asked: true };
        let upto = (line + AHEAD).min(part.count);
        self.requests.push(Request::Colour {
            part: part.id.clone(),
            language: part.language.to_owned(),
            from,
            lines: (from..upto).map(|at| (part.line)(at).into_owned()).collect(),
            open: upto == part.count,
        });
        None
    }
}

/// The parts of a row that shows `length` bytes of a line from `start` on, relative to the row.
pub(super) fn row_parts(parts: &[Coloured], start: usize, length: usize) -> impl Iterator<Item = Coloured> + '_ {
    parts.iter().filter_map(move |(range, scope)| {
        let from = range.start.max(start);
        let to = range.end.min(start + length);
        (from < to).then(|| (from - start..to - start, *scope))
    })
}

#[cfg(test)]
mod tests;
