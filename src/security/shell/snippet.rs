//! One-line programs in Python and Node that only compute and print. They run in the sandbox without approval if they
//! use only safe modules and only files with literal names.

use std::sync::LazyLock;

use regex::Regex;

/// Modules that only compute. A workspace module with the same name would run in the same sandbox.
const MODULES: &str = "json sys math platform time datetime csv re ast collections itertools textwrap statistics \
    string decimal fractions tomllib configparser difflib pprint calendar unicodedata";

/// Names that give access to files, programs, the interpreter or other modules.
const REACHES: &str = "os subprocess shutil pathlib socket io codecs builtins importlib ctypes tempfile signal threading \
    multiprocessing pty sysconfig modules eval exec compile getattr setattr delattr globals locals vars input breakpoint \
    system popen remove unlink rmdir rename replace_file write writelines writer writerow writerows truncate mkdir \
    makedirs touch chmod kill environ argv load_module meta_path path_hooks settrace setprofile addaudithook open_code \
    site help sleep Formatter breakpointhook call_tracing displayhook excepthook enum";

/// All names that a Node program may use, apart from single letters. With `-e`, every module is available by name.
const SCRIPT: &str = "console log JSON stringify parse Math max min round floor length version process versions node platform \
    arch Object keys values entries name dependencies devDependencies scripts map filter join split sort true false null \
    undefined typeof const let Date new toISOString toString Number parseInt parseFloat String Array isArray slice includes \
    main engines";

static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#""""|'''|(?P<before>[A-Za-z_]*)(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<name>[A-Za-z_]\w*)|[\s\d()\[\]{}.,:;+*/%<>=!?|&~^-]|(?P<other>.)"#).ok()
});

/// Returns the files that a program opens. `None` if the program may do more than read and print.
pub(super) fn read_by_python(code: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut files = Vec::new();
    // The program without its words, and with `'` for each string literal.
    let mut bare = String::new();
    for found in WORDS.as_ref()?.captures_iter(code) {
        let (whole, text) = (found[0].to_owned(), found.name("text"));
        if found.name("other").is_some() || matches!(whole.as_str(), "\"\"\"" | "'''") {
            return None;
        }
        let before = found.name("before").map_or("", |before| before.as_str());
        match text {
            // Text in `f'…'` and in braces may be code.
            Some(text) if before.contains(['f', 'F']) || text.as_str().contains("__") => return None,
            Some(text) if bare.ends_with("open(") => {
                files.push(text.as_str().trim_matches(['"', '\'']).to_owned());
                bare.push('\'');
            }
            Some(_) => bare.push('\''),
            None => bare.push_str(&whole),
        }
        names.extend(found.name("name").map(|name| name.as_str().to_owned()));
    }
    let reaches = |name: &String| {
        let own = matches!(name.as_str(), "__name__" | "__version__");
        (name.starts_with('_') && name.len() > 1 && !own) || REACHES.split_whitespace().any(|known| known == name)
    };
    let known = |module: &str| MODULES.split_whitespace().any(|known| known == module.trim());
    let mut imports = 0;
    for statement in bare.split(['\n', ';']) {
        let modules: Vec<&str> = match statement.trim().split_once(' ') {
            Some(("import", all)) => all.split(',').collect(),
            Some(("from", rest)) => vec![rest.split(' ').next().unwrap_or("")],
            _ => continue,
        };
        imports += 1;
        if !modules.into_iter().all(known) {
            return None;
        }
    }
    let count = |wanted: &str| names.iter().filter(|name| *name == wanted).count();
    let is_harmless = count("import") == imports && count("open") == bare.matches("open(')").count();
    (is_harmless && !names.iter().any(reaches) && !files.iter().any(|file| file.contains('\\'))).then_some(files)
}

/// Returns the files that a Node program reads. `None` if the program may do more than read and print.
pub(super) fn read_by_script(code: &str) -> Option<Vec<String>> {
    let mut files = Vec::new();
    let mut bare = String::new();
    for found in WORDS.as_ref()?.captures_iter(code) {
        let name = found.name("name").map_or("", |name| name.as_str());
        let known = name.len() < 2 || name == "require" || SCRIPT.split_whitespace().any(|known| known == name);
        if found.name("other").is_some() || !known || !found.name("before").is_none_or(|before| before.is_empty()) {
            return None;
        }
        match found.name("text") {
            Some(text) if bare.ends_with("require(") => {
                files.push(text.as_str().trim_matches(['"', '\'']).to_owned());
                bare.push('\'');
            }
            Some(_) => bare.push('\''),
            None if found[0].trim().is_empty() => {}
            None => bare.push_str(&found[0]),
        }
    }
    // In `x[…]`, a computed name could select any member.
    let members = bare.match_indices('[').any(|(at, _)| {
        let before = bare.get(..at).unwrap_or("");
        before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '_'))
    });
    let required = bare.matches("require").count() == bare.matches("require(')").count();
    (!members && required && files.iter().all(|file| file.ends_with(".json"))).then_some(files)
}

#[cfg(test)]
mod tests;
