//! Images that are dropped on the terminal. The terminal pastes their paths. Benchdog recognises the paths by the file
//! names. When the prompt is sent, only paths of existing files become mentions.

use percent_encoding::percent_decode_str;

use benchdog_domain::mention::written;

const ENDINGS: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".webp"];

/// Converts pasted image paths to mentions. `None` if the text contains anything else.
pub(super) fn mentions(pasted: &str) -> Option<String> {
    let paths = paths(pasted.trim())?;
    let images = paths.iter().map(|path| image(path)).collect::<Option<Vec<_>>>()?;
    (!images.is_empty()).then(|| images.join(" ") + " ")
}

fn image(path: &str) -> Option<String> {
    let path = match path.strip_prefix("file://") {
        Some(address) => {
            let path = percent_decode_str(address.strip_prefix("localhost").unwrap_or(address));
            path.decode_utf8().ok()?.into_owned()
        }
        None => path.to_owned(),
    };
    let lower = path.to_lowercase();
    let is_image = path.starts_with('/') && ENDINGS.iter().any(|ending| lower.ends_with(ending));
    is_image.then(|| written(&path))
}

fn paths(pasted: &str) -> Option<Vec<String>> {
    let (mut paths, mut path, mut quote) = (Vec::new(), String::new(), None);
    let mut chars = pasted.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => path.push(chars.next()?),
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (c, None) if c.is_whitespace() => {
                paths.extend(Some(std::mem::take(&mut path)).filter(|path| !path.is_empty()));
            }
            (c, _) => path.push(c),
        }
    }
    paths.extend(Some(path).filter(|path| !path.is_empty()));
    quote.is_none().then_some(paths)
}

#[cfg(test)]
mod tests;
