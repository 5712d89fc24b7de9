import { bytes, count, duration, has_limit, percent } from "../format";
import { Bar, Empty, Legend, of_limit, Panel, type Part } from "../parts";
import type { Picture } from "../picture";
import type { Account, Device, KeyOnDevice, Region, Share } from "../types";

function part(name: string, style: string, value: number): Part {
  return { name, style, value, told: bytes(value) };
}

function keys_of(keys: KeyOnDevice[], urgent: boolean): Part[] {
  return keys
    .filter((key) => key.urgent === urgent)
    .map((key) => part(`key ${key.circuit}`, key.state === "resident" ? "key" : "key-moving", key.bytes));
}

function pool_of(device: Device, share: Share, urgent: boolean): Part[] {
  const keys = keys_of(device.keys ?? [], urgent);
  const word = urgent ? "urgent " : "";
  const parts = [...keys, part(`${word}proofs`, "prove", share.proofs)];
  const free = Math.max(0, share.limit - share.used);
  return has_limit(share.limit) ? [...parts, part(`${word}free`, urgent ? "free-urgent" : "free", free)] : parts;
}

/** What the scheduler has set aside. */
function Budget({ device, ordinary, urgent }: { device: Device; ordinary: Share; urgent: Share }) {
  const parts = [...pool_of(device, ordinary, false), ...pool_of(device, urgent, true)];
  const used = ordinary.used + urgent.used;
  const limit = ordinary.limit + urgent.limit;
  const whole = has_limit(limit) ? limit : Math.max(1, used);
  return (
    <>
      <p class="line">
        <span>Set aside</span> <b>{of_limit(used, limit)}</b>
      </p>
      <Bar parts={parts} whole={whole} label={`Memory of ${device.name}`} high />
      <Legend parts={parts.filter((each) => each.value > 0)} />
    </>
  );
}

const uses: Record<string, [string, string]> = {
  key: ["key", "key"],
  tile: ["tile", "witness"],
  work: ["work of proofs", "prove"],
  arena: ["another arena", "free-urgent"],
  free: ["free", "free"],
};

/** What was really taken. */
function Arena({ region }: { region: Region }) {
  const parts = region.blocks.map((block) => {
    const [name, style] = uses[block.use] ?? [block.use, "inside"];
    return part(name, style, block.bytes);
  });
  const sums = Object.keys(uses)
    .map((use) => {
      const [name, style] = uses[use]!;
      const sum = region.blocks.reduce((total, block) => total + (block.use === use ? block.bytes : 0), 0);
      return part(name, style, sum);
    })
    .filter((sum) => sum.value > 0);
  return (
    <>
      <p class="line">
        <span>{region.name}</span> <b>{of_limit(region.used, region.capacity)}</b>
      </p>
      <Bar parts={parts} whole={region.capacity} label={region.name} high />
      <Legend parts={sums} />
      <p class="note">
        at most {bytes(region.peak)} so far, the largest free block has {bytes(region.largest_free)}
      </p>
    </>
  );
}

function use_of(key: KeyOnDevice): string {
  if (key.state !== "resident") return key.state;
  if (key.batches > 0) return `used by ${count(key.batches, "batch", "batches")}`;
  return key.idle === undefined ? "not used" : `not used for ${duration(key.idle)}`;
}

function Keys({ keys }: { keys: KeyOnDevice[] }) {
  if (keys.length === 0) return <Empty>No key is loaded.</Empty>;
  return (
    <ul class="rows">
      {keys.map((key) => (
        <li key={key.circuit}>
          <span>{key.circuit}</span>
          <span>{key.bytes === 0 ? "streamed from the host" : bytes(key.bytes)}</span>
          <span class="note">{use_of(key)}</span>
        </li>
      ))}
    </ul>
  );
}

export function DeviceMemory({ picture }: { picture: Picture }) {
  return (
    <Panel id="devices" title="Device memory" note="keys, proofs and what is free">
      {picture.devices.map((device) => (
        <div key={device.name} class="device">
          <h3>
            {device.name} <span class={device.state === "lost" ? "note bad" : "note"}>{device.state}</span>
          </h3>
          {device.ordinary !== undefined && device.urgent !== undefined ? (
            <Budget device={device} ordinary={device.ordinary} urgent={device.urgent} />
          ) : (
            <Empty>Nothing is set aside: it does not prove.</Empty>
          )}
          {device.regions.map((region) => (
            <Arena key={region.name} region={region} />
          ))}
          {device.keys !== undefined && <Keys keys={device.keys} />}
        </div>
      ))}
      {picture.keys.length > 0 && (
        <>
          <h3>Key files</h3>
          <ul class="rows">
            {picture.keys.map((file) => (
              <li key={file.circuit}>
                <span>{file.circuit}</span>
                <span>{bytes(file.bytes)}</span>
                <span class="note">{tiers[file.tier] ?? file.tier}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

const tiers: Record<string, string> = { hot: "hot: on a device", warm: "warm: in the page cache", cold: "cold: on the disk" };

function AccountRow({ account }: { account: Account }) {
  const limited = has_limit(account.limit);
  const parts = [part(account.name, "witness", account.used)];
  const peak = account.peak === undefined || account.peak === 0 ? "" : `, at most ${bytes(account.peak)} so far`;
  return (
    <li>
      <p class="line">
        <span>{account.name}</span> <b>{of_limit(account.used, account.limit) + peak}</b>
      </p>
      {limited && <Bar parts={parts} whole={account.limit} label={account.name} />}
    </li>
  );
}

export function HostMemory({ picture }: { picture: Picture }) {
  const { total, used, available, accounts } = picture.host;
  const others = Math.max(0, total - used - available);
  const parts = [part("this daemon", "witness", used), part("others", "wait", others), part("available", "free", available)];
  return (
    <Panel id="host" title="Host memory" note="who may take how much, and has">
      <p class="line">
        <span>Machine</span> <b>{`${bytes(used)} of ${bytes(total)} (${percent(used, total)})`}</b>
      </p>
      <Bar parts={parts} whole={total} label="Memory of the machine" high />
      <Legend parts={parts} />
      <ul class="accounts">
        {accounts.map((account) => (
          <AccountRow key={account.name} account={account} />
        ))}
      </ul>
    </Panel>
  );
}
