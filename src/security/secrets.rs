//! Classifies secrets by the names of files and environment variables. Opens no file.

use std::ffi::OsStr;
use std::path::{Component, Path};

use super::redact::holds_key;

const SECRET_FOLDERS: &[&str] = &[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", "gcloud"];

/// Names of secret files and folders, in lower case.
const SECRET_NAMES: &[&str] = &[
    ".env",
    ".envrc",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".git-credentials",
    ".htpasswd",
    ".dockercfg",
    ".vault-token",
    ".terraformrc",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "credentials.yml",
    "credentials.yaml",
    "service-account.json",
    "secrets.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.toml",
    "kubeconfig",
    "shadow",
    "gshadow",
    "master.key",
    "terraform.tfstate",
    "terraform.tfvars",
    ".secrets",
    ".s3cfg",
    ".boto",
    "rclone.conf",
    ".mylogin.cnf",
    "wg0.conf",
    ".dev.vars",
    ".dockerconfigjson",
    "auth.json",
    "oauth.json",
    "secret.yaml",
    "secret.yml",
    "secret.json",
    "token.txt",
    ".token",
    "passwords.txt",
    ".bash_history",
    ".zsh_history",
    "cookies.txt",
    "credentials.tfrc.json",
    ".sentryclirc",
    "wp-config.php",
];

const SECRET_ENDINGS: &[&str] = &[
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".kdbx",
    ".ppk",
    ".asc.key",
    ".env",
    ".ovpn",
    ".kubeconfig",
];

const KEY_FILES: &[&str] = &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"];

const SAMPLE_ENDINGS: &[&str] = &[".example", ".sample", ".template", ".dist", ".defaults"];

/// Returns the components of a path in lower case, without `.` and `..`.
pub(super) fn lower_names(path: &Path) -> Vec<String> {
    let name = |component| match component {
        Component::Normal(name) => Some(OsStr::to_string_lossy(name).to_lowercase()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    };
    path.components().filter_map(name).collect()
}

/// Whether access to this relative or absolute path always needs a person's approval.
pub fn is_secret_path(path: &Path) -> bool {
    let names = lower_names(path);
    let Some((file, folders)) = names.split_last() else {
        return false;
    };
    if SAMPLE_ENDINGS.iter().any(|ending| file.ends_with(ending)) {
        return false;
    }
    folders.iter().any(|folder| SECRET_FOLDERS.contains(&folder.as_str()))
        || SECRET_FOLDERS.contains(&file.as_str())
        || SECRET_NAMES.contains(&file.as_str())
        || file.starts_with(".env.")
        || SECRET_ENDINGS
            .iter()
            .any(|ending| file.ends_with(ending) && file.len() > ending.len())
        || is_key_file(file)
        || file.starts_with("client_secret") && file.ends_with(".json")
        || (file == "settings.xml" && folders.last().is_some_and(|folder| folder == ".m2"))
        || (file == "config.json" && folders.last().is_some_and(|folder| folder == ".docker"))
        || (file == "hosts.yml" && folders.last().is_some_and(|folder| folder == "gh"))
        || (file == "environ" && folders.first().is_some_and(|folder| folder == "proc"))
}

fn is_key_file(file: &str) -> bool {
    !file.ends_with(".pub") && KEY_FILES.iter().any(|name| file.starts_with(name))
}

/// Parts of a variable's name, between underscores, that mark a secret.
const SECRET_PARTS: &[&str] = &[
    "KEY",
    "APIKEY",
    "TOKEN",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWD",
    "PASS",
    "PASSPHRASE",
    "PWD",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
    "COOKIE",
    "DSN",
];

const SECRET_VARIABLES: &[&str] = &[
    "DATABASE_URL",
    "REDIS_URL",
    "MONGO_URI",
    "MONGODB_URI",
    "POSTGRES_URL",
    "AMQP_URL",
    "KUBECONFIG",
    "NETRC",
    "PGPASSFILE",
    "NPM_CONFIG__AUTH",
    "DOCKER_AUTH_CONFIG",
];

const HARMLESS_VARIABLES: &[&str] = &["PWD", "OLDPWD", "SSH_AUTH_SOCK", "XKB_DEFAULT_KEYMAP", "GPG_TTY"];

pub fn is_secret_variable(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    if HARMLESS_VARIABLES.contains(&name.as_str()) {
        return false;
    }
    SECRET_VARIABLES.contains(&name.as_str())
        || name.split('_').any(|part| SECRET_PARTS.contains(&part))
        || [
            "APIKEY",
            "TOKEN",
            "SECRET",
            "PASSWORD",
            "PASSWD",
            "CREDENTIAL",
            "PRIVATEKEY",
        ]
        .iter()
        .any(|ending| name.ends_with(ending))
        || name.ends_with("_AUTH")
        || name.contains("_AUTH_TOKEN")
}

/// Variables with sockets of agents, services and terminals, through which a command could act as the person.
const SOCKETS: &[&str] = &[
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GPG_AGENT_INFO",
    "GNOME_KEYRING_CONTROL",
    "DOCKER_HOST",
    "CONTAINER_HOST",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "TMUX",
    "STY",
    "KITTY_LISTEN_ON",
    "WEZTERM_UNIX_SOCKET",
    "ALACRITTY_SOCKET",
    "SWAYSOCK",
    "I3SOCK",
    "NVIM",
    "NVIM_LISTEN_ADDRESS",
    "VSCODE_IPC_HOOK_CLI",
    "VSCODE_GIT_IPC_HANDLE",
];

/// Prefix of variables that set configuration keys. Their values may contain API keys.
const OF_THE_CONFIGURATION: &str = "BENCHDOG__";

/// Whether to hide this variable from commands, because of its name, its value or its socket.
pub fn is_withheld(name: &str, value: &str) -> bool {
    is_secret_variable(name) || SOCKETS.contains(&name) || name.starts_with(OF_THE_CONFIGURATION) || holds_key(value)
}

#[cfg(test)]
mod tests;
