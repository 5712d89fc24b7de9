// A headless Chromium, and what every test of the page does with it.
import { existsSync } from "node:fs";

const candidates = [process.env.CUZK_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const chromium_path = candidates.find((path) => path && existsSync(path));

/** null where there is none, or no playwright-core. */
export async function launch() {
  if (chromium_path === undefined) return null;
  const { chromium } = await import("playwright-core").catch(() => ({ chromium: null }));
  return chromium && chromium.launch({ executablePath: chromium_path, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A page that fails its test with whatever the browser has to complain about, but for what is expected. */
export async function open(browser, address, { width = 1280, height = 900, colorScheme = "light", expected = /^$/ } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !expected.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith("data:")) complaints.push(`it asked for ${url}`);
  });
  page.complaints = complaints;
  page.setDefaultTimeout(120_000); // machines do other things too
  await page.goto(address);
  await page.waitForSelector("#doctor");
  return page;
}

/** Elements that stand out of the window or whose text does not fit into them, by their names. */
export function cut_off(page) {
  return page.evaluate(() => {
    const faults = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
    const is_scrolled = (element) => element.closest(".scroll, .waterfall, .hidden, .skip, svg") !== null;
    for (const element of document.querySelectorAll("body *")) {
      if (is_scrolled(element) || element.offsetParent === null) continue;
      const box = element.getBoundingClientRect();
      const name = `${element.tagName}.${element.className}: ${element.textContent.slice(0, 40)}`;
      if (box.right > width + 1 || box.left < -1) faults.push(`outside: ${name}`);
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") faults.push(`cut: ${name}`);
    }
    return faults;
  });
}

/** Pairs of texts of which one lies over the other. */
export function overlapping(page) {
  return page.evaluate(() => {
    const boxes = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest(".hidden, .skip, .top, .waterfall, .scroll, script, style, title, noscript")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) if (box.width > 1) boxes.push({ text: node.data.trim().slice(0, 40), box });
    }
    const faults = [];
    boxes.forEach((a, i) =>
      boxes.slice(i + 1).forEach((b) => {
        const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (x > 1.5 && y > 3) faults.push(`${a.text} / ${b.text}`);
      }),
    );
    return faults;
  });
}

/** What axe finds against WCAG A and AA. */
export async function violations(page) {
  const { default: axe } = await import("axe-core");
  await page.evaluate(axe.source);
  const found = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
  );
  return found.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(" ")).slice(0, 4)}: ${each.nodes[0].failureSummary}`);
}
