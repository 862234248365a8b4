import { randomBytes } from "node:crypto";
import { policyChoices } from "../contract/control/policies.ts";
import type { Receipt, Receiver } from "../contract/control/receiver-operations.ts";
import type { WorldDocument } from "../contract/control/snapshot-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { CallStep, ControlStep, DeliveriesStep, ReceiverStep, Scenario, Step } from "../contract/scenario.ts";
import { plural } from "../contract/text.ts";
import { readText } from "../rules/json/untyped.ts";
import { headersProblem, resolveRoute } from "../rules/scenarios/scenario-reach.ts";
import { resolve } from "../rules/scenarios/scenario-references.ts";
import { createRedactor, redactJson } from "../secrets/masking.ts";
import { matchNotifications, parseNotifications } from "./deliveries-step.ts";
import { type ChangedPolicies, explainDifference } from "./explain-difference.ts";
import { BadScenarioError } from "./read-scenario.ts";
import type { StepResult } from "./report.ts";
import type { ReachedResponse, ScenarioClient } from "./scenario-client.ts";
import { differs, evaluateExpectation, held, notRun, retryUntilPassed, type Verdict } from "./verdict.ts";

export interface RunOptions {
  /** Ends the run before its next step, and its wait for a response. */
  readonly signal?: AbortSignal;
  /** Settings that override the scenario's. */
  readonly policies?: ChangedPolicies;
  /** Credentials at an address without a control plane, by `repairer` and `supplier`. */
  readonly given?: Readonly<Record<string, object>>;
  /** An existing world with the scenario's settings and faults; default: a new one. */
  readonly world?: string;
}

/** The settings before a scenario's first step. */
const recordedPolicies = ({ recorded }: Scenario): ChangedPolicies => ({
  ...Object.fromEntries(Object.entries(policyChoices).map(([name, [first]]) => [name, first])),
  ...recorded?.policies,
});

/** Characters of a response to show. */
const SHOWN = 2_000;

/** Control operations that influence responses. */
const CHANGING = /^(clock|faults|policies|worlds)\./;

/**
 * Returns why only a sandbox can run a step, and whether later steps depend on it; null for steps that run anywhere.
 */
const sandboxOnly = ({ call, control, world }: Step): { readonly why: string; readonly changes: boolean } | null => {
  if (control) return { why: "it needs the control plane of a sandbox", changes: CHANGING.test(control.operation) };
  if (!call) return { why: "it needs a receiver of a sandbox", changes: false };
  if (world !== undefined) return { why: "it needs a second world", changes: false };
  const declared = partnerOperations.find(({ id }) => id === call.operation);
  return declared?.surface === "extension" || call.route?.startsWith("/__")
    ? { why: "it is an extension of the sandbox", changes: declared?.effect === "write" }
    : null;
};

/**
 * Runs a scenario against a service: all steps, or single ones after {@link ScenarioRun.prepare}. On a sandbox it
 * creates its own worlds. Elsewhere it makes only the contract's calls, and continues after a difference.
 */
export class ScenarioRun {
  readonly #client: ScenarioClient;
  readonly #scenario: Scenario;
  readonly #options: RunOptions;
  /** Default world of the steps. */
  readonly world: string;
  /** Worlds that the run created. */
  readonly #worlds = new Set<string>();
  readonly #values = new Map<string, unknown>();
  /** API keys by integration ID. */
  readonly #keys = new Map<string, string>();
  /** Prepared upload addresses. */
  readonly #prepared = new Set<string>();
  readonly #receiverWorlds = new Map<string, string>();
  /** Notifications that a step expected, by receiver. */
  readonly #expected = new Map<string, Set<string>>();
  readonly #underWay = new Set<Promise<unknown>>();
  /** The file's settings at the current step. */
  #policies: ChangedPolicies;
  /** The service's version; set only if the recording may come from a different one. */
  #version: string | undefined;
  /** The first step that only a sandbox can run and that all later steps depend on. */
  #needsSandbox: number | null = null;
  #redact = createRedactor([]);

  constructor(client: ScenarioClient, scenario: Scenario, options: RunOptions = {}) {
    this.#client = client;
    this.#scenario = scenario;
    this.#options = options;
    this.world = options.world ?? `run-${randomBytes(6).toString("hex")}`;
    this.#policies = recordedPolicies(scenario);
  }

  worldOf(step: Pick<Step, "world">): string {
    const name = step.world === undefined ? this.world : `${this.world}-${step.world}`;
    if (this.#client.isSandbox) this.#worlds.add(name);
    return name;
  }

  /** Creates the initial world. @throws UnreachableError */
  async prepare(): Promise<void> {
    const { policies: changed = {}, given = {} } = this.#options;
    for (const [name, credential] of Object.entries(given)) this.#values.set(name, credential);
    this.#values.set("service", { base_url: this.#client.baseUrl });
    this.#values.set("run", { id: this.world });
    if (!this.#client.isSandbox) return;
    const world = this.worldOf({});
    const { start, recorded } = this.#scenario;
    if (recorded) this.#version = (await this.#client.must<{ version: string }>("service.info", {})).version;
    if (start) await this.#start(start, recorded?.starts_at);
    const policies = { ...recorded?.policies, ...changed };
    // The first write also creates the world (D85).
    if (this.#options.world === undefined) await this.#client.must("faults.clear", { world });
    if (Object.keys(policies).length > 0) await this.#client.must("policies.set", { world, policies });
    for (const fault of recorded?.faults ?? []) await this.#client.must("faults.set", { world, ...fault });
    const credentials = await this.#listed("credentials.list", world);
    const clients = await this.#listed("clients.list", world);
    const own = credentials.filter(({ preloaded }) => preloaded === true);
    const known = {
      repairer: own.find(({ scope }) => scope === "repairer"),
      supplier: own.find(({ scope }) => scope === "supplier"),
      client: clients.find(({ oauth_enabled }) => oauth_enabled === true),
      client_no_oauth: clients.find(({ oauth_enabled }) => oauth_enabled === false),
      credentials,
    };
    for (const [name, value] of Object.entries(known)) this.#values.set(name, value);
    for (const one of credentials) this.#learn(one);
    // Installed secrets have known formats; configured ones may not.
    const secrets = [...own, ...clients].flatMap(({ api_key, webhook_secret, client_secret }) => [
      ...[api_key, webhook_secret, client_secret].filter((one) => typeof one === "string"),
    ]);
    this.#redact = createRedactor(secrets);
  }

  async #listed(operation: string, world: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.#client.must<{ items: Record<string, unknown>[] }>(operation, { world, reveal: true })).items;
  }

  /** Loads the world from the file. @throws BadScenarioError */
  async #start(document: WorldDocument, clock: string | undefined): Promise<void> {
    const world = this.worldOf({});
    const input = { world, document, name: world };
    const { status, body } = await this.#client.control("snapshots.import", input);
    if (status === null || status === 401) await this.#client.must("service.info", {});
    if (status !== 200)
      throw new BadScenarioError(
        `its world in start can’t be imported: ${readText(body, "message") ?? `status ${status}`}`,
      );
    const at = clock === undefined ? {} : { clock };
    await this.#client.must("snapshots.restore", { world, name: world, checkpoint: false, ...at });
  }

  /** Stores the API key from an install's response. */
  #learn(responseBody: unknown): void {
    const [id, key] = [readText(responseBody, "integration_id"), readText(responseBody, "api_key")];
    if (id !== undefined && key !== undefined) this.#keys.set(id.toLowerCase(), key);
  }

  /** Runs the steps in order. @throws UnreachableError, or the signal's reason */
  async *steps(): AsyncGenerator<StepResult, void, void> {
    await this.prepare();
    for (const index of this.#scenario.steps.keys()) {
      const result = await this.make(index);
      yield result;
      if (result.verdict.outcome === "differs" && this.#client.isSandbox) return;
    }
  }

  #written(index: number): Step {
    const written = this.#scenario.steps[index];
    if (!written) throw new RangeError(`there is no step ${index}`);
    return written;
  }

  /** The calling integration of a step; null: none. */
  credentialOf({ call }: Step): string | null {
    const { as = "nobody" } = call ?? {};
    const known = as === "nobody" ? call?.credentials : this.#values.get(as);
    return readText(known, "integration_id")?.toLowerCase() ?? null;
  }

  /** Returns a saved value or a part of it (`placed.items.0`); undefined when missing. */
  saved(reference: string): unknown {
    const found = resolve(`{{${reference}}}`, this.#values);
    return "problem" in found ? undefined : found.value;
  }

  /** Masks the service's secrets. */
  masked<T>(json: T): T {
    return redactJson(json, this.#redact);
  }

  resolved(index: number): Step | { readonly problem: string } {
    const { came, say, show, ...written } = this.#written(index);
    const found = resolve(written, this.#values);
    if ("problem" in found) return found;
    const asWritten = { ...(came ? { came } : {}), ...(say === undefined ? {} : { say }), ...(show ? { show } : {}) };
    return { ...(found.value as Step), ...asWritten };
  }

  /**
   * Runs a step, and repeats it while its result may still arrive.
   *
   * @param once runs it only once
   * @throws UnreachableError, or the signal's reason
   */
  make(index: number, once = false): Promise<StepResult> {
    return this.#evaluateStep(index, (step) => this.#run(step, once));
  }

  /** Checks the response to somebody else's call as if a step had made it. */
  check(index: number, what: string, reached: ReachedResponse): Promise<StepResult> {
    return this.#evaluateStep(index, async (step) =>
      evaluateExpectation(what, ("expect" in step && step.expect) || {}, reached),
    );
  }

  async #evaluateStep(index: number, evaluate: (step: Step) => Promise<Verdict>): Promise<StepResult> {
    this.#options.signal?.throwIfAborted();
    const startedAt = performance.now();
    const written = this.#written(index);
    const step = this.resolved(index);
    const verdict =
      this.#notHere(written, index + 1) ?? ("problem" in step ? this.#unresolved(step.problem) : await evaluate(step));
    this.#options.signal?.throwIfAborted();
    const { value, ...shown } = verdict;
    if (verdict.outcome === "held" || !this.#client.isSandbox) {
      if (written.save !== undefined && verdict.outcome !== "not_run") this.#values.set(written.save, value);
      if (written.call) this.#learnFromResponse(written.call.operation, value);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      ...{ number: index + 1, step: "problem" in step ? written : step, seconds },
      verdict: this.#masked(this.#explained(written, shown)),
    };
  }

  #learnFromResponse(operation: string | undefined, value: unknown): void {
    this.#learn(value);
    if (operation !== "uploads.prepare") return;
    for (const key of ["upload_url", "public_url"]) this.#prepared.add(readText(value, key) ?? "");
  }

  /** Returns why a step needs a control plane; null when it doesn't. */
  #notHere(step: Step, number: number): Verdict | null {
    if (this.#client.isSandbox) return null;
    if (this.#needsSandbox !== null)
      return notRun(`it follows step ${this.#needsSandbox}, which only a sandbox can run`);
    const only = sandboxOnly(step);
    if (only?.changes) this.#needsSandbox = number;
    return only && notRun(only.why);
  }

  #unresolved(problem: string): Verdict {
    return this.#client.isSandbox ? differs("", "", "references that lead somewhere", problem) : notRun(problem);
  }

  /** Adds explanations of a difference. */
  #explained(step: Step, verdict: Verdict): Verdict {
    if (verdict.outcome !== "differs") return verdict;
    const [{ recorded }, { policies: run = {} }] = [this.#scenario, this.#options];
    const differing = { step, recorded, file: this.#policies, run, version: this.#version };
    return { ...verdict, explained: explainDifference(differing) };
  }

  /** Masks secrets and shortens the response. */
  #masked({ answer, difference, ...verdict }: Verdict): Verdict {
    const redact = this.#redact;
    // Redacts before cutting: a secret that is cut off is not recognized.
    const text = answer === undefined ? "" : redact(answer.slice(0, 2 * SHOWN));
    return {
      ...verdict,
      detail: redact(verdict.detail),
      ...(text === "" ? {} : { answer: text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text }),
      ...(difference ? { difference: { ...difference, ...redactJson(difference, redact) } } : {}),
    };
  }

  async #run(step: Step, once: boolean): Promise<Verdict> {
    const world = this.worldOf(step);
    const again = (seconds: number | undefined, attempt: (over: boolean) => Promise<Verdict>): Promise<Verdict> =>
      once ? attempt(false) : retryUntilPassed(seconds, attempt, this.#options.signal);
    if (step.call) return again(step.expect?.within_seconds, () => this.#call(step, world));
    if (step.control) return again(step.expect?.within_seconds, () => this.#control(step, world));
    if (step.receiver) return this.#receiver(step, world);
    return again(step.deliveries.within_seconds ?? 10, (over) => this.#deliveries(step, over));
  }

  async #call({ call, expect = {}, came }: CallStep, world: string): Promise<Verdict> {
    const { operation, route, method = "POST", as = "nobody", headers = {}, body, text, base64 } = call;
    const declared = partnerOperations.find(({ id }) => id === operation);
    const { address, baseUrl, isSandbox } = this.#client;
    const reached = resolveRoute(declared ? operationPath(declared) : (route ?? "/"), {
      ...{ address, baseUrl, prepared: this.#prepared },
    });
    const problem = "problem" in reached ? reached.problem : headersProblem(headers);
    if ("problem" in reached || problem !== null)
      return differs("", "/call", "what a scenario may call (D89)", problem);
    if (as !== "nobody" && !isSandbox && !this.#values.has(as)) return notRun(`no credentials of the ${as} are given`);
    const credential = as === "nobody" ? call.credentials : this.#values.get(as);
    const id = readText(credential, "integration_id");
    const key = readText(credential, "api_key") ?? this.#keys.get(id?.toLowerCase() ?? "");
    if (call.credentials && key === undefined)
      return differs("", "/call/credentials", "an integration of this world", id);
    const sent = {
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      ...(isSandbox ? { "x-sandbox-tenant": world } : {}),
      ...(id === undefined ? {} : { authorization: `Bearer ${key}`, "service-integration-id": id }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
    };
    const content =
      base64 === undefined ? Buffer.from(text ?? JSON.stringify(body ?? {})) : Buffer.from(base64, "base64");
    const sending = this.#client.send(method, reached.address, sent, method === "GET" ? null : content, came?.trace_id);
    const { pathname } = new URL(reached.address);
    return evaluateExpectation(
      operation ?? `${method === "POST" ? "" : `${method} `}${pathname}`,
      expect,
      await this.#unlessEnded(sending),
    );
  }

  /** Waits for a call until the run ends. The call itself continues: it may still create a world. */
  async #unlessEnded<T>(call: Promise<T>): Promise<T> {
    this.#underWay.add(call);
    void call.finally(() => this.#underWay.delete(call));
    const { signal } = this.#options;
    if (!signal) return call;
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const end = (): void => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    return Promise.race([call, ended]).finally(() => signal.removeEventListener("abort", end));
  }

  async #control({ control, expect }: ControlStep, world: string): Promise<Verdict> {
    const { operation, body = {} } = control;
    const input = operation === "policies.set" ? this.#setting(body as { policies?: ChangedPolicies }) : body;
    return evaluateExpectation(
      operation,
      expect ?? {},
      await this.#client.control(operation, { ...(input as object), world }),
    );
  }

  /** A step's settings without those that the run overrides. */
  #setting(body: { readonly policies?: ChangedPolicies }): object {
    const { policies = {} } = body;
    this.#policies = { ...this.#policies, ...policies };
    const overridden = Object.entries(this.#options.policies ?? {}).filter(([name]) => Object.hasOwn(policies, name));
    return { ...body, policies: { ...policies, ...Object.fromEntries(overridden) } };
  }

  async #receiver({ receiver, save }: ReceiverStep, world: string): Promise<Verdict> {
    const { integration_id, behaviour } = receiver;
    const input = { world, integration_id, ...(behaviour === undefined ? {} : { behaviour }) };
    if (save !== undefined) this.#receiverWorlds.set(save, world);
    return evaluateExpectation("receivers.create", {}, await this.#client.control("receivers.create", input));
  }

  /** Returns whether a receiver has received every notification so far. */
  async #isQuiet(world: string | undefined, subscription_id: string): Promise<boolean> {
    const input = { world, subscription_id, status: "pending", limit: 1 };
    return (await this.#client.must<{ items: unknown[] }>("deliveries.list", input)).items.length === 0;
  }

  async #deliveries({ deliveries }: DeliveriesStep, over: boolean): Promise<Verdict> {
    const { receiver, expect, within_seconds = 10, others } = deliveries;
    const world = this.#receiverWorlds.get(receiver);
    const { id, subscription_id } = this.#values.get(receiver) as Receiver;
    const done = this.#expected.get(receiver) ?? new Set();
    this.#expected.set(receiver, done);
    // Absence is certain only when nothing is pending.
    const toTheEnd = others === "none" || expect.some(({ count }) => count === 0);
    const known = over || !toTheEnd || (await this.#isQuiet(world, subscription_id ?? id));
    const { items } = await this.#client.must<{ items: Receipt[] }>("receivers.received", { world, id, limit: 500 });
    const come = parseNotifications(items).filter(({ message_id }) => !done.has(message_id));
    const matched = matchNotifications(deliveries, come);
    if ("path" in matched)
      return differs(`within ${within_seconds} s at ${receiver}`, matched.path, matched.expected, matched.got);
    if (!known) return differs("", "", "no pending deliveries", "pending deliveries");
    for (const { message_id } of matched) done.add(message_id);
    return held(`${plural(matched.length, "notification")} at ${receiver}`, matched);
  }

  /** Removes everything that the run created. @param keepWorlds keeps its worlds for inspection */
  async cleanUp(keepWorlds = false): Promise<void> {
    if (!this.#client.isSandbox) return;
    if (this.#scenario.start) await this.#client.control("snapshots.delete", { world: this.world, name: this.world });
    if (keepWorlds) return;
    const worlds = [...this.#worlds];
    const remove = async (): Promise<void> => {
      for (const world of worlds) await this.#client.control("worlds.delete", { world, checkpoint: false });
    };
    await remove();
    this.#worlds.clear();
    // A pending call may create its world again.
    if (this.#underWay.size > 0) void Promise.allSettled([...this.#underWay]).then(remove);
  }

  /** Gives up ownership of the worlds: the run no longer deletes them. */
  handOver(): void {
    this.#worlds.clear();
  }

  /** The remaining worlds that the run created. */
  get ownWorlds(): readonly string[] {
    return [...this.#worlds];
  }
}
