import { randomBytes } from "node:crypto";
import type { Receipt, Receiver } from "../contract/control/receiver-rows.ts";
import type { ControlStep, DeliveriesStep, ReceiverStep, Scenario, Step } from "../contract/scenario.ts";
import { resolve } from "../rules/scenario-references.ts";
import { callStep, judge, until } from "./call-step.ts";
import { lookAt, notificationsOf } from "./deliveries-step.ts";
import type { StepResult } from "./report.ts";
import type { Reached, ScenarioClient } from "./scenario-client.ts";
import { differs, held, type Verdict } from "./verdict.ts";

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

  /**
   * @param signal ends the run before its next step, and a call that waits for its answer
   * @param world one that is there, to run in; it stays. Left out: a fresh one
   */
  constructor(client: ScenarioClient, scenario: Scenario, signal?: AbortSignal, world?: string) {
    this.#client = client;
    this.#scenario = scenario;
    this.#signal = signal;
    this.world = world ?? this.#name;
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
    const { start } = this.#scenario;
    if (start) {
      await this.#client.must("snapshots.import", { world, document: start, name: this.#name });
      await this.#client.must("snapshots.restore", { world, name: this.#name, checkpoint: world !== this.#name });
    }
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
    this.#values.set("service", { base_url: this.#client.baseUrl });
    this.#values.set("run", { id: this.#name });
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
    return { number: index + 1, step, verdict, seconds: (performance.now() - began) / 1_000 };
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
    return judge(operation, expect ?? {}, await this.#client.control(operation, { ...(body as object), world }));
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
    return held(`${length} ${length === 1 ? "notification" : "notifications"} at ${receiver}`, look.matched);
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
