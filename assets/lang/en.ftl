# The messages of Benchdog in English. One message carries one idea. `src/lang` supplies the values.
# A name in braces is a value. A test checks that every value is given and every message is used.

## Notices

notice-todo-open = Still in progress on the todo list: { $items }.
notice-limit-time = The time limit (`--timeout`) was reached.
notice-limit-steps = The turn reached its limit of { $steps } requests.
notice-limit-tokens = The session has used { $used } of at most { $most } tokens.
notice-limit-cost = The session has cost { $spent } of at most { $most } USD.
notice-loop = Turn stopped: `{ $call }` was called { $times } times with the same result.
notice-denials = Turn stopped: { $times } of the model's steps were denied in a row.
notice-output-limit = The answer was cut off at the model's output limit.
notice-window-end = The answer was cut off: prompt and answer fill the model's context window.
notice-filtered = The server's content filter blocked the rest of the answer.
notice-imported = Imported from { $from } (`{ $file }`). Tool calls keep their original names.
notice-unproven = Accepted without evidence: the answer cites no file or line.
notice-call-cut = The answer was cut off inside a call of `{ $tool }`. The model is asked to take smaller steps.
notice-call-cut-tokens = The answer was cut off inside a call of `{ $tool }`, after { $tokens } tokens. The model is asked to take smaller steps.
notice-fell-back = { $why } Using `{ $to }` instead of `{ $from }`.
notice-nothing-to-retry = Nothing to retry.
notice-empty-reply = The model sent an empty answer. Benchdog asks again.
notice-not-handed-over = The model ended without calling `{ $tool }`. Benchdog reminds it.
notice-not-told-whole = { $count ->
    [one] One file is too long to send. The model gets its name and can read it.
   *[other] { $count } files are too long to send. The model gets their names and can read them.
    }
notice-secrets-left-out = Not sent, because these files may contain secrets: { $paths }.
notice-recording-ended = The recording ends here.
notice-not-validated-no-check = Tests not run: no check is configured (`validation.command`) and none was detected.
notice-not-validated-not-allowed = Tests not run: the check was denied.
notice-not-validated-cannot-run = Tests not run, because `{ $command }` cannot be run: { $error }
notice-context-filled = Context { $percent } % full. Details: `/context`.
notice-not-summarised = Could not summarise: { $why }. Nothing changed.
notice-not-summarised-failed = Could not summarise: { $why }. Nothing changed. Try `/compact` again or another model.
no-summary-failed = { $error }
no-summary-empty = empty answer
no-summary-too-long = the answer was too long for a summary
no-summary-called = the model called a tool instead of answering
no-summary-repeated = the model repeated the conversation
no-summary-silent = the model did not answer in time
no-summary-silent-for = the model did not begin to answer in { $seconds } seconds
no-summary-unfinished = the model had not finished after { $seconds } seconds
no-summary-skipped = you skipped it
no-summary-no-gain = the summary would free less than a tenth of the tokens
notice-summarising = Summarising the conversation.
notice-summarised-in-part = The summary covers about { $read } of { $whole } tokens: only the beginnings and ends of long texts were read. To cover more, set `small_model` to a model with a larger context window.
notice-summary-stopped = Summary stopped. The conversation is unchanged.
notice-job-ended = { $job } has ended ({ $how }): { $title }
notice-jobs-ended = Ended with the session: { $jobs }.
notice-nothing-to-compact = There is nothing to summarise yet.
notice-nothing-to-undo = No compaction to undo: there was none, or it was replaced.
notice-preview-stale = The session has continued since this summary was made. Nothing was changed.
notice-pinned-whole = The pinned item is sent in full again. The next request will miss the prompt cache.
notice-pins-full = Not pinned: this text needs ~{ $item } tokens, but only ~{ $free } of { $most } for pins are free. Unpin something first, or pin less.
notice-nothing-saved = Not removed: the placeholder (~{ $line } tokens) would be larger than the text (~{ $tokens } tokens).
notice-todo = The todo list has no item { $item }. It has only: { $known }.
notice-no-session = There is no earlier session in this folder. A new session was started.
notice-no-agent = There is no agent `{ $agent }`. /agent lists all agents.
notice-no-agent-but = There is no agent `{ $agent }`. Did you mean `{ $nearest }`?
notice-subagent = `{ $agent }` is a subagent: only other agents can use it. Choose another agent with /agent.
notice-inner-agent = `{ $agent }` is used only inside Benchdog. Choose another agent with /agent.
notice-agent-gone = Agent `{ $agent }` no longer exists. Using `{ $instead }`, the most restricted agent. Choose another agent with /agent.
notice-busy = A turn is running. Stop it first, then change the session.
notice-seats-full = This window already has { $most } open sessions, the maximum. Close one first (`Ctrl+O`).
notice-only-seat = This is the only open session.
notice-window-assumed = The server does not report a context size for `{ $model }`. Using { $tokens } tokens.
notice-prompt-cut = The server read only { $read } of about { $sent } tokens: it silently truncates long prompts.
notice-window-smaller = `{ $model }` runs with a context window of { $runs } tokens, not { $wanted }. Longer requests are not sent, because the server would silently truncate them.
notice-cache-lost = The server re-read { $again } of { $prompt } tokens, although this request began like the last one. Other requests or a restart have cleared the server's prompt cache.
notice-calls-read = The model wrote tool calls as text: { $calls } parsed{ $more }.
notice-calls-repaired = , { $count } repaired
notice-calls-leaked = , { $count } in addition to native calls
notice-calls-unusable = , { $count } could not be parsed
notice-calls-written-not-in-template = The chat template of `{ $model }` does not include tools. Benchdog describes the tools in the system prompt and reads tool calls from the answer's text.
notice-calls-written-too-small = `{ $model }` has no native tool calls. With fewer than 2 billion weights it is too small to write them as text, so it gets no tools. To try anyway, set `"tools": "text"` of the model.
notice-calls-written-refused = The server accepts no tools for `{ $model }`. Benchdog describes the tools in the system prompt and reads tool calls from the answer's text.
notice-no-model-no-server = Could not choose a model automatically: no server is configured.
notice-no-model-none-offered = Could not choose a model automatically: the server of `{ $provider }` offers no model.
notice-no-model-failed = Could not choose a model automatically. { $error }
notice-model-taken = Chose `{ $model }` from { $offered } models: judging by the names, it is probably the best one for coding. `/model`: choose another.
notice-model-taken-here = Chose `{ $model }` from { $offered } models: of those that fit into { $memory } GB, it is the best known for coding. `/model`: choose another.
notice-model-unlisted = Using `{ $model }`, which its server does not list. The server offers { $listed } other models, such as { $names }. /models: choose one.
notice-model-unlisted-all = Using `{ $model }`, which its server does not list. The server offers only { $names }. /models: choose one.
notice-model-unchecked = Using `{ $model }` without checking the name: the server of `{ $provider }` did not list its models.
notice-model-unchecked-because = Using `{ $model }` without checking the name. { $why }
notice-config-put-aside = The old configuration was renamed to `{ $old }`.
notice-config-not-kept = Could not save the choice in `{ $path }`: { $error }. The file is unchanged: free some space or make it writable, then choose again.
notice-config-using = Using { $model } at { $address }. /models: others
notice-config-renamed = { $place }: `{ $was }` is now called `{ $now }`. Rename it: the old name may stop working.
notice-config-theme = Using theme `auto` instead of `{ $theme }`: { $wrong }. /theme and `benchdog config check` list all errors.
notice-config-not-hidden = This system cannot hide Benchdog's environment from the commands it starts, so they could read API keys in it. Start Benchdog as a user other than root.
notice-wide-folder = `{ $path }` contains more than one project, and edits and commands reach all of them. Start Benchdog in the folder of one project, or pass that folder with `-C`.
notice-system-folder = `{ $path }` contains system files: an edit or a command there may break the system. Start Benchdog in the folder of a project, or pass that folder with `-C`.
notice-near-top = In such a folder, Benchdog ignores rules in subfolders, and `@` finds only files near the top.
notice-service-starting = Starting `{ $command }` (up to { $seconds } s) …
notice-service-started = `{ $place }` answers. The server keeps running after Benchdog ends.
notice-service-not-started = `{ $command }` did not start a server: { $why }. Run it in another terminal to see its output.
service-ended = it exited ({ $status })
service-silent = no server is listening there after { $seconds } s
notice-service-nothing = There is nothing to start. Benchdog can start only Ollama, if it is installed, configured on this computer, and not running yet.
notice-untrusted-answered = Ignored until you answer whether you trust this folder: { $files }.
notice-untrusted-trusted = Ignored because this folder is not trusted: { $files }. Use them with `--trust`.
notice-unbound = Benchdog asks for trust in this folder at each start, because it cannot tell which files these hooks or servers run: { $names }.
notice-trusted-now = This folder's rules apply from now on.
notice-trusted-next-session = This folder's rules apply from the next session.
notice-reloaded-now = Configuration reloaded. `ui.language`, `ui.ambiguous_width`, `ui.notify` and `logs` apply after a restart.
notice-reloaded-next-session = Configuration reloaded. Rules, skills and `system_prompt` apply from the next session. `ui.language`, `ui.ambiguous_width`, `ui.notify` and `logs` apply after a restart.
notice-distrusted = This folder's rules are off. A running session keeps the folder's instructions but loses its permissions.
root-never-trusted = the root of the file system is never trusted
home-never-trusted = the home folder is never trusted
pattern-finds-nothing = the pattern matches no file
pattern-finds-too-much = the pattern matches too many files: use a narrower one
notice-nothing-to-trust = This folder has no rules of its own.
notice-no-repository-to-trust = There is no repository to trust here. /trust trusts this folder.
notice-unread-instructions = `{ $file }` in `instructions` was not read: { $why }.
notice-unread-folder = `{ $file }` in this folder was not read: { $why }.
notice-unread-tool = `{ $file }` could not be read as a tool: { $why }.
notice-broken-skills = These skills could not be read: { $skills }.
notice-hook-denied = Hook `{ $hook }` ({ $event }) refused: { $reason }
notice-hook-objects = Hook `{ $hook }` ({ $event }) objects: { $reason }
notice-hook-not-taken = Hook `{ $hook }` ({ $event }) changed the arguments to ones the tool rejects, so the call was not run: { $error }
notice-hook-rewrote = Hook `{ $hook }` ({ $event }) changed the arguments: { $arguments }
notice-hook-noted = Hook `{ $hook }` ({ $event }) tells the model: { $text }
notice-hook-told = Hook `{ $hook }` ({ $event }): { $text }
notice-hook-failed = Hook `{ $hook }` ({ $event }) failed ({ $why }). Continuing.
notice-hook-failed-strict = Hook `{ $hook }` ({ $event }) failed ({ $why }). The hook is `strict`, so the call or prompt was denied.
notice-broken-commands = These commands could not be read: { $commands }.
notice-not-sent = `{ $name }` was not sent, because its shell command `{ $line }` was not run.
notice-skills-untold = The model sees only { $told } of { $all } skill names: the list may fill 2 % of the context window. The `skill` tool and `/name` find the others; to make room, deny skills in `permission.skill`.
notice-rules-cut = `{ $file }` is long: the model gets only { $told } of { $whole } KB.
notice-index-rebuilt = `{ $path }` was damaged, so it was moved to `{ $aside }` and rebuilt from { $sessions } sessions. Unsent drafts and trust decisions are lost: enter them again.
notice-storage = { $why }.

## Failed requests

failure-empty-reply = The model sent { $times } empty answers.
failure-empty-reply-finish = The model sent { $times } empty answers (`finish_reason`: `{ $finish }`).
failure-not-handed-over = The model ended { $times } times without calling `{ $tool }`.
failure-context-full-fixed = Instructions and tools alone need about { $fixed } tokens, and the model's context window has room for { $limit }. The prompt was not sent.
failure-context-full-parts = The request needs about { $used } tokens, of which { $fixed } are instructions and tools. The model's context window has room for { $limit }. The prompt was not sent.
failure-context-full = This prompt alone needs about { $used } tokens, and the model's context window has room for { $limit }. It was not sent.
failure-mention-unread = The prompt was not sent, because { $mentions }.
failure-mention-unread-one = `@{ $path }` cannot be read: { $why }
failure-skill-unread-one = the skill `/{ $path }` cannot be read: { $why }
failure-command-unread-one = the command `/{ $path }` cannot be sent: { $why }
failure-hook-one = the hook `{ $path }` blocked it: { $why }
failure-prompt-one = the prompt `{ $path }` cannot be sent: { $why }
unread-no-prompt = its server has no such prompt: `/` lists all prompts
unread-prompt-lacks = add the missing arguments: { $names }
unread-no-server = there is no server with this name (available: { $names })
unread-no-reading = its content is neither text nor an image ({ $media }, { $size })
unread-too-large = the image has { $size }, and the limit is { $most }
unread-broken-image = the { $kind } image is damaged or incomplete
unread-large-sides = the image has { $width } × { $height } pixels, and the limit is { $most } per side
unread-missing = no such file or folder
unread-outside = it is outside the folders of this session
unread-not-allowed = reading it needs your approval ({ $because })
unread-too-many = it mentions { $named } files and folders with `@`, and the limit is { $most }
unread-unclear = `{ $range }` is not a range of lines: write `:10`, `:10-20` or `:10-`
unread-not-seen = it is a { $kind } image, but `vision` is off for the model `{ $model }`
unread-too-many-images = it mentions more than { $most } images, the limit
unread-no-room-for-images = too many images in this session (limit { $most }, { $size }): `/compact` makes room
failure-no-model = Choose a model first (/models). Your message is kept.
failure-no-provider = No provider `{ $provider }` is configured for the model `{ $model }`.
failure-session-not-open = The requested session is not open. Nothing was done.

## Reasons for an incomplete answer

cut-interrupted = interrupted
cut-out-of-time = timed out
cut-not-saved = not saved
cut-unproven = not accepted: the answer cites no file or line
cut-ended = Interrupted: Benchdog was closed. /retry asks again.

## Advice by error code

advice-no-model = /setup server: search again, or enter an address. `benchdog demo` needs no model.
advice-mention-unread = Fix the name. Or remove the `@`: the name is then plain text, and the model can ask to read the file.
advice-mentions-too-many = Remove an `@`: the name is then plain text, and the model can ask to read the file. To mention a whole folder, end its name with a slash.
advice-skill-unread = Fix the file at that line. To send the words as text, start the prompt with something other than `/`.
advice-prompt-unread = Add the arguments after the name, in order or as `name=value`. `/` lists the prompts of MCP servers and their arguments.
prompt-server-hint = Check the server with `/mcp`, or restart it with `/mcp restart NAME`. Then send the prompt again.
advice-resource-unread = Choose a resource from the list after `@SERVER:`, or check the server with `/mcp`. Without the `@` the name is plain text.
advice-hook-denied = Change the prompt or the hook. `/hooks` shows the file of each hook.
advice-window-too-small = Choose a model with a larger context window (`/models`), or set `context` of the model to the size the server supports. Fewer rules and skills also make the instructions shorter.
advice-no-provider = Choose a model with `/models`, or add the provider to `config.jsonc`.
advice-empty-reply = Send the prompt again, or choose another model with `/models`.
advice-not-handed-over = Try again, or choose another model with `-m` or `/models`.
advice-context-full = Shorten the prompt, unpin something, or choose a model with a larger context window (`/models`).
advice-window-assumed = To change the size, set `context` of the model in the configuration (`benchdog config path`).
advice-window-smaller = Start the server with a larger context window. Ollama: set `OLLAMA_CONTEXT_LENGTH`, or `api` of the provider to `ollama`. llama.cpp: `--ctx-size`. vLLM: `--max-model-len`.
advice-prompt-cut = Start the server with a larger context window. Ollama: set `OLLAMA_CONTEXT_LENGTH`, or `api` of the provider to `ollama`. llama.cpp: `--ctx-size`. vLLM: `--max-model-len`. Or set `context` of the model to the size that the server uses.
advice-unreachable = Start the server, or correct its address with /setup server (`base_url`). Then send the prompt again.
advice-timeout = The server may still be reading a long prompt. Raise `idle_timeout_s` of the provider, then send the prompt again.
advice-unknown-host = Check the host name in `base_url` or `network.proxy`, and this computer's network connection. An IP address works as well.
advice-nothing-arrived = The server may have stopped or may still be starting. Check its log, then send the prompt again.
advice-certificate-issuer = Save the issuer's certificate as a PEM file and set `"ca_file": "/path/ca.pem"` in the provider. `benchdog doctor` says where to get it.
advice-certificate-dates = Ask the server's administrator to renew the certificate. If this computer's clock is wrong, correct it.
advice-certificate-name = Use one of those names in `base_url`, or give the server a certificate for the name in `base_url`.
advice-tls = Ask the administrator of the server or of the proxy in front of it. `benchdog doctor` tests the connection step by step.
advice-no-tls = Change `https://` to `http://` in `base_url`.
advice-needs-tls = Change `http://` to `https://` in `base_url`.
advice-not-http = Another program uses this port. Correct the port in `base_url`.
advice-proxy = Set `network.proxy` to `http://user:password@HOST:PORT` with the name and password of the proxy, or ask its administrator.
advice-unauthorized = Save a valid API key with `benchdog auth set`, or put it into `BENCHDOG_API_KEY` or the variable named in `api_key_env`.
advice-forbidden = The key is valid but not allowed to do this. Ask the server's administrator, or choose another model.
advice-not-found = See what the server offers: `/models` or `benchdog models` (`benchdog models pull NAME` downloads a model to Ollama). Or check the end of `base_url` (often `/v1`).
advice-rate-limited = Wait and send the prompt again, or choose another model with `/models`. If the server gave a time, wait until then.
advice-quota = The quota is used up, and waiting does not help. Choose another provider with `/models`.
advice-context-overflow = Set `context` of the model to the size the server supports, shorten the prompt, or choose a model with a larger context window (`/models`).
failure-context-overflow-lessened = Shortening old outputs did not free enough context. Set `context` of the model to the size the server supports, or choose a model with a larger context window (`/models`).
advice-answer-too-long = Lower `output` of the model in the configuration to the server's limit. If its context window is smaller too, lower `context`.
advice-bad-request = The server rejected the request for the reason above. If `extra_body` or `temperature` of the model is the cause, change it in the configuration.
advice-call-ids = Start the server with another chat template, or set `tools` of the model to `text` in the configuration.
advice-no-tools = Set `tools` of the model to `auto` or `text` in the configuration. Or start the server with tool support: vLLM `--enable-auto-tool-choice --tool-call-parser NAME`, llama.cpp `--jinja`.
advice-server = This is an error in the server. Check its log, then send the prompt again.
advice-unavailable = The server is still loading, or it is overloaded. Send the prompt again in a moment.
advice-stream-ended-early = The text received so far is kept. Send `continue` to go on.
advice-not-an-api = The server at this address is not a model API. Check `base_url` and any proxy in between.
advice-garbage = The server sent an invalid answer. Check its log, then send the prompt again.
advice-answer-oversized = The text received so far is kept. Check the server: an answer this long usually means that it repeats itself or is not a model.
advice-call-cut = The answer hit the output limit inside a tool call. Raise `output` of the model in the configuration.
advice-endpoint-setting = Fix the provider in the configuration. `benchdog config explain provider` shows where it is set.
advice-recording = Check the file passed to `--record` or `--replay`.
advice-no-session = Omit `-c` to start a session here. `benchdog sessions list` shows the sessions of other folders.
advice-entry-not-found = `benchdog sessions show ID --format jsonl` shows the numbers of all entries.
advice-session-not-found = `benchdog sessions list` shows all sessions.
advice-session-ambiguous = Type more of the session's id, from its start or its end.
advice-session-held = Another Benchdog uses the session. Close it there, read it with `benchdog sessions show`, or continue in a copy with `benchdog sessions fork`.
advice-session-not-open = Your text is back in the prompt. `/new` starts a session, `/resume` opens another one.
advice-session-state = Leave and resume the session. Everything shown as saved is on disk.
advice-session-damaged = Run `benchdog sessions check --repair` with the session's id to copy all readable entries to a new session, or restore the file from a backup. Other sessions are not affected.
advice-storage-busy = Try again when the other process has finished.
advice-storage-damaged = Restore the file from a backup, or move it away. Other sessions are not affected.
advice-storage-version = Use the Benchdog version that wrote the file. You can also move `index.redb` away: it is rebuilt from the sessions.
advice-storage-full = Free some space (`benchdog sessions delete`, the cache, other files) or raise the limit (`ulimit -f`, a quota), then try again. Benchdog does nothing that it cannot save.
advice-storage-failed = Make the file and its folder readable and writable for you, or set `BENCHDOG_HOME` to another folder. Benchdog does nothing that it cannot save.
advice-storage-stopped = Leave and resume the session. Everything shown as saved is on disk.

## Transcript: labels and rows

label-you = you
label-task = task
label-answer = answer
label-plan = agent
label-writing = writing
label-thought = thought
label-thinking = thinking
label-check = check
label-check-again = check { $round }

shown-cut = cut off: { $why }
shown-mention = @{ $path }  { $lines }
shown-mention-part = @{ $path }  lines { $first } to { $last } of { $total }
shown-mention-image = @{ $path }  { $kind } image, { $size } KB
asked-again = retried
shown-mention-empty = @{ $path }  empty
shown-mention-skill = skill { $name }
shown-mention-resource = @{ $path }  resource
shown-mention-folder = @{ $path }/  folder
shown-model = model { $model }
shown-sampling = from the next request: temperature { $temperature }, thinking { $thinking }
shown-agent = agent { $agent }
shown-shortened = { $count ->
    [one] Shortened an old output to free context (~{ $before } → ~{ $after } tokens).
   *[other] Shortened { $count } old outputs to free context (~{ $before } → ~{ $after } tokens).
    }
shown-summarised = Summarised earlier turns (~{ $before } → ~{ $after } tokens).
shown-left-out = Omitted earlier turns from requests (~{ $before } → ~{ $after } tokens).
shown-dropped = Removed from requests (~{ $before } → ~{ $after } tokens).
shown-earlier = { $count ->
    [one] { $count } earlier turn, no longer sent to the model in full
   *[other] { $count } earlier turns, no longer sent to the model in full
    }
can-be-undone = `/compact undo` restores it.
look-first = result unknown: check it before you continue
compaction-undone = Restored: the model reads the shortened, summarised or omitted parts in full again.
undone-shortened = Restored: the model reads the shortened outputs in full again.
undone-summarised = Restored: the model reads the earlier turns again instead of their summary.
undone-left-out = Restored: the model reads the earlier turns again.
undone-dropped = Restored: the model reads the removed part again.
of-a-later-version = an entry from a newer Benchdog, kept unchanged
child-queued = waiting for other agents
child-step = step { $step }
child-stops = stopping { $what }
call-waits = waiting for you
call-is-shown = waiting for you, shown now
call-unknown = result unknown
nothing-done = not run, nothing changed
untitled = (no prompt yet)

ended-done = done
ended-error = the turn ended with an error
ended-interrupted = interrupted
ended-limit = a limit was reached
ended-denied = stopped: a step was denied
unreadable-call = unreadable tool call
ended-filtered = the server's content filter blocked the rest
ended-loop = stopped: the same call kept giving the same result
ended-failing = the check still fails

## Reasons for allow, ask and deny

because-no-rule = no rule matches
because-dangerous = dangerous: { $why }
because-unknown = unknown: { $why }
because-external = external: { $why }
because-host-not-named = the host `{ $host }` needs a rule of your own for this tool
because-catastrophic = catastrophic: { $why }
reason-detail = { $reason }: { $detail }
reason-end = { $reason }.
reason-program = { $program } { $does }
reason-wait = { $reason }; it asks to wait { $wait }
the-server = the server
because-interactive = `{ $program }` needs a terminal, and commands here have none: { $instead }
because-called-risky = the model set the risk of this call to high
instead-edit = open the file in your own editor, or change it with `sed` or the file tools
instead-debug = give the debugger all commands at once, as in `gdb -batch -ex run -ex bt`
instead-person = run it in your own terminal
instead-run = run the command itself, or this one in your own terminal
instead-script = pass a script, or code with `-c` or `-e`
instead-query = pass a statement, as in `psql -c` or `sqlite3 file.db 'select 1'`
instead-print = print with `cat`, `head` or `tail`
instead-snapshot = take a snapshot with `ps aux` or `top -b -n 1`
because-only-reads = every part of the command only reads, and it runs in the sandbox
because-confined = it runs in the read-only sandbox without network (`permission.confined: "allow"`)
because-unconfined = it would run outside the sandbox: the model says the sandbox blocked it
because-scratch = it is in the scratch folder of this session
because-not-plain = rules can allow only literal commands, alone or in a list or pipeline
once-redirected = it reads or writes a file by redirection
once-expanded = it contains a substitution, a variable or a pattern, whose value can change
once-assigned = it sets a variable
once-compound = it contains a loop, a condition, a group or a background command
once-long = it contains too many commands to check one by one
once-fed = one of its commands takes arguments from its input, which can change
once-quoted = it contains quoted spaces or shell characters, which mean something else without the quotes
once-branch = the branch can bring different changes each time
once-undone = each undo needs a review
once-several = no single rule covers everything it touches
because-elsewhere = it runs in `{ $folder }`, and rules allow commands only in the workspace folder
because-process = `{ $path }` may belong to another process: always asked
because-secret = `{ $path }` is a secret file
because-leads-to-secret = `{ $path }` leads to a secret file
because-obeyed = changes to `{ $path }` always ask, because other programs run or follow it without asking
because-names-secret = it contains the path of a secret file
because-secret-below = it would read the secret file `{ $path }`
because-link-below = it may follow the link `{ $path }` out of the workspace
because-unseen = it touches too many files to check them for secrets
because-outside = `{ $path }` lies outside the workspace
because-unfollowed = `{ $path }`: { $reason }
because-step-limit = step limit
because-loop = same call with the same result
because-denials = denied several times in a row
because-not-confined = this system cannot run commands in the sandbox `{ $level }`, because it lacks { $parts } (`benchdog doctor` says why). You can allow less protection when asked, or set `sandbox.level: "off"` in your own configuration to run commands without a sandbox
because-switched-off = the sandbox is off (`sandbox.level: "off"`), so only the simplest default commands run without asking
because-typed = you typed this command yourself
because-read-only = `sandbox.level` is `read-only`: nothing may write to the workspace
because-read-only-agent = the agent `{ $agent }` is read-only: choose another with Shift+Tab or /agent
because-hook = the hook `{ $hook }` refused: { $reason }
because-check-configured = the check is set in `validation.command`
because-check-allowed = allowed earlier in this session
because-check-not-allowed-yet = Run `{ $command }` to check the changes? (asked once per session)
because-check-changed = `{ $file }` defines the check `{ $command }` and changed in this session

## Panes: titles and empty states

pane-files = files
pane-conversation = conversation
pane-todo = todo
pane-context = context
pane-changes = changes
no-files = No files yet
conversation-here = Benchdog { $version } in { $folder }
last-session = Last session: { $title } ({ $at }). { $key } lists all.
empty-conversation = Describe a task, or try one with { $key }:
example-explain = Explain how this project works.
example-fix = Run the tests and fix what fails.
example-test = Write a test that is missing.
first-send = send
first-file = name a file
first-command = run a command
first-review = review a change
first-help = all keys
no-tasks = No tasks yet
no-tokens = No tokens used yet
no-changes = No changes yet
file-is-gone = deleted
too-small = too small
find = find
not-found = not found
looking = looking …
no-such-file = no such file
ignored-by-git = git-ignored
completion-no-resource = `{ $server }` has no resource like `{ $wanted }`
completion-no-resources = `{ $server }` lists no resources
completion-resources = { $count ->
    [one] 1 resource
   *[other] { $number } resources
    }
no-such-command = no such command
steers = sent to the running task
queued = queued
behind-command = sent after your command
card-several = { $count } { $kind }
unsent = not sent
card-taken-back = not sent, press { $key } to edit
card-some-taken-back = { $count } not sent, press { $key } to edit
card-unsent-why = Not sent before Benchdog ended. Press { $key } to edit it.
card-more = { $count ->
    [one] … and one more
   *[other] … and { $count } more
    }

## Contents of the context window

ledger-system = system
ledger-rules = rules
ledger-skills = skills
ledger-tools = tools
ledger-files = files
ledger-mentions = mentions
ledger-images = images
ledger-results = results
ledger-summary = summary
ledger-conversation = conversation

## Status line: activity and key hints

no-model = no model
confined-workspace = confined: workspace
confined-read-only = confined: read-only
confined-no-network = no network
confined-lacks = lacks { $parts }
confined-cannot = no sandbox: lacks { $parts }
part-mounts = mount namespace
part-processes = process namespace
part-landlock = Landlock
part-calls = seccomp
part-network = network namespace
stopping = stopping
reading = reading
compacting = compacting
writing = writing
letters-command = normal
letters-select = visual
thinking = thinking
waiting-for-server = waiting for the server
status-waiting-for = waiting for { $server }
status-waiting-for-hook = waiting for hook { $hook }
status-at-most = { $far }, { $most } at most
loading-model = loading the model
status-reading-of = reading { $done } of { $of }
status-left = · about { $seconds } s left ·
waiting = ◆ waiting
waiting-for-you = ◆ waiting for you
running = running
checking = checking changes
key-close = close
key-tools = tools
key-prompt = prompt
key-back = back
key-find = find
key-next = next
key-read-on = scroll
key-previous = previous
key-answer = answer
key-review = review
key-newest = newest
key-open = open
key-fold = fold
key-read = read
key-pin = pin
key-unpin = unpin
key-leave-out = remove
key-stop = stop
key-steer = send now
key-skip = skip
key-next-spot = next location
key-stop-child = stop this agent
key-hunk = next change
key-layout = layout
key-wrap = wrap
key-commands = commands
key-keys = keys
rule-built-in = built in
field-agent = agent
field-prompt = prompt
field-host = host
field-engine = engine
field-query = query
no-output = (no output)
stroke-panes = panes
stroke-new = new
stroke-next = next
stroke-close = close
stroke-all = all
mode-unasked = applies edits without asking
mode-commands-unasked = edits and runs commands without asking
mode-reads = read-only

## List dialogs

keys-valid-now = keys valid now
all-commands = all commands
no-command-of-that-name = no matching command
nothing-queued = nothing is queued
also-permissions = allow always trust rules grant
also-approvals = approve accept review request hunk decide
also-once-now = approve accept yes
also-deny-now = reject refuse no
also-help = key keys shortcut hotkey binding
also-config = settings preferences options language locale vim vi editor key keys
also-diff = hunk changes compare patch
also-transcript = export save markdown
also-plan = export
also-unqueue = queue edit
also-steer = queue interrupt
also-sessions = history switch delete remove
also-undo-last = revert restore rollback
also-retry = again repeat regenerate
also-models = llm provider switch
also-setup = server endpoint address api provider key login token
also-paste-image = screenshot picture clipboard
also-themes = color colour dark light
also-find = search
also-fork = branch copy duplicate
also-export = share
models = models
sessions = sessions
earlier-prompts = earlier prompts
permissions = permissions
skills = commands and skills
agents = agents
agent-build = proposes changes and shows each one first
agent-plan = reads and plans, changes nothing
agent-accept-edits = edits without asking, asks before commands
agent-auto = edits and runs plain commands without asking
agent-chat = answers questions, changes nothing
settings = settings
setting-unset = (not set)
setting-how = Enter saves the value permanently, an empty line removes it, Esc goes back
setting-list = Enter one word as it is, several words as `["one", "two"]`, or an empty line for none.
setting-torn = Not saved: this is not valid JSON. Write several words as `["one", "two"]`, or one word without brackets and quotes.
setting-held = { $place } sets another value, which overrides your configuration: change the value there
setting-not-written = Could not write { $path }: { $error }
setting-unknown = `{ $name }` cannot be set here: edit the configuration file
setting-at-start = { $from } · after a restart
setting-wants = Expected: { $wants }.
themes = themes
theme-auto = dark or light, like the terminal
theme-own = your own
theme-broken = invalid: Enter shows why
theme-how = Enter uses the theme until you quit. To keep it, set `ui.theme` in config.jsonc.
theme-sixteen = Only 16 colours: choose `sixteen` or `plain`
theme-no-colours = No colours here (`NO_COLOR`): every theme looks like `plain`
skill-configured = configured
skill-of-project = project
skill-of-person = yours
skill-of-server = MCP
own-command = command
skill-offered = skill
skill-for-model = for the model
skill-untold = not listed for the model
skill-loaded = loaded
skill-shadowed = hidden by { $by }
skill-command = { $state }, but `/{ $name }` is a Benchdog command
skill-broken = { $source }  not read: { $why }
skill-not-invoked = Could not read the skill `{ $name }`: { $why }.
command-not-invoked = Could not read the command `{ $name }`: { $why }.
hook-not-started = it could not be started: { $error }
hook-changed = `{ $file }` has changed since you trusted it: `/reload` asks for trust again
hook-unpinned = `{ $file }` could not be compared with the trusted version, so the hook was not run: { $error }
hook-too-many = { $most } hooks were already running, so this one was skipped
hook-timed-out = it took longer than { $ms } ms and was stopped
hook-endless = its output exceeded { $most } bytes, so it was stopped
hook-unreadable = the hook's output could not be parsed: { $error }
hook-stopped = it was stopped with the turn
hook-last = { $at }, { $ms } ms
hook-runs = runs
hook-from = from
hook-asked = last run
hooks = hooks
no-hooks = No hooks are configured.
hook-not-asked = not run yet
hook-said-nothing = no objection
skill-detail = ~{ $tokens } tokens  { $source }  { $state }
takes-back = Enter removes a permission that you gave with "always"
rule-is-default = Default rule: a rule in your own configuration overrides it.
toast-rule-stands = This rule is set in { $origin }: change it there.
rule-of-agent = This rule comes with the agent: choose another agent with Shift+Tab or /agent.
toast-rule-revoked = Revoked, so Benchdog asks again: { $rule }
nothing-matches = nothing matches
no-skills = no custom commands or skills yet
first-skill = Put your first command in `commands/NAME.md` next to config.jsonc, or in `.benchdog/commands/NAME.md` of this folder. A skill goes into `skills/NAME/SKILL.md` of the same places. Then run /reload.
in-your-own-words = in your own words
send-answers = send
change = change
other-questions = other questions
reading-file = reading …
compaction-title = summary of earlier turns
compaction-frees = { $before } → { $after } tokens. Nothing has changed yet. The full text is kept.
compaction-unfit-empty = The summary is empty, so it cannot replace earlier turns.
compaction-unfit-long = Too long: ~{ $tokens } tokens. A summary of earlier turns may have at most { $most }.
compaction-keys-unfit = { $change } edit · { $discard } discard
compaction-keys = { $take } accept · { $change } edit · { $discard } discard
summary-ready = The summary is ready: `/compact` shows it.
nothing-to-pin = Press Enter to open this row, then select a text in it.
nothing-to-show = This row has no further details.
costs-cache = Removed. The next request misses the cache, because earlier text changed.
ledger-reserve = reserved for answer: { $tokens }

## Session status and cost

sheet-status = this session
sheet-cost = cost
sheet-privacy = privacy
privacy-none = none
privacy-sent = Sent by Benchdog
privacy-others = other endpoints
privacy-servers = MCP servers
privacy-web = web tools
privacy-telemetry = telemetry
privacy-of-commands = commands
privacy-commands = may use the network, if allowed
privacy-commands-none = have no network
privacy-nothing-else = Prompts, files that the model reads and command output go to the endpoint, without known secrets. There is no other telemetry, and no update check.
privacy-offline = `network.offline` allows only this machine, private addresses and `network.allowed_hosts`.
privacy-kept = Stored on this machine
privacy-sessions = sessions
privacy-config = configuration
privacy-keys = API keys
privacy-logs = logs without prompts
privacy-cache = cache
privacy-delete = Delete a session in the list of /resume, or with `benchdog sessions delete ID`. /export writes a copy without secrets.
sheet-health = doctor
examining = checking, and asking the model for a few words …
asking = asking …
thinking-now = thinking
fact-model = model
fact-endpoint = endpoint
fact-window = window
fact-used = in use
fact-temperature = temperature
fact-thinking = thinking
fact-agent = agent
fact-tokens = tokens
fact-turn-tokens = last turn
fact-speed = speed
fact-cost = cost
fact-work = working time
fact-calls = calls
fact-approvals = decisions
fact-confined = commands
fact-web = web tools
web-offline = off, because `network.offline` is on
fact-folder = folder
fact-session = session
fact-answers = answers
fact-price = price
no-model-yet = none yet (choose one with `/model`)
no-endpoint = none: a recording answers, or the provider is no longer configured
of-server = server default
no-price = no price configured
nothing-answered = No model has answered yet.
all-models = all models
how-to-price = Prices are in US dollars per million tokens. Set `price.input` and `price.output` of a model in the configuration.
window-configured = configured
window-of-server = reported by the server
window-recalled = reported by the server last time
window-refused = the server rejected larger requests
window-of-family = guessed from the model's name, not reported
window-assumed = assumed, not reported
estimate-sign = ~
temperature-wanted = Add a number from 0 to 2, or `default`, to `/temperature`.
thinking-wanted = Add `off`, `low`, `medium`, `high` or `default` to `/thinking`.
nothing-offered = no server offers a model
yes = yes
no = no
fact-tools = tools
fact-vision = images
fact-loaded = loaded
fact-listed = available
fact-answer = longest answer
models-pulled = { $model } is ready.
models-silent = The server of `{ $name }` did not list its models within { $seconds } s.
fact-endpoint-at = { $address }, API { $api }
fact-window-of = { $tokens } tokens, { $from }, at most { $output } of them for an answer
fact-used-of = { $about }{ $used } of { $room } tokens, { $percent } %
fact-usage = { $taken } input, { $written } output
fact-cached = , { $cached } of the input from the cache
fact-price-of = { $input } USD per million input tokens, { $output } USD per million output tokens
fact-dollars = { $dollars } USD
fact-work-of = { $count ->
    [one] { $count } turn, { $time }
   *[other] { $count } turns, { $time }
    }
fact-minutes = { $minutes } min { $seconds } s
fact-hours = { $hours } h { $minutes } min
fact-calls-ended = { $succeeded } succeeded, { $failed } failed, { $cancelled } stopped
fact-calls-decided = { $accepted } allowed, { $refused } refused
fact-held = sandbox { $level }, network { $network }

## Findings of `doctor`

check-config = loaded: `{ $file }` and everything that overrides it
check-no-config = `{ $file }` does not exist, so the defaults are used
fix-config = `benchdog config check` shows the line to fix.
check-endpoint = `{ $address }` (provider `{ $name }`)
check-no-endpoint = no provider is configured, and no server answers on the usual ports of this computer
check-no-endpoint-but-found = no provider is configured, but found on this computer: `{ $servers }`
fix-found = Choose one with `benchdog --setup`, or run with `--base-url { $address }`.
check-took-too-long = some checks did not finish within { $seconds } s
check-no-proxy = none
check-proxy = `{ $address }`, set by `{ $by }`
check-no-server = `{ $address }` is not an address with a server and a port
fix-address = Set `base_url` to an address like `http://HOST:PORT/v1`.
check-name = `{ $host }` is { $address }
check-name-unknown = `{ $host }` cannot be resolved: { $error }
check-name-silent = no name server resolved `{ $host }` within { $seconds } s
fix-name = Check the name in `base_url`, or use the IP address.
check-connected = { $place } answered in { $ms } ms
check-not-connected = { $place }: { $why }
check-silent = no data for { $seconds } s
check-held-offline = not contacted: `network.offline` is on, and `{ $host }` is neither this computer nor a private address
fix-offline = Add `{ $host }` to `network.allowed_hosts`, or set `network.offline` to false.
check-trusted = { $chain } is trusted, and valid until { $until }
check-unknown-issuer = Certificate not trusted: { $chain }
fix-save-last = Save the last certificate the server sends, `{ $subject }`, as a PEM file and set `network.ca_file` to it. Print it with `openssl s_client -showcerts -connect { $host }:{ $port } </dev/null`.
fix-save-issuer = The server does not send the certificate of `{ $issuer }`: get it from the administrator. Save it as a PEM file and set `network.ca_file` to it.
check-expired = `{ $subject }` expired on { $until } ({ $chain })
check-not-yet-valid = { $chain } is not valid before { $from }
fix-expired = Renew the certificate on the server. If this computer's clock is wrong, correct it (today is { $today } here).
check-for-others = { $chain } is valid for `{ $names }`, not for `{ $host }`
fix-for-others = Use one of those names in `base_url`, or give the server a certificate for `{ $host }`.
check-not-accepted = { $chain }: { $why }
check-no-handshake = the server showed no certificate: { $why }
fix-not-accepted = Ask the administrator of the server or of the proxy in front of it.
check-no-tls = `{ $host }` does not use TLS
fix-tls = For a private certificate authority, set `"provider": {"{"}"{ $name }": {"{"}"ca_file": "/path/ca.pem"{"}"}{"}"}`, or `network.ca_file`.
fix-key = Save a key with `benchdog auth set { $name }`, or set a variable named in `api_key_env`.
check-models = { $count } models available
check-no-models = the server offers no model
fix-no-models = Load one on the server (Ollama: `ollama pull NAME`).
check-offered = `{ $id }` is available
check-other-name = the server accepts `{ $id }` as another name of `{ $own }`
check-not-offered = `{ $id }` is not available
fix-model = Set `model` to `{ $near }`, or load the configured model on the server.
check-window-too-large = { $configured } tokens are configured, but the server supports only { $told }
fix-window = Set `context` of `{ $id }` to { $told }, or start the server with a larger context window.
check-window-of-both = { $configured } tokens configured, { $told } supported by the server
check-window-configured = { $configured } tokens configured, not reported by the server
check-window-told = { $told } tokens reported by the server
check-window-unknown = 32,768 tokens assumed, neither configured nor reported by the server
check-answered-nothing = the answer was empty
fix-slow = The server may be loading the model. Try again in a minute.
check-called = the model made a native tool call
check-not-called = the model did not call a tool when asked to
check-wrote-call = The model calls tools when they are described as text.
fix-by-text = Set `tools` of `{ $id }` to `text`, or start the server with a tool call parser.
check-wrote-no-call = The model cannot call tools.
fix-wrote-no-call = Choose another model: this one cannot change files.
check-kept = { $kept } of { $prompt } tokens of the second request came from the cache
check-kept-nothing = none of { $prompt } tokens came from the cache, although the request began like the last one
fix-cache = Turn on prefix caching in the server (vLLM: `--enable-prefix-caching`, llama.cpp: `--cache-reuse 256` and a slot for each session).
check-kept-untold = cached tokens are not reported: the first word took { $once } ms, and { $again } ms for the repeated request
check-counts = { $counted } tokens by the server's tokenizer, ~{ $estimated } estimated
check-counts-with-answers = { $counted } tokens reported with the answer, ~{ $estimated } estimated (the server has no tokenizer)
check-no-counts = the server reports no token counts, so all figures are estimates
fix-no-counts = If there is a proxy in front of the server, it must pass `stream_options` and `usage` through.
fix-call = Start the server with a tool call parser (vLLM: `--enable-auto-tool-choice --tool-call-parser NAME`, llama.cpp: `--jinja`), or choose another model.
check-no-folder-yet = `{ $folder }` is created with the first session
check-writable = `{ $folder }` is writable
check-not-writable = `{ $folder }` is not writable: { $error }
fix-owner = Run `chown -R "$USER" { $folder }`, or set `BENCHDOG_HOME` to another folder.
check-private = only you can read sessions and keys
check-not-private = other users can read { $paths }
fix-private = `chmod -R go= { $paths }`
check-free = { $megabytes } MB free
check-checkpoints = folders: { $folders }, { $megabytes } MB, at most { $most } MB each
fix-space = Free some disk space: a turn ends when its session cannot be saved.
check-plain-terminal = this terminal cannot move the cursor
fix-terminal = Set `TERM`. Otherwise, Benchdog runs in line mode (`--linear`).
check-copies-by = with `{ $tool }`
check-copies-by-terminal = with the terminal (`OSC 52`), which does not confirm that it copied
check-no-clipboard = no clipboard program found
fix-clipboard = Install `wl-copy`, `xclip` or `xsel`, or use a terminal that supports `OSC 52`.
check-locale = { $locale }
check-not-utf8 = `{ $locale }` is not UTF-8: other programs may write characters that cannot be shown
fix-locale = `export LANG=C.UTF-8`
check-no-git = not found: no file status and no worktrees
fix-git = Install git.
check-no-rg = not found and not needed: search is built in
check-answered = first word after { $first } ms
check-speed = first word after { $first } ms, then ~{ $rate } tokens/s
check-speed-first = the whole answer arrived at once, after { $first } ms
fix-speed = Choose a smaller model or quantisation, or keep more of the model in GPU memory.
check-terminal = { $name }, colours: { $colours }{ $size }

## Key scopes in the help

help-now = most used
help-commands = commands
scope-global = everywhere
scope-text = text
scope-line = filter
scope-pane = pane
scope-list = lists and text
scope-fold = folding
scope-diff = diff
scope-question = question
scope-prompt = prompt
scope-completion = completion
scope-conversation = conversation
scope-files = files
scope-changes = changes
scope-change = open diff
scope-todo = todo
scope-context = context
scope-find = find
scope-approval = review
scope-proposal = proposal
scope-confirm = confirm
scope-reason = reason
scope-comment = comment
scope-editor = editor
scope-options = options
scope-answer = own words
scope-picker = list
scope-dialog = dialog
scope-compaction = summary
scope-jobs = background commands
scope-servers = MCP servers

## Pending requests

why-not = Why not? The model reads this.
approval-comment = Comment on { $path }:{ $line }. The model reads it with your decision.
approval-editing = { $path }, lines { $first } to { $last } of { $all }
saved-beside-edit = The file changed on disk next to your edit. Both changes are shown here.
edit-replaces-saved = The file changed on disk where you edit. Saving here replaces that change.
for-model-comments-head = Comments on the proposal:
for-model-comment-proposed = { $path }:{ $line }, as proposed
for-model-comment-before = { $path }:{ $line }, before the change
allowed-in-session = Allow this without asking until the session ends:
approval-always-child = Allow this without asking until { $child } ends, for that agent only:
allowed-in-project = Allow this without asking in every session of this workspace, until you remove it with /permissions:
briefly-in-session = Until this session ends:
approval-brief-child = Only for { $child }, until it ends:
briefly-in-project = In all sessions here:
covers-exactly = exactly this
covers-each = every call of { $name }
covers-folder = everything in this folder
covers-all = everything in the workspace
covers-any = with any arguments
covers-no-options = any `{ $command } …` without options
covers-options = { $count ->
    [one] any `{ $command } …` whose only option is { $options }
   *[other] any `{ $command } …` whose only options are { $options }
    }
covers-line = alone or combined with harmless commands
this-rule-asks = Why Benchdog asks:
model-asks = the model asks you
limit-reached = limit reached
goes-in-circles = the model repeats itself
all-denied = several steps denied
question-go-on = The turn reached its limit of { $steps } requests. Continue?
question-loop = `{ $call }` was called { $times } times with the same result. Continue?
question-denials = { $times } of the model's steps were denied in a row. Continue?
answer-go-on = continue
server-asks = an MCP server asks
server-is-told = Fill in the form
server-is-not-told = Decline
leave-out = skip this field
left-out = skipped
enter-leaves-out = skipped if empty
answer-end-turn = stop
plan-asked = the model proposes a plan
plan-with-edits = do it, apply edits without asking
plan-with-approvals = do it, ask before each change
plan-leave = leave it for now
plan-title = plan
no-plan = No plan yet. /plan starts plan mode.
no-plan-yet = No plan yet. Describe the task, or leave plan mode with /plan off.
watch-on = Watching: the next prompt names changed files, and comments with `AI!` or `AI?` are sent.
watch-off = Not watching. `/watch on` tells the model which files other programs change.
watch-elsewhere = Another session watches this folder. Enter `/watch off` there first.
watch-many-folders = The folder cannot be watched: it has more folders than the system allows. Raise `fs.inotify.max_user_watches`, or ignore large folders in `.gitignore`.
watch-remote-disk = The folder cannot be watched: its disk does not report changes.
watch-failed = The folder cannot be watched: { $error }
watch-sent = Sending the comment in { $path }:{ $line }.
watch-sent-more = Sending the comment in { $path }:{ $line } and { $more } more.
watch-not-read = { $files ->
    [one] Comments in one changed file were not sent, because git wrote it. Change a comment and save the file to send it.
   *[other] Comments in { $files } changed files were not sent: too many changed at once, or git wrote them. Change a comment and save its file to send it.
}
watch-maybe-own = { $files ->
    [one] Comments in one changed file were not sent: a turn or background job was running. Change a comment and save the file to send it.
   *[other] Comments in { $files } changed files were not sent: a turn or background job was running. Change a comment and save its file to send it.
}
watch-many-turns = Comments have started { $turns } turns since your last prompt. Enter a prompt, then change a comment and save its file to send it.
watch-ended = The folder is no longer watched: too many files or folders. `/watch on` starts it again.
status-recording = ● recording ({ $end } ends, { $discard } discards)
status-transcribing = transcribing …
voice-not-set = Voice is not set up. Write `voice.record` and `voice.transcribe` into your configuration: see docs/commands.md.
voice-no-file = Cannot record: Benchdog could not create a file for the recording ({ $error }).
voice-not-started = Cannot run `{ $program }` of `voice`: { $error }. Install it, or change the configuration.
voice-ended = `{ $program }` of `voice` failed ({ $status }). Run it in a terminal to see its output.
voice-ended-saying = `{ $program }` of `voice` failed ({ $status }): { $said }
voice-nothing-recorded = `{ $program }` recorded nothing. Check the microphone, and that the command writes to `{"{"}file{"}"}`.
voice-too-large = The recording is larger than { $megabytes } MB. Let `voice.record` use 16 kHz and one channel.
voice-slow = `{ $program }` gave no text within { $seconds } s. Use a smaller model.
voice-nothing-heard = `{ $program }` heard no words. Check the microphone, and speak again.
voice-no-speech = Provider `{ $provider }` cannot transcribe: its `api` has no such request. Name another provider in `voice.transcribe`.
auto-test-on = The check runs after changes (`validation.auto`, saved).
auto-test-off = The check no longer runs after changes (`validation.auto`, saved).
auto-test-wanted = `/autotest on` runs the check after changes, `/autotest off` does not.
plan-wanted = `/plan on` starts plan mode and `/plan off` leaves it. `/plan` shows the plan, `/plan change` edits it in $EDITOR, and `/plan export` with a path saves it to a new file. `/plan list` lists the plans in the folder, `/plan open` with a name loads one.
plans = Plans in this folder, newest first. Load one with `/plan open` and a part of its name:
plans-none = This folder has no plan yet (`plan-….md`). Save one with `/plan export`.
plan-opened = Loaded the plan in { $path }. Run it with `/execute`.
plan-no-such = There is no plan or file `{ $named }`. List the plans with `/plan list`.
plan-several = Several plans match: { $names }
plan-empty = { $path } is empty.
plan-unread = Could not read the plan: { $said }
plan-carry-out = Carry out the plan now, step by step. The todo list has its steps.
init-look = Study this project and write down, in English, everything one needs to work on it:
plan-exported = The plan is saved in { $path }.
plan-not-exported = Could not save the plan: { $why }
dangerous-asked = dangerous: always asked
unknown-asked = unknown, not proven harmless: always asked
external-asked = external, acts outside this folder: asked
catastrophic-asked = catastrophic: asked because of your configuration
layer-guard = fixed safety rule
layer-default = default
layer-user = your configuration
layer-project = the folder's configuration
layer-file = --config
layer-environment = environment
layer-flag = command line
layer-agent = the agent
layer-remembered = remembered for this workspace
layer-session = this session
deny-with-this = deny with this reason
allow-from-now-on = allow from now on
enter-to-allow = then decide
allow-less = less
allow-more = more
allow-lasts = duration
choose = choose
back-to-prompt = back to the prompt
allow-kept = apply selected
allow-once = allow once
allow-confined = allow once in the sandbox
in-sandbox = in the sandbox
allow = allow
always = always…
deny = deny
deny-nothing-kept = deny: no hunk selected
deny-reason = deny with a reason
field-reason = reason
comment = comment
keep-comment = save comment
propose-this = propose this text
go-on-outside = in $EDITOR
drop-line = line
drop-file = file
keep-or-drop = select hunk
keep = select
edit = edit
why = why
field-writes = writes
field-removes = removes
field-in = in
reason = reason
field-risk = risk
risk-high = high, set by the model
field-stops = stops
field-runs = runs
field-prints = output
prints-for-the-model = sent to the model with your next prompt

## Diffs

create = create
update = update
delete = delete
lines-stay = no lines changed
empty-file = the file is empty
edited-by-you = edited by you
dropped-as-whole = A hunk you partly deselected has changed: the whole hunk is now deselected.
dropped-is-gone = A hunk you deselected no longer exists: check the remaining hunks.

## Cards next to the prompt

no-server-found = No model server was found on this computer.
setup-how = Press Enter or /setup server to search again or to enter an address.
try-demo = `benchdog demo` shows Benchdog without a model.
servers-found = Found on this computer:
no-models = no model: load one there (Ollama: `ollama pull NAME`)
server-needs-key = needs an API key
server-loading = is still loading its model
choose-model = Press Enter or /models to choose one.
setup-title = model server
setup-address = Address
setup-key = Key
setup-test = Test
setup-address-example = 127.0.0.1:8000 or https://api.example.com/v1
setup-key-optional = only if the server needs one
setup-begin = Enter the address of a server that speaks the OpenAI API.
languages = language
wizard-language = Step 1 of 3. Enter chooses, Esc skips. `ui.language` is saved.
wizard-theme = Step 2 of 3. Enter chooses, Esc skips. `ui.theme` is saved.
wizard-server = Step 3 of 3: the model server. Esc skips.
setup-ended = `{ $file }` uses `{ $model }` at { $address }. Start with `benchdog`.
setup-ended-without = No server was chosen. Choose one with `benchdog --setup`.
setup-no-address = Enter an address first.
setup-bad-address = `{ $address }` is no address. Enter one such as `127.0.0.1:8000`.
setup-needs-key = { $address } needs an API key. Enter it and press Enter.
setup-loading = { $address } is still loading its model. Wait: Benchdog asks again every second.
setup-testing = Asking { $address } …
setup-answers = { $address } works. Choose a model and press Enter.
setup-no-models = { $address } answers, but offers no model. Load one there, then test again.
setup-keys = { $up } { $down } move · { $take } test or use · { $close } close
setup-other = Another address …
rules-of-folder = rules of this folder
log-title = log
nothing-logged = Nothing logged: `logs.level` is `off`, or nothing happened yet.
nothing-asked = Nothing in this folder needs trust.
trust-list = /trust files  lists these files
endpoint-unreachable = server unreachable
endpoint-key-rejected = API key rejected
endpoint-model-missing = model missing
pull-by-command = /pull downloads it there.
service-how = The server starts only when you run /serve. It keeps running after Benchdog ends.
trust-how = Not used until you trust this folder:  /trust uses them   /distrust ignores them
trust-repository = /trust repository  trusts the { $count } files that /trust files lists, in all folders of { $top }
trust-repository-files = Files of the repository { $top }:

## Notifications

nothing-changed = This session has changed no file yet.
todo-wanted = Use `/todo add TEXT` or `/todo change NUMBER TEXT`.
only-read = The transcript is read-only, so your change was discarded.
nothing-made = This change was not made. The file is unchanged.
no-difference = The files are the same as before this session.
no-spot = No file location is named here.
nothing-differs = no differences
nothing-to-copy = Nothing to copy yet.
moving-selects = Selection on: move the cursor to select text.
moving-moves = Selection off.
nothing-selected = Nothing is selected.
toast-nothing-to-paste = Nothing copied in Benchdog yet ({ $key }: paste the clipboard image)
toast-only-once = This can only be allowed once: { $why }
no-text = Only text files can be edited.
file-goes = This change deletes the file. Deselect it or some of its lines to edit the rest.
only-whole = Part of this file is not UTF-8. After an edit, you can only accept or deselect the whole file.
no-comment-here = No line to comment on here.
not-edited-here = Editing this text here would lose data. Press E to open it in $EDITOR.
leaves-edit = Unsaved changes: press again to discard them.
press-the-key = A click cannot decide a request: press its key.
no-such-answer = There is no answer with that number.
no-file-at-hand = There is no current file.
not-in-sandbox = Not available: this request cannot run in the sandbox.
viewer-image = { $kind } image, { $width } × { $height }, { $bytes } bytes
viewer-broken-image = unreadable { $kind } image, { $bytes } bytes
viewer-no-text = not text: { $bytes } bytes
no-line = No changed line here can be selected on its own.
toast-is-earlier-prompt = Your text cannot be used here any more. { $key } finds it among earlier prompts.
toast-is-earlier-prompt-only = Your text cannot be used here any more. It is saved as an earlier prompt.
toast-undo-waits = An `/undo` already waits for your answer. { $key } opens it.
toast-undo-waits-only = An `/undo` waits for your answer.
toast-enter-first = Press { $key } to focus this request before you decide it.
chords-are-off = Alt+Y and Alt+N are turned off (`ui.alt_decides`).
review-is-empty = Waiting for the next change.
focus-prompt = PROMPT
focus-review = REVIEW
focus-question = QUESTION
focus-find = FIND
focus-filter = FILTER
focus-files = FILES
focus-chat = CHAT
focus-changes = CHANGES
focus-todo = TODO
focus-context = CONTEXT
focus-palette = PALETTE
focus-list = LIST
focus-help = HELP
focus-setup = SETUP
focus-view = VIEW
nothing-waits = nothing waits for you
ends-with-terminal = ends with this terminal
cannot-detach = This workbench ends with its terminal. Start it with `benchdog --detached`, or set `engine.detach` to `auto`.
mouse-is-on = Mouse on.
mouse-is-off = Mouse off: the terminal selects text.
toast-seat-closed = Closed: { $title }
shown-anew = The file changed on disk. The change shown now is based on the new content.
fits-not = The file changed on disk. This edit no longer applies.
fits-again = The edit applies to the file again.
toast-draft-is-back = Your draft from { $at } is restored.
toast-decided-in-order = Preview only. { $back } returns to the current request.
toast-decided-in-order-only = Preview only: this request is still queued.
last-request = There is no later request.
first-request = This is the first pending request.
allowed-unseen = Not all of the request fits on screen: enlarge the window first.
toast-reads-on = Read to the end before allowing: { $key } scrolls.
toast-reads-on-briefly = { $key } scrolls
agent-waits = A request is pending. Answer it first, or choose an agent with /agent NAME.
nothing-folded = Nothing is folded in this file.
nothing-to-unfold = There is no folded paste at the cursor.
copied-selection = selection
copied-to-clipboard = clipboard
copied-to-tmux = tmux buffer, and the system clipboard if tmux allows it
copied-to-terminal = terminal, which does not confirm it
copied-message = message
copied-text = text
copied-answer = answer
copied-path = path
copied-diff = diff
ring-waits = waits for you: { $what }
ring-ended = ended: { $what }
copied-code = code { $at } of { $of }
copied-new = new text
copied-old = old text
copied-list = list
copied-link = link
copied-counts = token counts

## Plain output

by-person = the user
by-policy = the policy
by-timeout = timeout: no answer in time
call = call
engine-gone = the engine stopped before the turn ended
go-on = continue from the saved state with `benchdog run -c`
no-sessions = There are no sessions yet.
no-deleted-sessions = There are no deleted sessions.
deleted-sessions = Deleted sessions: { $sessions }. `benchdog sessions list --deleted` lists them.
no-checkpoints = There are no checkpoints.
store-cleaned = { $root }: { $before } MB before, { $after } MB now
store-busy = { $root }: in use by another process, nothing removed
store-not-cleaned = { $root }: { $error }
entries = entries
imported = imported
deleted = deleted
session-sound = { $count ->
    [one] { $id }  intact  1 entry
   *[other] { $id }  intact  { $count } entries
    }
session-damaged = { $id }  damaged  { $sound } of { $written } entries can be read
session-unchecked = { $id }  not checked: { $why }
session-saved = { $count ->
    [one] Saved 1 entry in the new session { $id }. The damaged file is unchanged.
   *[other] Saved { $count } entries in the new session { $id }. The damaged file is unchanged.
    }
nothing-found = Nothing found.
indexing-sessions = Reading { $count } sessions for the search index.
found-sessions = search in all sessions
search-wanted = Type the words to search for: /search WORDS.
search-typing = Type words. All of them must occur in one prompt, answer or output.
search-failed = The search failed: { $why }
found-nothing = Nothing found for “{ $text }”.
found-most-words = No entry has all these words. These sessions have most of them.
exported = Exported to `{ $path }`. It contains no known secret.
exported-redacted = { $count ->
    [one] Exported to `{ $path }`. A placeholder replaces a secret in 1 place.
   *[other] Exported to `{ $path }`. Placeholders replace secrets in { $count } places.
    }
not-exported = Not exported: { $why }
export-format = `{ $format }` is not an export format. Choose jsonl, md or html.
title-wanted = Type the new title: /rename TITLE.
renamed = This session is now called “{ $title }”.
copy-opened = You are in a copy, “{ $title }”. The original session is unchanged: `/resume` lists it.
retitled = The session is now called “{ $title }”.
not-retitled = Not renamed: { $why }
new-title = new title
rename-keys = Enter renames. Esc goes back.
title-empty = A title needs at least one letter.
nothing-to-rename = This session was deleted. Restore it before you rename it.
session-removed = Deleted. Press Enter to restore it, or run `benchdog sessions restore { $id }` within a day.
session-not-removed = Not deleted: { $why }
session-restored = The session was restored.
session-not-restored = Not restored: { $why }
session-is-removed = deleted
session-is-in-use = in use
session-file = The file of this session: { $path }
no-session-file = This session has no file yet. The file is created with the first prompt.
always-saved = Nothing to save: every entry is saved immediately.
nothing-redacted = Redacted: nothing. No known secret was found.
redacted = { $count ->
    [one] Redacted: a placeholder replaces a secret in 1 place.
   *[other] Redacted: placeholders replace secrets in { $count } places.
    }
redacted-description = description
redacted-entry = entry { $id } ({ $kind })
redacted-file = file `{ $path }`
redacted-row = { $count } × { $kind }: { $place }
flaw-more = and { $count } more
flaw-missing-one = entry { $entry } is damaged
flaw-missing = entries { $from } to { $upto } are damaged
flaw-orphaned = entry { $entry } is the result of a damaged call, so it is not saved
flaw-body = the stored content of a file is damaged: { $blob }
flaw-description = the session's title, folder and model cannot be read
flaw-file = the file: { $reason }
demo-begins = This demo plays a recording instead of a model. Its proposals are fixed, but edits and commands are real.
demo-passes = The check of the sample project passes.
demo-fails = The check of the sample project still fails.

## Screen: messages with values

screen-closes = { $key } closes
screen-or = { $one } or { $other }
prompt-hint = ask, or { $key } for all commands
prompt-hint-slash = ask, or `/` for commands
prompt-paste = paste { $number }: { $size }
prompt-full = The prompt is limited to { $size } MiB. Save the text to a file and mention it with `@`.
find-hits = { $at } of { $hits }
find-next = { $key } next
find-previous = { $key } previous
find-at-least = { $count ->
    [one] { $count } line or more
   *[other] { $count } lines or more
    }
count-of = { $some } of { $all }
count-lines = { $count ->
    [one] { $count } line
   *[other] { $count } lines
    }
count-more-lines = { $count ->
    [one] … { $count } more line
   *[other] … { $count } more lines
    }
count-new-lines = { $count ->
    [one] ↓ { $shown } new line
   *[other] ↓ { $shown } new lines
    }
count-unchanged = { $count ->
    [one] { $count } line unchanged
   *[other] { $count } lines unchanged
    }
count-characters = { $count ->
    [one] { $count } character
   *[other] { $count } characters
    }
count-words = { $count ->
    [one] { $count } word
   *[other] { $count } words
    }
fold-opens = { $key } open
status-strokes = { $first } … { $following }
status-attempt = attempt { $number } in { $seconds } s
retry-row = { $reason }: retrying
status-speed = ~{ $rate } tok/s
context-kept = { $tokens } cached
context-tokens = { $used } of { $limit } tokens
model-window = { $thousands } k context
start-more = { $first } and { $count } more
trust-more = { $count ->
    [one] { $count } more file
   *[other] { $count } more files
    }
trust-skills = { $count ->
    [one] { $count } skill
   *[other] { $count } skills
    }
pull-offered = The server `{ $server }` does not have `{ $model }`.
pull-by-key = { $key } or /pull downloads it there.
pull-similar = Similar models there: `{ $names }`.
pull-begins = Downloading `{ $model }` …
pull-running = Downloading `{ $model }`: { $share } % of { $size }
pull-done = `{ $model }` is ready.
pull-failed = `{ $model }` was not downloaded: { $why }
pull-offline = `{ $model }` was not downloaded: `network.offline` is on, and the server would download it from the internet.
pull-unsupported = The API of `{ $server }` has no downloads. Load the model on the server, or use `"api": "ollama"`.
service-offered = No server is listening at { $place }. This command starts one:  { $command }
trust-brings = This folder has its own rules: { $files }.

## Requests and changes: messages with values

approval-default-rule = Default rule: `{ $key }` asks.
approval-from = Set by: { $layer }.
approval-asked = asked: { $rule }
approval-place = { $at } of { $all }
approval-place-alone = request { $at }
looked-ahead = preview only: still queued
moved-title = updated: changed on disk
fits-not-title = out of date: changed on disk
keeps-changing-title = keeps changing on disk
approval-at-file = file { $at }/{ $all }
approval-at-hunk = hunk { $at }/{ $all }
approval-hunk = hunk { $number }
command-stops-after = after { $seconds } s
command-in-background = in the background, until the session ends
command-in-background-for = in the background, for at most { $seconds } s
change-mode = mode becomes { $mode }
command-removes-files = { $path }  { $files }, { $size }
command-removes-more = { $path }  more than { $files }, { $size }
command-removes-at-most = { $path }  at most { $files }, { $size }
command-removes-unknown = { $path }  too many to count
command-removes-nothing = { $path }  no file there
command-removes-for-good = { $removed }, `/undo` cannot restore { $files }
command-removes-some-for-good = { $removed }, `/undo` cannot restore all
change-not-text = binary: { $before } bytes before, { $after } bytes after
change-renamed = rename from { $path }
change-copied = copy of { $path }

## Short notifications with values

toast-copied = Copied: { $what } ({ $to })
toast-not-copied = { $what } not copied: { $why }
no-image-far = The clipboard is on your local machine. Copy the image file to this machine and mention it with @.
no-image-tool = Cannot read the clipboard. Install wl-paste or xclip.
no-image-there = There is no image on the clipboard.
no-image-large = The image is larger than the limit of { $most } MB.
no-image-silent = The clipboard did not answer.
no-image-kept = The image could not be saved: { $why }
toast-editor = editor: { $why }
toast-cleared = Cleared. { $key } restores it.
toast-cleared-only = Cleared.
toast-once-more = Press { $key } again to quit.
toast-no-command = Unknown command `/{ $name }`. Type `/` to list all.
toast-no-command-near = Unknown command `/{ $name }`. Did you mean `/{ $meant }`?
toast-theme = theme { $name }
theme-for-now = Theme `{ $name }` stays until you quit. To keep it, write `"ui": { "{" } "theme": "{ $name }" { "}" }` into config.jsonc (`benchdog config path`).
toast-git-shell = `{ $sign }` needs a shell. Put it in quotes, or use `!git …`.
toast-git-unfinished = Not run: `{ $sign }` is not closed.
toast-git-option = Not run: with `{ $option }`, git can start other programs or leave this folder. Remove it, or use `!git`.
toast-no-theme = Unknown theme `{ $name }`. `/theme` lists all.
toast-no-theme-near = Unknown theme `{ $name }`. Did you mean `{ $near }`?
toast-takes-nothing = Not run: `/{ $name }` takes no arguments.
toast-takes-only = Not run: `/{ $name }` accepts only `{ $takes }`.
toast-no-hunk = No hunk is selected. { $key } denies the request.
toast-not-bound = { $key } is not bound

## Sandbox and environment in `doctor`

doctor-level = sandbox: `sandbox.level` is { $level }, `sandbox.network` is { $network }. This system supports:
doctor-holds = { "  " }{ $part }: works
doctor-missing = { "  " }{ $part }: missing ({ $why })
doctor-incomplete = Commands that rely on a missing part ask first, and `run` denies them. See docs/SAFETY.md to install it, or turn the sandbox off with `sandbox.level: "off"` in your own configuration.
doctor-none-withheld = environment: commands get all variables
doctor-withheld = environment: commands do not get { $names }
doctor-passed = environment: because of `sandbox.pass_env`, commands get { $names }

## Plain output: messages with values

plain-allowed = allowed by { $who }
plain-confined = allowed by { $who }, in the sandbox
plain-always = always allowed by { $who }
plain-denied = denied by { $who }
plain-denied-because = denied by { $who }: { $because }
plain-note = note: { $text }
plain-error = error: { $text }
wanted-fork = must be a session id, or an id and the number of an entry, such as `39381c97@14`
wanted-whole = must be a whole number of at least 1, such as `{ $example }`
wanted-at-most = must be at most { $most }
wanted-number = must be a number from 0 to { $most }, such as `{ $example }`
wanted-dollars = must be an amount in dollars, such as `0.50`
plain-retry = … attempt { $number } failed ({ $reason }). Trying again in { $seconds } s
plain-unwritable = Turn ended: standard output cannot be written ({ $error }).
plain-passed = check passed: { $command }  { $summary }
plain-failed = check failed: { $command }  { $summary }
demo-again = To see it again: benchdog -C { $folder } -c
leave-comes-back = Continue with: { $command }
plain-todo = todo { $done }/{ $all }
plain-steps = { $count ->
    [one] { $outcome }, { $count } step
   *[other] { $outcome }, { $count } steps
    }

## Line mode (`--linear`)

linear-begins = Benchdog in line mode. Model { $model }, folder { $folder }.
linear-begins-without-model = Benchdog in line mode, folder { $folder }. No model is chosen yet.
linear-helps = Type /help for help.
linear-help = Type a prompt and press Enter. The answer appears as text. Prompts sent during a turn are queued. A line with only """ starts a prompt of several lines, and the next such line ends it. !command runs a command, and asks first unless it only reads.
    Answer a question with a whole word: yes, no (a reason may follow), or always and its number. 是 不 总是, はい いいえ 常に and 예 아니요 항상 work too. No answer means no.
    Ctrl+C stops the turn, and pressed twice it quits. Ctrl+D on an empty line quits.
linear-no-model = Before you start Benchdog, set `BENCHDOG_BASE_URL` (and `BENCHDOG_MODEL` if the server has several), or add a provider to the file that `benchdog config path` prints. docs/servers.md has an example for each server.
linear-help-row = Show this help
linear-new-row = Replace this session with a new one
linear-plan-row = Show the plan, or start plan mode. on, off: switch plan mode
linear-needs-screen = /{ $command } needs the full screen. Start Benchdog without `--linear`, in a terminal that can move the cursor.
linear-always = always { $number }: { $rules }, { $lasts }
linear-in-session = until this session ends
linear-in-child = for this agent only, until it ends
linear-in-project = in every session of this workspace
linear-allow = Allow it? Type yes or no. A reason may follow no.
linear-allow-or-always = Allow it? Type yes, no (a reason may follow), or always and its number.
linear-go-on = Type yes to continue, or no to end the turn.
linear-choose = Type one number, or an answer in your own words.
linear-choose-some = Type the numbers of your choices, or an answer in your own words.
linear-number-only = Type one number.
linear-numbers-only = Type the numbers of your choices.
linear-in-own-words = Type your answer.
linear-empty-leaves-out = Press Enter to skip it.
linear-empty-gives = Press Enter to answer `{ $answer }`.
linear-leaves-out = Type `{ $line }` to skip it.
linear-fetching = Waiting for the server `{ $server }`, at most { $seconds } s. Ctrl+C cancels without sending anything.
linear-confined = Or type sandbox to run it once, in the sandbox.
linear-answer = your answer:
linear-undecided = Answer not recognised.
linear-early = Ignored: this was typed before the question appeared.
linear-nobody = Denied: nobody can answer, because standard input is not a terminal.
linear-unanswered = Denied: there was no answer.
linear-whole = You can only allow or deny the whole change here. Use the full screen to select single hunks.
linear-writing = Type as many lines as you like. A line with only """ ends the prompt.
linear-waits = A request is pending. End the prompt with """ to see it.
linear-dropped = Prompt discarded.
linear-reads-on = { $count ->
    [one] { $count } more line. Type "more" to continue.
   *[other] { $count } more lines. Type "more" to continue.
    }
linear-goes-on = … output continues, its last { $lines } lines appear when the command ends
linear-waits-its-turn = queued: { $text }
linear-not-sent = not sent: { $text }

## Lines of input of a run

input-too-long = Line { $line } of the input is longer than { $mib } MiB.
input-invalid = Line { $line } of the input is not a message: { $why }
input-no-text = Line { $line } of the input is a prompt without text.
input-full = Line { $line } of the input was not queued: too many prompts are waiting.
input-not-asked = Line { $line } of the input answers a request, but `--approve` decides all requests of this run.
input-no-request = Line { $line } of the input answers the request `{ $request }`, which is not pending.
input-not-offered = Line { $line } of the input: the request `{ $request }` does not offer this answer.
input-not-answered = Line { $line } of the input: the answers do not fit the questions of the request `{ $request }`.
input-schema = `benchdog schema input` describes the messages.
input-wait = Send the next prompt after `turn_finished`.
input-ask = Start the run with `--approve ask` to answer requests.
input-newest = Use `request` of the last `approval_requested` of the call.
input-proposal = Choose from `proposal` of the request.

## Errors of the command line

trouble-no-effect = `{ $flag }` has no effect here.
trouble-no-effect-hint = Remove the flag. Only the workbench and `benchdog run` use it.
trouble-no-tasks = There are no tasks in `{ $folder }`.
trouble-no-tasks-hint = Name a folder of tasks, or one task. A task is a folder with `task.toml` and `instruction.md`. `--task` selects tasks by name.
trouble-no-results = There are no results in `{ $folder }`.
trouble-no-results-hint = `benchdog bench run TASKS` writes results to `bench-results`, or to the folder of `--results`.
trouble-misspelt = Unknown command `{ $word }`: did you mean `{ $meant }`? A prompt needs more than one word: benchdog "explain { $word }"
trouble-no-agent = There is no agent `{ $name }`.
trouble-no-agent-but = Did you mean `-a { $nearest }`? Available: { $known }.
trouble-no-agent-hint = Available: { $known }.
trouble-subagent = `{ $name }` is a subagent: only other agents can use it.
trouble-inner-agent = `{ $name }` is used only inside Benchdog.
trouble-no-tool = `--tools`: { $told }.
trouble-no-tool-hint = `benchdog docs tools` lists all tools.
trouble-no-prompt = No prompt was given.
trouble-no-prompt-hint = Pass it as an argument or on standard input: `benchdog run "why does the test fail?"`.
trouble-input-too-long = Standard input is longer than { $mib } MiB.
trouble-input-too-long-hint = Save it in a file of the workspace and mention the file in the prompt.
trouble-no-one-to-ask = `--approve ask` needs a terminal for its questions.
trouble-no-one-to-ask-hint = Use `--approve never`, `edits` or `all`, or let a program answer: `--input stream-json`.
trouble-input-output = `--input stream-json` needs `--output stream-json`.
trouble-input-output-hint = Add `--output stream-json`. Answers refer to the requests in that output.
trouble-stopped = Stopped before the run started.
trouble-out-of-time = The time limit of `--timeout` passed before the run started.
trouble-not-begun-hint = Nothing was sent. A run first waits until standard input is closed (`< /dev/null` closes it). Without a configured model, it also waits until the server lists its models.
trouble-no-session-id = Without the full screen, `-r` needs the id of a session.
trouble-no-session = There is no earlier session of `{ $folder }`.
trouble-key-missing = Nothing was sent: the provider `{ $name }` needs a key. None of its variables is set: `{ $variables }`.
trouble-key-missing-hint = Set one of them, or store a key with `benchdog auth set { $name }`.
trouble-no-model = No model is configured.
trouble-no-model-hint =
    For this run:   BENCHDOG_BASE_URL=http://127.0.0.1:8000/v1 BENCHDOG_MODEL=name benchdog
      permanently:  add a provider to the file that `benchdog config path` prints
      no model yet: benchdog demo
trouble-no-home = No home folder was found.
trouble-no-home-hint = Set `HOME` or `BENCHDOG_HOME`.
trouble-no-folder = The folder `{ $folder }` cannot be opened: { $error }
trouble-no-folder-hint = Choose an existing folder with `-C`.
trouble-no-terminal = The workbench needs a terminal.
trouble-no-terminal-hint = Start it in a terminal, or use `benchdog run` (one turn, no screen) or `--linear` (line by line).
trouble-setup-needs-terminal = `--setup` asks for a server and a model, so it needs a terminal that can move the cursor.
trouble-setup-needs-terminal-hint = Or set `base_url` of a provider, and `model` (`PROVIDER/MODEL`), in `{ $file }`. docs/servers.md has an example for each server.
trouble-not-running = No running workbench has the session `{ $id }`.
trouble-not-running-hint = `benchdog agents` lists the running workbenches. `benchdog -r { $id }` opens a session that is on disk.
trouble-none-running = No detached workbench is running.
trouble-none-running-hint = Start one with `benchdog --detached`. `benchdog -c` continues the last session.
trouble-ended-idle = The workbench of the session `{ $id }` ended after { $minutes } min without work. The session is saved.
trouble-ended-idle-hint = `benchdog -r { $id }` opens it. `engine.idle_minutes` sets this time.
trouble-several-running = `{ $id }` matches several sessions.
trouble-several-running-hint = Type more of the id. `benchdog agents` lists the running sessions.
trouble-not-detached = That workbench ends with its own terminal (process { $pid }), so it cannot be reached.
trouble-not-detached-hint = Start workbenches with `benchdog --detached`, or set `engine.detach` to `auto`.
trouble-attach-failed = The workbench cannot be reached: { $error }
trouble-attach-failed-hint = `benchdog agents` lists the running workbenches. `benchdog --detached` starts another one.
trouble-live-folder = The folder for the sockets of workbenches cannot be used: { $error }
trouble-live-folder-hint = Set `XDG_RUNTIME_DIR` or `BENCHDOG_HOME` to a folder with a short path that only you can enter.
trouble-host-failed = The detached workbench cannot start: { $error }
trouble-waited-long = Timed out after { $seconds } seconds: a session is still working.
detached-left = Detached. The work goes on. Come back with: { $command }
detached-left-for = Detached. The work goes on. Without work, it ends after { $minutes } min. Come back with: { $command }
detached-taken-over = Another terminal attached to this workbench. Come back with: { $command }
detached-vanished = The workbench ended unexpectedly. Continue its session with `benchdog -c`.
agents-none = No workbench is running.
agents-new-session = (new session)
agents-in-terminal = in a terminal
agents-waiting = waiting for you
agents-working = working
agents-ended = turn ended
agents-idle = idle
agents-stopped = The turn of `{ $id }` was stopped.
agents-nothing-to-stop = No turn was running in `{ $id }`.
trouble-no-command-tool = There is no tool that runs commands.
trouble-demo = The sample project cannot be created in `{ $folder }`: { $error }
trouble-demo-hint = Free disk space there, or set `BENCHDOG_HOME` to a writable folder.
trouble-no-price = `--max-cost` and `limits.cost` have no effect: no price is configured for the model.
trouble-no-price-hint = Set `price.input` and `price.output` of the model, in dollars per million tokens.
trouble-no-provider = No provider `{ $name }` is configured.
trouble-no-provider-hint = Configured: { $known }.
trouble-no-server = No key can be stored for `{ $address }`: it is not a server address.
trouble-no-key = This is not a valid key: it is empty or contains blanks.
trouble-no-key-hint = Type it, or pass it as one line: `benchdog auth set PROVIDER < FILE`.
trouble-no-stored-key = No key is stored for `{ $name }`.
trouble-no-stored-key-hint = `benchdog auth list` shows all stored keys.
trouble-not-written = `{ $file }` cannot be written: { $error }
trouble-not-written-hint = The file is unchanged. Free disk space or make it writable, then try again.
trouble-file-exists = `{ $file }` already exists. Nothing was written.
trouble-file-exists-hint = Choose another name, or remove the file first.
trouble-not-created = `{ $file }` cannot be created: { $error }
trouble-not-created-hint = Choose a folder that exists and that you may write to.
trouble-search-index-hint = Check the folder `search` of the cache. It can be deleted: the next search builds it again.
trouble-import-hint = Nothing was imported. `benchdog sessions import` reads JSON Lines of `sessions export`, and logs of codex, claude-code, vibe, aider and `opencode export`.
auth-wanted = Key of { $provider }:{" "}
auth-set = The key is stored for { $provider }, and only for the server { $server }. It is used when no environment variable holds a key.
auth-removed = The key of { $provider } was deleted.
auth-row = { $provider }  { $server }  { $from }
auth-variable = key in { $name }
auth-stored = stored key
auth-nowhere = no key
auth-unused = stored but unused: no configured provider uses this server
trouble-file = `{ $file }` cannot be read: { $error }
trouble-input = Standard input cannot be read: { $error }
trouble-output = Standard output cannot be written: { $error }
trouble-output-hint = Free disk space at the destination, or raise the file size limit (`ulimit -f`).
trouble-signals = Signals cannot be handled: { $error }
trouble-threads = Threads cannot be started: { $error }
trouble-key-of-a-project = a project cannot set `{ $key }`, because it would change which keys answer requests: remove it here and set it in your own configuration
hint-check = Run `benchdog config check` for details.
hint-replay = Pass a file that `--record` wrote.
hint-record = Pass a writable file on a disk with free space.

## Results beside a finished tool call

summary-empty = empty
summary-no-match = no match
summary-unchanged = unchanged
summary-nothing-kept = nothing accepted
summary-no-answer = no answer
summary-plan-accepted = plan accepted
summary-plan-left = plan left
summary-denied = denied
nobody-answered = nobody answered in time
summary-not-run = not run
summary-interrupted = interrupted
summary-out-of-time = out of time
summary-not-saved = not saved
summary-result-unknown = result unknown
failed-ambiguous = several matches
failed-bad-arguments = invalid arguments
failed-bad-decision = decision does not fit the proposal
failed-bad-path = invalid path
failed-binary = binary file
failed-cancelled = cancelled
failed-both-changed = changed on both sides
failed-conflict = conflict
failed-damaged = damaged file
failed-encrypted = encrypted file
failed-encoding = encoding error
failed-exists = already exists
failed-failed = failed
failed-hunk-failed = hunk does not apply
failed-image = image not shown
failed-internal = internal error
failed-invalid-patch = invalid patch
failed-io = input/output error
failed-no-access = no access
failed-no-change = no change
failed-no-children = cannot start agents
failed-no-match = no match
failed-no-room = no disk space
failed-not-a-file = not a file
failed-not-a-folder = not a folder
failed-not-answered = not answered
failed-not-confined = no sandbox
failed-not-found = not found
failed-not-read = not read
failed-not-started = not started
failed-outside-workspace = outside workspace
failed-past-the-end = past the end of the file
failed-read-only = read only
failed-redacted-text = contains redacted text
failed-symlink-changed = symlink changed
failed-symlink-escape = link leaves the workspace
failed-symlink-loop = symlink loop
failed-too-large = too large
failed-too-long = too long
failed-too-many-jobs = too many jobs
failed-unknown-item = unknown item
failed-unknown-job = unknown job
failed-unknown-tool = unknown tool
failed-unproven = claims not confirmed
failed-budget-over = budget reached
failed-denied = denied
failed-loop = stopped in a loop
failed-steps-over = request limit reached
failed-time-over = time limit reached
failed-window-over = context window full
failed-unreadable-call = invalid call
told-ambiguous = Nothing was changed: the text to replace occurs more than once.
told-bad-arguments = Nothing was done: the model called this tool with invalid arguments.
told-conflict = Nothing was changed: the file on disk is not the version this change was made for.
told-damaged = Nothing was read: the file is damaged or incomplete.
told-encrypted = Nothing was read: the PDF document needs a password. Save a copy without one.
told-exists = Nothing was written: a file with this name already exists.
told-hunk-failed = Nothing was changed: a hunk does not match the current file.
told-invalid-patch = Nothing was changed: the model's patch cannot be parsed.
told-no-change = Nothing was changed: the new text equals the old text.
told-no-match = Nothing was changed: the text to replace is not in the file.
told-outside-workspace = Nothing was done: the path is outside the session's folder.
told-unknown-item = The model referred to an item that is not in the todo list.
told-unknown-tool = Nothing was done: this session has no such tool.
told-unproven = The answer was rejected: the places that the model cites do not support it.
told-budget-over = This run has reached its token or cost limit. The agent's work so far is kept.
told-denied = The agent was stopped because its calls were denied repeatedly. Its work so far is kept.
told-loop = The agent was stopped because it was caught in a loop. Its work so far is kept.
told-steps-over = The agent reached its request limit before it finished. Its work so far is kept.
told-time-over = The agent timed out before it finished. Its work so far is kept.
told-window-over = The agent's context window is full. Give it a smaller task.
told-unreadable-call = Nothing was done: the model's call cannot be parsed.
summary-images = { $count ->
    [one] { $number } image
   *[other] { $number } images
    }
summary-with-images = { $summary }, { $images }
summary-unseen = { $images } not sent: no image support
summary-lines = { $count ->
    [one] { $number } line
   *[other] { $number } lines
    }
summary-steps = { $count ->
    [one] { $number } step
   *[other] { $number } steps
    }
summary-findings = { $count ->
    [one] { $number } finding
   *[other] { $number } findings
    }
summary-entries = { $count ->
    [one] { $number } entry
   *[other] { $number } entries
    }
summary-pages = { $count ->
    [one] { $number } page
   *[other] { $number } pages
    }
summary-files = { $count ->
    [one] { $number } file
   *[other] { $number } files
    }
summary-matches = { $count ->
    [one] { $number } match
   *[other] { $number } matches
    }
summary-places = { $count ->
    [one] { $number } place
   *[other] { $number } places
    }
summary-answers = { $count ->
    [one] { $number } answer
   *[other] { $number } answers
    }
summary-some = { $shown } of { $all }
summary-matches-in = { $matches } in { $files }
summary-first-matches = { $matches }+ matches in { $files }
summary-changed = { $what } +{ $added } -{ $removed }
summary-files-kept = { $kept } of { $all } files
summary-kept = { $done }, { $kept } of { $all } hunks
summary-edited = { $done }, edited by you
summary-confined = { $done }, in the sandbox
summary-todo = { $done } of { $all } done
summary-exit = exit { $code } { $took }
summary-signal = { $signal } { $took }
summary-timeout = timeout { $took }
summary-background = in the background as { $job }
summary-runs = { $job } runs
summary-stopped = stopped { $took }
summary-unknown = unknown { $took }
summary-took = { $summary } { $took }
file-created = created
file-updated = updated
file-deleted = deleted
file-renamed = renamed
file-copied = copied

## Background jobs and loops
jobs-title = background jobs
no-jobs = No jobs run in the background.
nothing-written = No output yet.
jobs-running = { $count ->
    [one] 1 job
   *[other] { $count } jobs
    }
job-runs = running { $took }
job-ends = Press { $key } again to end { $job } and its processes
job-wanted = Usage: `/jobs end ID`, with an ID such as bg_1.
job-none = There is no job { $job }. `/jobs` lists all jobs.
job-over = { $job } has already ended.
jobs-keys = { $end } end · { $copy } copy
copied-output = output
loops = running loops
no-loops = No loops are set. `/loop INTERVAL PROMPT` starts one.
loops-keys = Enter stop
loops-going = { $count ->
    [one] 1 loop
   *[other] { $count } loops
    }
loops-stopped = { $count ->
    [one] 1 loop was stopped
   *[other] { $count } loops were stopped
    }
loops-ended = The loops ended with their session.
loops-full = There can be at most 50 loops. Stop one first.
loop-wanted = Usage: `/loop INTERVAL PROMPT` with an interval from 30s to 24h, or `/loop stop N`.
loop-of-command = A loop can only send a prompt, not a command.
loop-begun = loop { $number }: every { $every }, until this session ends
loop-stopped = loop { $number } was stopped
loop-failed = loop { $number } was stopped: its turn failed
loop-unknown = There is no loop { $number }.
loop-skipped = Loop skipped this time: the session is busy.
loop-stands = every { $every }, next in { $next }
loop-skipped-times = { $stands }, skipped { $times }×

## Several sessions

seat-is-waiting = waiting
seat-is-working = working
seat-has-ended = done
seat-is-idle = idle
seats-wait = { $count ->
    [one] 1 waiting
   *[other] { $count } waiting
    }
seats-work = { $count ->
    [one] 1 working
   *[other] { $count } working
    }
seats-ended = { $count } done
switchboard-keys = Enter open · { $new } new · { $rename } rename · { $close } close or delete
seats-only-one = There is only one session. { $key } opens another.
seats-last = The only session cannot be closed. { $key } quits.
seats-waits-elsewhere = waiting for you: { $title } · { $key } open
closing-seat = close this session?
seat-not-open = This session is not open, so it cannot be closed.
closing-of = { $title }: { $runs }
seat-stays = Keep it open
seat-stops = Stop everything in it and close it
leaving = quit?
stays = Do not quit
leaves = Stop it and quit
leaving-turns = { $count ->
    [one] A turn is running.
   *[other] { $count } turns are running.
    }
leaving-jobs = { $count ->
    [one] A job is running in the background.
   *[other] { $count } jobs are running in the background.
    }
age-now = now
age-minutes = { $number } min
age-hours = { $number } h
age-days = { $number } d

notice-worktree-made = Working in worktree `{ $worktree }` (branch `{ $branch }`).
worktree-uncommitted = { $count ->
    [one] Not copied: 1 changed file of the main worktree.
   *[other] Not copied: { $count } changed files of the main worktree.
    }
worktree-copied = { $count ->
    [one] Copied 1 ignored file listed in `.worktreeinclude`.
   *[other] Copied { $count } ignored files listed in `.worktreeinclude`.
    }
worktree-omitted = { $count ->
    [one] Not copied: 1 file listed in `.worktreeinclude` (a link, unreadable, or over the limit of 10,000 files or 1 GB).
   *[other] Not copied: { $count } files listed in `.worktreeinclude` (links, unreadable, or over the limit of 10,000 files or 1 GB).
    }
worktree-ignored = Not copied (git-ignored): { $names }.
worktree-ignored-more = Not copied (git-ignored): { $names } and { $more } more.
notice-worktree-removed = The worktree `{ $worktree }` and its branch were removed.
notice-worktree-changed = The worktree `{ $worktree }` was not removed, because it has changed since it was listed. List it again (/worktree list).
worktree-no-git = `git` was not found. Worktrees need it.
worktree-no-repository = This folder is not in a git repository. Worktrees need one.
worktree-bare = This repository is bare: it has no files to work on. Start in a clone of it.
worktree-unborn = This repository has no commits yet. A worktree needs a commit to start from.
worktree-bad-name = `{ $name }` is not a valid name for a worktree.
worktree-taken = A folder for `{ $name }` or the branch `{ $branch }` already exists. Choose another name.
worktree-filters = This repository runs programs when files are written ({ $names }). Trust the folder first (`--trust` or /trust), or remove these programs from its git configuration.
worktree-unknown = There is no worktree `{ $name }`. /worktree list shows all.
worktree-in-use = A session is working in the worktree `{ $name }`. Close it first.
worktree-slow = git was stopped because it took longer than { $seconds } s.
worktree-too-long = The output of git is longer than 64 MB. Compare fewer files, or merge the branch with git.
worktree-failed = git could not create the worktree: { $said }
worktree-changed = { $count ->
    [one] 1 changed file
   *[other] { $count } changed files
    }
worktree-ahead = { $count ->
    [one] 1 commit
   *[other] { $count } commits
    }
worktree-spent = no changes of its own
worktree-keys = Enter open · { $remove } remove
worktree-lost = Removing `{ $worktree }` also deletes: { $what }
worktrees = worktrees
removing-worktree = remove this worktree?
worktree-stays = Keep it
worktree-goes = Remove it with these changes
no-worktrees = There are no worktrees. /worktree NAME creates one.
notice-nothing-to-merge = `{ $branch }` has no changes to merge.
notice-merged-here = Merging { $branch } into { $folder }. Review the changes below.
notice-not-merged = Not merged, because these files are not text: { $files }.
merge-before = before
merge-here = here
merge-there = there
merge-no-lines = (no such lines)
merge-both-changed = { $place } was changed on both sides and stays as it is here:
merge-left-out = changed on both sides, not merged: line { $lines }
undo-busy = A turn is running. Undo its changes when it has ended.
undo-nothing = This session has no more changes to undo.
undo-nothing-of = This session has no more changes to `{ $path }` to undo.
undo-no = Nothing was undone: { $why }. `/undo PATH` undoes the last change to another file.
undo-without = Not included in the undo: { $why }.
undo-older = The last change is not undone: { $why }. Review the undo of an older change below.
undo-during-command = A command ran during these changes, so they may include your own edits. To keep an edit, deselect its hunk.
undo-earlier-session = Later changes belong to the earlier session “{ $title }” ({ $id }). Open it with `/resume`, then enter `/undo` or `/redo`.
undo-rewind-unfinished = A rewind was interrupted before the conversation was rewound. To finish it, choose the prompt in `/rewind`, then “Conversation only”.
files-changed = { $files ->
    [one] 1 file changed
   *[other] { $files } files changed
}
undo-head-moved = Git's HEAD has moved since this change: { $moved }. Check the files in the review.
git-branch-was = branch was { $was }, is { $is }
git-commit-was = commit was { $was }, is { $is }
git-commits-since = commits since: { $commits }
folder-files = { $files ->
    [one] One file changed in this folder since the session stopped: { $names }.
   *[other] { $files } files changed in this folder since the session stopped: { $names }.
}
folder-names-more = { $names } and { $more } more
folder-git = Git's HEAD has moved since the session stopped: { $moved }.
undo-not-covered = `/undo` cannot restore everything: { $why }.
undo-checkpoint-slow = `/undo` does not cover this command: the first checkpoint of the folder takes longer than { $seconds } s.
undo-checkpoint-failed = `/undo` does not cover this command: { $error }
undo-finished = { $files ->
    [one] An interrupted undo was finished: one file was restored.
   *[other] An interrupted undo was finished: { $files } files were restored.
}
undo-not-finished = An interrupted undo could not be finished: { $error }
undo-more = { $more } more
undo-changed = the same lines of `{ $path }` have changed since
undo-grown = `{ $path }` has changed since it was created
undo-gone = `{ $path }` no longer exists
undo-there = `{ $path }` exists again
undo-not-kept = the old content of `{ $path }` was not saved
undo-holds-key = `{ $path }` contains a secret key, so its content was not saved
undo-by-job = `{ $path }` changed while { $job } ran (`/undo { $path }` restores it)
undo-mode-alone = only the file mode of `{ $path }` changed, and /undo does not restore it
undo-mode-alone-from = only the file mode of `{ $path }` changed: `chmod { $mode }` restores it
undo-unreadable = `{ $path }` cannot be read: { $error }
undo-left-out = changed since, not undone: line { $lines }
undo-overlaps = replaces your later change of line { $lines }. To keep it, deselect its hunk or deny; `/undo` again then goes further back
cell-inserted = a new cell; the others stay as they are
cell-replaced = one cell; the others stay as they are
cell-outputs-cleared = one cell; its outputs are cleared
cell-deleted = deletes one cell
undo-mode-not-kept = the old file mode was not saved: only you can read and write it
rewind-title = go back to
no-rewind-points = No prompt to go back to.
rewind-keys = Enter choose · newest first
rewind-both = Files and conversation
rewind-conversation = Conversation only
rewind-files = Files only
rewind-stays = The files are shown for review first. The old session stays in the list.
rewind-stopped = The files were not restored, so the conversation was not rewound either.
toast-rewind = Press { $key } again to go back to an earlier prompt.
rewind-changed = { $files ->
    [one] 1 file  { $lines }
   *[other] { $files } files  { $lines }
}
changed-on-disk = based on the newer version of the file on disk
keeps-changing = the file keeps changing on disk: this change was made for an earlier version
fits-not-now = no longer applies: the file changed on disk
kept-mark = byte order mark kept
kept-crlf = line endings kept as CRLF
forgave-encoding-kept = encoding kept as { $name }
was-not-utf8 = converted to UTF-8
was-binary = was binary, becomes text
without-line-numbers = pasted line numbers removed
matched-at-ends = matched, ignoring whitespace at line ends
matched-indented = matched with adjusted indentation
matched-by-space = matched, ignoring whitespace
matched-normal-form = matched, ignoring the Unicode normal form (NFC or NFD), which stays as in the file
forgave-in-edit = edit { $at } of { $of }: { $what }
forgave-in-hunk = hunk { $at } of { $of }: { $what }
forgave-further-down = { $count ->
    [one] applied { $count } line further down than stated
   *[other] applied { $count } lines further down than stated
    }
forgave-further-up = { $count ->
    [one] applied { $count } line further up than stated
   *[other] applied { $count } lines further up than stated
    }
forgave-fuzz = { $count ->
    [one] applied although { $count } line of context differs
   *[other] applied although { $count } lines of context differ
    }
worktree-not-in-one = This session is not in a worktree. Use /merge NAME (/worktree list shows the names).

## Comparison with git commits

comparison-no-repository = This folder is not in a git repository. `/diff session` shows the changes of this session.
comparison-no-such = `{ $named }` is neither a path here nor a git commit or range.
diff-of-session = before this session → now
working-tree = working tree
comparison-slow = git did not answer in time.
comparison-git = git: { $said }
comparison-more = { $count ->
    [one] 1 more file differs and is not listed
   *[other] { $count } more files differ and are not listed
    }
differs-too-large = not read: too large ({ $bytes } bytes)
differs-enough = not read: the files before it already reach the limit
differs-link = symbolic link: the lines show its target
differs-submodule = submodule: the lines show its commits
differs-unread = not read: { $why }
findings-none = The review found no problems.
severity-error = error
severity-warning = warning
severity-note = note

## A commit

commit-reads = Reading the staged changes and asking the model for a message …
commit-failed = Nothing was committed. The message is back in the prompt.
commit-how = The message is in the prompt. Edit it and press Enter to commit, or empty the prompt to cancel.
commit-stale = Nothing was committed: the staged changes are no longer the ones you saw. They are now:
commit-cut = The model read only the beginning of the changes.
commit-no-message = No message was proposed ({ $why }). Write it after `/commit`.
commit-too-slow = no answer in time
commit-no-answer = no usable answer
commit-secret = Staged files that may contain secrets: { $paths }. The model did not read them.
commit-kept = The prompt is not empty. The next `/commit` inserts this message: { $message }
commit-no-repository = This folder is not in a git repository.
commit-nothing-staged = Nothing is staged.
commit-changed = Changed: { $paths }
commit-new = New: { $paths }
commit-new-secret = New, but not staged because they may contain secrets: { $paths }
commit-new-many = { $count ->
    [one] 1 new file is left out. `/git add` stages it.
   *[other] { $count } new files are left out. `/git add` stages them.
    }
commit-all = `/commit all` stages the changed files and the new files listed here.
commit-twice = The message still contains `/commit`. Remove that word.
commit-nearly-all = Did you mean `/commit all`? To commit with the message `{ $word }`, write more than one word.
commit-clean = There is nothing to commit.
commit-conflict = Resolve these conflicts first: { $paths }

## MCP servers
notice-servers-awaited = Waiting for MCP tools of { $servers } (at most 2 s).
notice-servers-declared = MCP tools in each request: { $servers }.
notice-servers-on-demand = MCP tools that the model finds on demand: { $servers }.
notice-server-names-taken = Not loaded, because another tool has the same name: { $tools }.
notice-server-dead = The MCP server `{ $server }` is unavailable: { $trouble }.
notice-language-not-started = The language server `{ $server }` did not start: { $why }. Fix `lsp` in the configuration, then run /reload.
notice-language-untrusted = The language server `{ $server }` did not start: { $why }. Trust the folder (`/trust`, or `--trust` at the start) or set `sandbox.level` to `auto`, then run /reload.
notice-language-no-sandbox = The language server `{ $server }` did not start: { $why }. With `sandbox.level` set to `off`, it runs without a sandbox in folders that you trust.
notice-language-crashed = The language server `{ $server }` crashed { $times } times and is no longer used: { $why }.
notice-language-unhealthy = The language server `{ $server }` may miss errors. It reports: { $why }
notice-server-signed-out = The MCP server `{ $server }` needs you to sign in: { $trouble }.
notice-form-told = Your answers were sent to the MCP server `{ $server }`.
notice-form-declined = You declined the question of the MCP server `{ $server }`. Nothing was sent.
notice-form-unclear = The MCP server `{ $server }` asked a question while several of its calls were running. Nothing was sent, because Benchdog cannot tell which call asked.
notice-form-withdrawn = The MCP server `{ $server }` withdrew its question, or its call ended. Nothing was sent.
form-unsent = Your answers to `{ $server }` were not sent: { $written }
notice-form-secret = The MCP server `{ $server }` asked for a secret (`{ $word }`), so nothing was sent. Put it into the server's configuration, or use /mcp login { $server }.
notice-form-secret-field = The MCP server `{ $server }` asked for a secret (`{ $word }`, in its field `{ $field }`), so nothing was sent. Put it into the server's configuration, or use /mcp login { $server }.
notice-form-address = The MCP server `{ $server }` asked to open an address, which Benchdog does not do. Do this step on the server's website, then send the prompt again.
notice-form-odd = The MCP server `{ $server }` sent a form that Benchdog cannot show (only simple fields, at most 24). Put the information it needs into your prompt.
notice-form-many = The MCP server `{ $server }` asked too many questions in one call. Its further questions in this call get no answer.
notice-form-off = The MCP server `{ $server }` is switched off, so its question got no answer.
server-tool-count = { $count ->
        [one] 1 tool
       *[other] { $count } tools
    } from `{ $server }` (~{ $tokens } tokens)
server-not-found = the program `{ $program }` was not found
server-no-folder = the server's folder `{ $folder }` does not exist: create it, or fix `cwd`
server-not-started = the server cannot be started: { $words }
server-untrusted = the sandbox is off, and this folder is not trusted
server-no-sandbox = this system cannot confine the server: { $words }
server-changed = `{ $file }` has changed since you trusted it: `/reload` asks for trust again
server-unpinned = the server was not started, because `{ $file }` cannot be compared with the trusted version: { $error }
server-floods = the server was stopped, because it sent more than { $most } requests in one second or at once
server-ended = the server has ended
server-ended-code = the server ended with exit code { $code }
server-ended-signal = the server was ended by signal { $signal }
server-lacks = the environment variable `{ $variable }` is not set
server-other-revision = the server supports no protocol version that Benchdog supports
server-unreadable = the server's answer cannot be parsed
server-said = { $what } (last output: { $said })
server-garbage = the server's output is not a valid message: { $line }
server-no-answer = the server did not answer within { $seconds } s
server-too-long = the server sent a message of more than { $most }
server-refused = the server refused: { $words }
server-unexpected = the server sent an unexpected answer
server-requests = the server requests { $what }, which is not supported
server-switched-off = the server is switched off
server-http = { $words }
server-status = the server answered HTTP { $status }
server-status-words = the server answered HTTP { $status }: { $words }
server-redirects = the server redirects to `{ $to }`, which Benchdog does not follow: configure that address if you trust it
server-wants-sign-in = the server needs a sign-in: `benchdog mcp login { $server }`, or /mcp login { $server }
server-wants-token = the server needs a token: store one with `benchdog mcp login { $server }`, or set `mcp.{ $server }.token_env` to the name of the token's environment variable
server-no-token = the variable `{ $variable }` in `mcp.{ $server }.token_env` is not set: set it, or store a token with `benchdog mcp login { $server }`
server-gets-no-token = the server requires authentication, but `mcp.{ $server }.auth` is `none`
server-refuses-token = the server rejects the token of `mcp.{ $server }`
server-sign-in-over = the sign-in has expired or was revoked: `benchdog mcp login { $server }`, or /mcp login { $server }
server-not-taken = the server rejects a token that was just issued for it: the sign-in belongs to another server
server-narrow = the sign-in lacks the scope `{ $scope }`. /mcp login { $server } requests it once. To request it every time, add it to `mcp.{ $server }.scopes`
server-alone = no token was issued: { $told }
server-narrow-alone = the requested scopes are not enough: add `{ $scope }` to `mcp.{ $server }.scopes`
server-tokens-file = the token file cannot be used: { $words }
server-not-renewed = the token could not be renewed: { $words } (sign in again if this continues)
notice-no-server = There is no MCP server `{ $server }`. /mcp shows all servers.
notice-no-server-tool = No MCP server offers `{ $tool }`. /mcp tools lists all tools.
notice-server-missing = The MCP server `{ $server }` does not offer these configured tools: { $tools }. /mcp tools lists its tools.
sheet-servers = MCP servers
server-tools = MCP tools
server-tools-keys = ● on · Enter toggle for this session
no-server-tools = No MCP server has listed a tool yet. /mcp shows their state.
server-tool-off = off
no-servers = No MCP server is configured. `benchdog mcp add NAME -- PROGRAM ARGUMENT…` adds one.
server-order-wanted = /mcp tools: list the tools, /mcp restart NAME: restart a server, /mcp off NAME: turn a server or tool off in this session, /mcp on NAME: turn it on again, /mcp login NAME: sign in, /mcp logout NAME: sign out
server-waiting = not started
server-starting = starting
server-ready = ready
server-dead = unavailable
server-signed-out = not signed in
server-off = off
server-row-tools = { $count ->
        [one] 1 tool
       *[other] { $count } tools
    }, ~{ $tokens } tokens
server-row-sent = { $tools }, in each request
server-row-on-demand = { $tools }, found by the model on demand
server-row-names = Tools: { $tools }.
server-row-off = Off: { $tools }.
server-row-missing = Configured but not offered: { $tools }.
server-names-more = { $names } and { $count } more
server-row-restarts = { $count ->
        [one] Restarted once.
       *[other] Restarted { $count } times.
    }
server-row-restart = /mcp restart { $server } restarts it.
server-row-asked = The server requested { $what }, which Benchdog does not support.
server-row-left-out = Not loaded: { $tools }.
server-row-prompts = Prompts: { $prompts }.
server-row-prompts-more = Prompts: { $prompts }, and { $count } more under `/`.
server-row-resources = { $count ->
        [one] 1 resource. Mention it as `@{ $server }:…`.
       *[other] { $count } resources. Mention them as `@{ $server }:…`.
    }
server-row-templates = { $count ->
        [one] 1 resource template.
       *[other] { $count } resource templates.
    }
resource-template = template: { $title }
values-first-of = the first { $shown } of { $all }
values-first = the first { $shown } (there are more)
values-not-yet = `{ $server }` suggests values once it is running
server-asks-person = The MCP server `{ $server }` asks: { $message }
server-form = Your answers are sent to the MCP server `{ $server }`: enter no password or key. Fields marked `*` are required.
form-expects = Expected: { $what }
form-wrong = Not valid. Expected: { $what }
answer-needed = This field is required.
none-leaves-out = none of them: the field is skipped
expects-number = a number
expects-whole = a whole number
expects-letters = { $amount } characters
expects-choices = { $amount } of these options
expects-pattern = text that matches the pattern `{ $pattern }`
expects-email = an e-mail address
expects-uri = a full address, such as https://example.org
expects-date = a date, such as 2026-11-25
expects-date-time = a date with a time, such as 2026-11-25T14:30:00Z
amount-between = { $least } to { $most }
amount-least = at least { $least }
amount-most = at most { $most }
server-left-name = { $tool } (another tool has this name)
server-left-misnamed = { $tool } (invalid name)
server-left-schema = { $tool } (its input schema is missing, too long, too deep or not an object)
server-left-no-tool = { $tool } (not an object)
server-left-many = { $tool } and all tools after it (limit: { $most } for each server)
server-left-unlisted = entries beyond { $pages } pages, { $prompts } prompts or { $resources } resources
mcp-added = Added the MCP server `{ $server }` to `{ $file }`. Test it with `benchdog mcp check { $server }`.
mcp-removed = Removed the MCP server `{ $server }`.
mcp-removed-tokens = Removed the MCP server `{ $server }`. Its stored tokens were deleted, and revoked if the server supports it.
sign-in-link = Open this address to sign in:
sign-in-waits = Waiting for at most five minutes (Ctrl+C cancels). If the browser is on another machine, paste its final address here.
sign-in-token = Token for the MCP server `{ $server }` (not shown):{" "}
signed-in = Signed in to `{ $server }`.
signed-out = Signed out of `{ $server }`. Its stored tokens were deleted.
not-signed-in = You are not signed in to `{ $server }`.
sign-in-not-there = the server needs no sign-in: it is a local program, or `mcp.{ $server }.auth` is `none`
sign-in-by-token = the server uses a token: enter it with `benchdog mcp login { $server }`
sign-in-not-offered = the server gives no sign-in address: if the server accepts a token, set `mcp.{ $server }.token_env` to the name of the token's environment variable
sign-in-other-resource = the server's metadata describes another server, `{ $told }`
sign-in-unsafe = Benchdog does not contact `{ $address }`. Sign-in addresses need `https` (`http` only on this computer). A remote server may not point into your own network
sign-in-other-issuer = another sign-in server answered: `{ $told }`
sign-in-no-proof = the sign-in server does not support PKCE with `S256`
sign-in-no-registration = the sign-in server accepts only registered clients: set `client_id` in `mcp.{ $server }`, or use a token with `"auth": "token"`
sign-in-not-registered = the sign-in server does not register Benchdog ({ $words }): set `client_id` in `mcp.{ $server }`, or use a token with `"auth": "token"`
sign-in-denied = the sign-in was refused: { $words }
sign-in-no-token = no token was issued: { $words }
sign-in-late = the sign-in was not completed within { $minutes } minutes
sign-in-silent = the sign-in server did not answer within { $seconds } s
sign-in-no-door = no port can be opened on this machine: { $words }
sign-in-alone = Benchdog signs in to this server by itself (`mcp.{ $server }.auth`): `benchdog mcp check { $server }` tests it
sign-in-unread = `{ $file }` cannot be used: { $words }
sign-in-no-key = the private key of `mcp.{ $server }` cannot be used: { $words }
sign-in-not-exchanged = your identity could not be exchanged for a token: { $words }
sign-in-given-up = cancelled
trouble-not-signed-in = Not signed in to `{ $name }`: { $told }.
trouble-not-signed-in-hint = `benchdog mcp check { $name }` shows its state, `benchdog config explain mcp.{ $name }` its configuration.
trouble-tokens-kept = Removed the MCP server `{ $name }`, but its tokens could not be deleted: { $told }.
trouble-tokens-kept-hint = `benchdog mcp logout { $name }` deletes them.
server-row-link = Open this address to sign in. It is also in the clipboard if your terminal allows it.
server-row-signing = Looking for the sign-in address …
server-row-signed-in = Signed in.
server-row-signed-out = Signed out.
import-nothing = No configuration of `{ $from }` was found in your home folder.
import-read = Read: { $file }
import-keys = Settings for { $file }:
import-file = { $file }, from { $theirs }
import-left = Not imported, with the reasons:
import-unwritten = Nothing was written. `--write` writes the lines marked `+` and asks about each rule that allows something.
import-written = Written.
import-allow = { $theirs }: allow `{ $tool }` to run without asking if it matches `{ $pattern }`? Type yes to allow it:
import-why-nothing = Benchdog has no equivalent
import-why-otherwise = Benchdog configures this differently: write `{ $key }` yourself
import-why-of-folder = it applies to that folder only: write it into `.benchdog/config.jsonc` there
import-why-secret = it may contain a secret, and secrets are never copied
import-why-variable = its value is not copied: put the value into the variable `{ $name }`, to which the imported setting refers
import-why-link = it is a link, or not a file
import-why-taken = your configuration already sets this
import-why-unconfirmed = the rule allows something: confirm it with `--write` on a terminal
import-why-milder = it would override the denying rule `{ $pattern }` of `{ $key }`: write it yourself if you want that
import-why-twice = another command with this name is imported
import-why-limits = its restrictions cannot be imported, and it could do more without them: write it yourself
import-why-quotes = a quote in `{ $line }` is not closed: close it there, or write the command here yourself
import-why-form = its format is not supported
trouble-no-server-of-tools = There is no MCP server `{ $name }`.
trouble-no-server-of-tools-hint = Configured: { $known }.
trouble-bad-server-name = `{ $name }` is not a valid server name. Use letters, digits, `-` and single `_`, at most 32 characters.
trouble-bad-server-name-hint = Tool names begin with the server's name, as in `files__read`.
trouble-secret-in-address = The address `{ $url }` contains a password or key, which would be stored in your configuration.
trouble-secret-in-address-hint = Use an environment variable instead, or `--token-env VARIABLE`.
trouble-server-there = A server named `{ $name }` already exists.
trouble-server-there-hint = `benchdog mcp remove { $name }` removes it.
trouble-server-elsewhere = The server `{ $name }` is also configured outside your own configuration file.
trouble-server-elsewhere-hint = `benchdog config explain mcp.{ $name }.command` shows where it is set.
trouble-no-pull = The server of `{ $provider }` cannot download models.
trouble-no-pull-hint = Only Ollama can: write the model as `ollama/NAME`, or load it on the server.
agent-subagent = (subagent) { $description }
agent-added = Added the agent `{ $name }`: { $file }. Choose it with `/agent { $name }` or `-a { $name }`.
agent-removed = Removed the agent `{ $name }`: { $file }.
agent-file-wanted = it must be a Markdown file with the name of the agent, such as `reviewer.md`
agent-file-too-large = it is larger than 64 KB
trouble-no-agent-file = `{ $file }` cannot become an agent: { $error }.
trouble-no-agent-file-hint = Pass a Markdown file: the keys of an agent as front matter, and the prompt below it.
trouble-agent-there = There is already an agent `{ $name }`: { $file }.
trouble-agent-there-hint = `benchdog agent remove { $name }` removes it.
trouble-no-agent-there = No file of yours defines an agent `{ $name }`: { $file } does not exist.
trouble-no-agent-there-hint = `benchdog agent list` lists all agents. If the agent is set in config.jsonc, remove it there.

# The Agent Client Protocol, for editors
acp-allow-once = Allow once
acp-confined = Allow once, in the sandbox
acp-reject = Reject
acp-no-answer = Do not answer
acp-always = Always allow { $rules }, { $lasts }
acp-always-reject = Reject { $rule } until this session ends
acp-option-mode = Agent
acp-option-model = Model
acp-option-thinking = Thinking
acp-thinking-unset = Default of the server
acp-compact = Summarise earlier turns to free space in the context window
acp-no-folder = The folder `{ $folder }` does not exist.
acp-relative = `{ $path }` is not an absolute path.
acp-unknown-session = There is no session with this id.
acp-not-opened = The session could not be opened.
acp-engine-gone = The session ended unexpectedly. Load it again.
acp-closed = The session was closed.
acp-turn-failed = The turn failed.
acp-running = A prompt is running in this session. Cancel it, or wait until it ends.
acp-busy = Too many requests of this session are pending. Try again later.
acp-full = { $most } sessions are open. Close one first.
acp-not-changed = The option was not changed. Wait until the prompt ends, then try again.
acp-no-value = `{ $option }` has no value `{ $value }`.
acp-empty-prompt = The prompt is empty.
acp-long-prompt = The prompt is larger than { $size } MiB.
acp-content = The prompt contains a type of content that this agent does not accept.
acp-audio = Audio is not supported. Send text or images.
acp-image = The image is not a PNG, JPEG, GIF or WebP image in base64.
acp-many-images = The prompt has more than { $most } images. Send fewer.
acp-image-name = image { $number }
acp-own-answer = your own answer
acp-servers = MCP servers must use stdio or HTTP, and each name must be unique.

## benchdog bench
bench-title = Benchdog bench
bench-contender = model or agent
bench-task = task
bench-solved = solved
bench-unsolved = not solved
bench-failed = failed
bench-skipped = skipped
bench-tokens = tokens
bench-time = time
bench-edits-refused = edits refused
bench-calls-repaired = calls repaired
bench-cost = cost
bench-injections = injections followed
bench-followed = injection followed
bench-run = { $task } · { $name } · attempt { $attempt }: { $status }
bench-before = { $count ->
    [one] 1 run was finished before and is not repeated.
   *[other] { $count } runs were finished before and are not repeated.
}
bench-elsewhere = { $run }: another process is performing this run
bench-unusable = `{ $file }` is ignored: { $why }
