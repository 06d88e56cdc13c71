function truncate(text, columns) {
  if (text.length <= columns) return text;
  return text.slice(0, columns - 1) + "…";
}

module.exports = { truncate };
