const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u;

function width(letter) {
  return WIDE.test(letter) ? 2 : 1;
}

function truncate(text, columns) {
  const letters = [...text];
  const whole = letters.reduce((sum, letter) => sum + width(letter), 0);
  if (whole <= columns) return text;
  let used = 0;
  let out = "";
  for (const letter of letters) {
    used += width(letter);
    if (used > columns - 1) break;
    out += letter;
  }
  return out + "…";
}

module.exports = { truncate };
