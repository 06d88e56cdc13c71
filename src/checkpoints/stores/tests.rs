use super::*;
use benchdog_base::clock::Time;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        Self { folder }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Creates and captures a folder, with a file that is larger than all later ones.
    fn captured(&self, name: &str) -> PathBuf {
        let root = self.folder.path().join(name);
        fs::create_dir(&root).unwrap();
        let bytes: Vec<u8> = (0..20_000_u32)
            .map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        fs::write(root.join("file"), bytes).unwrap();
        let all = Checkpoints::open(&self.data(), &root, Limits::default()).unwrap();
        all.capture().unwrap();
        root
    }
}

#[test]
fn stores_are_listed_and_those_of_removed_folders_go() {
    let place = Place::new();
    let (kept, gone) = (place.captured("kept"), place.captured("gone"));
    assert_eq!(stores(&place.data()).len(), 2);
    fs::remove_dir_all(&gone).unwrap();
    let results = gc_all(&place.data(), Limits::default());
    let of = |root: &Path| {
        results
            .iter()
            .find(|results| results.root.ends_with(root.file_name().unwrap()))
            .unwrap()
    };
    assert!(of(&gone).error.is_none() && of(&gone).after == 0, "{results:?}");
    assert!(of(&kept).after > 0, "captured within the last hour");
    assert_eq!(stores(&place.data()).len(), 1);
}

#[test]
fn a_link_in_place_of_a_store_is_not_followed() {
    let place = Place::new();
    let root = place.captured("root");
    let outside = place.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("root"), "/nowhere").unwrap();
    std::os::unix::fs::symlink(&outside, place.data().join(FOLDER).join("link")).unwrap();
    fs::remove_dir_all(&root).unwrap();
    assert_eq!(gc_all(&place.data(), Limits::default()).len(), 1);
    assert!(outside.join("root").exists());
}

#[test]
fn an_old_checkpoint_is_removed_and_the_next_capture_stores_all_again() {
    let place = Place::new();
    let root = place.captured("root");
    let all = Checkpoints::open(&place.data(), &root, Limits::default()).unwrap();
    let later = Time(Time::now().0 + 10 * 3_600_000);
    all.collect(&[], later).unwrap();
    let again = Checkpoints::open(&place.data(), &root, Limits::default()).unwrap();
    let captured = again.capture().unwrap();
    let state = again.state(&captured.tree, Path::new("file")).unwrap().unwrap();
    assert!(state.is_covered());
}
