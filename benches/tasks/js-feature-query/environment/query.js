function stringify(values) {
  const pairs = [];
  for (const [name, value] of Object.entries(values)) {
    for (const one of [].concat(value)) {
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
    }
  }
  return pairs.join("&");
}

module.exports = { stringify };
