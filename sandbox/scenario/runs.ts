import { randomUUID } from "node:crypto";
import type { RequestOrigin } from "../contract/control/rows.ts";
import {
  endedStates,
  type Run,
  type RunMode,
  type RunRow,
  type RunStep,
  type WorldsAfter,
} from "../contract/control/scenario-operations.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { Scenario, Step } from "../contract/scenario.ts";
import { differenceFrom } from "../rules/scenario-match.ts";
import type { StepResult } from "./report.ts";
import { type ChangedPolicies, credentialOf, ScenarioRun } from "./run-scenario.ts";
import { type Reached, ScenarioClient, UnreachableError } from "./scenario-client.ts";

/** A call that reached the service, or an act of its control plane, as far as a run by hand looks at it. */
export interface SeenCall {
  readonly world: string;
  /** Of the control plane, or of partners. */
  readonly control: boolean;
  /** It only looked at what the control plane knows, as every screen does. */
  readonly reads: boolean;
  readonly operation: string | null;
  readonly method: string;
  /** Without what is asked behind `?`. */
  readonly path: string;
  /** The integration it names, known or not. */
  readonly integration_id: string | null;
  /** What was sent to the control plane. */
  readonly body?: unknown;
  readonly reached: Reached;
  readonly origin: RequestOrigin;
  /** Null: it is on no record. */
  readonly trace_id: string | null;
}

/** How a run is to be. */
export interface Asked {
  readonly name: string | null;
  readonly scenario: Scenario;
  readonly mode: RunMode;
  readonly inWorld: string | null;
  readonly policies: ChangedPolicies | null;
  /** The world they were taken of. */
  readonly policiesOf: string | null;
  readonly worldsAfter: WorldsAfter;
}

/** Where the service is, once it listens. */
export interface ServiceAt {
  readonly baseUrl: () => string;
  readonly address: () => string;
  readonly token: string;
  readonly hasWorld: (name: string) => boolean;
}

const MOST_KEPT = 20;
const MOST_AT_ONCE = 2;
const MOST_OTHERS = 5;
/** How often a step about deliveries looks by itself, at first and after a minute. */
const LOOK_MS = 200;
const LOOK_LATER_MS = 2_000;
const SOON_MS = 60_000;

const now = (): string => new Date().toISOString();

/** One run of a scenario, under way or over. */
class OneRun {
  readonly id = randomUUID();
  readonly #asked: Asked;
  readonly #run: ScenarioRun;
  readonly #hasWorld: ServiceAt["hasWorld"];
  readonly #ending = new AbortController();
  readonly #results = new Map<number, RunStep>();
  readonly #startedAt = now();
  #endedAt: string | null = null;
  #state: RunRow["state"] = "queued";
  #problem: string | null = null;
  #others: Run["others"] = [];
  #keepWorlds: boolean | null = null;
  /** Its world is being made, or was. */
  #isBegun = false;
  /** Its world is as the first step expects it. */
  #isReady = false;
  #ends = false;
  readonly #over = Promise.withResolvers<void>();
  /** By hand: acts one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #looking: NodeJS.Timeout | null = null;
  #waitsSince = 0;

  constructor(asked: Asked, client: ScenarioClient, hasWorld: ServiceAt["hasWorld"]) {
    this.#asked = asked;
    this.#hasWorld = hasWorld;
    const { scenario, inWorld, policies } = asked;
    this.#run = new ScenarioRun(client, scenario, {
      signal: this.#ending.signal,
      ...(inWorld === null ? {} : { world: inWorld }),
      ...(policies === null ? {} : { policies }),
    });
  }

  get ended(): boolean {
    return endedStates.includes(this.#state);
  }

  get byHand(): boolean {
    return this.#asked.mode === "by_hand";
  }

  /** The index of the first step that did not hold. */
  get #next(): number {
    const { steps } = this.#asked.scenario;
    const index = steps.findIndex((_, at) => this.#results.get(at + 1)?.outcome !== "held");
    return index === -1 ? steps.length : index;
  }

  #isDone(): boolean {
    return this.#next === this.#asked.scenario.steps.length;
  }

  row(): RunRow {
    const { name, scenario, mode, policies, inWorld } = this.#asked;
    const results = [...this.#results.values()];
    return {
      ...{ id: this.id, name, title: scenario.name, mode, state: this.#state, policies },
      world: this.#isBegun ? this.#run.world : null,
      ...{ in_world: inWorld, policies_of: this.#asked.policiesOf },
      worlds: this.#run.ownWorlds.filter(this.#hasWorld),
      started_at: this.#startedAt,
      ended_at: this.#endedAt,
      steps: scenario.steps.length,
      held: results.filter(({ outcome }) => outcome === "held").length,
      differs_at: results.find(({ outcome }) => outcome === "differs")?.number ?? null,
      problem: this.#problem,
    };
  }

  whole(): Run {
    const { start: _, ...scenario } = this.#asked.scenario;
    return {
      ...this.row(),
      results: [...this.#results.values()].toSorted((one, other) => one.number - other.number),
      others: this.#others,
      next: this.#nextStep(),
      scenario,
    };
  }

  #nextStep(): Run["next"] {
    const written = this.#asked.scenario.steps[this.#next];
    if (!this.byHand || this.ended || !this.#isReady || !written) return null;
    const number = this.#next + 1;
    const step = this.#run.resolved(this.#next);
    const world = this.#run.worldOf(written);
    if ("problem" in step) return { number, world, step: written, credential: null, problem: step.problem };
    const credential = step.call ? credentialOf(step, (name) => this.#run.value(name)) : null;
    return { number, world, step, credential, problem: null };
  }

  #keep(result: StepResult, by: RequestOrigin, trace_id = result.verdict.trace_id ?? null): void {
    const { number, step, verdict, seconds } = result;
    this.#results.set(number, {
      ...{ number, outcome: verdict.outcome, detail: verdict.detail, seconds, at: now(), by, trace_id },
      world: this.#run.worldOf(step),
      difference: verdict.difference ?? null,
      answer: verdict.answer ?? null,
      explained: [...(verdict.explained ?? [])],
    });
  }

  /** Runs all steps, or makes ready for the first. Never fails: what goes wrong is what became of the run. */
  async begin(): Promise<void> {
    if (this.#state !== "queued") return;
    this.#state = "running";
    this.#isBegun = true;
    try {
      await this.#run.prepare();
      this.#ending.signal.throwIfAborted();
      this.#isReady = true;
      if (this.byHand) this.#wait();
      else await this.#all();
    } catch (error) {
      await this.#failed(error);
    }
  }

  async #all(): Promise<void> {
    while (!this.#isDone()) {
      const result = await this.#run.make(this.#next);
      this.#keep(result, "scenario");
      if (result.verdict.outcome !== "held") return this.#end("differs");
    }
    await this.#end("held");
  }

  async #failed(error: unknown): Promise<void> {
    if (this.#ending.signal.aborted) return this.#end("stopped");
    this.#problem = error instanceof UnreachableError ? error.message : `It could not be run: ${String(error)}`;
    await this.#end("failed");
  }

  async #end(state: RunRow["state"]): Promise<void> {
    if (this.#ends) return;
    this.#ends = true;
    if (this.#looking) clearTimeout(this.#looking);
    const { worldsAfter } = this.#asked;
    const came = state === "stopped" && this.#isDifferent() ? "differs" : state;
    const keep = came === "differs" ? worldsAfter !== "deleted" : worldsAfter === "kept" && came !== "stopped";
    await this.cleanUp(this.#keepWorlds ?? keep);
    this.#state = came;
    this.#endedAt = now();
    this.#over.resolve();
  }

  /** Whether a step did not hold. Deliveries that did not come yet are no difference. */
  #isDifferent(): boolean {
    const { steps } = this.#asked.scenario;
    return [...this.#results.values()].some(
      ({ outcome, number }) => outcome === "differs" && !steps[number - 1]?.deliveries,
    );
  }

  /** A service that does not answer any more has nothing to be cleaned. */
  async cleanUp(keepWorlds: boolean): Promise<void> {
    await this.#run.cleanUp(keepWorlds).catch(() => undefined);
  }

  /** By hand: waits for the next step, or is over. */
  #wait(): void {
    this.#state = "waiting";
    this.#waitsSince = Date.now();
    this.#look();
  }

  /** A step about deliveries looks by itself, until it holds. */
  #look(): void {
    if (this.#looking) clearTimeout(this.#looking);
    if (!this.#asked.scenario.steps[this.#next]?.deliveries) return;
    const pause = Date.now() - this.#waitsSince < SOON_MS ? LOOK_MS : LOOK_LATER_MS;
    this.#looking = setTimeout(() => {
      void this.#inTurn(async () => {
        const index = this.#next;
        if (!this.#asked.scenario.steps[index]?.deliveries) return;
        this.#keep(await this.#run.make(index, true), "scenario");
        if (this.#next === index) this.#look();
      });
    }, pause);
    this.#looking.unref();
  }

  /** By hand: without its world nothing goes on, and a call would make another of that name. */
  async endIfLost(): Promise<void> {
    const { world } = this.#run;
    if (this.#state !== "waiting" || this.#ends || this.#hasWorld(world)) return;
    this.#problem = `Its world ${world} was deleted meanwhile. Begin another run.`;
    await this.#end("failed");
  }

  /** Does something when what was begun before is done, as long as the run waits for steps. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      await this.endIfLost();
      if (this.#state !== "waiting" || this.#ends || this.#ending.signal.aborted) return;
      const before = this.#next;
      try {
        await act();
        if (this.#isDone()) await this.#end("held");
        else if (this.#next !== before) this.#wait();
      } catch (error) {
        await this.#failed(error);
      }
    });
    return this.#turn;
  }

  /** By hand: makes the steps up to one. @param to its number; null: the next step alone */
  step(to: number | null): Promise<void> {
    return this.#inTurn(async () => {
      const last = to ?? this.#next + 1;
      this.#state = "running";
      while (this.#next < Math.min(last, this.#asked.scenario.steps.length)) {
        const result = await this.#run.make(this.#next);
        this.#keep(result, "scenario");
        if (result.verdict.outcome !== "held") break;
      }
      this.#wait();
    });
  }

  /** By hand: a call that reached a world of this run is its next step, or is shown beside it. */
  called(call: SeenCall): void {
    if (!this.byHand || this.ended || !this.#isIn(call.world)) return;
    void this.#inTurn(async () => {
      const step = this.#run.resolved(this.#next);
      const what = call.operation ?? `${call.method} ${call.path}`;
      if (!("problem" in step) && this.#isStep(step, call)) {
        this.#keep(await this.#run.judge(this.#next, what, call.reached), call.origin, call.trace_id);
        return;
      }
      if (call.reads) return;
      const { origin, trace_id, reached } = call;
      const other = { what, status: reached.status, by: origin, at: now(), trace_id };
      this.#others = [other, ...this.#others].slice(0, MOST_OTHERS);
    });
  }

  #isIn(world: string): boolean {
    return world === this.#run.world || this.#run.ownWorlds.includes(world);
  }

  #isStep(step: Step, call: SeenCall): boolean {
    if (this.#run.worldOf(step) !== call.world) return false;
    if (step.control)
      return (
        call.control &&
        step.control.operation === call.operation &&
        differenceFrom(step.control.body ?? {}, call.body) === null
      );
    if (!step.call || call.control) return false;
    const { operation, route, method = "POST" } = step.call;
    const declared = partnerOperations.find(({ id }) => id === operation);
    const same = declared ? call.operation === declared.id : call.path === route && call.method === method;
    const anybody = declared?.scope === "none";
    return same && (anybody || credentialOf(step, (name) => this.#run.value(name)) === call.integration_id);
  }

  /** Ends it; of a run that ended, the worlds it left. @param keepWorlds null: as it was asked for at its start */
  async stop(keepWorlds: boolean | null): Promise<void> {
    if (this.ended) {
      if (keepWorlds !== true) await this.cleanUp(false);
      return;
    }
    this.#keepWorlds = keepWorlds;
    const waits = this.#state === "waiting" || this.#state === "queued";
    this.#ending.abort(new Error("The run was stopped."));
    if (waits) await this.#end("stopped");
    await this.#over.promise;
  }
}

/** The runs of scenarios that somebody asked this service for. They are in memory alone. */
export class Runs {
  readonly #at: ServiceAt;
  /** Oldest first. */
  readonly #runs = new Map<string, OneRun>();
  readonly #queue: OneRun[] = [];
  readonly #underWay = new Set<Promise<void>>();

  constructor(at: ServiceAt) {
    this.#at = at;
  }

  /** Begins a run, or has it wait for others. */
  start(asked: Asked): Run {
    const { baseUrl, address, token, hasWorld } = this.#at;
    const run = new OneRun(asked, new ScenarioClient(baseUrl(), token, "scenario", address()), hasWorld);
    this.#runs.set(run.id, run);
    for (const [id, one] of this.#runs) {
      if (this.#runs.size <= MOST_KEPT) break;
      if (one.ended) this.#runs.delete(id);
    }
    this.#queue.push(run);
    this.#goOn();
    return run.whole();
  }

  /** Whether so many go on that no other is begun. */
  get full(): boolean {
    return [...this.#runs.values()].filter(({ ended }) => !ended).length >= MOST_KEPT;
  }

  #goOn(): void {
    while (this.#underWay.size < MOST_AT_ONCE) {
      const run = this.#queue.shift();
      if (!run) return;
      const began = run.begin().finally(() => {
        this.#underWay.delete(began);
        this.#goOn();
      });
      this.#underWay.add(began);
    }
  }

  /** Newest first. */
  async list(): Promise<RunRow[]> {
    for (const run of this.#runs.values()) await run.endIfLost();
    return [...this.#runs.values()].map((run) => run.row()).toReversed();
  }

  async get(id: string): Promise<Run | undefined> {
    const run = this.#runs.get(id);
    await run?.endIfLost();
    return run?.whole();
  }

  /** By hand: makes steps. @returns the run after them; null: it does not wait for any */
  async step(id: string, to: number | null): Promise<Run | null | undefined> {
    const run = this.#runs.get(id);
    if (!run) return undefined;
    await run.endIfLost();
    if (!run.byHand || run.ended) return null;
    await run.step(to);
    return run.whole();
  }

  async stop(id: string, keepWorlds: boolean | null): Promise<Run | undefined> {
    const run = this.#runs.get(id);
    await run?.stop(keepWorlds);
    return run?.whole();
  }

  /** Whether somebody runs a scenario by hand: then calls are looked at. */
  get watching(): boolean {
    for (const run of this.#runs.values()) if (run.byHand && !run.ended) return true;
    return false;
  }

  /** A call was answered. What runs call themselves is none of it. */
  called(call: SeenCall): void {
    if (call.origin === "scenario") return;
    for (const run of this.#runs.values()) run.called(call);
  }

  /** Ends what goes on, and keeps none of what ended. */
  async forget(): Promise<void> {
    await this.close();
    this.#runs.clear();
  }

  /** Ends what goes on, and leaves none of its worlds behind. */
  async close(): Promise<void> {
    this.#queue.length = 0;
    await Promise.all([...this.#runs.values()].map((run) => (run.ended ? undefined : run.stop(false))));
  }
}
