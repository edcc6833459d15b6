// Places for bars that share a lane: a node that only counts its GPUs, or what waits without a place.

interface Timed {
  start: number;
  end: number;
  gpus: number;
}

/** The rows of each bar: as many as its GPUs fill, the topmost that are free then. One row each where
 * `perRow` is 0. What finds no row lies on the last ones, over others. */
export function packLane<T extends Timed>(bars: T[], rows: number, perRow: number): [T, number[]][] {
  const busy = new Array<number>(rows).fill(-Infinity);
  return [...bars]
    .sort((a, b) => a.start - b.start || b.gpus - a.gpus)
    .map((bar) => {
      const wanted = perRow > 0 ? Math.min(rows, Math.max(1, Math.round(bar.gpus / perRow))) : 1;
      const found = pick(busy, bar.start, wanted);
      for (const row of found) busy[row] = Math.max(busy[row]!, bar.end);
      return [bar, found];
    });
}

function pick(busy: number[], start: number, wanted: number): number[] {
  const free: number[] = [];
  busy.forEach((until, row) => until <= start && free.push(row));
  for (let i = 0; i + wanted <= free.length; i++) {
    if (free[i + wanted - 1]! - free[i]! === wanted - 1) return free.slice(i, i + wanted);
  }
  const rest = busy.map((_, row) => row).filter((row) => !free.includes(row)).reverse();
  return [...free, ...rest].slice(0, wanted);
}
