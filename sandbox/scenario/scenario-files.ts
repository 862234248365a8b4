import fs from "node:fs";
import path from "node:path";
import { LARGEST_SCENARIO_BYTES, type ScenarioRow } from "../contract/control/scenario-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { Scenario } from "../contract/scenario.ts";
import { syncFile, syncFolder } from "../storage/sync.ts";
import { BadScenarioError, checkScenario } from "./read-scenario.ts";

/** A scenario with its row. */
export interface KeptScenario {
  readonly row: ScenarioRow;
  /** Null: its file is no scenario any more. */
  readonly scenario: Scenario | null;
}

/** What may be replaced. */
interface Saving {
  readonly replace: boolean;
  /** Only the one that was saved then; null: whichever is there. */
  readonly savedAt: string | null;
}

const FILE = /^([a-z0-9][a-z0-9-]{0,63})\.json$/;
const MOST = 500;
const MEBIBYTES = LARGEST_SCENARIO_BYTES / 1024 / 1024;

const shipped = async (): Promise<ReadonlyMap<string, Scenario>> => (await import("./shipped.ts")).shippedScenarios;

const rowOf = (name: string, scenario: Scenario, saved_at: Date | null): ScenarioRow => ({
  name,
  source: saved_at ? "own" : "shipped",
  title: scenario.name,
  about: scenario.about ?? null,
  steps: scenario.steps.length,
  notes: (scenario.notes ?? scenario.recorded?.notes ?? []).length,
  reproduction: scenario.start !== undefined,
  saved_at: saved_at?.toISOString() ?? null,
  problem: null,
});

/**
 * The scenarios of a service: those that ship with it, and a folder of files that people saved. A file gets its name
 * when all of it is written.
 */
export class ScenarioFiles {
  readonly #folder: string;
  readonly #durable: boolean;
  /** What is known of a file that has not changed since. */
  readonly #rows = new Map<string, { readonly mark: string; readonly row: ScenarioRow }>();

  /** @param durable whether a scenario is on disk when it is saved */
  constructor(folder: string, durable: boolean) {
    this.#folder = folder;
    this.#durable = durable;
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }

  #names(): string[] {
    if (!fs.existsSync(this.#folder)) return [];
    return fs.readdirSync(this.#folder).flatMap((file) => FILE.exec(file)?.[1] ?? []);
  }

  /** Shipped ones first, then saved ones, each by name. */
  async list(): Promise<ScenarioRow[]> {
    const ours = [...(await shipped())].map(([name, scenario]) => rowOf(name, scenario, null));
    const names = new Set(ours.map(({ name }) => name));
    const saved = this.#names().filter((name) => !names.has(name));
    return [...ours, ...saved.toSorted().flatMap((name) => this.#ownRow(name) ?? [])];
  }

  async get(name: string): Promise<KeptScenario | undefined> {
    const scenario = (await shipped()).get(name);
    return scenario ? { row: rowOf(name, scenario, null), scenario } : this.#own(name);
  }

  #own(name: string): KeptScenario | undefined {
    const file = this.#fileOf(name);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    const kept = readOwn(name, file, stat);
    this.#rows.set(name, { mark: markOf(stat), row: kept.row });
    return kept;
  }

  #ownRow(name: string): ScenarioRow | undefined {
    const stat = fs.statSync(this.#fileOf(name), { throwIfNoEntry: false });
    const known = this.#rows.get(name);
    return stat && known?.mark === markOf(stat) ? known.row : this.#own(name)?.row;
  }

  /** Keeps one. @returns what it is, or why it is refused */
  async save(name: string, value: unknown, { replace, savedAt }: Saving): Promise<ScenarioRow | Refusal> {
    if ((await shipped()).has(name))
      return refuse("unprocessable", `/name ${name} is a scenario that ships with this service; choose another name`);
    let scenario: Scenario;
    try {
      scenario = checkScenario(value);
    } catch (error) {
      if (!(error instanceof BadScenarioError)) throw error;
      return refuse("bad_request", `/scenario is none: ${error.message}`);
    }
    const there = fs.statSync(this.#fileOf(name), { throwIfNoEntry: false });
    if (savedAt !== null && there?.mtime.toISOString() !== new Date(savedAt).toISOString())
      return refuse(
        "unprocessable",
        `/if_saved_at ${name} was ${there ? "changed" : "deleted"} meanwhile, and nothing was replaced`,
      );
    if (there && !replace)
      return refuse("unprocessable", `/name ${name} is there already; send replace: true, or choose another name`);
    if (!there && this.#names().length >= MOST)
      return refuse("unprocessable", `${MOST} scenarios are saved, which is the most there may be; delete one first`);
    const text = `${JSON.stringify(scenario, null, 2)}\n`;
    if (Buffer.byteLength(text) > LARGEST_SCENARIO_BYTES)
      return refuse("bad_request", `/scenario is larger than ${MEBIBYTES} MiB`);
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(name);
    const unfinished = `${file}.${process.pid}.new`;
    try {
      fs.writeFileSync(unfinished, text, { mode: 0o600 });
      if (this.#durable) syncFile(unfinished);
      fs.renameSync(unfinished, file);
      if (this.#durable) syncFolder(this.#folder);
    } finally {
      fs.rmSync(unfinished, { force: true });
    }
    return rowOf(name, scenario, fs.statSync(file).mtime);
  }

  /** Forgets every one that was saved. @returns how many there were */
  deleteAll(): number {
    const { length } = this.#names();
    fs.rmSync(this.#folder, { recursive: true, force: true });
    this.#rows.clear();
    return length;
  }

  /** @returns whether there was one, or why it is refused */
  async delete(name: string): Promise<boolean | Refusal> {
    if ((await shipped()).has(name))
      return refuse("unprocessable", `/name ${name} is a scenario that ships with this service; it stays`);
    if (!fs.existsSync(this.#fileOf(name))) return false;
    fs.rmSync(this.#fileOf(name));
    this.#rows.delete(name);
    return true;
  }
}

const markOf = ({ mtimeMs, size }: fs.Stats): string => `${mtimeMs} ${size}`;

/** What a file in the folder says; somebody may have changed it. */
const readOwn = (name: string, file: string, { size, mtime }: fs.Stats): KeptScenario => {
  try {
    if (size > LARGEST_SCENARIO_BYTES) throw new BadScenarioError(`it is larger than ${MEBIBYTES} MiB`);
    const scenario = checkScenario(parsed(fs.readFileSync(file, "utf8")));
    return { row: rowOf(name, scenario, mtime), scenario };
  } catch (error) {
    const problem = error instanceof BadScenarioError ? error.message : `it cannot be read (${String(error)})`;
    const none = { title: name, about: null, steps: 0, notes: 0, reproduction: false };
    return {
      row: { name, source: "own", ...none, saved_at: mtime.toISOString(), problem: `This is no scenario: ${problem}` },
      scenario: null,
    };
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadScenarioError("it is not JSON: it breaks off or goes wrong");
  }
};
