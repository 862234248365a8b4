import fs from "node:fs";
import path from "node:path";
import { MAX_SCENARIO_BYTES, type ScenarioRow } from "../contract/control/scenario-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import type { Scenario } from "../contract/scenario.ts";
import { type FileChanged, syncFile, syncFolder } from "../storage/sync.ts";
import { BadScenarioError, checkScenario, parseScenario, readJson } from "./read-scenario.ts";

const FILE = /^([a-z0-9][a-z0-9-]{0,63})\.json$/;
const MAX_SCENARIOS = 500;
const MEBIBYTES = MAX_SCENARIO_BYTES / 1024 / 1024;

const shipped = async (): Promise<ReadonlyMap<string, Scenario>> => (await import("./shipped.ts")).shippedScenarios;

const readRow = (name: string, scenario: Scenario, saved_at: Date | null): ScenarioRow => ({
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

const ships = (name: string): Refusal =>
  refuse("unprocessable", `/name ${name} is a shipped scenario; choose another name`);

/**
 * The service's scenarios: shipped ones, and a folder of saved files. A file gets its name after it is written
 * completely.
 */
export class ScenarioFiles {
  readonly #folder: string;
  readonly #durable: boolean;
  readonly #changed: FileChanged;
  /** Rows of unchanged files: parsing hundreds of files takes long. */
  readonly #rows = new Map<string, { readonly mark: string; readonly row: ScenarioRow }>();

  /** @param durable whether to sync files to disk */
  constructor(folder: string, durable: boolean, changed: FileChanged = () => undefined) {
    this.#folder = folder;
    this.#durable = durable;
    this.#changed = changed;
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
    const ours = await shipped();
    const saved = this.#names().filter((name) => !ours.has(name));
    return [
      ...Array.from(ours, ([name, scenario]) => readRow(name, scenario, null)),
      ...saved.toSorted().map((name) => this.#ownRow(name)),
    ];
  }

  /** Returns a scenario with its row, or a refusal when it's missing or invalid. */
  async get(name: string): Promise<{ readonly row: ScenarioRow; readonly scenario: Scenario } | Refusal> {
    const scenario = (await shipped()).get(name);
    if (scenario) return { row: readRow(name, scenario, null), scenario };
    const own = fs.existsSync(this.#fileOf(name)) ? this.#read(name) : undefined;
    if (!own) return refuse("not_found", `/name ${name} doesn’t exist`);
    return own.scenario ? { ...own, scenario: own.scenario } : refuse("unprocessable", own.row.problem ?? "");
  }

  /** Parses a file in the folder; users may have changed it. */
  #read(name: string): { readonly row: ScenarioRow; readonly scenario: Scenario | null } {
    const file = this.#fileOf(name);
    const { mtime } = fs.statSync(file);
    try {
      const scenario = checkScenario(readJson(file, MAX_SCENARIO_BYTES));
      return { row: readRow(name, scenario, mtime), scenario };
    } catch (error) {
      const problem = error instanceof BadScenarioError ? error.message : `it cannot be read (${String(error)})`;
      const none = { title: name, about: null, steps: 0, notes: 0, reproduction: false, source: "own" } as const;
      const saved_at = mtime.toISOString();
      return { row: { name, ...none, saved_at, problem: `Not a valid scenario: ${problem}` }, scenario: null };
    }
  }

  #ownRow(name: string): ScenarioRow {
    const { mtimeMs, size } = fs.statSync(this.#fileOf(name));
    const mark = `${mtimeMs} ${size}`;
    const known = this.#rows.get(name);
    const row = known?.mark === mark ? known.row : this.#read(name).row;
    this.#rows.set(name, { mark, row });
    return row;
  }

  /** Saves a scenario. @returns its row or a refusal */
  async save(name: string, value: unknown, replace: boolean): Promise<ScenarioRow | Refusal> {
    if ((await shipped()).has(name)) return ships(name);
    const scenario = parseScenario(value);
    if (scenario instanceof Refusal) return scenario;
    const file = this.#fileOf(name);
    const exists = fs.existsSync(file);
    if (exists && !replace)
      return refuse("unprocessable", `/name ${name} already exists; send replace: true, or choose another name`);
    if (!exists && this.#names().length >= MAX_SCENARIOS)
      return refuse("unprocessable", `the limit of ${MAX_SCENARIOS} saved scenarios is reached; delete one first`);
    const text = `${JSON.stringify(scenario, null, 2)}\n`;
    if (Buffer.byteLength(text) > MAX_SCENARIO_BYTES)
      return refuse("bad_request", `/scenario is larger than ${MEBIBYTES} MiB`);
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const unfinished = `${file}.${process.pid}.new`;
    try {
      fs.writeFileSync(unfinished, text, { mode: 0o600 });
      if (this.#durable) syncFile(unfinished);
      fs.renameSync(unfinished, file);
      if (this.#durable) syncFolder(this.#folder);
      this.#changed(file);
    } finally {
      fs.rmSync(unfinished, { force: true });
    }
    return this.#ownRow(name);
  }

  /** @returns null on success */
  async delete(name: string): Promise<Refusal | null> {
    if ((await shipped()).has(name)) return ships(name);
    if (!fs.existsSync(this.#fileOf(name))) return refuse("not_found", `/name ${name} doesn’t exist`);
    fs.rmSync(this.#fileOf(name));
    this.#changed(this.#fileOf(name));
    return null;
  }

  /** Deletes all saved scenarios. @returns their number */
  deleteAll(): number {
    const { length } = this.#names();
    fs.rmSync(this.#folder, { recursive: true, force: true });
    return length;
  }
}
