const assert = require("node:assert");
const { Queue } = require("./queue.js");

const later = (value) => () => new Promise((resolve) => setTimeout(() => resolve(value), Math.random() * 30));

async function main() {
  const queue = new Queue();
  for (const value of [1, 2, 3]) queue.push(later(value));
  assert.deepStrictEqual(await queue.drain(), [1, 2, 3]);
}

main();
