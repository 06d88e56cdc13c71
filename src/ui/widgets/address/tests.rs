use super::fit;

#[test]
fn host_and_port_stay_while_path_scheme_and_window_are_omitted() {
    let detail = "33k · http://127.0.0.1:8000/v1";
    for (room, shown) in [
        (30, detail),
        (29, "33k · http://127.0.0.1:8000"),
        (26, "127.0.0.1:8000"),
        (14, "127.0.0.1:8000"),
        (10, "127.0.0.1…"),
    ] {
        assert_eq!(fit(detail, room), shown, "{room}");
    }
    assert_eq!(fit("no address", 5), "no a…");
}
