pub fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| **byte == bytes[at]).count();
        out.push(run as u8);
        out.push(bytes[at]);
        at += run;
    }
    out
}

pub fn decode(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for at in (0..bytes.len()).step_by(2) {
        out.extend(std::iter::repeat(bytes[at + 1]).take(bytes[at] as usize));
    }
    Some(out)
}
