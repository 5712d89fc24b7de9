import { useState } from "preact/hooks";
import { clock, duration, short } from "../format";
import { type Box, boxes_of, type LaneRow, rows_of, type Stretch } from "../lanes";
import { Legend, Panel } from "../parts";
import { type Picture, time_of } from "../picture";
import { name_of, style_of } from "../stages";

const windows = [1, 5, 10]; // minutes
const shown = ["decode", "key", "witness", "wait", "prove"];

function title_of(row: LaneRow): string {
  switch (row.role) {
    case "intake": return `reading ${row.lane + 1}`;
    case "keys": return `keys ${row.lane + 1}`;
    case "urgent": return "urgent lane";
    default: return `lane ${row.lane + 1}`;
  }
}

function subject_of(stretch: Stretch): string {
  if (stretch.stage === "key") return stretch.subject;
  if (stretch.stage === "decode") return `job ${short(stretch.subject)}`;
  const others = stretch.together > 1 ? ` and ${stretch.together - 1} more` : "";
  return `job ${short(stretch.subject)}, partition ${stretch.partition + 1}${others}`;
}

function told(stretch: Stretch): string {
  const how = stretch.how === "done" ? "" : stretch.how === "running" ? " so far" : ", then dropped";
  return `${name_of(stretch.stage)}: ${subject_of(stretch)}, ${duration(stretch.end - stretch.begin)}${how}`;
}

function told_of(box: Box): string {
  return box.count === 1 ? told(box.first) : `${name_of(box.stage)}: ${box.count} times, the first: ${told(box.first)}`;
}

function doing(row: LaneRow): string {
  const last = row.stretches.at(-1);
  return last !== undefined && last.how === "running" ? name_of(last.stage) : "idle";
}

function Row(props: { row: LaneRow; since: number; now: number }) {
  const boxes = boxes_of(props.row.stretches, props.since, props.now);
  const state = doing(props.row);
  return (
    <div class="lane">
      <span class="lane-name">
        {title_of(props.row)} <span class="lane-state">{state}</span>
      </span>
      <svg class="track" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={`${title_of(props.row)}: ${state}`}>
        {boxes.map((box, index) => (
          <rect
            key={index}
            class={`fill-${style_of(box.stage)}${box.how === "dropped" ? " dropped" : ""}`}
            x={box.x.toFixed(1)}
            y={0}
            width={box.width.toFixed(1)}
            height={10}
          >
            <title>{told_of(box)}</title>
          </rect>
        ))}
      </svg>
    </div>
  );
}

function Axis(props: { minutes: number }) {
  const labels = [1, 0.75, 0.5, 0.25].map((part) => `−${duration(60_000 * props.minutes * part)}`);
  return (
    <div class="lane axis" aria-hidden="true">
      <span class="lane-name" />
      <span class="ticks">
        {[...labels, "now"].map((label) => (
          <span key={label}>{label}</span>
        ))}
      </span>
    </div>
  );
}

function Newest({ picture, rows }: { picture: Picture; rows: LaneRow[] }) {
  const all = rows.flatMap((row) => row.stretches.map((stretch) => ({ row, stretch })));
  const newest = all.sort((a, b) => b.stretch.begin - a.stretch.begin).slice(0, 20);
  return (
    <details>
      <summary>The newest as a table</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="The newest stretches of lanes">
        <table>
          <thead>
            <tr>
              <th scope="col">Began</th>
              <th scope="col">Device</th>
              <th scope="col">Lane</th>
              <th scope="col">Stage</th>
              <th scope="col">Of</th>
              <th scope="col">Took</th>
            </tr>
          </thead>
          <tbody>
            {newest.map(({ row, stretch }, index) => (
              <tr key={index}>
                <td>{clock(time_of(picture, stretch.begin))}</td>
                <td>{row.role === "intake" ? "host" : (picture.devices[row.device]?.name ?? row.device)}</td>
                <td>{title_of(row)}</td>
                <td>{name_of(stretch.stage)}</td>
                <td>{subject_of(stretch)}</td>
                <td>{duration(stretch.end - stretch.begin) + (stretch.how === "running" ? " so far" : "")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function Timeline({ picture }: { picture: Picture }) {
  const [minutes, set_minutes] = useState(5);
  const now = picture.clock.now;
  const since = now - 60_000 * minutes;
  const rows = rows_of(picture, since);
  const intake = rows.filter((row) => row.role === "intake");
  return (
    <Panel id="timeline" title="Timeline" note="what each lane of the pipeline does and did" wide>
      <div class="tools">
        <Legend parts={shown.map((stage) => ({ name: name_of(stage), style: stage }))} />
        <fieldset class="choice">
          <legend class="hidden">How much of the past</legend>
          {windows.map((each) => (
            <label key={each}>
              <input type="radio" name="window" checked={each === minutes} onChange={() => set_minutes(each)} />
              <span>{each} min</span>
            </label>
          ))}
        </fieldset>
      </div>
      <h3>Host</h3>
      {intake.map((row) => (
        <Row key={row.key} row={row} since={since} now={now} />
      ))}
      {picture.devices.map((device, index) => (
        <div key={device.name} class={device.state === "lost" ? "lost" : ""}>
          <h3>
            {device.name} <span class="note">{device.state === "active" ? device.description : `${device.description}, ${device.state}`}</span>
          </h3>
          {rows
            .filter((row) => row.role !== "intake" && row.device === index)
            .map((row) => (
              <Row key={row.key} row={row} since={since} now={now} />
            ))}
        </div>
      ))}
      <Axis minutes={minutes} />
      <Newest picture={picture} rows={rows} />
    </Panel>
  );
}
