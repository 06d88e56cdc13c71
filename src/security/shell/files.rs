//! Programs that copy, archive and remove files. Their arguments determine which files they write.

use super::arguments::Arguments;
use super::grammar::Row;
use super::state::{Field, OtherName, UNKNOWN, is_open};
use super::walk::Walker;
use super::writers::{clean, is_disk};
use benchdog_base::text::last_part;
use benchdog_domain::command::{Put, Target};

/// Folders whose loss makes the machine unusable or destroys a person's data.
const VITAL: &str = "/ /* /. /.. ~ ~/* /home /home/* /root /etc /usr /var /bin /sbin /lib /lib64 /boot /opt /dev \
    /sys /proc /srv /mnt /media /Users /Users/* /System /Library /Applications /etc/* /usr/* /var/* /boot/*";

impl Walker<'_> {
    pub(super) fn remove(&mut self, row: &Row, name: &str, fields: &[Field]) {
        self.note_removed(fields);
        let vital = fields.iter().skip(1).filter_map(|field| {
            let text = field.path()?;
            let whole = if text.starts_with('~') {
                text.trim_end_matches('/').to_owned()
            } else {
                clean(&text)
            };
            let whole = if whole.is_empty() && text.starts_with('/') {
                "/".to_owned()
            } else {
                whole
            };
            (VITAL.split_whitespace().any(|vital| vital == whole) || is_disk(&whole)).then_some(text)
        });
        let first = vital.into_iter().next();
        match first {
            Some(what) if name != "rm" && name != "grm" || is_recursive(fields) => {
                self.catastrophe(fields, &format!("`{name}` destroys `{what}`"));
            }
            _ => {
                let because = format!("`{name}` {}", row.does);
                self.danger(fields, &because);
            }
        }
    }

    fn note_removed(&mut self, fields: &[Field]) {
        let mut options = true;
        for field in fields.iter().skip(1) {
            let Some(text) = field.known() else { continue };
            if options && text.starts_with('-') {
                options = text != "--";
                continue;
            }
            let glob = field.glob;
            let places = self.state.places(text).into_iter();
            self.removes.extend(places.map(|path| Target {
                path,
                glob,
                search: None,
            }));
        }
    }

    /// Judges `cp`, `install` and `ln`, which write to the last operand, or into the folder after `-t`.
    pub(super) fn copy(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        self.plain(fields, &format!("`{name}` makes a file"));
        if name.contains("install") && args.values("m").iter().any(|mode| is_special_mode(&mode.text)) {
            self.danger(fields, "it makes a program that runs as its owner");
        }
        let links = name.contains("ln") || name == "link" || args.has_any(&["l", "s"]);
        if name.contains("install") && args.has("d") {
            for folder in args.operands.clone() {
                self.make_folder(&folder, fields);
            }
            return;
        }
        let (sources, target) = match args.values("t").first() {
            Some(folder) => (args.operands.clone(), folder.clone()),
            None => match args.operands.split_last() {
                Some((last, [])) if links => (vec![last.clone()], Field::of(".")),
                Some((last, rest)) => (rest.to_vec(), last.clone()),
                None => return,
            },
        };
        self.copied(name, args, fields, &sources, &target);
        // The copy of a link is also a link.
        if links {
            self.state.doubt_names(OtherName::Linked);
        } else if args.has_any(&["P", "a", "d", "r", "R", "no-dereference"]) {
            self.state.doubt_names(OtherName::Copied);
        }
    }

    fn copied(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field], sources: &[Field], target: &Field) {
        // Programs that make links overwrite a file only with an option such as `-f`. Without such an option, only the
        // location of the new link matters.
        let forced = args.has_any(&["f", "b", "backup", "S"]);
        let links = name.contains("ln") || name == "link" || args.has_any(&["l", "s"]);
        let keeps = !forced && (links || args.has("n"));
        if is_open(&target.text) && sources.is_empty() {
            self.unknown(fields, "where it writes is not known");
            return;
        }
        let into_folder = !args.has("T") && (self.is_folder(&target.text) || args.has("t") || sources.len() > 1);
        let targets: Vec<Field> = if into_folder {
            let below = |source: &Field| Field {
                text: if is_open(&source.text) {
                    format!("{}/{UNKNOWN}", target.text.trim_end_matches('/'))
                } else {
                    format!(
                        "{}/{}",
                        target.text.trim_end_matches('/'),
                        last_part(source.text.trim_end_matches('/'))
                    )
                },
                glob: source.glob || target.glob,
                ..Field::default()
            };
            sources.iter().map(below).collect()
        } else {
            vec![target.clone()]
        };
        let deep = args.has_any(&["r", "R", "a", "archive"]);
        for target in targets {
            let merges = deep && target.known().is_some_and(|path| self.is_folder(path));
            if merges {
                self.danger(
                    fields,
                    &format!("may overwrite files in `{}`, which exists", target.text),
                );
            }
            let put = if links || deep { Put::Unseen } else { Put::Known };
            self.put_all(&[target], fields, keeps, put);
        }
    }

    pub(super) fn rsync(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let remote = args.operands.iter().any(|operand| operand.text.contains(':'));
        if remote || name == "scp" {
            self.external(fields, &format!("`{name}` copies from or to another machine"));
        } else {
            self.plain(fields, &format!("`{name}` copies files"));
        }
        let Some((last, sources)) = args.operands.split_last() else {
            return;
        };
        if sources.is_empty() || last.text.contains(':') || args.has_any(&["dry-run", "list-only"]) {
            return;
        }
        let full = last.known().is_none_or(|path| {
            let places = self.state.places(path);
            places.is_empty()
                || places
                    .iter()
                    .any(|place| !self.names(place.trim_end_matches('/')).is_empty())
        });
        if full && !args.has("ignore-existing") {
            self.danger(fields, "may overwrite files in a folder that exists");
        }
        self.write_below(last, fields);
        self.write_all(std::slice::from_ref(last), fields, false);
    }

    pub(super) fn dd(&mut self, args: &Arguments<'_>, fields: &[Field]) {
        self.plain(fields, "`dd` copies bytes");
        for operand in &args.operands {
            match operand.text.split_once('=') {
                Some(("of", target)) => self.write_all(&[Field::of(target)], fields, false),
                Some(_) if !is_open(&operand.text) && !operand.elastic => {}
                _ => self.unknown(fields, "one of its words is not known"),
            }
        }
        if let Some(why) = &args.objection {
            self.unknown(fields, why);
        }
    }

    pub(super) fn tee(&mut self, args: &Arguments<'_>, fields: &[Field]) {
        self.reads(fields, "writes what it reads");
        self.write_all(&args.operands, fields, args.has("a"));
    }

    /// Judges `tar`. Creating writes the archive, and extracting writes the files in it.
    pub(super) fn tar(&mut self, args: &Arguments<'_>, fields: &[Field]) {
        let Some((mode, archive, objection)) = tar_words(args, fields) else {
            self.unknown(fields, "what `tar` would do is not clear");
            self.ends(fields);
            return;
        };
        if let Some(why) = objection {
            self.unknown(fields, &why);
            self.ends(fields);
        }
        // An archive name with a colon is on another machine, and `tar` looks up the machine's name.
        if archive
            .as_ref()
            .is_some_and(|archive| archive.text.contains(':') || is_open(&archive.text))
        {
            self.unknown(fields, "its archive may lie on another machine");
        }
        match mode {
            't' | 'd' => {
                self.reads(fields, "lists an archive");
                if let Some(archive) = archive {
                    self.reading(&archive, super::grammar::Kind::Read);
                }
            }
            'x' if args.has("O") => self.plain(fields, "prints what is in an archive"),
            'x' => self.unpacked(args, fields),
            'c' => {
                self.plain(fields, "packs an archive");
                self.write_all(archive.as_slice(), fields, false);
            }
            _ => self.danger(fields, "`tar` changes an archive"),
        }
    }

    fn unpacked(&mut self, args: &Arguments<'_>, fields: &[Field]) {
        let keeps = args.has_any(&["k", "skip-old-files"]);
        match args.values("C").last() {
            Some(folder) => self.unpacked_into(folder, keeps, fields),
            None => self.unpacked_into(&Field::of("."), keeps, fields),
        }
    }

    /// Judges extraction into a folder. An archive may contain any file names, so extracting may overwrite any file.
    fn unpacked_into(&mut self, folder: &Field, keeps: bool, fields: &[Field]) {
        self.write_below(folder, fields);
        let empty = folder.known().is_some_and(|path| {
            let places = self.state.places(path);
            !places.is_empty()
                && places
                    .iter()
                    .all(|place| self.names(place.trim_end_matches('/')).is_empty())
        });
        if empty || keeps {
            self.plain(fields, "unpacks an archive");
            self.written += 1;
        } else {
            self.unknown(fields, "what is unpacked may overwrite files that are there");
        }
    }

    pub(super) fn compress(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let verb = fields
            .get(1)
            .map(|field| field.text.trim_start_matches('-').to_owned())
            .unwrap_or_default();
        match name {
            "zip" => {
                self.plain(fields, "packs an archive");
                if args.operands.first().is_some_and(|archive| archive.text == "-") {
                    self.unknown(fields, "it prints files that are not named one by one");
                }
                if let Some(archive) = args.operands.first() {
                    self.write_all(std::slice::from_ref(archive), fields, false);
                }
            }
            "unzip" if args.has_any(&["l", "Z", "v", "t", "z"]) => {
                self.reads(fields, "lists an archive");
                self.operands(args, fields, 0);
            }
            "unzip" if args.has_any(&["p", "c"]) => self.plain(fields, "prints what is in an archive"),
            "unzip" => {
                let folder = args.values("d").last().cloned().unwrap_or_else(|| Field::of("."));
                self.unpacked_into(&folder, args.has("n"), fields);
            }
            "7z" | "7za" | "7zr" | "rar" | "unrar" | "ar" | "cpio" => match verb.as_str() {
                "l" | "t" | "tv" | "lb" | "v" | "it" => self.plain(fields, "lists an archive"),
                _ => self.danger(fields, &format!("`{name}` may overwrite files that are there")),
            },
            _ => {
                let stays = matches!(name, "zstd" | "unzstd" | "lz4" | "brotli" | "zstdmt");
                // In some programs the last of these options wins: `xz -t -d` decompresses.
                let asks: &[&str] = if matches!(name, "lz4" | "brotli") {
                    &["t"]
                } else {
                    &["t", "l"]
                };
                let looks = args.has_any(asks) && !args.has_any(&["z", "d"]);
                let prints = args.has("c") || looks;
                if args.objection.is_some() {
                    return;
                }
                if prints || args.operands.is_empty() {
                    self.reads(fields, "packs or unpacks");
                    for operand in &args.operands {
                        self.reading(operand, super::grammar::Kind::Read);
                    }
                } else if args.has("f") || !(stays || args.has("k")) {
                    self.danger(fields, &format!("`{name}` replaces the files it packs or unpacks"));
                } else {
                    self.unknown(fields, &format!("`{name}` makes files whose names are not followed"));
                }
            }
        }
    }

    pub(super) fn curl(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        self.external(fields, &format!("`{name}` asks another machine"));
        self.state.fetched = true;
        let stays = args.has_any(&["o", "output-document", "spider", "h", "V"])
            || args
                .values("O")
                .iter()
                .any(|field| name == "wget" && !field.text.is_empty());
        let saves = name == "wget" && !stays
            || name != "wget" && name != "curl"
            || args.has_any(&["remote-name", "remote-name-all"]) && name == "curl";
        if args.has("J") {
            self.unknown(fields, "the other machine says under which name it is saved");
        }
        if saves {
            let folder = args
                .values(if name == "wget" { "P" } else { "output-dir" })
                .last()
                .cloned();
            for url in args.operands.clone() {
                let path = url.text.split(['?', '#']).next().unwrap_or("").to_owned();
                let file = Field::of(if last_part(&path).is_empty() {
                    "index.html".to_owned()
                } else {
                    last_part(&path).to_owned()
                });
                self.write_into(folder.as_ref().unwrap_or(&Field::of(".")), &file, fields);
                self.fetched_to(&file);
            }
        }
        for target in args.values("o").into_iter().chain(args.values("output-document")) {
            self.fetched_to(&target);
        }
    }

    fn fetched_to(&mut self, target: &Field) {
        for place in target.known().map(|path| self.state.places(path)).unwrap_or_default() {
            self.state.wrote(&place, None);
        }
    }

    pub(super) fn kill(&mut self, name: &str, fields: &[Field]) {
        let words: Vec<&str> = fields.iter().skip(1).map(|field| field.text.as_str()).collect();
        match words.as_slice() {
            ["-l" | "-L", ..] => self.reads(fields, "lists signals"),
            ["-0", _] | ["-s", "0", _] if name == "kill" => self.reads(fields, "asks whether a process is there"),
            _ if name == "kill" && words.iter().any(|word| matches!(*word, "1" | "-1")) && words.len() > 1 => {
                self.danger(fields, "it ends the machine's first process, or all");
            }
            _ => self.external(fields, &format!("`{name}` ends or signals processes")),
        }
    }
}

/// Whether a file mode sets special bits (setuid, setgid, sticky), or is unknown.
pub(super) fn is_special_mode(mode: &str) -> bool {
    match u32::from_str_radix(mode, 8) {
        Ok(mode) => mode > 0o777,
        Err(_) => is_open(mode) || mode.contains(['s', 't']),
    }
}

fn is_recursive(fields: &[Field]) -> bool {
    fields.iter().skip(1).any(|field| {
        let text = field.text.as_str();
        text.starts_with("--r")
            || text.starts_with("--no-p")
            || (text.starts_with('-') && !text.starts_with("--") && text.contains(['r', 'R']))
    })
}

/// Returns the operation of `tar`, its archive and any objection. The option letters may lack a dash, as in
/// `tar xf FILE`. Their values then follow in the order of the letters.
fn tar_words(args: &Arguments<'_>, fields: &[Field]) -> Option<(char, Option<Field>, Option<String>)> {
    let first = fields.get(1)?;
    if first.text.starts_with('-') || first.text.is_empty() {
        let mode = [
            ('c', "c"),
            ('x', "x"),
            ('t', "t"),
            ('d', "d"),
            ('r', "r"),
            ('u', "u"),
            ('A', "A"),
        ];
        let found = mode
            .iter()
            .filter(|(_, name)| args.has(name))
            .map(|(mode, _)| *mode)
            .next();
        let found = found.or_else(|| args.has("delete").then_some('r'))?;
        return Some((found, args.values("f").last().cloned(), args.objection.clone()));
    }
    let letters = first.known()?;
    let mode = letters.chars().find(|c| "cxtrudA".contains(*c))?;
    let mut values = fields.iter().skip(2);
    let mut archive = None;
    let mut objection = None;
    for letter in letters.chars() {
        match letter {
            'f' => archive = values.next().cloned(),
            'C' | 'T' | 'X' | 'b' | 'H' | 'N' | 'K' | 'V' => {
                if values.next().is_none() || letter == 'C' {
                    objection = Some("it works in another folder".to_owned());
                }
            }
            'c' | 'x' | 't' | 'd' | 'z' | 'j' | 'J' | 'Z' | 'a' | 'v' | 'p' | 'h' | 'k' | 'O' | 'm' | 'w' | 'S'
            | 'i' | 'o' | 'B' => {}
            _ => objection = Some(format!("`{letter}` is none of the options that are known")),
        }
    }
    // Words after the letters were parsed as options. The last named archive applies.
    let archive = args.values("f").last().cloned().or(archive);
    let objection = objection.or_else(|| args.objection.clone());
    Some((mode, archive, objection))
}
