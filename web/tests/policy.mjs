// The Content-Security-Policy that the daemon sends with the page (src/server/page.cpp).
import { createHash } from "node:crypto";

function digests(html, tag) {
  const all = [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))];
  return all.map(([, text]) => ` 'sha256-${createHash("sha256").update(text).digest("base64")}'`).join("");
}

export function policy_of(html) {
  return (
    `default-src 'none'; script-src${digests(html, "script")}; style-src${digests(html, "style")}; connect-src 'self'; ` +
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}
