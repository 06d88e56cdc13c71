//! Lists settings in the workbench, and writes them to the user's file. An invalid result is not written.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::project::Places;
use benchdog_config::ConfigError;
use benchdog_config::offered::{changed, is_torn, offered};
use benchdog_context::rules::ProjectRules;
use benchdog_domain::setting::Setting;
use benchdog_lang::{self as lang, Word, word};

impl Places {
    pub(super) fn list_settings(&self, project: ProjectRules) -> Result<Vec<Setting>, String> {
        let loaded = self.find().of(project).map_err(|error| error.to_string())?;
        Ok(offered(&loaded))
    }

    pub(super) fn change_setting(&self, path: &[String], written: &str, project: ProjectRules) -> Result<(), String> {
        let file = self.user_file();
        // Report an invalid file before any change.
        let before = self.find().of(project).map_err(|error| error.to_string())?;
        let name = path.join(".");
        match offered(&before).iter().find(|setting| setting.path == path) {
            None => return Err(lang::message::setting_unknown(&name)),
            Some(setting) if setting.is_held() => return Err(lang::message::setting_held(&setting.place)),
            Some(setting) if is_torn(setting, written) => return Err(word(Word::SettingTorn).to_owned()),
            Some(_) => {}
        }
        let unwritten =
            |error: io::Error| lang::message::setting_not_written(&error.to_string(), &file.display().to_string());
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(unwritten(error)),
        };
        let text = changed(&text, path, written).ok_or_else(|| lang::message::setting_unknown(&name))?;
        let mut drafted = self.load_drafted(project, text.clone().into_bytes());
        if path == ["ui", "theme"] {
            drafted = drafted.and_then(|loaded| self.with_sound_theme(loaded));
        }
        drafted.map_err(|error| as_said_of_a_line(&error))?;
        replace(file, &text).map_err(unwritten)
    }
}

/// Returns the error without its file and line, because the text that they refer to was not written.
fn as_said_of_a_line(error: &ConfigError) -> String {
    let Some(first) = error.problems.first() else {
        return error.to_string();
    };
    let suggestion = first.suggestion.as_deref().map(|text| format!("; {text}"));
    format!("{}{}", first.text, suggestion.unwrap_or_default())
}

/// Replaces a file atomically. Follows links and keeps the file mode.
pub(super) fn replace(file: &Path, text: &str) -> io::Result<()> {
    let (target, mode) = match fs::canonicalize(file) {
        Ok(target) => {
            let mode = fs::metadata(&target)?.permissions().mode() & 0o7777;
            (target, mode)
        }
        // If the file is a dangling link, do not create its target.
        Err(error) if fs::symlink_metadata(file).is_ok() => return Err(error),
        Err(_) => (file.to_path_buf(), 0o600),
    };
    let folder = target.parent().unwrap_or(&target);
    fs::create_dir_all(folder)?;
    let draft = draft_of(&target);
    // A killed attempt may have left a draft.
    let _ = fs::remove_file(&draft);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)
        .and_then(|mut draft| {
            draft.write_all(text.as_bytes())?;
            draft.set_permissions(Permissions::from_mode(mode))?;
            draft.sync_all()
        })
        .and_then(|()| fs::rename(&draft, &target))
        .and_then(|()| fs::File::open(folder)?.sync_all());
    written.inspect_err(|_| drop(fs::remove_file(&draft)))
}

fn draft_of(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!("{name}.{}.new", std::process::id()))
}

#[cfg(test)]
mod tests;
