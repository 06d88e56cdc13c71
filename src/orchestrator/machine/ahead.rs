//! Previews of the calls that follow a pending request. Each call is prepared again before it runs.

use super::Machine;
use super::turn::{Call, Phase};
use crate::effect::Effect;
use benchdog_base::id::CallId;
use benchdog_domain::call::Origin;

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

    pub(crate) fn is_unbegun(&self, id: &CallId) -> bool {
        let mut calls = self.turn.iter().flat_map(|turn| &turn.calls);
        calls.any(|call| call.call.id == *id && matches!(call.phase, Phase::Waiting))
    }
}
