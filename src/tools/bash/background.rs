//! Runs a command that continues after its call has returned. The command starts like any other command. Then a
//! separate task watches the command. When the session ends, the command is stopped.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc;

use super::collect::Collected;
use super::follow::{self, End};
use super::live::Live;
use super::{BashPlan, not_confined, report};
use crate::confinement::Confined;
use crate::jobs::{Ended, Handle, News, Place, Teller};
use crate::row::Run;
use crate::{ToolContext, cancelled};
use benchdog_base::id::CallId;
use benchdog_domain::confinement::Network;
use benchdog_domain::job::JobEnd;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, Outcome, OutputChunk};

/// Time that the call waits before it returns, to report early failures and the first lines of output.
const FIRST_LOOK: Duration = Duration::from_millis(300);

/// Maximum bytes of the first lines in the call's result, and of the last lines in the final notice.
const FIRST_LINES: usize = 4_000;
const LAST_LINES: usize = 1_000;

pub(super) async fn begin(plan: BashPlan, it: Run<'_>, confined: Option<Confined>) -> Outcome {
    let wrote = Arc::new(Mutex::new(Collected::of_job(it.cx)));
    let place = Place {
        call: it.call.clone(),
        title: super::title(&plan.command),
        wrote: Arc::clone(&wrote),
    };
    let handle = match it.cx.jobs.begin(place) {
        Ok(handle) => handle,
        Err(refusal) => return *refusal.outcome,
    };
    let cx = ToolContext {
        stop: handle.to_stop(),
        ..it.cx.clone()
    };
    tokio::spawn(attend(plan, cx, confined, handle.clone(), (it.call, wrote)));
    tokio::select! {
        () = handle.ended() => {}
        () = it.cx.stop.stopped() => {
            handle.stop();
            handle.ended().await;
            it.cx.jobs.forget(handle.id());
            return cancelled("It was ended again at once; what it did until then stays.");
        }
        () = tokio::time::sleep(FIRST_LOOK) => {}
    }
    if handle.goes_on() {
        begun(&handle, it.cx.confines.wanted.network == Network::None)
    } else {
        over(&handle, it.cx)
    }
}

/// Returns the call's result while the command continues in the background.
fn begun(handle: &Handle, is_cut_off: bool) -> Outcome {
    let id = handle.id();
    let first = handle.wrote().part(0, FIRST_LINES);
    handle.has_read(first.upto);
    let mut output = first.text;
    report::line_end(&mut output);
    if is_cut_off {
        output.push_str("[it has no network: nothing outside reaches its ports]\n");
    }
    output.push_str(&format!(
        "[{id} runs in the background. `bash_output` reads what it writes from here on, `bash_kill` ends it; it ends with the session.]"
    ));
    Outcome::ok(Summary::Background { job: id }, output)
}

/// Returns the result of a command that ended before it became a background job.
fn over(handle: &Handle, cx: &ToolContext) -> Outcome {
    let Some(ended) = handle.how() else {
        return Outcome::error("internal", "Its end is not known.");
    };
    let most = cx.limits.result_bytes.saturating_sub(2_000).min(super::collect::MOST);
    let shown = handle.newest(most);
    let mut output = shown.text;
    report::line_end(&mut output);
    match &ended.file {
        // Delete the file, because the result shows the whole output.
        Some(file) if shown.from == 0 => drop(std::fs::remove_file(file)),
        Some(file) => output.push_str(&format!("[this is its end; all of it is in `{}`]\n", file.display())),
        None => {}
    }
    output.push_str(&ended.words);
    cx.jobs.forget(handle.id());
    Outcome {
        status: ended.status,
        code: ended.code.map(str::to_owned),
        ..Outcome::ok(ended.how, output.trim_end())
    }
}

async fn attend(
    plan: BashPlan,
    cx: ToolContext,
    confined: Option<Confined>,
    handle: Handle,
    (call, wrote): (CallId, Arc<Mutex<Collected>>),
) {
    let _unwatched = Unwatched(handle.clone());
    let (output, mut chunks) = mpsc::channel::<OutputChunk>(16);
    let live = Live::new(call.clone(), output);
    let hears = async {
        while let Some(chunk) = chunks.recv().await {
            handle.came(&chunk);
            cx.jobs.tell(News::Output(chunk));
        }
    };
    let follow = follow::follow(&plan, &cx, confined.as_ref(), &wrote, live);
    let (end, ()) = tokio::join!(follow, hears);
    let file = handle.wrote().close();
    let ended = match end {
        Ok(end) => ended(&end, &plan, &cx, confined.as_ref(), &handle.newest(LAST_LINES).text),
        Err(error) => failed(&Outcome::error(
            "not_started",
            format!("The command could not be started: {error}."),
        )),
    };
    let ended = Ended { file, ..ended };
    let last = handle.newest(LAST_LINES).text;
    let untold = match handle.ends(ended.clone()) {
        // The `bash` call or the log entry at the end of the session reports this job's end.
        Teller::Begins | Teller::Session => return cx.jobs.tell(News::Changed),
        Teller::Ends => None,
        Teller::Nobody => {
            let mut text = last;
            report::line_end(&mut text);
            Some(format!("{text}{}", ended.words))
        }
    };
    let (name, how) = (handle.name(), ended.how);
    cx.jobs.tell_surely(News::Ended(JobEnd { name, how, untold })).await;
}

fn ended(end: &End, plan: &BashPlan, cx: &ToolContext, confined: Option<&Confined>, last: &str) -> Ended {
    if let Err(error) = &end.status
        && error.kind() == std::io::ErrorKind::Unsupported
    {
        return failed(&not_confined(&error.to_string()));
    }
    let held = report::held(cx, confined, plan);
    let report::Verdict { status, code, summary } = report::verdict(end, plan.runs);
    Ended {
        words: report::ending(end, plan.runs, held.as_ref(), last),
        how: summary,
        status,
        code,
        file: None,
    }
}

fn failed(outcome: &Outcome) -> Ended {
    Ended {
        how: outcome.summary.clone(),
        words: outcome.output.clone(),
        status: CallStatus::Error,
        code: Some("not_started"),
        file: None,
    }
}

/// Guard that marks the job as ended if its watcher fails, so that nothing waits forever.
struct Unwatched(Handle);

impl Drop for Unwatched {
    fn drop(&mut self) {
        if self.0.is_running() {
            let words = "[unknown: how it ended cannot be told]".to_owned();
            self.0.ends(Ended {
                how: Summary::EndUnknown {
                    took_ms: u64::try_from(self.0.age().as_millis()).unwrap_or(u64::MAX),
                },
                words,
                status: CallStatus::Error,
                code: Some("unknown"),
                file: None,
            });
        }
    }
}
