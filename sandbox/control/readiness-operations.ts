import { DONE_STATUS, REFUSED_FROM } from "../contract/control/exchange-kinds.ts";
import { integrationsReadiness, isErrorCode, type Readiness } from "../contract/control/readiness-operations.ts";
import type { DrillRow } from "../contract/control/receiver-rows.ts";
import type { Side } from "../contract/control/rows.ts";
import { drillNames } from "../contract/drill-names.ts";
import { drills, refusesAll } from "../contract/drills.ts";
import { errorCodes, refuse } from "../contract/errors.ts";
import { events, eventTypes } from "../contract/event-types.ts";
import { type Operation, pathOf } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { receiverAddress } from "../contract/receiver-address.ts";
import { readinessMarkdown } from "../rules/readiness-markdown.ts";
import { iso } from "../rules/timestamp.ts";
import { type CountedCalls, type CountedDeliveries, ReadinessStore } from "../storage/readiness-store.ts";
import { isOwnAddress } from "../webhooks/own-addresses.ts";
import { type BoundControl, control } from "./handler.ts";

interface Counted {
  readonly n: number;
  readonly first_at: number;
  readonly last_at: number;
}
const total = (rows: readonly Counted[]): number => rows.reduce((sum, { n }) => sum + n, 0);
const seen = (rows: readonly Counted[]) => ({
  first_at: rows.length === 0 ? null : iso(Math.min(...rows.map(({ first_at }) => first_at))),
  last_at: rows.length === 0 ? null : iso(Math.max(...rows.map(({ last_at }) => last_at))),
});
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** What an integration of a side calls with its key. */
const operationsOf = (scope: Side): readonly Operation[] =>
  partnerOperations.filter((one: Operation) => one.scope === scope || one.scope === "either");

const declaredCodes = ({ errors, decidedErrors = {}, shapeError }: Operation): string[] => [
  ...errors,
  ...Object.keys(decidedErrors),
  shapeError,
];

const operationRow = (operation: Operation, calls: readonly CountedCalls[]): Readiness["operations"][number] => {
  const own = calls.filter((one) => one.operation === operation.id);
  const codes = unique(own.flatMap(({ error_code }) => error_code ?? []));
  return {
    operation: operation.id,
    origin: operation.surface === "extension" ? "extension" : "contract",
    summary: operation.summary,
    path: pathOf(operation),
    calls: total(own),
    done: total(own.filter(({ status }) => status === DONE_STATUS)),
    refused: total(own.filter(({ status }) => status >= REFUSED_FROM)),
    ...seen(own),
    error_codes: codes.map((code) => {
      const of = own.filter(({ error_code }) => error_code === code);
      return { code, calls: total(of), ...seen(of) };
    }),
  };
};

const codeRows = (operations: readonly Operation[], calls: readonly CountedCalls[]): Readiness["error_codes"] => {
  const met = calls.flatMap(({ error_code }) => error_code ?? []);
  // A call with a wrong key is on record without the integration that made it.
  const known = operations.flatMap(declaredCodes).filter((code) => code !== "unauthorized");
  return unique([...known, ...met]).map((code) => {
    const own = calls.filter(({ error_code }) => error_code === code);
    return {
      code,
      calls: total(own),
      operations: operations.filter((one) => declaredCodes(one).includes(code)).map(({ id }) => id),
      ...seen(own),
    };
  });
};

interface TakenDeliveries extends CountedDeliveries {
  /** Their receiver is one of the sandbox. */
  readonly isOwn: boolean;
}

const eventRows = (scope: Side, deliveries: readonly TakenDeliveries[]): Readiness["events"] =>
  eventTypes
    .filter((type) => events[type].side === scope)
    .map((event_type) => {
      const own = deliveries.filter((one) => one.event_type === event_type);
      const of = (status: string) => total(own.filter((one) => one.status === status));
      return {
        ...{ event_type, pending: of("pending"), delivered: of("delivered"), failed: of("failed") },
        acknowledged: total(own.filter(({ status, isOwn }) => status === "delivered" && !isOwn)),
        ...seen(own),
      };
    });

/** The subscriptions whose receiver refuses the good with the bad. */
const bluntOnes = (results: readonly DrillRow[]): ReadonlySet<string> => {
  const latest = Map.groupBy(
    new Map(results.map((one) => [`${one.subscription_id} ${one.drill}`, one])).values(),
    ({ subscription_id }) => subscription_id,
  );
  return new Set([...latest].flatMap(([subscription, of]) => (refusesAll(of) ? subscription : [])));
};

const drillRows = (results: readonly DrillRow[]): Readiness["receiver"]["drills"] => {
  const blunt = bluntOnes(results);
  return drillNames.map((drill) => {
    const own = results.filter((one) => one.drill === drill).sort((one, other) => one.at.localeCompare(other.at));
    const latests = [...new Map(own.map((one) => [one.subscription_id, one])).values()];
    // One receiver that does right excuses no other.
    const latest = latests.findLast(({ verdict }) => verdict === "failed") ?? own.at(-1);
    const proves = ({ subscription_id }: DrillRow) =>
      drills[drill].expects.answer === "acknowledge" || !blunt.has(subscription_id);
    const { title } = drills[drill];
    if (!latest) return { drill, title, passed: 0, failed: 0, latest: null };
    const { verdict, at, sentence, subscription_id } = latest;
    return {
      drill,
      title,
      passed: own.filter((one) => one.verdict === "passed" && proves(one)).length,
      failed: own.filter(({ verdict: of }) => of === "failed").length,
      latest: {
        ...{ verdict, at, sentence, subscription_id },
        proves: proves(latest),
      },
    };
  });
};

/** What it never did or did wrong, with what to do, from what is declared of each. */
const nextSteps = ({
  operations,
  error_codes,
  events: types,
  receiver,
}: Omit<Readiness, "next" | "summary">): Readiness["next"] => [
  ...(receiver.subscriptions.length > 0
    ? []
    : [
        {
          kind: "subscription" as const,
          name: "webhooks.subscribe",
          do: "Register the receiver's address with POST /__webhooks/subscribe.",
        },
      ]),
  ...operations
    .filter(({ calls, origin }) => calls === 0 && origin === "contract")
    .map(({ operation, path, summary }) => ({
      kind: "operation" as const,
      name: operation,
      do: `The partner's program has to send POST ${path}. ${summary}`,
    })),
  ...error_codes
    .filter(({ calls }) => calls === 0)
    .flatMap(({ code, operations: of }) =>
      isErrorCode(code)
        ? [
            {
              kind: "error_code" as const,
              name: code,
              do: `Make one of ${of.join(", ")} answer it. ${errorCodes[code].meaning} What to do on it: ${errorCodes[code].remedy}`,
            },
          ]
        : [],
    ),
  ...types
    .filter(({ acknowledged }) => acknowledged === 0)
    .map(({ event_type, delivered }) => ({
      kind: "event" as const,
      name: event_type,
      do: `${delivered > 0 ? "Acknowledged by the sandbox's own receiver only. " : ""}Let it arise and answer its delivery with 200. ${events[event_type].sentence}`,
    })),
  ...(receiver.later_attempt > 0
    ? []
    : [
        {
          kind: "retry" as const,
          name: "retry",
          do: "Answer a notification with another status than 200 once, then acknowledge the next attempt of it.",
        },
      ]),
  ...receiver.drills
    .filter(({ latest }) => latest === null)
    .map(({ drill }) => ({
      kind: "drill" as const,
      name: drill,
      do: `Run this drill on a subscription. It sends: ${drills[drill].sends} ${drills[drill].why}`,
    })),
  ...receiver.drills.flatMap(({ drill, latest }) =>
    latest?.verdict === "failed"
      ? [
          {
            kind: "drill" as const,
            name: drill,
            do: `Mend the receiver, and run this drill on it again. ${latest.sentence}`,
          },
        ]
      : [],
  ),
];

const metOf = (counts: readonly number[]) => ({ met: counts.filter((count) => count > 0).length, of: counts.length });
const callsMet = (rows: Readiness["operations"], of: Readiness["operations"][number]["origin"]) =>
  metOf(rows.filter(({ origin }) => origin === of).map(({ calls }) => calls));

export const readinessControls: readonly BoundControl[] = [
  control(integrationsReadiness, ({ world, info }, { integration_id, format }) => {
    const { db, stores } = world;
    const credential = stores.credentials.byIntegration(integration_id.toLowerCase());
    if (!credential) return refuse("not_found", `/integration_id ${integration_id} is no integration of this world`);
    const { scope, client_id, preloaded, organization_id } = credential;
    const store = new ReadinessStore(db);
    const calls = store.calls(credential.integration_id);
    const subscriptions = stores.subscriptions.ofIntegration(credential.integration_id);
    const tallies = subscriptions.map(({ seq, url }) => ({
      ...store.deliveries(seq),
      isOwn: isOwnAddress(url, info.baseUrl),
    }));
    const deliveries = tallies.flatMap(({ rows, isOwn }) => rows.map((row) => ({ ...row, isOwn })));
    // What the sandbox's own receivers did says nothing of the partner's.
    const theirs = deliveries.filter(({ isOwn }) => !isOwn);
    const acknowledged = theirs.filter(({ status }) => status === "delivered");
    const drilled = subscriptions.filter(({ url }) => !isOwnAddress(url, info.baseUrl));
    const operations = operationsOf(scope);
    const { max_age_hours, max_megabytes } = stores.settings.get("retention");
    const known: Omit<Readiness, "next" | "summary"> = {
      ...{ integration_id: credential.integration_id, organization_id, scope, client_id, preloaded },
      organization_name: stores.directory.organization(organization_id)?.name ?? "",
      installed_at: iso(credential.created_at),
      record: {
        since: seen(calls.rows).first_at,
        calls: total(calls.rows),
        calls_is_minimum: calls.isMinimum,
        deliveries: total(deliveries),
        deliveries_is_minimum: tallies.some(({ isMinimum }) => isMinimum),
        ...{ max_age_hours, max_megabytes },
      },
      operations: operations.map((operation) => operationRow(operation, calls.rows)),
      error_codes: codeRows(operations, calls.rows),
      events: eventRows(scope, deliveries),
      receiver: {
        subscriptions: subscriptions.map(({ id, url, created_at, paused_at }) => ({
          ...{ id, url: receiverAddress(url), created_at: iso(created_at), paused: paused_at !== null },
        })),
        first_attempt: total(acknowledged.filter(({ retried }) => !retried)),
        later_attempt: total(acknowledged.filter(({ retried }) => retried)),
        given_up: total(theirs.filter(({ status }) => status === "failed")),
        drills: drillRows(drilled.flatMap(({ id }) => store.drills(id))),
      },
    };
    const readiness: Readiness = {
      ...known,
      summary: {
        operations: callsMet(known.operations, "contract"),
        extensions: callsMet(known.operations, "extension"),
        error_codes: metOf(known.error_codes.map((one) => one.calls)),
        events: metOf(known.events.map((one) => one.acknowledged)),
        drills: {
          ...metOf(known.receiver.drills.map(({ latest }) => (latest === null ? 0 : 1))),
          passed: known.receiver.drills.filter(({ latest }) => latest?.verdict === "passed" && latest.proves).length,
        },
      },
      next: nextSteps(known),
    };
    return format === "markdown" ? { ...readiness, markdown: readinessMarkdown(readiness) } : readiness;
  }),
];
