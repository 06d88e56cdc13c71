use super::*;

#[test]
fn a_tree_survives_its_encoding_and_any_damage_is_no_panic() {
    let stored = Content::Stored(ContentId::of(b"x"));
    let leaf = |kind, content| {
        Node::Leaf(FileState {
            kind,
            mode: 0o755,
            size: 70_000,
            content,
        })
    };
    let stamped = |why| Content::NotCovered {
        why,
        stamp: u64::MAX - 5,
    };
    let nodes = [
        leaf(Kind::File, stored),
        leaf(Kind::Link, stored),
        leaf(Kind::File, stamped(NotCovered::Ignored)),
        leaf(Kind::Special, stamped(NotCovered::Special)),
        leaf(Kind::Folder, stamped(NotCovered::TooMany)),
        Node::Folder {
            mode: 0o700,
            tree: TreeId(Id::of(b"y")),
        },
    ];
    let mut bytes = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        encode_item(&mut bytes, &[b'a' + u8::try_from(at).unwrap(), 0xff, b'\n'], node);
    }
    let items = decode(&bytes).expect("a tree");
    assert_eq!(items.iter().map(|item| item.node).collect::<Vec<_>>(), nodes);
    for at in 0..bytes.len() {
        assert!(at == 0 || decode(&bytes[..at]).is_none_or(|items| items.len() < nodes.len()));
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let _ = decode(&damaged);
    }
}

#[test]
fn a_difference_makes_the_one_tree_of_the_other() {
    let mut rng = fastrand::Rng::with_seed(5);
    let tree = |rng: &mut fastrand::Rng| {
        let mut bytes = Vec::new();
        for name in b'a'..b'k' {
            if rng.bool() {
                let tree = TreeId(Id::of(&[rng.u8(..3)]));
                encode_item(&mut bytes, &[name], &Node::Folder { mode: 0o755, tree });
            }
        }
        bytes
    };
    for _ in 0..2_000 {
        let (one, other) = (tree(&mut rng), tree(&mut rng));
        let between = difference(&one, &other).expect("trees");
        assert_eq!(apply(&one, &between), Some(other));
        assert!(one != tree(&mut rng) || difference(&one, &one) == Some(Vec::new()));
        let mut damaged = between;
        if let Some(at) = damaged.len().checked_sub(1) {
            damaged[rng.usize(..=at)] ^= 0x41;
            let _ = apply(&one, &damaged);
        }
    }
}
