use super::*;

#[test]
fn where_the_system_refuses_the_thread_that_reads_what_is_pasted_one_sentence_says_so() {
    // No machine has enough memory for such a stack.
    let none = || std::thread::Builder::new().stack_size(1 << 47);
    let error = none().spawn(|| ()).unwrap_err();
    let told = typed(none()).unwrap_err();
    assert_eq!(told.to_string(), threads::refused(&error).to_string());
}
