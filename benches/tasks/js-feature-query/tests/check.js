const assert = require("node:assert");
const path = require("node:path");
const load = (file) => require(path.resolve(file));

const { parse, stringify } = load("query.js");

const same = (text, wanted) => assert.deepStrictEqual({ ...parse(text) }, wanted, text);
same("a=1&b=x%20y", { a: "1", b: "x y" });
same("?q=a+b", { q: "a b" });
same("t=1&t=2&t=3", { t: ["1", "2", "3"] });
same("flag&a=", { flag: "", a: "" });
same("a=1&&b=2&", { a: "1", b: "2" });
same("eq=a=b", { eq: "a=b" });
same("", {});
assert.strictEqual(Object.getOwnPropertyDescriptor(parse("__proto__=x"), "__proto__").value, "x");
assert.strictEqual({}.x, undefined);
const values = { "a&b": "1=2", list: ["x", "y"] };
assert.deepStrictEqual({ ...parse(stringify(values)) }, values);
