const assert = require("node:assert");
const path = require("node:path");
const load = (file) => require(path.resolve(file));

const { Cart } = load("cart.js");

const cart = new Cart();
cart.add(0.1, 3);
assert.strictEqual(cart.total(), 0.3);
cart.add(19.99);
assert.strictEqual(cart.total(), 20.29);
cart.setDiscount(50);
assert.strictEqual(cart.total(), 10.15);
cart.setDiscount(0);
assert.strictEqual(cart.total(), 20.29);
assert.strictEqual(new Cart().total(), 0);
