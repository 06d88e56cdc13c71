use std::collections::HashMap;
use std::fs;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::{
    MOST_MODELS, MOST_STORED, Record, UNUSED, Vectors, is_wasteful, next_body, normalize, quantize, read_header,
    similarity,
};
use crate::segment::Stamp;

const STAMP: Stamp = Stamp { time: 7, size: 9 };

#[test]
fn a_quantized_vector_keeps_its_direction() {
    let vector: Vec<f32> = (0..384_u16).map(|at| (f32::from(at) * 0.7).sin() * 3.0).collect();
    let other: Vec<f32> = (0..384_u16).map(|at| (f32::from(at) * 1.3).cos()).collect();
    let (question, stored) = (normalize(&vector), quantize(&vector));
    assert_eq!(stored.len(), 4 + 384);
    assert!((similarity(&question, &stored) - 1.0).abs() < 0.01);
    let exact: f32 = question
        .iter()
        .zip(normalize(&other))
        .map(|(one, other)| one * other)
        .sum();
    assert!((similarity(&question, &quantize(&other)) - exact).abs() < 0.01);
    for degenerate in [vec![0.0; 3], vec![f32::MAX; 3]] {
        assert!(similarity(&normalize(&[1.0; 3]), &quantize(&degenerate)).is_finite());
    }
}

#[test]
fn a_file_has_the_records_that_follow_each_other_and_a_new_first_one_replaces_them() {
    let folder = TempDir::new().unwrap();
    let mut vectors = Vectors::open(folder.path(), "m", &[0.0, 5.0]).unwrap();
    let now: HashMap<&str, Stamp> = [("a", STAMP)].into();
    let append = |vectors: &mut Vectors, stamp: Stamp, first: u32, vector: [f32; 2]| {
        let mut writer = vectors.writer().unwrap().unwrap();
        writer.prepare(2, &now, SystemTime::UNIX_EPOCH).unwrap();
        let record = Record {
            path: "a",
            stamp,
            first,
            all: 3,
            vectors: &[vector.to_vec()],
        };
        writer.append(&record).unwrap();
    };
    append(&mut vectors, STAMP, 0, [1.0, 0.0]);
    append(&mut vectors, STAMP, 1, [0.0, 1.0]);
    // The record does not follow the earlier chunks, so it is ignored.
    append(&mut vectors, STAMP, 1, [1.0, 0.0]);
    assert_eq!(vectors.progress("a", STAMP), (2, false));
    let mut next = |all: u32| vectors.writer().unwrap().unwrap().next_chunk("a", STAMP, all);
    assert_eq!((next(3), next(4)), (2, 0), "another number of chunks starts anew");
    append(&mut vectors, STAMP, 2, [0.0, -1.0]);
    assert_eq!(vectors.progress("a", STAMP), (3, true));
    let near = vectors.nearest(&now, 10);
    assert_eq!((near.len(), near[0].chunk), (1, 1));
    assert!((near[0].similarity - 1.0).abs() < 0.01);
    let again = Vectors::open(folder.path(), "m", &[0.0, 5.0]).unwrap();
    assert_eq!(again.progress("a", STAMP), (3, true));
    assert_eq!(again.nearest(&now, 10), near, "read again, it has the same best chunk");
    let other_model = Vectors::open(folder.path(), "n", &[]).unwrap();
    assert_eq!(other_model.progress("a", STAMP), (0, false));
    let newer = Stamp { time: 8, size: 9 };
    append(&mut vectors, newer, 0, [1.0, 0.0]);
    assert_eq!(vectors.progress("a", newer), (1, false));
    assert_eq!(vectors.progress("a", STAMP), (0, false));
    assert!(vectors.nearest(&now, 10).is_empty());
    let mut other = Vectors::open(folder.path(), "m", &[]).unwrap();
    let writer = vectors.writer().unwrap();
    assert!(
        writer.is_some() && other.writer().unwrap().is_none(),
        "one process writes at a time"
    );
}

#[test]
fn the_files_of_models_that_are_not_used_are_deleted_and_so_are_those_beyond_the_limit() {
    let folder = TempDir::new().unwrap();
    let count = || {
        let files = fs::read_dir(folder.path()).unwrap();
        files
            .filter(|file| file.as_ref().unwrap().path().extension().is_none())
            .count()
    };
    let listed = HashMap::new();
    let use_model = |name: &str, at: SystemTime| {
        let mut vectors = Vectors::open(folder.path(), name, &[]).unwrap();
        vectors.writer().unwrap().unwrap().prepare(2, &listed, at).unwrap();
    };
    let begin = SystemTime::UNIX_EPOCH;
    for number in 0..10 {
        use_model(&format!("m{number}"), begin + Duration::from_secs(number));
    }
    assert_eq!(count(), MOST_MODELS);
    let is_kept = |name: &str| Vectors::open(folder.path(), name, &[]).unwrap().stored.is_some();
    assert!(is_kept("m6") && !is_kept("m5"));
    use_model("m9", begin + UNUSED + Duration::from_secs(9));
    assert_eq!(count(), 1);
    assert!(is_kept("m9"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the file and its lock");
}

#[test]
fn a_search_reads_the_file_once_unless_another_process_has_added_to_it() {
    let folder = TempDir::new().unwrap();
    let listed: HashMap<&str, Stamp> = [("a", STAMP), ("b", STAMP)].into();
    let add = |vectors: &mut Vectors, path: &str| {
        let mut writer = vectors.writer().unwrap().unwrap();
        writer.prepare(2, &listed, SystemTime::UNIX_EPOCH).unwrap();
        let record = Record {
            path,
            stamp: STAMP,
            first: 0,
            all: 1,
            vectors: &[vec![1.0, 0.0]],
        };
        writer.append(&record).unwrap();
    };
    let mut one = Vectors::open(folder.path(), "m", &[1.0, 0.0]).unwrap();
    add(&mut one, "a");
    // A record that is only in memory would be lost by reading the file again.
    one.stored.as_mut().unwrap().files.get_mut("a").unwrap().done = 7;
    drop(one.writer().unwrap().unwrap());
    assert_eq!(one.progress("a", STAMP).0, 7, "the file was not read again");
    let mut other = Vectors::open(folder.path(), "m", &[]).unwrap();
    add(&mut other, "b");
    drop(one.writer().unwrap().unwrap());
    assert_eq!((one.progress("a", STAMP).0, one.progress("b", STAMP)), (1, (1, true)));
}

#[test]
fn a_full_file_is_written_again_as_soon_as_a_tenth_is_out_of_date() {
    for (live, end, is) in [
        (600, 1_000, false),
        (400, 1_000, true),
        (MOST_STORED * 95 / 100, MOST_STORED, false),
        (MOST_STORED * 85 / 100, MOST_STORED, true),
    ] {
        assert_eq!(is_wasteful(live, end), is, "{live} of {end}");
    }
}

#[test]
fn an_error_of_the_system_is_not_the_end_of_the_file() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("an error of the disk"))
        }
    }
    assert!(next_body(&mut Failing).is_err());
    assert!(read_header(&mut Failing, "m").is_err());
    assert_eq!(next_body(&mut [0_u8; 5].as_slice()).unwrap(), None);
}
