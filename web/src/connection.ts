// The daemon's events. A browser reconnects by itself where a connection breaks, but not where it is refused; and it does
// not say when nothing comes any more.
import { after, type Picture } from "./picture";
import type { Message } from "./types";

export type Link = "connecting" | "live" | "gone" | "full";

// The daemon tells something every second, more rarely where that costs much, and a machine that proves has little time for
// either of us. One that has ended is noticed at once, by its connection.
const silence = 30_000;
const patience = [1000, 2000, 5000, 10_000];

export class Connection {
  private events: EventSource | null = null;
  private timer = 0;
  private attempts = 0;
  private picture: Picture | null = null;

  constructor(private readonly tell: (link: Link, picture: Picture | null) => void) {
    document.addEventListener("visibilitychange", () => this.look());
    this.look();
  }

  /** Nobody looks at a page that is hidden. */
  private look() {
    if (document.hidden) return this.close();
    if (this.events === null) this.open();
  }

  private close() {
    window.clearTimeout(this.timer);
    this.events?.close();
    this.events = null;
  }

  private open() {
    this.close();
    const events = new EventSource("/events");
    this.events = events;
    events.onmessage = (event: MessageEvent<string>) => this.take(JSON.parse(event.data) as Message);
    events.onerror = () => void this.lost();
    this.expect();
  }

  private take(message: Message) {
    this.attempts = 0;
    this.picture = after(this.picture, message, Date.now());
    this.tell("live", this.picture);
    this.expect();
  }

  private expect() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.lost(), silence);
  }

  private async lost() {
    this.close();
    const wait = patience[Math.min(this.attempts++, patience.length - 1)]!;
    this.timer = window.setTimeout(() => this.look(), wait);
    this.tell((await answers()) ? "full" : "gone", this.picture);
  }
}

/** Whether the daemon is there all the same: then it has told as many as it tells at a time. */
async function answers(): Promise<boolean> {
  try {
    return (await fetch("/healthz", { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
