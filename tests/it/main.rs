//! Tests of the real binary, and of the code's layout.

// Test kit: a model server, a terminal, a home. `kit` tests the kit itself.
mod kit;
mod support;

// Rules of the code, and tables and figures in the documentation.
mod performance;
mod tables;
mod tidy;

// A turn in the workbench.
mod again;
mod ahead;
mod ambiguous;
mod approval;
mod beside;
mod changes;
mod children;
mod circles;
mod interrupt;
mod jobs;
mod killed;
mod languages;
mod lsp;
mod questions;
mod saved_elsewhere;
mod seats;
mod turn;
mod undo;
mod unsent;
mod voice;
mod waits;
mod watch;
mod ways_in;
mod worktrees;

// Input of a prompt, and facts for the model at the start.
mod adjusted_tools;
mod hooks;
mod images;
mod imported;
mod mentions;
mod own_commands;
mod own_tools;
mod pdf;
mod rules;
mod scratch;
mod skills;

mod mcp;

// Without a screen: outputs, exit codes, configuration, recordings, the demo, and lines for scripts.
mod commit;
mod config;
mod converted_images;
mod demo;
mod detached;
mod doctor;
mod embeddings;
mod endings;
mod flags;
mod flawed_images;
mod floods;
mod folder_changes;
mod git;
mod golden;
mod headless;
mod init;
mod recorded;
mod refused;
mod replay;
mod review;
mod review_texts;
mod scripts;
mod servers;

// Data that must never be lost.
mod agents;
mod always;
mod append_only;
mod archive;
mod auth;
mod context;
mod cut_prompts;
mod damage;
mod damages;
mod disk;
mod evidence;
mod kill;
mod long_sessions;
mod lost_cache;
mod noise;
mod old_sessions;
// `--setup`, and its effect on an existing configuration.
mod onboarding;
mod partial;
mod printed;
mod reload;
mod resume;
mod retrieval;
mod settings;
mod shut;
mod together;
mod unwritable;

// APIs other than chat completions.
mod anthropic;
mod model_settings;
mod ollama;
mod presence;
mod responses;
mod slots;

// Real model servers, if configured.
mod real;
mod reasons;

// Failing endpoints, unusual paths, untrusted folders.
mod endpoint;
mod ledger;
mod paths;
mod silence;
mod system_prompt;
mod trust;
mod trusted;
mod who_answers;

// Sandbox of commands.
mod confinement;
// Verdicts, compared with the real effects of commands.
mod property;
mod shell_corpora;

// Secrets and privacy: data visible to commands, log files, network peers.
mod logs;
mod network;
mod pictures;
mod planted;
mod pouring;
mod privacy;
mod redact;
mod telemetry;
mod traces;
mod tree;
mod web;

mod acp;

// Models and agents on coding tasks.
mod bench_agents;
mod bench_runs;
mod bench_tasks;

// Terminal: restored, shared with shell and editor, without work when idle, never blocking, correct with wide
// characters.
mod bounds;
mod cjk;
mod handover;
mod idle;
mod limits;
mod linear;
mod slow;
mod stages;
mod suspend;
mod terminal;
mod text_calls;
mod themes;
