import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Client, Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { notify } from "../../app/notices.tsx";
import { useUi } from "../../app/ui-store.ts";
import { useWorld } from "../../app/world.ts";
import { clockQuery, credentialsQuery } from "../../app/world-queries.ts";
import { sideWord } from "../../components/side.tsx";
import { announce } from "../../lib/announce.ts";
import { writeDraft } from "../../lib/draft.ts";
import { callControl, exchangePartner, exchangeRoute, type PartnerKey } from "../../lib/service-client.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { nowOn } from "../../lib/world-clock.ts";
import { textIn } from "./answer-text.ts";
import { CODE_LIFETIME_MS, codeDraft, emptyFlow, type Flow, flowQuery, type IssuedCode } from "./flow.ts";
import { useInstall } from "./install-store.ts";

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
      const issued = await callControl("access-codes.issue", { ...choice, scope: side, world });
      return { ...issued, ...choice, organization_name: organization.name, from: "explorer" };
    },
    onSuccess: (code) => writeFlow(client, world, side, () => ({ ...emptyFlow, code })),
  });
};

/**
 * A code the consent page sent back. The redirect names neither the organization nor the time the code was issued: the
 * one is known when it is installed, the other is counted from now.
 */
export const useTakeCode = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useCallback(
    async (side: Side, access_code: string, client_id: string): Promise<void> => {
      // Right after the page came back, the window does not know yet how far the world's clock was moved.
      const { now } = await client.fetchQuery({ ...clockQuery(world), staleTime: 0 });
      const expires_at = new Date(Date.parse(now) + CODE_LIFETIME_MS).toISOString();
      const code = { access_code, expires_at, client_id, organization_id: "", organization_name: "", from: "page" };
      writeFlow(client, world, side, () => ({ ...emptyFlow, code }));
    },
    [client, world],
  );
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

/** Whose integration it became, where the code did not say it. */
const ownerOf = async (client: QueryClient, world: string, integrationId: string) => {
  const all = await client.fetchQuery({ ...credentialsQuery(world), staleTime: 0 }).catch(() => []);
  return all.find(({ integration_id }) => integration_id === integrationId) ?? null;
};

/** `integrations.insert`, as a partner's app calls it: no credential headers, only what the body carries. */
export const useInstallCall = (side: Side) => {
  const world = useWorld();
  const client = useQueryClient();
  const show = useInstall((state) => state.show);
  const chooseActAs = useUi((state) => state.chooseActAs);
  return useMutation({
    mutationFn: async (body: { access_code: string; client_id: string; client_secret: string }) => {
      const exchange = await exchangePartner("integrations.insert", body, null);
      if (exchange.failure) throw exchange.failure;
      const key = {
        api_key: textIn(exchange.body, "api_key"),
        integration_id: textIn(exchange.body, "integration_id"),
      };
      const at = new Date(nowOn("world")).toISOString();
      const secret = await secretOf(key);
      const isKnown = client.getQueryData(flowQuery(world, side).queryKey)?.code?.organization_id !== "";
      const owner = isKnown ? null : await ownerOf(client, world, key.integration_id);
      const measured = { duration_ms: exchange.durationMs, request_id: exchange.requestId };
      return { owner, installed: { ...key, webhook_secret: secret, ...measured, at } };
    },
    onSuccess: ({ owner, installed }) => {
      const named = owner && { organization_id: owner.organization_id, organization_name: owner.organization_name };
      const { code } = client.getQueryData(flowQuery(world, side).queryKey) ?? emptyFlow;
      const flow = { code: code && { ...code, ...named }, refused: null, installed };
      // On the consent page an organization of the other side can be chosen: then it is that side's install.
      const to = owner?.scope ?? side;
      if (to !== side) {
        writeFlow(client, world, side, () => emptyFlow);
        show(to);
      }
      writeFlow(client, world, to, () => flow);
      // Who installs here means to call with it: always, not only where nothing else was chosen before.
      chooseActAs(to, installed.integration_id);
      announce(`Installed. This window now calls as the ${sideWord(to).toLowerCase()} with this key.`);
    },
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

/** The service's own test receiver, the reference sink, under the address this window reached the service with. */
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
    onError: (error) => notify.failed("Subscribe the built-in test receiver", error),
  });

/** Moves the world's clock: ahead by seconds, or back to real time with null. Everything in the world follows it (D84). */
export const useMoveClock = () => {
  const world = useWorld();
  return useMutation({
    mutationFn: (seconds: number | null) =>
      seconds === null ? callControl("clock.reset", { world }) : callControl("clock.advance", { seconds, world }),
    onError: (error) => notify.failed("Move the world’s clock", error),
  });
};
