import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { accessCodesIssue } from "../../../sandbox/contract/control/operations.ts";
import type { Client, Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { clockAdvance, clockReset } from "../../../sandbox/contract/control/world-operations.ts";
import { integrationsInsert } from "../../../sandbox/contract/operations/partner.ts";
import { notify } from "../../app/notices.tsx";
import { useWorld } from "../../app/world.ts";
import { writeDraft } from "../../lib/draft.ts";
import { callControl, exchangePartner, exchangeRoute, type PartnerKey } from "../../lib/service-client.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { nowOn } from "../../lib/world-clock.ts";
import { codeDraft, emptyFlow, type Flow, flowQuery, type IssuedCode } from "./flow.ts";

/** Rewrites one side's flow with what the service just answered. */
const writeFlow = (client: QueryClient, world: string, side: Side, change: (flow: Flow) => Flow): void => {
  const flow = change(client.getQueryData(flowQuery(world, side).queryKey) ?? emptyFlow);
  client.setQueryData(flowQuery(world, side).queryKey, flow);
  // A running code survives a reload; once it has become a key there is nothing to go on with.
  writeDraft(codeDraft(world, side), flow.installed ? null : flow.code);
};

/** The consent step: the sandbox approves in the platform's place and hands out a code (D21). */
export const useApprove = (side: Side) => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ to, organization }: { to: Client; organization: Organization }): Promise<IssuedCode> => {
      const choice = { client_id: to.client_id, organization_id: organization.id };
      const issued = await callControl(accessCodesIssue, { ...choice, scope: side, world });
      return { ...issued, ...choice, organization_name: organization.name };
    },
    onSuccess: (code) => writeFlow(client, world, side, () => ({ ...emptyFlow, code })),
  });
};

const textIn = (body: unknown, name: string): string => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value === "string") return value;
  throw new ServiceFailure(200, "unexpected_answer", `The answer has no ${name}.`);
};

/** The webhook secret of an integration, asked for with its own key (D26); null when the route does not tell it. */
const secretOf = async (key: PartnerKey): Promise<string | null> => {
  try {
    const exchange = await exchangeRoute("/__webhooks/secret", {}, key);
    return exchange.ok ? textIn(exchange.body, "secret") : null;
  } catch {
    return null;
  }
};

/** `integrations.insert`, as a partner's app calls it: no credential headers, only what the body carries. */
export const useInstallCall = (side: Side) => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { access_code: string; client_id: string; client_secret: string }) => {
      const exchange = await exchangePartner(integrationsInsert, body, null);
      if (exchange.failure) throw exchange.failure;
      const key = {
        api_key: textIn(exchange.body, "api_key"),
        integration_id: textIn(exchange.body, "integration_id"),
      };
      const at = new Date(nowOn("world")).toISOString();
      return { ...key, webhook_secret: await secretOf(key), duration_ms: exchange.durationMs, at };
    },
    onSuccess: (installed) => writeFlow(client, world, side, (flow) => ({ ...flow, installed, refused: null })),
    onError: (error) => {
      if (error instanceof ServiceFailure) writeFlow(client, world, side, (flow) => ({ ...flow, refused: error }));
    },
  });
};

/** Puts the flow back to its first step; the integration it made stays in the list. */
export const useStartOver = (side: Side) => {
  const world = useWorld();
  const client = useQueryClient();
  return () => writeFlow(client, world, side, () => emptyFlow);
};

/** The service's own reference sink, under the address this window reached the service with. */
export const builtInReceiver = (): string => `${window.location.origin}/__webhooks/sink`;

export const useSubscribeReceiver = () =>
  useMutation({
    mutationFn: async (integrationId: string) => {
      const exchange = await exchangeRoute("/__webhooks/subscribe", {
        integration_id: integrationId,
        url: builtInReceiver(),
      });
      if (exchange.failure) throw exchange.failure;
    },
    onError: (error) => notify.failed("Subscribe the built-in receiver", error),
  });

/** Moves the world's clock: ahead by seconds, or back to real time with null. Everything in the world follows it (D84). */
export const useMoveClock = () => {
  const world = useWorld();
  return useMutation({
    mutationFn: (seconds: number | null) =>
      seconds === null ? callControl(clockReset, { world }) : callControl(clockAdvance, { seconds, world }),
    onError: (error) => notify.failed("Move the world’s clock", error),
  });
};
