// Who used how much, how long they waited, and when.
import { ApiError } from "../api/client";
import type { EtaScore, Report, ReportBy, ReportRow } from "../api/types";
import { useResource } from "../api/resource";
import { useSignal } from "../signals";
import { useEffect } from "preact/hooks";
import { t, tx } from "../i18n";
import { day, duration, instant, measure, number, percent } from "../i18n/format";
import { route, setQuery } from "../route";
import { client, now, zone } from "../state";
import { Icon } from "../ui/Icon";
import { Problem } from "../ui/Problem";
import { Section } from "../ui/Section";
import { Text } from "../ui/Text";
import { When } from "../ui/When";
import { csvOf, download } from "./csv";
import { Share } from "./Nodes";

export const BY: readonly ReportBy[] = ["user", "project", "class", "kind", "node-type"];
const DAY_S = 86400;
/** A span of time, and in how many steps it is drawn. */
const SPANS = { "1": 12, "7": 7, "30": 10 } as const;
type Days = keyof typeof SPANS;

/** Under which key a row says what it is about. */
const keyOf = (by: ReportBy): "user" | "project" | "class" | "kind" | "node_type" => (by === "node-type" ? "node_type" : by);

const failed = (row: ReportRow): number => row.failed + row.timeout + row.lost;

/** All that the daemon tells, under its own names. */
export function csvOfReport(report: Report): string {
  const head = Object.keys(report.rows[0] ?? {}) as (keyof ReportRow)[];
  return csvOf(head, report.rows.map((row) => head.map((key) => row[key])));
}

const hours = (value: number | null): string => (value === null ? "–" : value < 1 ? measure(value) : number(value, value < 10 ? 1 : 0));
const time = (value: number | null): string => (value === null ? "–" : duration(value));

function Row({ row, by }: { row: ReportRow; by: ReportBy | null }) {
  return (
    <tr>
      <th scope="row">{by ? <Text value={row[keyOf(by)] ?? t("report.none")} length={40} /> : t("report.all")}</th>
      <td class="num">{hours(row.gpu_hours)}</td>
      <td>{row.share_ratio !== null && <><Share ratio={row.share_ratio} label={t("report.share")} /> <span class="num">{percent(row.share_ratio)}</span></>}</td>
      <td class="num">{number(row.jobs)}</td>
      <td class="num">{number(row.completed)}</td>
      <td class="num">{number(failed(row))}</td>
      <td class="num">{time(row.wait_p50_s)}</td>
      <td class="num">{time(row.wait_p90_s)}</td>
      <td class="num">{hours(row.reserved_idle_gpu_hours)}</td>
    </tr>
  );
}

function Table({ report, by }: { report: Report; by: ReportBy }) {
  return (
    <div class="scroll card" tabIndex={0}>
      <table class="report">
        <thead>
          <tr>
            <th scope="col">{t(`by.${by}`)}</th><th scope="col" class="num">{t("report.gpu_hours")}</th><th scope="col">{t("report.share")}</th>
            <th scope="col" class="num">{t("report.jobs")}</th><th scope="col" class="num">{t("report.completed")}</th><th scope="col" class="num">{t("report.failed")}</th>
            <th scope="col" class="num">{t("report.wait_p50")}</th><th scope="col" class="num">{t("report.wait_p90")}</th><th scope="col" class="num">{t("report.idle")}</th>
          </tr>
        </thead>
        <tbody>{report.rows.map((row) => <Row key={row[keyOf(by)]} row={row} by={by} />)}</tbody>
        <tfoot><Row row={report.total} by={null} /></tfoot>
      </table>
    </div>
  );
}

interface Step {
  from: number;
  to: number;
  total: ReportRow;
}

/** Equal steps up to the present; each is a question of its own. */
function useSteps(days: Days): Step[] {
  const steps = useSignal<Step[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const count = SPANS[days];
    const size = (Number(days) * DAY_S) / count;
    const end = now.peek();
    const asked = Array.from({ length: count }, (_, i) => ({ from: end - (count - i) * size, to: end - (count - i - 1) * size }));
    Promise.all(asked.map(async (step) => ({ ...step, total: (await client.get<Report>(`report?from=${step.from}&to=${step.to}`, stop.signal)).total })))
      .then((found) => (steps.value = found), () => {});
    return () => stop.abort();
  }, [days]);
  return steps.value;
}

function Bar({ step, days, most }: { step: Step; days: Days; most: number }) {
  const { gpu_hours: used, wait_p50_s: wait } = step.total;
  const height = (used / most) * 100;
  const label = days === "1" ? instant(step.from, zone.value, now.value) : day(step.to, zone.value);
  return (
    <li title={`${t("report.wait_p50")} ${time(wait)}`}>
      <span class="num">{hours(used)}</span>
      <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
        <rect y={100 - height} width="10" height={height} class="fill" />
      </svg>
      <span class="faint">{label}</span>
    </li>
  );
}

function Bars({ days }: { days: Days }) {
  const steps = useSteps(days);
  const most = Math.max(...steps.map(({ total }) => total.gpu_hours), 0);
  if (most === 0) return null;
  return (
    <Section title={t("report.over_time")} class="bars card">
      <ol>{steps.map((step) => <Bar key={step.from} step={step} days={days} most={most} />)}</ol>
    </Section>
  );
}

/** How often starts and ends fell into the range that was told first, and by how much its middle was off. */
function Scores() {
  const { data } = useResource<{ rows: EtaScore[] }>("report/eta", { every_s: 60 });
  const rows = data?.rows.filter((row) => row.told === "first" && row.horizon_to_s === null && row.count > 0) ?? [];
  if (!rows.length) return null;
  return (
    <Section title={t("scores.title")}>
      <ul class="scores">
        {rows.map((row) => (
          <li key={`${row.policy} ${row.basis} ${row.of}`}>
            <Text value={row.policy} length={40} class="tag" /> {t(`score.${row.of}`)} {t(`score.${row.basis}`)}:{" "}
            {t("scores.row", {
              n: row.count,
              share: row.coverage_ratio !== null ? percent(row.coverage_ratio) : "–",
              error: time(row.error_median_s),
            })}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Choices({ by, days, report }: { by: ReportBy; days: Days; report: Report | null }) {
  const save = (): void => {
    if (report) download(`baleen-${by}-${days}d.csv`, "text/csv", csvOfReport(report));
  };
  return (
    <header class="row page-head">
      <h1>{t("nav.reports")}</h1>
      <select aria-label={t("report.by")} value={by} onChange={(event) => setQuery({ by: event.currentTarget.value })}>
        {BY.map((one) => <option key={one} value={one}>{t("report.by_one", { what: t(`by.${one}`) })}</option>)}
      </select>
      <select aria-label={t("report.span")} value={days} onChange={(event) => setQuery({ days: event.currentTarget.value })}>
        {Object.keys(SPANS).map((one) => <option key={one} value={one}>{t("report.days", { n: Number(one) })}</option>)}
      </select>
      <button type="button" disabled={!report} onClick={save}><Icon name="down" /> CSV</button>
    </header>
  );
}

export function Reports() {
  const { query } = route.value;
  const by = BY.find((one) => one === query.get("by")) ?? "user";
  const days = (Object.keys(SPANS) as Days[]).find((one) => one === query.get("days")) ?? "7";
  const from = useSignal(now.peek());
  const { data, error, reload } = useResource<Report>(`report?by=${by}&from=${from.value - Number(days) * DAY_S}`, { every_s: 60 });
  if (error instanceof ApiError && error.code === "not_found") return <p class="problem">{t("report.unknown")}</p>;
  return (
    <>
      <Choices by={by} days={days} report={data} />
      {!data ? <Problem error={error} retry={reload} /> : (
        <>
          {!data.complete && data.whole_since !== null && (
            <p class="hint">{tx("report.whole_since", { at: <When key="at" at={data.whole_since} /> })}</p>
          )}
          <Bars days={days} />
          <Table report={data} by={by} />
          <Scores />
        </>
      )}
    </>
  );
}
