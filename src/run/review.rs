//! `benchdog review`: a read-only agent reviews changed files.

use super::engine::{Base, Wishes};
use super::{Asked, Prompt, can_ask, complain, end_of, in_a_runtime, never_began, printed, wishes_without_screen};
use crate::cli::{Common, FailOn, Reader, ReviewArgs, has_effect};
use crate::error::Trouble;
use benchdog_base::environment::Environment;
use benchdog_children::confined::signals::Held;
use benchdog_config::{Loaded, keys};
use benchdog_context::reviewing;
use benchdog_domain::agent::{AgentName, REVIEW};
use benchdog_domain::comparison::NoComparison;
use benchdog_domain::finding::Severity;
use benchdog_headless::exit::Exit;
use benchdog_headless::{self as headless, Review};
use benchdog_lang::{self as lang, Obstacle, Word, word};
use benchdog_security::redact::Redactor;
use benchdog_tools::findings;
use benchdog_tools::review::{Looked, look};

/// Context window in tokens that is assumed for a model whose window is unknown.
const WINDOW: u64 = 32_768;

pub(super) fn run(common: Common, arguments: ReviewArgs, reader: Reader, signals: Held) -> Result<Exit, Trouble> {
    let output = printed(arguments.output);
    let until = end_of(&arguments.bounds);
    let review = Review {
        fail_on: arguments.fail_on.map(severity),
    };
    let asked = move || asked_for(common, &arguments, review, reader);
    match in_a_runtime(output, until, signals, asked) {
        Err(nothing) if nothing.exit == Exit::Done => {
            headless::nothing_to_review(output, &mut std::io::stdout());
            complain(&nothing.whole_text());
            Ok(Exit::Done)
        }
        ended => ended.inspect_err(|trouble| never_began(output, trouble, Some(review))),
    }
}

fn asked_for(common: Common, arguments: &ReviewArgs, review: Review, reader: Reader) -> Result<Asked, Trouble> {
    if let Some(flag) = common.given().find(|flag| !has_effect(flag, "review")) {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoEffect { flag }));
    }
    let mut base = Base::new(common, reader)?;
    let loaded = base.load_here()?;
    let range = arguments.range.as_deref().unwrap_or_default().trim();
    let redactor = redactor(&loaded, &base.environment);
    let looked = look(&base.root, range, room(&loaded), &redactor).map_err(|why| nothing_comparable(&why))?;
    let Some(Looked { review: given, notices }) = looked else {
        return Err(Trouble::new(Exit::Done, word(Word::NothingDiffers)));
    };
    can_ask(&base, &loaded)?;
    let (tools, _) = base.tools.with([findings::row(given.files)]);
    base.tools = tools;
    let whole = given.prompt.len();
    let wishes = Wishes {
        agent: Some(AgentName(REVIEW.to_owned())),
        notices,
        ..wishes_without_screen(&base, &arguments.bounds)
    };
    Ok(Asked {
        base,
        loaded,
        wishes,
        prompt: Prompt {
            // A diff must not contain mentions, so all text is marked as pasted.
            pasted: std::iter::once(0..whole).collect(),
            review: Some(review),
            ..given.prompt.into()
        },
    })
}

fn severity(fail_on: FailOn) -> Severity {
    match fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Note => Severity::Note,
    }
}

fn nothing_comparable(why: &NoComparison) -> Trouble {
    let (exit, code) = match why {
        NoComparison::NoRepository => (Exit::Usage, "no_repository"),
        NoComparison::NoSuch { .. } => (Exit::Usage, "no_such_range"),
        NoComparison::Slow | NoComparison::Git { .. } => (Exit::Internal, "git"),
    };
    let said = match why {
        NoComparison::NoRepository => lang::word(lang::Word::CommitNoRepository).to_owned(),
        other => lang::no_comparison(other),
    };
    Trouble::new(exit, said).coded(code)
}

/// Returns the maximum size of the changes in the prompt, in bytes.
fn room(loaded: &Loaded) -> usize {
    let settings = &loaded.settings;
    let model = super::engine::chosen_model(settings).ok().flatten();
    let configured = model.and_then(|model| settings.model_settings(&model).context);
    reviewing::room(configured.unwrap_or(WINDOW))
}

fn redactor(loaded: &Loaded, environment: &Environment) -> Redactor {
    let settings = &loaded.settings;
    let providers = settings.provider.iter();
    let in_use = providers.flat_map(|(_, provider)| keys(provider, environment));
    Redactor::new(in_use.chain(settings.stored_keys.iter().cloned()))
}
