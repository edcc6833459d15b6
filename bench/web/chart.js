// The same bars as a custom series of ECharts: a box a lane with its label, 40 lanes and a day in view.
const COLORS = { completed: "#8c8c8c", failed: "#b84f00", running: "#0072b2", queued: "#56b4e9" };
const SEEN = 40;
const DAY = 86400e3;

function rowsOf(world) {
  const place = new Map(world.lanes.map((lane, i) => [lane.id, i]));
  return world.bars.flatMap((bar) => bar.lanes.map((lane) => ({
    name: bar.label, value: [place.get(lane), bar.start_at * 1000, bar.end_at * 1000], itemStyle: { color: COLORS[bar.state] }, id: bar.id,
  })));
}

function renderItem(params, api) {
  const start = api.coord([api.value(1), api.value(0)]);
  const end = api.coord([api.value(2), api.value(0)]);
  const height = api.size([0, 1])[1] * 0.8;
  const box = echarts.graphic.clipRectByRect({ x: start[0], y: start[1] - height / 2, width: end[0] - start[0], height },
    { x: params.coordSys.x, y: params.coordSys.y, width: params.coordSys.width, height: params.coordSys.height });
  if (!box) return null;
  return { type: "rect", shape: box, style: { fill: api.visual("color") }, textConfig: { position: "insideLeft" },
    textContent: box.width > 50 ? { type: "text", style: { text: window.rows[params.dataIndex].name, fill: "#fff", width: box.width, overflow: "truncate" } } : null };
}

function seriesOf() {
  return { type: "custom", renderItem, data: window.rows, encode: { x: [1, 2], y: 0 }, animation: false };
}

async function main() {
  const world = await (await fetch("/world.json")).json();
  window.rows = rowsOf(world);
  window.chart = echarts.init(document.getElementById("chart"));
  const now = world.now * 1000;
  window.began = now - DAY / 5;
  chart.on("finished", () => (window.isReady = true));
  chart.setOption({
    animation: false,
    grid: { left: 90, right: 10, top: 30, bottom: 30 },
    xAxis: { type: "time", min: now - 7 * DAY, max: now + 7 * DAY },
    yAxis: { type: "category", data: world.lanes.map((lane) => lane.id), inverse: true },
    dataZoom: [{ type: "inside", xAxisIndex: 0, filterMode: "weakFilter", startValue: began, endValue: began + DAY },
      { type: "inside", yAxisIndex: 0, filterMode: "weakFilter", startValue: 0, endValue: SEEN - 1 }],
    series: [seriesOf()],
  });
}

window.times = [];
window.pan = (step) => {
  const start = performance.now();
  chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, startValue: began + step, endValue: began + step + DAY });
  chart.getZr().flush();
  times.push(performance.now() - start);
};
window.change = (id, end) => {
  for (const row of rows) if (row.id === id) row.value[2] = end * 1000;
  chart.setOption({ series: [seriesOf()] });
  chart.getZr().flush();
};
main();
