//! Classifies secrets by file name or environment variable name. It opens nothing.

use std::ffi::OsStr;
use std::path::{Component, Path};

use super::redact::holds_key;

/// Folders whose every file is a secret.
const SECRET_FOLDERS: &[&str] = &[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", "gcloud"];

/// Whole file names, in lower case.
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

/// Files that show the form of a secret one without its values.
const SAMPLE_ENDINGS: &[&str] = &[".example", ".sample", ".template", ".dist", ".defaults"];

/// The names of a path, in lower case, without `.` and `..`.
pub(super) fn lower_names(path: &Path) -> Vec<String> {
    let name = |component| match component {
        Component::Normal(name) => Some(OsStr::to_string_lossy(name).to_lowercase()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    };
    path.components().filter_map(name).collect()
}

/// Whether reading or writing this path always needs a person. `path` may be relative or absolute; `/` separates.
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
        || (file == "config.json" && folders.last().is_some_and(|folder| folder == ".docker"))
        || (file == "hosts.yml" && folders.last().is_some_and(|folder| folder == "gh"))
        || (file == "environ" && folders.first().is_some_and(|folder| folder == "proc"))
}

/// `id_rsa`, `id_rsa_work`, `id_ed25519.bak`, but not the public half.
fn is_key_file(file: &str) -> bool {
    !file.ends_with(".pub") && KEY_FILES.iter().any(|name| file.starts_with(name))
}

/// Parts of a variable's name, between underscores, that say its value is a secret.
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

/// Names that look like secrets and are not.
const HARMLESS_VARIABLES: &[&str] = &["PWD", "OLDPWD", "SSH_AUTH_SOCK", "XKB_DEFAULT_KEYMAP", "GPG_TTY"];

/// Whether children must not see this variable's value.
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

/// Sockets on which an agent, a service or a terminal of the person does what it is told.
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

/// Any key of the configuration can be set by such a variable, also a header with a key in it.
const OF_THE_CONFIGURATION: &str = "BENCHDOG__";

/// Whether a command must not get this variable: by its name, by where it leads, by what it holds.
pub fn is_withheld(name: &str, value: &str) -> bool {
    is_secret_variable(name) || SOCKETS.contains(&name) || name.starts_with(OF_THE_CONFIGURATION) || holds_key(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_files_are_known_by_their_names() {
        for path in [
            ".env",
            "app/.env.production",
            "prod.env",
            "id_rsa",
            "keys/id_ed25519_work",
            "server.pem",
            "tls/private.key",
            "/home/u/.aws/credentials",
            ".ssh/config",
            "home/.netrc",
            ".npmrc",
            ".pypirc",
            "KUBECONFIG",
            "deploy/.ENV",
            "credentials.json",
            ".docker/config.json",
        ] {
            assert!(is_secret_path(Path::new(path)), "{path} is a secret");
        }
    }

    #[test]
    fn variables_are_withheld_for_where_they_lead_and_what_they_hold() {
        for (name, value) in [
            ("SSH_AUTH_SOCK", "/tmp/ssh-x/agent.1"),
            ("DOCKER_HOST", "tcp://127.0.0.1:2375"),
            ("BACKEND", "postgres://app:hunter2@db:5432/app?x=1"),
            ("OPTIONS", "--db=mysql://root:x@h/d --verbose"),
            ("BACKUP", "AKIAIOSFODNN7EXAMPLE"),
            ("MODEL", "sk-proj-0123456789abcdef"),
            ("BENCHDOG__PROVIDER__P__HEADERS__X", "of-its-own-form"),
            ("PEM", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"),
        ] {
            assert!(is_withheld(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("HTTPS_PROXY", "http://proxy.local:3128"),
            ("REPOSITORY", "ssh://git@host/x.git"),
            ("HOMEPAGE", "https://host/a:b@c"),
            ("PATH", "/usr/bin:/bin"),
            ("NAME", "sk-short"),
        ] {
            assert!(!is_withheld(name, value), "{name}={value}");
        }
    }

    #[test]
    fn samples_public_keys_and_code_are_no_secrets() {
        for path in [
            ".env.example",
            ".env.sample",
            ".env.template",
            "id_rsa.pub",
            "src/key.rs",
            "keyboard.md",
            "src/environment.rs",
            "monkey",
            "config.json",
            "",
            ".",
            "src/credentials.rs",
        ] {
            assert!(!is_secret_path(Path::new(path)), "{path} is no secret");
        }
    }

    #[test]
    fn variables_with_secrets_are_hidden_from_children() {
        for name in [
            "OPENAI_API_KEY",
            "GITHUB_TOKEN",
            "DB_PASSWORD",
            "AWS_SECRET_ACCESS_KEY",
            "BENCHDOG_API_KEY",
            "PGPASSWORD",
            "SESSION_COOKIE",
            "apikey",
            "DATABASE_URL",
            "HF_TOKEN",
        ] {
            assert!(is_secret_variable(name), "{name} is a secret");
        }
        for name in [
            "PATH",
            "HOME",
            "PWD",
            "OLDPWD",
            "SSH_AUTH_SOCK",
            "LANG",
            "MONKEY",
            "KEYBOARD",
            "CARGO_HOME",
        ] {
            assert!(!is_secret_variable(name), "{name} is no secret");
        }
    }
}
