use rmcp::model::JsonRpcMessage;

use super::*;

#[test]
fn a_form_is_known_as_it_was_written_whatever_the_sdk_makes_of_it() {
    let forms = RawForms::default();
    let form =
        json!({"type": "object", "properties": {"b": {"type": "string", "pattern": "^x$"}, "a": {"type": "odd"}}});
    let asks = |id: i64, form: &Value| {
        let params = json!({"message": "Which?", "requestedSchema": form});
        json!({"jsonrpc": "2.0", "id": id, "method": METHOD, "params": params}).to_string()
    };
    let message = forms.extract(asks(5, &form).as_bytes()).unwrap();
    assert!(matches!(message, JsonRpcMessage::Request(_)), "{message:?}");
    let taken = forms.take(&RequestId::Number(5)).unwrap();
    assert_eq!(taken.to_string(), form.to_string(), "in its order");
    assert_eq!(forms.take(&RequestId::Number(5)), None);
    for id in 0..200 {
        forms.extract(asks(id, &form).as_bytes()).unwrap();
    }
    assert_eq!(forms.0.lock().unwrap().len(), MOST_IN_FLIGHT);
}
