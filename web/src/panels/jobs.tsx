import { useState } from "preact/hooks";
import { clock, count, duration, number, short } from "../format";
import { Empty, Legend, Panel, Shortened } from "../parts";
import { type Picture, time_of } from "../picture";
import { name_of } from "../stages";
import type { Job } from "../types";
import { Strip, total_of, Waterfall } from "../waterfall";

const shown = ["queue", "decode", "circuit", "key", "witness", "prove", "verify"];

function state_of(job: Job): string {
  if (job.state !== "running") return job.state;
  return job.partitions < 2 ? "running" : `running, ${job.done} of ${job.partitions} done`;
}

/** Arrow keys go from one job to the next. */
function move(event: KeyboardEvent) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("#jobs .job > button")];
  const next = buttons[buttons.indexOf(event.currentTarget as HTMLButtonElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function Facts({ job, picture }: { job: Job; picture: Picture }) {
  const facts: [string, string][] = [
    ["Job", job.id],
    ["Request", job.request || "none"],
    ["Kind", `${job.kind}, ${job.priority} priority`],
    ["Circuit", job.circuit || "not known yet"],
    ["Accepted", clock(time_of(picture, job.accepted))],
    ["Waited", duration(job.queued)],
    ["Ran", duration(job.ran)],
    ["Partitions", job.partitions === 0 ? "not known yet" : `${job.done} of ${job.partitions} proved`],
  ];
  if (job.stage !== "" && job.state === "running") facts.push(["Now", job.stage]);
  if (job.message !== "") facts.push(["Reason", job.message]);
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Row(props: { job: Job; picture: Picture; open: boolean; toggle: () => void }) {
  const { job, open } = props;
  const bad = job.state === "failed" || job.state === "timed out";
  return (
    <li class="job">
      <button type="button" aria-expanded={open} onClick={props.toggle} onKeyDown={move}>
        <span class="job-id">{short(job.id)}</span>
        <span class="job-kind">{job.kind}</span>
        <span class={bad ? "job-state bad" : "job-state"}>{state_of(job)}</span>
        <Strip job={job} />
        <span class="took">{duration(job.state === "queued" ? job.queued : total_of(job))}</span>
      </button>
      {open && (
        <div class="job-more">
          <Facts job={job} picture={props.picture} />
          <Waterfall job={job} />
        </div>
      )}
    </li>
  );
}

function List(props: { title: string; jobs: Job[]; all: number; picture: Picture }) {
  const [open, set_open] = useState<string | null>(null);
  const { title, jobs, all } = props;
  if (jobs.length === 0) return null;
  return (
    <>
      <h3>
        {title} {jobs.length < all && <span class="note">{`the page knows ${jobs.length} of ${number(all)}`}</span>}
      </h3>
      <Shortened items={jobs} at_first={10} what="jobs" style="jobs">
        {(job) => (
          <Row
            key={job.id}
            job={job}
            picture={props.picture}
            open={open === job.id}
            toggle={() => set_open(open === job.id ? null : job.id)}
          />
        )}
      </Shortened>
    </>
  );
}

export function Jobs({ picture }: { picture: Picture }) {
  const waiting = picture.queue.reduce((sum, kind) => sum + Object.values(kind.waiting).reduce((a, b) => a + b, 0), 0);
  const running = picture.queue.reduce((sum, kind) => sum + kind.running, 0);
  const none = picture.running.length + picture.waiting.length + picture.ended.length === 0;
  return (
    <Panel id="jobs" title="Jobs" note={`${count(running, "job")} running, ${number(waiting)} waiting; open one for all its stages`} wide>
      <Legend parts={shown.map((stage) => ({ name: name_of(stage), style: stage }))} />
      {none && <Empty>No job has come yet.</Empty>}
      <List title="Running" jobs={picture.running} all={running} picture={picture} />
      <List title="Waiting longest" jobs={picture.waiting} all={waiting} picture={picture} />
      <List title="Ended, the newest first" jobs={picture.ended} all={picture.ended.length} picture={picture} />
    </Panel>
  );
}
