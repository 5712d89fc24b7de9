// The page in a headless Chromium against a daemon that is played: every panel, a busy daemon, a dead one, a thousand jobs.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { cut_off, launch, open, overlapping, violations } from "./browser.mjs";
import { FakeDaemon } from "./fake_daemon.mjs";
import { attack } from "./pictures.mjs";

const browser = await launch();
const skip = browser === null && "there is no Chromium, or no playwright-core (npm ci in web/)";
let daemon;

after(async () => {
  await browser?.close();
});

async function with_daemon(picture, options, work) {
  daemon = await new FakeDaemon(picture, options).start();
  try {
    await work(daemon);
  } finally {
    await daemon.stop();
  }
}

const text = (page, selector) => page.locator(selector).innerText();

test("every panel shows what a busy daemon does, with units", { skip }, () =>
  with_daemon("busy", {}, async ({ address }) => {
    const page = await open(browser, address);
    assert.equal(await text(page, ".state"), "accepting jobs");
    assert.match(await text(page, "#queue"), /porep-c2\s+0\s+0\s+28\s+0\s+2\s+412\s+3\s+1\s+10\.8 s/);
    assert.match(await text(page, "#timeline"), /cuda:0 NVIDIA H200[^]*lane 1\s*proving[^]*cuda:1/);
    assert.ok((await page.locator("#timeline .track rect").count()) > 200, "two devices worked for five minutes");
    assert.match(await text(page, "#devices"), /key porep-32g\s+43\.9 GiB[^]*arena\s+110 GiB of 1\d\d GiB[^]*tile\s+2\.1 GiB/);
    assert.match(await text(page, "#host"), /kept pages\s+1\.8 GiB of 4\.0 GiB \(45 %\), at most 3\.1 GiB so far/);
    assert.match(await text(page, "#failures"), /invalid_input snap-update[^]*constraint 70182312 of 130278869/);
    assert.match(await text(page, "#jobs"), /4 jobs running, 37 waiting[^]*running, 3 of 10 done/);
    assert.match(await text(page, "#doctor"), /12 checks: 2 to look at, 0 failed[^]*cpu\.path\s+warn[^]*unset CUZK_CPU/);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }),
);

test("a job opens to all its spans, by mouse and by keyboard", { skip }, () =>
  with_daemon("busy", {}, async ({ address }) => {
    const page = await open(browser, address);
    const jobs = page.locator("#jobs .job > button");
    await jobs.first().focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".waterfall");
    assert.equal(await page.locator(".waterfall .span").count(), 3 + 10 * 9);
    assert.match(await text(page, ".waterfall"), /msm_h 10\s+420 ms/);
    assert.equal(await jobs.first().getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowDown");
    assert.ok(await jobs.nth(1).evaluate((button) => button === document.activeElement));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Space");
    assert.equal(await page.locator(".waterfall").count(), 0);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }),
);

test("the keyboard reaches everything, and where it is can be seen", { skip }, () =>
  with_daemon("busy", {}, async ({ address }) => {
    const page = await open(browser, address);
    const reached = new Set();
    for (;;) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement === document.body)) break; // past the last one
      const focus = await page.evaluate(() => {
        const element = document.activeElement;
        const shown = element.matches(".choice input") ? element.nextElementSibling : element;
        return { name: (element.textContent || element.parentElement.textContent).slice(0, 20), outline: getComputedStyle(shown).outlineStyle };
      });
      assert.notEqual(focus.outline, "none", `${focus.name} does not show that it has the focus`);
      reached.add(focus.name);
    }
    for (const name of ["Go to the panels", "Timeline", "Doctor", "system", "5 min", "The newest as a tabl", "Show all 24 jobs"])
      assert.ok(reached.has(name), `${name} is not reached: ${[...reached].join(", ")}`);
    await page.context().close();
  }),
);

test("what changes is shown while it changes", { skip }, () => {
  const news = ({ sections }) => {
    sections.queue[0].waiting.normal += 100;
    return { sections: { queue: sections.queue }, items: [["urgent", 0, 0, "prove", sections.clock.now - 60, sections.clock.now, "abc", 0, 1, "done"]] };
  };
  return with_daemon("busy", { news }, async ({ address }) => {
    const page = await open(browser, address);
    await page.waitForFunction(() => /porep-c2\s+0\s+0\s+(1|2|3)28/.test(document.querySelector("#queue").innerText));
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
});

test("a daemon that is gone is said to be gone, and found again", { skip }, () =>
  with_daemon("busy", {}, async (first) => {
    const page = await open(browser, first.address, { expected: /ERR_|Failed to load/ });
    const port = first.port;
    await first.stop();
    await page.waitForSelector(".banner");
    assert.match(await text(page, ".banner"), /The daemon is gone: it does not answer. What you see is as it was at \d\d:\d\d:\d\d/);
    assert.equal(await text(page, ".state"), "gone");
    assert.match(await page.title(), /^gone: cuzk on prover-03/);
    assert.match(await text(page, "#queue"), /412/, "the last picture stays");
    const second = await new FakeDaemon("idle").start(port);
    try {
      await page.waitForSelector(".banner", { state: "detached", timeout: 30_000 });
      assert.match(await text(page, "#jobs"), /No job has come yet/);
      assert.match(await text(page, "#failures"), /No job has failed/);
    } finally {
      await second.stop();
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }),
);

test("a daemon that was never there leaves no empty page", { skip }, () =>
  with_daemon("busy", {}, async ({ address }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route("**/{events,healthz}", (route) => route.abort());
    await page.goto(address);
    await page.waitForFunction(() => document.querySelector(".banner")?.innerText.startsWith("The daemon is gone"));
    await context.close();
  }),
);

test("a viewer too many is told so", { skip }, () =>
  with_daemon("busy", { viewers: 0 }, async ({ address }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction(() => document.querySelector(".banner")?.innerText.includes("too many look already"));
    await context.close();
  }),
);

test("a page that nobody sees asks for nothing", { skip }, () =>
  with_daemon("busy", {}, async (played) => {
    const page = await open(browser, played.address);
    assert.equal(played.open.size, 1);
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    while (played.open.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: false });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    while (played.open.size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await page.context().close();
  }),
);

test("a thousand jobs are counted, and the page stays quick", { skip }, () =>
  with_daemon("thousand", {}, async ({ address }) => {
    const page = await open(browser, address);
    assert.match(await text(page, "#queue"), /1,000 waiting/);
    assert.match(await text(page, "#jobs"), /the page knows 24 of 1,000/);
    await page.locator("text=Show all 24 jobs").click();
    assert.equal(await page.locator("#jobs .job").count(), 4 + 24 + 10);
    const busy = await page.evaluate(async () => {
      const start = performance.now();
      document.querySelector("#timeline input").click();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - start;
    });
    assert.ok(busy < 1000, `it took ${busy} ms to draw itself again`);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }),
);

test("texts of others stay texts", { skip }, () =>
  with_daemon("hostile", {}, async ({ address }) => {
    const page = await open(browser, address);
    await page.locator("#jobs .job > button").first().click();
    await page.waitForSelector(".waterfall");
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.ok((await text(page, "#failures")).includes(attack), "it is shown as it is");
    assert.deepEqual(await cut_off(page), []);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }),
);

test("what is not of the page does not run: its policy refuses it", { skip }, () =>
  with_daemon("busy", {}, async ({ address }) => {
    const page = await open(browser, address, { expected: /Content Security Policy/ });
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.broken = 1";
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.broken), undefined);
    await page.context().close();
  }),
);

for (const colorScheme of ["light", "dark"]) {
  for (const picture of ["busy", "idle"]) {
    test(`${picture}, ${colorScheme}: nothing that WCAG AA forbids`, { skip }, () =>
      with_daemon(picture, {}, async ({ address }) => {
        const page = await open(browser, address, { colorScheme });
        if (picture === "busy") {
          await page.locator("#jobs .job > button").first().click();
          await page.waitForSelector(".waterfall");
          await page.locator("summary").click();
        }
        assert.deepEqual(await violations(page), []);
        await page.context().close();
      }),
    );
  }
}

for (const width of [320, 400, 768, 1000, 1280, 1920]) {
  for (const picture of ["busy", "thousand", "idle"]) {
    test(`${picture}, ${width} wide: nothing is cut and nothing overlaps`, { skip }, () =>
      with_daemon(picture, {}, async ({ address }) => {
        const page = await open(browser, address, { width });
        assert.deepEqual(await cut_off(page), []);
        assert.deepEqual(await overlapping(page), []);
        await page.context().close();
      }),
    );
  }
}

test("what is cut or overlaps would be found", { skip }, () =>
  with_daemon("idle", {}, async ({ address }) => {
    const page = await open(browser, address);
    await page.evaluate(() => {
      const line = document.querySelector("#host .line");
      const value = line.querySelector("b");
      const way = line.getBoundingClientRect().left - value.getBoundingClientRect().left;
      value.style.cssText = `display: inline-block; transform: translateX(${way}px)`;
      document.querySelector("#doctor").style.width = "3000px";
      document.querySelector(".summary dd").style.cssText = "width: 1rem; overflow: hidden; white-space: nowrap";
    });
    const faults = await cut_off(page);
    for (const what of [/^the page is/, /^outside: .*Doctor/, /^cut: DD/]) assert.ok(faults.some((fault) => what.test(fault)), `${what}: ${faults}`);
    assert.ok((await overlapping(page)).length > 0);
    await page.context().close();
  }),
);

test("the theme can be chosen, and is kept", { skip }, () =>
  with_daemon("busy", {}, async ({ address }) => {
    const page = await open(browser, address, { colorScheme: "light" });
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.locator("label", { hasText: "dark" }).click();
    const dark = await back();
    assert.notEqual(light, dark);
    await page.reload();
    await page.waitForSelector("#doctor");
    assert.equal(await back(), dark);
    await page.context().close();
  }),
);
