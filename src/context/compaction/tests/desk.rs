//! Test session that grows by simulated events.

use super::*;

pub(super) struct Desk {
    pub(super) history: History,
    pub(super) assembly: Assembly,
    pub(super) estimator: Estimator,
    pub(super) tools: Vec<ToolFacts>,
    pub(super) window: Window,
    pub(super) turn: u32,
    pub(super) calls: u32,
}

impl Desk {
    pub(super) fn with(window: u64) -> Self {
        let lists = ToolFacts {
            success: Success::ListKept,
            ..ToolFacts::of("todowrite", EffectClass::Notes)
        };
        let instructs = ToolFacts {
            success: Success::Instructed,
            ..ToolFacts::of("skill", EffectClass::Reads)
        };
        Self {
            history: History::default(),
            assembly: Assembly::new("You are an agent. ".repeat(40)),
            estimator: Estimator::new(&ToldRules::default(), &[], Arc::new([])),
            tools: vec![ToolFacts::of("read", EffectClass::Reads), lists, instructs],
            window: Window::of(window, window / 8),
            turn: 0,
            calls: 0,
        }
    }

    pub(super) fn push(&mut self, body: Body) -> EntryId {
        let id = EntryId(self.history.last_entry().0 + 1);
        self.history.push(Arc::new(Entry {
            id,
            turn: TurnId(self.turn),
            time: Time(0),
            body,
        }));
        id
    }

    pub(super) fn user(&mut self, text: &str) -> EntryId {
        self.turn += 1;
        self.push(Body::User {
            text: text.to_owned(),
            mentions: Vec::new(),
            notes: Vec::new(),
        })
    }

    pub(super) fn calls(&mut self, tool: &str, outputs: &[String]) -> Vec<EntryId> {
        let ids: Vec<CallId> = outputs
            .iter()
            .map(|_| {
                self.calls += 1;
                CallId(format!("c{}", self.calls))
            })
            .collect();
        let calls = ids.iter().map(|id| ToolCall {
            id: id.clone(),
            name: tool.to_owned(),
            arguments: Arguments::Raw(String::new()),
        });
        self.answer("I look.", calls.collect());
        let results = ids.into_iter().zip(outputs).map(|(call, output)| {
            self.push(Body::ToolResult {
                call,
                tool: tool.to_owned(),
                title: "src/a.rs".to_owned(),
                status: CallStatus::Ok,
                summary: Summary::NotRun,
                output: output.clone(),
                truncated: false,
                notes: Vec::new(),
                took_ms: 0,
                places: Vec::new(),
                images: Vec::new(),
            })
        });
        results.collect()
    }

    pub(super) fn answer(&mut self, text: &str, calls: Vec<ToolCall>) -> EntryId {
        self.push(Body::Assistant {
            text: text.to_owned(),
            reasoning: String::new(),
            seals: Vec::new(),
            calls,
            model: ModelRef::none(),
            usage: None,
            error: None,
        })
    }

    pub(super) fn end(&mut self) {
        self.push(Body::TurnEnded {
            outcome: TurnOutcome::Done,
            steps: 1,
            usage: Default::default(),
        });
    }

    pub(super) fn reads(&mut self, prompt: &str, bytes: usize) -> EntryId {
        self.user(prompt);
        let read = self.calls("read", &[text(bytes)]);
        self.answer("Done.", Vec::new());
        self.end();
        read[0]
    }

    pub(super) fn todo(&mut self, text: &str) {
        self.push(Body::Todo {
            items: TodoList(vec![TodoItem {
                id: 1,
                text: text.to_owned(),
                status: TodoStatus::Pending,
            }]),
        });
    }

    pub(super) fn messages(&mut self) -> Vec<ChatMessage> {
        let upto = self.history.last_entry();
        self.assembly.extend(&self.history, upto).to_vec()
    }

    pub(super) fn used(&mut self) -> u64 {
        let messages = self.messages();
        self.estimator.follow(&self.assembly);
        self.estimator.before(&messages, self.window);
        self.estimator.weigh(&messages)
    }

    pub(super) fn bench(&mut self, policy: Policy) -> Bench<'_> {
        let used = self.used();
        Bench {
            history: &self.history,
            assembly: &self.assembly,
            estimator: &self.estimator,
            tools: &self.tools,
            window: self.window,
            policy,
            used,
        }
    }

    pub(super) fn take(&mut self, compaction: Compaction) -> EntryId {
        self.push(Body::Compaction(compaction))
    }

    pub(super) fn summarised(&mut self, plan: Plan, summary: &str) -> Compaction {
        self.bench(POLICY).with_summary(plan, summary.to_owned())
    }

    /// Runs all due compactions. `summary` answers summary requests.
    pub(super) fn make_room(&mut self, policy: Policy, summary: Option<&str>) {
        let mut failed = false;
        for _ in 0..6 {
            let bench = self.bench(policy);
            let Some(why) = bench.need(false) else { return };
            match (bench.step(why, failed), summary) {
                (Some(Step::Take(compaction)), _) => {
                    self.take(compaction);
                }
                (Some(Step::Summarise(plan)), Some(summary)) => {
                    let compaction = self.summarised(plan, summary);
                    self.take(compaction);
                }
                (Some(Step::Summarise(_)), None) => failed = true,
                (None, _) => return,
            }
        }
    }
}
