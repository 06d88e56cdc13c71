//! Commands that run commands: each is unwrapped and what it would run is judged as if it stood there alone.

use super::arguments::{Arguments, letter_with_value, lists};
use super::state::{Field, Input, Output, UNKNOWN, nothing, show};
use super::table::Wrapper;
use super::walk::Walker;

impl Walker<'_> {
    /// Where the command begins behind a wrapper's own words. Scripts in options are run on the way.
    pub(super) fn unwrap<'f>(&mut self, wrapper: &Wrapper, fields: &'f [Field], input: &Input) -> &'f [Field] {
        let mut at = 1;
        let mut operands = wrapper.operands;
        while let Some(field) = fields.get(at) {
            let text = field.text.as_str();
            if text == "--" {
                at += 1;
                if operands == 0 {
                    break;
                }
                continue;
            }
            if let Some(bundle) = text.strip_prefix('-').filter(|bundle| !bundle.is_empty()) {
                at += self.wrapper_option(wrapper, text, bundle, fields.get(at + 1), input);
                continue;
            }
            if wrapper.assigns && self.assignment_word(field, false) {
                at += 1;
                continue;
            }
            if operands == 0 {
                break;
            }
            operands -= 1;
            at += 1;
        }
        fields.get(at..).unwrap_or(&[])
    }

    /// How many words an option takes up.
    fn wrapper_option(
        &mut self,
        wrapper: &Wrapper,
        text: &str,
        bundle: &str,
        next: Option<&Field>,
        input: &Input,
    ) -> usize {
        if let Some(long) = bundle.strip_prefix('-') {
            let (name, value) = long
                .split_once('=')
                .map_or((long, None), |(name, value)| (name, Some(value)));
            let name = format!("--{name}");
            if lists(wrapper.scripts, &name) {
                let script = value
                    .map(str::to_owned)
                    .or_else(|| next.map(|field| field.text.clone()));
                self.apart(|walker| walker.script(&script.unwrap_or_default(), input));
                return if value.is_some() { 1 } else { 2 };
            }
            return if value.is_none() && lists(wrapper.takes, text) {
                2
            } else {
                1
            };
        }
        if let Some((_, glued)) = letter_with_value(bundle, wrapper.scripts) {
            let script = if glued.is_empty() {
                next.map(|field| field.text.clone())
            } else {
                Some(glued.to_owned())
            };
            self.apart(|walker| walker.script(&script.unwrap_or_default(), input));
            return if glued.is_empty() { 2 } else { 1 };
        }
        match letter_with_value(bundle, wrapper.takes) {
            Some((_, "")) => 2,
            _ => 1,
        }
    }

    pub(super) fn wrapper(&mut self, wrapper: &Wrapper, name: &str, fields: &[Field], input: &Input) -> Output {
        let before = self.parts.len();
        let inner = self.unwrap(wrapper, fields, input);
        if name == "sudoedit" {
            self.unknown(fields, "`sudoedit` changes files as another user");
            return None;
        }
        if inner.is_empty() {
            if self.parts.len() == before {
                self.wrapped_nothing(name, fields);
            }
            return None;
        }
        if name == "time"
            && let Some(file) = Arguments::of(fields, "f o --format --output")
                .values("o --output")
                .first()
        {
            self.write_to(file, &Field::of(show(fields)), false);
        }
        self.plain(fields, &format!("`{name}` runs `{}`", show(inner)));
        if wrapper.joined {
            let text = inner
                .iter()
                .map(|field| field.text.as_str())
                .collect::<Vec<_>>()
                .join(" ");
            return self.apart(|walker| walker.script(&text, input));
        }
        self.command(inner, input)
    }

    fn wrapped_nothing(&mut self, name: &str, fields: &[Field]) {
        let opens_shell = matches!(
            name,
            "sudo" | "doas" | "chroot" | "unshare" | "nsenter" | "ssh" | "sudo-as" | "pkexec"
        ) && fields.len() > 1;
        if opens_shell {
            self.unknown(fields, &format!("`{name}` may open a shell"));
        } else {
            self.plain(fields, &format!("runs `{name}`"));
        }
    }

    /// `env`, with `-S` which splits a text into a command.
    pub(super) fn env(&mut self, fields: &[Field], input: &Input) -> Output {
        const ENV: &Wrapper = &Wrapper {
            takes: "u C --unset --chdir",
            scripts: "",
            operands: 0,
            assigns: true,
            joined: false,
        };
        for (at, field) in fields.iter().enumerate().skip(1) {
            let text = field.text.as_str();
            let split = if text == "-S"
                || text == "--split-string"
                || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('S'))
            {
                let next = fields.get(at + 1).map(|field| field.text.clone()).unwrap_or_default();
                Some((next, at + 2))
            } else if let Some(value) = text.strip_prefix("--split-string=") {
                Some((value.to_owned(), at + 1))
            } else {
                text.strip_prefix('-')
                    .filter(|bundle| !bundle.starts_with('-'))
                    .and_then(|bundle| letter_with_value(bundle, "S"))
                    .map(|(_, glued)| (glued.to_owned(), at + 1))
            };
            if let Some((text, rest)) = split {
                let rest: Vec<&str> = fields.iter().skip(rest).map(|field| field.text.as_str()).collect();
                let whole = format!("env {text} {}", rest.join(" "));
                return self.script(&whole, input);
            }
            if !text.starts_with('-') && !text.contains('=') {
                break;
            }
        }
        self.wrapper(ENV, "env", fields, input)
    }

    /// `xargs`: what it reads becomes arguments, and with `-I` any part of them.
    pub(super) fn xargs(&mut self, fields: &[Field], input: &Input) -> Output {
        const XARGS: &Wrapper = &Wrapper {
            takes: "I i n P L l s d E e a --replace --max-args --max-procs --max-lines --delimiter --arg-file --max-chars --eof",
            scripts: "",
            operands: 0,
            assigns: false,
            joined: false,
        };
        let arguments = Arguments::of(fields, XARGS.takes);
        let replace = arguments
            .values("I --replace i")
            .into_iter()
            .next()
            .map(|field| field.text);
        let replace = replace.or_else(|| arguments.has("i --replace").then(|| "{}".to_owned()));
        let file = arguments.values("a --arg-file").into_iter().next();
        let inner = self.unwrap(XARGS, fields, input).to_vec();
        let text = match &file {
            Some(file) => self.file_text(&file.text),
            None => self.input_text(input),
        };
        let words: Vec<Field> = match &text {
            Some(text) if text.contains(UNKNOWN) || arguments.has("d --delimiter") => {
                self.unknown(fields, "what it would run depends on what it reads");
                let known = text.replace(UNKNOWN, " ");
                let known: Vec<Field> = known.split_whitespace().take(64).map(Field::of).collect();
                if known.is_empty() {
                    vec![Field::unknown()]
                } else {
                    known
                }
            }
            Some(text) => text
                .split_whitespace()
                .take(64)
                .map(|word| Field::of(word.trim_matches(['\'', '"'])))
                .collect(),
            None => vec![Field::unknown()],
        };
        let inner = if inner.is_empty() {
            vec![Field::of("echo")]
        } else {
            inner
        };
        self.plain(fields, &format!("`xargs` runs `{}`", show(&inner)));
        if let Some(replace) = replace.filter(|replace| !replace.is_empty()) {
            let value = text.map_or_else(|| UNKNOWN.to_string(), |text| text.trim_end_matches('\n').to_owned());
            let values: Vec<&str> = value.lines().take(16).collect();
            for value in if values.is_empty() { vec![""] } else { values } {
                let changed: Vec<Field> = inner
                    .iter()
                    .map(|field| Field {
                        text: field.text.replace(&replace, value),
                        ..field.clone()
                    })
                    .collect();
                self.apart(|walker| walker.command(&changed, &Input::Closed));
            }
            return None;
        }
        for word in words.iter().take(16).filter(|_| words.len() > 1) {
            let one: Vec<Field> = inner.iter().cloned().chain([word.clone()]).collect();
            self.apart(|walker| walker.command(&one, &Input::Closed));
        }
        let whole: Vec<Field> = inner.into_iter().chain(words).collect();
        self.apart(|walker| walker.command(&whole, &Input::Closed));
        None
    }

    /// GNU parallel: the words up to `:::` are a script, run with each argument.
    pub(super) fn parallel(&mut self, fields: &[Field], input: &Input) -> Output {
        const PARALLEL: &Wrapper = &Wrapper {
            takes: "j n N L I a S d C --jobs --max-args --colsep --arg-file --sshlogin --delay --timeout --joblog --results --tmpdir",
            scripts: "",
            operands: 0,
            assigns: false,
            joined: false,
        };
        let inner = self.unwrap(PARALLEL, fields, input);
        let split = inner
            .iter()
            .position(|field| field.text.starts_with(":::"))
            .unwrap_or(inner.len());
        let (command, given) = inner.split_at_checked(split).unwrap_or((inner, &[]));
        let values: Vec<String> = if given.is_empty() {
            self.input_text(input).map_or_else(
                || vec![UNKNOWN.to_string()],
                |text| text.lines().map(str::to_owned).collect(),
            )
        } else {
            given
                .iter()
                .filter(|field| !field.text.starts_with(":::"))
                .map(|field| field.text.clone())
                .collect()
        };
        self.plain(fields, "`parallel` runs a command for each argument");
        let command = command
            .iter()
            .map(|field| field.text.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        for value in values.iter().take(16) {
            let script = if command.is_empty() {
                value.clone()
            } else if command.contains("{}") {
                command.replace("{}", value)
            } else {
                format!("{command} {value}")
            };
            self.apart(|walker| walker.script(&script, &Input::Closed));
        }
        None
    }

    /// `su`, `runuser`: `-c` or a shell.
    pub(super) fn su(&mut self, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(fields, "c s g G w u --command --shell --group --session-command --user");
        let scripts = arguments.values("c --command --session-command");
        if scripts.is_empty() {
            if let Some(user) = arguments.values("u --user").first().map(|_| ()) {
                let () = user;
                let operands: Vec<Field> = arguments.operands.iter().map(|field| (*field).clone()).collect();
                return self.command(&operands, input);
            }
            match self.input_text(input) {
                Some(text) => {
                    self.apart(|walker| walker.script(&text, &Input::Closed));
                }
                None => self.unknown(fields, "it opens a shell as another user"),
            }
            return None;
        }
        for script in scripts {
            self.apart(|walker| walker.script(&script.text, input));
        }
        None
    }

    pub(super) fn exec(&mut self, fields: &[Field], input: &Input) -> Output {
        const EXEC: &Wrapper = &Wrapper {
            takes: "a",
            scripts: "",
            operands: 0,
            assigns: false,
            joined: false,
        };
        let inner = self.unwrap(EXEC, fields, input);
        if inner.is_empty() {
            self.plain(fields, "changes where the shell reads and writes");
            return nothing();
        }
        self.command(inner, input)
    }

    /// `command` and `builtin`; with `-v` it only tells what a name is.
    pub(super) fn command_builtin(&mut self, fields: &[Field], input: &Input) -> Output {
        let asks = fields
            .get(1)
            .is_some_and(|field| field.text.starts_with('-') && field.text.contains(['v', 'V']));
        if asks || fields.len() == 1 {
            self.plain(fields, "tells what a name stands for");
            return None;
        }
        let skip = fields
            .iter()
            .skip(1)
            .take_while(|field| field.text.starts_with('-'))
            .count()
            + 1;
        let inner: Vec<Field> = fields.get(skip..).unwrap_or(&[]).to_vec();
        // Functions and aliases of that name are passed over.
        let Some(first) = inner.first().map(|field| field.text.clone()) else {
            return nothing();
        };
        let function = self.state.functions.remove(&first);
        let alias = self.state.aliases.remove(&first);
        let written = self.command(&inner, input);
        if let Some(function) = function {
            self.state.functions.insert(first.clone(), function);
        }
        if let Some(alias) = alias {
            self.state.aliases.insert(first, alias);
        }
        written
    }

    /// `docker run IMAGE CMD`, `docker exec NAME CMD`, `kubectl exec POD -- CMD`, `docker compose run SERVICE CMD`.
    pub(super) fn container(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        const TAKES: &str = "a c e h l m p u v w n f H --name --env --env-file --volume --mount --user --workdir --network --publish --entrypoint --memory --cpus --label --hostname --platform --restart --pull --add-host --device --cap-add --security-opt --tmpfs --shm-size --ulimit --namespace --context --host --file --project-name --profile --container --image";
        let arguments = Arguments::of(fields, TAKES);
        let mut words = arguments
            .operands
            .iter()
            .map(|field| (*field).clone())
            .collect::<Vec<_>>();
        if words.first().is_some_and(|field| {
            matches!(
                field.text.as_str(),
                "compose" | "container" | "image" | "volume" | "network" | "system" | "builder"
            )
        }) {
            words.remove(0);
        }
        let verb = words.first().map(|field| field.text.clone()).unwrap_or_default();
        match verb.as_str() {
            "run" | "exec" | "debug" | "create" => {
                if let Some(entry) = arguments.values("--entrypoint").first() {
                    let entry = entry.clone();
                    let rest: Vec<Field> = self.container_command(fields, TAKES);
                    let whole: Vec<Field> = std::iter::once(entry).chain(rest).collect();
                    return self.command(&whole, input);
                }
                let inner = self.container_command(fields, TAKES);
                self.plain(fields, &format!("`{name}` runs `{}` in a container", show(&inner)));
                if !inner.is_empty() {
                    self.apart(|walker| walker.command(&inner, input));
                }
            }
            "rm" | "rmi" | "prune" | "delete" | "remove" | "kill" | "down" | "drain" => {
                self.danger(fields, &format!("`{name} {verb}` removes something"));
            }
            _ => self.plain(fields, &format!("runs `{name}`")),
        }
        None
    }

    /// The command of a container: what stands after the verb and one name, its own options untouched.
    fn container_command(&self, fields: &[Field], takes: &str) -> Vec<Field> {
        let verb = fields
            .iter()
            .position(|field| matches!(field.text.as_str(), "run" | "exec" | "debug" | "create"));
        let mut at = verb.unwrap_or(0) + 1;
        while let Some(field) = fields.get(at) {
            let text = field.text.as_str();
            if !text.starts_with('-') || text == "--" {
                break;
            }
            let long_value = text.starts_with("--") && !text.contains('=') && lists(takes, text);
            let short_value = !text.starts_with("--")
                && text
                    .strip_prefix('-')
                    .and_then(|bundle| letter_with_value(bundle, takes))
                    .is_some_and(|(_, glued)| glued.is_empty());
            at += if long_value || short_value { 2 } else { 1 };
        }
        let mut inner: Vec<Field> = fields.get(at + 1..).unwrap_or(&[]).to_vec();
        if let Some(end) = inner.iter().position(|field| field.text == "--") {
            inner.drain(..=end);
        }
        inner
    }
}
