import { useEffect, useState } from "preact/hooks";
import { Connection, type Link } from "./connection";
import { bytes, clock, count, duration, number } from "./format";
import { Doctor } from "./panels/doctor";
import { Failures } from "./panels/failures";
import { Jobs } from "./panels/jobs";
import { DeviceMemory, HostMemory } from "./panels/memory";
import { Queue } from "./panels/queue";
import { Timeline } from "./panels/timeline";
import type { Picture } from "./picture";
import { ThemeSwitch } from "./theme";
import type { KindOfQueue } from "./types";

const panels: [string, string][] = [
  ["timeline", "Timeline"],
  ["queue", "Queue"],
  ["host", "Host memory"],
  ["failures", "Failures"],
  ["devices", "Device memory"],
  ["jobs", "Jobs"],
  ["doctor", "Doctor"],
];

function Banner({ link, picture }: { link: Link; picture: Picture | null }) {
  if (link === "live") return null;
  if (link === "connecting") return <p class="banner calm">Connecting to the daemon…</p>;
  const since = picture === null ? "" : ` What you see is as it was at ${clock(new Date(picture.arrived))}.`;
  if (link === "full") return <p class="banner">{`The daemon is there, but tells this page nothing: too many look already.${since} Trying again…`}</p>;
  return <p class="banner">{`The daemon is gone: it does not answer.${since} Trying again…`}</p>;
}

function sum(queue: KindOfQueue[], of: (kind: KindOfQueue) => number): number {
  return queue.reduce((total, kind) => total + of(kind), 0);
}

function Facts({ picture }: { picture: Picture }) {
  const waiting = sum(picture.queue, (kind) => Object.values(kind.waiting).reduce((a, b) => a + b, 0));
  const failed = sum(picture.queue, (kind) => kind.failed);
  const active = picture.devices.filter((device) => device.state === "active").length;
  const facts: [string, string, string][] = [
    ["waiting", count(waiting, "job"), ""],
    ["running", count(sum(picture.queue, (kind) => kind.running), "job"), ""],
    ["completed", count(sum(picture.queue, (kind) => kind.completed), "job"), ""],
    ["failed", count(failed, "job"), failed > 0 ? "bad" : ""],
    ["proving on", count(active, "device"), ""],
    ["memory", bytes(picture.host.used), ""],
    ["up for", duration(picture.clock.now), ""],
  ];
  return (
    <dl class="summary">
      {facts.map(([name, value, style]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={style}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function state_of(link: Link, picture: Picture | null): string {
  if (link === "gone") return "gone";
  if (link !== "live" || picture === null) return "not connected";
  return picture.daemon.mode === "accepting" ? "accepting jobs" : "draining: no new jobs";
}

/** Read aloud when it changes, and only then. */
function State({ link, picture }: { link: Link; picture: Picture | null }) {
  return (
    <p class={`state ${link}`} role="status">
      {state_of(link, picture)}
    </p>
  );
}

export function Page() {
  const [[link, picture], set_told] = useState<[Link, Picture | null]>(["connecting", null]);
  useEffect(() => void new Connection((now, known) => set_told([now, known])), []);
  const failed = picture === null ? 0 : sum(picture.queue, (kind) => kind.failed);
  useEffect(() => {
    const name = picture?.daemon.machine;
    document.title = (link === "gone" ? "gone: " : "") + (name ? `cuzk on ${name}` : "cuzk");
  }, [link, picture?.daemon.machine]);
  return (
    <>
      <a class="skip" href="#main">
        Go to the panels
      </a>
      <header class="top">
        <h1>
          cuzk {picture !== null && picture.daemon.machine !== "" && <span class="note">on {picture.daemon.machine}</span>}
        </h1>
        <State link={link} picture={picture} />
        <nav aria-label="Panels">
          {panels.map(([id, title]) => (
            <a key={id} href={`#${id}`}>
              {title}
              {id === "failures" && failed > 0 && <span class="badge">{number(failed)}</span>}
            </a>
          ))}
        </nav>
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1} class={link === "live" ? "" : "old"}>
        <Banner link={link} picture={picture} />
        {picture !== null && (
          <>
            <Facts picture={picture} />
            <Timeline picture={picture} />
            <div class="column">
              <Queue picture={picture} />
              <HostMemory picture={picture} />
              <Failures picture={picture} />
            </div>
            <DeviceMemory picture={picture} />
            <Jobs picture={picture} />
            <Doctor picture={picture} />
          </>
        )}
      </main>
    </>
  );
}
