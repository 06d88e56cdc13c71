function stringify(values) {
  const pairs = [];
  for (const [name, value] of Object.entries(values)) {
    for (const one of [].concat(value)) {
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
    }
  }
  return pairs.join("&");
}

function parse(text) {
  const found = new Map();
  const decode = (part) => decodeURIComponent(part.replace(/\+/g, " "));
  for (const pair of text.replace(/^\?/, "").split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? "" : decode(pair.slice(at + 1));
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  const single = ([name, values]) => [name, values.length === 1 ? values[0] : values];
  return Object.fromEntries([...found].map(single));
}

module.exports = { parse, stringify };
