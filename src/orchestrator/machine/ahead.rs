//! What comes behind a request is looked at and told with it: whether it is right often depends on that. It is decided in its turn, and
//! prepared anew for it, so that what is decided is what is there.

use super::Machine;
use super::turn::{Call, Phase};
use crate::base::id::CallId;
use crate::domain::call::Origin;
use crate::orchestrator::effect::Effect;

impl Machine {
    pub(super) fn look_ahead(&mut self, of: &CallId) {
        let of_reply = |call: &&Call| call.call.origin == Origin::Model;
        let calls = self.turn.iter().flat_map(|turn| &turn.calls).filter(of_reply);
        let mut calls = calls.skip_while(|call| call.call.id != *of);
        if calls.next().is_some() {
            let behind = calls.filter(|call| matches!(call.phase, Phase::Waiting));
            let calls = behind.map(|call| call.call.clone()).collect();
            self.out.push(Effect::LookAhead { of: of.clone(), calls });
        }
    }

    /// Whether nothing was begun yet of this call.
    pub(in crate::orchestrator) fn is_unbegun(&self, id: &CallId) -> bool {
        let mut calls = self.turn.iter().flat_map(|turn| &turn.calls);
        calls.any(|call| call.call.id == *id && matches!(call.phase, Phase::Waiting))
    }
}
