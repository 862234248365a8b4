import type { Browser, CDPSession, Page } from "playwright";
import type { Bench } from "../bench.ts";
import { openBrowser, openExplorer } from "../explorer/browser.ts";
import { noteFirstOf, timeToUse } from "../explorer/first-paint.ts";
import { framesWhile, scrollFor } from "../explorer/frames.ts";
import { gzippedKilobytes, scriptsOf } from "../explorer/script-size.ts";
import { SteadyInserts } from "../explorer/steady-inserts.ts";
import { type Service, startService } from "../processes/service.ts";
import { plainRow, type Row } from "../row.ts";
import { median, quantile, rangeOf } from "../statistics.ts";
import { startGrown } from "./grown.ts";

const GROUP = "explorer";
const FRAME = { most: 50 };
const EVENTS_PER_SECOND = 500;
/** Over the lists, which are on the left. */
const LIST: readonly [number, number] = [380, 500];

const PLACES = [
  { name: "Overview", path: "/", useful: '[aria-label="Lifecycle map"] .s' },
  { name: "Jobs", path: "/jobs", useful: '[aria-label="Jobs"] a' },
] as const;

const grouped = (value: number): string => value.toLocaleString("en-GB");

/** How soon a place is of use, and what of the explorer's code is loaded until then. */
const measureLoad = async (bench: Bench, browser: Browser, service: Service): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const { name, path, useful } of PLACES) {
    const page = await openExplorer(browser, service.ready.explorer_url);
    await noteFirstOf(page, useful);
    const address = new URL(path, service.ready.base_url).href;
    await timeToUse(page, address);
    const values: number[] = [];
    while (values.length < bench.pace.repetitions * 2) values.push(await timeToUse(page, address));
    const scripts = await scriptsOf(page);
    const kilobytes = await gzippedKilobytes(scripts);
    await page.close();
    rows.push(
      plainRow(
        GROUP,
        `explorer, ${name}: from the start of the window's load to first useful paint, warm`,
        { value: median(values), unit: "ms" },
        { target: { most: 400 }, range: rangeOf(values), samples: { measured: values } },
      ),
      plainRow(
        GROUP,
        `explorer, ${name}: JavaScript until then, gzipped`,
        { value: kilobytes, unit: "KB" },
        { target: { most: 250 }, notes: [`${scripts.length} files`] },
      ),
    );
  }
  return rows;
};

const frameRow = (what: string, frames: readonly number[], notes: readonly string[] = []): Row =>
  plainRow(
    GROUP,
    `explorer, ${what}: a frame, 95th percentile`,
    { value: quantile(frames, 0.95), unit: "ms" },
    {
      target: FRAME,
      notes: [`${grouped(frames.length)} frames, the longest ${Math.round(Math.max(...frames))} ms`, ...notes],
      samples: { longest: frames.toSorted((a, b) => b - a).slice(0, 20) },
    },
  );

/** Scrolls a list of very many jobs, and narrows it letter by letter. */
const measureLongList = async (bench: Bench, browser: Browser): Promise<Row[]> => {
  const { service, jobs } = await startGrown(bench, bench.pace.explorerJobs);
  const page = await openExplorer(browser, service.ready.explorer_url);
  await page.goto(new URL("/jobs", service.ready.base_url).href);
  await page.locator('[aria-label="Jobs"] a').first().waitFor();
  const scrolled = await framesWhile(page, () => scrollFor(page, bench.pace.loadMs * 5, LIST));
  const search = page.getByRole("searchbox", { name: "Search jobs" });
  const typed = await framesWhile(page, async () => {
    for (const text of ["RO-1", "kv42", "9", "RO-22"]) {
      await search.fill("");
      await search.pressSequentially(text, { delay: 120 });
      await page.waitForTimeout(300);
    }
  });
  await page.close();
  await service.stop();
  const list = `jobs list of ${grouped(jobs)}`;
  return [frameRow(`${list}, scrolling`, scrolled), frameRow(`${list}, typing into its search`, typed)];
};

const heapOf = async (session: CDPSession): Promise<number> => {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const used = metrics.find(({ name }) => name === "JSHeapUsedSize");
  if (!used) throw new Error("The browser does not tell the size of its heap.");
  return used.value / 1_000_000;
};

/** Types into the search of the jobs while they stream in. */
const typeAmidst = async (page: Page): Promise<void> => {
  const search = page.getByRole("searchbox", { name: "Search jobs" });
  for (const text of ["J-0", "repair", "P00"]) {
    await search.fill("");
    await search.pressSequentially(text, { delay: 120 });
  }
  await search.fill("");
};

/** A window while very much happens: how it moves, and what it holds after a long time. */
const measureBusyFeed = async (bench: Bench, browser: Browser): Promise<Row[]> => {
  const service = await startService(bench, "busy-feed");
  const { ready } = service;
  const subscription = await fetch(`${ready.base_url}/__webhooks/subscribe`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      integration_id: ready.credentials?.repairer.integration_id,
      url: `${ready.base_url}/__webhooks/sink`,
    }),
  });
  if (!subscription.ok) throw new Error(`The subscription was answered ${subscription.status}.`);
  const page = await openExplorer(browser, ready.explorer_url);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const began = performance.now();
  const inserts = await SteadyInserts.start(service, EVENTS_PER_SECOND, bench.newNumbers());

  await page.goto(new URL("/webhooks", ready.base_url).href);
  const listed = page.locator(".vlist a").first();
  await listed.waitFor();
  const watched = await framesWhile(page, () => scrollFor(page, bench.pace.loadMs * 5, LIST));
  await page.goto(new URL("/jobs", ready.base_url).href);
  await listed.waitFor();
  const typed = await framesWhile(page, () => typeAmidst(page));
  await page.goto(new URL("/webhooks", ready.base_url).href);
  await listed.waitFor();

  const minutes = bench.pace.explorerMinutes;
  const early = minutes / 10;
  await page.waitForTimeout(early * 60_000);
  const before = await heapOf(session);
  bench.say(`  ${minutes} minutes of ${EVENTS_PER_SECOND} events a second …`);
  await page.waitForTimeout((minutes - early) * 60_000);
  const after = await heapOf(session);
  const seconds = (performance.now() - began) / 1_000;
  const perSecond = await inserts.end();
  await page.close();
  await service.stop();

  const rate = `${Math.round(perSecond)} inserts a second, each an event, a delivery and its attempt`;
  return [
    frameRow("live feed, scrolling", watched, [rate]),
    frameRow("live feed, typing into the search of the jobs", typed),
    plainRow(
      GROUP,
      `explorer, memory of the page after ${minutes} minutes of that, more by`,
      { value: after - before, unit: "MB" },
      {
        target: { most: 20 },
        beside: { name: `after ${early} minutes`, figure: { value: before, unit: "MB" } },
        notes: [`${grouped(Math.round(perSecond * seconds))} events in all; the script heap after collecting garbage`],
      },
    ),
  ];
};

/** The explorer in a real Chromium. */
export const measureExplorer = async (bench: Bench): Promise<Row[]> => {
  const browser = await openBrowser(bench);
  try {
    const service = await startService(bench, "explorer");
    const loaded = await measureLoad(bench, browser, service);
    await service.stop();
    return [...loaded, ...(await measureLongList(bench, browser)), ...(await measureBusyFeed(bench, browser))];
  } finally {
    await browser.close();
  }
};
