// Numbers as people read them, always with their unit.

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** "0 B", "1.5 KiB", "12.3 GiB" */
export function bytes(count: number): string {
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit + 1 < units.length) {
    value /= 1024;
    ++unit;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** "850 ms", "12.3 s", "4 min 5 s", "2 h 3 min", "3 d 4 h" */
export function duration(ms: number): string {
  const time = Math.max(0, ms);
  if (time < 1000) return `${Math.round(time)} ms`;
  if (time < 59_950) return `${(time / 1000).toFixed(1)} s`;
  const seconds = Math.round(time / 1000);
  if (seconds < 3600) return two(seconds, 60, "min", "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return two(minutes, 60, "h", "min");
  return two(Math.round(minutes / 60), 24, "d", "h");
}

function two(value: number, base: number, large: string, small: string): string {
  const rest = value % base;
  return `${Math.floor(value / base)} ${large}` + (rest === 0 ? "" : ` ${rest} ${small}`);
}

/** "1 job", "12,345 jobs" */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export function number(value: number): string {
  return value.toLocaleString("en-US");
}

export function percent(part: number, whole: number): string {
  return whole <= 0 ? "0 %" : `${Math.round((100 * part) / whole)} %`;
}

/** "14:03:22" */
export function clock(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** The beginning of an id, enough to tell it from others. */
export function short(id: string): string {
  return id.length > 10 ? id.slice(0, 8) : id;
}

/** Above it there is none: the daemon gives devices without memory of their own a budget that has no end. */
const without_end = 2 ** 49;

export function has_limit(limit: number): boolean {
  return limit > 0 && limit < without_end;
}
