import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, parseHash } from "../src/route";

test("an address names its page, its id and its parameters", () => {
  for (const [hash, page, id, query] of [
    ["", "", "", ""],
    ["#/", "", "", ""],
    ["#/job/17", "job", "17", ""],
    ["#/job/7_3?log=1", "job", "7_3", "log=1"],
    ["#/timeline?from=1&q=a%26b", "timeline", "", "from=1&q=a%26b"],
    ["#/in/abc%2Fdef", "in", "abc/def", ""],
    ["#/nowhere/3", "", "", ""],
    ["#/job/%E0%A4%A", "job", "%E0%A4%A", ""],
    ["#/timeline?q=a?b", "timeline", "", "q=a%3Fb"],
  ] as const) {
    const route = parseHash(hash);
    assert.deepEqual([route.page, route.id, route.query.toString()], [page, id, query], hash);
  }
});

test("an address that was made is read as what it was made of", () => {
  const route = parseHash(hashOf("job", "a/b?c#d", { q: "x&y=z", empty: "" }));
  assert.equal(route.page, "job");
  assert.equal(route.id, "a/b?c#d");
  assert.deepEqual([...route.query], [["q", "x&y=z"]]);
});
