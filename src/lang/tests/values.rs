//! One of each value, with every shape it can have, and what is said of it.

use super::super::*;
use super::notices::broken_skill;
use benchdog_base::id::BlobId;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::command::{Instead, Interactive, Reach, Written};
use benchdog_domain::confinement::{Level, Part};
use benchdog_domain::failure::{Cut, Failure, Overweight};
use benchdog_domain::image::{Flaw, Image, ImageKind};
use benchdog_domain::mention::{Mention, MentionKind, Part as Lines, Unreadable, WhyUnreadable};
use benchdog_domain::permission::{Action, Because, CheckBecause, Layer, OnlyOnce, Rule, Verdict};
use benchdog_domain::review::Pause;
use benchdog_domain::server::{NoPrompt, ServerTrouble};
use benchdog_domain::skill::{BrokenSkill, OfferKind};
use benchdog_domain::worktree::Worktree;

pub(super) fn t(text: &str) -> String {
    text.to_owned()
}

pub(super) fn failures() -> Vec<Failure> {
    let empty = |finish| Failure::EmptyReply { times: 3, finish };
    vec![
        empty(None),
        empty(Some(t("stop"))),
        Failure::NotHandedOver { tool: t("A"), times: 3 },
        Failure::ContextFull(Overweight {
            used: 9,
            limit: 8,
            fixed: 0,
        }),
        Failure::ContextFull(Overweight {
            used: 9,
            limit: 8,
            fixed: 5,
        }),
        Failure::ContextFull(Overweight {
            used: 9,
            limit: 8,
            fixed: 8,
        }),
        Failure::ContextOverflow {
            limit: Some(8),
            text: t("A"),
            lessened: false,
        },
        Failure::ContextOverflow {
            limit: None,
            text: t("A"),
            lessened: true,
        },
        Failure::MentionUnread { mentions: unreadable() },
        Failure::NoModel,
        Failure::NoProvider {
            provider: t("p"),
            model: ModelRef {
                provider: t("p"),
                id: t("m"),
            },
        },
        Failure::SessionNotOpen,
        Failure::RecordingEnded,
        Failure::Told {
            code: t("A"),
            text: t("B"),
        },
    ]
}

fn unreadable() -> Vec<Unreadable> {
    let reasons = [
        WhyUnreadable::Missing,
        WhyUnreadable::Outside,
        WhyUnreadable::NoText { words: t("A") },
        WhyUnreadable::NotAllowed {
            because: Because::NoRule,
        },
        WhyUnreadable::TooMany { most: 50, named: 60 },
        WhyUnreadable::Unclear {
            range: "9-1".to_owned(),
        },
        WhyUnreadable::NotSeen {
            kind: ImageKind::Png,
            model: t("A"),
        },
        WhyUnreadable::TooManyImages { most: 8 },
        WhyUnreadable::NoSkill(Box::new(broken_skill())),
        WhyUnreadable::NoSkill(Box::new(BrokenSkill {
            kind: OfferKind::Command,
            ..broken_skill()
        })),
        WhyUnreadable::Prompt(NoPrompt::Unknown),
        WhyUnreadable::Prompt(NoPrompt::Lacks {
            lacks: vec!["code".to_owned()],
        }),
        WhyUnreadable::Prompt(NoPrompt::Trouble(ServerTrouble::Off)),
        WhyUnreadable::Resource(ServerTrouble::Off),
        WhyUnreadable::NoServer { known: vec![t("A")] },
        WhyUnreadable::NoReading {
            media: t("A"),
            bytes: 3_000,
        },
        WhyUnreadable::Picture(Flaw::Bytes {
            kind: ImageKind::Png,
            bytes: 30_000_000,
        }),
        WhyUnreadable::Picture(Flaw::Broken { kind: ImageKind::Gif }),
        WhyUnreadable::Picture(Flaw::Sides {
            kind: ImageKind::Png,
            width: 9_000,
            height: 20,
        }),
        WhyUnreadable::NoRoomForImages,
        WhyUnreadable::Hook { reason: t("B") },
        WhyUnreadable::Failed { words: t("B") },
    ];
    reasons.map(|why| Unreadable { path: t("P"), why }).into()
}

pub(super) fn mentions() -> Vec<Mention> {
    let part = |last| Lines {
        first: 1,
        last,
        total: 9,
    };
    let kinds = [
        (MentionKind::Folder, None),
        (MentionKind::Skill, None),
        (MentionKind::Image, None),
        (MentionKind::Resource, None),
        (MentionKind::File, None),
        (MentionKind::File, Some(part(9))),
        (MentionKind::File, Some(part(3))),
    ];
    let mention = |(kind, lines)| Mention {
        kind,
        path: t("P"),
        lines,
        hash: None,
        text: String::new(),
        truncated: false,
        image: (kind == MentionKind::Image).then(|| Image {
            kind: ImageKind::Png,
            blob: BlobId(String::new()),
            bytes: 1,
        }),
    };
    kinds.map(mention).into()
}

pub(super) fn cuts() -> Vec<Cut> {
    let failed = failures().into_iter().map(Cut::Failed);
    let others = [
        Cut::Interrupted,
        Cut::OutOfTime,
        Cut::NotSaved,
        Cut::Ended,
        Cut::Unproven,
        Cut::Words(t("A")),
    ];
    others.into_iter().chain(failed).collect()
}

pub(super) fn reasons() -> Vec<Because> {
    let path = || t("A");
    let reaches = [
        Reach::Process { path: path() },
        Reach::Secret { path: path() },
        Reach::LeadsToSecret { path: path() },
        Reach::Obeyed { path: path() },
        Reach::NamesSecret,
        Reach::SecretBelow { path: path() },
        Reach::LinkBelow { path: path() },
        Reach::Unseen,
        Reach::Outside { path: path() },
        Reach::Unfollowed {
            path: path(),
            reason: t("B"),
        },
    ];
    let instead = [
        Instead::Edit,
        Instead::Debug,
        Instead::Person,
        Instead::Run,
        Instead::Script,
        Instead::Query,
        Instead::Print,
        Instead::Snapshot,
    ];
    let interactive = instead.map(|instead| {
        Because::Interactive(Interactive {
            program: t("A"),
            instead,
        })
    });
    let checks = [
        CheckBecause::Configured,
        CheckBecause::Allowed,
        CheckBecause::NotAllowedYet { command: t("A") },
        CheckBecause::Changed {
            command: t("A"),
            file: t("B"),
        },
    ];
    let rule = |origin| {
        Because::Rule(Rule {
            key: t("bash"),
            pattern: t("ls *"),
            options: None,
            action: Action::Allow,
            origin,
        })
    };
    let others = [
        rule(t("built in")),
        rule(String::new()),
        Because::NoRule,
        Because::OnlyReads,
        Because::Confined,
        Because::Unconfined,
        Because::Scratch,
        Because::Catastrophic { why: t("A") },
        Because::External { why: t("A") },
        Because::Dangerous { why: t("A") },
        Because::NotUnderstood { why: t("A") },
        Because::NotPlain,
        Because::Elsewhere { folder: t("A") },
        Because::CalledRisky,
        Because::StepLimit,
        Because::Loop,
        Because::Denials,
        Because::NotConfined {
            level: Level::Workspace,
            parts: vec![Part::Mounts, Part::Landlock],
        },
        Because::ReadOnly,
        Because::Typed,
        Because::Words(t("A")),
    ];
    let reaches = reaches.into_iter().map(Because::Reaches);
    others
        .into_iter()
        .chain(reaches)
        .chain(interactive)
        .chain(checks.into_iter().map(Because::Check))
        .collect()
}

/// One of which so much is only there.
fn worktree(changed: u64, ahead: u64) -> Worktree {
    Worktree {
        name: t("A"),
        branch: t("B"),
        path: t("C"),
        changed,
        ahead,
    }
}

/// Of the same value in every place, which is enough to see that it is filled.
pub(super) fn of_the_screen() -> Vec<String> {
    let counted = [lines, more_lines, unchanged, characters, words, more_wait];
    let named = [
        closes,
        setup_testing,
        comes_back,
        unsent,
        prompt_hint,
        opens,
        brings,
        editor_failed,
        cleared,
        once_more,
        no_hunk_kept,
        not_bound,
        rule_stands,
        rule_taken_back,
    ];
    let others = [
        either(&[t("A"), t("B")]),
        no_command("A", None),
        no_command("A", Some("B")),
        paste(1, "A"),
        text_full(16),
        find_hits(1, 2, "A", "B"),
        strokes("A", "B"),
        several_wait(2, "A"),
        some_of(1, 2),
        new_lines(1, "A"),
        new_lines(2, "A"),
        attempt(2, 3),
        speed(38),
        tokens(1, 2),
        window(2_048),
        and_more("A", 2),
        copied("A", "B"),
        jobs_running(1),
        jobs_running(2),
        job_runs(1_000),
        job_ends("A", "B"),
        jobs_keys("A", "B"),
        no_job("A"),
        job_is_over("A"),
        loops_going(1),
        loops_going(2),
        loop_begun(1, "A"),
        loop_stopped(1),
        loop_failed(1),
        no_loop(1),
        loops_stopped(1),
        loops_stopped(2),
        loop_stands("A", 3, 0),
        loop_stands("A", 3, 2),
        seats_wait(1),
        seats_wait(2),
        closing("A", "B"),
        seats_work(1),
        seats_work(2),
        seats_ended(2),
        switchboard_keys("A", "B"),
        only_seat("A"),
        last_seat("A"),
        waits_elsewhere("A", "B"),
        age(0),
        age(61_000),
        age(3_600_000),
        age(259_200_000),
        worktree_keys("A"),
        would_be_lost(&worktree(0, 0)),
        would_be_lost(&worktree(1, 1)),
        would_be_lost(&worktree(2, 2)),
        not_copied("A", "B"),
        prompt_hint(""),
        cleared(""),
        misspelt("A", "B"),
    ];
    let counted = counted.iter().flat_map(|count| [count(1), count(2)]);
    let named = named.iter().map(|name| name("A"));
    counted.chain(named).chain(others).collect()
}

pub(super) fn of_a_request() -> Vec<String> {
    let named = [asked, default_rule, mode_becomes, renamed_from, copy_of];
    let others = [
        comes_from(Layer::Default),
        place_of(2, 5),
        at_file(1, 2),
        comment_on("A", 1),
        comment_place("A", 1, true),
        comment_place("A", 1, false),
        comments_head(),
        editing("A", 1, 2, 3),
        at_hunk(1, 2),
        hunk(1),
        stops_after(3),
        in_background(None),
        in_background(Some(3)),
        only_once(&asking(None)),
        only_once(&asking(Some(OnlyOnce::Guarded(Because::NotPlain)))),
        only_once(&asking(Some(OnlyOnce::Branch))),
        only_once(&asking(Some(OnlyOnce::Undone))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Redirected)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Expanded)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Assigned)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Compound)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Long)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Fed)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Quoted)))),
        go_on(&Pause::Steps { steps: 100 }),
        go_on(&Pause::Loop {
            tool: "read".to_owned(),
            title: "a.rs".to_owned(),
            times: 3,
        }),
        go_on(&Pause::Denials { times: 3 }),
        not_text(1, 2),
        undo_waits("A"),
        undo_waits(""),
    ];
    named.iter().map(|name| name("A")).chain(others).collect()
}

/// A request that may be allowed once only.
fn asking(only_once: Option<OnlyOnce>) -> Verdict {
    Verdict {
        action: Action::Ask,
        because: Because::NoRule,
        layer: Layer::Default,
        class: None,
        scopes: Vec::new(),
        only_once,
        network: false,
        needs_person: false,
        confinable: false,
    }
}
