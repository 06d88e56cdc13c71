//! MCP servers and tools that are switched off. Requests still declare such tools, but calls are denied.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::seat::child::Given;
use benchdog_config::settings::Settings;
use benchdog_domain::adjustment::{Adjustment, Switched};
use benchdog_domain::permission::{Rule, SwitchedBy};
use benchdog_domain::server::{Listed, Offered, ServerName, ServerOrder, server_of};

#[derive(Clone)]
pub(crate) struct Switches(Arc<All>);

struct All {
    off: Mutex<Off>,
    said: Vec<Adjustment>,
}

#[derive(Default)]
struct Off {
    servers: BTreeSet<ServerName>,
    /// The tools that are switched off, by the full name that models use.
    tools: BTreeMap<String, SwitchedBy>,
}

impl Switches {
    /// Returns the switches of a session. A subagent shares the switches of its parent.
    pub(in crate::seat) fn for_seat(given: Option<&Given>, settings: &Settings) -> Self {
        given.map_or_else(|| Self::of(settings), |given| given.switches.clone())
    }

    pub(in crate::seat) fn of(settings: &Settings) -> Self {
        let is_served = |said: &&Adjustment| server_of(&said.name).is_some();
        let said: Vec<Adjustment> = settings.tools.iter().filter(is_served).cloned().collect();
        let by_setting = said.iter().filter(|said| said.switched == Switched::Off);
        let by_server = settings.servers.iter().flat_map(|server| {
            let tools = server.disabled_tools.iter();
            tools.map(|tool| (server.name.tool(tool), SwitchedBy::Server))
        });
        let tools = by_setting
            .map(|said| (said.name.clone(), SwitchedBy::Setting))
            .chain(by_server)
            .collect();
        let off = Off {
            tools,
            ..Off::default()
        };
        Self(Arc::new(All {
            off: Mutex::new(off),
            said,
        }))
    }

    fn off(&self) -> MutexGuard<'_, Off> {
        self.0.off.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn server(&self, server: &ServerName, order: ServerOrder) {
        let servers = &mut self.off().servers;
        match order {
            ServerOrder::Off => servers.insert(server.clone()),
            ServerOrder::On | ServerOrder::Restart | ServerOrder::SignIn => servers.remove(server),
            ServerOrder::SignOut => false,
        };
    }

    pub(super) fn tool(&self, name: &str, to: Switched) {
        let tools = &mut self.off().tools;
        match to {
            Switched::On => drop(tools.remove(name)),
            Switched::Off => drop(tools.entry(name.to_owned()).or_insert(SwitchedBy::Person)),
        }
    }

    pub(super) fn is_off(&self, server: &ServerName) -> bool {
        self.off().servers.contains(server)
    }

    pub(super) fn servers_off(&self) -> BTreeSet<ServerName> {
        self.off().servers.clone()
    }

    pub(super) fn rule(&self, tool: &str) -> Option<Rule> {
        let by = self.off().tools.get(tool).copied();
        by.map(|by| Rule::of_switch(tool, by))
    }

    pub(super) fn keeps(&self, tool: &str) -> Option<Rule> {
        let server = server_of(tool).filter(|server| self.off().servers.iter().any(|off| off.0 == *server));
        let of_server = server.map(|_| Rule::of_switch(tool, SwitchedBy::ServerByPerson));
        of_server.or_else(|| self.rule(tool))
    }

    pub(super) fn left(&self, listed: Vec<Listed>) -> Vec<Listed> {
        let off = self.off();
        let on = listed.into_iter().filter(|of| !off.servers.contains(&of.server));
        let left = on.map(|of| {
            let is_on = |tool: &Offered| !off.tools.contains_key(&of.server.tool(&tool.name));
            match of.tools.iter().all(is_on) {
                true => of,
                false => Listed {
                    tools: of.tools.iter().filter(|tool| is_on(tool)).cloned().collect(),
                    server: of.server,
                },
            }
        });
        left.collect()
    }

    /// Replaces the descriptions of tools by the configured ones. Called before requests declare the tools.
    pub(super) fn told(&self, mut listed: Vec<Listed>) -> Vec<Listed> {
        for of in &mut listed {
            let said = |tool: &Offered| {
                let name = of.server.tool(&tool.name);
                self.0.said.iter().find(|said| said.name == name)
            };
            if of.tools.iter().any(|tool| said(tool).is_some()) {
                let told = |tool: &Offered| Offered {
                    description: match said(tool) {
                        Some(said) => said.told(&tool.description),
                        None => tool.description.clone(),
                    },
                    ..tool.clone()
                };
                of.tools = of.tools.iter().map(told).collect();
            }
        }
        listed
    }
}
