//! Notes for the model that Benchdog adds to prompts or results.

use serde::{Deserialize, Serialize};

use super::agent::AgentName;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Note {
    pub about: About,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum About {
    Moment,
    Rules { folder: String },
    Repository,
    Agent { agent: AgentName },
}

impl Note {
    pub fn rules(folder: &str, text: String) -> Self {
        let folder = folder.to_owned();
        Self {
            about: About::Rules { folder },
            text,
        }
    }

    pub fn repository(text: String) -> Self {
        Self {
            about: About::Repository,
            text,
        }
    }

    pub fn agent(agent: AgentName, text: String) -> Self {
        Self {
            about: About::Agent { agent },
            text,
        }
    }

    pub fn folder(&self) -> Option<&str> {
        match &self.about {
            About::Rules { folder } => Some(folder),
            About::Moment | About::Repository | About::Agent { .. } => None,
        }
    }

    pub fn of_agent(&self) -> Option<&AgentName> {
        match &self.about {
            About::Agent { agent } => Some(agent),
            About::Moment | About::Repository | About::Rules { .. } => None,
        }
    }

    pub fn lasts(&self) -> bool {
        match self.about {
            // After a compaction, only the newest note of each of these kinds is sent again.
            About::Moment | About::Agent { .. } => false,
            About::Rules { .. } | About::Repository => true,
        }
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self {
            about: About::Moment,
            text,
        }
    }
}

/// Stored form of a note. The first versions stored only the text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Text(String),
    About {
        #[serde(flatten)]
        about: About,
        text: String,
    },
}

impl From<Stored> for Note {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Text(text) => text.into(),
            Stored::About { about, text } => Self { about, text },
        }
    }
}

impl From<Note> for Stored {
    fn from(note: Note) -> Self {
        match note.about {
            About::Moment => Self::Text(note.text),
            about => Self::About { about, text: note.text },
        }
    }
}
