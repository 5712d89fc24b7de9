// Lanes and what was done in them, ready to be drawn.
import type { Picture } from "./picture";
import type { LaneName, SpanItem } from "./types";

export interface Stretch {
  stage: string;
  begin: number;
  end: number;
  subject: string;
  partition: number;
  together: number;
  how: string;
}

export interface LaneRow extends LaneName {
  key: string;
  stretches: Stretch[]; // by their beginning
}

const roles = ["intake", "keys", "lane", "urgent"];

function key_of(role: string, device: number, lane: number): string {
  return `${device}/${role}/${lane}`;
}

function order(a: LaneName, b: LaneName): number {
  const intake = Number(b.role === "intake") - Number(a.role === "intake");
  return intake || a.device - b.device || roles.indexOf(a.role) - roles.indexOf(b.role) || a.lane - b.lane;
}

/** All lanes that there are or that did something since then. */
export function rows_of(picture: Picture, since: number): LaneRow[] {
  const rows = new Map<string, LaneRow>();
  const row = (role: string, device: number, lane: number) => {
    const key = key_of(role, device, lane);
    const found = rows.get(key) ?? { key, role, device, lane, stretches: [] };
    rows.set(key, found);
    return found;
  };
  row("intake", 0, 0);
  for (const lane of picture.lanes) row(lane.role, lane.device, lane.lane);
  const take = ([role, device, lane, stage, begin, end, subject, partition, together, how]: SpanItem) => {
    const stretch = { stage, begin, end: end ?? picture.clock.now, subject, partition, together, how };
    if (stretch.end >= since) row(role, device, lane).stretches.push(stretch);
  };
  picture.ended_spans.forEach(take);
  picture.spans.forEach(take);
  return [...rows.values()].sort(order);
}

export interface Box {
  stage: string;
  how: string;
  x: number;
  width: number;
  first: Stretch;
  count: number;
}

/** Boxes on a line of 1,000 units: those of one stage that are too narrow to be told apart are one. */
export function boxes_of(stretches: Stretch[], since: number, now: number): Box[] {
  const boxes: Box[] = [];
  const scale = 1000 / (now - since);
  for (const stretch of stretches) {
    const x = Math.max(0, (stretch.begin - since) * scale);
    const width = Math.max(0.6, (stretch.end - since) * scale - x);
    const last = boxes.at(-1);
    const joins = last !== undefined && last.stage === stretch.stage && last.how === stretch.how && width < 1.5 && x - (last.x + last.width) < 0.5;
    if (joins) {
      last.width = Math.max(last.width, x + width - last.x);
      ++last.count;
    } else {
      boxes.push({ stage: stretch.stage, how: stretch.how, x, width, first: stretch, count: 1 });
    }
  }
  return boxes;
}
