//! Syntax highlighting, cached by line.
//!
//! Syntax definitions are loaded in the background when code is first shown, so that no frame waits for them. Until
//! then, code is shown without colours. Up to `AT_ONCE` lines are highlighted while rendering. A worker thread
//! highlights longer code. The worker also keeps the parser state, because that state cannot move between threads.
//!
//! A long text is highlighted in independent parts, so that a jump to the end highlights only one part. If a comment or
//! string continues in the next part, its continuation is highlighted as code.

mod colour;

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Arc;

pub(crate) use colour::Assets;
use colour::Progress;

use benchdog_app::State;
use benchdog_base::id::SessionId;
use benchdog_diff::TextId;
use benchdog_theme::Scope;

/// Maximum number of lines to highlight while rendering a frame.
const AT_ONCE: usize = 200;

/// Maximum number of lines of the inline editor to highlight while rendering a frame.
const EDITED_AT_ONCE: usize = 600;

/// Number of lines between saved parser states. Highlighting restarts at the last state before a change.
const NOTED: usize = 32;

/// Number of lines that the worker highlights in advance, so that they are ready when the user scrolls.
const AHEAD: usize = 400;

/// Number of lines in a part of a long text.
const PART: usize = 10_000;

/// Maximum number of cached blocks. If there are more, blocks that the last frame did not use are evicted.
const MOST_BLOCKS: usize = 200;

pub(crate) type Coloured = (Range<usize>, Scope);

/// Cache key of a code text. A fixed text is identified by its content. A growing text is identified by its position,
/// and each frame compares its lines with the cached lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    Fence {
        block: usize,
        fence: usize,
    },
    Asked {
        fence: usize,
    },
    /// One side of a file in a diff, or a viewed file.
    Text {
        id: TextId,
        path: String,
    },
    Edited {
        path: String,
    },
}

impl Key {
    /// Returns the maximum number of lines to highlight while rendering. The inline editor usually has fewer lines than
    /// its maximum. The delay of the worker would make colours flicker while the user types.
    fn at_once(&self) -> usize {
        match self {
            Self::Edited { .. } => EDITED_AT_ONCE,
            Self::Fence { .. } | Self::Asked { .. } | Self::Text { .. } => AT_ONCE,
        }
    }

    fn is_fixed(&self) -> bool {
        match self {
            Self::Text { .. } => true,
            Self::Fence { .. } | Self::Asked { .. } | Self::Edited { .. } => false,
        }
    }
}

type PartId = (Key, usize);

pub(crate) struct Code<'a> {
    pub key: Key,
    /// The name of a language (`rust`), a file name or an extension.
    pub language: &'a str,
    pub count: usize,
    pub line: &'a dyn Fn(usize) -> Cow<'a, str>,
}

/// Line numbers are relative to the first line of the part.
struct Part<'a> {
    id: PartId,
    language: &'a str,
    count: usize,
    line: &'a dyn Fn(usize) -> Cow<'a, str>,
}

#[derive(Default)]
pub struct Cache {
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
    /// The saved parser states, one every `NOTED` lines. Used only if lines are highlighted while rendering.
    noted: Vec<Progress>,
    /// The last line, which may still grow: its line number and its highlighted ranges.
    tail: Option<(usize, Line)>,
    owner: Owner,
    used: u64,
    compared: usize,
}

impl Block {
    fn known(&self, line: usize) -> Option<&Line> {
        let tail = self.tail.as_ref().filter(|(at, _)| *at == line);
        self.lines.get(line).or(tail.map(|(_, tail)| tail))
    }

    /// Compares the lines up to `line` with the cached lines. Drops all cached lines from the first difference on.
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

    /// Drops the cached lines from `from` on. Also drops the lines between the last saved parser state and `from`,
    /// because highlighting continues from that state.
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

#[derive(Default)]
enum Owner {
    #[default]
    Nobody,
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

pub enum Request {
    Load,
    /// A request to highlight the lines from `from` on. `from` is 0 or the line at which the worker stopped last time.
    Colour {
        part: PartId,
        language: String,
        from: usize,
        lines: Vec<String>,
        /// Whether the last line may still grow.
        open: bool,
    },
}

pub enum Done {
    Loaded(Arc<Assets>),
    Coloured {
        part: PartId,
        from: usize,
        /// The highlighted lines. `None` if the worker no longer has the parser state.
        lines: Option<Vec<(String, Vec<Coloured>)>>,
        open: bool,
    },
}

/// The state of the worker thread. Created on that thread, because the parser state cannot move.
#[derive(Default)]
pub struct Worker {
    assets: Option<Arc<Assets>>,
    walks: HashMap<PartId, (usize, Progress)>,
}

impl Worker {
    /// Processes a request. Takes between some milliseconds and a second.
    pub fn serve(&mut self, request: Request) -> Done {
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
                // If the last line may still grow, keep the parser state at the start of that line.
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
    pub(super) fn begin(&mut self, state: &State) {
        self.next_picture();
        let shown = match &state.screen.watched {
            Some(watched) => Some(&watched.session),
            None => state.screen.session.id.as_ref(),
        };
        if self.session.as_ref() != shown {
            self.session = shown.cloned();
            self.blocks.clear();
        }
        if self.blocks.len() > MOST_BLOCKS {
            let oldest = self.frame.saturating_sub(1);
            self.blocks.retain(|_, block| block.used >= oldest);
        }
        if state.screen.turn.started.is_some() && state.screen.conversation.shows_code && self.assets.is_none() {
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

    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Stores a result, unless the text changed since the request. Returns whether the next frame changes.
    pub fn finish(&mut self, done: Done) -> bool {
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
                    // The text must be highlighted from its start. The next frame requests the highlighting.
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

    /// Returns the highlighted parts of a line. `None` if they are not cached and would take too long to compute.
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

    /// Highlights the lines up to `line` now, or requests them from the worker. `None` if they are not available yet.
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
            // The frame needs more lines than may be highlighted while rendering. The worker starts from the beginning,
            // because the parser state cannot move to the worker's thread.
            Owner::Drawing(_) => return self.ask(part, 0, line),
            Owner::Worker { asked: false } => return self.ask(part, from, line),
        };
        for at in from..=line {
            let text = (part.line)(at);
            let hash = self.hasher.hash_one(text.as_ref());
            // The last line may still grow, so the parser state must not advance past it. Use a copy.
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

/// Returns the highlighted parts of one row of a wrapped line. The row contains `length` bytes of the line from byte
/// `start` on. The returned ranges are relative to the row.
pub(super) fn row_parts(parts: &[Coloured], start: usize, length: usize) -> impl Iterator<Item = Coloured> + '_ {
    parts.iter().filter_map(move |(range, scope)| {
        let from = range.start.max(start);
        let to = range.end.min(start + length);
        (from < to).then(|| (from - start..to - start, *scope))
    })
}

#[cfg(test)]
mod tests;
