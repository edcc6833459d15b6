import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, createClient, type Listener } from "../src/api/client";

function answering(status: number, body: string, asked: unknown[] = [], listener: Listener = {}) {
  const fetcher = async (...what: unknown[]): Promise<Response> => {
    asked.push(what);
    return new Response(body, { status });
  };
  return createClient(fetcher as typeof fetch, listener);
}

async function failure(doing: Promise<unknown>): Promise<ApiError> {
  const reason = await doing.then(() => null, (error: unknown) => error);
  assert.ok(reason instanceof ApiError);
  return reason;
}

test("a request that changes something is marked as one of the page", async () => {
  const asked: [string, RequestInit][] = [];
  await answering(200, "{}", asked).send("POST", "jobs/1/hold");
  const [[path, init]] = asked as [[string, RequestInit]];
  assert.equal(path, "api/v1/jobs/1/hold");
  assert.deepEqual([init.method, init.body], ["POST", "{}"]);
  assert.equal((init.headers as Record<string, string>)["X-Baleen"], "1");
});

test("an error tells code, field and hint, and keeps the whole answer", async () => {
  const body = { error: { code: "conflict", message: "taken", field: "from", hint: "later" }, openings: [1] };
  const error = await failure(answering(409, JSON.stringify(body)).get("x"));
  assert.deepEqual([error.status, error.code, error.message, error.field, error.hint], [409, "conflict", "taken", "from", "later"]);
  assert.deepEqual(error.body, body);
});

test("an answer that is no JSON is an error as well, and shows no more than its beginning", async () => {
  const error = await failure(answering(502, "<html>".repeat(1000)).get("x"));
  assert.equal(error.code, "unknown");
  assert.equal(error.message.length, 200);
});

test("who is signed out is told, and whether the daemon answers", async () => {
  const heard: string[] = [];
  const listener = { onUnauthorized: () => heard.push("out"), onReach: (does: boolean) => heard.push(`reach ${does}`) };
  await failure(answering(401, "", [], listener).get("x"));
  const dead = createClient((() => Promise.reject(new TypeError("no"))) as typeof fetch, listener);
  assert.equal((await failure(dead.get("x"))).code, "unreachable");
  assert.deepEqual(heard, ["reach true", "out", "reach false"]);
});

test("a question that was given up is no failure of the daemon", async () => {
  const heard: boolean[] = [];
  const stopped = createClient((() => Promise.reject(new DOMException("", "AbortError"))) as typeof fetch,
    { onReach: (does) => heard.push(does) });
  await assert.rejects(stopped.get("x"), { name: "AbortError" });
  assert.deepEqual(heard, []);
});
