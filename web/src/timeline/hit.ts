// What lies under the pointer.
import { laneAt, POOL_HEADING, type Group } from "./layout";
import { type Block, drawOrder, endAt, startAt } from "./model";
import { type Scene, pieceOf } from "./scene";
import { timeAt } from "./view";

export type Hit =
  | { part: "axis"; at: number }
  | { part: "group"; group: Group }
  | { part: "names" }
  | { part: "bar"; block: Block; edge: "start" | "end" | null; lane: number; at: number }
  | { part: "lane"; lane: number; at: number }
  | { part: "nothing"; at: number };

const EDGE = 6; // pixels at which a bar's end can be taken
const NEAR = 3; // pixels that a narrow bar may be missed by

export function hit(scene: Scene, x: number, y: number): Hit {
  const at = timeAt(scene.view, x - scene.gutter, scene.width - scene.gutter);
  const down = y - scene.axis + scene.scroll;
  if (x < scene.gutter) return y < scene.axis ? { part: "names" } : hitNames(scene, down);
  if (y < scene.axis) return { part: "axis", at };
  const lane = laneAt(scene.layout, down);
  if (lane < 0) return { part: "nothing", at };
  const block = blockAt(scene, lane, at);
  if (!block) return { part: "lane", lane, at };
  return { part: "bar", block, lane, at, edge: edgeAt(scene, block, x - scene.gutter) };
}

function hitNames(scene: Scene, y: number): Hit {
  const group = scene.layout.groups.find((one) => {
    const height = one.isPool ? POOL_HEADING : one.height;
    return y >= one.y && y < one.y + height && one.name !== "";
  });
  return group ? { part: "group", group } : { part: "names" };
}

/** The uppermost bar there. */
export function blockAt(scene: Scene, lane: number, at: number): Block | null {
  return blocksAt(scene, lane, at)[0] ?? null;
}

/** All bars there, the uppermost first. */
export function blocksAt(scene: Scene, lane: number, at: number): Block[] {
  const near = (NEAR * (scene.view.to - scene.view.from)) / (scene.width - scene.gutter);
  const found: Block[] = [];
  scene.model.each(lane, at - near, at + near, (block) => {
    const isThere = endAt(block.bar, scene.now) + near > at && startAt(block.bar, scene.now) - near < at;
    if (isThere && !scene.hidden.includes(block.bar.look)) found.push(block);
  });
  return found.sort((a, b) => drawOrder(b) - drawOrder(a) || b.bar.start - a.bar.start);
}

function edgeAt(scene: Scene, block: Block, x: number): "start" | "end" | null {
  const piece = pieceOf(scene, block);
  if (piece.width < 3 * EDGE) return null;
  if (x - piece.x < EDGE) return "start";
  return piece.x + piece.width - x < EDGE ? "end" : null;
}
