import { randomBytes } from "node:crypto";
import type { Receipt, Receiver } from "../contract/control/receiver-rows.ts";
import { pathOf } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type {
  CallStep,
  ControlStep,
  DeliveriesStep,
  Expectation,
  ReceiverStep,
  Scenario,
  Step,
} from "../contract/scenario.ts";
import { firstDifference } from "../rules/first-difference.ts";
import { differenceFrom } from "../rules/scenario-match.ts";
import { resolve } from "../rules/scenario-references.ts";
import { lookAt, notificationsOf } from "./deliveries-step.ts";
import type { StepResult } from "./report.ts";
import type { Reached, ScenarioClient } from "./scenario-client.ts";
import { differs, held, type Verdict } from "./verdict.ts";

const LOOK_EVERY_MS = 50;

interface Credential {
  readonly api_key: string;
  readonly integration_id: string;
}

const isCredential = (value: unknown): value is Credential =>
  typeof value === "object" && value !== null && "api_key" in value && "integration_id" in value;

/** An address as it is printed: what is behind its path can be a secret. */
const pathIn = (address: string): string => (URL.canParse(address) ? new URL(address).pathname : address);

/** Compares an answer with what is expected of it. */
const judge = (what: string, expect: Expectation, reached: Reached): Verdict => {
  const { status, headers, body, text } = reached;
  if (expect.no_answer === true) {
    return status === null
      ? held(`${what} → no answer`, null)
      : differs(what, { path: "/no_answer", expected: "no answer", got: status }, text);
  }
  const wanted = expect.status ?? 200;
  const detail = `${what} → ${status ?? "no answer"}`;
  if (status !== wanted)
    return differs(detail, { path: "/status", expected: wanted, got: status ?? "no answer" }, text);
  const difference =
    differenceFrom(expect.headers ?? {}, headers, "/headers") ??
    (expect.body === undefined ? null : differenceFrom(expect.body, body, "/body")) ??
    (expect.exact === undefined ? null : firstDifference(expect.exact, body, { moreKeys: false }, "/body"));
  return difference ? differs(detail, difference, text) : held(detail, body);
};

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
    if (step.call) return this.#until(step.expect?.within_seconds, () => this.#call(step, world));
    if (step.control) return this.#until(step.expect?.within_seconds, () => this.#control(step, world));
    if (step.receiver) return this.#receiver(step, world);
    return this.#until(step.deliveries.within_seconds ?? 10, (over) => this.#deliveries(step, over));
  }

  /** @param attempt is told when it is the last one */
  async #until(seconds = 0, attempt: (over: boolean) => Promise<Verdict>): Promise<Verdict> {
    const end = performance.now() + seconds * 1_000;
    for (;;) {
      this.#signal?.throwIfAborted();
      const over = performance.now() >= end;
      const verdict = await attempt(over);
      if (verdict.outcome === "held" || over) return verdict;
      await new Promise((resume) => setTimeout(resume, LOOK_EVERY_MS));
    }
  }

  async #call({ call, expect }: CallStep, world: string): Promise<Verdict> {
    const { operation, route, method = "POST", as = "nobody", credentials, headers, body, text, base64 } = call;
    const declared = partnerOperations.find(({ id }) => id === operation);
    const known = as === "nobody" ? credentials : this.#values.get(as);
    const sent = {
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      "x-sandbox-tenant": world,
      ...(isCredential(known)
        ? { authorization: `Bearer ${known.api_key}`, "service-integration-id": known.integration_id }
        : {}),
      ...(headers as Record<string, string> | undefined),
    };
    const address = declared ? pathOf(declared) : (route ?? "/");
    const content =
      base64 === undefined ? Buffer.from(text ?? JSON.stringify(body ?? {})) : Buffer.from(base64, "base64");
    const reached = await this.#client.send(method, address, sent, method === "GET" ? null : content);
    return judge(operation ?? `${method === "POST" ? "" : `${method} `}${pathIn(address)}`, expect ?? {}, reached);
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
