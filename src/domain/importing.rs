//! Reasons why a setting of another program was not imported.

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// There is no equivalent setting.
    Nothing,
    /// This setting is similar, but works differently.
    Otherwise(String),
    /// The setting applies to a single folder.
    OfFolder,
    /// The value may be a secret.
    Secret,
    /// The value was replaced by a reference to this environment variable.
    Variable(String),
    /// Symbolic links out of the folder of commands are not followed.
    Link,
    /// The setting already has another value.
    Taken,
    /// The person did not confirm the permission.
    Unconfirmed,
    /// The rule would take precedence over this deny rule.
    Milder { key: String, pattern: String },
    /// The plan already has a command of this name.
    Twice,
    /// The original is restricted in a way that cannot be expressed here.
    Limits,
    /// An unclosed quote in this command line.
    Quotes(String),
    /// The value does not have the expected form.
    Form,
    /// The configuration check rejected the value.
    Refused(String),
}
