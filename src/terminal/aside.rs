//! Window title and notifications, sent outside frames. While the terminal is busy, only the newest of each is kept.

#[derive(Debug, Default)]
pub(super) struct Aside {
    title: Option<String>,
    ring: Option<String>,
}

impl Aside {
    pub(super) fn title(&mut self, title: String) {
        self.title = Some(title);
    }

    pub(super) fn ring(&mut self, bytes: String) {
        if !bytes.is_empty() {
            self.ring = Some(bytes);
        }
    }

    pub(super) fn take(&mut self) -> (Option<String>, Option<String>) {
        (self.title.take(), self.ring.take())
    }
}

#[cfg(test)]
mod tests;
