import { createHash } from "node:crypto";
import { errorRemedy } from "../contract/causes.ts";
import { DONE_STATUS, NO_OPERATION, REFUSED_FROM } from "../contract/control/exchange-kinds.ts";
import type {
  BoardRow,
  Evidence,
  IssuedEvidence,
  Judged,
  Plan,
  Readiness,
  RequiredCheck,
} from "../contract/control/readiness-operations.ts";
import type { DrillRow } from "../contract/control/receiver-operations.ts";
import type { DeliveryStatus, Side } from "../contract/control/rows.ts";
import { type DrillName, drillNames } from "../contract/drill-names.ts";
import { drills, rejectsValidToo } from "../contract/drills.ts";
import { type ErrorCode, errorCodes, Refusal, refuse } from "../contract/errors.ts";
import { events, eventTypes } from "../contract/event-types.ts";
import { INTERFACE_VERSION, type Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { receiverAddress } from "../contract/text.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { EvidenceRecord } from "../storage/evidence-store.ts";
import { newId } from "../storage/new-id.ts";
import {
  type CountedCalls,
  type CountedDeliveries,
  type CountedSpan,
  ReadinessStore,
} from "../storage/readiness-store.ts";
import { realTime } from "../storage/real-time.ts";
import { mapSliced } from "../storage/slices.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import { isOwnAddress } from "../webhooks/own-addresses.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control, findIntegration } from "./handler.ts";
import {
  evaluateReadiness,
  evidenceStatement,
  listRequiredChecks,
  operationStep,
  readinessMarkdown,
} from "./readiness.ts";

const sumCounts = (rows: readonly CountedSpan[]): number => rows.reduce((sum, { n }) => sum + n, 0);
const last = (rows: readonly CountedSpan[]) =>
  rows.length === 0 ? null : iso(Math.max(...rows.map(({ last_at }) => last_at)));
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/**
 * Error codes a program can receive. Excludes 401, because a call with a wrong key is recorded without its integration.
 */
const declaredCodes = ({ errors, decidedErrors = {}, shapeError }: Operation): string[] => [
  ...[...errors, ...Object.keys(decidedErrors), shapeError].filter((code) => code !== "unauthorized"),
];

/**
 * Operations of the integration's side, and its other calls: operations of the other side, sandbox routes, and unknown
 * addresses.
 */
const operationRows = (operations: readonly Operation[], calls: readonly CountedCalls[]): Readiness["operations"] => {
  const called = Map.groupBy(calls, ({ operation }) => operation ?? NO_OPERATION);
  const row = (operation: string, origin: "contract" | "extension" | "other") => {
    const own = called.get(operation) ?? [];
    return {
      ...{ operation, origin, calls: sumCounts(own) },
      done: sumCounts(own.filter(({ status }) => status === DONE_STATUS)),
      refused: sumCounts(own.filter(({ status }) => status >= REFUSED_FROM)),
      last_at: last(own),
    };
  };
  const checkNames = new Set(operations.map(({ id }) => id));
  return [
    ...operations.map(({ id, surface }) => row(id, surface === "extension" ? "extension" : "contract")),
    ...[...called.keys()].filter((id) => !checkNames.has(id)).map((id) => row(id, "other")),
  ];
};

const codeRows = (operations: readonly Operation[], calls: readonly CountedCalls[]): Readiness["error_codes"] => {
  const met = calls.flatMap(({ error_code }) => error_code ?? []);
  return unique([...operations.flatMap(declaredCodes), ...met]).map((code) => {
    const own = calls.filter(({ error_code }) => error_code === code);
    const declaring = operations.filter((one) => declaredCodes(one).includes(code));
    return { code, calls: sumCounts(own), operations: declaring.map(({ id }) => id), last_at: last(own) };
  });
};

const eventRows = (scope: Side, deliveries: readonly CountedDeliveries[]): Readiness["events"] =>
  eventTypes
    .filter((type) => events[type].side === scope)
    .map((event_type) => {
      const own = deliveries.filter((one) => one.event_type === event_type);
      const count = (status: DeliveryStatus) => sumCounts(own.filter((one) => one.status === status));
      return { event_type, acknowledged: count("delivered"), failed: count("failed"), last_at: last(own) };
    });

/** Latest result of each drill. A receiver that failed outweighs one that passed. */
const drillRows = (bySubscription: readonly (readonly DrillRow[])[]): Readiness["receiver"]["drills"] => {
  const results = bySubscription
    .flatMap((own) => own.map((row) => ({ ...row, isBlunt: rejectsValidToo(own) })))
    .toSorted((one, other) => one.at.localeCompare(other.at));
  return drillNames.map((drill) => {
    const own = results.filter((one) => one.drill === drill);
    const found = own.findLast(({ verdict }) => verdict === "failed") ?? own.at(-1);
    if (!found) return { drill, latest: null };
    const { verdict, at, sentence, subscription_id, url, isBlunt } = found;
    const proves = drills[drill].expects.answer === "acknowledge" || !isBlunt;
    return { drill, latest: { verdict, at, sentence, subscription_id, url: receiverAddress(url), proves } };
  });
};

type Next = Readiness["next"][number];
const step = (kind: Next["kind"], name: string, what: string): Next => ({ kind, name, do: what });

const drillStep = (drill: DrillName, latest: Readiness["receiver"]["drills"][number]["latest"]): Next[] => {
  const { sends, why } = drills[drill];
  if (latest === null) return [step("drill", drill, `Run this drill on a subscription. It sends: ${sends} ${why}`)];
  if (latest.verdict === "passed" && latest.proves) return [];
  const reason = latest.proves ? latest.sentence : "It rejects valid notifications too, so this proves nothing.";
  return [step("drill", drill, `Fix the receiver at ${latest.url}, then run this drill again. ${reason}`)];
};

/** Next steps for missing or failed checks, from their declarations. */
const nextSteps = (of: Pick<Readiness, "operations" | "error_codes" | "events" | "receiver">): Next[] => {
  const notDone = of.operations.filter(({ origin, done }) => origin === "contract" && done === 0);
  const register =
    "Register the address of the partner’s own receiver with POST /__webhooks/subscribe. The sandbox’s sink and built-in receivers don’t count.";
  const retry = "Return a status other than 200 to a notification once, then acknowledge its next attempt.";
  return [
    ...(of.receiver.subscriptions.some(({ sandbox }) => !sandbox)
      ? []
      : [step("subscription", "webhooks.subscribe", register)]),
    ...partnerOperations.flatMap(({ id }) => notDone.filter(({ operation }) => operation === id).map(operationStep)),
    ...Object.entries(errorCodes).flatMap(([code, { meaning }]) => {
      const operations = of.error_codes.find((one) => one.code === code && one.calls === 0)?.operations;
      if (!operations) return [];
      const what = `Get this error from one of ${operations.join(", ")}. ${meaning} How to handle it: ${errorRemedy(code as ErrorCode)}`;
      return [step("error_code", code, what)];
    }),
    ...of.events
      .filter(({ acknowledged }) => acknowledged === 0)
      .map(({ event_type }) => {
        const what = `Cause this event and acknowledge its delivery with 200. ${events[event_type].sentence}`;
        return step("event", event_type, what);
      }),
    ...(of.receiver.later_attempt > 0 ? [] : [step("retry", "retry", retry)]),
    ...of.receiver.drills.flatMap(({ drill, latest }) => drillStep(drill, latest)),
  ];
};

const countMet = (counts: readonly number[]) => ({
  met: counts.filter((count) => count > 0).length,
  of: counts.length,
});

/** Readiness of an integration, from its records. */
const readReadiness = (
  { db, stores }: World,
  info: Pick<ControlContext["info"], "baseUrl">,
  credential: CredentialRow,
): Readiness => {
  const { scope, preloaded, organization_id, created_at } = credential;
  const store = new ReadinessStore(db);
  const calls = store.calls(credential.integration_id);
  const subscriptions = stores.subscriptions.listByIntegration(credential.integration_id);
  // Results of the sandbox's own receivers prove nothing about the partner's, whatever their address.
  const isOwn = ({ url, by_sandbox }: SubscriptionRecord): boolean => by_sandbox || isOwnAddress(url, info.baseUrl);
  const theirs = subscriptions.filter((one) => !isOwn(one));
  const deliveries = theirs.flatMap(({ seq }) => store.deliveries(seq));
  const acknowledged = deliveries.filter(({ status }) => status === "delivered");
  // Operations the side can call with its key.
  const own = partnerOperations.filter((one: Operation) => one.scope === scope || one.scope === "either");
  const operations = operationRows(own, calls);
  const error_codes = codeRows(own, calls);
  const eventsMet = eventRows(scope, deliveries);
  const drillsMet = drillRows(theirs.map(({ id }) => [...stores.drills.latest(id).values()]));
  const receiver: Readiness["receiver"] = {
    subscriptions: subscriptions.map((one) => ({
      ...{ id: one.id, url: receiverAddress(one.url), paused: one.paused_at !== null, sandbox: isOwn(one) },
    })),
    first_attempt: sumCounts(acknowledged.filter(({ retried }) => !retried)),
    later_attempt: sumCounts(acknowledged.filter(({ retried }) => retried)),
    drills: drillsMet,
  };
  return {
    ...{ integration_id: credential.integration_id, scope, preloaded, installed_at: iso(created_at) },
    organization_name: stores.directory.organization(organization_id)?.name ?? "",
    record: {
      since: calls.length === 0 ? null : iso(Math.min(...calls.map(({ first_at }) => first_at))),
      until: last(calls),
      ...{ calls: sumCounts(calls), deliveries: sumCounts(deliveries) },
    },
    ...{ operations, error_codes, events: eventsMet, receiver },
    summary: {
      operations: countMet(operations.filter(({ origin }) => origin === "contract").map((one) => one.done)),
      error_codes: countMet(error_codes.map((one) => one.calls)),
      events: countMet(eventsMet.map((one) => one.acknowledged)),
      drills: {
        ...countMet(drillsMet.map(({ latest }) => (latest === null ? 0 : 1))),
        passed: drillsMet.filter(({ latest }) => latest?.verdict === "passed" && latest.proves).length,
      },
    },
    next: nextSteps({ operations, error_codes, events: eventsMet, receiver }),
  };
};

const findPlan = (plans: readonly Plan[], { client_id }: CredentialRow): Plan | null =>
  plans.find((plan) => plan.client_id === client_id) ?? null;

/** Evaluates an integration by its client's plan, if there is one. */
const evaluateByPlan = (plans: readonly Plan[], credential: CredentialRow, readiness: Readiness): Judged =>
  evaluateReadiness(readiness, findPlan(plans, credential));

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

let contract: Evidence["contract"] | null = null;
/** Independent of the service's address. */
const identifyContract = async (): Promise<Evidence["contract"]> => {
  // Loaded on first use, which keeps the start fast.
  const { openApiDocument } = await import("../contract/openapi/document.ts");
  contract ??= { version: INTERFACE_VERSION, digest: `sha256:${sha256(JSON.stringify(openApiDocument("")))}` };
  return contract;
};

const issuedRow = ({ seq: _, issued_at, revoked_at, ...row }: EvidenceRecord): IssuedEvidence => ({
  ...row,
  issued_at: iso(issued_at),
  revoked_at: isoOrNull(revoked_at),
});

const MAX_ROWS = 100;

const boardRow = (
  { info }: Pick<ControlContext, "info">,
  plans: readonly Plan[],
  world: World,
  credential: CredentialRow,
): BoardRow | undefined => {
  const readiness = readReadiness(world, info, credential);
  const { integration_id, organization_name, scope, preloaded, record, operations } = readiness;
  if (preloaded && record.calls === 0) return undefined;
  const last_called_at =
    operations
      .flatMap(({ last_at }) => last_at ?? [])
      .toSorted()
      .at(-1) ?? null;
  const { client_id } = credential;
  return {
    ...{ world: world.name, integration_id, organization_name, scope, client_id, preloaded },
    ...{ calls: record.calls, last_called_at },
    ...evaluateByPlan(plans, credential, readiness),
  };
};

/** Operations called with an integration's key. */
const keyedOperations = partnerOperations.filter(({ scope }: Operation) => scope !== "none");

const known: Readonly<Record<RequiredCheck["kind"], readonly string[]>> = {
  subscription: ["webhooks.subscribe"],
  operation: keyedOperations.map(({ id }) => id),
  error_code: [...new Set(keyedOperations.flatMap(declaredCodes))],
  event: eventTypes,
  retry: ["retry"],
  drill: drillNames,
};

export const readinessControls: readonly BoundControl[] = [
  control("integrations.readiness", ({ world, info, access }, { integration_id, format }) => {
    const credential = findIntegration(world, integration_id);
    if (credential instanceof Refusal) return credential;
    const readiness = readReadiness(world, info, credential);
    const report = { ...readiness, judged: evaluateByPlan(access.plans(), credential, readiness) };
    return format === "markdown" ? { ...report, markdown: readinessMarkdown(report) } : report;
  }),
  control("integrations.board", async (context, { everywhere, cursor, limit = MAX_ROWS }) => {
    const { worlds, worldName, inSlices } = context;
    const plans = context.access.plans();
    const names = everywhere ? (await worlds.listAll()).map(({ name }) => name).toSorted() : [worldName];
    const after = cursor === undefined ? "" : Buffer.from(cursor, "base64url").toString("utf8");
    const items: BoardRow[] = [];
    for (const name of names.filter((one) => one > after)) {
      // Keeps a world's rows on one page, so a page may exceed its limit.
      if (items.length >= limit) {
        const last = items.at(-1)?.world ?? "";
        return { items, next_cursor: Buffer.from(last).toString("base64url") };
      }
      const rows = await worlds.peek(name, (world) => {
        const credentials = world.stores.credentials.list().toReversed();
        return inSlices(() => mapSliced(credentials, (one) => boardRow(context, plans, world, one)));
      });
      items.push(...(rows ?? []));
    }
    return { items, next_cursor: null };
  }),
  control("plans.list", ({ access }) => ({ items: access.plans() })),
  control("plans.set", ({ access, world }, { client_id, plan }) => {
    const { credentials } = world.stores;
    if (plan && !credentials.client(client_id)) {
      const clients = credentials.clients().map((client) => client.client_id);
      return refuse("bad_request", `/client_id No client ${client_id}. One of ${clients.join(", ")}`);
    }
    const wrong = plan?.requires.findIndex(({ kind, name }) => !known[kind].includes(name)) ?? -1;
    if (plan && wrong >= 0) {
      const { kind = "operation", name } = plan.requires[wrong] ?? {};
      return refuse("bad_request", `/plan/requires/${wrong}/name ${name} is not one of ${known[kind].join(", ")}`);
    }
    access.setPlan(client_id, plan);
    return { items: access.plans() };
  }),
  control("integrations.evidence", async (context, { integration_id }) => {
    const { world, info, evidence } = context;
    const contract = await identifyContract();
    const credential = findIntegration(world, integration_id);
    if (credential instanceof Refusal) return credential;
    const readiness = readReadiness(world, info, credential);
    const plan = findPlan(context.access.plans(), credential);
    const [id, at, { client_id }] = [newId(), realTime(), credential];
    const evaluation = evaluateReadiness(readiness, plan);
    const statement = {
      ...{ id, issued_at: iso(at), contract },
      service: { url: info.baseUrl, version: info.version },
      ...{ world: world.name, client_id },
      ...evaluation,
      ...{ required_checks: listRequiredChecks(readiness, plan), readiness },
    };
    const signed = context.signEvidence(
      JSON.stringify({ statement: evidenceStatement(statement), ...statement }, null, 2),
    );
    const { unmet: _, ...outcome } = evaluation;
    await evidence.insert({
      ...{ id, issued_at: at, world: world.name, client_id, ...outcome, digest: sha256(signed.evidence) },
      ...{ integration_id: readiness.integration_id, organization_name: readiness.organization_name },
    });
    return signed;
  }),
  control(
    "evidence.list",
    async ({ evidence, worldName }, { id, integration_id, everywhere, cursor, limit = MAX_ROWS }) => {
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
        return refuse("bad_request", "/cursor must be the next_cursor of an earlier page of the same list");
      const filter = { world: everywhere ? null : worldName, integration_id: integration_id?.toLowerCase() ?? null };
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
      const found = await evidence.list({ ...filter, id: id?.toLowerCase() ?? null }, before, limit + 1);
      const items = found.slice(0, limit);
      return { items: items.map(issuedRow), next_cursor: found.length > limit ? String(items.at(-1)?.seq) : null };
    },
  ),
  control("evidence.revoke", async ({ evidence, worldName: world }, { id: given, reason }) => {
    const id = given.toLowerCase();
    await evidence.revoke(id, world, realTime(), reason ?? null);
    const [row] = await evidence.list({ world, integration_id: null, id }, Number.MAX_SAFE_INTEGER, 1);
    return row
      ? issuedRow(row)
      : refuse("not_found", `/id ${given}: no evidence with this ID was issued for world ${world}`);
  }),
];
