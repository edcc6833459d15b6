import assert from "node:assert/strict";
import { test } from "node:test";
import { h, render, type ComponentChild } from "preact";
import { computed, effect, signal, useSignal, useSignalEffect, type Signal } from "../src/signals";

test("an effect runs again when what it read has changed, and only then", () => {
  const [a, b] = [signal(1), signal(10)];
  const seen: number[] = [];
  const end = effect(() => seen.push(a.value < 3 ? a.value : b.value));
  b.value = 11; // not read yet
  a.value = 1; // the same
  a.value = 3;
  b.value = 12;
  end();
  b.value = 13;
  assert.deepEqual(seen, [1, 11, 12]);
});

test("what an effect answers is called before its next run and at its end", () => {
  const a = signal(1);
  const seen: string[] = [];
  const end = effect(() => {
    const was = a.value;
    seen.push(`run ${was}`);
    return () => seen.push(`end ${was}`);
  });
  a.value = 2;
  end();
  end();
  assert.deepEqual(seen, ["run 1", "end 1", "run 2", "end 2"]);
});

test("a computed value is worked out once for each change, and only when it is asked for", () => {
  const a = signal(1);
  let runs = 0;
  const twice = computed(() => (runs++, a.value * 2));
  const large = computed(() => twice.value > 5);
  assert.equal(runs, 0);
  const seen: boolean[] = [];
  effect(() => seen.push(large.value));
  for (const value of [2, 3, 4, 1]) a.value = value;
  assert.equal(twice.value, 2);
  assert.deepEqual(seen, [false, true, false], "an effect is not run where the outcome is the same");
  assert.equal(runs, 5);
});

test("a value that was looked at is not watched", () => {
  const a = signal(1);
  const b = computed(() => a.value + 1);
  let runs = 0;
  effect(() => (runs++, a.peek() + b.peek()));
  a.value = 2;
  assert.equal(runs, 1);
  assert.equal(b.peek(), 3);
});

test("an effect that changes what it reads goes on until it rests, and is stopped if it never does", () => {
  const a = signal(0);
  effect(() => {
    if (a.value < 5) a.value++;
  });
  assert.equal(a.value, 5);
  assert.throws(() => effect(() => a.value++), /without end/);
});

test("work that fails leaves nobody watching", () => {
  const a = signal(1);
  assert.throws(() => computed(() => { throw new Error(`no ${a.value}`); }).value, /no 1/);
  let runs = 0;
  effect(() => runs++);
  a.value = 2;
  assert.equal(runs, 1);
});

/** As much of a document as Preact needs to put text somewhere. */
class FakeNode {
  childNodes: FakeNode[] = [];
  parentNode: FakeNode | null = null;
  style = {};
  constructor(readonly localName: string, public data = "") {}
  get nodeType() { return this.localName ? 1 : 3; }
  get firstChild(): FakeNode | null { return this.childNodes[0] ?? null; }
  get nextSibling(): FakeNode | null { return this.parentNode?.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null; }
  get ownerDocument() { return FAKE_DOCUMENT; }
  get text(): string { return this.localName ? this.childNodes.map((node) => node.text).join("") : this.data; }
  insertBefore(node: FakeNode, next: FakeNode | null) {
    node.parentNode?.removeChild(node);
    node.parentNode = this;
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, node);
    return node;
  }
  appendChild(node: FakeNode) { return this.insertBefore(node, null); }
  removeChild(node: FakeNode) {
    this.childNodes.splice(this.childNodes.indexOf(node), 1);
    node.parentNode = null;
  }
  setAttribute() {}
  removeAttribute() {}
}
const FAKE_DOCUMENT = {
  createElement: (name: string) => new FakeNode(name),
  createElementNS: (_: string, name: string) => new FakeNode(name),
  createTextNode: (text: string) => new FakeNode("", text),
};

const rendered = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

function show(what: ComponentChild): FakeNode {
  (globalThis as { document?: unknown }).document = FAKE_DOCUMENT;
  const root = new FakeNode("root");
  render(what, root as unknown as Element);
  return root;
}

test("a component is rendered again when a signal that it read changes, and others are not", async () => {
  const [left, right] = [signal("a"), signal("b")];
  const runs = { Left: 0, Right: 0, Both: 0 };
  const Left = () => (runs.Left++, h("i", null, left.value));
  const Right = () => (runs.Right++, h("i", null, right.value, h(Left, null)));
  const Both = () => (runs.Both++, h("b", null, h(Left, null), h(Right, null)));
  const root = show(h(Both, null));
  assert.equal(root.text, "aba");
  left.value = "A";
  await rendered();
  assert.equal(root.text, "AbA");
  assert.deepEqual(runs, { Left: 4, Right: 1, Both: 1 });
  right.value = "B";
  await rendered();
  assert.equal(root.text, "ABA");
  assert.equal(runs.Both, 1);
  render(null, root as unknown as Element);
  const before = { ...runs };
  left.value = right.value = "gone";
  await rendered();
  assert.deepEqual(runs, before, "what is no longer shown is not rendered");
});

test("a component keeps its own signals, and effects of it end with it", async () => {
  const outer = signal(1);
  const seen: string[] = [];
  let own: Signal<number> | null = null;
  const Counter = () => {
    own = useSignal(5);
    useSignalEffect(() => void seen.push(`${outer.value} ${own?.value}`));
    return h("i", null, own.value + outer.value);
  };
  const root = show(h(Counter, null));
  await rendered();
  await new Promise((resolve) => setTimeout(resolve, 120)); // effects of components run behind the picture
  own!.value = 6;
  outer.value = 2;
  await rendered();
  assert.equal(root.text, "8");
  render(null, root as unknown as Element);
  outer.value = 3;
  assert.deepEqual(seen, ["1 5", "1 6", "2 6"]);
});
