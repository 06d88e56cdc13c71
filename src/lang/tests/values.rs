//! Examples of each kind of value, in every form that has its own message.

use super::notices::broken_skill;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::command::{Instead, Interactive, Reach};
use benchdog_domain::confinement::{Level, Part};
use benchdog_domain::failure::{Cut, Failure, Overweight};
use benchdog_domain::image::{Flaw, ImageKind};
use benchdog_domain::mention::{Unreadable, WhyUnreadable};
use benchdog_domain::permission::{Action, Because, CheckBecause, Rule};
use benchdog_domain::server::{NoPrompt, ServerTrouble};
use benchdog_domain::skill::{BrokenSkill, OfferKind};

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
            server: None,
            lessened: false,
        },
        Failure::ContextOverflow {
            limit: None,
            text: t("A"),
            server: None,
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
            server: None,
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
