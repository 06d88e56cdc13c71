//! "Always allow" rules from approval requests of subagents. Each rule applies until its subagent ends. The list of
//! permissions shows these rules together with the parent's rules.

use super::{Engine, Seats};
use benchdog_base::id::SeatId;
use benchdog_domain::permission::{Layer, Rule};

impl Seats {
    pub(in crate::engine) async fn list_permissions(&mut self, engine: &Engine, id: SeatId) {
        let mut answers = Vec::new();
        for child in self.children_of(id) {
            if let Some(seat) = self.get(child) {
                answers.extend(seat.own_answers());
            }
        }
        if let Some(seat) = self.get(id) {
            seat.list_permissions(engine, answers).await;
        }
    }

    pub(in crate::engine) async fn revoke(&mut self, engine: &mut Engine, id: SeatId, layer: Layer, rule: &Rule) {
        for of in std::iter::once(id).chain(self.children_of(id)) {
            if let Some(seat) = self.get(of) {
                seat.revoke(engine, layer, rule).await;
                seat.judge_anew(engine).await;
            }
        }
        self.obey_anew(engine, id).await;
        self.list_permissions(engine, id).await;
    }
}
