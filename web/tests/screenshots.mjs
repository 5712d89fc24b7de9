// Makes the pictures in docs/images from a daemon that is played: node tests/screenshots.mjs [FOLDER]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, open } from "./browser.mjs";
import { FakeDaemon } from "./fake_daemon.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs/images/", import.meta.url));
mkdirSync(folder, { recursive: true });
const browser = await launch();
if (browser === null) throw new Error("there is no Chromium, or no playwright-core (npm ci in web/)");

async function picture(name, { of = "busy", width = 1280, height = 1060, prepare = async () => {}, ...options } = {}) {
  const daemon = await new FakeDaemon(of).start();
  const page = await open(browser, daemon.address, { width, height, expected: /ERR_|Failed/, ...options });
  await prepare(page, daemon);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.context().close();
  await daemon.stop();
}

const open_first_job = async (page) => {
  await page.locator("#jobs .job > button").first().click();
  await page.waitForSelector(".waterfall .span");
  await page.locator("#jobs").evaluate((jobs) => window.scrollTo(0, jobs.offsetTop - 60));
};
const lose = async (page, daemon) => {
  await daemon.stop();
  await page.waitForSelector(".banner");
};

await picture("page-light");
await picture("page-dark", { colorScheme: "dark", prepare: open_first_job });
await picture("page-narrow", { width: 400, height: 1500 });
await picture("page-gone", { height: 520, prepare: lose });
await browser.close();
