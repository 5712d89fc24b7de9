// Pictures of daemons as the page may be told them: a busy one, an idle one, one with a thousand jobs, one whose texts are
// meant to break out of the page.
const GiB = 2 ** 30;
const kinds = ["porep-c2", "snap-update", "window-post", "winning-post"];
const circuits = ["porep-32g", "snap-32g", "wpost-32g", "winning-32g"];
const priority_of = ["normal", "normal", "high", "critical"];

/** The same numbers in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function id(next) {
  return Array.from({ length: 32 }, () => Math.floor(next() * 16).toString(16)).join("");
}

function stages(kind, scale, next) {
  const prove = [8900, 8600, 6800, 50][kind] * scale;
  const witness = 0.15 * prove;
  const decode = [180, 90, 40, 3][kind];
  const at = decode + 4;
  const start = kind === 3 ? 2 : 1200;
  return [
    { name: "decode", begin: 0, end: decode, busy: decode, spans: 1 },
    { name: "circuit", begin: decode, end: at, busy: 4, spans: 1 },
    ...(next() < 0.2 ? [{ name: "key", begin: at, end: at + 1100, busy: 1100, spans: 1 }] : []),
    { name: "witness", begin: at + start, end: Math.round(at + start + 0.8 * prove), busy: Math.round(witness), spans: 10 },
    { name: "prove", begin: Math.round(at + start + witness / 4), end: Math.round(at + start + prove), busy: Math.round(prove), spans: 10 },
    { name: "verify", begin: Math.round(at + start + prove * 0.2), end: Math.round(at + start + prove), busy: 28, spans: 10 },
  ];
}

function job(state, kind, accepted, next) {
  const scale = 0.7 + 0.6 * next();
  const all = stages(kind, scale, next);
  const partitions = [10, 16, 1, 1][kind];
  const end = all.at(-1).end;
  const waited = all.find((stage) => stage.name === "witness").begin;
  const result = {
    id: id(next),
    request: `${["ps-porep", "ps-snap", "ps-wdpost", "ps-winning"][kind]}-1000-${Math.floor(next() * 5000)}`,
    kind: kinds[kind],
    priority: priority_of[kind],
    state,
    circuit: circuits[kind],
    accepted,
    queued: state === "queued" ? 41_000 - 700 * Math.floor(8 * next()) : waited,
    ran: state === "queued" ? 0 : Math.max(1, end - waited),
    partitions,
    done: state === "completed" ? partitions : 0,
    stage: "",
    message: "",
    stages: all,
  };
  if (state === "running") {
    result.done = Math.floor(partitions / 3);
    result.stage = `proving partition ${result.done + 1} of ${partitions}`;
    result.stages = all.slice(0, -1);
  }
  if (state === "queued") {
    result.stage = "waiting for its turn";
    result.stages = all.slice(0, 2);
  }
  if (state === "failed") {
    const why = reasons[Math.floor(next() * reasons.length)];
    result.code = why[0];
    result.message = why[1];
    result.stages = all.slice(0, 4);
  }
  if (state === "timed out") result.message = "its deadline passed before it ran";
  return result;
}

const reasons = [
  ["invalid_input", "partition 3: the request does not satisfy the circuit porep-32g: constraint 70182312 of 130278869 (replica/challenge 2/inclusion 4) fails"],
  ["invalid_input", "c1: comm_r_last_proof of challenge 7 is not below the field's modulus: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"],
  ["not_found", "/var/tmp/filecoin-proof-parameters/v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.params: there is no such file; fetch it, or set srs.param_cache"],
  ["device_lost", "cuda:1: an illegal memory access was encountered"],
];

/** What two devices and their lanes did. */
function history(now, next) {
  const spans = [];
  for (let device = 0; device < 2; ++device) {
    for (let lane = 0; lane < 2; ++lane) {
      let at = now - 580_000 + 3000 * lane + 1000 * next();
      while (at < now - 12_000) {
        const witness = 1300 + 400 * next();
        const wait = 300 + 2500 * next();
        const prove = 2700 + 900 * next();
        const subject = id(next);
        const partition = Math.floor(next() * 10);
        const how = next() < 0.01 ? "dropped" : "done";
        spans.push(["lane", device, lane, "witness", at, at + witness, subject, partition, 1, "done"]);
        spans.push(["lane", device, lane, "wait", at + witness, at + witness + wait, subject, partition, 1, "done"]);
        spans.push(["lane", device, lane, "prove", at + witness + wait, at + witness + wait + prove, subject, partition, 1, how]);
        at += witness + wait + prove + (next() < 0.05 ? 9000 : 20);
      }
    }
    for (let at = now - 590_000; at < now; at += 30_000) {
      spans.push(["urgent", device, 0, "witness", at, at + 30, id(next), 0, 1, "done"]);
      spans.push(["urgent", device, 0, "prove", at + 30, at + 95, id(next), 0, 1, "done"]);
    }
    spans.push(["keys", device, 0, "key", now - 400_000 + 90_000 * device, now - 388_000 + 90_000 * device, "porep-32g", 0, 1, "done"]);
  }
  for (let at = now - 590_000; at < now; at += 9000) spans.push(["intake", 0, 0, "decode", at, at + 180, id(next), 0, 1, "done"]);
  return spans.map((span) => span.map((part) => (typeof part === "number" ? Math.round(part) : part))).sort((a, b) => a[5] - b[5]);
}

function under_way(now, next) {
  return [
    ["lane", 0, 0, "prove", now - 2100, null, id(next), 4, 1, "running"],
    ["lane", 0, 1, "witness", now - 700, null, id(next), 5, 1, "running"],
    ["lane", 1, 0, "wait", now - 900, null, id(next), 2, 1, "running"],
    ["lane", 1, 1, "prove", now - 1700, null, id(next), 3, 3, "running"],
    ["intake", 0, 0, "decode", now - 60, null, id(next), 0, 1, "running"],
  ];
}

function key(circuit, gib, batches, idle) {
  return { circuit, bytes: Math.round(gib * GiB), state: "resident", urgent: circuit.startsWith("winning"), batches, idle };
}

function gpu(ordinal, next) {
  const keys = [key("porep-32g", 43.9, 2, 0), key("snap-32g", 28.6, 0, 312_000), key("winning-32g", 0.13, 0, 11_000)];
  const blocks = [];
  for (const [use, gib] of [["key", 43.9], ["free", 0.4], ["key", 28.6], ["work", 16], ["work", 4.2], ["tile", 2.1], ["free", 1.2], ["work", 3.3], ["free", 12.6], ["arena", 12]])
    blocks.push({ use, bytes: Math.round(gib * GiB * (1 + 0.002 * next())) });
  const used = blocks.reduce((sum, block) => sum + (block.use === "free" ? 0 : block.bytes), 0);
  return {
    name: `cuda:${ordinal}`,
    description: "NVIDIA H200, 124 GiB reserved",
    state: "active",
    processor: false,
    regions: [
      { name: "arena", capacity: Math.round(124.5 * GiB), used, peak: Math.round(117 * GiB), largest_free: Math.round(12.6 * GiB), blocks },
      {
        name: "urgent arena",
        capacity: 12 * GiB,
        used: Math.round(0.13 * GiB),
        peak: Math.round(1.9 * GiB),
        largest_free: Math.round(11.8 * GiB),
        blocks: [{ use: "key", bytes: Math.round(0.13 * GiB) }, { use: "free", bytes: Math.round(11.87 * GiB) }],
      },
    ],
    ordinary: { used: Math.round(98.3 * GiB), limit: 112 * GiB, proofs: Math.round(25.8 * GiB) },
    urgent: { used: Math.round(0.13 * GiB), limit: 12 * GiB, proofs: 0 },
    keys,
  };
}

const checks = [
  ["program", "ok", "cuzk 0.1.0 (prover, server, CUDA)", ""],
  ["program.libraries", "ok", "TBB 2021.8.0, OpenSSL 3.0.15 3 Sep 2024, fmt 9.1.0, spdlog 1.10.0, gRPC 1.51.1", ""],
  ["cpu", "ok", "AMD EPYC 9655 96-Core Processor", ""],
  ["cpu.adx", "ok", "yes", ""],
  ["cpu.avx512_ifma", "ok", "yes", ""],
  ["cpu.path", "warn", "adx, SHA-256 sha_ni, forced by CUZK_CPU=adx", "unset CUZK_CPU: this processor can do ifma"],
  ["cpu.threads", "ok", "16", ""],
  ["memory", "ok", "101.2 GiB of 128.0 GiB available", ""],
  ["memory.huge_pages", "warn", "never", "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled: page faults cost seconds of a proof"],
  ["keys", "ok", "/var/tmp/filecoin-proof-parameters: porep-32g, snap-32g, wpost-32g, winning-32g", ""],
  ["device.cuda:0", "ok", "NVIDIA H200, 124 GiB reserved: proves", ""],
  ["device.cuda:1", "ok", "NVIDIA H200, 124 GiB reserved: proves", ""],
].map(([name, state, value, advice]) => ({ name, state, value, advice }));

export function busy(now = 5_000_000, waiting_jobs = 37) {
  const next = random(7);
  const count = (...numbers) => Object.fromEntries(["critical", "high", "normal", "low"].map((name, i) => [name, numbers[i]]));
  const failures = [1, 2, 3, 4, 5].map((i) => job(i === 2 ? "timed out" : "failed", (i + 1) % 3, now - 60_000 * i * i - 20_000, next));
  const ended = Array.from({ length: 18 }, (_, i) => (i === 4 ? failures[0] : job("completed", i % 5 === 0 ? 3 : i % 3, now - 11_000 * (i + 2), next)));
  const many = waiting_jobs >= 1000;
  return {
    sections: {
      clock: { now },
      daemon: { machine: "prover-03", mode: "accepting" },
      queue: [
        { kind: kinds[0], waiting: count(0, 0, waiting_jobs - 9, 0), running: 2, completed: many ? 128_411 : 412, failed: 3, cancelled: 1, seconds: many ? 1_386_838 : 4442 },
        { kind: kinds[1], waiting: count(0, 0, 4, 2), running: 1, completed: 120, failed: 0, cancelled: 0, seconds: 1900 },
        { kind: kinds[2], waiting: count(0, 3, 0, 0), running: 1, completed: 96, failed: 2, cancelled: 0, seconds: 700 },
        { kind: kinds[3], waiting: count(0, 0, 0, 0), running: 0, completed: 288, failed: 0, cancelled: 0, seconds: 20 },
      ],
      lanes: [0, 1].flatMap((device) => [
        ...[0, 1, 2].map((lane) => ({ role: "lane", device, lane })),
        { role: "urgent", device, lane: 0 },
      ]),
      spans: under_way(now, next),
      running: [job("running", 0, now - 9000, next), job("running", 0, now - 5000, next), job("running", 1, now - 7000, next), job("running", 2, now - 4000, next)],
      waiting: Array.from({ length: Math.min(24, waiting_jobs) }, (_, i) => job("queued", i % 3, now - 41_000, next)),
      ended,
      failures,
      devices: [gpu(0, next), gpu(1, next), { name: "cpu", description: "16 threads", state: "spare", processor: true, regions: [] }],
      host: {
        total: 128 * GiB,
        used: Math.round(11.4 * GiB),
        available: Math.round(101.2 * GiB),
        accounts: [
          { name: "witnesses and requests", used: Math.round(2.3 * GiB), limit: 109 * GiB },
          { name: "the same of urgent jobs", used: 0, limit: Math.round(1.2 * GiB) },
          { name: "inputs that wait", used: Math.round(0.9 * GiB), limit: 4 * GiB },
          { name: "kept pages", used: Math.round(1.8 * GiB), limit: 4 * GiB, peak: Math.round(3.1 * GiB) },
          { name: "compiled circuits", used: 213_000_000, limit: 0 },
          { name: "key files in the page cache", used: Math.round(28.9 * GiB), limit: 32 * GiB },
        ],
      },
      keys: [
        { circuit: "porep-32g", bytes: Math.round(45.1 * GiB), tier: "hot" },
        { circuit: "snap-32g", bytes: Math.round(30.4 * GiB), tier: "hot" },
        { circuit: "wpost-32g", bytes: Math.round(54.2 * GiB), tier: "cold" },
        { circuit: "winning-32g", bytes: 176_000_000, tier: "warm" },
      ],
      doctor: checks,
    },
    items: history(now, next),
  };
}

export function idle() {
  const picture = busy(45_000, 9);
  const { sections } = picture;
  for (const kind of sections.queue) {
    for (const priority of Object.keys(kind.waiting)) kind.waiting[priority] = 0;
    Object.assign(kind, { running: 0, completed: 0, failed: 0, cancelled: 0, seconds: 0 });
  }
  Object.assign(sections, { spans: [], running: [], waiting: [], ended: [], failures: [] });
  sections.devices = [
    {
      name: "cpu",
      description: "2 threads",
      state: "active",
      processor: true,
      regions: [],
      ordinary: { used: 0, limit: 12 * GiB, proofs: 0 },
      urgent: { used: 0, limit: 2 * GiB, proofs: 0 },
      keys: [],
    },
  ];
  sections.keys = [];
  return { sections, items: [] };
}

export const attack = '"><img src=x onerror=window.broken=1><script>window.broken=2</script>${window.broken=3}';

/** Every text that may come from outside the daemon is an attempt to leave its place. */
export function hostile() {
  const picture = busy();
  const { sections } = picture;
  for (const job of [...sections.running, ...sections.waiting, ...sections.ended, ...sections.failures]) {
    job.request = attack;
    if (job.message !== "") job.message = `${attack} ${"x".repeat(500)}`;
    job.circuit = attack;
    job.stage = attack;
  }
  for (const device of sections.devices) device.description = attack;
  for (const check of sections.doctor) check.value = attack;
  sections.daemon.machine = attack;
  return picture;
}
