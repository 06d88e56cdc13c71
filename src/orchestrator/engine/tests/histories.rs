//! Random histories of a session: edits, commands, edits by others, background jobs, undo, redo, rewind, forks, and
//! exits of the process.
//!
//! After each step, all files are compared with the expected files. `BENCHDOG_HISTORIES` sets the number of histories.
//! `BENCHDOG_HISTORY` selects a single one.

mod oracle;
mod plan;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;

use super::chaos::Chance;
use super::children::allowing;
use super::rig::{Rig, Wishes, body, calls, says};
use super::{FIRST, once};
use crate::engine::OpenWhat;
use benchdog_base::id::{EntryId, SeatId, SessionId};
use benchdog_domain::entry::Body;
use benchdog_domain::message::Reply;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Decision;
use benchdog_domain::rewind::Rewind;
use benchdog_domain::undo::UndoNotice;
use benchdog_protocol::{Command, Event, Live, Told};
use oracle::{Contents, Expected, Files, Logged, OnDisk, all, first, logged, parse, steps, text};

const HISTORIES: u64 = 60;

const STEPS: u64 = 12;

/// Number of histories that run at the same time. It can be high, because they mostly wait.
const AT_ONCE: usize = 8;

const PATIENCE: Duration = Duration::from_secs(20);

#[test]
#[expect(clippy::disallowed_methods, reason = "a person chooses the number of histories")]
fn every_restore_equals_the_model_and_no_edit_of_others_is_lost() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    if let Some(seed) = number("BENCHDOG_HISTORY") {
        return survives(seed);
    }
    let all = number("BENCHDOG_HISTORIES").unwrap_or(HISTORIES);
    let (next, failed) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < all) {
                    if std::panic::catch_unwind(|| survives(seed)).is_err() {
                        failed.lock().unwrap().push(seed);
                    }
                }
            });
        }
    });
    assert_eq!(failed.into_inner().unwrap(), [0_u64; 0], "of {all} histories");
}

fn survives(seed: u64) {
    let mut story = Story::new(seed);
    while story.left > 0 {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(story.live());
        runtime.shutdown_timeout(PATIENCE);
        story.after_life();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    GoesOn,
    Ends,
}

/// The files that may differ from the expected files after the process has ended.
#[derive(Debug)]
enum Unsure {
    /// A turn was running. These files may have changed or not.
    Turn(BTreeSet<String>),
    /// A restore was running. Its changes are either complete or have not begun.
    Restore(Files),
}

struct Story {
    seed: u64,
    chance: Chance,
    home: Arc<tempfile::TempDir>,
    left: u64,
    /// The expected files. The files on disk must equal them.
    files: Files,
    contents: Contents,
    number: u64,
    mode: u32,
    seat: SeatId,
    session: Option<SessionId>,
    /// The changes whose conflicts were proposed in this life of the session.
    proposed: BTreeSet<EntryId>,
    prompts: u64,
    calls: u64,
    jobs: Vec<u64>,
    job_runs: bool,
    /// The files at the last time when the author of every change was known.
    settled: Files,
    unsure: Option<Unsure>,
    trace: Vec<String>,
}

impl Drop for Story {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let lines = self.trace.iter().flat_map(|step| step.lines());
            let lines: Vec<&str> = lines.filter(|line| !line.starts_with("  line")).collect();
            eprintln!("history {}:\n{}", self.seed, lines.join("\n"));
        }
    }
}

impl Story {
    fn new(seed: u64) -> Self {
        let home = Arc::new(tempfile::tempdir().unwrap());
        let probe = home.path().join("probe");
        std::fs::write(&probe, "").unwrap();
        let mode = mode_of(&probe);
        let mut story = Self {
            seed,
            chance: Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            home,
            left: STEPS,
            files: Files::new(),
            contents: Contents::default(),
            number: 100,
            mode,
            seat: FIRST,
            session: None,
            proposed: BTreeSet::new(),
            prompts: 0,
            calls: 0,
            jobs: Vec::new(),
            job_runs: false,
            settled: Files::new(),
            unsure: None,
            trace: Vec::new(),
        };
        std::fs::create_dir(story.root()).unwrap();
        for name in ["a.txt", "b.txt", "d/a.txt"] {
            story.write(name);
        }
        story
    }

    fn root(&self) -> PathBuf {
        self.home.path().join("work")
    }

    fn say(&mut self, what: impl Into<String>) {
        self.trace.push(what.into());
    }

    // --- a process ---

    async fn live(&mut self) {
        let mut wishes = allowing(json!({"edit": "allow", "bash": "allow"}));
        wishes.config["provider"]["p"]["models"]["m"]["context"] = 1_000_000.into();
        let open = self.session.clone().map_or(OpenWhat::New, OpenWhat::Exactly);
        let mut rig = Rig::at(Arc::clone(&self.home), Wishes { open, ..wishes }).await;
        self.seat = FIRST;
        self.proposed.clear();
        if rig.seats.get(FIRST).unwrap().is_busy() {
            // An unfinished call is waiting for a decision.
            rig.order(FIRST, Command::Interrupt).await;
            rig.until("the end of the turn", |told| ended(told, FIRST)).await;
        }
        rig.heard.clear();
        self.compare("a start");
        while self.left > 0 {
            self.left -= 1;
            let life = self.step(&mut rig).await;
            self.session = Some(rig.seats.get(self.seat).unwrap().session().clone());
            if life == Life::Ends {
                self.say("the process ends");
                return;
            }
            self.compare("a step");
        }
    }

    /// Waits for processes that are still running. Then determines which of the possible changes were made.
    fn after_life(&mut self) {
        self.jobs.clear();
        self.job_runs = false;
        let until = Instant::now() + PATIENCE;
        while !processes_in(&self.root()).is_empty() {
            assert!(
                Instant::now() < until,
                "processes stay: {:?}",
                processes_in(&self.root())
            );
            std::thread::yield_now();
        }
        let Some(unsure) = self.unsure.take() else { return };
        let now = self.read_leniently();
        match unsure {
            Unsure::Restore(after) => {
                assert!(
                    now == self.files || now == after,
                    "a restore in part: {now:#?}\n{after:#?}"
                );
                self.files = now;
            }
            Unsure::Turn(touched) => {
                let others = |files: &Files| {
                    let mut files = files.clone();
                    files.retain(|name, _| !touched.contains(name));
                    files
                };
                assert_eq!(others(&now), others(&self.files));
                self.files = now;
            }
        }
        self.contents.note(&self.files);
    }

    async fn step(&mut self, rig: &mut Rig) -> Life {
        match self.chance.below(16) {
            0..5 => self.turn(rig).await,
            5..8 => {
                self.edit_of_others();
                Life::GoesOn
            }
            8 => self.job(rig).await,
            9..12 => self.undo(rig).await,
            12 => self.redo(rig).await,
            13 | 14 => self.rewind_files(rig).await,
            _ => self.rewind_conversation(rig).await,
        }
    }

    // --- files ---

    fn write(&mut self, name: &str) {
        let regions = self.numbers();
        let known = self.files.get(name).map_or(self.mode, |file| file.mode);
        self.files.insert(name.to_owned(), OnDisk { regions, mode: known });
        self.put(name);
    }

    /// Writes one of the expected files to the disk.
    fn put(&mut self, name: &str) {
        let path = self.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = self.files[name];
        std::fs::write(&path, text(file.regions)).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(file.mode)).unwrap();
        self.contents.note(&self.files);
    }

    fn edit_of_others(&mut self) {
        let name = self.any_name();
        let way = self.chance.below(8);
        match (self.files.get(&name).copied(), way) {
            (None, _) => self.write(&name),
            (Some(_), 0) => {
                self.files.remove(&name);
                std::fs::remove_file(self.root().join(&name)).unwrap();
            }
            (Some(file), 1) => {
                let mode = self.other_mode(file.mode);
                self.files.insert(name.clone(), OnDisk { mode, ..file });
                self.put(&name);
            }
            (Some(mut file), _) => {
                let at = self.chance.below(4) as usize;
                file.regions[at] = self.next_number();
                self.files.insert(name.clone(), file);
                self.put(&name);
            }
        }
        self.say(format!("others: {name} {way} -> {:?}", self.files.get(&name)));
    }

    fn read(&self) -> BTreeMap<String, (Vec<u8>, u32)> {
        let root = self.root();
        let (mut found, mut rest) = (BTreeMap::new(), vec![root.clone()]);
        while let Some(folder) = rest.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    rest.push(path);
                    continue;
                }
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                found.insert(name, (std::fs::read(&path).unwrap(), mode_of(&path)));
            }
        }
        found
    }

    /// Reads the files. Writes files again that were only partly written, and removes temporary files of commands.
    fn read_leniently(&mut self) -> Files {
        let mut files = Files::new();
        for (name, (bytes, mode)) in self.read() {
            if !plan::NAMES.contains(&&*name) {
                std::fs::remove_file(self.root().join(&name)).unwrap();
                continue;
            }
            let regions = parse(&bytes).unwrap_or_else(|| {
                let regions = self.numbers();
                std::fs::write(self.root().join(&name), text(regions)).unwrap();
                regions
            });
            files.insert(name, OnDisk { regions, mode });
        }
        files
    }

    fn compare(&self, after: &str) {
        let is = self.read().into_iter().map(|(name, (bytes, mode))| {
            let shown = match parse(&bytes) {
                Some(regions) => format!("{:?}", OnDisk { regions, mode }),
                None => String::from_utf8_lossy(&bytes).into_owned(),
            };
            (name, shown)
        });
        let wanted = self
            .files
            .iter()
            .map(|(name, file)| (name.clone(), format!("{file:?}")));
        let (is, wanted): (BTreeMap<_, _>, BTreeMap<_, _>) = (is.collect(), wanted.collect());
        assert_eq!(is, wanted, "history {}: the files after {after}", self.seed);
    }

    // --- turns ---

    fn log(&self, rig: &mut Rig) -> Vec<Logged> {
        logged(&rig.log(self.seat), &self.contents)
    }

    async fn turn(&mut self, rig: &mut Rig) -> Life {
        let (before, logged_before) = (self.files.clone(), self.log(rig).len());
        let (mut replies, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..=self.chance.below(3) {
            let files = self.files.clone();
            replies.extend(self.call());
            expected.extend(plan::changes(&files, &self.files));
        }
        let after = std::mem::replace(&mut self.files, before);
        replies.push(says("done"));
        self.begin(rig, replies).await;
        if self.chance.below(6) == 0 {
            let reports = self.chance.below(40);
            if self.some_reports(rig, reports).await == Life::Ends {
                let touched = expected.into_iter().map(|(path, _, _)| path).collect();
                self.unsure = Some(Unsure::Turn(touched));
                return Life::Ends;
            }
        } else {
            self.ends(rig).await;
        }
        let new = self.log(rig).split_off(logged_before);
        let (of_jobs, new): (Vec<Logged>, Vec<Logged>) = new.into_iter().partition(|change| change.is_of_job);
        self.check_jobs(of_jobs);
        self.files = after;
        self.settled = self.files.clone();
        assert_eq!(shortened(new), expected, "the changes in the log");
        Life::GoesOn
    }

    /// Checks the log while a job is running. All changes that no call has made must belong to the job.
    fn check_jobs(&self, logged: Vec<Logged>) {
        let expected = match self.job_runs {
            true => plan::changes(&self.settled, &self.files),
            false => Vec::new(),
        };
        assert_eq!(shortened(logged), expected, "history {}: changes of jobs", self.seed);
    }

    async fn begin(&mut self, rig: &mut Rig, replies: Vec<Reply>) {
        self.prompts += 1;
        let prompt = format!("prompt {}", self.prompts);
        self.say(prompt.clone());
        let log = rig.log(self.seat);
        let first = log.iter().find_map(|entry| match &entry.body {
            Body::User { text, .. } => Some(text.clone()),
            _ => None,
        });
        rig.script(&first.unwrap_or_else(|| prompt.clone()), replies);
        rig.prompt(self.seat, &prompt).await;
    }

    async fn ends(&mut self, rig: &mut Rig) {
        let seat = self.seat;
        loop {
            let at = rig
                .until("the end of the turn, or a request", |told| {
                    asks(told) || ended(told, seat)
                })
                .await;
            let told = rig.heard.remove(at);
            let Event::Live(Live::ApprovalRequested(asked)) = &told.event else {
                rig.heard.clear();
                return;
            };
            rig.decide(seat, asked, once()).await;
        }
    }

    /// Handles some reports and allows all approval requests. Returns `GoesOn` if the turn has ended by then.
    async fn some_reports(&mut self, rig: &mut Rig, reports: u64) -> Life {
        for _ in 0..reports {
            if let Some(at) = rig.heard.iter().position(asks) {
                let told = rig.heard.remove(at);
                if let Event::Live(Live::ApprovalRequested(asked)) = &told.event {
                    rig.decide(self.seat, asked, once()).await;
                }
            }
            if rig.heard.iter().any(|told| ended(told, self.seat)) {
                rig.heard.clear();
                return Life::GoesOn;
            }
            rig.report_next().await;
        }
        Life::Ends
    }

    /// Starts a background job that waits. If a job is already waiting, lets it change a file instead.
    async fn job(&mut self, rig: &mut Rig) -> Life {
        if let Some(job) = self.jobs.pop() {
            let (command, files) = self.command();
            self.say(format!("job {job}: {command}"));
            let (script, done) = (self.script(job), self.script(job).with_extension("done"));
            std::fs::write(script.with_extension("new"), command).unwrap();
            std::fs::rename(script.with_extension("new"), script).unwrap();
            let until = Instant::now() + PATIENCE;
            while !done.exists() {
                assert!(Instant::now() < until, "the job does nothing");
                rig.report_next().await;
            }
            self.files = files;
            self.contents.note(&self.files);
            return Life::GoesOn;
        }
        self.calls += 1;
        let job = self.calls;
        let script = self.script(job).display().to_string();
        let command = format!("until [ -e {script} ]; do sleep 0.01; done; . {script}; touch {script}.done; sleep 100");
        self.say(format!("job {job} waits"));
        let arguments = json!({"command": command, "background": true});
        let call = calls(&format!("c{job}"), "bash", &arguments);
        let before = self.log(rig).len();
        self.begin(rig, vec![call, says("done")]).await;
        self.ends(rig).await;
        let of_jobs = self.log(rig).split_off(before);
        self.check_jobs(of_jobs);
        self.settled = self.files.clone();
        self.jobs.push(job);
        self.job_runs = true;
        Life::GoesOn
    }

    fn script(&self, job: u64) -> PathBuf {
        self.home.path().join(format!("job{job}"))
    }

    // --- undo, redo and rewind ---

    async fn undo(&mut self, rig: &mut Rig) -> Life {
        let path = (self.chance.below(4) == 0).then(|| self.any_name());
        let (wanted, proposed) = (path.clone(), self.proposed.clone());
        let expected =
            move |log: &[Logged], files: &Files| first(&steps(log, false), files, wanted.as_deref(), &proposed);
        self.revert(rig, "undo", Command::Undo { path }, expected).await
    }

    async fn redo(&mut self, rig: &mut Rig) -> Life {
        let proposed = self.proposed.clone();
        let expected = move |log: &[Logged], files: &Files| first(&steps(log, true), files, None, &proposed);
        self.revert(rig, "redo", Command::Redo, expected).await
    }

    async fn rewind_files(&mut self, rig: &mut Rig) -> Life {
        let prompts = self.entries_of_prompts(rig);
        let Some(prompt) = self.one_of(&prompts) else {
            return Life::GoesOn;
        };
        let expected = move |log: &[Logged], files: &Files| {
            let mut steps = steps(log, false);
            steps.retain(|step| step.iter().all(|change| change.id > prompt));
            all(&steps, files)
        };
        let command = Command::Rewind {
            prompt,
            what: Rewind::Files,
        };
        self.revert(rig, &format!("rewind {prompt:?}"), command, expected).await
    }

    async fn rewind_conversation(&mut self, rig: &mut Rig) -> Life {
        let mut prompts = self.entries_of_prompts(rig);
        prompts.retain(|prompt| prompt.0 > 1);
        let Some(prompt) = self.one_of(&prompts) else {
            return Life::GoesOn;
        };
        self.say(format!("fork before {prompt:?}"));
        let what = Rewind::Conversation;
        rig.order(self.seat, Command::Rewind { prompt, what }).await;
        let fork = rig.meant(self.seat);
        assert_ne!(fork, self.seat, "{:#?}", rig.heard);
        self.seat = fork;
        self.proposed.clear();
        // Background jobs end with their session.
        self.jobs.clear();
        self.job_runs = false;
        let root = self.root();
        let until = Instant::now() + PATIENCE;
        while !processes_in(&root).is_empty() && Instant::now() < until {
            rig.report_next().await;
        }
        rig.heard.clear();
        Life::GoesOn
    }

    fn entries_of_prompts(&self, rig: &mut Rig) -> Vec<EntryId> {
        let log = rig.log(self.seat);
        let prompts = log.iter().filter(|entry| matches!(entry.body, Body::User { .. }));
        prompts.map(|entry| entry.id).collect()
    }

    async fn revert(
        &mut self,
        rig: &mut Rig,
        what: &str,
        command: Command,
        expected: impl Fn(&[Logged], &Files) -> Expected,
    ) -> Life {
        let before = self.log(rig).len();
        rig.order(self.seat, command).await;
        let log = self.log(rig);
        self.check_jobs(log.iter().skip(before).cloned().collect());
        self.settled = self.files.clone();
        let Expected { files, stay, conflict } = expected(&log, &self.files);
        self.say(format!("{what}: expects {files:?}, {stay:?} stay, {conflict:?}"));
        let at = rig
            .until("a request or a reason", |told| asks(told) || is_reason(told))
            .await;
        let told = rig.heard.remove(at);
        let named: BTreeSet<String> = rig.heard.iter().chain([&told]).flat_map(named).collect();
        let notices: Vec<_> = rig.heard.iter().chain([&told]).filter_map(notice).collect();
        let proposed = conflict.iter().flat_map(|conflict| &conflict.paths).cloned().collect();
        let stay: BTreeSet<String> = stay.difference(&proposed).cloned().collect();
        assert_eq!(named, stay, "history {}: the conflicts: {notices:?}", self.seed);
        let Event::Live(Live::ApprovalRequested(asked)) = &told.event else {
            assert!(
                files.is_empty() && conflict.is_none(),
                "history {}: nothing was proposed",
                self.seed
            );
            return Life::GoesOn;
        };
        if let Some(conflict) = conflict {
            self.say("the later changes are kept");
            self.proposed.extend(conflict.entries);
            rig.decide(self.seat, asked, Decision::Deny { reason: None }).await;
            self.ends(rig).await;
            return Life::GoesOn;
        }
        assert!(!files.is_empty(), "history {}: nothing was to be proposed", self.seed);
        let mut after = self.files.clone();
        for (name, file) in files {
            match file {
                Some(file) => drop(after.insert(name, file)),
                None => drop(after.remove(&name)),
            }
        }
        self.contents.note(&after);
        match self.chance.below(12) {
            0 => {
                self.say("denied");
                let no = Decision::Deny { reason: None };
                rig.decide(self.seat, asked, no).await;
                self.ends(rig).await;
                return Life::GoesOn;
            }
            1 => {
                rig.decide(self.seat, asked, once()).await;
                let reports = self.chance.below(4);
                if self.some_reports(rig, reports).await == Life::Ends {
                    self.unsure = Some(Unsure::Restore(after));
                    return Life::Ends;
                }
            }
            _ => {
                rig.decide(self.seat, asked, once()).await;
                self.ends(rig).await;
            }
        }
        let changed = plan::changes(&self.files, &after);
        self.files = after;
        self.settled = self.files.clone();
        let new = self.log(rig).split_off(log.len());
        let new: BTreeSet<_> = new
            .into_iter()
            .map(|change| (change.path, change.before, change.after))
            .collect();
        assert_eq!(new, changed.into_iter().collect(), "history {}: the log", self.seed);
        Life::GoesOn
    }
}

fn shortened(changes: Vec<Logged>) -> Vec<plan::Change> {
    let changes = changes.into_iter();
    changes
        .map(|change| (change.path, change.before, change.after))
        .collect()
}

fn asks(told: &Told) -> bool {
    matches!(&told.event, Event::Live(Live::ApprovalRequested(_)))
}

fn ended(told: &Told, seat: SeatId) -> bool {
    told.seat == seat && matches!(body(told), Some(Body::TurnEnded { .. }))
}

fn notice(told: &Told) -> Option<&UndoNotice> {
    match &told.event {
        Event::Live(Live::Notice(Notice::Undo(notice))) => Some(notice),
        _ => None,
    }
}

fn is_reason(told: &Told) -> bool {
    matches!(notice(told), Some(UndoNotice::Nothing { .. } | UndoNotice::No { .. }))
}

fn named(told: &Told) -> Vec<String> {
    match notice(told) {
        Some(UndoNotice::No { files } | UndoNotice::Without { files } | UndoNotice::Older { files }) => {
            files.iter().map(|(name, _)| name.clone()).collect()
        }
        _ => Vec::new(),
    }
}

fn mode_of(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn processes_in(root: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    all.map(|process| process.path())
        .filter(|process| std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(root)))
        .collect()
}
