// The end of a job's log, followed while it grows.
import { useSignal } from "../signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Job } from "../api/types";
import { ApiError } from "../api/client";
import { t } from "../i18n";
import { client } from "../state";
import { bound } from "../ui/Field";
import { Icon } from "../ui/Icon";
import { errorText } from "../ui/Toast";
import { pathId } from "./actions";
import { found, LogTail, type Line } from "./logLines";

const FIRST_BYTES = 256 * 1024;
const AGAIN_MS = 1500;

interface Answer {
  bytes: Uint8Array;
  next: number;
  isComplete: boolean;
}

/** From an offset on, or the end where none is known yet. */
async function read(id: string, attempt: number, offset: number | null, stop: AbortSignal): Promise<Answer> {
  const from = offset === null ? `tail=${FIRST_BYTES}` : `offset=${offset}`;
  const answer = await client.raw(`jobs/${id}/log?attempt=${attempt}&${from}`, stop);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const next = Number(answer.headers.get("Baleen-Log-Next") ?? (offset ?? 0) + bytes.length);
  return { bytes, next, isComplete: answer.headers.get("Baleen-Log-Complete") === "yes" };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads on until the log is complete or the page goes elsewhere. */
async function follow(id: string, attempt: number, stop: AbortSignal, take: (answer: Answer, isFirst: boolean) => void): Promise<void> {
  let offset: number | null = null;
  for (let isFirst = true; !stop.aborted; isFirst = false) {
    const answer = await read(id, attempt, offset, stop);
    take(answer, isFirst);
    if (answer.isComplete) return;
    offset = answer.next;
    if (answer.bytes.length === 0 || isFirst) await wait(AGAIN_MS);
    while (document.hidden && !stop.aborted) await wait(AGAIN_MS);
  }
}

function useTail(id: string, attempt: number) {
  const lines = useSignal<Line[]>([]);
  const state = useSignal<{ isCut: boolean; isComplete: boolean; error: string }>({ isCut: false, isComplete: false, error: "" });
  useEffect(() => {
    const stop = new AbortController();
    const tail = new LogTail();
    lines.value = [];
    state.value = { isCut: false, isComplete: false, error: "" };
    follow(id, attempt, stop.signal, (answer, isFirst) => {
      if (isFirst && answer.next > answer.bytes.length) tail.isCut = true;
      tail.add(answer.bytes);
      lines.value = [...tail.lines];
      state.value = { isCut: tail.isCut, isComplete: answer.isComplete, error: "" };
    }).catch((reason: unknown) => {
      if (reason instanceof DOMException && reason.name === "AbortError") return;
      const isRefused = reason instanceof ApiError && reason.status === 403;
      state.value = { ...state.value, error: isRefused ? t("log.forbidden") : errorText(reason) };
    });
    return () => stop.abort();
  }, [id, attempt]);
  return { lines: lines.value, ...state.value };
}

function LogLine({ line }: { line: Line }) {
  return (
    <div class="line">
      {line.pieces.map((piece, i) => (piece.style ? <span key={i} class={piece.style}>{piece.text}</span> : piece.text))}
      {"\n"}
    </div>
  );
}

interface BoxProps {
  lines: Line[];
  isFollowing: boolean;
  onFollow: (does: boolean) => void;
}

/** Scrolls with the end while it is followed; scrolling up by hand ends that. */
function Box({ lines, isFollowing, onFollow }: BoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isFollowing && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines, isFollowing]);
  const onScroll = (): void => {
    const at = box.current;
    if (at) onFollow(at.scrollHeight - at.scrollTop - at.clientHeight < 24);
  };
  return (
    <div ref={box} class="log mono" tabIndex={0} role="log" aria-live="off" aria-label={t("log.title")} onScroll={onScroll}>
      {lines.map((line) => <LogLine key={line.number} line={line} />)}
    </div>
  );
}

function Attempts({ count, chosen, choose }: { count: number; chosen: number; choose: (attempt: number) => void }) {
  if (count < 2) return null;
  return (
    <select aria-label={t("log.attempt")} value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
      {Array.from({ length: count }, (_, i) => (
        <option key={i} value={i + 1}>{t("timeline.attempt", { n: i + 1 })}</option>
      ))}
    </select>
  );
}

export function Log({ job }: { job: Job }) {
  const chosen = useSignal<number | null>(null);
  const words = useSignal("");
  const isFollowing = useSignal(true);
  const attempt = chosen.value ?? Math.max(1, job.attempt);
  const { lines, isCut, isComplete, error } = useTail(pathId(job), attempt);
  const shown = found(lines, words.value);
  const href = `api/v1/jobs/${pathId(job)}/log?attempt=${attempt}`;
  return (
    <section aria-labelledby="log-title">
      <header class="row">
        <h2 id="log-title">{t("log.title")}</h2>
        <Attempts count={job.attempt} chosen={attempt} choose={(one) => (chosen.value = one)} />
        <input type="search" {...bound(words)} placeholder={t("log.search")} aria-label={t("log.search")} />
        <label class="check">
          <input type="checkbox" checked={isFollowing.value} onChange={(event) => (isFollowing.value = event.currentTarget.checked)} />
          {t("log.follow")}
        </label>
        <a class="button" href={href} download={`job-${job.id}.${attempt}.log`}><Icon name="down" /> {t("log.download")}</a>
      </header>
      {error && <p class="error">{error}</p>}
      {isCut && <p class="hint">{t("log.cut")}</p>}
      {words.value && <p class="hint" role="status">{t("log.found", { n: shown.length })}</p>}
      <Box lines={shown} isFollowing={isFollowing.value} onFollow={(does) => (isFollowing.value = does)} />
      {!lines.length && !error && <p class="hint">{isComplete ? t("log.empty") : t("log.waiting")}</p>}
    </section>
  );
}
