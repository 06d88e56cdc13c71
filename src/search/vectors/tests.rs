use std::collections::HashMap;

use tempfile::TempDir;

use super::{MOST_STORED, Record, Vectors, is_wasteful, next_body, normalize, quantize, read_header, similarity};
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
    let mut vectors = Vectors::open(folder.path(), "m").unwrap();
    let now: HashMap<&str, Stamp> = [("a", STAMP)].into();
    let append = |vectors: &mut Vectors, stamp: Stamp, first: u32, vector: [f32; 2]| {
        let mut writer = vectors.writer().unwrap().unwrap();
        writer.prepare(2, &now).unwrap();
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
    let near = vectors.nearest(&[0.0, 5.0], &now, 10).unwrap();
    assert_eq!((near.len(), near[0].chunk), (1, 1));
    assert!((near[0].similarity - 1.0).abs() < 0.01);
    let again = Vectors::open(folder.path(), "m").unwrap();
    assert_eq!(again.progress("a", STAMP), (3, true));
    assert_eq!(
        Vectors::open(folder.path(), "n").unwrap().progress("a", STAMP),
        (0, false)
    );
    let newer = Stamp { time: 8, size: 9 };
    append(&mut vectors, newer, 0, [1.0, 0.0]);
    assert_eq!(vectors.progress("a", newer), (1, false));
    assert_eq!(vectors.progress("a", STAMP), (0, false));
    assert!(vectors.nearest(&[0.0, 5.0], &now, 10).unwrap().is_empty());
    let mut other = Vectors::open(folder.path(), "m").unwrap();
    let writer = vectors.writer().unwrap();
    assert!(
        writer.is_some() && other.writer().unwrap().is_none(),
        "one process writes at a time"
    );
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
