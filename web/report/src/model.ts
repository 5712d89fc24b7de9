/** What cuzk-bench writes as JSON, schema "cuzk-bench/1". */
export interface Summary {
  count: number;
  median: number;
  p90: number;
  p99: number;
  min: number;
  max: number;
  spread: number;
}

export interface Comparison {
  ratio: number;
  low: number;
  high: number;
  verdict: string;
  text: string;
}

export interface Measurement {
  name: string;
  unit: string;
  better: 'less' | 'more';
  size?: number;
  size_of?: string;
  summary: Summary;
  samples: number[];
  baseline?: { of: string; in_turn: boolean; summary: Summary; samples: number[] };
  comparison?: Comparison;
}

export interface Stage {
  name: string;
  lane: string;
  item?: number;
  start_ms: number;
  ms: number;
}

export interface Series {
  name: string;
  unit: string;
  points: [number, number][];
}

export interface Result {
  command: string;
  arguments: string[];
  begun: string;
  environment: Record<string, string>;
  without: string[];
  warmup: number;
  measurements: Measurement[];
  stages: Stage[];
  series: Series[];
}

/** All values of a list in groups of one key, in order of first appearance. */
export function groups<T>(values: T[], key: (value: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const value of values) {
    const group = found.get(key(value));
    if (group) group.push(value);
    else found.set(key(value), [value]);
  }
  return found;
}
