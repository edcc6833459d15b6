// How fast the job is on more GPUs: measured points, the fitted curve with its range, and what one more GPU brings.
import type { Curve } from "../api/types";
import { useResource } from "../api/resource";
import { t } from "../i18n";
import { measure, number, percent } from "../i18n/format";
import { Section } from "../ui/Section";
import { Text } from "../ui/Text";

type Count = Curve["counts"][number];

export interface Series {
  type: string | null;
  counts: Count[];
}

/** The counts of each GPU type, in order. */
export function seriesOf(curve: Curve): Series[] {
  const byType = new Map<string | null, Count[]>();
  for (const count of curve.counts) byType.set(count.gpu_type, [...(byType.get(count.gpu_type) ?? []), count]);
  return [...byType].map(([type, counts]) => ({ type, counts: counts.sort((a, b) => a.gpus - b.gpus) }));
}

/** Where curve and points stand in a picture of `width` × `height`; speeds count from 0. */
export interface Scale {
  x: (gpus: number) => number;
  y: (speed: number) => number;
}

export function scaleOf(counts: Count[], width: number, height: number): Scale {
  const most = Math.max(...counts.map((count) => count.gpus), 2);
  const least = Math.min(...counts.map((count) => count.gpus), most - 1);
  const fastest = Math.max(...counts.map((count) => highOf(count)), 1) * 1.05;
  return {
    x: (gpus) => ((gpus - least) / (most - least)) * width,
    y: (speed) => height - (Math.min(speed, fastest) / fastest) * height,
  };
}

/** `rate` in units of work a second, put on the scale of `speed`. */
function onScale(count: Count, rate: number | null): number {
  return rate !== null && count.rate ? (count.speed * rate) / count.rate : count.speed;
}

const highOf = (count: Count): number => onScale(count, count.rate_high);
const lowOf = (count: Count): number => onScale(count, count.rate_low);

/** The least of its points at each count that was measured, with how often: from what was seen. */
export function measuredCounts(curve: Curve, type: string | null): Map<number, number> {
  const found = new Map<number, number>();
  for (const point of curve.points) {
    if (point.gpu_type === type || point.gpu_type === null || type === null) {
      found.set(point.gpus, (found.get(point.gpus) ?? 0) + point.measured);
    }
  }
  return found;
}

const WIDTH = 420;
const HEIGHT = 180;

function path(points: [number, number][]): string {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

function Picture({ series, curve, now }: { series: Series; curve: Curve; now: number }) {
  const { counts, type } = series;
  const { x, y } = scaleOf(counts, WIDTH, HEIGHT);
  const at = (of: (count: Count) => number) => (count: Count): [number, number] => [x(count.gpus), y(of(count))];
  const band = path([...counts.map(at(highOf)), ...[...counts].reverse().map(at(lowOf))]);
  const measured = measuredCounts(curve, type);
  return (
    <svg class="curve" viewBox={`-36 -8 ${WIDTH + 52} ${HEIGHT + 34}`} role="img" aria-label={t("curve.picture")}>
      <path class="axis" d={`M0 0V${HEIGHT}H${WIDTH}`} />
      {counts.map((count) => (
        <text key={count.gpus} x={x(count.gpus)} y={HEIGHT + 16} text-anchor="middle">{number(count.gpus)}</text>
      ))}
      <text x={-6} y={y(1) + 4} text-anchor="end">1×</text>
      <text x={-6} y={y(counts.at(-1)?.speed ?? 1) + 4} text-anchor="end">{number(counts.at(-1)?.speed ?? 1, 1)}×</text>
      <path class="band" d={`${band}Z`} />
      <path class="fit" d={path(counts.map(at((count) => count.speed)))} />
      {counts.filter((count) => measured.has(count.gpus)).map((count) => (
        <circle key={count.gpus} cx={x(count.gpus)} cy={y(count.speed)} r="4" class="measured">
          <title>{t("curve.measured", { n: measured.get(count.gpus) ?? 0 })}</title>
        </circle>
      ))}
      {counts.some((count) => count.gpus === now) && <path class="now" d={`M${x(now)} 0V${HEIGHT}`} />}
    </svg>
  );
}

const seen = (times: number | undefined, isTrusted: boolean): string =>
  times ? number(times) : isTrusted ? "–" : t("curve.guess");

function Table({ series, curve }: { series: Series; curve: Curve }) {
  const measured = measuredCounts(curve, series.type);
  const isLearnt = curve.source === "learnt"; // of a curve that was given nothing is measured
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t("job.gpus_label")}</th>
          <th scope="col">{t("curve.speed")}</th>
          <th scope="col">{t("curve.gain")}</th>
          {isLearnt && <th scope="col">{t("curve.rate")}</th>}
          {isLearnt && <th scope="col">{t("curve.seen")}</th>}
        </tr>
      </thead>
      <tbody>
        {series.counts.map((count) => (
          <tr key={count.gpus} class={count.within_reach ? "" : "faint"}>
            <td class="num">{number(count.gpus)}</td>
            <td class="num">{number(count.speed, 2)}×</td>
            <td class="num">{count.gain !== null ? percent(count.gain) : "–"}</td>
            {isLearnt && <td class="num">{count.rate !== null ? measure(count.rate) : "–"}</td>}
            {isLearnt && <td class="num">{seen(measured.get(count.gpus), count.trusted)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Nothing at all where nothing is known: a rigid job has no curve. */
export function CurveSection({ id, now }: { id: string; now: number }) {
  const { data } = useResource<Curve>(`jobs/${id}/curve`, { every_s: 60 });
  if (!data || data.source === "none" || data.counts.length < 2) return null;
  return (
    <Section title={t("curve.title")}>
      <p class="hint">
        {t(data.source === "given" ? "curve.given" : "curve.learnt")} <Text value={data.application} />
      </p>
      {seriesOf(data).filter((series) => series.counts.length > 1).map((series) => (
        <div key={series.type} class="curve-row">
          {series.type && <h3><Text value={series.type} /></h3>}
          <Picture series={series} curve={data} now={now} />
          <Table series={series} curve={data} />
        </div>
      ))}
    </Section>
  );
}
