use super::mentions;

#[test]
fn paths_of_images_become_mentions_however_the_terminal_writes_them() {
    for (pasted, mentioned) in [
        ("/a/shot.png", "@/a/shot.png "),
        ("/a/shot.PNG \n", "@/a/shot.PNG "),
        ("'/a/my shot.png'", "@\"/a/my shot.png\" "),
        (r"/a/my\ 圖.jpeg /b/c.gif ", "@\"/a/my 圖.jpeg\" @/b/c.gif "),
        (
            "file:///a/my%20%E5%9C%96.webp\r\n\"/b/it's.jpg\"",
            "@\"/a/my 圖.webp\" @/b/it's.jpg ",
        ),
    ] {
        assert_eq!(mentions(pasted).as_deref(), Some(mentioned), "{pasted}");
    }
    for text in [
        "",
        "/a/notes.txt",
        "a/shot.png",
        "see /a/shot.png",
        "/a/shot.png and more",
        "'/a/shot.png",
        "/a/shot.png\\",
        "file:///a/%ff.png",
        "file:///a/%f",
        "file:///a/%ff.png",
        "https://host/a.png",
    ] {
        assert_eq!(mentions(text), None, "{text}");
    }
}
