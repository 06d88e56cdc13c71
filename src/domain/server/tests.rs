use super::*;

#[test]
fn a_tool_is_called_by_its_server_and_its_name() {
    let files = ServerName("files".to_owned());
    assert_eq!(files.tool("read_file"), "files__read_file");
    assert_eq!(files.tool("read file/now"), "files__read_file_now");
    assert_eq!(server_of("files__read"), Some("files"));
    assert_eq!(server_of("read"), None);
}

#[test]
fn long_names_stay_within_what_apis_take_and_differ_where_the_whole_differs() {
    let server = ServerName("s".repeat(32));
    let (one, other) = (
        server.tool(&format!("{}a", "x".repeat(80))),
        server.tool(&format!("{}b", "x".repeat(80))),
    );
    assert_eq!((one.len(), other.len()), (64, 64));
    assert_ne!(one, other);
}
