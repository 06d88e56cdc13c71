use super::*;

#[test]
fn where_the_system_refuses_threads_one_sentence_says_so() {
    let mut none = Builder::new_multi_thread();
    // No machine has enough memory for such a stack.
    none.worker_threads(2).thread_stack_size(1 << 47);
    let told = built(&mut none).unwrap_err();
    assert_eq!(told.to_string(), refused(&Errno::AGAIN.into()).to_string());
    assert!(runtime().is_ok());
}
