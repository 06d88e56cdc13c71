use std::sync::Arc;

use super::{Changes, Instant, LONG_PAUSE, OFTEN, PAUSE, folders, look_after, sleep};
use crate::engine::Report;
use crate::engine::tests::rig::{Rig, Wishes};
use benchdog_base::id::{CallId, SeatId};

#[tokio::test]
async fn a_file_that_is_saved_all_the_time_was_looked_at_every_second_where_there_was_nothing_new_to_show() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "now\n")],
        ..Wishes::default()
    })
    .await;
    let seat = SeatId(1);
    let workspace = Arc::clone(&rig.seats.get(seat).unwrap().workspace);
    let shown = vec![("a.txt".to_owned(), Some(Arc::from(&b"before\n"[..])))];
    let changes = Changes {
        count: OFTEN,
        last: Some(Instant::now()),
    };
    let to = (rig.engine.line(seat), CallId("e".to_owned()));
    let watch = tokio::spawn(look_after(workspace, shown, to, changes));
    for n in 0..35 {
        std::fs::write(rig.file("a.txt"), format!("save {n}.\n")).unwrap();
        sleep(PAUSE / 10).await;
    }
    watch.abort();
    let mut told = 0;
    while let Ok(report) = rig.reported.try_recv() {
        told += usize::from(matches!(report, Report::FilesSaved { .. }));
    }
    assert_eq!(told, 1);
}

#[tokio::test]
async fn the_folder_that_a_link_leads_to_is_watched_as_well() {
    let mut rig = Rig::new(Wishes::default()).await;
    std::fs::create_dir(rig.file("real")).unwrap();
    std::fs::write(rig.file("real/a.txt"), "now\n").unwrap();
    std::os::unix::fs::symlink("real", rig.file("link")).unwrap();
    let workspace = Arc::clone(&rig.seats.get(SeatId(1)).unwrap().workspace);
    let real = std::fs::canonicalize(rig.file("real")).unwrap();
    let watched = folders(&workspace, &[("link/a.txt".to_owned(), None)]);
    let both = ["link", real.to_str().unwrap()];
    assert!(both.iter().all(|folder| watched.contains(*folder)), "{watched:?}");
}

#[test]
fn files_that_change_again_and_again_are_left_alone_longer_until_they_rest() {
    let mut changes = Changes::default();
    assert!(changes.pause().is_zero());
    for _ in 0..OFTEN {
        changes.one_more();
        assert_eq!(changes.pause(), PAUSE);
    }
    changes.one_more();
    assert!(changes.never_end());
    assert_eq!(changes.pause(), LONG_PAUSE);
    changes.last = Instant::now().checked_sub(LONG_PAUSE * 2);
    changes.one_more();
    assert_eq!(changes.pause(), PAUSE);
}
