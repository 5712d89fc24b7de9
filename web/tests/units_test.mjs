// What the page computes, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const esbuild = await import("esbuild").catch(() => null);
const skip = esbuild === null && "there is no esbuild (npm ci in web/)";

async function load(name) {
  if (skip) return {};
  const entry = fileURLToPath(new URL(`../src/${name}`, import.meta.url));
  const { outputFiles } = await esbuild.build({ entryPoints: [entry], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { bytes, duration, count, percent, short, has_limit } = await load("format.ts");
const { after, time_of } = await load("picture.ts");
const { rows_of, boxes_of } = await load("lanes.ts");

test("bytes have the unit that leaves few digits", { skip }, () => {
  const told = [0, 1023, 1024, 1536, 150 * 1024, 2 ** 30, 47.1 * 2 ** 30, 124 * 2 ** 30, 2 ** 60].map(bytes);
  assert.deepEqual(told, ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "150 KiB", "1.0 GiB", "47.1 GiB", "124 GiB", "1024 PiB"]);
});

test("durations have two units at most, and never 60 of one", { skip }, () => {
  const told = [0, 0.4, 999, 1000, 59_940, 59_960, 61_000, 3_599_600, 3_720_000, 86_400_000, 90_000_000].map(duration);
  assert.deepEqual(told, ["0 ms", "0 ms", "999 ms", "1.0 s", "59.9 s", "1 min", "1 min 1 s", "1 h", "1 h 2 min", "1 d", "1 d 1 h"]);
  assert.equal(duration(-5), "0 ms");
});

test("counts, shares, ids, limits", { skip }, () => {
  assert.deepEqual([0, 1, 12345].map((n) => count(n, "job")), ["0 jobs", "1 job", "12,345 jobs"]);
  assert.deepEqual([percent(1, 3), percent(5, 0)], ["33 %", "0 %"]);
  assert.deepEqual([short("0123456789abcdef"), short("porep-32g")], ["01234567", "porep-32g"]);
  assert.deepEqual([0, 1, 2 ** 50].map(has_limit), [false, true, false]);
});

test("news change the picture, and mean nothing without a whole", { skip }, () => {
  const span = (subject) => ["lane", 0, 0, "prove", 1, 2, subject, 0, 1, "done"];
  const news = { tick: 2, whole: false, sections: { clock: { now: 2000 } }, items: [span("b")] };
  assert.equal(after(null, news, 0), null);
  const first = after(null, { tick: 1, whole: true, sections: { clock: { now: 1000 }, keys: [] }, items: [span("a")] }, 50_000);
  const second = after(first, news, 51_000);
  assert.equal(second.clock.now, 2000);
  assert.deepEqual(second.keys, []);
  assert.deepEqual(second.ended_spans.map((each) => each[6]), ["a", "b"]);
  assert.equal(time_of(second, 500).getTime(), 49_500);
  const many = { tick: 3, whole: false, sections: {}, items: Array.from({ length: 3000 }, () => span("c")) };
  assert.equal(after(second, many, 0).ended_spans.length, 2048);
});

test("lanes stand in their order, with what they did and do", { skip }, () => {
  const picture = {
    clock: { now: 10_000 },
    lanes: [{ role: "urgent", device: 0, lane: 0 }, { role: "lane", device: 0, lane: 0 }],
    ended_spans: [
      ["keys", 0, 0, "key", 1, 900, "old", 0, 1, "done"],
      ["lane", 0, 0, "prove", 5000, 6000, "a", 0, 1, "done"],
    ],
    spans: [["lane", 0, 0, "witness", 9000, null, "b", 0, 1, "running"]],
  };
  const rows = rows_of(picture, 1000);
  assert.deepEqual(rows.map((row) => row.role), ["intake", "lane", "urgent"]);
  assert.deepEqual(rows[1].stretches.map((each) => [each.subject, each.end]), [["a", 6000], ["b", 10_000]]);
});

test("what is too narrow to be told apart is one box", { skip }, () => {
  const stretch = (begin, end, stage = "prove") => ({ stage, begin, end, subject: "", partition: 0, together: 1, how: "done" });
  const thousand = Array.from({ length: 1000 }, (_, i) => stretch(10 * i, 10 * i + 9));
  assert.ok(boxes_of(thousand, 0, 1_000_000).length <= 10);
  const two = boxes_of([stretch(0, 100), stretch(500, 600, "key")], 0, 1000);
  assert.deepEqual(two.map((box) => [box.stage, box.x, box.width]), [["prove", 0, 100], ["key", 500, 100]]);
  assert.equal(boxes_of([stretch(-500, 500)], 0, 1000)[0].width, 500, "what began before the window begins at its edge");
});
