//! Reasons why a setting of another program was not imported.

#[derive(Debug, PartialEq, Eq)]
pub enum Why {
    Nothing,
    Otherwise(String),
    OfFolder,
    Secret,
    Variable(String),
    Link,
    Taken,
    Unconfirmed,
    Milder { key: String, pattern: String },
    Twice,
    Limits,
    Quotes(String),
    Form,
    Refused(String),
}
