//! Packs a session file without its empty blocks. The format is the length, followed by each used block after its
//! offset. Numbers have eight bytes in little-endian order.

const BLOCK: usize = 512;
const NUMBER: usize = 8;

pub fn packed(file: &[u8]) -> Vec<u8> {
    let number = |number: usize| (number as u64).to_le_bytes();
    let mut packed = number(file.len()).to_vec();
    for (index, block) in file.chunks(BLOCK).enumerate() {
        if block.iter().any(|byte| *byte != 0) {
            packed.extend(number(index * BLOCK));
            packed.extend(block);
        }
    }
    packed
}

pub fn unpacked(packed: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| {
        let bytes = bytes.try_into().expect("eight bytes");
        usize::try_from(u64::from_le_bytes(bytes)).expect("a place in memory")
    };
    let (length, blocks) = packed.split_at(NUMBER);
    let mut file = vec![0; number(length)];
    for part in blocks.chunks(NUMBER + BLOCK) {
        let (place, block) = part.split_at(NUMBER);
        let place = number(place);
        file[place..place + block.len()].copy_from_slice(block);
    }
    file
}

#[test]
fn what_is_unpacked_is_what_was_packed() {
    let mut file = vec![0; 10 * BLOCK + 7];
    for place in [0, BLOCK - 1, 3 * BLOCK, 10 * BLOCK + 6] {
        file[place] = 9;
    }
    let small = packed(&file);
    assert!(small.len() < 4 * (BLOCK + NUMBER), "{}", small.len());
    assert_eq!(unpacked(&small), file);
    assert_eq!(unpacked(&packed(&[])), Vec::<u8>::new());
}
