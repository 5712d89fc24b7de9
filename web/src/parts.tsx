// What several panels are made of.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { has_limit, bytes, percent } from "./format";

export function Panel(props: { id: string; title: string; note?: string; wide?: boolean; children: ComponentChildren }) {
  const heading = `${props.id}-title`;
  return (
    <section id={props.id} class={props.wide ? "panel wide" : "panel"} aria-labelledby={heading} tabIndex={-1}>
      <header>
        <h2 id={heading}>{props.title}</h2>
        {props.note !== undefined && <p class="note">{props.note}</p>}
      </header>
      {props.children}
    </section>
  );
}

export function Empty(props: { children: ComponentChildren }) {
  return <p class="empty">{props.children}</p>;
}

/** A list that begins short. */
export function Shortened<Item>(props: { items: Item[]; at_first: number; what: string; style: string; children: (item: Item) => ComponentChildren }) {
  const [everything, set_everything] = useState(false);
  const { items, at_first, what } = props;
  return (
    <>
      <ul class={props.style}>{(everything ? items : items.slice(0, at_first)).map(props.children)}</ul>
      {items.length > at_first && (
        <button type="button" class="more" aria-expanded={everything} onClick={() => set_everything(!everything)}>
          {everything ? `Show ${at_first} ${what}` : `Show all ${items.length} ${what}`}
        </button>
      )}
    </>
  );
}

export interface Part {
  name: string; // such as "key porep-32g"
  style: string; // a class: what it looks like
  value: number;
  told: string; // with its unit
}

/** Parts of a whole, one beside the other; what is left is empty. */
export function Bar(props: { parts: Part[]; whole: number; label: string; high?: boolean }) {
  const scale = props.whole > 0 ? 1000 / props.whole : 0;
  let at = 0;
  return (
    <svg
      class={props.high ? "bar high" : "bar"}
      viewBox="0 0 1000 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${props.label}: ${props.parts.map((part) => `${part.name} ${part.told}`).join(", ")}`}
    >
      {props.parts.map((part, index) => {
        const x = at;
        const width = Math.min(part.value * scale, 1000 - x);
        at = x + width;
        return (
          width > 0 && (
            <rect key={index} class={`fill-${part.style}`} x={x} y={0} width={width} height={10}>
              <title>{`${part.name}: ${part.told}`}</title>
            </rect>
          )
        );
      })}
    </svg>
  );
}

export function Legend(props: { parts: { name: string; style: string; told?: string }[] }) {
  return (
    <ul class="legend">
      {props.parts.map((part) => (
        <li key={part.name}>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`fill-${part.style}`} width={10} height={10} />
          </svg>
          {part.name}
          {part.told !== undefined && <b>{part.told}</b>}
        </li>
      ))}
    </ul>
  );
}

/** "1.5 GiB of 8.0 GiB (19 %)", or what is used where nothing says how much may be. */
export function of_limit(used: number, limit: number): string {
  return has_limit(limit) ? `${bytes(used)} of ${bytes(limit)} (${percent(used, limit)})` : `${bytes(used)}, no limit`;
}
