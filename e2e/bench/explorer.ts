import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Browser, type CDPSession, chromium, type Page } from "playwright";
import { Pool } from "undici";
import { benchHeaders, call, insertJobs, jobMaker, subscribe } from "../../sandbox/bench/load.ts";
import { type Bench, type Service, startService } from "../../sandbox/bench/processes.ts";
import { median, p95, plainRow, type Row, type Target, type Unit } from "../../sandbox/bench/statistics.ts";
import { deliveriesList, jobsList, procurementsList } from "../../sandbox/contract/control/operations.ts";
import { operationPath } from "../../sandbox/contract/operation.ts";
import { basketsLatestGet, jobsInsert, procurementsPlace } from "../../sandbox/contract/operations/partner.ts";
import { EXPLORER_TARGETS } from "./explorer-targets.ts";

declare global {
  interface Window {
    /** Milliseconds from the start of the navigation to the first frame in which the page is usable. */
    benchUsefulAt?: number;
    /** Milliseconds between frames. */
    benchFrames?: number[];
    /** The name in a list's first row, and when it appeared. */
    benchShown?: [at: number, text: string][];
  }
}

/** Every place of the rail, and the element that makes it usable. */
const places: readonly (readonly [path: string, useful: string])[] = [
  ["/", '[aria-label="Lifecycle map"] [data-count]'],
  ["/install", '[aria-label="Credentials"] tbody tr'],
  ["/jobs", '[aria-label="Jobs"] a'],
  ["/procurements", 'ul[aria-label="Orders"] a'],
  ["/webhooks", '[aria-label="Deliveries"] a'],
  ["/requests", '[aria-label="Requests"] a'],
  ["/console", '[aria-label="Operations"] a'],
  ["/scenarios", '[aria-label="Scenarios"] a'],
  ["/worlds", '[aria-label="Worlds"] a'],
  ["/activity", "#place h1"],
  ["/settings", "#place h2"],
];
const ROWS = "main [data-key]";

/** Opens a signed-in window with a warm cache. */
const openExplorer = async (browser: Browser, { ready }: Service): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(ready.explorer_url);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  return page;
};

/** Kilobytes (1,000 bytes) of JavaScript, each file compressed with gzip, loaded until the page is usable. */
const measureKilobytes = async (page: Page): Promise<number> => {
  const files = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ startTime }) => startTime <= (window.benchUsefulAt ?? 0))
      .map(({ name }) => name),
  );
  const sizes = [...new Set(files)]
    .filter((file) => file.endsWith(".js"))
    .map(async (file) => {
      const content = await (await fetch(file)).arrayBuffer();
      return gzipSync(new Uint8Array(content), { level: 9 }).length / 1_000;
    });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/** Measures each place's load time and size. */
const measureLoads = async (bench: Bench, browser: Browser): Promise<Row[]> => {
  const service = await startService(bench, "loads");
  await subscribe(service, `${service.base}/__webhooks/sink`);
  await insertJobs(service, 50);
  const measured: { path: string; paint: number; script: number }[] = [];
  for (const [path, useful] of places) {
    const page = await openExplorer(browser, service);
    await page.addInitScript((wanted) => {
      const look = () => {
        if (document.querySelector(wanted) === null) requestAnimationFrame(look);
        else requestAnimationFrame((now) => Object.assign(window, { benchUsefulAt: now }));
      };
      look();
    }, useful);
    const times: number[] = [];
    for (let load = 0; load <= (bench.quick ? 2 : 10); load += 1) {
      await page.goto(service.base + path);
      await page.waitForFunction(() => window.benchUsefulAt !== undefined);
      times.push(await page.evaluate(() => window.benchUsefulAt ?? Number.NaN));
    }
    // The first load fills the cache.
    const paint = median(times.slice(1));
    measured.push({ path, paint, script: await measureKilobytes(page) });
    await page.close();
  }
  await service.stop();
  const worst = (what: string, key: "paint" | "script", unit: Unit): Row => {
    const note = measured.map(({ path, [key]: value }) => `${path} ${value.toFixed(0)}`).join(", ");
    const values = [Math.max(...measured.map(({ [key]: value }) => value))];
    return plainRow({
      what: `explorer, of ${places.length} places the worst: ${what}`,
      unit,
      values,
      target: { most: EXPLORER_TARGETS[key] },
      note,
    });
  };
  return [
    worst("from the start of the load to first useful paint, warm", "paint", "ms"),
    worst("JavaScript until then, gzipped", "script", "KB"),
  ];
};

/** Measures the duration of every frame during an action, as a row. */
const frameRow = async (page: Page, what: string, act: () => Promise<void>): Promise<Row> => {
  await page.evaluate(() => {
    const frames: number[] = [];
    window.benchFrames = frames;
    let last = performance.now();
    const tick = (now: number) => {
      frames.push(now - last);
      last = now;
      if (window.benchFrames === frames) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act();
  const frames = await page.evaluate(() => {
    const frames = window.benchFrames ?? [];
    delete window.benchFrames;
    return frames;
  });
  const note = `${frames.length} frames, the longest ${Math.max(...frames).toFixed(0)} ms`;
  const target: Target = { most: 50 };
  return plainRow({
    what: `explorer, ${what}: a frame, 95th percentile`,
    unit: "ms",
    values: [p95(frames)],
    target,
    note,
  });
};

/** Scrolls the list with the wheel, down and up again. */
const scroll = async (page: Page): Promise<void> => {
  await page.mouse.move(380, 500);
  for (let step = 0; step < 400; step += 1) {
    await page.mouse.wheel(0, step % 60 < 40 ? 400 : -700);
    await sleep(16);
  }
};

const typeAndClear = async (page: Page): Promise<void> => {
  const search = page.getByRole("searchbox", { name: "Search jobs" });
  for (const text of ["RO-1", "kv42", "9", "repair"]) {
    await search.pressSequentially(text, { delay: 120 });
    await sleep(300);
    await search.fill("");
  }
};

/** Measures scrolling and searching in a very long list of jobs. */
const measureLongList = async (bench: Bench, browser: Browser): Promise<Row[]> => {
  const service = await startService(bench, "long-list");
  const jobs = bench.quick ? 5_000 : 100_000;
  await insertJobs(service, jobs);
  const page = await openExplorer(browser, service);
  await page.goto(`${service.base}/jobs`);
  await page.locator(ROWS).first().waitFor();
  const list = `list of ${jobs.toLocaleString("en-GB")} jobs`;
  const rows = [
    await frameRow(page, `${list}, scrolling`, () => scroll(page)),
    await frameRow(page, `${list}, typing into its search`, () => typeAndClear(page)),
  ];
  await page.close();
  await service.stop();
  return rows;
};

/** A new record by its name in a list, and the time of the response to its call. */
interface Come {
  readonly name: string | null | undefined;
  readonly at: number;
}

const PER_SECOND = 500;
const TICK_MS = 20;

/**
 * Inserts jobs at a steady rate, like a partner's program. @returns the inserted ones so far, and a function to stop
 */
const insertSteadily = async (service: Service) => {
  const job = await jobMaker(service);
  const request = {
    method: "POST",
    path: operationPath(jobsInsert),
    headers: benchHeaders(service, jobsInsert),
  } as const;
  const pool = new Pool(service.base, { connections: PER_SECOND });
  const began = performance.now();
  const insertedJobs: Come[] = [];
  const open = new Set<Promise<void>>();
  let [sent, failed] = [0, 0];
  const insert = async (): Promise<void> => {
    const body = job(sent++);
    const response = await pool.request({ ...request, body: JSON.stringify(body) });
    await response.body.dump();
    if (response.statusCode === 200) insertedJobs.push({ name: body.job_number, at: Date.now() });
    else failed += 1;
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * PER_SECOND;
    while (sent < due && open.size < PER_SECOND) {
      const call = insert().finally(() => open.delete(call));
      open.add(call);
    }
  }, TICK_MS);
  const end = async (): Promise<number> => {
    clearInterval(timer);
    await Promise.all(open);
    const seconds = (performance.now() - began) / 1_000;
    await pool.close();
    if (failed > 0) throw new Error(`${failed} of ${sent} inserts were refused.`);
    return insertedJobs.length / seconds;
  };
  return { created: insertedJobs, end };
};

const measureHeap = async (session: CDPSession): Promise<number> => {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN) / 1_000_000;
};

/** Orders a part of one job ten times a second. @returns the orders so far, and a function to stop */
const orderSteadily = async (service: Service) => {
  const identity = { id: (await call(service, jobsList, { state: "estimated", limit: 1 })).items[0]?.id ?? "" };
  const { offers } = await call(service, basketsLatestGet, { job_identity: identity });
  const body = { job_identity: identity, sellable_ids: [offers[0]?.sellable_id ?? ""] };
  const created: Come[] = [];
  const work = { ends: false };
  const working = (async () => {
    for (; !work.ends; await sleep(100)) {
      const { items } = await call(service, procurementsPlace, body);
      created.push({ name: items[0]?.reference, at: Date.now() });
    }
  })();
  const end = async (): Promise<void> => {
    work.ends = true;
    await working;
  };
  return { created, end };
};

/** Lists to follow under load: the element with a row's name, and the service's names, newest first. */
const followed = [
  {
    path: "/webhooks",
    name: '[aria-label="Deliveries"] a .li-detail',
    stored: async (service: Service) => (await call(service, deliveriesList, {})).items.map(({ label }) => label),
  },
  {
    path: "/jobs",
    name: ROWS,
    stored: async (service: Service) => (await call(service, jobsList, {})).items.map(({ job_number }) => job_number),
  },
  {
    path: "/procurements",
    name: 'ul[aria-label="Orders"] a .li-title > .cut',
    stored: async (service: Service) =>
      (await call(service, procurementsList, { status: "order_requested" })).items.map(({ reference }) => reference),
  },
] as const;

/** Measures each list's delay under load, and missing rows afterwards. */
const measureFollowing = async (bench: Bench, browser: Browser): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const { path, name, stored } of followed) {
    const service = await startService(bench, `following${path.replace("/", "-")}`);
    await subscribe(service, `${service.base}/__webhooks/sink`);
    const page = await openExplorer(browser, service);
    await page.goto(service.base + path);
    const inserts = await insertSteadily(service);
    const orders = path === "/procurements" ? await orderSteadily(service) : null;
    await page.locator(name).first().waitFor();
    await page.evaluate((where) => {
      const shown: [number, string][] = [];
      window.benchShown = shown;
      setInterval(() => {
        const text = document.querySelector(where)?.textContent ?? "";
        shown.push([Date.now(), text.split(" ")[0] ?? ""]);
      }, 100);
    }, name);
    await sleep(bench.quick ? 6_000 : 60_000);
    const shown = await page.evaluate(() => window.benchShown ?? []);
    await orders?.end();
    const perSecond = await inserts.end();
    const { created } = orders ?? inserts;
    const positions = new Map(created.map((one, index) => [one.name, index]));
    const lags = shown.flatMap(([at, first]) => {
      const oldestMissing = created[(positions.get(first) ?? -1) + 1];
      return oldestMissing === undefined ? [0] : [Math.max(0, at - oldestMissing.at)];
    });
    // Pending deliveries arrive after the last call.
    await sleep(2_000);
    const names = await page.locator(name).evaluateAll((all) => all.map((one) => one.textContent?.split(" ")[0] ?? ""));
    const there = (await stored(service)).slice(0, names.length);
    await page.close();
    await service.stop();
    rows.push(
      plainRow({
        what: `explorer, ${path} at ${PER_SECOND} events a second: the newest shown is behind the service by, 95th percentile`,
        unit: "ms",
        values: [p95(lags)],
        target: { most: 1_000 },
        note: `${perSecond.toFixed(0)} inserts a second, each an event, a delivery and its attempt; the longest ${Math.max(...lags)} ms`,
      }),
      plainRow({
        what: `explorer, ${path} two seconds after it: newest rows that are not shown`,
        unit: "rows",
        values: [there.filter((one, index) => names[index] !== one).length],
        target: { most: 0 },
        note: `of ${there.length} looked at`,
      }),
    );
  }
  return rows;
};

/** Measures a window's frames and memory under load. */
const measureBusyFeed = async (bench: Bench, browser: Browser): Promise<Row[]> => {
  const service = await startService(bench, "busy-feed");
  await subscribe(service, `${service.base}/__webhooks/sink`);
  const page = await openExplorer(browser, service);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const inserts = await insertSteadily(service);
  await page.goto(`${service.base}/webhooks`);
  await page.locator(ROWS).first().waitFor();
  const rows = [await frameRow(page, `live feed of ${PER_SECOND} events a second, scrolling`, () => scroll(page))];
  await page.goto(`${service.base}/jobs`);
  await page.locator(ROWS).first().waitFor();
  rows.push(await frameRow(page, "the same, typing into the search of the jobs", () => typeAndClear(page)));

  const minutes = bench.quick ? 0.5 : 10;
  await sleep(minutes * 6_000);
  const early = await measureHeap(session);
  await sleep(minutes * 54_000);
  const late = await measureHeap(session);
  await inserts.end();
  await page.close();
  await service.stop();
  return [
    ...rows,
    plainRow({
      what: `memory of the page after ${minutes} minutes of it, more than after ${minutes / 10} by`,
      unit: "MB",
      values: [late - early],
      target: { most: 20 },
      note: `the script heap after collecting garbage, ${early.toFixed(1)} MB early`,
    }),
  ];
};

/** Measures the explorer in a real Chromium. */
export const measureExplorer = async (bench: Bench): Promise<Row[]> => {
  const isRootOnLinux = process.platform === "linux" && process.getuid?.() === 0;
  const executablePath = process.env.INTEGRATIONS_EXPLORER_CHROMIUM;
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    // Chromium's sandbox doesn't work as root; the pages are the project's own.
    args: ["--disable-gpu", "--disable-background-networking", ...(isRootOnLinux ? ["--no-sandbox"] : [])],
  });
  try {
    const loads = await measureLoads(bench, browser);
    return [
      ...loads,
      ...(await measureLongList(bench, browser)),
      ...(await measureFollowing(bench, browser)),
      ...(await measureBusyFeed(bench, browser)),
    ];
  } finally {
    await browser.close();
  }
};
