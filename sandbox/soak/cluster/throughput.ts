import { execFileSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { interleave, median } from "../../bench/statistics.ts";
import { findPostgres } from "../../testing/debian.ts";
import { CommandProcess } from "../../testing/process.ts";
import { PRIMARY } from "./databases.ts";
import { Inserts } from "./inserts.ts";
import { Machine } from "./machines.ts";
import { NOTICED_MS, Stage, type StagePlan } from "./stage.ts";

const ROUNDS = 3;
const LOAD_MS = 5_000;
const CALLERS = 32;
const PORT = 4026;
const ASK_EVERY_MS = 50;
/** Worlds of a node that is killed. */
const SMALL = { worlds: 100, jobs: 1, isLarge: false };
/** 5 MB each. */
const LARGE = { worlds: 24, jobs: 150, isLarge: true };
/** 10,000 inserts whose growth on disk is measured, and the time until autovacuum has been by, in milliseconds. */
const GROWTH = { worlds: 16, jobs: 625, restMs: 30_000 };

interface ThroughputPlan extends StagePlan {
  readonly say: (line: string) => void;
}

/** Measures what several nodes cost: inserts, a client that alternates, worlds of a killed node, and disk. */
export class Throughput {
  readonly #plan: ThroughputPlan;
  readonly #stage: Stage;
  readonly #single: Machine;
  readonly #rows: string[] = [];
  #alone: CommandProcess | null = null;
  #running = 0;

  constructor(plan: ThroughputPlan) {
    this.#plan = plan;
    this.#stage = new Stage(plan);
    this.#single = new Machine("single", 40, plan.folder, {
      isApart: plan.isApart,
      hasSmallDisk: false,
      hasOwnClock: false,
    });
  }

  async run(): Promise<void> {
    const { baseUrl } = await this.#stage.start(0);
    const { front, folder, through } = this.#single;
    const options = ["--host", front, "--port", String(PORT), "--data", path.join(folder, "data"), "--log", "silent"];
    this.#alone = new CommandProcess(options, {}, this.#plan.service, through);
    const ready = await this.#alone.ready();
    const inserts = await Inserts.of(ready);
    const [first] = this.#stage.nodes;
    const load = async (base: string, callers: number): Promise<number> => {
      const perSecond = await inserts.perSecond(base, callers, LOAD_MS);
      this.#plan.say(`${callers} callers, ${this.#running} nodes: ${perSecond.toFixed(0)} inserts a second`);
      return perSecond;
    };
    const together = async (nodes: number): Promise<number> => {
      await this.#have(nodes);
      return load(baseUrl, CALLERS);
    };
    const measured = await interleave(ROUNDS, {
      alone: async () => {
        await this.#have(0);
        return 1_000 / (await load(ready.base_url, 1));
      },
      node: async () => {
        await this.#have(1);
        return 1_000 / (await load(`http://${first?.address}`, 1));
      },
      one: () => together(1),
      two: () => together(2),
      three: () => together(3),
      alternating: () => this.#alternate(inserts),
    });
    this.#row("a lone insert on one machine", "ms", measured.alone);
    this.#row("a lone insert on a node of several", "ms", measured.node);
    this.#row(`inserts of ${CALLERS} callers, each in a world of its own, one node`, "/s", measured.one);
    this.#row("… two nodes", "/s", measured.two);
    this.#row("… three nodes", "/s", measured.three);
    this.#row("inserts of a client that alternates over two nodes", "/s", measured.alternating);
    const growth: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) growth.push(await this.#grow(inserts, baseUrl));
    this.#row(
      `10,000 inserts of ${GROWTH.worlds} callers: what the database has grown half a minute later`,
      "MB",
      growth,
    );
    for (const plan of [SMALL, LARGE]) {
      const times: number[][] = [];
      for (let round = 0; round < ROUNDS; round += 1) times.push(await this.#loseNode(inserts, baseUrl, plan));
      const size = plan.isLarge ? "worlds of 5 MB" : "small worlds";
      this.#row(`a node killed with ${plan.worlds} ${size}: the first answers elsewhere after`, "s", pick(times, 0));
      this.#row("… half of them", "s", pick(times, 0.5));
      this.#row("… the last", "s", pick(times, 1));
    }
  }

  #row(what: string, unit: string, values: readonly number[]): void {
    const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(1));
    this.#rows.push(`| ${what} | ${median(values).toFixed(1)} ${unit} | ${least} – ${most} |`);
    this.#plan.say(`${what}: ${median(values).toFixed(1)} ${unit}`);
  }

  /** Starts or stops nodes until this many run. */
  async #have(count: number): Promise<void> {
    const { nodes } = this.#stage;
    if (count === this.#running) return;
    for (const node of nodes.slice(count, this.#running)) await node.stop("SIGTERM");
    for (const node of nodes.slice(this.#running, count)) await node.start();
    this.#running = count;
    await sleep(NOTICED_MS);
  }

  /** One client sends its calls to two nodes in turn, one after the other. @returns inserts per second */
  async #alternate(inserts: Inserts): Promise<number> {
    await this.#have(2);
    const pools = this.#stage.nodes.slice(0, 2).map(({ address }) => new Pool(`http://${address}`));
    const [world = ""] = inserts.newWorlds(1);
    const startedAt = performance.now();
    let inserted = 0;
    for (; performance.now() - startedAt < LOAD_MS; inserted += 1)
      await inserts.insert(pools[inserted % 2] as Pool, world, inserted);
    const perSecond = (inserted * 1_000) / (performance.now() - startedAt);
    for (const pool of pools) await pool.close();
    return perSecond;
  }

  /** Kills the node of these worlds, and starts it again. @returns the seconds until each answered at another, ascending */
  async #loseNode(inserts: Inserts, balancer: string, { worlds, jobs, isLarge }: typeof SMALL): Promise<number[]> {
    await this.#have(3);
    const [lost] = this.#stage.nodes;
    const filled = await inserts.fill(`http://${lost?.address}`, worlds, jobs, isLarge);
    const pool = new Pool(balancer, { connections: worlds });
    const killedAt = performance.now();
    await lost?.stop("SIGKILL");
    const answered = filled.map(async (world) => {
      for (;;) {
        const isAnswered = await inserts.read(pool, world).then(
          () => true,
          () => false,
        );
        if (isAnswered) return (performance.now() - killedAt) / 1_000;
        await sleep(ASK_EVERY_MS);
      }
    });
    const times = (await Promise.all(answered)).toSorted((a, b) => a - b);
    await pool.close();
    await lost?.start();
    await sleep(NOTICED_MS);
    return times;
  }

  /** @returns megabytes that the database has grown by some inserts */
  async #grow(inserts: Inserts, balancer: string): Promise<number> {
    await this.#have(3);
    const before = databaseMegabytes();
    await inserts.fill(balancer, GROWTH.worlds, GROWTH.jobs, false);
    await sleep(GROWTH.restMs);
    return databaseMegabytes() - before;
  }

  async end(): Promise<void> {
    await this.#alone?.kill("SIGKILL");
    await this.#stage.end();
  }

  report(): string {
    const note =
      "All nodes, the database and the callers share the processors of this machine: this shows what several nodes cost, not how they scale.";
    return ["| what | measured | range |\n|---|---|---|", ...this.#rows, "", note].join("\n");
  }
}

/** The value at this part of each ascending list. */
const pick = (lists: readonly (readonly number[])[], part: number): number[] =>
  lists.map((list) => list[Math.round(part * (list.length - 1))] ?? Number.NaN);

const databaseMegabytes = (): number => {
  const options = ["--no-psqlrc", "--tuples-only", "--host", PRIMARY.host, "--port", String(PRIMARY.port)];
  const query = ["--username", "postgres", "--command", "select pg_database_size('postgres')"];
  const psql = path.join(findPostgres() ?? "", "psql");
  return Number(execFileSync(psql, [...options, ...query], { encoding: "utf8" })) / 1_000_000;
};
