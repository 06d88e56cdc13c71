//! The original JSON of forms. The SDK's parser drops patterns, the order of fields, and unknown fields.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use rmcp::RoleClient;
use rmcp::model::RequestId;
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Value, json};

use crate::limits::MOST_IN_FLIGHT;

const MOST_FORM: usize = 64 << 10;

pub(crate) const METHOD: &str = "elicitation/create";

#[derive(Default)]
pub(crate) struct RawForms(Mutex<VecDeque<(RequestId, Value)>>);

impl RawForms {
    pub(crate) fn extract(&self, line: &[u8]) -> serde_json::Result<RxJsonRpcMessage<RoleClient>> {
        let mut whole: Value = serde_json::from_slice(line)?;
        let id = whole.get("id").cloned().map(serde_json::from_value);
        let form = whole.pointer_mut("/params/requestedSchema");
        if let (Some(Ok(id)), Some(form)) = (id, form) {
            let none = json!({"type": "object", "properties": {}});
            let form = std::mem::replace(form, none);
            if form.to_string().len() <= MOST_FORM {
                let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                forms.push_back((id, form));
                if forms.len() > MOST_IN_FLIGHT {
                    forms.pop_front();
                }
            }
        }
        serde_json::from_value(whole)
    }

    pub(crate) fn take(&self, id: &RequestId) -> Option<Value> {
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = forms.iter().rposition(|(known, _)| known == id)?;
        forms.remove(at).map(|(_, form)| form)
    }
}

#[cfg(test)]
mod tests;
