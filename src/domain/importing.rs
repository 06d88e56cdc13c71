//! Reasons why a setting of another program was not imported.

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Nothing,
    /// This setting is similar, but works differently.
    Otherwise(String),
    OfFolder,
    /// The value may be a secret.
    Secret,
    /// The value was replaced by a reference to this environment variable.
    Variable(String),
    /// Symbolic links out of the folder of commands are not followed.
    Link,
    Taken,
    /// The person did not confirm the permission.
    Unconfirmed,
    /// The rule would take precedence over this deny rule.
    Milder {
        key: String,
        pattern: String,
    },
    Twice,
    /// The original is restricted in a way that cannot be expressed here.
    Limits,
    Quotes(String),
    Form,
    Refused(String),
}
