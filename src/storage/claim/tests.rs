use super::*;

#[test]
fn the_first_program_keeps_the_draft_of_a_folder_until_it_ends() {
    let data = tempfile::tempdir().unwrap();
    let folder = Folder::prepare(data.path()).unwrap();
    let (first, second) = (Claims::default(), Claims::default());
    assert_eq!(first.claim(&folder, "/a"), DraftOf::ThisProgram);
    assert_eq!(first.claim(&folder, "/a"), DraftOf::ThisProgram, "its own");
    assert_eq!(second.claim(&folder, "/a"), DraftOf::Another);
    assert_eq!(second.claim(&folder, "/b"), DraftOf::ThisProgram);
    drop(first);
    assert_eq!(second.claim(&folder, "/a"), DraftOf::ThisProgram);
}
