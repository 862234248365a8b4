import { randomUUID } from "node:crypto";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { Scenario, Step } from "../contract/scenario.ts";
import { resolve } from "../rules/scenario-references.ts";
import { callStep, until } from "./call-step.ts";
import type { StepResult } from "./report.ts";
import type { ScenarioClient } from "./scenario-client.ts";
import { notRun, type Verdict } from "./verdict.ts";

/** The parts of the control plane that change what calls are answered. */
const CHANGING = /^(clock|faults|policies|snapshots|worlds)\./;

/** Why a step can be run by a sandbox alone, and whether what follows depends on it; null where it can be run anywhere. */
const sandboxOnly = ({ call, control, world }: Step): { readonly why: string; readonly changes: boolean } | null => {
  if (control) return { why: "it needs the control plane of a sandbox", changes: CHANGING.test(control.operation) };
  if (!call) return { why: "it needs a receiver of a sandbox", changes: false };
  if (world !== undefined) return { why: "it needs a second world", changes: false };
  const declared = partnerOperations.find(({ id }) => id === call.operation);
  return declared?.surface === "extension" || call.route?.startsWith("/__")
    ? { why: "it is an extension of the sandbox", changes: declared?.effect === "write" }
    : null;
};

/** What a step is answered that differs: later steps may refer to the rest of it. */
const answered = (verdict: Verdict): unknown => {
  if (verdict.outcome === "held") return verdict.value;
  try {
    return JSON.parse((verdict.outcome === "differs" ? verdict.answer : null) ?? "null") as unknown;
  } catch {
    return null;
  }
};

/** Makes the calls of a scenario at an address that is no sandbox, and goes on where an answer differs. */
export class CallsOnlyRun {
  readonly #client: ScenarioClient;
  readonly #scenario: Scenario;
  readonly #values: Map<string, unknown>;

  /** @param given the credentials there are, by `repairer`, `supplier` and `client` */
  constructor(client: ScenarioClient, scenario: Scenario, given: Readonly<Record<string, unknown>>) {
    this.#client = client;
    this.#scenario = scenario;
    this.#values = new Map(Object.entries({ ...given, service: { base_url: client.baseUrl } }));
  }

  async *steps(): AsyncGenerator<StepResult, void, void> {
    this.#values.set("run", { id: `run-${randomUUID()}` });
    let changedBy: number | null = null;
    for (const [index, step] of this.#scenario.steps.entries()) {
      const number = index + 1;
      const began = performance.now();
      const only = sandboxOnly(step);
      const verdict =
        changedBy === null
          ? await this.#run(step, only?.why ?? null)
          : notRun(`it follows step ${changedBy}, which a sandbox alone can run`);
      yield { number, step, verdict, seconds: (performance.now() - began) / 1_000 };
      if (only?.changes) changedBy ??= number;
      if (step.save !== undefined && verdict.outcome !== "not_run") this.#values.set(step.save, answered(verdict));
    }
  }

  async #run(written: Step, why: string | null): Promise<Verdict> {
    if (why !== null || !written.call) return notRun(why ?? "it is no call");
    const { as = "nobody" } = written.call;
    if (as !== "nobody" && !this.#values.has(as)) return notRun(`no credentials of the ${as} are given`);
    const found = resolve(written, this.#values);
    if ("problem" in found) return notRun(found.problem);
    const step = found.value as typeof written;
    return until(step.expect?.within_seconds, () => callStep(this.#client, step, this.#values, null));
  }
}
