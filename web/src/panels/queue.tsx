import { duration, number } from "../format";
import { Panel } from "../parts";
import type { Picture } from "../picture";
import { type KindOfQueue, priorities } from "../types";

function waiting(kind: KindOfQueue): number {
  return priorities.reduce((sum, priority) => sum + kind.waiting[priority], 0);
}

function Count(props: { label: string; value: number; bad?: boolean }) {
  const style = props.value === 0 ? "none" : props.bad ? "bad" : "";
  return (
    <td class={style} data-label={props.label}>
      {number(props.value)}
    </td>
  );
}

export function Queue({ picture }: { picture: Picture }) {
  const all = picture.queue.reduce((sum, kind) => sum + waiting(kind), 0);
  return (
    <Panel id="queue" title="Queue" note={`${number(all)} waiting; numbers of jobs, by kind and priority`}>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {priorities.map((priority) => (
              <th key={priority} scope="col">
                {priority}
              </th>
            ))}
            <th scope="col">running</th>
            <th scope="col">done</th>
            <th scope="col">failed</th>
            <th scope="col">cancelled</th>
            <th scope="col">mean time</th>
          </tr>
        </thead>
        <tbody>
          {picture.queue.map((kind) => (
            <tr key={kind.kind}>
              <th scope="row">{kind.kind}</th>
              {priorities.map((priority) => (
                <Count key={priority} label={priority} value={kind.waiting[priority]} />
              ))}
              <Count label="running" value={kind.running} />
              <Count label="done" value={kind.completed} />
              <Count label="failed" value={kind.failed} bad />
              <Count label="cancelled" value={kind.cancelled} />
              <td data-label="mean time">{kind.completed === 0 ? "none yet" : duration((1000 * kind.seconds) / kind.completed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
