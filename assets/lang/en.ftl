# The words of Benchdog in English. One message an idea; the values come from `src/lang`.
# A name in braces is a value of the message; a test holds that every one is given and every message is used.

## Remarks

notice-todo-open = Still in progress on the todo list: { $items }.
notice-limit-time = The time given with `--timeout` is over.
notice-limit-steps = The turn has made { $steps } requests, its limit.
notice-limit-tokens = The session has used { $used } of at most { $most } tokens.
notice-limit-cost = The session has cost { $spent } of at most { $most } USD.
notice-loop = The turn was ended: `{ $call }` was asked { $times } times with the same result.
notice-denials = The turn was ended: { $times } times in a row what the model wanted was refused.
notice-output-limit = The answer was cut at the model's output limit.
notice-window-end = The answer was cut where the model's window ended: prompt and answer fill it together.
notice-filtered = The server's content filter held the rest of the answer back.
notice-unproven = Taken without evidence: the answer names no place that shows what it says.
notice-call-cut = The answer was cut inside a call of `{ $tool }`. The model is told to take smaller steps.
notice-call-cut-tokens = The answer was cut inside a call of `{ $tool }`, after { $tokens } tokens. The model is told to take smaller steps.
notice-fell-back = { $why } Asking `{ $to }` in the place of `{ $from }`.
notice-nothing-to-retry = Nothing to retry.
notice-empty-reply = The model sent an empty answer; asking again.
notice-not-handed-over = The model ended without calling `{ $tool }`, and is reminded.
notice-not-told-whole = { $count ->
    [one] One file is too long to be told whole: its name is told, and it can be read.
   *[other] { $count } files are too long to be told whole: their names are told, and they can be read.
    }
notice-secrets-left-out = Not told, because they may hold secrets: { $paths }.
notice-recording-ended = The recording ends here.
notice-not-validated-no-check = Tests not run: no check is configured (`validation.command`) and none was detected.
notice-not-validated-not-allowed = Tests not run: the check was denied.
notice-not-validated-cannot-run = Tests not run: `{ $command }` cannot be run: { $error }
notice-context-filled = Context { $percent } % full. Details: `/context`.
notice-not-summarised = Could not summarise: { $why }. Nothing changed.
notice-not-summarised-failed = Could not summarise: { $why }. Nothing changed. Try `/compact` again or another model.
no-summary-failed = { $error }
no-summary-empty = empty answer
no-summary-too-long = the answer was too long for a summary
no-summary-called = the model called a tool in place of an answer
no-summary-repeated = the model repeated the conversation
no-summary-silent = the model did not answer in time
no-summary-silent-for = the model did not begin to answer in { $seconds } seconds
no-summary-unfinished = the model had not finished after { $seconds } seconds
no-summary-skipped = you skipped it
no-summary-no-gain = it would free less than a tenth
notice-summarising = The conversation is being summarised.
notice-summarised-in-part = The summary was made from about { $read } of { $whole } tokens: long texts were read by their beginnings and ends. A summariser with a larger window (`small_model`) reads more.
notice-summary-stopped = The summary was stopped. The conversation is as it was.
notice-job-ended = { $job } has ended ({ $how }): { $title }
notice-jobs-ended = Ended with the session: { $jobs }.
notice-nothing-to-compact = There is nothing to summarise yet.
notice-nothing-to-undo = No compaction can be taken back: there was none, or something has replaced it.
notice-preview-stale = The session went on since this summary was made, so nothing was changed.
notice-pinned-whole = It is carried whole again. The server reads the whole conversation anew once.
notice-pins-full = Not pinned: ~{ $item } tokens, room for ~{ $free }. All pins may take { $most }; unpin something first, or pin less.
notice-nothing-saved = Not left out: ~{ $tokens } tokens, its line ~{ $line }. Nothing would be saved.
notice-todo = there is no item { $item }; the list has { $known }
notice-no-session = There is no earlier session of this folder; this is a new one.
notice-no-agent = There is no agent `{ $agent }`; /agent lists those there are.
notice-no-agent-but = There is no agent `{ $agent }`; did you mean `{ $nearest }`?
notice-subagent = The agent `{ $agent }` is given work by others, and nobody works with it; /agent lists those one works with.
notice-inner-agent = The agent `{ $agent }` does one job inside of Benchdog; /agent lists those one works with.
notice-agent-gone = There is no agent `{ $agent }` any more. `{ $instead }` works in its place, which may do least; /agent chooses another.
notice-busy = A turn is running. Stop it first, then change the session.
notice-seats-full = { $most } sessions are open in this window, as many as there may be. Close one first (`Ctrl+O`).
notice-only-seat = This is the only session that is open here.
notice-window-assumed = The server does not report a context size for `{ $model }`; using { $tokens } tokens.
notice-prompt-cut = The server read { $read } of about { $sent } tokens: it cuts long prompts in silence.
notice-window-smaller = `{ $model }` runs with a window of { $runs } tokens, not { $wanted }: what is longer is not sent, because the server would cut it in silence.
notice-cache-lost = The server read { $again } of { $prompt } tokens again, although this request began as the last one did: its cache was lost, by other requests or a restart.
notice-calls-read = Calls the model wrote as text: { $calls } read{ $more }.
notice-calls-repaired = , { $count } repaired
notice-calls-leaked = , { $count } beside the server's own
notice-calls-unusable = , { $count } not understood
notice-calls-written-not-in-template = The server tells `{ $model }` nothing of tools, so they are taught in the system prompt and calls travel as text.
notice-calls-written-refused = The server takes no tools for `{ $model }`, so they are taught in the system prompt and calls travel as text.
notice-no-model-no-server = No model could be chosen by itself. No server is configured.
notice-no-model-none-offered = No model could be chosen by itself. The server of `{ $provider }` offers no model.
notice-no-model-failed = No model could be chosen by itself. { $error }
notice-model-taken = `{ $model }` was taken of { $offered } models on offer, by what is known of their names. `/model` takes another.
notice-model-taken-here = `{ $model }` was taken of { $offered } models on offer: the best known for code that fits into { $memory } GB. `/model` takes another.
notice-model-unlisted = Using `{ $model }`, but its server offers { $listed } other models, such as { $names }. /models: choose one.
notice-model-unlisted-all = Using `{ $model }`, but its server offers only { $names }. /models: choose one.
notice-model-unchecked = `{ $model }` is taken, and could not be checked: the server of `{ $provider }` told no list of models.
notice-model-unchecked-because = `{ $model }` is taken, and could not be checked. { $why }
notice-config-exists = `{ $path }` exists already, and nothing in it was changed. /setup replace writes a new one with `{ $model }` at `{ $address }`, and keeps the old one beside it as `.bak`, comments and all. Or add the server yourself: its `base_url` under a provider, and `model` as that provider, a slash and the model.
notice-config-put-aside = The old configuration is `{ $old }` now.
notice-config-nothing-chosen = No server was chosen yet: /setup looks for servers, and /models lists what they offer.
notice-config-not-kept = The choice cannot be kept in `{ $path }`: { $error }. What stood there stays; make room or make it writable for you, and choose again.
notice-config-using = Using { $model } at { $address }. /models: others
notice-config-renamed = { $place }: `{ $was }` is read as `{ $now }`. Write that: the earlier name may be gone one day.
notice-config-theme = The theme `{ $theme }` is not drawn with, `auto` is: { $wrong }. /theme and `benchdog config check` tell all that is wrong.
notice-config-not-hidden = This system does not let Benchdog hide its environment from the commands it starts: they could read the keys of endpoints in it. Start Benchdog as a user who is not root.
notice-wide-folder = `{ $path }` holds more than one project: edits and commands reach all of it. Better start Benchdog in the folder of one project, or name it with `-C`.
notice-system-folder = `{ $path }` holds the system's own files: an edit or a command there may break it. Better start Benchdog in the folder of a project, or name it with `-C`.
notice-near-top = Rules of the folders inside do not count there, and `@` finds only what lies near its top.
notice-service-starting = Starting `{ $command }`, for { $seconds } s at most …
notice-service-started = `{ $place }` answers. The server is yours: it goes on when Benchdog ends.
notice-service-not-started = `{ $command }` gave no server: { $why }. Start it in another terminal to see what it says.
service-ended = it ended ({ $status })
service-silent = nobody listens there after { $seconds } s
notice-service-nothing = No server can be started here: neither is an Ollama on this machine configured and missing, nor is `ollama` among your programs.
notice-untrusted-answered = Ignored until you answer: { $files }.
notice-untrusted-trusted = Ignored, because this folder is not trusted: { $files }. `--trust` makes them count.
notice-trusted-now = The folder's own rules count from now on.
notice-trusted-next-session = The folder's own rules count from the next session on.
notice-reloaded-now = The configuration was read again and counts from now on. `ui.language`, `ui.ambiguous_width`, `ui.notify` and `logs` count from the next start on.
notice-reloaded-next-session = The configuration was read again and counts from now on; rules and skills from the next session on, and so does `system_prompt`, because this one has told its model. `ui.language`, `ui.ambiguous_width`, `ui.notify` and `logs` count from the next start on.
notice-distrusted = The folder's own rules do not count. A session that has begun keeps the words it was told; nothing is allowed by them any more.
trust-never-root = the root of the file system is never trusted
trust-never-home = the home folder is never trusted
pattern-finds-nothing = it finds no file
pattern-finds-too-much = it finds more files than count together; name fewer
notice-nothing-to-trust = This folder brings no rules of its own.
notice-unread-instructions = `{ $file }` of `instructions` is not read: { $why }.
notice-unread-folder = `{ $file }` of this folder is not read: { $why }.
notice-unread-tool = `{ $file }` is not read as a tool: { $why }.
notice-broken-skills = Not read as skills: { $skills }.
notice-hook-denied = Hook `{ $hook }` ({ $event }) refused: { $reason }
notice-hook-objects = Hook `{ $hook }` ({ $event }) objects: { $reason }
notice-hook-not-taken = Hook `{ $hook }` ({ $event }) made arguments of it that the tool does not take, so the call is not run: { $error }
notice-hook-rewrote = Hook `{ $hook }` ({ $event }) changed the arguments: { $arguments }
notice-hook-noted = Hook `{ $hook }` ({ $event }) tells the model: { $text }
notice-hook-told = Hook `{ $hook }` ({ $event }): { $text }
notice-hook-failed = Hook `{ $hook }` ({ $event }) failed ({ $why }); continuing.
notice-hook-failed-strict = Hook `{ $hook }` ({ $event }) failed ({ $why }); denied.
notice-broken-commands = Not read as commands: { $commands }.
notice-not-sent = `{ $name }` was not sent, because `{ $line }` was not run.
notice-skills-untold = The model is told the names of { $told } of { $all } skills: their list may take 2 % of its window. The others are found by the `skill` tool and loaded by `/name`, too. Skills that are denied in `permission.skill` leave room for others.
notice-rules-cut = `{ $file }` is long: the model is told { $told } of { $whole } KB of it.
notice-index-rebuilt = `{ $path }` was damaged. It was moved to `{ $aside }` and made anew from { $sessions } sessions; unsent drafts and trust answers are asked for again.
notice-storage = { $why }.

## What stopped a request

failure-empty-reply = The model sent { $times } empty answers.
failure-empty-reply-finish = The model sent { $times } empty answers (`finish_reason`: `{ $finish }`).
failure-not-handed-over = The model ended { $times } times without calling `{ $tool }`.
failure-context-full-fixed = What every request has, the instructions and tools, is about { $fixed } tokens already; the model's window leaves room for { $limit }. The prompt was not sent.
failure-context-full-parts = The request would be about { $used } tokens, { $fixed } of them the instructions and tools that every request has; the model's window leaves room for { $limit }. The prompt was not sent.
failure-context-full = With this prompt alone the request would be about { $used } tokens; the model's window leaves room for { $limit }. It was not sent.
failure-mention-unread = The prompt was not sent: { $mentions }.
failure-mention-unread-one = `@{ $path }` cannot be read: { $why }
failure-skill-unread-one = the skill `/{ $path }` cannot be read: { $why }
failure-command-unread-one = the command `/{ $path }` cannot be sent: { $why }
failure-hook-one = the hook `{ $path }` keeps it back: { $why }
failure-prompt-one = the prompt `{ $path }` cannot be sent: { $why }
unread-no-prompt = its server has no such prompt; `/` lists those there are
unread-prompt-lacks = write what it needs: { $names }
unread-no-server = there is no server of that name; there is { $names }
unread-no-reading = it is neither text nor an image ({ $media }, { $size })
unread-too-large = it is an image of { $size }, and at most { $most } go along
unread-broken-image = it is a { $kind } image that is damaged or cut off
unread-large-sides = it is an image of { $width } × { $height } pixels, and sides of at most { $most } go along
unread-missing = there is no such file or folder
unread-outside = it lies outside the folders of this session
unread-not-allowed = reading it needs a decision ({ $because })
unread-too-many = it names { $named } files and folders with `@`, and at most { $most } can go along
unread-unclear = `{ $range }` names no lines of it; write `:10`, `:10-20` or `:10-`
unread-not-seen = it is a { $kind } image, and `vision` of the model `{ $model }` does not say that it reads images
unread-too-many-images = it names more images than the { $most } that can go along
unread-no-room-for-images = with its images the session has more than the { $most }, or the { $size } of them, that its requests carry: `/compact` makes room
failure-no-model = Choose a model first (/models). Your message is kept.
failure-no-provider = No provider `{ $provider }` is configured for the model `{ $model }`.
failure-session-not-open = The session you asked for is not open, so nothing was done.

## Why an answer is not whole

cut-interrupted = interrupted
cut-out-of-time = out of time
cut-not-saved = not saved
cut-unproven = not taken: it names no place that shows what it says
cut-ended = Interrupted: Benchdog was closed. /retry asks again.

## What helps, by the code of an error

advice-no-model = /setup: search again, or enter an address. `benchdog demo` needs no model.
advice-mention-unread = Fix the name, or take the `@` away: then it is text, and the model may ask to read it.
advice-mentions-too-many = Take an `@` away: then it is text, and the model may ask to read it. A folder is named as one, with a slash at its end.
advice-skill-unread = Fix the file at that line. To send the words as text, begin with something else than the `/`.
advice-prompt-unread = Write it behind the name, in its order or as `name=value`; `/` lists the prompts of servers with what they take.
prompt-server-hint = `/mcp` shows how its server stands, `/mcp restart NAME` starts it anew. Then send the prompt again.
advice-resource-unread = Choose one of those behind `@SERVER:` in the list; `/mcp` shows how its server stands. Without the `@` it is text.
advice-hook-denied = Change the prompt, or the hook: `/hooks` lists it with its file.
advice-window-too-small = Choose a model with a larger window with `/models`, or set `context` of the model to what the server holds; fewer rules and skills make the instructions shorter.
advice-no-provider = Choose a model with `/models`, or add the provider to `config.jsonc`.
advice-empty-reply = Send the prompt again, or choose another model with `/models`.
advice-not-handed-over = Try again, or choose another model with `-m` or `/models`.
advice-context-full = Shorten the prompt, unpin what is pinned, or choose a model with a larger window with `/models`.
advice-window-assumed = To change it, set `context` of the model: /config.
advice-window-smaller = Start it with the window you want: Ollama with `OLLAMA_CONTEXT_LENGTH`, or set `api` of the provider to `ollama`; llama.cpp with `--ctx-size`; vLLM with `--max-model-len`.
advice-prompt-cut = Start it with a larger window (Ollama: `OLLAMA_CONTEXT_LENGTH`, or `api` `ollama` for the provider; llama.cpp: `--ctx-size`; vLLM: `--max-model-len`), or set `context` of the model to what it holds.
advice-unreachable = Start the server or correct its address (`base_url`), then send the prompt again.
advice-timeout = The server may still be reading a long prompt: raise `idle_timeout_s` of the provider, then send the prompt again.
advice-unknown-host = Check the name in `base_url`, or of `network.proxy`, and the connection of this machine; an address serves in place of a name.
advice-nothing-arrived = The server may have ended, or be starting: look at its log, then send the prompt again.
advice-certificate-issuer = Save the certificate of that issuer as a PEM file and name it: `"ca_file": "/path/ca.pem"` of the provider. `benchdog doctor` says where to get it.
advice-certificate-dates = Have it renewed by those who run the server. Where the clock of this machine is wrong, set it.
advice-certificate-name = Write one of those names in `base_url`, or have the server use a certificate for the name that stands there.
advice-tls = Ask those who run the server or the proxy before it; `benchdog doctor` tries the connection step by step.
advice-no-tls = Write `http://` in place of `https://` in `base_url`.
advice-needs-tls = Write `https://` in place of `http://` in `base_url`.
advice-not-http = Another program has this port: fix the port in `base_url`.
advice-proxy = Write the name and the password the proxy wants into its address, `http://user:password@HOST:PORT` as `network.proxy`, or ask who runs it.
advice-unauthorized = Put a valid key into `BENCHDOG_API_KEY`, or into the variable that `api_key_env` of the provider names.
advice-forbidden = The key is known and may not do this: ask who runs the server, or choose another model.
advice-not-found = `/models` and `benchdog models` list what the server offers; `benchdog models pull NAME` has an Ollama fetch a model. Else check that `base_url` ends as the server expects (often `/v1`).
advice-rate-limited = Send the prompt again later (after the time it names, where it names one), or choose another model with `/models`.
advice-quota = The allowance is used up: waiting does not help. Choose another provider with `/models`.
advice-context-overflow = Set `context` of the model to what the server holds, shorten the prompt, or choose a model with a larger window with `/models`.
failure-context-overflow-lessened = Room was made and it did not suffice: set `context` of the model to what the server holds, or choose a model with a larger window with `/models`.
advice-answer-too-long = Lower `output` of the model in the configuration to what the server writes at the most; `context` there if its window is smaller, too.
advice-bad-request = The server does not accept this request: its words above say why. `extra_body` and `temperature` of the model can be changed in the configuration.
advice-call-ids = Start the server with another chat template, or set `tools` of the model to `text` in the configuration.
advice-no-tools = Set `tools` of the model to `auto` or `text` in the configuration; vLLM takes tools when it is started with `--enable-auto-tool-choice --tool-call-parser NAME`, llama.cpp with `--jinja`.
advice-server = The fault is the server's: look at its log, then send the prompt again.
advice-unavailable = The server is still loading or overloaded: send the prompt again in a moment.
advice-stream-ended-early = What had arrived is kept. Send `continue` to go on from there.
advice-not-an-api = Something else answers at this address: check `base_url` and any proxy in between.
advice-garbage = The server sent what is no answer: look at its log, then send the prompt again.
advice-answer-oversized = What had arrived before is kept. Look at the server: no model answers at such length, so it repeats itself or is not what it seems.
advice-call-cut = The answer hit the output limit inside a tool call: raise `output` of the model in the configuration.
advice-endpoint-setting = Fix the provider in the configuration: `benchdog config explain provider` shows where it comes from.
advice-recording = Check the file named with `--record` or `--replay`.
advice-no-session = Leave out `-c` to begin one here; `benchdog sessions list` shows those of other folders.
advice-session-not-found = `benchdog sessions list` shows the sessions there are.
advice-session-ambiguous = Write more of its id, from its beginning or its end.
advice-session-held = Leave it there, read it with `benchdog sessions show`, or go on in a copy that `benchdog sessions fork` makes.
advice-session-not-open = What you wrote is in the prompt again. `/new` begins a session, `/resume` opens another.
advice-session-state = Leave and resume the session; what was shown as saved is on disk.
advice-session-damaged = `benchdog sessions check --repair` and its id save what can be read into a new session, or put a copy from a backup in its place; other sessions are not affected.
advice-storage-busy = Try again when the other process is done with it.
advice-storage-damaged = Put a copy from a backup in its place, or move it away; other sessions are not affected.
advice-storage-version = Use the version that wrote it. An `index.redb` may also be moved away: it is made anew from the sessions.
advice-storage-full = Make room there (`benchdog sessions delete`, the cache, other files) or raise the limit (`ulimit -f`, a quota), then try again: nothing is done that cannot be saved.
advice-storage-failed = Make the file and its folder readable and writable for you, or set `BENCHDOG_HOME` to a folder that is: nothing is done that cannot be saved.
advice-storage-stopped = Leave and resume the session; what was shown as saved is on disk.

## The transcript: what stands before, above and beside a piece of it

label-you = you
label-task = task
label-answer = answer
label-plan = agent
label-writing = writing
label-thought = thought
label-thinking = thinking
label-check = check
label-check-again = check { $round }

shown-cut = cut short: { $why }
shown-mention = @{ $path }  { $lines }
shown-mention-part = @{ $path }  lines { $first } to { $last } of { $total }
shown-mention-image = @{ $path }  { $kind } image, { $size } KB
shown-asked-again = asked again
shown-mention-empty = @{ $path }  empty
shown-mention-skill = skill { $name }
shown-mention-resource = @{ $path }  resource
shown-mention-folder = @{ $path }/  folder
shown-model = model { $model }
shown-sampling = from the next request on: temperature { $temperature }, thinking { $thinking }
shown-agent = agent { $agent }
shown-shortened = { $count ->
    [one] Shortened an old output to free context (~{ $before } → ~{ $after } tokens).
   *[other] Shortened { $count } old outputs to free context (~{ $before } → ~{ $after } tokens).
    }
shown-summarised = Earlier turns are summarised for the model, ~{ $before } → ~{ $after } tokens.
shown-left-out = Earlier turns are left out for the model, ~{ $before } → ~{ $after } tokens.
shown-dropped = Taken out for the model, ~{ $before } → ~{ $after } tokens.
shown-earlier = { $count ->
    [one] { $count } earlier turn, which the model no longer reads word for word
   *[other] { $count } earlier turns, which the model no longer reads word for word
    }
shown-can-be-undone = `/compact undo` takes it back.
shown-look-first = result unknown: look before you go on
shown-compaction-undone = Taken back: the model reads again what was shortened, summarised or left out.
undone-shortened = Taken back: the model reads the shortened outputs whole again.
undone-summarised = Taken back: the model reads the earlier turns themselves again, not their summary.
undone-left-out = Taken back: the model reads the earlier turns again.
undone-dropped = Taken back: the model reads what was left out again.
shown-later = an entry of a later version of Benchdog, kept as it is
child-queued = waits for others to end
child-step = step { $step }
child-stops = stopping { $what }
shown-waiting = waiting for you
shown-waiting-on-screen = waiting for you, on screen
shown-unknown = result unknown
shown-nothing-done = not run, nothing was done
shown-untitled = (no prompt yet)

ended-done = done
ended-error = the turn ended with an error
ended-interrupted = interrupted
ended-limit = a limit was reached
ended-denied = stopped: a step was denied
call-unreadable = a call that cannot be read
ended-filtered = the server's content filter held the rest back
ended-loop = stopped: the same call with the same result again and again
ended-validation-failed = the check still fails

## Why something is allowed, asked or denied

because-no-rule = no rule fits
because-dangerous = dangerous: { $why }
because-unknown = unknown: { $why }
because-external = external: { $why }
because-catastrophic = catastrophic: { $why }
reason-detail = { $reason }: { $detail }
reason-program = { $program } { $does }
because-interactive = `{ $program }` waits for a terminal, and a command here has none: { $instead }
because-called-risky = the model itself calls it risky
instead-edit = open the file in an editor of your own, or change it with `sed` or the file tools
instead-debug = give the debugger all its commands at once, as in `gdb -batch -ex run -ex bt`
instead-person = run it in a terminal of your own
instead-run = run the command itself, or this one in a terminal of your own
instead-script = give it a script, or code with `-c` or `-e`
instead-query = give it a statement, as in `psql -c` or `sqlite3 file.db 'select 1'`
instead-print = print with `cat`, `head` or `tail`
instead-snapshot = take one picture with `ps aux` or `top -b -n 1`
because-only-reads = every part of it only reads; it runs in the sandbox
because-confined = it runs in the read-only sandbox without network (`permission.confined: "allow"`)
because-unconfined = it would run outside the sandbox, because the model says that the sandbox stopped it
because-scratch = it lies in the scratch folder of this session
because-not-plain = only commands that are written out, alone or in a list or pipeline, can be allowed by a rule
once-redirected = it writes or reads a file by a redirection
once-expanded = a substitution, a variable or a pattern stands in it, so that the same letters may mean something else the next time
once-assigned = it sets a variable
once-compound = it holds more than a list or pipeline of commands: a loop, a condition, a group, something in the background
once-long = it holds more commands than are judged one by one
once-fed = what one of its commands does is decided by what it is given to read
once-quoted = blanks or signs of the shell are quoted in it, and without the quotes the same letters are another line
once-branch = what a branch brings is another thing each time
once-undone = what is taken back is looked at each time
once-several = no one answer covers all that it touches
because-elsewhere = it runs in `{ $folder }`; what a rule allows is allowed in the workspace's own folder only
because-process = `{ $path }` may belong to another process: that always asks
because-secret = `{ $path }` is a secret: secrets always ask
because-leads-to-secret = `{ $path }` leads to a secret: secrets always ask
because-obeyed = other programs run or obey `{ $path }` without asking: changing it always asks
because-names-secret = it names a secret: secrets always ask
because-secret-below = it would read `{ $path }`: secrets always ask
because-link-below = it may follow `{ $path }` out of the workspace
because-unseen = there are too many files to see whether one is a secret
because-outside = `{ $path }` lies outside the workspace
because-unfollowed = `{ $path }`: { $reason }
because-step-limit = step limit
because-loop = the same call with the same result
because-denials = denied again and again
because-not-confined = commands cannot be confined as `{ $level }` on this system: { $parts } missing (`benchdog doctor` says why). A person can let it run with less; where nobody is asked, `sandbox.level: "off"` in your own configuration runs commands unconfined
because-switched-off = the sandbox is switched off (`sandbox.level: "off"`), so of what is allowed by default only the simplest commands run unasked
because-typed = you typed this command yourself
because-read-only = `sandbox.level` is `read-only`: nothing in the workspace is written
because-read-only-agent = the agent `{ $agent }` changes nothing; Shift+Tab or /agent chooses another
because-check-configured = validation.command
because-check-allowed = allowed earlier in this session
because-check-not-allowed-yet = Run `{ $command }` to check the changes? (asked once per session)
because-check-changed = `{ $file }` says what the check `{ $command }` does, and changed in this session

## Panes: titles, and what one says while it has nothing to show

pane-files = files
pane-conversation = conversation
pane-todo = todo
pane-context = context
pane-changes = changes
empty-files = No files yet
conversation-here = Benchdog { $version } in { $folder }
empty-conversation = Describe a task, or try one with { $key }:
empty-example-explain = Explain how this project works.
empty-example-fix = Run the tests and fix what fails.
empty-example-test = Write a test that is missing.
empty-key-send = send
empty-key-file = name a file
empty-key-command = run a command
empty-key-review = review a change
empty-key-help = all keys
empty-todo = No tasks yet
empty-context = No tokens used yet
empty-changes = No changes yet
change-gone = gone
screen-too-small = too small
find-label = find
find-nothing = not found
list-looking = looking …
completion-no-file = no such file
completion-ignored = git-ignored
completion-no-resource = `{ $server }` has no resource like `{ $wanted }`
completion-no-resources = `{ $server }` lists no resources
completion-resources = { $count ->
    [one] 1 resource
   *[other] { $number } resources
    }
completion-no-command = no such command
card-steers = sent to the running task
card-queued = queued
card-behind-command = behind your command
card-several = { $count } { $kind }
card-unsent = not sent
card-taken-back = not sent, press { $key } to edit
card-some-taken-back = { $count } not sent, press { $key } to edit
card-unsent-why = Not sent when Benchdog ended. { $key } brings it back.
card-more = { $count ->
    [one] … and one more
   *[other] … and { $count } more
    }

## What the context window is filled with

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

## The bottom row: what happens now, and what its keys do

status-no-model = no model
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
status-stopping = stopping
status-reading = reading
status-compacting = compacting
status-writing = writing
status-letters = normal
status-letters-select = visual
status-thinking = thinking
status-waiting-for-server = waiting for the server
status-waiting-for = waiting for { $server }
status-waiting-for-hook = waiting for hook { $hook }
status-at-most = { $far }, { $most } at most
status-loading-model = loading the model
status-reading-of = reading { $done } of { $of }
status-left = · about { $seconds } s left ·
status-waiting = ◆ waiting
status-waiting-for-you = ◆ waiting for you
status-running = running
status-checking = checking
key-close = close
key-tools = tools
key-prompt = prompt
key-back = back
key-find = find
key-next = next
key-read-on = read on
key-previous = previous
key-answer = answer
key-review = review
key-newest = newest
key-open = open
key-fold = fold
key-read = read
key-pin = pin
key-unpin = unpin
key-leave-out = leave out
key-stop = stop
key-steer = send now
key-skip = skip
key-next-spot = next place
key-stop-child = stop this agent
key-hunk = next change
key-layout = layout
key-wrap = wrap
key-commands = commands
key-keys = keys
rule-built-in = built in
field-agent = agent
field-prompt = prompt
no-output = (no output)
stroke-panes = panes
stroke-new = new
stroke-next = next
stroke-close = close
stroke-all = all
mode-unasked = applies edits without asking
mode-reads = read-only

## Dialogs with a list

help-title = keys valid now
palette-title = all commands
palette-nothing = no command of that name
palette-nothing-queued = nothing is queued
palette-also-permissions = allow always trust rules grant
palette-also-approvals = approve accept review request hunk decide
palette-also-once = approve accept yes
palette-also-deny = reject refuse no
palette-also-help = key keys shortcut hotkey binding
palette-also-config = settings preferences options language locale vim vi editor key keys
palette-also-diff = hunk changes compare patch
palette-also-transcript = export save markdown
palette-also-plan = export
palette-also-queue = queue edit
palette-also-steer = queue interrupt
palette-also-sessions = history switch
palette-also-undo = revert restore rollback
palette-also-retry = again repeat regenerate
palette-also-models = llm provider switch
palette-also-setup = server endpoint address api provider
palette-also-image = screenshot picture clipboard
palette-also-theme = color colour dark light
palette-also-find = search
picker-models = models
picker-sessions = sessions
picker-prompts = earlier prompts
picker-permissions = permissions
picker-skills = commands and skills
picker-agents = agents
agent-build = proposes changes, each is seen first
agent-plan = looks and plans, changes nothing
agent-accept-edits = makes edits unasked; commands ask
picker-settings = settings
setting-unset = (not set)
setting-how = Enter keeps it in your configuration; an empty line takes it out; Esc goes back
setting-list = A plain word is a list of one; several are written `["one", "two"]`, none as an empty line.
setting-torn = This begins as JSON and is none. Several are written `["one", "two"]`, one of them plainly. Nothing was written.
setting-held = { $place } says otherwise and wins over your configuration: change it there
setting-not-written = { $path } was not written: { $error }
setting-unknown = `{ $name }` cannot be set here; it is written in the configuration file
setting-at-start = { $from } · from the next start on
setting-wants = It may be { $wants }.
picker-themes = themes
theme-auto = dark or light, as the terminal is
theme-own = your own
theme-broken = wrong: Enter says what
theme-how = Enter keeps it until you leave, `ui.theme` in config.jsonc for good
theme-sixteen = sixteen colours here: only `sixteen`, `plain` and their like show as they are
theme-no-colours = no colours here (`NO_COLOR`): every theme shows as `plain`
skill-configured = configured
skill-of-project = project
skill-of-person = yours
skill-of-server = MCP
skill-own-command = command
skill-offered = skill
skill-for-model = for the model
skill-untold = not named to the model
skill-loaded = loaded
skill-shadowed = hidden by { $by }
skill-command = { $state }; `/{ $name }` is a command of Benchdog
skill-broken = { $source }  not read: { $why }
skill-not-invoked = The skill `{ $name }` is not read: { $why }.
command-not-invoked = The command `{ $name }` is not read: { $why }.
hook-not-started = it could not be started: { $error }
hook-changed = `{ $file }` is not what was trusted; `/reload` asks about it
hook-unpinned = `{ $file }` cannot be compared with what was trusted, so it is not run: { $error }
hook-too-many = { $most } of them are being asked at once, so this time it is left out
hook-timed-out = it took longer than { $ms } ms and was ended
hook-endless = it wrote more than { $most } bytes and was ended
hook-unreadable = what it wrote is not understood: { $error }
hook-stopped = it was ended with the turn
hook-last = { $at }, { $ms } ms
hook-runs = runs
hook-from = from
hook-asked = last run
hooks-title = hooks
hooks-none = No hooks are configured.
hook-not-asked = not run yet
hook-said-nothing = no objection
skill-detail = ~{ $tokens } tokens  { $source }  { $state }
picker-takes-back = Enter takes back what was answered with "always"
toast-rule-default = this is the default: a rule of your own configuration overrules it
toast-rule-stands = this rule stands in { $origin }: change it there
toast-rule-agent = this rule comes with the agent: Shift+Tab or /agent chooses another
toast-rule-revoked = asks again: { $rule }
picker-nothing = nothing matches
skills-none = no commands of your own and no skills yet
skills-first = The first command goes into `commands/NAME.md` beside config.jsonc, or into `.benchdog/commands/NAME.md` of this folder; the first skill into `skills/NAME/SKILL.md` of the same places. /reload finds it.
question-own = in your own words
question-send = send
question-change = change
question-others = other questions
viewer-reading = reading …
compaction-title = summary of earlier turns
compaction-frees = { $before } → { $after } tokens. Nothing has changed yet; no word is lost.
compaction-unfit-empty = It is empty, and an empty summary cannot stand for earlier turns.
compaction-unfit-long = Too long: ~{ $tokens } tokens; at most { $most } may stand for earlier turns.
compaction-keys-unfit = { $change } edit it · { $discard } discards
compaction-keys = { $take } take it · { $change } edit it · { $discard } discards
toast-summary-ready = The summary is ready: `/compact` shows it.
toast-nothing-to-pin = open a row first: Enter
toast-nothing-to-show = there is no more to it than this row
toast-costs-cache = left out; the next request is read anew
ledger-reserve = reserved for answer: { $tokens }

## Where a session stands, and what it cost

sheet-status = this session
sheet-cost = cost
sheet-health = doctor
sheet-examining = looking; the model is asked for a few words …
sheet-asking = asking …
picker-thinking = thinking
fact-model = model
fact-endpoint = endpoint
fact-window = window
fact-used = in use
fact-temperature = temperature
fact-thinking = thinking
fact-agent = agent
fact-tokens = tokens
fact-turn-tokens = newest turn
fact-speed = speed
fact-cost = cost
fact-work = at work
fact-calls = calls
fact-approvals = decisions
fact-confined = commands
fact-folder = folder
fact-session = session
fact-answers = answers
fact-price = price
fact-no-model = none yet: `/model` chooses one
fact-no-endpoint = none: a recording answers, or its provider is not configured any more
fact-of-server = the server's own
fact-no-price = no price is configured
cost-nothing = No model has answered yet.
cost-all = all models
cost-how = Prices are US dollars per million tokens: `price.input` and `price.output` of a model in the configuration.
window-configured = as configured
window-of-server = as the server says
window-recalled = as the server said the last time
window-refused = the server refused more
window-nobody = assumed: nobody says
estimate-sign = ~
toast-temperature-wanted = write `/temperature` and a number from 0 to 2, or `default`
toast-thinking-wanted = write `/thinking` and `off`, `low`, `medium`, `high` or `default`
models-none = no server offers a model
models-yes = yes
models-no = no
fact-tools = tools
fact-vision = images
fact-loaded = loaded
fact-listed = offered
fact-answer = longest answer
models-pulled = { $model } is here.
models-silent = The server of `{ $name }` did not list its models within { $seconds } s.
fact-endpoint-at = { $address }, API { $api }
fact-window-of = { $tokens } tokens, { $from }; an answer has at most { $output }
fact-used-of = { $about }{ $used } of { $room } tokens for requests, { $percent } %
fact-usage = { $taken } read, { $written } written
fact-cached = , { $cached } of what was read from the cache
fact-price-of = { $input } USD a million read, { $output } written
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

## What `doctor` found

check-config = read: `{ $file }` and what is layered over it
check-no-config = `{ $file }` is not there; defaults count
fix-config = `benchdog config check` says where; fix it there.
check-endpoint = `{ $address }` (provider `{ $name }`)
check-no-endpoint = no provider is configured, and no server answers on the usual ports of this machine
check-no-endpoint-but-found = no provider is configured; on this machine answers `{ $servers }`
fix-found = `benchdog --setup` takes one of them, or run with `--base-url { $address }`.
check-took-too-long = not everything could be asked within { $seconds } s
check-no-proxy = none
check-proxy = `{ $address }`, by `{ $by }`
check-no-server = `{ $address }` names no server and port
fix-address = Write `base_url` as `http://HOST:PORT/v1`.
check-name = `{ $host }` is { $address }
check-name-unknown = `{ $host }` is not known: { $error }
check-name-silent = nobody said within { $seconds } s where `{ $host }` is
fix-name = Check the name in `base_url`, or write the address in its place.
check-connected = { $place } answers in { $ms } ms
check-not-connected = { $place }: { $why }
check-silent = nothing came for { $seconds } s
check-held-offline = `network.offline` is on, and `{ $host }` is neither this machine nor a private address: it was not asked
fix-offline = Add `{ $host }` to `network.allowed_hosts`, or set `network.offline` to false.
check-trusted = { $chain } is trusted, and valid until { $until }
check-unknown-issuer = Certificate not trusted: { $chain }
fix-save-last = Save the last certificate the server sends, `{ $subject }`, as a PEM file, and set `network.ca_file` to it. `openssl s_client -showcerts -connect { $host }:{ $port } </dev/null` prints it.
fix-save-issuer = Get the certificate of `{ $issuer }`, which the server does not send, from those who run it. Save it as a PEM file, and set `network.ca_file` to it.
check-expired = `{ $subject }` was valid until { $until } ({ $chain })
check-not-yet-valid = { $chain } is valid from { $from } on
fix-expired = Renew it at the server. Where the clock is wrong, set it: today is { $today } here.
check-for-others = { $chain } is for `{ $names }`, not for `{ $host }`
fix-for-others = Write one of those names in `base_url`, or have the server use a certificate for `{ $host }`.
check-not-accepted = { $chain }: { $why }
check-no-handshake = no certificate was shown: { $why }
fix-not-accepted = Ask those who run the server or the proxy before it.
check-no-tls = `{ $host }` does not speak TLS
fix-tls = For a private authority set `"provider": {"{"}"{ $name }": {"{"}"ca_file": "/path/ca.pem"{"}"}{"}"}`, or `network.ca_file`.
fix-key = `benchdog auth set { $name }` keeps a key, or set a variable of `api_key_env`.
check-models = { $count } offered
check-no-models = the server offers no model
fix-no-models = Load one at the server (Ollama: `ollama pull NAME`).
check-offered = `{ $id }` is offered
check-other-name = the server has `{ $own }` and answers to `{ $id }` with it
check-not-offered = `{ $id }` is not offered
fix-model = Set `model` to `{ $near }`, or load the other at the server.
check-window-too-large = { $configured } tokens are configured, and the server holds { $told }
fix-window = Set `context` of `{ $id }` to { $told }, or start the server with more.
check-window-of-both = { $configured } tokens as configured; the server holds { $told }
check-window-configured = { $configured } tokens as configured; the server does not say
check-window-told = { $told } tokens as the server says
check-window-unknown = 32,768 tokens are assumed: neither the configuration nor the server says
check-answered-nothing = the answer was empty
fix-slow = It may be loading the model: try again in a minute.
check-called = the model called a tool by the protocol
check-not-called = the model called no tool although it was asked to
check-wrote-call = The model calls tools when they are described as text.
fix-by-text = Set `tools` of `{ $id }` to `text`, unless the server can be started with a parser.
check-wrote-no-call = The model cannot call tools.
fix-wrote-no-call = Choose another model: this one cannot change files.
check-kept = { $kept } of { $prompt } tokens of the second request were not read again
check-kept-nothing = { $prompt } tokens with the same beginning were read again
fix-cache = Have the server keep prefixes (vLLM: `--enable-prefix-caching`; llama.cpp: `--cache-reuse 256`, and a slot for each session).
check-kept-untold = the server does not tell; the first word came after { $once } ms, then after { $again } ms
check-counts = { $counted } tokens by the server’s tokenizer, ~{ $estimated } estimated
check-counts-with-answers = { $counted } tokens as the answer tells them, ~{ $estimated } estimated; texts are not counted beforehand
check-no-counts = the server counts nothing: figures stay estimates
fix-no-counts = A proxy before the server must let `stream_options` and `usage` through.
fix-call = Start the server with a parser for tool calls (vLLM: `--enable-auto-tool-choice --tool-call-parser NAME`; llama.cpp: `--jinja`), or choose another model.
check-no-folder-yet = `{ $folder }` is made with the first session
check-writable = `{ $folder }` can be written
check-not-writable = `{ $folder }` cannot be written: { $error }
fix-owner = `chown -R "$USER" { $folder }`, or choose another place with `BENCHDOG_HOME`.
check-private = only you read sessions and keys
check-not-private = others may look into { $paths }
fix-private = `chmod -R go= { $paths }`
check-free = { $megabytes } MB are free
fix-space = Make room: a session that cannot be written ends its turn.
check-plain-terminal = this terminal places no cursor
fix-terminal = Set `TERM`; without it Benchdog is lines (`--linear`).
check-copies-by = by `{ $tool }`
check-copies-by-terminal = by the terminal (`OSC 52`), which does not say whether it takes it
check-no-clipboard = nothing takes what is copied
fix-clipboard = Install `wl-copy`, `xclip` or `xsel`, or use a terminal that knows `OSC 52`.
check-locale = { $locale }
check-not-utf8 = `{ $locale }` is not UTF-8: other programs may write signs that are not shown
fix-locale = `export LANG=C.UTF-8`
check-no-git = not found: no status of files, no worktrees
fix-git = Install git.
check-no-rg = not found, and not needed: searches are built in
check-answered = the first word came after { $first } ms
check-speed = the first word after { $first } ms, then ~{ $rate } tokens/s
check-speed-first = the first word after { $first } ms; the rest came with it
fix-speed = Choose a smaller model or a smaller quantisation, or have more of it in the memory of the GPU.
check-terminal = { $name }, colours: { $colours }{ $size }

## Where keys count, as the help groups them

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

## A request that waits

approval-why-not = Why not? The model reads this.
approval-comment = Comment on { $path }:{ $line }. The model reads it with your decision.
approval-editing = { $path }, lines { $first } to { $last } of { $all }
approval-saved-beside-edit = the file changed on disk beside your edit: both are here
approval-edit-replaces-saved = the file changed on disk where you edit: what you save here replaces that
comments-head = Comments on the proposal:
comment-proposed = { $path }:{ $line }, as proposed
comment-before = { $path }:{ $line }, as it was
approval-always-session = From now on, until this session ends, this is allowed without asking:
approval-always-child = From now on, until { $child } ends, this is allowed to that agent alone without asking:
approval-always-project = In every session of this workspace, until /permissions takes it back, this is allowed without asking:
approval-brief-session = Until this session ends:
approval-brief-child = Until { $child } ends, it alone:
approval-brief-project = In all sessions here:
covers-exactly = exactly this
covers-each = every call of { $name }
covers-folder = all in this folder
covers-all = all of it in the workspace
covers-any = whatever it is called with
covers-no-options = any `{ $command } …` without options
covers-options = { $count ->
    [one] any `{ $command } …` whose only option is { $options }
   *[other] any `{ $command } …` whose only options are { $options }
    }
covers-line = alone or combined with harmless commands
approval-this-rule = Why it asks:
approval-question = the model asks you
approval-limit = a limit is reached
approval-loop = it goes in circles
approval-denials = nothing is allowed
question-go-on = The turn has made { $steps } requests, its limit. Go on?
question-loop = `{ $call }` was asked { $times } times with the same result. Go on?
question-denials = What the model wanted was refused { $times } times in a row. Go on?
answer-go-on = go on
approval-server-asks = a server asks
answer-server-told = Fill in the form
answer-server-not-told = Decline
answer-leave-out = leave it out
answer-left-out = left out
answer-enter-leaves-out = empty: it is left out
answer-end-turn = stop
plan-asked = the model hands over its plan
plan-with-edits = do it, apply edits without asking
plan-with-approvals = do it, ask before each change
plan-leave = leave it for now
plan-title = plan
plan-none = No plan yet. Press Shift+Tab for plan mode.
plan-wanted = `/plan` reads it, `/plan change` opens it in $EDITOR, `/plan export` and a path writes it to a new file, `/plan list` names those in the folder, `/plan open` and a name takes one up
plans = Plans in this folder, the newest first; `/plan open` and a part of the name takes one up:
plans-none = No plan lies in this folder yet (`plan-….md`); `/plan export` writes one.
plan-opened = the plan of { $path } is the session's now; `/execute` has it carried out
plan-no-such = `{ $named }` is no plan here and no file; `/plan list` names the plans.
plan-several = Several plans are meant by that: { $names }
plan-empty = { $path } is empty.
plan-unread = The plan was not read: { $said }
plan-carry-out = Carry the plan out now, step by step; the todo list holds its steps.
init-look = Look at this project and write down what one must know to work on it, in English:
plan-exported = the plan is in { $path }
plan-not-exported = the plan was not written: { $why }
approval-dangerous = dangerous: always asked
approval-unknown = unknown, not proven harmless: always asked
approval-external = external, acts outside this folder: asked
approval-catastrophic = catastrophic: your configuration asks
layer-guard = guard, cannot be switched off
layer-default = default
layer-user = your configuration
layer-project = the folder's configuration
layer-file = --config
layer-environment = environment
layer-flag = a flag
layer-agent = the agent
layer-remembered = remembered for this workspace
layer-session = this session
approval-key-send = deny with this reason
approval-key-grant = allow from now on
approval-key-enter-first = before deciding
approval-key-less = less
approval-key-more = more
approval-key-lasts = for how long
approval-key-choose = choose
approval-key-leave = back to the prompt
approval-key-kept = apply selected
approval-key-once = allow once
approval-key-allow = allow
approval-key-always = always…
approval-key-deny = deny
approval-key-deny-nothing-kept = deny: no hunk is kept
approval-key-reason = deny with a reason
approval-key-reason-short = reason
approval-key-comment = comment
approval-key-keep-comment = keep this comment
approval-key-propose = propose this text
approval-key-outside = in $EDITOR
approval-key-line = line
approval-key-file = file
approval-key-keep = select hunk
approval-key-keep-short = select
approval-key-edit = edit
approval-key-why = why
command-writes = writes
command-removes = removes
command-in = in
command-reason = reason
command-risk = risk
command-risk-high = high, says the model
command-stops = stops
command-runs = runs
command-prints = prints
command-prints-for-model = what the model reads with your next prompt

## A change as a diff

change-create = create
change-update = update
change-delete = delete
change-lines-stay = the lines stay as they are
change-empty = the file is empty
change-edited = edited by you
change-dropped-as-whole = what you had dropped is another change now: it is dropped as a whole
change-dropped-is-gone = a change you had dropped is not found any more: look at all that is left

## Cards beside the prompt

start-nothing = No model server was found on this computer.
start-how = Press Enter or /setup to search again or to enter an address.
start-demo = `benchdog demo` shows Benchdog without a model.
start-found = Found on this computer:
start-no-models = no model: load one there (Ollama: `ollama pull NAME`)
start-choose = Press Enter or /models to choose one.
setup-title = model server
setup-address = Address
setup-key = Key
setup-test = Test
setup-address-example = 127.0.0.1:8000 or https://api.example.com/v1
setup-key-optional = only if the server wants one
setup-begin = Enter the address of a server that speaks the OpenAI API.
setup-no-address = Enter an address first.
setup-testing = Asking { $address } …
setup-answers = { $address } works. Choose a model and press Enter.
setup-no-models = { $address } answers, but offers no model. Load one there, then test again.
setup-keys = { $up } { $down } move · { $take } test or use · { $close } close
setup-other = Another address …
trust-rules-of-folder = rules of this folder
log-title = log
log-nothing = Nothing has been logged: `logs.level` is `off`, or nothing happened yet.
trust-nothing-asked = no trust is asked for here
trust-list = /trust files  names each
service-how = It starts only if you say so, and goes on when Benchdog ends:  /serve starts it
trust-how = Not used until you trust this folder:  /trust uses them   /distrust ignores them

## What is said for a moment

toast-nothing-changed = this session changed no file yet
toast-todo-wanted = write `/todo add` and the words, or `/todo change`, the number of an item and its new words
toast-only-read = what was said stays as it is: the change was not kept
toast-nothing-made = this change was not made: the file is as it was
toast-no-difference = the files are as they were before this session
toast-no-spot = No place in a file is named here.
toast-nothing-differs = nothing differs
toast-nothing-to-copy = there is nothing to copy yet
toast-moving-selects = moving selects now
toast-moving-moves = moving selects no more
toast-nothing-selected = nothing is selected
toast-nothing-to-paste = nothing was copied here yet ({ $key }: the image on the clipboard)
toast-only-once = this can only be allowed once: { $why }
toast-no-text = this file is no text to edit
toast-file-goes = this change removes the file: drop it, or lines of it, to edit what stays
toast-only-whole = this file is not all UTF-8: edited, it can only be kept or dropped whole
toast-no-comment = no line here to comment on
toast-not-edited-here = this text cannot be edited here without a loss: E opens it in $EDITOR
toast-leaves-edit = the text was changed: once more drops the changes
toast-press-the-key = a click decides nothing: press the key
toast-no-such-answer = there is no answer of that number
toast-no-file-at-hand = no file is at hand
viewer-image = { $kind } image, { $width } × { $height }, { $bytes } bytes
viewer-broken-image = { $kind } image that cannot be read, { $bytes } bytes
viewer-no-text = no text: { $bytes } bytes
toast-no-line = no changed line here that can be kept or dropped alone
toast-is-earlier-prompt = your text has no place here any more: { $key } finds it among earlier prompts
toast-is-earlier-prompt-only = your text has no place here any more; it is an earlier prompt now
toast-undo-waits = an `/undo` waits for your answer already: { $key } leads there
toast-undo-waits-only = an `/undo` waits for your answer already
toast-enter-first = Press { $key } before you decide this.
toast-chords-off = Alt+Y and Alt+N are turned off (`ui.alt_decides`).
approval-empty = Waiting for the next change.
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
toast-nothing-waits = nothing waits for you
toast-mouse-on = the mouse is on
toast-mouse-off = the mouse is off: the terminal selects
toast-seat-closed = closed: { $title }
toast-shown-anew = the file changed on disk; this is the change against what is there now
toast-fits-not = The file changed on disk. This edit no longer applies.
toast-fits-again = it fits the file again
toast-draft-is-back = your draft from { $at } is back
toast-decided-in-order = not asked yet, so nothing is decided here: { $back } goes back
toast-decided-in-order-only = not asked yet, so nothing is decided here
toast-last-request = nothing behind this can be looked at yet
toast-first-request = this is the first that waits
toast-allowed-unseen = what this would allow does not fit: a larger window shows it
toast-reads-on = not all of it was on screen yet: { $key } reads on
toast-reads-on-briefly = { $key } reads on
toast-agent-waits = a request waits: answer it first, or choose an agent by its name with /agent
toast-nothing-folded = nothing is folded in this file
toast-nothing-to-unfold = there is no folded paste at the caret
copied-selection = selection
copied-to-clipboard = clipboard
copied-to-tmux = tmux buffer; system clipboard if tmux allows it
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
copied-counts = counts

## Plain lines

by-person = the person
by-policy = the policy
by-timeout = timeout: nobody answered in time
plain-call = call
plain-engine-gone = the engine stopped before the turn had ended
plain-go-on = `benchdog run -c` goes on from what was stored
sessions-none = There are no sessions yet.
sessions-entries = entries
sessions-deleted = deleted
session-sound = { $count ->
    [one] { $id }  sound  1 entry
   *[other] { $id }  sound  { $count } entries
    }
session-damaged = { $id }  damaged  { $sound } of { $written } entries can be read
session-unchecked = { $id }  not checked: { $why }
session-saved = { $count ->
    [one] 1 entry is saved in the new session { $id }; the damaged file is as it was
   *[other] { $count } entries are saved in the new session { $id }; the damaged file is as it was
    }
flaw-more = and { $count } more
flaw-missing-one = entry { $entry } cannot be read as it was written
flaw-missing = entries { $from } to { $upto } cannot be read as they were written
flaw-orphaned = entry { $entry } is the result of a call that cannot be read; it is not saved
flaw-body = the bytes of a file are not what was stored: { $blob }
flaw-description = its title, folder and model cannot be read
flaw-file = the file: { $reason }
demo-begins = A recording answers here, not a model: what it proposes is fixed, what is done with it is real.
demo-passes = The sample's check passes.
demo-fails = The sample's check still fails.

## Screen: words with values

screen-closes = { $key } closes
screen-or = { $one } or { $other }
prompt-hint = ask, or { $key } for all commands
prompt-hint-slash = ask, or `/` for commands
prompt-paste = paste { $number }: { $size }
prompt-full = more than { $size } MiB do not fit here; put it into a file and name that with `@`
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
retry-row = { $reason }: the server is asked again
status-speed = ~{ $rate } tok/s
context-kept = { $tokens } kept
context-tokens = { $used } of { $limit } tokens
model-window = { $thousands } k window
start-more = { $first } and { $count } more
trust-more = { $count ->
    [one] { $count } more file
   *[other] { $count } more files
    }
trust-skills = { $count ->
    [one] { $count } skill
   *[other] { $count } skills
    }
service-offered = Nobody listens at { $place }. This would start a server there:  { $command }
trust-brings = This folder brings its own rules: { $files }.

## Requests and changes: words with values

approval-default-rule = Default rule: `{ $key }` asks.
approval-from = Set by: { $layer }.
approval-asked = asked: { $rule }
approval-place = { $at } of { $all }
approval-place-alone = request { $at }
approval-looked-ahead = not asked yet: decided in order
approval-moved = shown anew: changed on disk
approval-fits-not = does not fit: changed on disk
approval-keeps-changing = keeps changing on disk
approval-at-file = file { $at }/{ $all }
approval-at-hunk = hunk { $at }/{ $all }
approval-hunk = hunk { $number }
command-stops-after = after { $seconds } s
command-in-background = in the background, until the session ends
command-in-background-for = in the background, for { $seconds } s at the most
change-mode = mode becomes { $mode }
command-removes-files = { $path }  { $files }, { $size }
command-removes-more = { $path }  more than { $files }, { $size }
command-removes-at-most = { $path }  at most { $files }, { $size }
command-removes-unknown = { $path }  too many to count
command-removes-nothing = { $path }  no file there
change-not-text = not text: { $before } bytes before, { $after } bytes after
change-renamed = rename from { $path }
change-copied = copy of { $path }

## Said for a moment: words with values

toast-copied = Copied: { $what } ({ $to })
toast-not-copied = { $what } not copied: { $why }
no-image-far = the clipboard is on the machine you sit at: copy the image here and name it with @
no-image-tool = nothing here reads the clipboard: wl-paste or xclip does
no-image-there = there is no image on the clipboard
no-image-large = the image is larger than { $most } MB, the most that is sent
no-image-silent = the clipboard did not answer
no-image-kept = the image could not be kept: { $why }
toast-editor = editor: { $why }
toast-cleared = cleared: { $key } brings it back
toast-cleared-only = cleared
toast-once-more = { $key } once more leaves
toast-no-command = there is no command `/{ $name }`; `/` lists them
toast-no-command-near = did you mean `/{ $meant }`? there is no `/{ $name }`
toast-theme = theme { $name }
theme-for-now = Theme `{ $name }` until you leave; `"ui": { "{" } "theme": "{ $name }" { "}" }` in config.jsonc keeps it (`benchdog config path`).
toast-git-shell = `{ $sign }` is for a shell: put it in quotes, or write `!git …`
toast-git-unfinished = `{ $sign }` is not closed: nothing was run
toast-git-option = `{ $option }` can have git run another program or work elsewhere: it is left out here, or written after `!git`
toast-no-theme = there is no theme `{ $name }`; `/theme` lists them
toast-no-theme-near = did you mean `{ $near }`? there is no theme `{ $name }`
toast-takes-nothing = `/{ $name }` takes nothing behind it; nothing was done
toast-takes-only = `/{ $name }` takes only `{ $takes }` behind it; nothing was done
toast-no-hunk = no hunk is kept: { $key } denies
toast-not-bound = { $key } is not bound

## What `doctor` says

doctor-level = confinement: `sandbox.level` is { $level }, `sandbox.network` is { $network }; what this system can do of it:
doctor-holds = { "  " }{ $part }: holds
doctor-missing = { "  " }{ $part }: missing ({ $why })
doctor-incomplete = where a part is missing, a command that relies on it asks, and in `run`, where nobody is asked, it is denied; docs/SAFETY.md says how to get the part, and `sandbox.level: "off"` in your own configuration runs commands unconfined
doctor-none-withheld = environment: no variable that is set here is withheld from commands
doctor-withheld = environment: withheld from commands: { $names }
doctor-passed = environment: passed by `sandbox.pass_env`: { $names }

## Plain lines: words with values

plain-allowed = allowed by { $who }
plain-always = always allowed by { $who }
plain-denied = denied by { $who }
plain-note = note: { $text }
plain-error = error: { $text }
wanted-whole = it is a whole number from 1 on, such as `{ $example }`
wanted-at-most = it is at most { $most }
wanted-number = it is a number from 0 to { $most }, such as `{ $example }`
wanted-dollars = it is an amount of dollars, such as `0.50`
plain-retry = … attempt { $number } failed ({ $reason }); trying again in { $seconds } s
plain-unwritable = standard output cannot be written ({ $error }); the turn is ended.
plain-passed = check passed: { $command }  { $summary }
plain-failed = check failed: { $command }  { $summary }
demo-again = Look at it again with: benchdog -C { $folder } -c
leave-comes-back = Go on with: { $command }
plain-todo = todo { $done }/{ $all }
plain-steps = { $count ->
    [one] { $outcome }, { $count } step
   *[other] { $outcome }, { $count } steps
    }

## Where the workbench is lines

linear-begins = Benchdog, line by line. Model { $model }, folder { $folder }.
linear-begins-without-model = Benchdog, line by line, in { $folder }. No model is chosen yet.
linear-helps = /help says what can be written here.
linear-help = Write a prompt and press Enter; the answer follows as text. While a turn works, a prompt waits its turn. """ on a line of its own begins a prompt of several lines and ends it. !command runs a command, and asks first where it does more than read.
    What asks is answered with a whole word: yes, no, no and a reason, always and its number. So are 是 不 总是, はい いいえ 常に, 예 아니요 항상. No answer is a no.
    Ctrl+C stops the turn, twice leaves. Ctrl+D on an empty line leaves.
linear-no-model = Set `BENCHDOG_BASE_URL`, and `BENCHDOG_MODEL` where the server offers several, before you start Benchdog; or name a provider in the file that `benchdog config path` prints. docs/servers.md has one for each server.
linear-help-row = What can be written here
linear-new-row = New session in place of this one
linear-plan-row = Read the plan
linear-needs-screen = /{ $command } needs the full screen: start Benchdog without `--linear`, in a terminal that places its cursor.
linear-always = always { $number }: { $rules }, { $lasts }
linear-in-session = until this session ends
linear-in-child = for this agent alone, until it ends
linear-in-project = in every session of this workspace
linear-allow = Allow it? Write yes, no, or no and a reason.
linear-allow-or-always = Allow it? Write yes, no, no and a reason, or always and its number.
linear-go-on = Write yes to go on, or no to end the turn.
linear-choose = Write the number of one, or an answer in your own words.
linear-choose-some = Write the numbers of those you choose, or an answer in your own words.
linear-number-only = Write the number of one.
linear-numbers-only = Write the numbers of those you choose.
linear-in-own-words = Write an answer.
linear-empty-leaves-out = An empty line leaves it out.
linear-empty-gives = An empty line answers `{ $answer }`.
linear-leaves-out = `{ $line }` leaves it out.
linear-fetching = Waiting for the server `{ $server }`, { $seconds } s at most. Ctrl+C leaves it, and nothing is sent.
linear-answer = your answer:
linear-undecided = That decides nothing.
linear-early = What was typed before the question does not count.
linear-nobody = Nobody can answer here: standard input is no terminal. It is denied.
linear-unanswered = No answer: it is denied.
linear-whole = It is decided as a whole here; the full screen keeps or drops single parts of it.
linear-writing = Write as many lines as you like; """ ends the prompt.
linear-waits = Something asks; it is shown when the prompt is ended with """.
linear-dropped = What was written is dropped.
linear-reads-on = { $count ->
    [one] { $count } more line: write more to read on.
   *[other] { $count } more lines: write more to read on.
    }
linear-goes-on = … it goes on; its last { $lines } lines follow when it ends
linear-waits-its-turn = waits its turn: { $text }
linear-not-sent = not sent: { $text }

## What ends a command before it has begun, or instead of its work

trouble-no-effect = `{ $flag }` has no effect here.
trouble-no-effect-hint = Leave it out; it counts for the workbench and for `benchdog run`.
trouble-not-built = `benchdog { $command }` is not built yet.
trouble-not-built-hint = `benchdog --help` lists the commands there are.
trouble-misspelt = There is no command `{ $word }`; did you mean `{ $meant }`? A prompt has more than one word: benchdog "explain { $word }"
trouble-no-agent = There is no agent `{ $name }`.
trouble-no-agent-but = Did you mean `-a { $nearest }`? There are: { $known }.
trouble-no-agent-hint = There are: { $known }.
trouble-subagent = The agent `{ $name }` is given work by others, and nobody works with it.
trouble-inner-agent = The agent `{ $name }` does one job inside of Benchdog.
trouble-no-tool = `--tools`: { $told }.
trouble-no-tool-hint = `benchdog docs tools` lists those there are.
trouble-no-prompt = There is no prompt.
trouble-no-prompt-hint = Give it as an argument or on standard input: `benchdog run "why does the test fail?"`.
trouble-stopped = Stopped before the run had begun.
trouble-out-of-time = The time of `--timeout` was over before the run had begun.
trouble-not-begun-hint = Nothing was sent. A run waits for standard input until that is closed (`< /dev/null` closes it), and for a server where no model is named.
trouble-no-session = There is no earlier session of `{ $folder }`.
trouble-key-missing = The provider `{ $name }` wants a key, and none of its variables is set: `{ $variables }`. Nothing was sent.
trouble-key-missing-hint = Set one of them, or keep a key with `benchdog auth set { $name }`.
trouble-no-model = No model is configured.
trouble-no-model-hint =
    Point at a server:   BENCHDOG_BASE_URL=http://127.0.0.1:8000/v1 BENCHDOG_MODEL=name benchdog
      or once and for all: name a provider in the file `benchdog config path` prints
      or look around:      benchdog demo
trouble-no-home = There is no home folder.
trouble-no-home-hint = Set `HOME` or `BENCHDOG_HOME`.
trouble-no-folder = The folder `{ $folder }` cannot be entered: { $error }
trouble-no-folder-hint = Name an existing folder with `-C`.
trouble-no-terminal = The workbench needs a terminal.
trouble-no-terminal-hint = Start it in a terminal, or use `benchdog run` for one turn without a screen, or `--linear` for lines.
trouble-setup-needs-terminal = `--setup` needs a terminal that places its cursor: it asks which server and which model to take.
trouble-setup-needs-terminal-hint = Without one, write `{ $file }` with `provider` (a name and its `base_url`) and `model` (that name, a slash and the model); docs/servers.md has a block for each server.
trouble-no-command-tool = There is no tool that runs commands.
trouble-demo = The sample project cannot be laid out in `{ $folder }`: { $error }
trouble-demo-hint = Make room there, or set `BENCHDOG_HOME` to a folder that can be written.
trouble-no-price = `--max-cost` or `limits.cost` limits nothing: no price is configured for the model.
trouble-no-price-hint = Say `price.input` and `price.output` of the model, in dollars per million tokens.
trouble-no-provider = No provider `{ $name }` is configured.
trouble-no-provider-hint = Configured are: { $known }.
trouble-no-server = `{ $address }` names no server that a key could be stored for.
trouble-no-key = That is no key: it is empty or has blanks in it.
trouble-no-key-hint = Type it, or give it as one line: `benchdog auth set PROVIDER < FILE`.
trouble-no-stored-key = No key is stored for `{ $name }`.
trouble-no-stored-key-hint = `benchdog auth list` shows what is.
trouble-not-written = `{ $file }` cannot be written: { $error }
trouble-not-written-hint = What stood in it stays. Make room on its disk, or make it writable for you, and try again.
auth-wanted = Key of { $provider }:{" "}
auth-set = The key is stored for { $provider } at { $server }, and for no other server. It counts where no variable holds a key.
auth-removed = The key of { $provider } is forgotten.
auth-row = { $provider }  { $server }  { $from }
auth-variable = key in { $name }
auth-stored = stored key
auth-nowhere = no key
auth-unused = stored, and of no use: no configured provider has this server
trouble-file = `{ $file }` cannot be read: { $error }
trouble-input = Standard input cannot be read: { $error }
trouble-output = Standard output cannot be written: { $error }
trouble-output-hint = Make room where it goes, or raise the limit for files (`ulimit -f`).
trouble-signals = Signals cannot be heard: { $error }
trouble-threads = The program cannot start its threads: { $error }
trouble-key-of-a-project = `{ $key }` is not a project's to set: its keys answer a request; remove it here; a person may set it in a file of their own
trouble-check-hint = `benchdog config check` reads every layer and says more.
trouble-replay-hint = Name a file that `--record` wrote.
trouble-record-hint = Name a file that can be written, where there is room.

## What stands beside a call that has ended.

summary-empty = empty
summary-no-match = no match
summary-unchanged = unchanged
summary-nothing-kept = nothing kept
summary-no-answer = no answer
summary-plan-accepted = plan accepted
summary-plan-left = plan left
summary-denied = denied
refused-unanswered = nobody answered in time
summary-not-run = not run
summary-interrupted = interrupted
summary-out-of-time = out of time
summary-not-saved = not saved
summary-result-unknown = result unknown
failed-ambiguous = ambiguous
failed-bad-arguments = bad arguments
failed-bad-decision = bad decision
failed-bad-path = bad path
failed-binary = binary
failed-cancelled = cancelled
failed-both-changed = both changed
failed-conflict = conflict
failed-encoding = encoding
failed-exists = exists
failed-failed = failed
failed-hunk-failed = hunk failed
failed-image = image
failed-internal = internal
failed-invalid-patch = invalid patch
failed-io = io
failed-no-access = no access
failed-no-change = no change
failed-no-children = no children
failed-no-match = no match
failed-no-room = no room
failed-not-a-file = not a file
failed-not-a-folder = not a folder
failed-not-answered = not answered
failed-not-confined = not confined
failed-not-found = not found
failed-not-read = not read
failed-not-started = not started
failed-outside-workspace = outside workspace
failed-past-the-end = past the end
failed-read-only = read only
failed-redacted-text = redacted text
failed-symlink-changed = symlink changed
failed-symlink-escape = symlink escape
failed-symlink-loop = symlink loop
failed-too-large = too large
failed-too-long = too long
failed-too-many-jobs = too many jobs
failed-unknown-item = unknown item
failed-unknown-job = unknown job
failed-unknown-tool = unknown tool
failed-unproven = unproven
failed-budget-over = budget over
failed-denied = denied
failed-loop = loop
failed-steps-over = steps over
failed-time-over = time over
failed-window-over = window over
failed-unreadable-call = unreadable call
told-ambiguous = What is to be replaced stands in more than one place. Nothing was changed.
told-bad-arguments = The model called this tool in a form that it does not take. Nothing was done.
told-conflict = What is on disk is not what the change was made from. Nothing was changed.
told-exists = A file of this name is there already. Nothing was written.
told-hunk-failed = A part of the change does not fit what the file holds now. Nothing was changed.
told-invalid-patch = What the model wrote cannot be read as a patch. Nothing was changed.
told-no-change = The new text is the same as the old one. Nothing was changed.
told-no-match = What is to be replaced does not stand in the file. Nothing was changed.
told-outside-workspace = This lies outside the folder of the session. Nothing was done.
told-unknown-item = The model named an item that the list does not have.
told-unknown-tool = The model called a tool that this session does not have. Nothing was done.
told-unproven = The places that the model named do not show what it says. Its answer was not taken.
told-budget-over = The tokens or the money of this run are spent. What the agent did until then stays.
told-denied = What the agent wanted was refused again and again. What it did until then stays.
told-loop = The agent went round in a loop and was ended. What it did until then stays.
told-steps-over = The agent had made all its requests before it was done. What it did until then stays.
told-time-over = The time of the agent was over before it was done. What it did until then stays.
told-window-over = The window of the agent is full: it needs a smaller piece of the work.
told-unreadable-call = The call of the model cannot be read. Nothing was done.
summary-images = { $count ->
    [one] { $number } image
   *[other] { $number } images
    }
summary-with-images = { $summary }, { $images }
summary-unseen = { $images } not sent: the model sees none
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

# Commands in the background, and prompts that are sent again and again.
jobs-title = in the background
jobs-none = Nothing runs in the background.
jobs-nothing-written = It has written nothing.
jobs-running = { $count ->
    [one] 1 job
   *[other] { $count } jobs
    }
job-runs = runs { $took }
job-ends = { $key } once more ends { $job } with all it has started
job-wanted = It is `/jobs end ID`, with an ID such as bg_1.
job-none = There is no command { $job }; `/jobs` lists those there are.
job-over = { $job } has ended already.
jobs-keys = { $end } ends it · { $copy } copies
copied-output = output
loops = prompts sent again and again
loops-none = No prompt is sent again and again.
loops-keys = Enter stops it
loops-going = { $count ->
    [one] 1 loop
   *[other] { $count } loops
    }
loops-stopped = { $count ->
    [one] 1 loop was stopped
   *[other] { $count } loops were stopped
    }
loops-ended = The loops ended with their session
loops-full = 50 loops are the most: stop one first
loop-wanted = It is `/loop INTERVAL PROMPT` with an interval from 30s to 24h, or `/loop stop N`
loop-of-command = A loop sends a prompt, not a command
loop-begun = loop { $number }: every { $every }, until this session ends
loop-stopped = loop { $number } was stopped
loop-failed = loop { $number } was stopped: its turn did not go well
loop-unknown = There is no loop { $number }
loop-skipped = a loop waits for its next time: something is under way
loop-stands = every { $every }, next in { $next }
loop-skipped-times = { $stands }, skipped { $times }×

## Several sessions in one window

seat-waits = waits
seat-works = works
seat-ended = done
seat-idle = idle
seats-wait = { $count ->
    [one] 1 waits
   *[other] { $count } wait
    }
seats-work = { $count ->
    [one] 1 works
   *[other] { $count } work
    }
seats-ended = { $count } done
switchboard-keys = Enter goes there · { $new } new beside · { $close } close
seats-only-one = This is the only session here; { $key } opens one beside it
seats-last = The only session stays; { $key } quits
seats-waits-elsewhere = waits in: { $title } · { $key } goes there
picker-closing = close this session?
closing-not-open = This session is not open: there is nothing to close.
closing-of = { $title }: { $runs }
closing-stays = Leave it as it is
closing-stops = End what runs there and close the session
picker-leaving = leave?
leaving-stays = Stay
leaving-leaves = Stop it and leave
leaving-turns = { $count ->
    [one] A turn is at work.
   *[other] { $count } turns are at work.
    }
leaving-jobs = { $count ->
    [one] A command runs in the background.
   *[other] { $count } commands run in the background.
    }
age-now = now
age-minutes = { $number } min
age-hours = { $number } h
age-days = { $number } d

notice-worktree-made = Working in worktree `{ $worktree }` (branch `{ $branch }`).
worktree-uncommitted = { $count ->
    [one] Not copied: 1 changed file of the main tree.
   *[other] Not copied: { $count } changed files of the main tree.
    }
worktree-ignored = Not copied (git-ignored): { $names }.
worktree-ignored-more = Not copied (git-ignored): { $names } and { $more } more.
notice-worktree-removed = The worktree `{ $worktree }` is gone, with its branch.
notice-worktree-changed = The worktree `{ $worktree }` has changed since it was listed, so it stays. List it again.
worktree-no-git = There is no program `git`; worktrees need it.
worktree-no-repository = This folder is in no git repository; worktrees need one.
worktree-bare = This repository is bare: it has no files to work on. Start in a clone of it.
worktree-unborn = Nothing is committed in this repository yet; a worktree begins from a commit.
worktree-bad-name = No worktree can be called `{ $name }`.
worktree-taken = `{ $name }` is taken: there is a folder or a branch `{ $branch }` already. Choose another name.
worktree-filters = This repository runs programs as files are written ({ $names }). Trust its folder first (`--trust`, or /trust), or take them out of its configuration.
worktree-unknown = There is no worktree `{ $name }`; /worktree list shows those there are.
worktree-in-use = A session works in the worktree `{ $name }`. Close it first.
worktree-slow = git took longer than { $seconds } s and was stopped.
worktree-too-long = What git says is longer than 64 MB. Compare fewer files, or take the branch over with git itself.
worktree-failed = git made no worktree: { $said }
worktree-changed = { $count ->
    [one] 1 changed file
   *[other] { $count } changed files
    }
worktree-ahead = { $count ->
    [one] 1 commit
   *[other] { $count } commits
    }
worktree-spent = nothing that is only there
worktree-keys = Enter works there · { $remove } remove
worktree-lost = Only in `{ $worktree }`, and lost with it: { $what }
picker-worktrees = worktrees
picker-removing = remove this worktree?
removing-stays = Keep it
removing-goes = Remove it, with all that is only there
worktree-none = There are no worktrees here; /worktree NAME makes one
notice-nothing-to-merge = `{ $branch }` changed nothing that could be taken over.
notice-merged-here = Merging { $branch } into { $folder }. Review below.
notice-not-merged = Not taken over, because they are no text: { $files }.
merge-before = before
merge-here = here
merge-there = there
merge-no-lines = (no such lines)
merge-both-changed = { $place } was changed on both sides and stays as it is here:
merge-left-out = changed on both sides, and left out: line { $lines }
undo-busy = A turn is running: take its changes back when it has ended.
undo-nothing = No change of this session is left to take back.
undo-nothing-of = This session has no change of `{ $path }` left to take back.
undo-no = Nothing is taken back: { $why }. `/undo PATH` takes back the last change of another file.
undo-without = Not taken back with the rest: { $why }.
undo-older = Left as it is: { $why }. An older change is proposed.
undo-more = { $more } more
undo-changed = `{ $path }` was changed since in the same lines
undo-grown = `{ $path }` was changed since it was made
undo-gone = `{ $path }` is not there any more
undo-there = `{ $path }` is there again
undo-not-kept = what `{ $path }` held is not kept
undo-mode-alone = of `{ $path }` only the mode was changed, which is not taken back here
undo-mode-alone-from = of `{ $path }` only the mode was changed, which is not taken back here; `chmod { $mode }` does it
undo-unreadable = `{ $path }` cannot be read ({ $error })
undo-left-out = changed since, and left as it is: line { $lines }
undo-mode-not-kept = the mode it had is not kept: only you may read and write it
forgave-changed-on-disk = against what is there now: the file changed on disk
forgave-keeps-changing = keeps changing on disk: this is against what it held a moment ago
forgave-fits-not = no longer applies: the file changed on disk
forgave-mark-kept = byte order mark kept
forgave-crlf-kept = line ends kept as CRLF
forgave-encoding-kept = encoding kept as { $name }
forgave-not-utf8 = was not UTF-8, is now
forgave-binary = was binary, is now text
forgave-line-numbers = pasted line numbers removed
forgave-space-at-ends = matched with white space at line ends ignored
forgave-indentation = matched with indentation adapted
forgave-space = matched with white space ignored
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
worktree-not-in-one = This session works in no worktree; /merge NAME says which, /worktree list shows them.

## A comparison with git's commits

comparison-no-repository = this folder is in no git repository; `/diff session` shows what this session changed
comparison-no-such = `{ $named }` is no path here, and no commit or range of git
diff-of-session = before this session → now
diff-working-tree = working tree
comparison-slow = git gave no answer in time
comparison-git = git says: { $said }
comparison-more = { $count ->
    [one] one more file differs and is not listed
   *[other] { $count } more files differ and are not listed
    }
differs-too-large = not read: { $bytes } bytes
differs-enough = not read: the files before it are as much as is read at once
differs-link = a link: its lines say where it leads
differs-submodule = a submodule: its lines are commits
differs-unread = not read: { $why }
findings-none = The review found nothing that is wrong.
severity-error = error
severity-warning = warning
severity-note = note

## A commit

commit-reads = reading what is staged and asking for a message
commit-failed = nothing was committed; the message is in the prompt again
commit-how = The message is in the prompt: change it there, Enter commits; with an empty prompt nothing is committed.
commit-stale = Nothing was committed: what is staged has changed since it was shown. It is now:
commit-cut = The model read only the beginning of the changes.
commit-no-message = No message was proposed ({ $why }): write it behind `/commit`.
commit-too-slow = no answer in time
commit-no-answer = no usable answer
commit-secret = Staged, and may hold secrets: { $paths }. The model did not read them.
commit-kept = The prompt is in use, so the message waits for `/commit`: { $message }
commit-no-repository = This folder is in no git repository.
commit-nothing-staged = Nothing is staged.
commit-changed = Changed: { $paths }
commit-new = New: { $paths }
commit-new-secret = New, and left out because they may hold secrets: { $paths }
commit-new-many = { $count ->
    [one] One new file is left out (`/git add` takes it).
   *[other] { $count } new files are too many to be named, and are left out (`/git add` takes them).
    }
commit-all = `/commit all` stages what changed and the new files named here.
commit-twice = The message still contains `/commit`. Remove it.
commit-nearly-all = `{ $word }` would be the message. `/commit all` stages; a message has more than one word.
commit-clean = There is nothing to commit.
commit-conflict = In conflict, and to be solved first: { $paths }

# --- servers of tools ---
notice-servers-awaited = Waiting for MCP tools of { $servers } (at most 2 s).
notice-servers-declared = MCP tools in each request: { $servers }.
notice-servers-on-demand = MCP tools found on demand: { $servers }.
notice-server-names-taken = Not taken, because another tool has the name: { $tools }.
notice-server-dead = The server `{ $server }` cannot be used: { $trouble }.
notice-server-signed-out = The server `{ $server }` waits for you: { $trouble }.
notice-form-told = Your answers went to the server `{ $server }`.
notice-form-declined = The server `{ $server }` was told nothing: you declined what it asked.
notice-form-unclear = The server `{ $server }` asked something while several calls of it ran. Nobody can tell which of them it was for, so it was told nothing.
notice-form-withdrawn = The question of the server `{ $server }` is gone: it took it back, or its call is over. It was told nothing.
form-unsent = What you had written for `{ $server }` was not sent: { $written }
notice-form-secret = The server `{ $server }` asked for a secret (`{ $word }`), so nobody was asked and it was told nothing. Give it what it needs in its configuration, or by /mcp login { $server }.
notice-form-secret-field = The server `{ $server }` asked for a secret (`{ $word }`, in its field `{ $field }`), so nobody was asked and it was told nothing. Give it what it needs in its configuration, or by /mcp login { $server }.
notice-form-address = The server `{ $server }` wanted an address opened. That is not done here, so it was told nothing. Do there yourself what it needs, then send the prompt again.
notice-form-odd = The server `{ $server }` asked for what is no form of plain fields, or one of more than 24, so it was told nothing. Write what it needs to know into the prompt.
notice-form-many = The server `{ $server }` asked more often in one call than is answered. From here on the call is told nothing.
notice-form-off = The server `{ $server }`, which is switched off, wanted something filled in and was told nothing.
server-tools = { $count ->
        [one] 1 tool
       *[other] { $count } tools
    } from `{ $server }` (~{ $tokens } tokens)
server-not-found = there is no program `{ $program }`
server-no-folder = there is no folder `{ $folder }` to start it in: make it, or fix its `cwd`
server-not-started = it cannot be started: { $words }
server-changed = `{ $file }` is not what was trusted, so it stays off; `/reload` asks about it
server-unpinned = `{ $file }` cannot be compared with what was trusted, so it is not run: { $error }
server-floods = it asked for more than { $most } things in a second, or at once, and was ended
server-ended = it has ended
server-ended-code = it has ended (exit { $code })
server-ended-signal = it has ended (signal { $signal })
server-lacks = the variable `{ $variable }`, which it is to get, is not set
server-other-revision = it speaks no revision of the protocol that is spoken here
server-unreadable = its answer cannot be read
server-said = { $what }; the last it said: { $said }
server-garbage = what it writes is no message: { $line }
server-no-answer = it did not answer in { $seconds } s
server-too-long = it sent a message of more than { $most }
server-refused = it refused: { $words }
server-unexpected = it answered with something else than was asked for
server-asks = it asks for { $what }, which it does not get
server-off = it is switched off
server-http = { $words }
server-status = it answered HTTP { $status }
server-status-words = it answered HTTP { $status }: { $words }
server-redirects = it sends on to `{ $to }`, which is not followed; write that address if you mean it
server-wants-sign-in = it wants a sign-in: `benchdog mcp login { $server }`, or /mcp login { $server }
server-wants-token = it wants a token: `benchdog mcp login { $server }` keeps one, and `mcp.{ $server }.token_env` names variables that hold one
server-no-token = the variable `{ $variable }` of `mcp.{ $server }.token_env` is not set; `benchdog mcp login { $server }` keeps a token without one
server-gets-no-token = it wants to know who asks, and `mcp.{ $server }.auth` is `none`
server-refuses-token = it does not take the token of `mcp.{ $server }`
server-sign-in-over = the sign-in has ended or was taken back: `benchdog mcp login { $server }`, or /mcp login { $server }
server-not-taken = it does not take a token that was just given for it, so the sign-in is meant for another server
server-narrow = the sign-in does not reach that far; it wants `{ $scope }`: /mcp login { $server } asks for that, too, and `mcp.{ $server }.scopes` for good
server-alone = no token could be had for it: { $told }
server-narrow-alone = what is asked for does not reach that far; it wants `{ $scope }`: `mcp.{ $server }.scopes` asks for it
server-tokens-file = the file of tokens cannot be used: { $words }
server-not-renewed = the sign-in stands, and no new token could be had: { $words }; where that stays so, sign in anew
notice-no-server = There is no server `{ $server }`; /mcp shows those there are.
notice-no-server-tool = No server offers `{ $tool }`; /mcp tools lists those there are.
notice-server-missing = The server `{ $server }` does not have the tools that the configuration names: { $tools }. /mcp tools lists those there are.
sheet-servers = MCP servers
picker-server-tools = MCP tools
server-tools-keys = ● is on · Enter switches it, in this session
server-tools-none = no server has listed a tool; /mcp shows how they stand
server-tool-off = off
no-servers = No MCP server is configured. `benchdog mcp add NAME -- PROGRAM ARGUMENT…` adds one.
server-order-wanted = /mcp tools lists their tools; /mcp restart NAME starts one anew, /mcp off NAME switches a server or a tool off in this session, /mcp on NAME on again; /mcp login NAME signs in at one, /mcp logout NAME out
server-stage-waiting = not started
server-stage-starting = starting
server-stage-ready = ready
server-stage-dead = cannot be used
server-stage-signed-out = not signed in
server-stage-off = off
server-row-tools = { $count ->
        [one] 1 tool
       *[other] { $count } tools
    }, ~{ $tokens } tokens
server-row-sent = { $tools }, in each request
server-row-on-demand = { $tools }, found by the model on demand
server-row-names = Tools: { $tools }.
server-row-off = Off: { $tools }.
server-row-missing = Named in the configuration and not offered: { $tools }.
server-names-more = { $names } and { $count } more
server-row-restarts = { $count ->
        [one] Started again once.
       *[other] Started again { $count } times.
    }
server-row-restart = /mcp restart { $server } starts it anew.
server-row-asked = It asked for { $what } and did not get it.
server-row-left-out = Not taken: { $tools }.
server-row-prompts = Prompts: { $prompts }.
server-row-prompts-more = Prompts: { $prompts }, and { $count } more behind `/`.
server-row-resources = { $count ->
        [one] 1 resource, named as `@{ $server }:…`.
       *[other] { $count } resources, named as `@{ $server }:…`.
    }
server-row-templates = { $count ->
        [one] 1 template of resources.
       *[other] { $count } templates of resources.
    }
resource-template = template: { $title }
values-first-of = the first { $shown } of { $all }
values-first = the first { $shown } of more
values-not-yet = `{ $server }` offers values for the arguments once it runs
server-asks-person = The server `{ $server }` asks: { $message }
server-form = What you answer is told to the server `{ $server }`. Give it no password and no key; `*` needs an answer.
form-expects = Expected: { $what }
form-wrong = This does not fit. Expected: { $what }
form-missing = This needs an answer.
expects-none-leaves-out = none of them: it is left out
expects-number = a number
expects-whole = a whole number
expects-letters = { $amount } characters
expects-choices = { $amount } of these
expects-pattern = what fits the pattern `{ $pattern }`
expects-email = an e-mail address
expects-uri = a whole address, as in https://example.org
expects-date = a date, as in 2026-11-25
expects-date-time = a date with a time, as in 2026-11-25T14:30:00Z
amount-between = { $least } to { $most }
amount-least = at least { $least }
amount-most = at most { $most }
server-left-name = { $tool } (another tool has the name)
server-left-misnamed = { $tool } (what it has as a name is none)
server-left-schema = { $tool } (what it says of its arguments is missing, too long, too deep or no object)
server-left-no-tool = { $tool } (no object)
server-left-many = { $tool } and all behind it (of one server { $most } tools are taken)
server-left-unlisted = what its lists hold beyond { $pages } pages, { $prompts } prompts or { $resources } resources
mcp-added = The server `{ $server }` stands in `{ $file }`. `benchdog mcp check { $server }` tries it.
mcp-removed = The server `{ $server }` is removed.
mcp-removed-tokens = The server `{ $server }` is removed. Its tokens are forgotten here, and taken back where that is offered.
sign-in-link = Open this address to sign in:
sign-in-waits = Waiting for five minutes at the most; Ctrl+C gives up. Where the browser runs on another machine, paste the address here that it ends at.
sign-in-token = Token for the server `{ $server }` (not shown):{" "}
signed-in = Signed in at `{ $server }`.
signed-out = Signed out at `{ $server }`; its tokens are forgotten here.
not-signed-in = Nobody is signed in at `{ $server }`.
sign-in-not-there = nobody signs in there: it is a program, or `mcp.{ $server }.auth` is `none`
sign-in-by-token = it gets a token: `benchdog mcp login { $server }` asks for it
sign-in-not-offered = it says nowhere where one signs in; where it takes a token, `mcp.{ $server }.token_env` names variables that hold one
sign-in-other-resource = what it says of itself is of another server, `{ $told }`
sign-in-unsafe = `{ $address }` is not asked: it is neither `https` nor of this machine, or lies in this network while the server does not
sign-in-other-issuer = it was not who was asked that answered, but `{ $told }`
sign-in-no-proof = the place to sign in does not hold codes to whoever asked for them (PKCE with `S256`)
sign-in-no-registration = the place to sign in takes nobody it does not know: write a `client_id` in `mcp.{ $server }`, or a token with `"auth": "token"`
sign-in-not-registered = the place to sign in does not take Benchdog ({ $words }): write a `client_id` in `mcp.{ $server }`, or a token with `"auth": "token"`
sign-in-denied = it was refused: { $words }
sign-in-no-token = no token was given: { $words }
sign-in-late = nobody came back in { $minutes } minutes
sign-in-silent = who was asked did not answer in { $seconds } s
sign-in-no-door = no port of this machine can be opened for it: { $words }
sign-in-alone = no person signs in there: Benchdog does, by `mcp.{ $server }.auth`; `benchdog mcp check { $server }` tries it
sign-in-unread = `{ $file }` cannot be used: { $words }
sign-in-no-key = the private key of `mcp.{ $server }` cannot be used: { $words }
sign-in-not-exchanged = who was asked to exchange your identity gives nothing for it: { $words }
sign-in-given-up = it was given up
trouble-not-signed-in = Not signed in at `{ $name }`: { $told }.
trouble-not-signed-in-hint = `benchdog mcp check { $name }` says how it stands; `benchdog config explain mcp.{ $name }` what is configured.
trouble-tokens-kept = The server `{ $name }` is removed, and its tokens are not forgotten: { $told }.
trouble-tokens-kept-hint = `benchdog mcp logout { $name }` forgets them.
server-row-link = Open this address to sign in; it is in the clipboard where the terminal takes it.
server-row-signing = Finding out where one signs in.
server-row-signed-in = Signed in.
server-row-signed-out = Signed out.
import-nothing = There is no configuration of `{ $from }` in your home folder.
import-read = Read: { $file }
import-keys = What it comes to in { $file }:
import-file = { $file }, from { $theirs }
import-left = What is left out, and why:
import-unwritten = Nothing was written. `--write` writes what stands behind `+`; what would allow something is then asked about one by one.
import-written = Written.
import-allow = { $theirs }: is `{ $tool }` to run without asking where it fits `{ $pattern }`? Type yes to allow it:
import-why-nothing = nothing here is like it
import-why-otherwise = what it says is written otherwise here: write `{ $key }` yourself
import-why-of-folder = it is meant for that folder alone: write it into `.benchdog/config.jsonc` there
import-why-secret = it may hold a secret, and none is copied
import-why-variable = its value is not copied: put it into the variable `{ $name }`, which stands in its place
import-why-link = it is a link or no file
import-why-taken = your configuration says something there already
import-why-unconfirmed = it would allow something, and each such rule is confirmed by itself with `--write` on a terminal
import-why-milder = it would count before the rule `{ $pattern }` of `{ $key }`, which denies: write it yourself if you mean it
import-why-twice = another command of that name is taken
import-why-limits = what it may not do is written otherwise here, and without that it could do more: write it yourself
import-why-quotes = a quote in `{ $line }` does not close: close it there, or write the command here yourself
import-why-form = it is not in the form that is known
trouble-no-server-of-tools = There is no MCP server `{ $name }`.
trouble-no-server-of-tools-hint = There are: { $known }.
trouble-bad-server-name = No server can be called `{ $name }`: letters, digits, `-` and single `_`, at most 32.
trouble-bad-server-name-hint = Its tools are called by it, as `files__read`.
trouble-secret-in-address = The address `{ $url }` was given with a password or a key in it, which would stand in your configuration.
trouble-secret-in-address-hint = Name a variable of yours in its place, or use `--token-env VARIABLE`.
trouble-server-there = A server is called `{ $name }` already.
trouble-server-there-hint = `benchdog mcp remove { $name }` removes it.
trouble-server-elsewhere = The server `{ $name }` does not stand in your own file alone.
trouble-server-elsewhere-hint = `benchdog config explain mcp.{ $name }.command` says where it is set.
