// What the daemon tells the page: src/server/page_json.h. Bytes and milliseconds; times are since the daemon's engine began.

export type Priority = "critical" | "high" | "normal" | "low";
export const priorities: Priority[] = ["critical", "high", "normal", "low"];

export interface KindOfQueue {
  kind: string;
  waiting: Record<Priority, number>;
  running: number;
  completed: number;
  failed: number;
  cancelled: number;
  seconds: number; // from acceptance to the end, over the completed ones
}

export interface StageOfJob {
  name: string;
  begin: number; // since the job was accepted
  end: number;
  busy: number;
  spans: number;
}

export interface Job {
  id: string;
  request: string;
  kind: string;
  priority: Priority;
  state: string;
  circuit: string;
  accepted: number;
  queued: number;
  ran: number;
  partitions: number;
  done: number;
  stage: string;
  message: string;
  code?: string;
  stages: StageOfJob[];
}

export interface LaneName {
  role: string; // "intake", "keys", "lane" or "urgent"
  device: number;
  lane: number;
}

/** role, device, lane, stage, begin, end (null: under way), subject, partition, together, how it ended */
export type SpanItem = [string, number, number, string, number, number | null, string, number, number, string];

export interface Share {
  used: number;
  limit: number;
  proofs: number;
}

export interface KeyOnDevice {
  circuit: string;
  bytes: number;
  state: string;
  urgent: boolean;
  batches: number;
  idle?: number;
}

export interface Region {
  name: string;
  capacity: number;
  used: number;
  peak: number;
  largest_free: number;
  blocks: { use: string; bytes: number }[];
}

export interface Device {
  name: string;
  description: string;
  state: string;
  processor: boolean;
  regions: Region[];
  ordinary?: Share;
  urgent?: Share;
  keys?: KeyOnDevice[];
}

export interface Account {
  name: string;
  used: number;
  limit: number; // 0: none
  peak?: number;
}

export interface Check {
  name: string;
  state: "ok" | "warn" | "fail";
  value: string;
  advice: string;
}

export interface Sections {
  clock: { now: number };
  daemon: { machine: string; mode: string };
  queue: KindOfQueue[];
  lanes: LaneName[];
  spans: SpanItem[]; // that are under way
  running: Job[];
  waiting: Job[];
  ended: Job[];
  failures: Job[];
  devices: Device[];
  host: { total: number; used: number; available: number; accounts: Account[] };
  keys: { circuit: string; bytes: number; tier: string }[];
  doctor: Check[];
}

export interface Message {
  tick: number;
  whole: boolean;
  sections: Partial<Sections>;
  items: SpanItem[];
}
