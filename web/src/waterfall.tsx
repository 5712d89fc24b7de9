// Where the time of a job went: its stages on one line, and every span of it below each other.
import { useEffect, useState } from "preact/hooks";
import { duration } from "./format";
import { Empty } from "./parts";
import { name_of, style_of } from "./stages";
import type { Job } from "./types";

interface Line {
  name: string;
  style: string;
  begin: number;
  end: number;
}

function lines_of(job: Job): Line[] {
  const lines = job.stages.map((stage) => ({ name: name_of(stage.name), style: style_of(stage.name), begin: stage.begin, end: stage.end }));
  return [{ name: name_of("queue"), style: "queue", begin: 0, end: job.queued }, ...lines];
}

export function total_of(job: Job): number {
  return Math.max(1, job.queued + job.ran, ...job.stages.map((stage) => stage.end));
}

/** What is done at the same time stands one over the other. */
export function Strip({ job }: { job: Job }) {
  const whole = total_of(job);
  const lines = lines_of(job).filter((line) => line.end > line.begin);
  const height = 30 / Math.max(1, lines.length);
  return (
    <svg
      class="strip"
      viewBox="0 0 1000 30"
      preserveAspectRatio="none"
      role="img"
      aria-label={lines.map((line) => `${line.name} ${duration(line.end - line.begin)}`).join(", ") || "no stage yet"}
    >
      {lines.map((line, index) => (
        <rect
          key={index}
          class={`fill-${line.style}`}
          x={((1000 * line.begin) / whole).toFixed(1)}
          y={(index * height).toFixed(2)}
          width={Math.max(2, (1000 * (line.end - line.begin)) / whole).toFixed(1)}
          height={height.toFixed(2)}
        >
          <title>{`${line.name}: ${duration(line.end - line.begin)}`}</title>
        </rect>
      ))}
    </svg>
  );
}

interface TraceEvent {
  name: string;
  ts: number;
  dur: number;
  args?: { item?: number };
}

const refresh = 3000;

/** The spans of a job, as /trace/JOB tells them; null until they are there. */
function useTrace(job: Job): TraceEvent[] | string | null {
  const [trace, set_trace] = useState<TraceEvent[] | string | null>(null);
  const is_running = job.state === "running" || job.state === "queued";
  useEffect(() => {
    let wanted = true;
    const load = async () => {
      const result = await fetch(`/trace/${encodeURIComponent(job.id)}`)
        .then(async (answer) => (answer.ok ? ((await answer.json()) as { traceEvents: TraceEvent[] }).traceEvents : await answer.text()))
        .catch(() => "The daemon does not answer.");
      if (wanted) set_trace(result);
    };
    void load();
    const timer = is_running ? window.setInterval(() => void load(), refresh) : 0;
    return () => {
      wanted = false;
      window.clearInterval(timer);
    };
  }, [job.id, job.state]);
  return trace;
}

function Span({ event, whole, partitions }: { event: TraceEvent; whole: number; partitions: number }) {
  const item = event.args?.item === undefined || partitions < 2 ? "" : ` ${event.args.item + 1}`;
  return (
    <div class="lane span">
      <span class="lane-name">
        {name_of(event.name)}
        {item}
      </span>
      <svg class="track" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect
          class={`fill-${style_of(event.name)}`}
          x={((1000 * event.ts) / whole).toFixed(1)}
          y={0}
          width={Math.max(2, (1000 * event.dur) / whole).toFixed(1)}
          height={10}
        />
      </svg>
      <span class="took">{duration(event.dur / 1000)}</span>
    </div>
  );
}

export function Waterfall({ job }: { job: Job }) {
  const trace = useTrace(job);
  if (trace === null) return <Empty>Asking for its spans…</Empty>;
  if (typeof trace === "string") return <Empty>{trace}</Empty>;
  const whole = Math.max(1, ...trace.map((event) => event.ts + event.dur));
  return (
    <div class="waterfall" tabIndex={0} role="group" aria-label={`Spans of job ${job.id}`}>
      {trace.map((event, index) => (
        <Span key={index} event={event} whole={whole} partitions={job.partitions} />
      ))}
    </div>
  );
}
