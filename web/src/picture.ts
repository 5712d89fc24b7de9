// The picture of the daemon that the page holds: what it was told as a whole, and what changed since.
import type { Message, Sections, SpanItem } from "./types";

export interface Picture extends Sections {
  ended_spans: SpanItem[]; // the oldest first
  arrived: number; // when it was told, by this machine's clock
}

const kept = 2048;

/** What is known after a message; null where it cannot be used: news of something that was never told as a whole. */
export function after(before: Picture | null, message: Message, arrived: number): Picture | null {
  if (message.whole) return { ...empty, ...message.sections, ended_spans: message.items.slice(-kept), arrived };
  if (before === null) return null;
  const ended_spans = message.items.length === 0 ? before.ended_spans : [...before.ended_spans, ...message.items].slice(-kept);
  return { ...before, ...message.sections, ended_spans, arrived };
}

/** The time of day at which something was. */
export function time_of(picture: Picture, at: number): Date {
  return new Date(picture.arrived - (picture.clock.now - at));
}

const empty: Picture = {
  clock: { now: 0 },
  daemon: { machine: "", mode: "accepting" },
  queue: [],
  lanes: [],
  spans: [],
  running: [],
  waiting: [],
  ended: [],
  failures: [],
  devices: [],
  host: { total: 0, used: 0, available: 0, accounts: [] },
  keys: [],
  doctor: [],
  ended_spans: [],
  arrived: 0,
};
