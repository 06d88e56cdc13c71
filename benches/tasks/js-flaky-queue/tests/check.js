const assert = require("node:assert");
const path = require("node:path");
const load = (file) => require(path.resolve(file));

const { Queue } = load("queue.js");

const later = (value, ms) => () => new Promise((resolve) => setTimeout(() => resolve(value), ms));

async function main() {
  const queue = new Queue();
  let running = 0;
  const alone = (value, ms) => async () => {
    running += 1;
    assert.strictEqual(running, 1, "two jobs run at once");
    await later(value, ms)();
    running -= 1;
    return value;
  };
  queue.push(alone("slow", 60));
  queue.push(alone("fast", 1));
  queue.push(async () => {
    throw new Error("failed");
  });
  queue.push(() => {
    throw new Error("failed at once");
  });
  queue.push(alone("last", 5));
  assert.deepStrictEqual(await queue.drain(), ["slow", "fast", undefined, undefined, "last"]);
  assert.deepStrictEqual(await new Queue().drain(), []);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
