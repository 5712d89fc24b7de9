// The sources of the page and their digest, which the built file names: whoever has one of the two can tell whether it is of
// the other. tests/web/check_dist.py computes the same.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

export const root = fileURLToPath(new URL(".", import.meta.url));

export function sources() {
  const inner = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length));
  return [...inner, "build.mjs", "sources.mjs", "package.json", "package-lock.json", "tsconfig.json"].sort();
}

export function digest() {
  const all = createHash("sha256");
  for (const name of sources()) {
    const own = createHash("sha256").update(readFileSync(join(root, name))).digest("hex");
    all.update(`${own} ${name}\n`);
  }
  return all.digest("hex");
}
