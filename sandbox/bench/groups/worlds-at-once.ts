import { Client } from "undici";
import { operationPath } from "../../contract/operation.ts";
import { jobsInsert } from "../../contract/operations/partner.ts";
import { plural } from "../../contract/text.ts";
import { benchHeaders, jobMaker, type MakeJob } from "../load.ts";
import { type Bench, firstLine, programPath, type Service, startService } from "../processes.ts";
import { keepAll } from "../records.ts";
import {
  type Comparison,
  compareCommits,
  interleave,
  median,
  p95,
  plainRow,
  type Row,
  ratioRow,
  type Target,
  unmeasuredRow,
} from "../statistics.ts";
import { loadPace, type MeasuredService, measureRecords, OURS } from "./calls.ts";

/** Number of writers with one connection each, and of worlds that they share. */
interface Setting {
  /** For example `64 writers in 1 world`. */
  readonly text: string;
  readonly writers: number;
  readonly worlds: readonly string[];
  /** Target of the rate relative to one world. */
  readonly rate: Target;
  /** Target of the event loop's delay, in milliseconds. */
  readonly loop: Target;
}

const buildSetting = (writers: number, worlds: number, rate: Target, loop: Target): Setting => ({
  text: `${writers} writers in ${plural(worlds, "world")}`,
  worlds: Array.from({ length: worlds }, (_, number) => `at-once-${writers}-${worlds}-${number}`),
  ...{ writers, rate, loop },
});

const ONE_WORLD = buildSetting(64, 1, null, null);
const settings = [
  ONE_WORLD,
  buildSetting(64, 64, { least: 0.5 }, { most: 50 }),
  buildSetting(128, 128, null, { most: 50 }),
] as const;

let numbers = 0;

/** Each writer inserts jobs one after the other until the end. @returns inserts per second */
const writeUntil = async (
  end: Promise<unknown>,
  { service, responseCounts }: MeasuredService,
  setting: Setting,
  job: MakeJob,
) => {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  const startedAt = performance.now();
  let inserted = 0;
  const write = async (world: string): Promise<void> => {
    const client = new Client(service.base);
    const headers = benchHeaders(service, jobsInsert, world);
    while (!isOver) {
      const body = JSON.stringify(job(numbers++));
      const response = await client.request({ method: "POST", path: operationPath(jobsInsert), headers, body });
      const text = await response.body.text();
      if (response.statusCode !== 200)
        throw new Error(`An insert in ${world} answered ${response.statusCode}: ${text}`);
      inserted += 1;
      responseCounts.set(world, (responseCounts.get(world) ?? 0) + 1);
    }
    await client.close();
  };
  const { writers, worlds } = setting;
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(worlds[writer % worlds.length] ?? "")));
  await over;
  return (inserted * 1_000) / (performance.now() - startedAt);
};

/** The 99th percentile of the event loop's delay since the last call, in milliseconds; null when not reported. */
const loopDelay = async ({ base, ready }: Service): Promise<number | null> => {
  const response = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${ready.control_token}` } });
  const seconds = /^nodejs_eventloop_lag_p99_seconds ([\d.e-]+)$/m.exec(await response.text())?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
};

/** Measurements of a service in a setting, one per round; the first round is not counted. */
interface Figures {
  readonly name: string;
  readonly setting: Setting;
  readonly waits: number[][];
  readonly loops: (number | null)[];
}

const figureKey = ({ name, setting }: Pick<Figures, "name" | "setting">): string => `${setting.text} ${name}`;

const settingRows = (
  figures: Figures,
  rates: Readonly<Record<string, number[]>>,
  against: readonly Comparison[],
): Row[] => {
  const { name, setting } = figures;
  const what = `\`${jobsInsert.id}\`, ${setting.text}${name === OURS ? "" : `, at ${name}`}`;
  const targetOf = (target: Target): Target => (name === OURS ? target : null);
  const rate = { what, unit: "/s", values: rates[figureKey(figures)] ?? [], target: targetOf(setting.rate) } as const;
  const oneWorld = { name: "in one world", values: rates[figureKey({ name, setting: ONE_WORLD })] ?? [] };
  const waits = figures.waits.slice(1);
  const loops = figures.loops.slice(1).filter((delay) => delay !== null);
  const loop = "… its event loop's delay, 99th percentile";
  return [
    { ...(setting === ONE_WORLD ? plainRow(rate) : ratioRow({ ...rate, reference: oneWorld })), against },
    plainRow({
      what: "… somebody else's `/__health` meanwhile, 95th percentile",
      unit: "ms",
      values: waits.map(p95),
      target: null,
      note: `${setting.text}: median ${median(waits.flat()).toFixed(1)} ms, the longest ${Math.max(...waits.flat()).toFixed(0)} ms`,
    }),
    loops.length === 0
      ? unmeasuredRow(loop, `${name} does not tell it`)
      : plainRow({ what: loop, unit: "ms", values: loops, target: targetOf(setting.loop) }),
  ];
};

/** Starts a service that reports its event loop's delay, unless the commit cannot. */
const startMeasured = (bench: Bench, data: string, entry: string): Promise<Service> =>
  startService(bench, data, entry, ["--metrics", "on"]).catch(() => startService(bench, data, entry));

/** Compares writers in one world and in many: throughput, and another client's response time. */
export const measureWorldsAtOnce = async (bench: Bench): Promise<Row[]> => {
  const { repetitions, seconds } = loadPace(bench);
  const all: MeasuredService[] = [];
  const figures: Figures[] = [];
  const variants: Record<string, () => Promise<number>> = {};
  for (const [index, { name, entry }] of [{ name: OURS, entry: bench.service }, ...bench.others].entries()) {
    const data = `at-once-${index}`;
    const service = await startMeasured(bench, data, entry);
    const measured = { name, data, service, responseCounts: new Map<string, number>() };
    all.push(measured);
    const job = await jobMaker(service);
    const bystander = [programPath("bystander"), `${service.base}/__health`, String(seconds)];
    for (const setting of settings) {
      for (const world of setting.worlds) await keepAll(service, world);
      const one: Figures = { name, setting, waits: [], loops: [] };
      figures.push(one);
      variants[figureKey(one)] = async () => {
        await loopDelay(service);
        const child = bench.processes.spawn(process.execPath, bystander, { stdio: ["ignore", "pipe", "inherit"] });
        const waited = firstLine<number[]>(child);
        const rate = await writeUntil(waited, measured, setting, job);
        one.loops.push(await loopDelay(service));
        one.waits.push(await waited);
        return rate;
      };
    }
  }
  const rates = await interleave(repetitions, variants);
  for (const { service } of all) await service.stop();
  const againstIn = (setting: Setting): Comparison[] =>
    bench.others.map(({ name }) =>
      compareCommits(name, rates[figureKey({ name: OURS, setting })] ?? [], rates[figureKey({ name, setting })] ?? []),
    );
  const rows = figures.flatMap((one) => settingRows(one, rates, one.name === OURS ? againstIn(one.setting) : []));
  const worlds = settings.flatMap((setting) => setting.worlds);
  return [...rows, ...all.map((measured) => measureRecords(bench, measured, worlds))];
};
