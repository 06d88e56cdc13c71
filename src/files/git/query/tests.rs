use super::*;

#[test]
fn an_answer_that_takes_too_long_is_given_up() {
    let mut child = Command::new("sleep")
        .arg("61.0501")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    assert_eq!(exchange(&mut child, Vec::new(), Duration::from_millis(20)), None);
    child.kill().unwrap();
    child.wait().unwrap();
}
