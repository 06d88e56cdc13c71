//! Records the findings about each command of a line: class, reason, and text for the person and the rules.

use super::state::{Field, quoted, show};
use super::walk::Walker;
use benchdog_domain::permission::CommandClass;
use benchdog_domain::review::CommandPart;

const MAX_PARTS: usize = 200;

/// Returns the source text of a command if it differs from the expanded words only by quotes.
fn as_written(text: &str, words: &str) -> Option<String> {
    let is_quote = |c: &char| matches!(c, '\'' | '"' | '\\');
    let bare: String = text.chars().filter(|c| !is_quote(c)).collect();
    (bare == words).then(|| text.to_owned())
}

impl Walker<'_> {
    pub(super) fn note(&mut self, class: CommandClass, command: &str, because: &str) {
        let written = command.to_owned();
        self.note_part(CommandPart {
            command: command.to_owned(),
            written,
            class,
            because: because.to_owned(),
        });
    }

    pub(super) fn note_of(&mut self, class: CommandClass, fields: &[Field], because: &str) {
        let command = show(fields);
        let written = as_written(&self.text, &command).unwrap_or_else(|| quoted(fields));
        self.note_part(CommandPart {
            command,
            written,
            class,
            because: because.to_owned(),
        });
    }

    fn note_part(&mut self, part: CommandPart) {
        let class = part.class;
        self.reads_only &= class == CommandClass::Plain;
        if class > self.class || self.because.is_empty() {
            self.because.clone_from(&part.because);
            self.class = self.class.max(class);
        }
        let full = self.parts.len() >= MAX_PARTS;
        // Merge two findings about the same command. The more severe class remains.
        let mut newest = self.parts.iter_mut().rev().take(40);
        match newest.find(|known| known.command == part.command && (known.class != class || **known == part)) {
            Some(known) if known.class < class => *known = part,
            None if !full => self.parts.push(part),
            Some(_) | None => {}
        }
    }

    pub(super) fn plain(&mut self, fields: &[Field], because: &str) {
        self.reads_only = false;
        self.note_of(CommandClass::Plain, fields, because);
    }

    pub(super) fn reads(&mut self, fields: &[Field], because: &str) {
        self.note_of(CommandClass::Plain, fields, because);
    }

    /// Marks a command that runs project code. The code is unknown if the line has already written files.
    pub(super) fn project(&mut self, fields: &[Field], because: &str) {
        self.runs_project_code = true;
        if self.written_before > 0 {
            self.unknown(fields, "it runs the project's code, which the line changes before");
        } else {
            self.plain(fields, because);
        }
    }

    /// Marks a command that describes the project. The command counts as reading, unless the project selects the
    /// program or the line has already written files.
    pub(super) fn tells(&mut self, name: &str, fields: &[Field], because: &str) {
        self.runs_project_code = true;
        if self.written_before > 0 {
            self.unknown(fields, "it runs the project's code, which the line changes before");
        } else if self.is_chosen_by_project(name) {
            self.unknown(fields, "a file of the project names the program that it would run");
        } else {
            self.reads(fields, because);
        }
    }

    pub(super) fn external(&mut self, fields: &[Field], because: &str) {
        self.note_of(CommandClass::External, fields, because);
    }

    pub(super) fn catastrophe(&mut self, fields: &[Field], because: &str) {
        self.note_of(CommandClass::Catastrophic, fields, because);
    }

    pub(super) fn danger(&mut self, fields: &[Field], because: &str) {
        self.note_of(CommandClass::Dangerous, fields, because);
    }

    /// Marks a command that is not understood. A dangerous word makes the class `Dangerous`.
    pub(super) fn doubt_about(&mut self, fields: &[Field], because: &str) {
        self.note_of(self.doubt_class(), fields, because);
    }

    pub(super) fn doubt(&mut self, because: &str) {
        self.note(self.doubt_class(), "", because);
    }

    pub(super) fn doubt_class(&self) -> CommandClass {
        if self.suspicious {
            CommandClass::Dangerous
        } else {
            CommandClass::Unknown
        }
    }

    pub(super) fn unknown(&mut self, fields: &[Field], because: &str) {
        self.note_of(CommandClass::Unknown, fields, because);
    }
}
