use super::*;

const PNG: &str = r"printf '\211PNG\r\n\032\nrest'";

fn by(folder: &Path, tools: &[Words]) -> Images {
    Images {
        tools: tools.to_vec(),
        folder: folder.join("pasted"),
        ..Images::default()
    }
}

#[tokio::test]
async fn the_image_of_the_first_tool_that_has_one_is_kept_in_a_private_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tempfile::tempdir().unwrap();
    let images = by(
        home.path(),
        &[&["benchdog-no-such-tool"], &["false"], &["sh", "-c", PNG]],
    );
    let path = images.clone().take().await.unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"\x89PNG\r\n\x1a\nrest");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(path.extension().is_some_and(|ending| ending == "png"));
    assert_eq!(images.take().await.unwrap(), path, "the same image is one file");
}

#[tokio::test]
async fn what_is_no_image_or_too_large_or_far_away_is_said() {
    let home = tempfile::tempdir().unwrap();
    let take = |tools: &[Words]| by(home.path(), tools).take();
    assert_eq!(take(&[]).await, Err(NoImage::NoTool));
    assert_eq!(take(&[&["benchdog-no-such-tool"]]).await, Err(NoImage::NoTool));
    assert_eq!(take(&[&["echo", "words"]]).await, Err(NoImage::NoneThere));
    let large: &[&[&str]] = &[&["sh", "-c", r"printf '\211PNG\r\n\032\n'; head -c 11000000 /dev/zero"]];
    assert_eq!(take(large).await, Err(NoImage::TooLarge));
    let endless: &[&[&str]] = &[&["cat", "/dev/zero"]];
    assert_eq!(take(endless).await, Err(NoImage::TooLarge));
    assert!(!home.path().join("pasted").exists());
    let far = [("DISPLAY", ":0"), ("SSH_TTY", "/dev/pts/1")];
    let far = far.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let far = Images::of(&Environment::of(far), PathBuf::new(), Arc::default());
    assert_eq!(far.take().await, Err(NoImage::Far));
}

#[tokio::test]
async fn only_the_newest_images_are_kept() {
    let home = tempfile::tempdir().unwrap();
    for number in 0..KEPT + 3 {
        keep_image(home.path(), format!("GIF89a{number}").as_bytes()).unwrap();
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), KEPT);
}

#[test]
fn bytes_that_are_written_as_letters_are_read() {
    let letters = "\u{ab}data PNGf89504E470D0A1A0A\u{bb}\n";
    assert_eq!(from_letters(letters.as_bytes()).unwrap(), b"\x89PNG\r\n\x1a\n");
    assert_eq!(from_letters(b"\x89PNG"), None);
    assert_eq!(from_letters("\u{ab}data PNGf8x\u{bb}".as_bytes()), None);
}
