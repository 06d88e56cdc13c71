//! `--linear`: an engine with line output, also used for terminals that cannot position a cursor.

use std::io::IsTerminal;

use super::engine::{self, Base, Wishes};
use super::threads;
use crate::error::Trouble;
use benchdog_headless::exit::Exit;
use benchdog_lang as lang;
use benchdog_linear::{self as linear, From, Session};
use benchdog_orchestrator::engine::{Engine, ProjectLayer, Search};
use benchdog_traces as traces;

pub(super) fn run(base: &Base, prompt: Option<String>) -> Result<Exit, Trouble> {
    base.needs_id()?;
    let loaded = base.load_own()?;
    let _traces = traces::start(&base.folders.logs, &loaded.settings.logs, super::complain);
    let wishes = Wishes {
        open: base.open_what(),
        project: if base.common.trust {
            ProjectLayer::Trust
        } else {
            ProjectLayer::Ask
        },
        search: Search::Never,
        ..Wishes::default()
    };
    let from = if std::io::stdin().is_terminal() {
        From::Terminal
    } else {
        From::Elsewhere
    };
    let runtime = threads::runtime()?;
    drop(runtime.spawn_blocking(lang::prepare));
    let left = runtime.block_on(async {
        let (setup, home) = engine::setup(base, loaded, wishes)?;
        let record = setup.record.clone();
        let engine = Engine::start(setup, home);
        let session = Session {
            seat: engine.seat,
            orders: engine.orders,
            told: engine.told,
            prompt,
            from,
        };
        let left = linear::run(session, std::io::stdout()).await;
        engine::close(engine.task, record.as_deref()).await;
        left.map_err(|error| Trouble::from_error(Exit::Internal, &error))
    });
    threads::stop(runtime);
    left
}
