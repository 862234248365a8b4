import {
  type BoardRow,
  type Evidence,
  integrationsBoard,
  integrationsEvidence,
  type Plan,
  plansList,
  plansSet,
} from "../contract/control/evidence-operations.ts";
import type { RequiredCheck } from "../contract/control/readiness-operations.ts";
import { drillNames } from "../contract/drill-names.ts";
import { refuse } from "../contract/errors.ts";
import { eventTypes } from "../contract/event-types.ts";
import type { Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import { eachOf } from "../storage/slices.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";
import { declaredCodes, judgedBy, noIntegration, readinessOf } from "./readiness-operations.ts";

const MOST_ROWS = 100;

const boardRow = (
  { info }: Pick<ControlContext, "info">,
  plans: readonly Plan[],
  world: World,
  credential: CredentialRow,
): BoardRow | undefined => {
  const readiness = readinessOf(world, info, credential);
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
    ...judgedBy(plans, credential, readiness),
  };
};

/** What is called with an integration's key. */
const made = partnerOperations.filter(({ scope }: Operation) => scope !== "none");

const known: Readonly<Record<RequiredCheck["kind"], readonly string[]>> = {
  subscription: ["webhooks.subscribe"],
  operation: made.map(({ id }) => id),
  error_code: [...new Set(made.flatMap(declaredCodes))],
  event: eventTypes,
  retry: ["retry"],
  drill: drillNames,
};

/** How ready integrations are, and what proves it. */
export const evidenceControls: readonly BoundControl[] = [
  control(integrationsBoard, async (context, { everywhere, cursor, limit = MOST_ROWS }) => {
    const { worlds, worldName, inSlices } = context;
    const plans = context.access.plans();
    const names = everywhere ? (await worlds.listAll()).map(({ name }) => name).toSorted() : [worldName];
    const after = cursor === undefined ? "" : Buffer.from(cursor, "base64url").toString("utf8");
    const items: BoardRow[] = [];
    for (const name of names.filter((one) => one > after)) {
      // A whole world at a time: a page may be longer than it was asked for.
      if (items.length >= limit) {
        const last = items.at(-1)?.world ?? "";
        return { items, next_cursor: Buffer.from(last).toString("base64url") };
      }
      const rows = await worlds.peek(name, (world) => {
        const credentials = world.stores.credentials.list().toReversed();
        return inSlices(() => eachOf(credentials, (one) => boardRow(context, plans, world, one)));
      });
      items.push(...(rows ?? []));
    }
    return { items, next_cursor: null };
  }),
  control(plansList, ({ access }) => ({ items: access.plans() })),
  control(plansSet, ({ access, world }, { client_id, plan }) => {
    const { credentials } = world.stores;
    if (plan && !credentials.client(client_id)) {
      const clients = credentials.clients().map((client) => client.client_id);
      return refuse("bad_request", `/client_id No client ${client_id}. One of ${clients.join(", ")}`);
    }
    const wrong = plan?.requires.findIndex(({ kind, name }) => !known[kind].includes(name)) ?? -1;
    if (plan && wrong >= 0) {
      const { kind = "operation", name } = plan.requires[wrong] ?? {};
      return refuse(
        "bad_request",
        `/plan/requires/${wrong}/name ${name} is no ${kind.replace("_", " ")}. One of ${known[kind].join(", ")}`,
      );
    }
    access.setPlan(client_id, plan);
    return { items: access.plans() };
  }),
  control(integrationsEvidence, (context, { integration_id }) => {
    const { world, info } = context;
    const credential = world.stores.credentials.byIntegration(integration_id.toLowerCase());
    if (!credential) return noIntegration(integration_id);
    const readiness = readinessOf(world, info, credential);
    const said: Evidence = {
      issued_at: new Date().toISOString(),
      service: { url: info.baseUrl, version: info.version },
      ...{ world: world.name, client_id: credential.client_id },
      ...judgedBy(context.access.plans(), credential, readiness),
      readiness,
    };
    return context.signEvidence(JSON.stringify(said, null, 2));
  }),
];
