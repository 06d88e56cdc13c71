//! Handles a server's messages: roots, forms during a call, progress. Refuses other requests, such as sampling.

#![expect(
    deprecated,
    reason = "servers of every revision in use may ask for roots and sampling"
)]

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationCapability, ErrorCode, ErrorData, FormElicitationCapability,
    Implementation, ListRootsResult, ProgressNotificationParam, ProgressToken, ProtocolVersion, RequestId, Root,
    RootsCapabilities,
};
use rmcp::service::{InboundStreamOrigin, NotificationContext, RequestContext, RoleClient};
use tokio::sync::{mpsc, watch};

use super::elicitation::{self, FormRouter};
use super::stdio::Faults;
use benchdog_base::text::{clean, truncate};
use benchdog_domain::elicited::Reply;
use benchdog_domain::server::{ServerName, WhyNoForm};

const SHOWN: usize = 200;

#[derive(Default)]
pub(super) struct ListenerState {
    followed: Mutex<HashMap<ProgressToken, mpsc::Sender<String>>>,
    /// Counts changes of the tools, prompts or resources.
    pub(super) changed: watch::Sender<u64>,
    pub(super) forms: FormRouter,
    asked: Mutex<BTreeSet<&'static str>>,
}

impl ListenerState {
    pub(super) fn follow(&self, token: ProgressToken, tell: mpsc::Sender<String>) {
        self.followed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(token, tell);
    }

    pub(super) fn stop_following(&self, token: &ProgressToken) {
        self.followed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(token);
    }

    pub(super) fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|what| (*what).to_owned()).collect()
    }

    fn note(&self, what: &'static str) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(what);
    }
}

impl Listener {
    fn refuse(&self, why: &WhyNoForm, of: Option<&RequestId>) -> ElicitResult {
        self.state.forms.refuse(why, of);
        self.decline(match why {
            WhyNoForm::Secret { .. } => "elicitation (secret)",
            WhyNoForm::Address => "elicitation (url)",
            WhyNoForm::Odd | WhyNoForm::TooMany | WhyNoForm::Off => "elicitation",
        })
    }

    fn decline(&self, what: &'static str) -> ElicitResult {
        self.state.note(what);
        ElicitResult::new(ElicitationAction::Decline)
    }
}

#[derive(Clone)]
pub(super) struct Listener {
    pub(super) state: Arc<ListenerState>,
    pub(super) folder: PathBuf,
    pub(super) server: ServerName,
    pub(super) faults: Arc<Faults>,
}

#[expect(
    deprecated,
    reason = "servers of every revision in use may ask for roots and sampling"
)]
impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.roots = Some(RootsCapabilities::default());
        let forms = FormElicitationCapability::new().with_schema_validation(true);
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(forms));
        ClientConfig::new(capabilities, Implementation::new("benchdog", env!("CARGO_PKG_VERSION")))
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        let name = self
            .folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let root = Root::new(file_url(&self.folder)).with_name(name);
        Ok(ListRootsResult::new(vec![root]))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.state.note("sampling");
        let told = "Benchdog has no model answer for a server.";
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, told, None))
    }

    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        cx: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let schema = self.faults.raw_forms.take(&cx.id).unwrap_or_default();
        // Over HTTP, a form arrives in the response stream of a call, which identifies the call.
        let of = match cx.extensions.get::<InboundStreamOrigin>() {
            Some(InboundStreamOrigin::OutboundRequest(call)) => Some(call),
            Some(InboundStreamOrigin::Unassociated) | None => None,
        };
        let message = match asked {
            ElicitRequestParams::FormElicitationParams { message, .. } => message,
            _ => return Ok(self.refuse(&WhyNoForm::Address, of)),
        };
        let form = match elicitation::form(&self.server, &message, &schema) {
            Ok(form) => form,
            Err(why) => return Ok(self.refuse(&why, of)),
        };
        // The wait also ends if the server withdraws the form.
        let answer = tokio::select! {
            answer = self.state.forms.ask(form, of) => answer,
            () = cx.ct.cancelled() => Some(Reply::Cancelled),
        };
        Ok(match answer {
            Some(Reply::Given(given)) => {
                ElicitResult::new(ElicitationAction::Accept).with_content(serde_json::Value::Object(given))
            }
            Some(Reply::Declined) => ElicitResult::new(ElicitationAction::Decline),
            Some(Reply::Cancelled) => ElicitResult::new(ElicitationAction::Cancel),
            None => self.decline("elicitation"),
        })
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let followed = self.state.followed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tell) = followed.get(&progress.progress_token) {
            // If the channel is full, drop the message. Later progress replaces it.
            let _ = tell.try_send(progress_text(&progress));
        }
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.state.changed.send_modify(|count| *count += 1);
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.state.changed.send_modify(|count| *count += 1);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.state.changed.send_modify(|count| *count += 1);
    }
}

fn file_url(folder: &std::path::Path) -> String {
    use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
    const ESCAPED: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'%')
        .add(b'?')
        .add(b'#')
        .add(b'"')
        .add(b'<')
        .add(b'>');
    format!("file://{}", utf8_percent_encode(&folder.to_string_lossy(), ESCAPED))
}

fn progress_text(progress: &ProgressNotificationParam) -> String {
    let done = match progress.total {
        Some(total) => format!("{}/{total}", progress.progress),
        None => progress.progress.to_string(),
    };
    let message = progress.message.as_deref().unwrap_or_default();
    let message = clean(message).replace(['\n', '\t'], " ");
    truncate(format!("{done} {message}").trim(), SHOWN).into_owned()
}
