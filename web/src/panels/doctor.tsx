import { Empty, Panel } from "../parts";
import type { Picture } from "../picture";
import type { Check } from "../types";

const signs: Record<Check["state"], string> = { ok: "✓", warn: "!", fail: "✗" };
const order: Check["state"][] = ["fail", "warn", "ok"];

function told(checks: Check[]): string {
  const counted = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  return `${checks.length} checks: ${counted("warn")} to look at, ${counted("fail")} failed`;
}

export function Doctor({ picture }: { picture: Picture }) {
  const checks = [...picture.doctor].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <Panel id="doctor" title="Doctor" note={told(checks)} wide>
      {checks.length === 0 && <Empty>Nothing is known of the machine.</Empty>}
      <ul class="checks">
        {checks.map((check) => (
          <li key={check.name} class={check.state}>
            <span class="sign" aria-hidden="true">
              {signs[check.state]}
            </span>
            <span class="check-name">
              {check.name} <span class="hidden">{check.state}</span>
            </span>
            <span class="check-value">{check.value}</span>
            {check.advice !== "" && <span class="advice">{check.advice}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
