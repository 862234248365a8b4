import { randomBytes } from "node:crypto";
import type { Receipt, Receiver } from "../contract/control/receiver-rows.ts";
import type { ControlStep, DeliveriesStep, ReceiverStep, Scenario, Step } from "../contract/scenario.ts";
import { resolve } from "../rules/scenario-references.ts";
import { callStep, judge, until } from "./call-step.ts";
import { lookAt, notificationsOf } from "./deliveries-step.ts";
import type { StepResult } from "./report.ts";
import type { ScenarioClient } from "./scenario-client.ts";
import { differs, held, type Verdict } from "./verdict.ts";

/** Runs one scenario against one service, in fresh worlds of its own. */
export class ScenarioRun {
  readonly #client: ScenarioClient;
  readonly #scenario: Scenario;
  readonly #name = `run-${randomBytes(6).toString("hex")}`;
  readonly #worlds = new Set<string>();
  readonly #values = new Map<string, unknown>();
  readonly #receiverWorlds = new Map<string, string>();
  /** Notifications that a step expected, by receiver. */
  readonly #expected = new Map<string, Set<string>>();

  readonly #signal: AbortSignal | undefined;

  /** @param signal ends the run before its next step */
  constructor(client: ScenarioClient, scenario: Scenario, signal?: AbortSignal) {
    this.#client = client;
    this.#scenario = scenario;
    this.#signal = signal;
  }

  #world(step: Pick<Step, "world">): string {
    const name = step.world === undefined ? this.#name : `${this.#name}-${step.world}`;
    this.#worlds.add(name);
    return name;
  }

  /** @throws UnreachableError */
  async #prepare(): Promise<void> {
    const world = this.#world({});
    const { start } = this.#scenario;
    if (start) {
      await this.#client.must("snapshots.import", { world, document: start, name: "start" });
      await this.#client.must("snapshots.restore", { world, name: "start", checkpoint: false });
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
    await this.#prepare();
    for (const [index, written] of this.#scenario.steps.entries()) {
      this.#signal?.throwIfAborted();
      const began = performance.now();
      const found = resolve(written, this.#values);
      const verdict =
        "problem" in found
          ? differs("", { path: "", expected: "references that lead somewhere", got: found.problem })
          : await this.#run(found.value as Step);
      yield { number: index + 1, step: written, verdict, seconds: (performance.now() - began) / 1_000 };
      if (verdict.outcome !== "held") return;
      if (written.save !== undefined) this.#values.set(written.save, verdict.value);
    }
  }

  /** Runs a step, again until it holds where that may take a while. */
  async #run(step: Step): Promise<Verdict> {
    const world = this.#world(step);
    if (step.call)
      return until(step.expect?.within_seconds, () => callStep(this.#client, step, this.#values, world), this.#signal);
    if (step.control) return until(step.expect?.within_seconds, () => this.#control(step, world), this.#signal);
    if (step.receiver) return this.#receiver(step, world);
    return until(step.deliveries.within_seconds ?? 10, (over) => this.#deliveries(step, over), this.#signal);
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

  /** Leaves nothing behind on a service that goes on. */
  async cleanUp(): Promise<void> {
    for (const world of this.#worlds) {
      if (this.#scenario.start) await this.#client.control("snapshots.delete", { world, name: "start" });
      await this.#client.control("worlds.delete", { world, checkpoint: false });
    }
  }
}
