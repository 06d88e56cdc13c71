//! Adds a chosen server to the person's configuration, or writes the first configuration. Other settings stay
//! unchanged. The old file is kept under another name.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::seats::Seats;
use super::{Engine, FolderId, Survey};
use benchdog_base::document;
use benchdog_base::id::SeatId;
use benchdog_config::settings::NetworkSettings;
use benchdog_config::stored_keys::StoredKeys;
use benchdog_config::{complete_address, public_address};
use benchdog_context::rules::ProjectRules;
use benchdog_domain::agent::Api;
use benchdog_domain::api_key::ApiKey;
use benchdog_domain::notice::{ConfigNotice, Notice};
use benchdog_provider::discover::{self, FoundServer};

const MOST_KEPT: u32 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chosen {
    base_url: String,
    model: String,
    key: ApiKey,
}

impl Chosen {
    pub(super) fn of(base_url: &str, model: String, key: ApiKey) -> Self {
        Self {
            base_url: complete_address(base_url),
            model,
            key,
        }
    }

    pub(super) fn only_one(found: &[FoundServer]) -> Option<Self> {
        let mut offers = found
            .iter()
            .flat_map(|server| server.models.iter().map(move |model| (server, model)));
        let (server, model) = offers.next()?;
        offers
            .next()
            .is_none()
            .then(|| Self::of(&server.base_url, model.id.clone(), ApiKey::default()))
    }
}

impl Seats {
    pub(super) async fn use_found(&mut self, engine: &mut Engine, seat: SeatId, chosen: Chosen) {
        if self.model_of(seat).is_none() && engine.at(FolderId::HOME).settings.provider.is_empty() {
            self.use_server(engine, seat, chosen).await;
        }
    }

    pub(super) async fn use_server(&mut self, engine: &mut Engine, seat: SeatId, chosen: Chosen) {
        let file = engine.setup.folders.config_file.clone();
        let network = engine.at(FolderId::HOME).settings.network.clone();
        let text = written(&file, network, &chosen).await;
        let kept = keep_key(&engine.setup.folders.stored_keys(), &chosen);
        match kept.and_then(|()| put_in_place(&file, &text)) {
            Ok(None) => {}
            Ok(Some(old)) => {
                let old = old.display().to_string();
                let put_aside = Notice::Config(ConfigNotice::PutAside { old });
                engine.notice(seat, put_aside).await;
            }
            Err(error) => {
                let (path, error) = (file.display().to_string(), error.to_string());
                let not_kept = ConfigNotice::NotKept { path, error };
                return engine.notice(seat, Notice::Config(not_kept)).await;
            }
        }
        let Some(of) = self.get(seat).map(|open| open.folder()) else {
            return;
        };
        let survey = (engine.at(of).loader)();
        let subject = |survey: &Survey| survey.subject.clone();
        // Trust applies only while the project's files are unchanged.
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
                let using = ConfigNotice::Using {
                    model: chosen.model.clone(),
                    address: public_address(&chosen.base_url),
                };
                engine.notice(seat, Notice::Config(using)).await;
                self.set_model(engine, seat, &model_of(&chosen.model)).await;
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

fn model_of(id: &str) -> String {
    format!("{}/{id}", discover::NAME)
}

fn keep_key(path: &Path, chosen: &Chosen) -> io::Result<()> {
    let Some(key) = chosen.key.get() else { return Ok(()) };
    let mut keys = StoredKeys::read(path).map_err(|problem| io::Error::other(problem.to_string()))?;
    keys.set(discover::NAME, &chosen.base_url, key);
    keys.write(path)
}

fn put_in_place(file: &Path, text: &str) -> io::Result<Option<PathBuf>> {
    let draft = file.with_extension("new");
    std::fs::create_dir_all(file.parent().unwrap_or(file))?;
    // Remove a temporary file that a killed process has left.
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

async fn written(file: &Path, network: NetworkSettings, chosen: &Chosen) -> String {
    let api = match discover::is_ollama(&chosen.base_url, network).await {
        // The context window can be set only in Ollama's own API.
        true => Some(Api::Ollama.word()),
        false => None,
    };
    let own = std::fs::read_to_string(file).ok();
    let own = own.filter(|text| !text.trim().is_empty());
    own.and_then(|text| with_server(&text, chosen, api))
        .unwrap_or_else(|| first_configuration(chosen, api))
}

/// Adds the server to the text of a configuration file, or corrects its address. Returns `None` if the file has other
/// content at the same keys.
fn with_server(text: &str, chosen: &Chosen, api: Option<&str>) -> Option<String> {
    let at = |key: &'static str| ["provider", discover::NAME, key];
    let text = document::change(text, &at("base_url"), Some(&Value::from(chosen.base_url.as_str())))?;
    let text = document::change(&text, &at("api"), api.map(Value::from).as_ref())?;
    document::change(&text, &["model"], Some(&Value::from(model_of(&chosen.model))))
}

fn first_configuration(chosen: &Chosen, api: Option<&str>) -> String {
    const ADDRESS: &str = "\"ADDRESS\"";
    let quoted = |text: &str| Value::from(text).to_string();
    let mut address = quoted(&chosen.base_url);
    if let Some(api) = api {
        let (key, api) = (quoted("api"), quoted(api));
        address = [address, [key, api].join(": ")].join(", ");
    }
    include_str!("../../../assets/first-config.jsonc")
        .replace("\"MODEL\"", &quoted(&model_of(&chosen.model)))
        .replace(ADDRESS, &address)
}

#[cfg(test)]
mod tests;
