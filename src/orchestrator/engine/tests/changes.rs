//! Tests comparisons of changed files with earlier contents. Each request is answered, and the folders of the files are
//! watched afterwards.

use std::sync::Arc;

use super::FIRST;
use super::rig::{Rig, Wishes};
use crate::engine::FolderId;
use crate::engine::files::Answering;
use benchdog_protocol::{Answer, Command, Event, Told};

fn answers(wanted: impl Fn(&Answer) -> bool) -> impl Fn(&Told) -> bool {
    move |told| matches!(&told.event, Event::Answer(answer) if wanted(answer))
}

async fn hears(rig: &mut Rig, wanted: impl Fn(&Told) -> bool) -> Told {
    for _ in 0..200 {
        if let Some(at) = rig.heard.iter().position(&wanted) {
            return rig.heard.remove(at);
        }
        rig.report_next().await;
    }
    panic!("heard {:#?}", rig.heard);
}

#[tokio::test]
async fn a_count_that_breaks_off_is_answered() {
    let mut rig = Rig::new(Wishes::default()).await;
    let session = rig.seats.get(FIRST).unwrap().session().clone();
    let files = vec![("a.txt".to_owned(), None)];
    let answer: Answering = Arc::new(|_, then| {
        assert!(then.iter().all(|before| before.bytes.is_err()), "breaks off");
        Answer::Counted {
            number: 1,
            files: Vec::new(),
        }
    });
    rig.engine.against((FIRST, FolderId::HOME), session, files, answer);
    let counted = |answer: &Answer| matches!(answer, Answer::Counted { number: 1, files } if files.is_empty());
    hears(&mut rig, answers(counted)).await;
}

#[tokio::test]
async fn where_a_counted_file_lies_its_folder_is_looked_at_though_nobody_listed_it() {
    let mut rig = Rig::new(Wishes::default()).await;
    std::fs::create_dir(rig.file("docs")).unwrap();
    std::fs::write(rig.file("docs/one.md"), "1\n2\n").unwrap();
    let count = |number| Command::Count {
        number,
        files: vec![("docs/one.md".to_owned(), None)],
    };
    let counts = |wanted: u64, lines, is_there| {
        answers(move |answer| match answer {
            Answer::Counted { number, files } => {
                let counted = files.iter().map(|file| (file.added, file.is_there));
                *number == wanted && counted.eq([(lines, is_there)])
            }
            _ => false,
        })
    };
    rig.order(FIRST, count(7)).await;
    hears(&mut rig, counts(7, 2, true)).await;
    std::fs::remove_file(rig.file("docs/one.md")).unwrap();
    let read_anew =
        |answer: &Answer| matches!(answer, Answer::Folder { path, items } if path == "docs" && items.is_empty());
    hears(&mut rig, answers(read_anew)).await;
    rig.order(FIRST, count(8)).await;
    hears(&mut rig, counts(8, 0, false)).await;
}

#[tokio::test]
async fn a_counted_file_that_is_named_through_a_link_is_looked_at_where_it_lies() {
    let mut rig = Rig::new(Wishes::default()).await;
    std::fs::create_dir(rig.file("docs")).unwrap();
    std::fs::write(rig.file("docs/one.md"), "1\n2\n").unwrap();
    std::os::unix::fs::symlink("docs", rig.file("link")).unwrap();
    let files = vec![("link/one.md".to_owned(), None)];
    rig.order(FIRST, Command::Count { number: 1, files }).await;
    let counted = |answer: &Answer| match answer {
        Answer::Counted { files, .. } => files
            .iter()
            .any(|file| (file.added, file.lies_at.as_deref()) == (2, Some("docs/one.md"))),
        _ => false,
    };
    hears(&mut rig, answers(counted)).await;
    std::fs::write(rig.file("docs/one.md"), "1\n2\n3\n").unwrap();
    let read_anew = |answer: &Answer| matches!(answer, Answer::Folder { path, .. } if path == "docs");
    hears(&mut rig, answers(read_anew)).await;
}
