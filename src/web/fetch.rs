//! Fetches one page as text.

use benchdog_base::disk::bytes_text;

use crate::Web;
use crate::address::Address;
use crate::client::{self, Body, RequestOptions};
use crate::limits::MOST_BYTES;
use crate::page::{markdown, run_on_large_stack};
use crate::text::{Kind, decode, kind_of_body, kind_of_media, media_and_charset};
use crate::trouble::Trouble;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};

const ACCEPT: &str = "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5";

/// Maximum length in characters of the page text in an error message.
const MOST_OF_ERROR: usize = 2_000;

/// A page as text. HTML is converted to Markdown, and other text is unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The address after redirects.
    pub url: String,
    pub media: String,
    /// In bytes, after decompression.
    pub bytes: usize,
    pub title: String,
    pub text: String,
    /// The reason why `text` is incomplete.
    pub cut: Option<String>,
}

impl Web {
    pub async fn fetch(&self, address: &Address) -> Result<Page, Trouble> {
        let work = self.fetch_within(address);
        let done = tokio::time::timeout(self.patience, work).await;
        done.unwrap_or(Err(Trouble::Timeout(self.patience)))
    }

    async fn fetch_within(&self, address: &Address) -> Result<Page, Trouble> {
        let options = RequestOptions {
            accept: ACCEPT,
            language: None,
            headers: &[],
        };
        let (address, mut response) = self.get(&self.guard(), address, &options).await?;
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let (media, charset) = media_and_charset(header(CONTENT_TYPE).unwrap_or_default());
        let length = header(CONTENT_LENGTH).and_then(|length| length.parse().ok());
        let (url, status) = (address.to_string(), response.status().as_u16());
        let not_text = |bytes| Trouble::NotText {
            url: url.clone(),
            media: if media.is_empty() {
                "data".to_owned()
            } else {
                media.clone()
            },
            bytes,
        };
        let is_fine = (200..300).contains(&status);
        if is_fine && kind_of_media(&media) == Some(Kind::Other) {
            return Err(not_text(length));
        }
        let body = client::body(&mut response, &url).await?;
        drop(response);
        let kind = kind_of_body(&media, &body.bytes);
        if kind == Kind::Other {
            return Err(match is_fine {
                true => not_text((!body.is_cut).then_some(body.bytes.len() as u64).or(length)),
                false => Trouble::Status {
                    url,
                    status,
                    text: String::new(),
                },
            });
        }
        let fetched = to_page(address, media, charset, kind, body).await?;
        if is_fine {
            return Ok(fetched);
        }
        let text = fetched.text.chars().take(MOST_OF_ERROR).collect();
        Err(Trouble::Status { url, status, text })
    }
}

async fn to_page(
    address: Address,
    media: String,
    charset: Option<String>,
    kind: Kind,
    body: Body,
) -> Result<Page, Trouble> {
    let (url, bytes) = (address.to_string(), body.bytes.len());
    let convert = move || {
        let text = decode(&body.bytes, charset.as_deref(), kind);
        drop(body.bytes);
        match kind {
            Kind::Html => markdown(&text, &address).map(|page| (page.title, page.text, page.is_cut)),
            Kind::Plain | Kind::Other => Ok((String::new(), text, false)),
        }
    };
    let (title, text, is_page_cut) = match kind {
        Kind::Html => run_on_large_stack(convert).await,
        Kind::Plain | Kind::Other => convert(),
    }
    .map_err(|why| Trouble::Unreadable { url: url.clone(), why })?;
    let cut = match (body.is_cut, is_page_cut) {
        (true, _) => Some(format!("only its first {} were read", bytes_text(MOST_BYTES))),
        (false, true) => Some("it is too complex, so its end was left out".to_owned()),
        (false, false) => None,
    };
    Ok(Page {
        url,
        media,
        bytes,
        title,
        text,
        cut,
    })
}

#[cfg(test)]
mod tests;
