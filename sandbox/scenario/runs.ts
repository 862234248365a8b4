import { randomUUID } from "node:crypto";
import type { RequestOrigin } from "../contract/control/rows.ts";
import {
  endedStates,
  type Run,
  type RunMode,
  type RunRow,
  type RunStep,
} from "../contract/control/scenario-operations.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { Scenario, Step } from "../contract/scenario.ts";
import type { Story } from "../contract/story.ts";
import { findDifference } from "../rules/scenarios/scenario-match.ts";
import { realTime } from "../storage/real-time.ts";
import type { ChangedPolicies } from "./explain-difference.ts";
import { type StepResult, stepDecision } from "./report.ts";
import { ScenarioRun } from "./run-scenario.ts";
import { type ReachedResponse, ScenarioClient, UnreachableError } from "./scenario-client.ts";
import { hasStory, Storyteller } from "./storyteller.ts";

/** A call to the service or its control plane, as a step-by-step run sees it. */
export interface SeenCall {
  readonly world: string;
  /** True if the call is a control operation. */
  readonly control: boolean;
  readonly operation: string | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The named integration, whether it exists or not. */
  readonly integration_id: string | null;
  /** Body of a control call. */
  readonly body?: unknown;
  readonly reached: ReachedResponse;
  readonly origin: RequestOrigin;
  /** Null when not recorded. */
  readonly trace_id: string | null;
}

interface RunRequest {
  readonly name: string | null;
  readonly scenario: Scenario;
  readonly mode: RunMode;
  readonly policies: ChangedPolicies;
}

/** The service's address, once it listens. */
interface ServiceAddress {
  readonly baseUrl: () => string;
  readonly address: () => string;
  readonly token: () => string;
  /** Returns whether the world must stay. */
  readonly isPinned: (world: string) => boolean;
}

const MAX_RUNS = 20;
/** How often a deliveries step checks by itself, in milliseconds. */
const CHECK_EVERY_MS = 500;

const now = (): string => new Date(realTime()).toISOString();

/** A current or finished run of a scenario. */
class OneRun {
  readonly id = randomUUID();
  readonly #request: RunRequest;
  readonly #run: ScenarioRun;
  /** Null: the scenario has no story. */
  readonly #storyteller: Storyteller | null;
  readonly #ending = new AbortController();
  readonly #results = new Map<number, RunStep>();
  readonly #startedAt = now();
  #endedAt: string | null = null;
  #state: RunRow["state"] = "running";
  #problem: string | null = null;
  /** The last queued task. */
  #turn: Promise<void>;
  #checkTimer: NodeJS.Timeout | null = null;

  constructor(request: RunRequest, client: ScenarioClient) {
    this.#request = request;
    const { scenario, policies, mode } = request;
    this.#run = new ScenarioRun(client, scenario, { signal: this.#ending.signal, policies });
    this.#storyteller = hasStory(scenario) ? new Storyteller(client, this.#run, scenario) : null;
    this.#turn = this.#inTurn(async () => {
      await this.#run.prepare();
      if (mode === "all") await this.#makeUpTo(scenario.steps.length);
    });
  }

  get ended(): boolean {
    return endedStates.includes(this.#state);
  }

  get byHand(): boolean {
    return this.#request.mode === "by_hand";
  }

  /** Index of the first step that has not passed. */
  get #next(): number {
    const { steps } = this.#request.scenario;
    const index = steps.findIndex((_, at) => this.#results.get(at + 1)?.outcome !== "held");
    return index === -1 ? steps.length : index;
  }

  row(): RunRow {
    const { name, scenario, mode, policies } = this.#request;
    const results = [...this.#results.values()];
    return {
      ...{ id: this.id, name, title: scenario.name, mode, state: this.#state, policies },
      world: this.#run.world,
      worlds: [...this.#run.ownWorlds],
      started_at: this.#startedAt,
      ended_at: this.#endedAt,
      steps: scenario.steps.length,
      held: results.filter(({ outcome }) => outcome === "held").length,
      differs_at: results.find(({ outcome }) => outcome === "differs")?.number ?? null,
      problem: this.#problem,
    };
  }

  whole(): Run {
    const { start: _, ...scenario } = this.#request.scenario;
    const results = [...this.#results.values()].toSorted((one, other) => one.number - other.number);
    return { ...this.row(), results, next: this.#nextStep(), scenario, story: this.story() };
  }

  /** Returns whether its story is open on a screen, possibly at its end. */
  get isPlayed(): boolean {
    return this.byHand && this.#storyteller !== null;
  }

  /** Returns the story so far; null when the scenario has none. */
  story(): Story | null {
    return this.#storyteller?.story() ?? null;
  }

  #nextStep(): Run["next"] {
    const written = this.#request.scenario.steps[this.#next];
    if (this.#state !== "waiting" || !written) return null;
    const number = this.#next + 1;
    const step = this.#run.resolved(this.#next);
    const world = this.#run.worldOf(written);
    if ("problem" in step) return { number, world, step: written, credential: null, problem: step.problem };
    return { number, world, step, credential: this.#run.credentialOf(step), problem: null };
  }

  #keep({ number, step, verdict, seconds }: StepResult, by: RequestOrigin, trace = verdict.trace_id ?? null): void {
    const { outcome, detail, difference = null, answer = null, explained = [] } = verdict;
    this.#results.set(number, {
      ...{ number, outcome, detail, seconds, at: now(), by, trace_id: trace },
      ...{ world: this.#run.worldOf(step), difference, answer, explained: [...explained] },
      decision: difference && stepDecision(step),
    });
  }

  /** Queues a task after the previous one. Never throws: errors become the run's result. */
  async #inTurn(act: () => Promise<void>): Promise<void> {
    await this.#turn;
    if (this.ended) return;
    this.#state = "running";
    try {
      this.#ending.signal.throwIfAborted();
      await act();
      if (this.#next === this.#request.scenario.steps.length) await this.#end("held");
      else if (this.byHand) this.#wait();
      else await this.#end("differs");
    } catch (error) {
      if (this.#ending.signal.aborted) return this.#end("stopped");
      this.#problem = error instanceof UnreachableError ? error.message : `It couldn’t run: ${String(error)}`;
      await this.#end("failed");
    }
  }

  /** Step by step: waits for the next step. A deliveries step checks until it passes. */
  #wait(): void {
    this.#state = "waiting";
    if (this.#checkTimer) clearTimeout(this.#checkTimer);
    const index = this.#next;
    if (!this.#request.scenario.steps[index]?.deliveries) return;
    const checkDeliveries = async () => {
      const result = await this.#run.make(index, true);
      this.#keep(result, "scenario");
      if (result.verdict.outcome === "held") await this.#storyteller?.record(result);
    };
    this.#checkTimer = setTimeout(() => void this.#then(checkDeliveries), CHECK_EVERY_MS);
    this.#checkTimer.unref();
  }

  #then(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#inTurn(act);
    return this.#turn;
  }

  async #makeUpTo(number: number): Promise<void> {
    while (this.#next < Math.min(number, this.#request.scenario.steps.length)) {
      const result = await this.#run.make(this.#next);
      this.#keep(result, "scenario");
      await this.#storyteller?.record(result);
      if (result.verdict.outcome !== "held") return;
    }
  }

  /** Keeps the world of a failed or a step-by-step run for inspection. */
  async #end(state: RunRow["state"]): Promise<void> {
    if (this.#checkTimer) clearTimeout(this.#checkTimer);
    await this.cleanUp(state === "differs" || (state === "held" && this.byHand));
    this.#state = state;
    this.#endedAt = now();
  }

  /** Skips the cleanup of a service that no longer responds. */
  async cleanUp(keepWorlds = false): Promise<void> {
    await this.#run.cleanUp(keepWorlds).catch(() => undefined);
  }

  /** Step by step: runs the steps up to a number. @param to null: only the next step */
  step(to: number | null): Promise<void> {
    return this.#then(() => this.#makeUpTo(to ?? this.#next + 1));
  }

  /** Step by step: a call in a world of this run may be its next step. */
  called(call: SeenCall): void {
    if (!this.#run.ownWorlds.includes(call.world)) return;
    void this.#then(async () => {
      const step = this.#run.resolved(this.#next);
      if ("problem" in step || !this.#isStep(step, call)) return;
      const what = call.operation ?? `${call.method} ${call.path}`;
      const result = await this.#run.check(this.#next, what, call.reached);
      this.#keep(result, call.origin, call.trace_id);
      await this.#storyteller?.record(result);
    });
  }

  #isStep(step: Step, call: SeenCall): boolean {
    if (this.#run.worldOf(step) !== call.world) return false;
    if (step.control) {
      const { operation, body = {} } = step.control;
      return call.control && operation === call.operation && findDifference(body, call.body) === null;
    }
    if (!step.call || call.control) return false;
    const { operation, route, method = "POST" } = step.call;
    const declared = partnerOperations.find(({ id }) => id === operation);
    const same = declared ? call.operation === declared.id : call.path === route && call.method === method;
    return same && (declared?.scope === "none" || this.#run.credentialOf(step) === call.integration_id);
  }

  /**
   * Ends the run and deletes its worlds, even after it ended.
   *
   * @param keep keeps the worlds, even if later runs start
   */
  async stop(keep = false): Promise<void> {
    if (keep) this.#run.handOver();
    this.#ending.abort(new Error("The run was stopped."));
    await this.#then(async () => undefined);
    await this.cleanUp();
  }
}

/** Scenario runs that were requested from this service. Kept only in memory. */
export class Runs {
  readonly #at: ServiceAddress;
  /** Oldest first. */
  readonly #runs = new Map<string, OneRun>();

  constructor(at: ServiceAddress) {
    this.#at = at;
  }

  start(request: RunRequest): Run {
    const { baseUrl, address, token, isPinned } = this.#at;
    const run = new OneRun(request, new ScenarioClient(baseUrl(), token(), "scenario", address()));
    // Only a scenario's newest run is shown, so worlds of earlier ones are unreachable.
    for (const [id, one] of this.#runs) {
      const isSurplus = this.#runs.size >= MAX_RUNS;
      const isReplaced = request.name !== null && one.row().name === request.name && !one.isPlayed;
      if (!one.ended || !(isSurplus || isReplaced)) continue;
      if (isSurplus) this.#runs.delete(id);
      if (!one.row().worlds.some(isPinned)) void one.cleanUp();
    }
    this.#runs.set(run.id, run);
    return run.whole();
  }

  /** Returns whether the limit on concurrent runs is reached. */
  get full(): boolean {
    return [...this.#runs.values()].filter(({ ended }) => !ended).length >= MAX_RUNS;
  }

  /** Newest first. */
  list(): RunRow[] {
    return [...this.#runs.values()].map((run) => run.row()).toReversed();
  }

  get(id: string): Run | undefined {
    return this.#runs.get(id)?.whole();
  }

  /**
   * Runs steps of a step-by-step run. A run that has passed its last step meanwhile, as a check of deliveries does by
   * itself, is returned as it is.
   *
   * @returns the run; null when it doesn't wait for a step
   */
  async step(id: string, to: number | null): Promise<Run | null | undefined> {
    const run = this.#runs.get(id);
    if (run?.byHand && to !== null && run.row().state === "held") return run.whole();
    if (run && (!run.byHand || run.ended)) return null;
    await run?.step(to);
    return run?.whole();
  }

  async stop(id: string, keep = false): Promise<Run | undefined> {
    const run = this.#runs.get(id);
    await run?.stop(keep);
    return run?.whole();
  }

  /** Returns a run's story as one file; null when it has none; undefined when the run doesn't exist. */
  story(id: string): Story | null | undefined {
    return this.#runs.get(id)?.story();
  }

  /** Returns whether a step-by-step run exists, so calls must be watched. */
  get watching(): boolean {
    return [...this.#runs.values()].some((run) => run.byHand && !run.ended);
  }

  /** Reports a completed call. Runs ignore their own calls. */
  called(call: SeenCall): void {
    if (call.origin === "scenario") return;
    for (const run of this.#runs.values()) if (run.byHand && !run.ended) run.called(call);
  }

  /** Ends all runs and deletes their worlds. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => (run.ended ? undefined : run.stop())));
    this.#runs.clear();
  }
}
