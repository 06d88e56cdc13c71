//! Why something of another program's configuration does not become a value of ours.

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// Nothing here is like it.
    Nothing,
    /// This key of ours says the like, in another way.
    Otherwise(String),
    /// It is meant for one folder alone.
    OfFolder,
    /// It may be a secret.
    Secret,
    /// It was copied as the variable of this name, which is to hold it.
    Variable(String),
    /// A link is not followed out of a folder of commands.
    Link,
    /// Another value stands there.
    Taken,
    /// Nobody confirmed that it may be allowed.
    Unconfirmed,
    /// It would count before a rule that denies: the key and the pattern of that.
    Milder { key: String, pattern: String },
    /// A command of that name stands in the plan already.
    Twice,
    /// It may do less than others there, in a way that is not written so here.
    Limits,
    /// A quote in this command line does not close.
    Quotes(String),
    /// It is not in the form that the program gives it.
    Form,
    /// The checks of our configuration say so.
    Refused(String),
}
