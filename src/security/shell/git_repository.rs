//! Git settings that only change the display, and project files that select programs.

use super::walk::Walker;

/// Settings that only change the display or recorded metadata. An entry that ends with a dot includes all keys below.
const TAME: &str = "color. user.name user.email advice. column. i18n. branch. remote. core.repositoryformatversion \
    core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode core.symlinks \
    core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev core.compression core.untrackedcache \
    core.preloadindex core.longpaths core.commitgraph core.sparsecheckout core.sparsecheckoutcone core.whitespace \
    core.protectntfs core.protecthfs diff.renames diff.algorithm diff.context diff.noprefix diff.mnemonicprefix \
    diff.colormoved diff.wserrorhighlight diff.indentheuristic diff.renamelimit diff.interhunkcontext log.date \
    log.decorate log.abbrevcommit log.follow status.short status.branch status.showuntrackedfiles \
    status.aheadbehind init.defaultbranch merge.conflictstyle merge.ff pull.rebase pull.ff push.default \
    push.autosetupremote push.followtags fetch.prune fetch.parallel rebase.autostash rebase.autosquash \
    rerere.enabled gc.auto gc.autodetach gui. submodule.active lfs.repositoryformatversion extensions.objectformat \
    index.version pack. feature. safe.directory blame. tag.sort branch.sort format.pretty maintenance.auto \
    maintenance.strategy commit.verbose commit.status help.autocorrect";

/// Exceptions to `TAME`: endings of keys that select a program or another location.
const WILD: &str = ".uploadpack .receivepack .vcs .promisor .partialclonefilter .proxy .mergeoptions gui.editor \
    .ignorerevsfile";

/// Settings and values that only switch something off.
const OFF: &[(&str, &[&str])] = &[
    ("core.pager", &["cat", ""]),
    ("core.editor", &["true", ":"]),
    ("sequence.editor", &["true", ":"]),
    ("core.fsmonitor", &["false", "true", "0", "1"]),
    ("commit.gpgsign", &["false"]),
    ("tag.gpgsign", &["false"]),
    ("log.showsignature", &["false"]),
];

/// Files in which a project can select the programs of the Rust toolchain, and the words that do so.
const CHOOSING: [(&str, &[&str]); 4] = [
    ("rust-toolchain.toml", &["path", "/", "\\"]),
    ("rust-toolchain", &["path", "/", "\\"]),
    (
        ".cargo/config.toml",
        &["rustc", "rustdoc", "wrapper", "runner", "include", "credential", "env"],
    ),
    (
        ".cargo/config",
        &["rustc", "rustdoc", "wrapper", "runner", "include", "credential", "env"],
    ),
];

const MOST_UP: usize = 24;

/// Whether a setting neither runs a program nor uses another location.
pub(super) fn is_tame(key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let off = OFF
        .iter()
        .any(|(known, values)| *known == key && values.contains(&value));
    let off = off || (key.starts_with("pager.") && matches!(value, "false" | "cat"));
    let fits = |known: &str| known.strip_suffix('.').map_or(known == key, |_| key.starts_with(known));
    off || (TAME.split_whitespace().any(fits) && !WILD.split_whitespace().any(|end| key.ends_with(end)))
}

pub(crate) fn is_configuration_tame(text: &str) -> bool {
    settings(text).is_some_and(|all| all.iter().all(|(key, value)| is_tame(key, value)))
}

pub(crate) fn hooks_path(text: &str) -> Option<String> {
    let all = settings(text)?;
    let named = all
        .into_iter()
        .rev()
        .find(|(key, _)| key.eq_ignore_ascii_case("core.hookspath"));
    named.map(|(_, value)| value.trim_matches('"').to_owned())
}

impl Walker<'_> {
    /// Whether a project file selects the toolchain or the compiler of a Rust program.
    pub(super) fn is_chosen_by_project(&self, name: &str) -> bool {
        let program = name.split(' ').next().unwrap_or(name);
        if !matches!(
            program,
            "cargo" | "rustc" | "rustdoc" | "rustup" | "rustfmt" | "rust-analyzer"
        ) {
            return false;
        }
        let folders = self.state.places(".");
        folders.is_empty() || folders.iter().any(|folder| self.is_chosen_at(folder))
    }

    fn is_chosen_at(&self, folder: &str) -> bool {
        let mut up = folder.trim_end_matches("/.").to_owned();
        for _ in 0..MOST_UP {
            for (file, words) in CHOOSING {
                let path = format!("{up}/{file}");
                if self.world.exists(&path) {
                    let text = self.world.read_small(&path);
                    // Ignore files above the workspace. `read_small` does not read them.
                    let names = |text: &String| words.iter().any(|word| text.contains(word));
                    let inside = !up.contains("..");
                    if text.as_ref().is_some_and(names) || (text.is_none() && inside) {
                        return true;
                    }
                }
            }
            up.push_str("/..");
        }
        false
    }
}

/// Returns `None` if a setting cannot be parsed with certainty.
fn settings(text: &str) -> Option<Vec<(String, String)>> {
    let mut out = Vec::new();
    let mut section = String::new();
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(rest) = line.strip_prefix('[') {
            let (head, after) = rest.split_once(']')?;
            if !after.trim().is_empty() || head.contains('\\') {
                return None;
            }
            section = head.split_whitespace().next()?.trim().to_ascii_lowercase();
            if let Some((_, name)) = head.split_once(char::is_whitespace) {
                section = format!("{section}.{}", name.trim().trim_matches('"'));
            }
            continue;
        }
        if line.contains('\\') {
            return None;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        out.push((format!("{section}.{}", key.trim()), value.trim().to_owned()));
    }
    Some(out)
}

#[cfg(test)]
mod tests;
