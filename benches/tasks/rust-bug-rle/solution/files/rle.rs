pub fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take(255).take_while(|byte| **byte == bytes[at]).count();
        out.push(run as u8);
        out.push(bytes[at]);
        at += run;
    }
    out
}

pub fn decode(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for pair in bytes.chunks(2) {
        match pair {
            [0, _] | [_] => return None,
            [count, byte] => out.extend(std::iter::repeat(*byte).take(*count as usize)),
            _ => unreachable!(),
        }
    }
    Some(out)
}
