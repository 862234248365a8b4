import * as Type from "typebox";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import {
  credentialsList,
  deliveriesGet,
  deliveriesList,
  jobsList,
  procurementsList,
  requestsGet,
  requestsList,
  requestsReplay,
  subscriptionsList,
  tracesGet,
} from "../contract/control/operations.ts";
import { integrationsReadiness } from "../contract/control/readiness-operations.ts";
import { searchEverywhere } from "../contract/control/search-operations.ts";
import { clockAdvance, clockGet, policiesGet, worldSummary, worldsList } from "../contract/control/world-operations.ts";
import { componentSchemas, documented, type Json, type Plain } from "../contract/openapi/schemas.ts";
import { type Operation, pathOf } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { Scenario } from "../contract/scenario.ts";
import { Uuid } from "../contract/schema.ts";
import { violation } from "../operations/validation.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/world-name.ts";
import { BadScenarioError, checkScenario } from "../scenario/read-scenario.ts";
import { ScenarioRun } from "../scenario/run-scenario.ts";
import type { Reached, ScenarioClient } from "../scenario/scenario-client.ts";

type Input = Readonly<Record<string, unknown>>;

/** Something an assistant can do. */
export interface SandboxTool {
  /** Assistants take letters, digits, `_` and `-`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Plain;
  readonly effect: Operation["effect"];
  /** @throws ToolRefusal, UnreachableError, or the reason of the signal */
  call(client: ScenarioClient, input: Input, signal: AbortSignal): Promise<unknown>;
}

/** What a tool was refused with: what the service answered, or why it was not asked. */
export class ToolRefusal extends Error {
  readonly refusal: unknown;

  constructor(refusal: unknown) {
    super("the tool was refused");
    this.refusal = refusal;
  }
}

const named = componentSchemas();

/** A schema of the documents without its references, which not every assistant follows. */
const whole = (schema: Json): Json => {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(whole);
  const { $ref } = schema;
  if (typeof $ref === "string") return whole(named[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {});
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, whole(value)]));
};
const inputSchema = (schema: Type.TSchema): Plain => whole(documented(schema)) as Plain;

const nameOf = ({ id }: Pick<Operation, "id">): string => id.replaceAll(".", "_");

const accepted = ({ status, headers, body }: Reached): { request_id: string | null; status: number; body: unknown } => {
  const answer = { request_id: headers["x-request-id"] ?? null, status: status ?? 0, body };
  if (status !== 200) throw new ToolRefusal(answer);
  return answer;
};

/** An operation of the control plane, without what would show a secret. */
const controlTool = (operation: Operation<Type.TObject>): SandboxTool => ({
  name: nameOf(operation),
  title: operation.id,
  description: operation.summary,
  inputSchema: inputSchema(Type.Omit(operation.request, ["reveal"])),
  effect: operation.effect,
  call: async (client, { reveal: _, ...input }) => accepted(await client.control(operation.id, input)).body,
});

const callOf = (body: Type.TSchema) =>
  Type.Object({
    world: Type.Optional(Type.String({ description: `World name (D81); default: ${DEFAULT_WORLD}` })),
    integration_id: Type.Optional(Uuid("The integration whose key it is called with; left out: none")),
    body: Type.Optional(body),
  });
/** What is wrong with the body is for the service to say, on the record. */
const AnyCall = callOf(Type.Unknown());

const keyOf = async (client: ScenarioClient, world: string, integration_id: string) => {
  const { items } = await client.must<{ items: { integration_id: string; api_key: string }[] }>("credentials.list", {
    world,
    reveal: true,
  });
  const found = items.find((one) => one.integration_id === integration_id.toLowerCase());
  if (!found) {
    const message = `/integration_id ${integration_id} is no integration of the world ${world}; credentials_list names those there are`;
    throw new ToolRefusal({ message });
  }
  return { authorization: `Bearer ${found.api_key}`, "service-integration-id": found.integration_id };
};

/** An operation that partners call, called as one of them. */
const partnerTool = (operation: Operation): SandboxTool => ({
  name: nameOf(operation),
  title: operation.id,
  description: `${operation.summary} Called as a partner calls it, with the key of an integration.`,
  inputSchema: inputSchema(callOf(operation.request)),
  effect: operation.effect,
  call: async (client, input) => {
    const problem = violation(AnyCall, input);
    if (problem !== null) throw new ToolRefusal({ message: problem });
    const { world = DEFAULT_WORLD, integration_id, body = {} } = input as Type.Static<typeof AnyCall>;
    if (!isWorldName(world)) throw new ToolRefusal({ message: "/world must be 1 to 64 of A–Z a–z 0–9 . _ -" });
    const key = integration_id === undefined ? {} : await keyOf(client, world, integration_id);
    const headers = { ...key, "x-sandbox-tenant": world };
    return accepted(await client.post(pathOf(operation), headers, JSON.stringify(body)));
  },
});

const scenarioTool: SandboxTool = {
  name: "scenario_run",
  title: "Run a scenario",
  description:
    "Runs the steps of a scenario against a fresh world, up to the first that does not hold, and says what became of each. The world is deleted at the end.",
  inputSchema: inputSchema(Type.Object({ scenario: Scenario })),
  effect: "write",
  call: async (client, input, signal) => {
    const run = new ScenarioRun(client, scenarioIn(input), signal);
    const steps: object[] = [];
    let held = true;
    try {
      for await (const { number, step, verdict } of run.steps()) {
        held = verdict.outcome === "held";
        const { detail } = verdict;
        const why = verdict.outcome === "differs" ? { difference: verdict.difference, answer: verdict.answer } : {};
        steps.push({ number, ...(step.name === undefined ? {} : { name: step.name }), held, detail, ...why });
      }
    } finally {
      await run.cleanUp();
    }
    return { held, steps };
  },
};

const scenarioIn = ({ scenario }: Input): Scenario => {
  try {
    return checkScenario(scenario);
  } catch (error) {
    if (!(error instanceof BadScenarioError)) throw error;
    throw new ToolRefusal({ message: `/scenario is none: ${error.message}` });
  }
};

/** Every tool, made from what is declared. */
export const tools: readonly SandboxTool[] = [
  ...[
    requestsList,
    requestsGet,
    requestsExplain,
    requestsReplay,
    tracesGet,
    jobsList,
    procurementsList,
    deliveriesList,
    deliveriesGet,
    subscriptionsList,
    searchEverywhere,
    integrationsReadiness,
    credentialsList,
    worldSummary,
    worldsList,
    policiesGet,
    clockGet,
    clockAdvance,
  ].map(controlTool),
  ...partnerOperations.map(partnerTool),
  scenarioTool,
];
