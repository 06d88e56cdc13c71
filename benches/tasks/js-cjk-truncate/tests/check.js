const assert = require("node:assert");
const path = require("node:path");
const load = (file) => require(path.resolve(file));

const { truncate } = load("truncate.js");

const same = (text, columns, wanted) => assert.strictEqual(truncate(text, columns), wanted);
same("列車が到着します", 9, "列車が到…");
same("列車が到着します", 8, "列車が…");
same("列車が到着します", 16, "列車が到着します");
same("기차가 도착합니다", 8, "기차가 …");
same("火车 is late", 12, "火车 is late");
same("火车 is late", 8, "火车 is…");
same("plain text", 5, "plai…");
same("ＡＢＣ", 5, "ＡＢ…");
same("ok 😀😀", 6, "ok 😀…");
same("", 3, "");
