//! Tests that drive the real binary, and the checks of the code's layout.

// The kit: a model server, a terminal, a home. And it is held to its word.
mod kit;
mod support;

// The rules of the house, and the book's tables and figures against the code's.
mod performance;
mod tables;
mod tidy;

// One turn at the bench: streamed, held, accepted, written, checked; and what cannot happen by accident.
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

// What goes along with a prompt and what the model is told at the start.
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

// Tools of others.
mod mcp;

// Without a screen: outputs, exit codes, configuration, recordings, the demo; and every line scripts are told, kept.
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

// What must never be lost or thrown away.
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
// `--setup`, and what it leaves of an old configuration.
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

// Sessions by other APIs than chat completions.
mod anthropic;
mod model_settings;
mod ollama;
mod presence;
mod responses;
mod slots;

// Real model servers, where somebody names them.
mod real;
mod reasons;

// When the world is unkind: endpoints, paths, folders nobody trusts yet.
mod endpoint;
mod ledger;
mod paths;
mod silence;
mod system_prompt;
mod trust;
mod trusted;
mod who_answers;

// What commands cannot reach, what they cannot learn of us, and what the log files can and cannot.
mod confinement;
// Verdicts against what really happens.
mod property;
mod shell_corpora;

// What commands cannot learn of us, what the log files can and cannot, and whom a session talks to.
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

// Editors, over the Agent Client Protocol.
mod acp;

// Models and agents on coding tasks.
mod bench_agents;
mod bench_runs;
mod bench_tasks;

// The terminal: given back, lent to shell and editor, idle when idle, never waited for, straight with wide letters.
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
