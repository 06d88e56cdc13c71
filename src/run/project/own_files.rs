//! Problems in custom tools and commands, for the configuration check.

use super::{OWN, Places};
use crate::run::own_tools;
use benchdog_base::problem::{Location, Problem};
use benchdog_config::{Loaded, unmet};
use benchdog_context::rules::ProjectRules;
use benchdog_domain::skill::BrokenSkill;
use benchdog_tools::{Registry, own};

impl Places {
    /// Checks the user's files, and the project's files if the project is trusted.
    pub(in crate::run) fn wrong_files(&self, project: ProjectRules, loaded: Option<&Loaded>) -> Vec<Problem> {
        let home = self.environment.get("HOME");
        let folders = own_tools::folders_of_person(&self.user, self.file.as_deref(), home);
        let (_, mut wrong) = own_tools::of_folders(&folders);
        wrong.extend(folders.iter().flat_map(|folder| own::undescribed(folder)));
        let brought = self.brought();
        if project == ProjectRules::Counted {
            let taken = |name: &str| own_tools::is_taken(&self.tools, name);
            let names = brought.names();
            let of_project = own::of_project(
                &self.root,
                &format!("{OWN}/tools"),
                &names,
                |name| brought.bytes(name),
                taken,
            );
            wrong.extend(of_project.1);
            wrong.extend(own::undescribed(&self.root.join(OWN).join("tools")));
        }
        let broken = self.commands_of(&brought, loaded, project).broken;
        wrong.extend(broken.iter().map(problem));
        let tools = self.tools_that_count(project).all_rules();
        wrong.extend(loaded.into_iter().flat_map(|loaded| unmet(&loaded.settings, &tools)));
        wrong
    }

    pub(in crate::run) fn own_tools(&self, project: ProjectRules) -> Vec<String> {
        let built_in = Registry::builtin().all_rules();
        let all = self.tools_that_count(project).all_rules().into_iter();
        let own = all.filter(|tool| !built_in.iter().any(|known| known.name == tool.name));
        own.map(|tool| tool.name.into_owned()).collect()
    }

    fn tools_that_count(&self, project: ProjectRules) -> Registry {
        match project {
            ProjectRules::Counted => self.tools_with(&mut self.brought()),
            ProjectRules::Ignored => self.tools.clone(),
        }
    }
}

fn problem(broken: &BrokenSkill) -> Problem {
    let place = Location {
        file: broken.file.clone(),
        line: usize::try_from(broken.line).unwrap_or(1),
        column: 1,
    };
    Problem::new(place, broken.why.clone())
}
