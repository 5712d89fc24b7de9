import { clock, duration, short } from "../format";
import { Empty, Panel, Shortened } from "../parts";
import { type Picture, time_of } from "../picture";
import type { Job } from "../types";

function Failure({ job, picture }: { job: Job; picture: Picture }) {
  const ended = job.accepted + job.queued + job.ran;
  return (
    <li>
      <p class="line">
        <span>
          <b class="bad">{job.code ?? job.state}</b> {job.kind}, job <span class="job-id">{short(job.id)}</span>
        </span>
        <span class="note">{`${clock(time_of(picture, ended))}, ${duration(picture.clock.now - ended)} ago`}</span>
      </p>
      <p class="reason">{job.message}</p>
      {job.request !== "" && <p class="note">{`request ${job.request}`}</p>}
    </li>
  );
}

export function Failures({ picture }: { picture: Picture }) {
  return (
    <Panel id="failures" title="Failures" note="the newest first, with their reasons">
      {picture.failures.length === 0 ? (
        <Empty>No job has failed since the start.</Empty>
      ) : (
        <Shortened items={picture.failures} at_first={5} what="failures" style="failures">
          {(job) => <Failure key={job.id} job={job} picture={picture} />}
        </Shortened>
      )}
    </Panel>
  );
}
