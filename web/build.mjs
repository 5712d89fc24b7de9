// Makes dist/index.html: one file that needs nothing else. node build.mjs [FILE]
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { digest, root } from "./sources.mjs";

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    format: "iife",
    target: ["chrome100", "firefox100", "safari15.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

const script = await bundle("src/main.tsx");
const style = await bundle("src/style.css");
if (/<\/(script|style)/i.test(script + style)) throw new Error("the bundle would end its own element");

// Functions: a replacement's $ would be taken for a pattern.
const html = readFileSync(join(root, "src/index.html"), "utf8")
  .replace("<!-- style -->", () => `<style>${style}</style>`)
  .replace("<!-- script -->", () => `<script>${script}</script>`)
  .replace("<!doctype html>", () => `<!doctype html>\n<!-- Built by web/build.mjs from sources ${digest()}; it contains Preact, whose license is in preact.LICENSE -->`);
const file = process.argv[2] ?? join(root, "dist/index.html");
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, html);
copyFileSync(join(root, "node_modules/preact/LICENSE"), join(dirname(file), "preact.LICENSE"));
console.log(`${file}: ${html.length} bytes`);
