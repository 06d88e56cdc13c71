use super::*;

#[test]
fn every_path_comes_back() {
    for path in ["/a/b.rs", "/a b/ü/%41#?.py", "/日本/x.ts"] {
        assert_eq!(to_path(&of_path(Path::new(path))).as_deref(), Some(Path::new(path)));
    }
    assert_eq!(of_path(Path::new("/a b")), "file:///a%20b");
}

#[test]
fn other_addresses_are_no_paths() {
    assert_eq!(to_path("file:///c%3A/x"), Some(PathBuf::from("/c:/x")));
    assert_eq!(to_path("file://localhost/x"), Some(PathBuf::from("/x")));
    for uri in ["untitled:1", "http://x/y", "file:x", "file://host/x", ""] {
        assert_eq!(to_path(uri), None, "{uri}");
    }
}
