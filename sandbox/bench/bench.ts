import path from "node:path";
import type { LoadGeneratorCalls } from "./actors/load-generator.ts";
import type { LoadOrder, LoadResult } from "./load/load-order.ts";
import type { Pace } from "./pace.ts";
import { Actor } from "./processes/actor.ts";
import type { Children } from "./processes/children.ts";

/** The file of a process of the bench. */
export const actorFile = (name: string): string => path.join(import.meta.dirname, "actors", `${name}.ts`);

const BLOCK = 10_000_000;
const BUSY = 0.95;

/** What every group of rows measures with. */
export class Bench {
  /** The built service's entry. */
  readonly service: string;
  /** Where data folders go; removed at the end. */
  readonly folder: string;
  readonly pace: Pace;
  readonly children: Children;
  readonly say: (line: string) => void;
  /** The browser's program; null: Playwright's own. */
  readonly chromium: string | null;
  readonly #load: Actor<LoadGeneratorCalls>;
  #blocks = 0;

  constructor(options: Pick<Bench, "service" | "folder" | "pace" | "children" | "say" | "chromium">) {
    this.service = options.service;
    this.folder = options.folder;
    this.pace = options.pace;
    this.children = options.children;
    this.say = options.say;
    this.chromium = options.chromium;
    this.#load = new Actor<LoadGeneratorCalls>(options.children, actorFile("load-generator"));
  }

  /** Where to count from, so that no number is used twice in a run. */
  newNumbers(): number {
    this.#blocks += 1;
    return this.#blocks * BLOCK;
  }

  /** Runs a load in the load's own process. @throws when an answer is not the expected one */
  async load(order: LoadOrder): Promise<LoadResult> {
    const result = await this.#load.call("run", order);
    if (result.processor > BUSY && order.measureMs >= 1_000) {
      this.say(`  the load itself took ${Math.round(result.processor * 100)} % of a processor`);
    }
    return result;
  }
}
