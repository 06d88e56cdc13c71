//! `benchdog mcp login` and `logout`: signs in to an MCP server, or signs out.

use std::io::{BufRead, Write};

use futures::StreamExt;
use tokio::sync::mpsc;

use super::auth::{asked, is_key};
use super::engine::Base;
use super::mcp::{definitions, known, shown};
use super::servers::whose;
use super::small::say;
use super::{threads, unreadable};
use crate::error::Trouble;
use benchdog_base::text::clean;
use benchdog_config::settings::{ServerAuth, ServerPlace, Settings};
use benchdog_domain::server::{ServerStage, ServerTrouble};
use benchdog_domain::sign_in::SignInTrouble;
use benchdog_headless::{self as headless, exit::Exit};
use benchdog_lang::{self as lang, Obstacle};
use benchdog_mcp::{Definition, Servers, SignInOwner, oauth, wait_for_shutdown};

pub(super) fn sign_in(base: &Base, name: &str) -> Result<Exit, Trouble> {
    let settings = base.load_here()?.settings;
    let definition = definition(base, &settings, name)?;
    let runtime = threads::runtime()?;
    let done = match way(&settings, name) {
        Some(ServerAuth::Token) => {
            let Some(token) = asked(&lang::message::sign_in_token(name)).map_err(|error| unreadable(&error))? else {
                return Ok(Exit::Interrupted);
            };
            let token = token.trim();
            if !is_key(token) || !oauth::is_token(token) {
                return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoKey));
            }
            runtime.block_on(oauth::store_token(&definition, token))
        }
        _ => {
            let typed = typed(std::thread::Builder::new())?;
            runtime.block_on(by_link(&definition, typed))
        }
    };
    let tried = match done {
        Ok(()) => runtime.block_on(tried(base, &definition, &settings)),
        Err(SignInTrouble::GivenUp) => {
            threads::stop(runtime);
            return Ok(Exit::Interrupted);
        }
        Err(trouble) => Err(failed(name, &trouble)),
    };
    threads::stop(runtime);
    say(&format!("{}\n{}", lang::message::signed_in(name), clean(&tried?)))
}

/// Signs out of a server, even if it is no longer configured.
pub(super) fn sign_out(base: &Base, name: &str) -> Result<Exit, Trouble> {
    let settings = base.load_here()?.settings;
    let found = known(&settings.servers, name);
    let whose = found
        .as_ref()
        .map_or(SignInOwner::Person, |server| whose(server.layer, &base.root));
    match forgotten(base, &settings, &whose, name)? {
        Ok(true) => say(&format!("{}\n", lang::message::signed_out(name))),
        Ok(false) => {
            found?;
            say(&format!("{}\n", lang::message::not_signed_in(name)))
        }
        Err(trouble) => Err(failed(name, &trouble)),
    }
}

pub(super) fn forgotten(
    base: &Base,
    settings: &Settings,
    whose: &SignInOwner,
    name: &str,
) -> Result<Result<bool, SignInTrouble>, Trouble> {
    let (runtime, tokens) = (threads::runtime()?, base.folders.server_tokens());
    let done = runtime.block_on(oauth::remove_tokens(&tokens, whose, name, &settings.network));
    threads::stop(runtime);
    Ok(done)
}

fn definition(base: &Base, settings: &Settings, name: &str) -> Result<Definition, Trouble> {
    let mut settings = settings.clone();
    known(&settings.servers, name)?;
    // Signing in is also possible for a disabled server.
    settings.servers.retain(|server| server.name.0 == name);
    settings.servers.iter_mut().for_each(|server| server.enabled = true);
    let found = definitions(base, &settings).pop();
    found.ok_or_else(|| failed(name, &SignInTrouble::NotThere))
}

fn way(settings: &Settings, name: &str) -> Option<ServerAuth> {
    let mut named = settings.servers.iter().filter(|server| server.name.0 == name);
    match &named.next()?.place {
        ServerPlace::Address(address) => Some(address.auth),
        ServerPlace::Program { .. } => None,
    }
}

/// Reads the redirect URL that the person pastes if the browser runs on another machine.
fn typed(thread: std::thread::Builder) -> Result<mpsc::Receiver<String>, Trouble> {
    let (tell, lines) = mpsc::channel(1);
    let reads = thread.spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if tell.blocking_send(line).is_err() {
                return;
            }
        }
    });
    reads.map(|_| lines).map_err(|error| threads::refused(&error))
}

async fn by_link(definition: &Definition, pasted: mpsc::Receiver<String>) -> Result<(), SignInTrouble> {
    let show = |link: &str| {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(
            out,
            "{}\n\n{}\n\n{}",
            lang::word(lang::Word::SignInLink),
            clean(link),
            lang::word(lang::Word::SignInWaits)
        );
        let _ = out.flush();
    };
    let Ok(mut stops) = headless::signals::stops() else {
        return oauth::sign_in(definition, &[], show, pasted).await;
    };
    tokio::select! {
        done = oauth::sign_in(definition, &[], show, pasted) => done,
        _ = stops.next() => Err(SignInTrouble::GivenUp),
    }
}

async fn tried(base: &Base, definition: &Definition, settings: &Settings) -> Result<String, Trouble> {
    let servers = Servers::new(vec![definition.clone()], &base.folders.cache, &base.folders.logs);
    servers.start();
    servers.wait_until_settled().await;
    let standing = servers.snapshots().pop();
    drop(servers);
    wait_for_shutdown(std::time::Duration::from_secs(1)).await;
    let trouble = standing.as_ref().and_then(|one| one.trouble.clone());
    match trouble.filter(|_| standing.as_ref().is_some_and(|one| one.stage == ServerStage::Dead)) {
        Some(trouble @ ServerTrouble::Unauthorized { .. }) => {
            let _ = oauth::revoke_tokens(definition).await;
            let told = clean(&lang::server_trouble(&trouble)).into_owned();
            let (name, told) = (&definition.name.0, &told);
            Err(Trouble::obstacle(Exit::Internal, Obstacle::NotSignedIn { name, told }))
        }
        _ => Ok(standing.as_ref().map(|one| shown(one, settings)).unwrap_or_default()),
    }
}

fn failed(name: &str, trouble: &SignInTrouble) -> Trouble {
    let told = &clean(&lang::sign_in_trouble(name, trouble)).into_owned();
    let exit = match trouble {
        SignInTrouble::NotThere | SignInTrouble::Alone | SignInTrouble::Lacks { .. } => Exit::Usage,
        _ => Exit::Internal,
    };
    Trouble::obstacle(exit, Obstacle::NotSignedIn { name, told })
}

#[cfg(test)]
mod tests;
