// The stages of a job's way: how they are called, in which order they come.

export const stages = ["queue", "decode", "circuit", "key", "witness", "wait", "prove", "verify"] as const;

const names: Record<string, string> = {
  queue: "in the queue",
  decode: "reading and checking",
  circuit: "circuit",
  key: "reading the key",
  witness: "witness",
  wait: "waiting for its turn",
  prove: "proving",
  verify: "verifying",
};

export function name_of(stage: string): string {
  return names[stage] ?? stage;
}

/** The style of a stage, also of one inside another ("msm_h" is part of proving). */
export function style_of(stage: string): string {
  return stage in names ? stage : "inside";
}
