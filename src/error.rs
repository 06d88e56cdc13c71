//! Errors as people read them: what happened, the causes, what to do, and the exit code. Modules know none of this.

use crate::headless::exit::Exit;
use crate::orchestrator::input::Failure;
use crate::provider::failure::ProviderError;
use crate::storage::StorageError;

/// One error, the same value for the dialog, for stderr and for JSON.
#[derive(Debug)]
pub(crate) struct Trouble {
    /// A word for scripts.
    pub(crate) code: &'static str,
    pub(crate) text: String,
    pub(crate) causes: Vec<String>,
    pub(crate) hint: Option<String>,
    pub(crate) exit: Exit,
}

impl Trouble {
    pub(crate) fn new(exit: Exit, text: impl Into<String>) -> Self {
        Self {
            code: code_of(exit),
            text: text.into(),
            causes: Vec::new(),
            hint: None,
            exit,
        }
    }

    /// An error of a module with its sources.
    pub(crate) fn from_error(exit: Exit, error: &dyn std::error::Error) -> Self {
        let mut causes = Vec::new();
        let mut source = error.source();
        while let Some(cause) = source {
            causes.push(cause.to_string());
            source = cause.source();
        }
        Self {
            code: code_of(exit),
            text: error.to_string(),
            causes,
            hint: None,
            exit,
        }
    }

    /// A session that does not exist is a wrong argument; everything else that storage says is not the caller's fault.
    pub(crate) fn of_storage(error: &StorageError) -> Self {
        let exit = match error {
            StorageError::NotFound(_) | StorageError::Several { .. } => Exit::Usage,
            StorageError::NotOpen(_)
            | StorageError::Held { .. }
            | StorageError::OutOfOrder { .. }
            | StorageError::Busy { .. }
            | StorageError::Damaged { .. }
            | StorageError::OtherVersion { .. }
            | StorageError::Io { .. }
            | StorageError::Stopped => Exit::Internal,
        };
        Self::from_error(exit, error)
            .coded(error.code())
            .with_hint(advice(error.code()))
    }

    pub(crate) fn coded(mut self, code: &'static str) -> Self {
        self.code = code;
        self
    }

    /// What happened and why, in one line.
    pub(crate) fn whole_text(&self) -> String {
        let causes = self.causes.iter().filter(|cause| !self.text.contains(cause.as_str()));
        let parts: Vec<&str> = std::iter::once(self.text.as_str())
            .chain(causes.map(String::as_str))
            .collect();
        parts.join(": ")
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "benchdog: {}", self.text)?;
        for cause in self.causes.iter().filter(|cause| !self.text.contains(cause.as_str())) {
            write!(f, "\n  because: {cause}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  {hint}")?;
        }
        Ok(())
    }
}

/// The word where nothing more particular is known.
fn code_of(exit: Exit) -> &'static str {
    match exit {
        Exit::Usage => "usage",
        Exit::Done
        | Exit::Internal
        | Exit::Denied
        | Exit::Limit
        | Exit::Endpoint
        | Exit::Validation
        | Exit::Loop
        | Exit::Interrupted => "internal",
    }
}

/// A code that scripts see, and what a person can do about it.
pub(crate) struct Advice {
    pub(crate) code: &'static str,
    pub(crate) hint: &'static str,
}

/// The advice for every way a request to a model can fail, at the endpoint or before it, and for what storage can say.
pub(crate) const ADVICE: &[Advice] = &[
    Advice {
        code: "no_model",
        hint: "Set `BENCHDOG_BASE_URL` and `BENCHDOG_MODEL`, or name a provider in `config.jsonc`; `benchdog demo` needs neither.",
    },
    Advice {
        code: "no_provider",
        hint: "Choose a model with `/models`, or add the provider to `config.jsonc`.",
    },
    Advice {
        code: "empty_reply",
        hint: "Send the prompt again, or choose another model with `/models`.",
    },
    Advice {
        code: "context_full",
        hint: "Start anew with `/new`, or choose a model with a larger window with `/models`.",
    },
    Advice {
        code: "window_assumed",
        hint: "Set `context` of the model in the configuration to what it was started with.",
    },
    Advice {
        code: "prompt_cut",
        hint: "Start it with a larger window (Ollama: `OLLAMA_CONTEXT_LENGTH`), or set `context` of the model to what it holds.",
    },
    Advice {
        code: "unreachable",
        hint: "Start the server or mend its `base_url` (`benchdog config explain provider`), then send the prompt again.",
    },
    Advice {
        code: "timeout",
        hint: "The server may still be reading a long prompt: raise `idle_timeout_s` of the provider, then send the prompt again.",
    },
    Advice {
        code: "tls",
        hint: "Name your certificate authority with `ca_file` of the provider, or set `SSL_CERT_FILE`.",
    },
    Advice {
        code: "unauthorized",
        hint: "Put a valid key into `BENCHDOG_API_KEY`, or into the variable that `api_key_env` of the provider names.",
    },
    Advice {
        code: "forbidden",
        hint: "The key is known and may not do this: ask who runs the server, or choose another model.",
    },
    Advice {
        code: "not_found",
        hint: "Choose a model the server offers with `/models`, and check that `base_url` ends as the server expects (often `/v1`).",
    },
    Advice {
        code: "rate_limited",
        hint: "Wait a little, then send the prompt again.",
    },
    Advice {
        code: "quota",
        hint: "The allowance is used up: waiting does not help. Choose another provider with `/models`.",
    },
    Advice {
        code: "context_overflow",
        hint: "The window is full: start anew with `/new`, or choose a model with a larger window with `/models`.",
    },
    Advice {
        code: "answer_too_long",
        hint: "Lower `output` of the model in the configuration to what the server writes at the most; `context` there if its window is smaller, too.",
    },
    Advice {
        code: "bad_request",
        hint: "The server does not accept this request: its words above say why. `extra_body` and `temperature` of the model can be changed in the configuration.",
    },
    Advice {
        code: "server",
        hint: "The fault is the server's: look at its log, then send the prompt again.",
    },
    Advice {
        code: "unavailable",
        hint: "The server is still loading or overloaded: send the prompt again in a moment.",
    },
    Advice {
        code: "stream_ended_early",
        hint: "What had arrived is kept. Send `continue` to go on from there.",
    },
    Advice {
        code: "not_an_api",
        hint: "Something else answers at this address: check `base_url` and any proxy in between.",
    },
    Advice {
        code: "garbage",
        hint: "The server sent what is no answer: look at its log, then send the prompt again.",
    },
    Advice {
        code: "call_cut",
        hint: "The answer hit the output limit inside a tool call: raise `output` of the model in the configuration.",
    },
    Advice {
        code: "endpoint_setting",
        hint: "Mend the provider in the configuration: `benchdog config explain provider` shows where it comes from.",
    },
    Advice {
        code: "recording",
        hint: "Check the file named with `--record` or `--replay`.",
    },
    Advice {
        code: "recording_ended",
        hint: "",
    },
    Advice {
        code: "no_session",
        hint: "Leave out `-c` to begin one here; `benchdog sessions list` shows those of other folders.",
    },
    Advice {
        code: "session_not_found",
        hint: "`benchdog sessions list` shows the sessions there are.",
    },
    Advice {
        code: "session_ambiguous",
        hint: "Write more of its id.",
    },
    Advice {
        code: "session_held",
        hint: "Leave it there, read it with `benchdog sessions show`, or go on in a copy that `benchdog sessions fork` makes.",
    },
    Advice {
        code: "session_not_open",
        hint: "What you wrote is in the prompt again. `/new` begins a session, `/resume` opens another.",
    },
    Advice {
        code: "session_state",
        hint: "Leave and resume the session; what was shown as saved is on disk.",
    },
    Advice {
        code: "session_damaged",
        hint: "Put a copy from a backup in its place, or move it away; other sessions are not affected.",
    },
    Advice {
        code: "storage_busy",
        hint: "Try again when the other process is done with it.",
    },
    Advice {
        code: "storage_damaged",
        hint: "Put a copy from a backup in its place, or move it away; other sessions are not affected.",
    },
    Advice {
        code: "storage_version",
        hint: "Use the version that wrote it. An `index.redb` may also be moved away: it is made anew from the sessions.",
    },
    Advice {
        code: "storage_full",
        hint: "Make room there, then send the prompt again: nothing is done that cannot be saved.",
    },
    Advice {
        code: "storage_failed",
        hint: "Make the file and its folder readable and writable for you, then try again: nothing is done that cannot be saved.",
    },
    Advice {
        code: "storage_stopped",
        hint: "Leave and resume the session; what was shown as saved is on disk.",
    },
];

/// What helps with a code; empty where nothing is known to.
pub(crate) fn advice(code: &str) -> &'static str {
    ADVICE
        .iter()
        .find(|advice| advice.code == code)
        .map_or("", |advice| advice.hint)
}

/// What the engine and every front end show of a failed request.
pub(crate) fn failure(error: &ProviderError) -> Failure {
    let code = error.code();
    let hint = advice(code);
    let text = if code == "recording_ended" {
        "The recording ends here.".to_owned()
    } else {
        error.to_string()
    };
    Failure {
        code: code.to_owned(),
        text,
        hint: hint.to_owned(),
    }
}
