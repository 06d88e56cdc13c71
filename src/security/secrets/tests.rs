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
        ".s3cfg",
        "deploy/.dev.vars",
        "client_secret_123.apps.json",
        ".vercel/auth.json",
        ".m2/settings.xml",
        "k8s/secret.yaml",
        ".bash_history",
        "wp-config.php",
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
