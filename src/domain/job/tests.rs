use super::*;

#[test]
fn a_number_is_read_as_models_write_it() {
    for text in ["bg_7", "BG-7", " bg7 ", "7"] {
        assert_eq!(JobId::of(text), Some(JobId(7)), "{text}");
    }
    for text in ["", "bg_", "bg_0", "bg_x", "bg_7.5"] {
        assert_eq!(JobId::of(text), None, "{text}");
    }
    assert_eq!(JobId(7).to_string(), "bg_7");
}
