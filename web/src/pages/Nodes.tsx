// All nodes with their GPUs: who has each, how it is, and what administrators do with it.
import { useSignal } from "../signals";
import { useEffect, useRef } from "preact/hooks";
import type { Gpu, Node } from "../api/types";
import { useResource } from "../api/resource";
import { t, tx } from "../i18n";
import { bytes, number, percent } from "../i18n/format";
import { hashOf, route, setQuery } from "../route";
import { session } from "../state";
import { isTyping } from "../ui/keys";
import { Problem } from "../ui/Problem";
import { Text } from "../ui/Text";
import { When } from "../ui/When";
import { DrainButton } from "./Drain";

/** Nodes of a pool, in the order in which the daemon names them. */
export function byPool(nodes: Node[]): [string, Node[]][] {
  const pools = new Map<string, Node[]>();
  for (const node of nodes) pools.set(node.pool, [...(pools.get(node.pool) ?? []), node]);
  return [...pools];
}

/** Whether a node, or one of its GPUs, has what was typed: name, type, state, user or job. */
export function matches(node: Node, gpus: Gpu[], words: string): boolean {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return true;
  const texts = [node.name, node.pool, node.gpu_type, node.state, ...node.jobs.map(String), ...gpus.map((gpu) => gpu.user)];
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

export interface Total {
  type: string | null;
  gpus: number;
  free: number;
}

/** GPUs of each type, and how many of them could be had now: those of nodes that take jobs. */
export function totals(nodes: Node[]): Total[] {
  const found = new Map<string | null, Total>();
  for (const { gpu_type: type, gpus, gpus_free, state } of nodes) {
    const sum = found.get(type) ?? { type, gpus: 0, free: 0 };
    found.set(type, { type, gpus: sum.gpus + gpus, free: sum.free + (state === "up" ? gpus_free : 0) });
  }
  return [...found.values()].filter((total) => total.gpus > 0);
}

/** A share as a bar, in an SVG because styles in attributes are not allowed. */
export function Share({ ratio, label }: { ratio: number; label: string }) {
  const width = Math.min(100, Math.max(0, ratio * 100));
  return (
    <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`${label} ${percent(ratio)}`}>
      <title>{`${label} ${percent(ratio)}`}</title>
      <rect width="100" height="6" class="track" />
      <rect width={width} height="6" class="fill" />
    </svg>
  );
}

/** What a GPU that nobody has is. */
function Idle({ gpu, node }: { gpu: Gpu; node: Node }) {
  if (node.state === "down" || gpu.state === "down") return <span class="gpu-word out">{t("gpu.down")}</span>;
  if (node.state !== "up") return <span class="gpu-word faint">{t("node.drained")}</span>;
  return <span class="gpu-word">{gpu.state === "free" ? t("gpu.free") : <Text value={gpu.state} length={14} />}</span>;
}

function Tile({ gpu, node }: { gpu: Gpu; node: Node }) {
  const memory = gpu.mem_used_bytes !== null && gpu.mem_bytes ? gpu.mem_used_bytes / gpu.mem_bytes : null;
  return (
    <li class={`gpu gpu-${gpu.state}`} data-gpu={`${gpu.node}:${gpu.gpu}`}>
      <span class="gpu-number num">{gpu.gpu}</span>{" "}
      {gpu.job !== null ? (
        <a href={hashOf("job", String(gpu.job))}>
          <Text value={gpu.user} length={14} /> <span class="num">{gpu.job}</span>
        </a>
      ) : <Idle gpu={gpu} node={node} />}
      {gpu.utilization !== null && <Share ratio={gpu.utilization} label={t("gpu.use")} />}
      {memory !== null && <Share ratio={memory} label={t("gpu.memory")} />}
      {(gpu.temperature_c !== null || gpu.power_w !== null) && (
        <span class="faint num">
          {gpu.temperature_c !== null && `${number(gpu.temperature_c)} °C `}
          {gpu.power_w !== null && `${number(gpu.power_w)} W`}
        </span>
      )}
    </li>
  );
}

export function NodeState({ node }: { node: Node }) {
  if (node.state === "up" && node.drain_at === null) return null;
  return (
    <span class={`tag node-${node.state}`}>
      {node.state === "down" ? t("gpu.down") : node.state === "drained" ? t("node.drained") : node.state !== "up" && <Text value={node.state} />}
      {node.drain_at !== null && tx("node.drain_at", { at: <When key="at" at={node.drain_at} /> })}
    </span>
  );
}

function NodeCard({ node, gpus }: { node: Node; gpus: Gpu[] }) {
  return (
    <article class="node" data-node={node.name}>
      <header>
        <h3><Text value={node.name} length={40} /></h3>
        <NodeState node={node} />
        <span class="faint">
          {node.gpu_type && <Text value={node.gpu_type} length={24} />}
          {node.gpu_mem_bytes !== null && ` ${bytes(node.gpu_mem_bytes)}`}
        </span>
        <span class="node-free">{t("node.free", { n: node.gpus_free, all: node.gpus })}</span>
        {session.value?.admin && <DrainButton node={node} />}
      </header>
      <ul class="gpus">{gpus.map((gpu) => <Tile key={gpu.gpu} gpu={gpu} node={node} />)}</ul>
      <p class="faint">
        {t("node.books", {
          cpus: number(node.cpus_free), all: number(node.cpus), mem: bytes(node.mem_free_bytes), mem_all: bytes(node.mem_bytes),
        })}
      </p>
    </article>
  );
}

function Totals({ nodes }: { nodes: Node[] }) {
  return (
    <ul class="totals">
      {totals(nodes).map(({ type, gpus, free }) => (
        <li key={type}>
          <strong><Text value={type ?? t("gpu.any")} length={24} /></strong>
          <span class="num">{t("node.free", { n: free, all: gpus })}</span>
          <Share ratio={(gpus - free) / gpus} label={t("node.taken")} />
        </li>
      ))}
    </ul>
  );
}

/** A field that "/" reaches. */
function Filter() {
  const field = useRef<HTMLInputElement>(null);
  const words = useSignal(route.value.query.get("q") ?? "");
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || isTyping(event)) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <input ref={field} type="search" placeholder={t("node.filter")} aria-label={t("node.filter")} value={words.value}
      onInput={({ currentTarget: { value } }) => { words.value = value; setQuery({ q: value }); }} />
  );
}

export function Nodes() {
  const nodes = useResource<{ nodes: Node[] }>("nodes", { on: ["node", "job"], every_s: 5 });
  const gpus = useResource<{ gpus: Gpu[] }>("gpus", { on: ["node", "job"], every_s: 5 });
  if (!nodes.data || !gpus.data) return <Problem error={nodes.error ?? gpus.error} retry={nodes.reload} />;
  const of = (node: Node): Gpu[] => gpus.data?.gpus.filter((gpu) => gpu.node === node.name) ?? [];
  const words = route.value.query.get("q") ?? "";
  const shown = nodes.data.nodes.map((node) => [node, of(node)] as const).filter(([node, own]) => matches(node, own, words));
  return (
    <>
      <header class="row page-head"><h1>{t("nav.nodes")}</h1><Filter /></header>
      <Totals nodes={nodes.data.nodes} />
      {byPool(shown.map(([node]) => node)).map(([pool, list]) => (
        <section key={pool}>
          <h2>{tx("node.pool", { pool: <Text key="p" value={pool} length={40} /> })}</h2>
          <div class="nodes">{list.map((node) => <NodeCard key={node.name} node={node} gpus={of(node)} />)}</div>
        </section>
      ))}
      {!shown.length && <p class="hint">{t("node.none")}</p>}
    </>
  );
}
