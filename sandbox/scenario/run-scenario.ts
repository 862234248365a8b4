import { randomBytes } from "node:crypto";
import { policyChoices } from "../contract/control/policies.ts";
import type { Receipt, Receiver } from "../contract/control/receiver-rows.ts";
import type { WorldDocument } from "../contract/control/snapshot-rows.ts";
import { plural } from "../contract/plural.ts";
import type { ControlStep, DeliveriesStep, ReceiverStep, Scenario, Step } from "../contract/scenario.ts";
import { resolve } from "../rules/scenario-references.ts";
import { callStep, judge, until } from "./call-step.ts";
import { lookAt, notificationsOf } from "./deliveries-step.ts";
import { explainDifference } from "./explain-difference.ts";
import { BadScenarioError } from "./read-scenario.ts";
import type { StepResult } from "./report.ts";
import type { Reached, ScenarioClient } from "./scenario-client.ts";
import { differs, held, type Verdict } from "./verdict.ts";

/** Policies by their names. */
export type ChangedPolicies = Readonly<Record<string, string>>;

/** How the switches stand before the first step of a scenario. */
export const policiesOf = ({ recorded }: Scenario): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(policyChoices).map(([name, [first]]) => [name, first])),
  ...recorded?.policies,
});

/**
 * Runs one scenario against one service, in fresh worlds of its own: from step to step, or as somebody else asks for
 * single steps after {@link ScenarioRun.prepare}.
 */
export class ScenarioRun {
  readonly #client: ScenarioClient;
  readonly #scenario: Scenario;
  readonly #name = `run-${randomBytes(6).toString("hex")}`;
  /** Where the steps run that name no world. */
  readonly world: string;
  /** Those it made. */
  readonly #worlds = new Set<string>();
  readonly #values = new Map<string, unknown>();
  readonly #receiverWorlds = new Map<string, string>();
  /** Notifications that a step expected, by receiver. */
  readonly #expected = new Map<string, Set<string>>();

  readonly #signal: AbortSignal | undefined;
  /** Other policies than the scenario's own. */
  readonly #changed: ChangedPolicies;
  /** How the switches stand in the file at the step that is made. */
  #policies: Readonly<Record<string, string>>;

  /**
   * @param signal ends the run before its next step, and a call that waits for its answer
   * @param world one that is there, to run in; it stays. Left out: a fresh one
   * @param changed policies that stay as they are said here, whatever the scenario says
   */
  constructor(
    client: ScenarioClient,
    scenario: Scenario,
    signal?: AbortSignal,
    world?: string,
    changed: ChangedPolicies = {},
  ) {
    this.#client = client;
    this.#scenario = scenario;
    this.#signal = signal;
    this.world = world ?? this.#name;
    this.#changed = changed;
    this.#policies = policiesOf(scenario);
  }

  /** The world of a step. */
  worldOf(step: Pick<Step, "world">): string {
    const name = step.world === undefined ? this.world : `${this.#name}-${step.world}`;
    if (name.startsWith(this.#name)) this.#worlds.add(name);
    return name;
  }

  /** Makes the world that the steps begin in. @throws UnreachableError */
  async prepare(): Promise<void> {
    const world = this.worldOf({});
    const { start, recorded } = this.#scenario;
    if (start) {
      await this.#import(start, world);
      const from = recorded?.starts_at === undefined ? {} : { clock: recorded.starts_at };
      await this.#client.must("snapshots.restore", {
        world,
        name: this.#name,
        checkpoint: world !== this.#name,
        ...from,
      });
    }
    const policies = { ...recorded?.policies, ...this.#changed };
    if (Object.keys(policies).length > 0) await this.#client.must("policies.set", { world, policies });
    if (recorded) await this.#client.must("faults.clear", { world });
    for (const fault of recorded?.faults ?? []) await this.#client.must("faults.set", { world, ...fault });
    const list = (operation: string) =>
      this.#client.must<{ items: Record<string, unknown>[] }>(operation, { world, reveal: true });
    const [credentials, clients] = [await list("credentials.list"), await list("clients.list")];
    for (const scope of ["repairer", "supplier"])
      this.#values.set(
        scope,
        credentials.items.find((one) => one.preloaded === true && one.scope === scope),
      );
    this.#values.set(
      "client",
      clients.items.find((one) => one.oauth_enabled === true),
    );
    this.#values.set(
      "client_no_oauth",
      clients.items.find((one) => one.oauth_enabled === false),
    );
    this.#values.set("credentials", credentials.items);
    this.#values.set("service", { base_url: this.#client.baseUrl });
    this.#values.set("run", { id: this.#name });
  }

  /** @throws BadScenarioError */
  async #import(document: WorldDocument, world: string): Promise<void> {
    const asked = { world, document, name: this.#name };
    const { status, body } = await this.#client.control("snapshots.import", asked);
    if (status === null || status === 401 || status === 200) {
      if (status !== 200) await this.#client.must("service.info", {});
      return;
    }
    const message = typeof body === "object" && body !== null ? Reflect.get(body, "message") : undefined;
    throw new BadScenarioError(
      `its world under start cannot be imported: ${typeof message === "string" ? message : `answered ${status}`}`,
    );
  }

  /** Runs the steps in their order, up to the first that does not hold. @throws UnreachableError, or why it was ended */
  async *steps(): AsyncGenerator<StepResult, void, void> {
    await this.prepare();
    for (const index of this.#scenario.steps.keys()) {
      const result = await this.make(index);
      yield result;
      if (result.verdict.outcome !== "held") return;
    }
  }

  #written(index: number): Step {
    const written = this.#scenario.steps[index];
    if (!written) throw new RangeError(`there is no step ${index}`);
    return written;
  }

  /** What an earlier step saved, or every run knows. */
  value(name: string): unknown {
    return this.#values.get(name);
  }

  /** A step with what it refers to in place of its references, or why there is none. */
  resolved(index: number): Step | { readonly problem: string } {
    const found = resolve(this.#written(index), this.#values);
    return "problem" in found ? found : (found.value as Step);
  }

  /**
   * Makes a step, again until it holds where that may take a while.
   *
   * @param once it is made once, however long it may take
   * @throws UnreachableError, or why the run was ended
   */
  make(index: number, once = false): Promise<StepResult> {
    return this.#judged(index, (step) => this.#run(step, once));
  }

  /** Judges what a call of somebody else was answered, as if a step had made it. */
  judge(index: number, what: string, reached: Reached): Promise<StepResult> {
    return this.#judged(index, async (step) => judge(what, ("expect" in step && step.expect) || {}, reached));
  }

  async #judged(index: number, judged: (step: Step) => Promise<Verdict>): Promise<StepResult> {
    this.#signal?.throwIfAborted();
    const step = this.#written(index);
    const began = performance.now();
    const found = this.resolved(index);
    const verdict =
      "problem" in found
        ? differs("", { path: "", expected: "references that lead somewhere", got: found.problem })
        : await judged(found);
    this.#signal?.throwIfAborted();
    if (verdict.outcome === "held" && step.save !== undefined) this.#values.set(step.save, verdict.value);
    const seconds = (performance.now() - began) / 1_000;
    return { number: index + 1, step, verdict: await this.#explained(step, verdict), seconds };
  }

  /** With what explains the difference, where something is known of how it was to be. */
  async #explained(step: Step, verdict: Verdict): Promise<Verdict> {
    const { recorded } = this.#scenario;
    if (verdict.outcome !== "differs" || !(recorded || Object.keys(this.#changed).length > 0)) return verdict;
    const { trace_id: trace } = verdict;
    const differing = { world: this.worldOf(step), step, trace, recorded, policies: this.#policies };
    return { ...verdict, explained: await explainDifference(this.#client, differing) };
  }

  async #run(step: Step, once: boolean): Promise<Verdict> {
    const world = this.worldOf(step);
    const signal = this.#signal;
    const again = (seconds: number | undefined, attempt: (over: boolean) => Promise<Verdict>): Promise<Verdict> =>
      once ? attempt(false) : until(seconds, attempt, signal);
    if (step.call)
      return again(step.expect?.within_seconds, () => callStep(this.#client, step, this.#values, world, signal));
    if (step.control) return again(step.expect?.within_seconds, () => this.#control(step, world));
    if (step.receiver) return this.#receiver(step, world);
    return again(step.deliveries.within_seconds ?? 10, (over) => this.#deliveries(step, over));
  }

  async #control({ control, expect }: ControlStep, world: string): Promise<Verdict> {
    const { operation, body = {} } = control;
    const asked = operation === "policies.set" ? this.#setting(body as { policies?: ChangedPolicies }) : body;
    return judge(operation, expect ?? {}, await this.#client.control(operation, { ...(asked as object), world }));
  }

  /** Switches as a step sets them, but for those that are not to be as the scenario says. */
  #setting(body: { readonly policies?: ChangedPolicies }): object {
    const { policies = {} } = body;
    this.#policies = { ...this.#policies, ...policies };
    const kept = Object.entries(this.#changed).filter(([name]) => Object.hasOwn(policies, name));
    return { ...body, policies: { ...policies, ...Object.fromEntries(kept) } };
  }

  async #receiver({ receiver, save }: ReceiverStep, world: string): Promise<Verdict> {
    const { integration_id, behaviour } = receiver;
    const asked = { world, integration_id, ...(behaviour === undefined ? {} : { behaviour }) };
    if (save !== undefined) this.#receiverWorlds.set(save, world);
    return judge("receivers.create", {}, await this.#client.control("receivers.create", asked));
  }

  /** Whether all that was notified to a receiver so far has reached it. */
  async #isQuiet(world: string | undefined, subscription_id: string): Promise<boolean> {
    const asked = { world, subscription_id, status: "pending", limit: 1 };
    return (await this.#client.must<{ total: number }>("deliveries.list", asked)).total === 0;
  }

  async #deliveries({ deliveries }: DeliveriesStep, over: boolean): Promise<Verdict> {
    const { receiver, expect, within_seconds = 10, others } = deliveries;
    const world = this.#receiverWorlds.get(receiver);
    const { id, subscription_id } = this.#values.get(receiver) as Receiver;
    const done = this.#expected.get(receiver) ?? new Set();
    this.#expected.set(receiver, done);
    // That something does not come is known when nothing is on its way any more.
    const toTheEnd = others === "none" || expect.some(({ count }) => count === 0);
    const known = over || !toTheEnd || (await this.#isQuiet(world, subscription_id ?? id));
    const { items } = await this.#client.must<{ items: Receipt[] }>("receivers.received", { world, id, limit: 500 });
    const come = notificationsOf(items).filter(({ message_id }) => !done.has(message_id));
    const look = lookAt(deliveries, come);
    if (!look.all) return differs(`within ${within_seconds} s at ${receiver}`, look.difference);
    if (!known) return differs("", { path: "", expected: "nothing on its way", got: "something" });
    for (const { message_id } of look.matched) done.add(message_id);
    const { length } = look.matched;
    return held(`${plural(length, "notification")} at ${receiver}`, look.matched);
  }

  /** Leaves nothing behind on a service that goes on. @param keepWorlds the worlds it made stay, to be looked at */
  async cleanUp(keepWorlds = false): Promise<void> {
    if (this.#scenario.start) await this.#client.control("snapshots.delete", { world: this.world, name: this.#name });
    if (keepWorlds) return;
    for (const world of this.#worlds) await this.#client.control("worlds.delete", { world, checkpoint: false });
    this.#worlds.clear();
  }

  /** The worlds it made and did not delete. */
  get ownWorlds(): readonly string[] {
    return [...this.#worlds];
  }
}
