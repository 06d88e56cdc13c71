//! Window title and notifications, sent outside frames. While the terminal accepts nothing, only the newest of each waits.

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
mod tests {
    use super::*;

    #[test]
    fn while_a_terminal_took_nothing_titles_and_rings_piled_up() {
        let mut aside = Aside::default();
        for number in 0..1_000 {
            aside.title(format!("title {number}"));
            aside.ring(format!("ring {number}"));
            aside.ring(String::new());
        }
        assert_eq!(
            aside.take(),
            (Some("title 999".to_owned()), Some("ring 999".to_owned()))
        );
        assert_eq!(aside.take(), (None, None));
    }
}
