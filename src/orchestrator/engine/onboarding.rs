//! The first configuration, and another one in its place: written when the person has chosen a server and, where a file is
//! there already, has said yes to that. The old file is kept beside it, with its comments.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::seats::Seats;
use super::{Engine, Survey};
use crate::base::id::SeatId;
use crate::context::rules::ProjectRules;
use crate::domain::agent::Api;
use crate::domain::notice::{ConfigNotice, Notice};
use crate::provider::discover;

/// Names that an old file is tried to be kept by.
const MOST_KEPT: u32 = 1_000;

/// A server that the person chose, and the model there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    base_url: String,
    model: String,
}

impl Seats {
    /// Takes a server that a search found. A file that is there already stays until the person says otherwise.
    pub(super) async fn use_server(&mut self, engine: &mut Engine, seat: SeatId, base_url: String, model: String) {
        let file = &engine.setup.folders.config_file;
        if !file.exists() {
            return self.keep(engine, seat, Chosen { base_url, model }).await;
        }
        let path = file.display().to_string();
        engine.chosen = Some(Chosen {
            base_url: base_url.clone(),
            model: model.clone(),
        });
        let exists = ConfigNotice::Exists { path, base_url, model };
        engine.notice(seat, Notice::Config(exists)).await;
    }

    /// The person said that a new file takes the place of theirs.
    pub(super) async fn replace_configuration(&mut self, engine: &mut Engine, seat: SeatId) {
        let Some(chosen) = engine.chosen.take() else {
            return engine.notice(seat, Notice::Config(ConfigNotice::NothingChosen)).await;
        };
        self.keep(engine, seat, chosen).await;
    }

    /// Writes the choice to the person's file, puts aside what is there, and takes it.
    async fn keep(&mut self, engine: &mut Engine, seat: SeatId, chosen: Chosen) {
        let file = engine.setup.folders.config_file.clone();
        let path = file.display().to_string();
        let text = first_configuration(&chosen).await;
        match put_in_place(&file, &text) {
            Ok(None) => {}
            Ok(Some(old)) => {
                let old = old.display().to_string();
                let put_aside = Notice::Config(ConfigNotice::PutAside { old });
                engine.notice(seat, put_aside).await;
            }
            Err(error) => {
                let error = error.to_string();
                let not_kept = ConfigNotice::NotKept { path, error };
                return engine.notice(seat, Notice::Config(not_kept)).await;
            }
        }
        let Some(of) = self.get(seat).map(|open| open.folder()) else {
            return;
        };
        let survey = (engine.at(of).loader)();
        let subject = |survey: &Survey| survey.subject.clone();
        // What was trusted counts only as it was.
        let project = if engine.at(of).survey.as_ref().map(subject) == Some(subject(&survey)) {
            engine.at(of).project
        } else {
            ProjectRules::Ignored
        };
        match survey.of(project).cloned() {
            Ok(reload) => {
                engine.take(of, reload);
                engine.folders.get_mut(of).survey = Some(survey);
                if let Some(open) = self.get(seat) {
                    Box::pin(open.take_settings(engine)).await;
                }
                engine.notice(seat, Notice::Config(ConfigNotice::Kept { path })).await;
                self.set_model(engine, seat, &format!("local/{}", chosen.model)).await;
            }
            Err(text) => {
                let wrong = ConfigNotice::Wrong {
                    sentences: text.to_owned(),
                };
                engine.notice(seat, Notice::Config(wrong)).await;
            }
        }
    }
}

/// The file has this text, or is what it was. Returns what an earlier file is called now.
fn put_in_place(file: &Path, text: &str) -> io::Result<Option<PathBuf>> {
    let draft = file.with_extension("new");
    std::fs::create_dir_all(file.parent().unwrap_or(file))?;
    // What a kill left of another attempt.
    let _ = std::fs::remove_file(&draft);
    let placed = write_new(&draft, text).and_then(|()| {
        let old = file.exists().then(|| put_aside(file)).transpose()?;
        std::fs::rename(&draft, file).inspect_err(|_| {
            let _ = old.as_ref().map(|old| std::fs::rename(old, file));
        })?;
        Ok(old)
    });
    placed.inspect_err(|_| drop(std::fs::remove_file(&draft)))
}

fn write_new(file: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(file)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Renames a file to `NAME.bak`, or to the first free name after that. Nothing is overwritten.
fn put_aside(file: &Path) -> io::Result<PathBuf> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names =
        std::iter::once(format!("{name}.bak")).chain((2..MOST_KEPT).map(|number| format!("{name}.bak{number}")));
    let mut free = names
        .map(|name| file.with_file_name(name))
        .filter(|old| std::fs::symlink_metadata(old).is_err());
    let old = free.next().ok_or(io::ErrorKind::AlreadyExists)?;
    std::fs::rename(file, &old)?;
    Ok(old)
}

/// A whole configuration, in words a person can edit.
async fn first_configuration(chosen: &Chosen) -> String {
    const ADDRESS: &str = "\"ADDRESS\"";
    let quoted = |text: &str| Value::from(text).to_string();
    let mut address = quoted(&chosen.base_url);
    // Only its own API honours the window of a request.
    if discover::is_ollama(&chosen.base_url).await {
        let (key, api) = (quoted("api"), quoted(Api::Ollama.word()));
        address = [address, [key, api].join(": ")].join(", ");
    }
    include_str!("../../../assets/first-config.jsonc")
        .replace("\"MODEL\"", &quoted(&format!("local/{}", chosen.model)))
        .replace(ADDRESS, &address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_file_is_kept_and_no_earlier_one_is_lost() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("config.jsonc");
        for (text, kept) in [("one", "config.jsonc.bak"), ("two", "config.jsonc.bak2")] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(put_aside(&file).unwrap(), home.path().join(kept));
        }
        let read = |name: &str| std::fs::read_to_string(home.path().join(name)).unwrap();
        assert_eq!(
            (read("config.jsonc.bak"), read("config.jsonc.bak2")),
            ("one".to_owned(), "two".to_owned())
        );
    }
}
