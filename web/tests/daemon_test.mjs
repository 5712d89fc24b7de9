// The page of the real daemon, in a headless Chromium: while it proves, after it was killed, after it came back.
// CUZK_PROGRAM names the program; it proves toys, each a while later than it could.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { cut_off, launch, open, overlapping, violations } from "./browser.mjs";

const program = process.env.CUZK_PROGRAM;
const browser = program ? await launch() : null;
const skip = browser === null && "there is no program, no Chromium, or no playwright-core";
const vectors = fileURLToPath(new URL("../../tests/vectors/", import.meta.url));
const vector = (name) => JSON.parse(readFileSync(join(vectors, name), "utf8"));

const folder = mkdtempSync(join(tmpdir(), "cuzk-page-"));
const socket = `unix://${join(folder, "s")}`;
const started = [];
after(async () => {
  for (const child of started) child.kill("SIGKILL");
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(...words) {
  const child = spawn(program, words, { stdio: "ignore" });
  child.ended = new Promise((resolve) => child.on("exit", resolve));
  started.push(child);
  return child;
}

async function free_port() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function serve(port) {
  mkdirSync(join(folder, "keys"), { recursive: true });
  writeFileSync(join(folder, "keys/toy.params"), Buffer.from(vector("setup/toy.json").params.bytes, "hex"));
  const settings = { "daemon.status_listen": `127.0.0.1:${port}`, "srs.param_cache": join(folder, "keys"), "srs.preload": "toy", "jobs.journal": "" };
  const daemon = start(
    "serve", "-l", socket, "--insecure-toys", "--insecure-prove-delay", "3000", "--insecure-processors", "2",
    ...Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]),
  );
  const answers = () => fetch(`http://127.0.0.1:${port}/healthz`).then(() => true, () => false);
  while (!(await answers())) {
    assert.equal(daemon.exitCode, null, "the daemon has ended");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return daemon;
}

function prove(name, text) {
  writeFileSync(join(folder, name), text);
  const request = ["--connect", socket, "--request-id", name];  // an id of its own: the same input twice is one job
  return start("prove", "porep", join(folder, name), ...request, "--out", join(folder, `${name}.proof`));
}

const text = (page, selector) => page.locator(selector).innerText();
const shows = (page, selector, what) =>
  page.waitForFunction(([where, source]) => new RegExp(source).test(document.querySelector(where)?.innerText ?? ""), [selector, what.source], { timeout: 120_000 });

test("the real daemon's page, busy, dead and back", { skip, timeout: 600_000 }, async () => {
  const port = await free_port();
  const daemon = await serve(port);
  const page = await open(browser, `http://127.0.0.1:${port}/`, { expected: /ERR_|Failed to load/ });
  await shows(page, "#jobs", /No job has come yet/);

  const inputs = vector("proofs/toy.json").x;
  const clients = Array.from({ length: 14 }, (_, i) => prove(`toy${i}`, inputs[i % inputs.length]));
  await shows(page, "#jobs", /Running[^]*running/);
  await shows(page, "#timeline", /lane \d\s*(proving|witness|waiting)/);
  await shows(page, "#devices", /cpu:1[^]*key toy/);
  await Promise.all(clients.map((client) => client.ended));
  for (const client of clients) assert.equal(client.exitCode, 0);
  const bad = prove("bad", "0300 is no number of the field");
  await bad.ended;
  await shows(page, "#failures", /invalid_input porep-c2/);
  assert.match(await text(page, ".summary"), /completed\s+14 jobs\s+failed\s+1 job/);
  assert.match(await text(page, "#doctor"), /program[^]*cuzk [^]*device\.cpu:0[^]*device\.cpu:1/);
  assert.match(await text(page, "#host"), /keys and proofs on cpu:0[^]*witnesses and requests[^]*kept pages/);
  assert.ok((await page.locator("#timeline .track rect").count()) >= 14 * 3 - 6, "witness and proof of every job, and what was read");

  await page.locator("#jobs .job", { hasText: "completed" }).first().locator("button").click();
  await shows(page, ".waterfall", /witness[^]*proving[^]*msm_h[^]*verifying/);
  assert.deepEqual(await cut_off(page), []);
  assert.deepEqual(await overlapping(page), []);
  assert.deepEqual(await violations(page), []);

  daemon.kill("SIGKILL");
  await shows(page, ".banner", /The daemon is gone/);
  assert.match(await text(page, ".summary"), /14 jobs/, "the last picture stays");
  const second = await serve(port);
  await page.waitForSelector(".banner", { state: "detached", timeout: 120_000 });
  await shows(page, "#jobs", /No job has come yet/);

  prove("last", inputs[0]);
  await shows(page, "#jobs", /1 job running/);
  second.kill("SIGTERM");
  await shows(page, ".state", /draining: no new jobs/);
  await second.ended;
  assert.equal(second.exitCode, 0, "a viewer does not hold up its end");
  assert.deepEqual(page.complaints, []);
});
