import { execFileSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { interleave, median } from "../../bench/statistics.ts";
import { findPostgres } from "../../testing/debian.ts";
import { FarProxy } from "../../testing/far-proxy.ts";
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
/** 10,000 inserts. */
const GROWTH = { worlds: 16, jobs: 625 };
/** How often they are made in a row: long enough that autovacuum, which comes by once a minute, has cleared old rows. */
const GROWTH_ROUNDS = 8;
/** Distance of a far database, and calls to a node that uses it. */
const FAR = { oneWayMs: 150, calls: 20 };

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
    // First, because what others leave behind is room for what is measured.
    await this.#grow(inserts, baseUrl);
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
    const far = await this.#measureFar(inserts);
    this.#row(`a lone insert, a database ${FAR.oneWayMs} ms away one way`, "ms", far.inserts);
    this.#row("… a read", "ms", far.reads);
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

  /** @returns the times of calls of one client to a node far from the database, in milliseconds */
  async #measureFar(inserts: Inserts): Promise<{ readonly inserts: number[]; readonly reads: number[] }> {
    await this.#have(0);
    const [node] = this.#stage.nodes;
    if (!node) throw new Error("There is no node.");
    const proxy = await FarProxy.start(PRIMARY, { ...PRIMARY, port: 0 }, FAR.oneWayMs);
    node.databasePort = proxy.port;
    await this.#have(1);
    const pool = new Pool(`http://${node.address}`);
    const [world = ""] = inserts.newWorlds(1);
    await inserts.insert(pool, world, 0);
    const timed = async (call: (number: number) => Promise<void>): Promise<number[]> => {
      const times: number[] = [];
      for (let number = 1; number <= FAR.calls; number += 1) {
        const startedAt = performance.now();
        await call(number);
        times.push(performance.now() - startedAt);
      }
      return times;
    };
    const measured = {
      inserts: await timed((number) => inserts.insert(pool, world, number)),
      reads: await timed(() => inserts.read(pool, world)),
    };
    await pool.close();
    await this.#have(0);
    proxy.stop();
    node.databasePort = PRIMARY.port;
    return measured;
  }

  /**
   * Makes 10,000 inserts again and again, without a rest. What they add depends on when autovacuum comes by, so only the
   * size at which the database stops growing says what an operator needs.
   */
  async #grow(inserts: Inserts, balancer: string): Promise<void> {
    await this.#have(3);
    const sizes: number[] = [];
    const startedAt = performance.now();
    for (let round = 0; round < GROWTH_ROUNDS; round += 1) {
      await inserts.fill(balancer, GROWTH.worlds, GROWTH.jobs, false);
      sizes.push(askMegabytes("pg_database_size('postgres')"));
      this.#plan.say(`${round + 1} times 10,000 inserts: the database has ${sizes.at(-1)?.toFixed(0)} MB`);
    }
    const perSecond = (GROWTH_ROUNDS * GROWTH.worlds * GROWTH.jobs * 1_000) / (performance.now() - startedAt);
    const needed = "(select sum(length(bytes)) from sandbox_blobs) + (select sum(length(pages)) from sandbox_log)";
    this.#row(`10,000 inserts of ${GROWTH.worlds} callers, ${GROWTH_ROUNDS} times in a row: inserts`, "/s", [
      perSecond,
    ]);
    this.#row("… size of the database after the first time", "MB", sizes.slice(0, 1));
    this.#row("… after the last three", "MB", sizes.slice(-3));
    this.#row("… of that the content of all worlds", "MB", [askMegabytes(needed)]);
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

/** @param bytes an SQL expression */
const askMegabytes = (bytes: string): number => {
  const options = ["--no-psqlrc", "--tuples-only", "--host", PRIMARY.host, "--port", String(PRIMARY.port)];
  const query = ["--username", "postgres", "--command", `select ${bytes}`];
  const psql = path.join(findPostgres() ?? "", "psql");
  return Number(execFileSync(psql, [...options, ...query], { encoding: "utf8" })) / 1_000_000;
};
