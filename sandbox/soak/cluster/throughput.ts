import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { benchHeaders, jobMaker, type MakeJob } from "../../bench/load.ts";
import { interleave, median } from "../../bench/statistics.ts";
import { operationPath } from "../../contract/operation.ts";
import { jobsInsert } from "../../contract/operations/partner.ts";
import type { ReadyLine } from "../../host/ready-line.ts";
import { CommandProcess } from "../../testing/process.ts";
import { Machine } from "./machines.ts";
import { NOTICED_MS, Stage, type StagePlan } from "./stage.ts";

const ROUNDS = 3;
const LOAD_MS = 5_000;
const CALLERS = 32;
const PORT = 4026;

interface ThroughputPlan extends StagePlan {
  readonly say: (line: string) => void;
}

/**
 * Measures the time of an insert on one machine and in a cluster, and the inserts per second on one, two and three
 * nodes.
 */
export class Throughput {
  readonly #plan: ThroughputPlan;
  readonly #stage: Stage;
  readonly #single: Machine;
  #alone: CommandProcess | null = null;
  #running = 0;
  #worlds = 0;
  #report = "";

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
    const balanced = await this.#stage.start(0);
    const { front, folder, through } = this.#single;
    const options = ["--host", front, "--port", String(PORT), "--data", path.join(folder, "data"), "--log", "silent"];
    this.#alone = new CommandProcess(options, {}, this.#plan.service, through);
    const ready = await this.#alone.ready();
    const job = await jobMaker({ ready, base: ready.base_url, pid: 0, stop: () => Promise.resolve() });
    const [first] = this.#stage.nodes;
    const measured = await interleave(ROUNDS, {
      alone: async () => {
        await this.#have(0);
        return 1_000 / (await this.#load(ready, ready.base_url, job, 1));
      },
      node: async () => {
        await this.#have(1);
        return 1_000 / (await this.#load(ready, `http://${first?.address}`, job, 1));
      },
      ...{ one: () => this.#together(1, ready, balanced.baseUrl, job) },
      ...{ two: () => this.#together(2, ready, balanced.baseUrl, job) },
      ...{ three: () => this.#together(3, ready, balanced.baseUrl, job) },
    });
    const row = (what: string, unit: string, values: readonly number[]): string => {
      const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(1));
      return `| ${what} | ${median(values).toFixed(1)} ${unit} | ${least} – ${most} |`;
    };
    this.#report = [
      "| what | measured | range |\n|---|---|---|",
      row("a lone insert on one machine", "ms", measured.alone),
      row("a lone insert on a node of several", "ms", measured.node),
      row(`inserts of ${CALLERS} callers, each in a world of its own, one node`, "/s", measured.one),
      row("… two nodes", "/s", measured.two),
      row("… three nodes", "/s", measured.three),
      "",
      "All nodes, the database and the callers share the processors of this machine: this shows what several nodes cost, not how they scale.",
    ].join("\n");
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

  async #together(nodes: number, ready: ReadyLine, base: string, job: MakeJob): Promise<number> {
    await this.#have(nodes);
    return this.#load(ready, base, job, CALLERS);
  }

  /** Each caller inserts jobs into its own world, one after the other. @returns inserts per second */
  async #load(ready: ReadyLine, base: string, job: MakeJob, callers: number): Promise<number> {
    const pool = new Pool(base, { connections: callers });
    const insert = async (world: string, number: number): Promise<void> => {
      const headers = benchHeaders({ ready, base, pid: 0, stop: () => Promise.resolve() }, jobsInsert, world);
      const body = JSON.stringify(job(number));
      const response = await pool.request({ method: "POST", path: operationPath(jobsInsert), headers, body });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`An insert was answered ${response.statusCode}: ${text}`);
    };
    const worlds = Array.from({ length: callers }, () => `load-${this.#worlds++}`);
    for (const world of worlds) await insert(world, 0);
    const startedAt = performance.now();
    let inserted = 0;
    const calling = async (world: string): Promise<void> => {
      for (let number = 1; performance.now() - startedAt < LOAD_MS; number += 1) {
        await insert(world, number);
        inserted += 1;
      }
    };
    await Promise.all(worlds.map(calling));
    const perSecond = (inserted * 1_000) / (performance.now() - startedAt);
    await pool.close();
    this.#plan.say(`${callers} callers, ${this.#running} nodes: ${perSecond.toFixed(0)} inserts a second`);
    return perSecond;
  }

  async end(): Promise<void> {
    await this.#alone?.kill("SIGKILL");
    await this.#stage.end();
  }

  report(): string {
    return this.#report;
  }
}
