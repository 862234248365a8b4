import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Client, Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { sideWord } from "../../components/side.tsx";
import { installParams } from "../../kernel/addresses/hrefs.ts";
import { useChanged } from "../../kernel/queries/changes.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { clockQuery, credentialsQuery } from "../../kernel/queries/world-queries.ts";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { type DraftName, readDraft, restoredDraft, writeDraft } from "../../lib/draft.ts";
import { fieldIn } from "../../lib/field-in.ts";
import { useSearchParamsOf } from "../../lib/search-params.ts";
import { callControl, exchangePartner, exchangeRoute, type PartnerKey } from "../../lib/service-client.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { nowOn } from "../../lib/world-clock.ts";

/** D22: lifetime of a code on the world's clock, in milliseconds. */
export const CODE_LIFETIME_MS = 15 * 60_000;

/** A code from the consent step. */
export interface IssuedCode {
  readonly access_code: string;
  readonly expires_at: string;
  readonly client_id: string;
  readonly organization_id: string;
  /** Empty before the install for codes of the consent page. */
  readonly organization_name: string;
  /** Issuer: the explorer's own step, or the consent page. */
  readonly from: string;
}

/** Values that a partner's app stores. */
export interface Values {
  readonly integration_id: string;
  readonly api_key: string;
  /** Null when its route failed. */
  readonly webhook_secret: string | null;
}

/** An install's response, and the webhook secret requested afterwards. */
export interface Installed extends Values {
  readonly request_id: string | null;
  /** On the world's clock, like codes. */
  readonly at: string;
}

/** Reason for a failed install. */
export interface RefusedInstall {
  readonly failure: ServiceFailure;
  /** True if the code had expired before the install. */
  readonly hadExpired: boolean;
}

/** State of one side's install. */
interface Flow {
  readonly code: IssuedCode | null;
  /** Reason for the last failed install with this code. */
  readonly refused: RefusedInstall | null;
  readonly installed: Installed | null;
}

const emptyFlow: Flow = { code: null, refused: null, installed: null };

const codeDraft = (world: string, side: Side): DraftName => ({ name: `install-code.${world}.${side}` });

const emptyCode: IssuedCode = {
  access_code: "",
  expires_at: "",
  client_id: "",
  organization_id: "",
  organization_name: "",
  from: "explorer",
};

/** Restores a flow after a reload of the window. */
const recalledFlow = (world: string, side: Side): Flow => {
  const code = restoredDraft(emptyCode, readDraft(codeDraft(world, side)));
  return code.access_code === "" ? emptyFlow : { ...emptyFlow, code };
};

/**
 * One side's install: the service's responses, kept while the window is open so that leaving the place loses no code.
 * Never fetched; a reset of the world empties it.
 */
export const flowQuery = (world: string, side: Side) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "install", side] as const,
    queryFn: (): Flow => {
      writeDraft(codeDraft(world, side), null);
      return emptyFlow;
    },
    initialData: () => recalledFlow(world, side),
    // A gap in the feed doesn't invalidate it: it contains only this window's responses.
    meta: { ofWindow: true },
    gcTime: Number.POSITIVE_INFINITY,
  });

export const issuedAt = (code: Pick<IssuedCode, "expires_at">): string =>
  new Date(new Date(code.expires_at).getTime() - CODE_LIFETIME_MS).toISOString();

/** Environment file of a partner's program; names follow the contract's placeholders. */
export const envText = (values: Values, origin: string, world: string): string =>
  [
    `BASE_URL=${origin}`,
    `API_KEY=${values.api_key}`,
    `INTEGRATION_ID=${values.integration_id}`,
    ...(values.webhook_secret === null ? [] : [`WEBHOOK_SECRET=${values.webhook_secret}`]),
    ...(world === "default" ? [] : [`SANDBOX_TENANT=${world}`]),
    "",
  ].join("\n");

/**
 * A text field of a response.
 * @throws ServiceFailure when the response lacks it
 */
const readTextField = (body: unknown, name: string): string => {
  const value = fieldIn(body, name);
  if (typeof value === "string") return value;
  throw new ServiceFailure(200, "unexpected_answer", `The response has no ${name}.`);
};

/** Updates one side's flow with a response. */
const writeFlow = (client: QueryClient, world: string, side: Side, change: (flow: Flow) => Flow): void => {
  const flow = change(client.getQueryData(flowQuery(world, side).queryKey) ?? emptyFlow);
  client.setQueryData(flowQuery(world, side).queryKey, flow);
  // A current code survives a reload; after the install there is nothing to continue.
  writeDraft(codeDraft(world, side), flow.installed ? null : flow.code);
};

/** The consent step: the sandbox approves instead of the platform and issues a code (D21). */
const useApprove = (side: Side) => {
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
 * Stores a code from the consent page. The redirect contains neither organization nor issue time: the install returns
 * the former, the latter is assumed to be now. Never rejects: the code works once and must be stored first.
 */
export const takeCode = async (
  client: QueryClient,
  world: string,
  side: Side,
  { access_code, client_id }: Pick<IssuedCode, "access_code" | "client_id">,
): Promise<void> => {
  const expiresAt = (now: number) => new Date(now + CODE_LIFETIME_MS).toISOString();
  const code = { ...emptyCode, access_code, client_id, expires_at: expiresAt(nowOn("world")), from: "page" };
  writeFlow(client, world, side, () => ({ ...emptyFlow, code }));
  try {
    // Right after the return, this window doesn't know the clock's offset yet.
    const { now } = await client.fetchQuery({ ...clockQuery(world), staleTime: 0 });
    const exact = { ...code, expires_at: expiresAt(Date.parse(now)) };
    writeFlow(client, world, side, (flow) =>
      flow.code?.access_code === access_code && !flow.installed ? { ...flow, code: exact } : flow,
    );
  } catch {
    // Only the countdown is wrong then; the code stays valid.
  }
};

/** Requests an integration's webhook secret with its own key (D26); null on failure. */
const requestSecret = async (world: string, key: PartnerKey): Promise<string | null> => {
  try {
    const exchange = await exchangeRoute("/__webhooks/secret", {}, { world, key });
    return exchange.ok ? readTextField(exchange.body, "secret") : null;
  } catch {
    return null;
  }
};

/** Returns the integration's organization when the code didn't name it. */
const findOwner = async (client: QueryClient, world: string, integrationId: string) => {
  const all = await client.fetchQuery({ ...credentialsQuery(world), staleTime: 0 }).catch(() => []);
  return all.find(({ integration_id }) => integration_id === integrationId) ?? null;
};

/** `integrations.insert` like a partner's app: no credential headers, only the body. */
const useInstallCall = (side: Side) => {
  const world = useWorld();
  const client = useQueryClient();
  const changed = useChanged();
  const chooseActAs = useUi((state) => state.chooseActAs);
  return useMutation({
    mutationFn: async (body: { access_code: string; client_id: string; client_secret: string }) => {
      const exchange = await exchangePartner("integrations.insert", body, { world, key: null });
      if (exchange.failure) throw exchange.failure;
      const key = {
        api_key: readTextField(exchange.body, "api_key"),
        integration_id: readTextField(exchange.body, "integration_id"),
      };
      const at = new Date(nowOn("world")).toISOString();
      const webhook_secret = await requestSecret(world, key);
      const isKnown = client.getQueryData(flowQuery(world, side).queryKey)?.code?.organization_id !== "";
      const owner = isKnown ? null : await findOwner(client, world, key.integration_id);
      return { owner, installed: { ...key, webhook_secret, request_id: exchange.requestId, at } };
    },
    onSuccess: ({ owner, installed }) => {
      const named = owner && { organization_id: owner.organization_id, organization_name: owner.organization_name };
      const { code } = client.getQueryData(flowQuery(world, side).queryKey) ?? emptyFlow;
      const flow = { code: code && { ...code, ...named }, refused: null, installed };
      // The consent page also offers organizations of the other side; the install then belongs to that side.
      const to = owner?.scope ?? side;
      if (to !== side) writeFlow(client, world, side, () => emptyFlow);
      writeFlow(client, world, to, () => flow);
      // Always uses the new key for this window's calls, replacing an earlier choice.
      chooseActAs(world, to, installed.integration_id);
      void changed(["call", "credential"]);
      announce(`Installed. This window now calls as the ${sideWord(to).toLowerCase()} with this key.`);
    },
    onError: (error) => {
      if (!(error instanceof ServiceFailure)) return;
      writeFlow(client, world, side, (flow) => {
        const hadExpired = flow.code !== null && Date.parse(flow.code.expires_at) <= nowOn("world");
        return { ...flow, refused: { failure: error, hadExpired } };
      });
    },
  });
};

/** One side's install: its state and the calls that advance it. */
export const useInstalling = (side: Side, client: Client, organization: Organization) => {
  const world = useWorld();
  const queries = useQueryClient();
  const { data: flow } = useQuery(flowQuery(world, side));
  const consent = useApprove(side);
  const insert = useInstallCall(side);
  const { change } = useSearchParamsOf(installParams);
  return {
    ...flow,
    side,
    client,
    organization,
    isApproving: consent.isPending,
    notApproved: consent.error,
    /** Issues the first or another code. */
    approve: () => {
      if (!consent.isPending) consent.mutate({ to: client, organization });
    },
    isInstalling: insert.isPending,
    install: () => {
      if (!flow.code || insert.isPending) return;
      const { client_id, client_secret = "" } = client;
      insert.mutate(
        { access_code: flow.code.access_code, client_id, client_secret },
        { onSuccess: ({ owner }) => owner && change({ sides: owner.scope }) },
      );
    },
    /** Returns to the first step; the new integration stays in the list. */
    startOver: () => writeFlow(queries, world, side, () => emptyFlow),
  };
};

export type Installing = ReturnType<typeof useInstalling>;
