import * as Type from "typebox";
import type { NeededScope } from "../contract/access.ts";
import { type ControlOperations, controlById } from "../contract/control/all-operations.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import { documented, inlined, type Plain } from "../contract/openapi/schemas.ts";
import { type Operation, operationPath, type RequestOf } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { Scenario } from "../contract/scenario.ts";
import { Uuid } from "../contract/schema.ts";
import { describeControlViolation } from "../operations/validation.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";
import { BadScenarioError, checkScenario } from "../scenario/read-scenario.ts";
import { ScenarioRun } from "../scenario/run-scenario.ts";
import type { ReachedResponse, ScenarioClient } from "../scenario/scenario-client.ts";

/** Context of a tool's call. */
interface ToolCall {
  readonly client: ScenarioClient;
  /** Cancels long work. */
  readonly signal: AbortSignal;
  /** Scenarios that assistants are running on this service. */
  readonly running: Set<AbortSignal>;
}

export interface SandboxTool {
  /** Assistants accept letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Plain;
  readonly effect: Operation["effect"];
  /** The lowest scope that may use the tool; the service also checks each of its calls. */
  readonly needs: NeededScope;
  /** @throws ToolRefusal, UnreachableError, or the signal's reason */
  call(input: unknown, call: ToolCall): Promise<unknown>;
}

/** A tool's refusal: the service's error, or the reason for not calling it. */
export class ToolRefusal extends Error {
  readonly refusal: unknown;

  constructor(refusal: unknown) {
    super("the tool was refused");
    this.refusal = refusal;
  }
}
const refused = (message: string): ToolRefusal => new ToolRefusal({ message });

const plain = (schema: Type.TSchema): Plain => inlined(documented(schema)) as Plain;

interface ToolDeclaration<I extends Type.TObject>
  extends Pick<SandboxTool, "name" | "description" | "effect" | "needs"> {
  readonly input: I;
  readonly call: (input: Type.Static<I>, call: ToolCall) => Promise<unknown>;
}

/** A tool that refuses undeclared input. */
const tool = <I extends Type.TObject>({ input, call, ...declared }: ToolDeclaration<I>): SandboxTool => ({
  ...declared,
  inputSchema: { ...plain(input), additionalProperties: false },
  call: (given, called) => {
    const problem = describeControlViolation({ effect: "write", request: input }, given);
    if (problem !== null) throw refused(problem);
    return call(given as Type.Static<I>, called);
  },
});

/** Returns the body of a control operation; its calls are not recorded. */
const successBody = ({ status, body }: ReachedResponse): unknown => {
  if (status !== 200) throw new ToolRefusal({ status, body });
  return body;
};

const ITEMS = 20;
const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, description: `Maximum number of items (default: ${ITEMS})` }),
);

/** The first items of an unpaged list, and the total. */
const firstItems = (body: unknown, limit: number): unknown => {
  const { items, ...rest } = body as { readonly items: readonly unknown[] };
  return { total: items.length, ...rest, items: items.slice(0, limit) };
};

const toolName = ({ id }: Pick<Operation, "id">): string => id.replaceAll(/[.-]/g, "_");

/** A control operation as a tool, limited to the parameters an assistant needs. None of them reveals a secret. */
const controlTool = <Id extends keyof ControlOperations>(
  id: Id,
  ...parameters: readonly (keyof RequestOf<ControlOperations[Id]> & string)[]
): SandboxTool => {
  const operation: Operation<Type.TObject> = controlById[id];
  const { limit, ...taken } = Type.Pick(operation.request, ["world", ...parameters]).properties as Type.TProperties;
  const paged = limit !== undefined;
  const list = paged || id.endsWith(".list");
  const { needs = "operator" } = operation.access ?? {};
  return tool({
    needs: needs === "anyone" ? "view" : needs,
    name: toolName(operation),
    description: operation.summary,
    effect: operation.effect,
    input: Type.Object({ ...taken, ...(list ? { limit: Limit } : {}) }),
    call: async (input, { client }) => {
      if (!list) return successBody(await client.control(id, input));
      const { limit: most = ITEMS, ...rest } = input as { readonly limit?: number };
      const listBody = successBody(await client.control(id, paged ? { ...rest, limit: most } : rest));
      return paged ? listBody : firstItems(listBody, most);
    },
  });
};

const World = Type.Optional(Type.String({ description: `The world (default: ${DEFAULT_WORLD})` }));

const SCENARIO = "scenario";
const operationIds = partnerOperations.map(({ id }) => id);
const scopes: Readonly<Record<Operation["scope"], string>> = {
  repairer: "a buyer’s integration",
  supplier: "a supplier’s integration",
  either: "any integration",
  none: "without a key",
};

const describeTool = tool({
  name: "api_describe",
  description:
    "Lists the API operations and who can call them. With a name: that operation’s request, response and errors.",
  ...{ effect: "read", needs: "view" },
  input: Type.Object({
    name: Type.Optional(
      Type.String({
        maxLength: 64,
        description: `An operation such as repairer.jobs.insert, or ${SCENARIO} for the scenario format (default: list all)`,
      }),
    ),
  }),
  call: async ({ name }) => {
    if (name === SCENARIO) return { name, schema: plain(Scenario) };
    const about = (one: Operation) => ({ name: one.id, summary: one.summary, called_by: scopes[one.scope] });
    if (name === undefined) return { items: partnerOperations.map(about) };
    const operation = partnerOperations.find(({ id }) => id === name);
    if (operation) {
      const { request, response, errors } = operation;
      return { ...about(operation), body: plain(request), answer: plain(response), errors };
    }
    const [meant] = nearestNames(name, operationIds);
    throw refused(
      `/name ${name} is not an operation; ${meant ? `did you mean ${meant}?` : "leave name out to list them all"}`,
    );
  },
});

interface Key {
  readonly integration_id: string;
  readonly api_key: string;
  readonly preloaded: boolean;
}

/** The headers of an integration's calls; a world that doesn't exist yet will have the seed's keys (D85). */
const integrationHeaders = async (client: ScenarioClient, world: string, integration_id: string) => {
  const keysOf = (one: string) => client.control("credentials.list", { world: one, reveal: true });
  const keys = await keysOf(world);
  const isNew = keys.status === 404;
  const { items } = successBody(isNew ? await keysOf(DEFAULT_WORLD) : keys) as { readonly items: readonly Key[] };
  const found = items.find((one) => one.integration_id === integration_id.toLowerCase() && (one.preloaded || !isNew));
  if (!found)
    throw refused(
      `/integration_id ${integration_id} isn’t an integration of world ${world}; credentials_list has the current ones`,
    );
  return { authorization: `Bearer ${found.api_key}`, "service-integration-id": found.integration_id };
};

const callTool = tool({
  name: "api_call",
  description:
    "Calls an API operation with an integration’s key. api_describe documents each; requests_explain explains the returned request_id.",
  ...{ effect: "write", needs: "act" },
  input: Type.Object({
    operation: Type.Unsafe<string>({ type: "string", enum: operationIds, description: "The operation" }),
    world: World,
    integration_id: Type.Optional(
      Uuid("The integration whose key to use (default: none). A call with a key creates a missing world"),
    ),
    body: Type.Optional(Type.Unknown({ description: "The JSON body, valid or not (default: {})" })),
  }),
  call: async ({ operation: id, world = DEFAULT_WORLD, integration_id, body = {} }, { client }) => {
    if (!isWorldName(world)) throw refused("/world must be 1 to 64 of A–Z a–z 0–9 . _ -");
    const operation = partnerOperations.find((one) => one.id === id);
    if (!operation) throw refused(`/operation ${id} doesn’t exist`);
    let key = {};
    if (integration_id !== undefined) key = await integrationHeaders(client, world, integration_id);
    // Without a key, a call would neither create the world nor be recorded.
    else successBody(await client.control("clock.get", { world }));
    const headers = { ...key, "x-sandbox-tenant": world };
    const reached = await client.post(operationPath(operation), headers, JSON.stringify(body));
    const { status, headers: responseHeaders, body: responseBody } = reached;
    const result = { request_id: responseHeaders["x-request-id"] ?? null, world, status, body: responseBody };
    if (status !== 200) throw new ToolRefusal(result);
    return result;
  },
});

const stateTool = tool({
  name: "world_state",
  description: "A world’s state: counts, clock, settings for assumptions, faults, subscriptions and clients.",
  ...{ effect: "read", needs: "view" },
  input: Type.Object({ world: World }),
  call: async (input, { client }) => {
    const read = async (id: keyof ControlOperations) => successBody(await client.control(id, input));
    const summary = (await read("world.summary")) as Readonly<
      Record<"jobs" | "procurements" | "events" | "deliveries", unknown>
    >;
    const { jobs, procurements, events, deliveries } = summary;
    return {
      ...{ jobs, procurements, events, deliveries },
      clock: await read("clock.get"),
      ...((await read("policies.get")) as object),
      faults: firstItems(await read("faults.list"), ITEMS),
      subscriptions: firstItems(await read("subscriptions.list"), ITEMS),
      clients: firstItems(await read("clients.list"), ITEMS),
    };
  },
});

const parseScenario = (given: unknown): Scenario => {
  try {
    return checkScenario(given);
  } catch (error) {
    if (!(error instanceof BadScenarioError)) throw error;
    throw refused(`/scenario is none: ${error.message}`);
  }
};

/** Limit on concurrent runs, so that other calls aren't delayed. */
const MAX_RUNNING = 4;

const scenarioTool = tool({
  name: "scenario_run",
  description:
    "Runs a scenario in a new world until the first failed step, and reports each step. The world is deleted at the end.",
  ...{ effect: "write", needs: "operator" },
  input: Type.Object({
    scenario: Type.Unknown({
      description: `The scenario; api_describe with the name ${SCENARIO} documents its format`,
    }),
  }),
  call: async ({ scenario }, { client, signal, running }) => {
    const run = new ScenarioRun(client, parseScenario(scenario), { signal });
    if (running.size >= MAX_RUNNING)
      throw refused(`${MAX_RUNNING} scenarios of assistants are running; try again when one has ended`);
    running.add(signal);
    const steps: object[] = [];
    let passed = true;
    try {
      for await (const { number, step, verdict } of run.steps()) {
        passed = verdict.outcome === "held";
        const { detail, difference, answer, explained } = verdict;
        const why = verdict.outcome === "differs" ? { difference, answer, explained } : {};
        steps.push({ number, ...(step.name === undefined ? {} : { name: step.name }), passed, detail, ...why });
      }
    } finally {
      await run.cleanUp();
      running.delete(signal);
    }
    return { passed, steps };
  },
});

/** Every tool; most are derived from operations. */
export const tools: readonly SandboxTool[] = [
  describeTool,
  callTool,
  controlTool(
    "requests.list",
    "search",
    "operation",
    "status",
    "refused",
    "integration_id",
    "job_id",
    "cursor",
    "limit",
  ),
  controlTool("requests.get", "id"),
  controlTool("requests.explain", "id"),
  controlTool("requests.replay", "id", "to", "integration_id", "body"),
  controlTool("traces.get", "id"),
  controlTool("jobs.list", "search", "state", "cursor", "limit"),
  controlTool("deliveries.list", "status", "integration_id", "job_id", "cursor", "limit"),
  controlTool("deliveries.get", "id"),
  controlTool("integrations.readiness", "integration_id"),
  controlTool("credentials.list"),
  controlTool("activity.list", "since", "integration_id", "user_agent"),
  controlTool("worlds.list"),
  stateTool,
  controlTool("policies.set", "policies"),
  controlTool("faults.set", "name", "operation", "integration_id", "calls", "effect", "uses", "for_seconds"),
  controlTool("faults.clear", "id"),
  controlTool("clock.advance", "seconds"),
  scenarioTool,
];
