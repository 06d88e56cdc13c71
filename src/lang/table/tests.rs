use super::*;

#[test]
fn a_message_that_is_read_alone_says_what_it_says_in_its_file() {
    for language in Language::ALL {
        let table = Table::new(language);
        let whole = FluentResource::try_new(language.table().to_owned()).expect("no errors");
        let mut messages = 0;
        for entry in whole.entries() {
            if let Entry::Message(message) = entry {
                messages += 1;
                let id = message.id.name;
                assert_eq!(table.pattern(id), message.value.as_ref(), "{language:?}: {id}");
            }
        }
        assert_eq!(table.messages.len(), messages, "{language:?}");
    }
}
