import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, EMPTY, fieldOf, messageOf } from "../src/pages/jobForm";

test("a submission holds what was filled in and nothing else", () => {
  assert.deepEqual(bodyOf({ ...EMPTY, run: "python train.py", workdir: " /home/me " }), {
    run: "python train.py", workdir: "/home/me", class: "batch", resources: { gpus: "1" }, time: { limit: "2h" },
  });
  assert.deepEqual(
    bodyOf({
      ...EMPTY, name: "a", run: "#!/bin/sh\r\ntrue\r\n", gpus: "2-8", gpu_type: "A100", cpus: "8/gpu", mem: "64GB", limit: "",
      workdir: "/w", project: "nlp", after: "17:ok, 18:any", array: "0-9", hold: true, promise: true, reservation: "r17",
    }),
    {
      name: "a", run: "#!/bin/sh\ntrue\n", resources: { gpus: "2-8", cpus: "8/gpu", mem: "64GB", gpu: { type: "A100" } },
      workdir: "/w", project: "nlp", class: "batch", after: ["17:ok", "18:any"], array: "0-9", hold: true, promise: true,
      reservation: "r17",
    });
});

test("an error goes to its field, whatever path names it", () => {
  const said = (field: string | null, message = "") => fieldOf({ field, message });
  assert.equal(said("limit"), "limit");
  assert.equal(said("time.limit"), "limit");
  assert.equal(said("resources.gpu.type"), "gpu_type");
  assert.equal(said("gpus"), "gpus");
  assert.equal(said("checkpoint"), "");
  assert.equal(said(null, "request body: expected workdir, the absolute path of the directory to run in"), "workdir");
  assert.equal(said(null, "request body: expected a command: [PROGRAM, ARGUMENT, …], or run: with the text of a script"), "run");
  assert.equal(said(null, "no state of this machine gives one job 16 such GPUs"), "");
});

test("an error is shown without its place and with its hint", () => {
  assert.equal(messageOf({ message: "request body: limit: expected a time like 2h, found '2x'", hint: null }),
    "expected a time like 2h, found '2x'");
  assert.equal(messageOf({ message: "too many GPUs", hint: "ask for at most 8 GPUs" }), "too many GPUs (ask for at most 8 GPUs)");
});
