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

/** D22: how long a code lives, to the millisecond on the world's clock. */
export const CODE_LIFETIME_MS = 15 * 60_000;

/** A code as the consent step handed it out, with what it carries. */
export interface IssuedCode {
  readonly access_code: string;
  readonly expires_at: string;
  readonly client_id: string;
  readonly organization_id: string;
  /** Empty until the install tells it, where the code came from the consent page. */
  readonly organization_name: string;
  /** Who handed it out: the explorer's own step, or the consent page. */
  readonly from: string;
}

/** What a partner's app keeps. */
export interface Values {
  readonly integration_id: string;
  readonly api_key: string;
  /** Null when the route that tells it did not answer. */
  readonly webhook_secret: string | null;
}

/** What an install answered, and the webhook secret asked for right after it. */
export interface Installed extends Values {
  readonly request_id: string | null;
  /** On the world's clock, as codes are. */
  readonly at: string;
}

/** Why an install failed. */
export interface RefusedInstall {
  readonly failure: ServiceFailure;
  /** Its code had run out by then. */
  readonly hadRunOut: boolean;
}

/** How far one side's install has come. */
export interface Flow {
  readonly code: IssuedCode | null;
  /** Why the last try to install with this code failed. */
  readonly refused: RefusedInstall | null;
  readonly installed: Installed | null;
}

const emptyFlow: Flow = { code: null, refused: null, installed: null };

/** Where the running code of one side's install is written down. */
const codeDraft = (world: string, side: Side): DraftName => ({ name: `install-code.${world}.${side}` });

const emptyCode: IssuedCode = {
  access_code: "",
  expires_at: "",
  client_id: "",
  organization_id: "",
  organization_name: "",
  from: "explorer",
};

/** The flow a reload of the window goes on with. */
const recalledFlow = (world: string, side: Side): Flow => {
  const code = restoredDraft(emptyCode, readDraft(codeDraft(world, side)));
  return code.access_code === "" ? emptyFlow : { ...emptyFlow, code };
};

/**
 * One side's install: what the service answered, kept while the window is open so that leaving the place loses no
 * code. It is read from nowhere; a world that was reset makes it stale and so empties it.
 */
export const flowQuery = (world: string, side: Side) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "install", side] as const,
    queryFn: (): Flow => {
      writeDraft(codeDraft(world, side), null);
      return emptyFlow;
    },
    initialData: () => recalledFlow(world, side),
    // No gap of the feed makes it stale: it is what this window was answered.
    meta: { ofWindow: true },
    gcTime: Number.POSITIVE_INFINITY,
  });

export const issuedAt = (code: Pick<IssuedCode, "expires_at">): string =>
  new Date(new Date(code.expires_at).getTime() - CODE_LIFETIME_MS).toISOString();

/** What a partner's program reads its credentials from; names as the contract's placeholders. */
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
 * A text field of an answer.
 * @throws ServiceFailure when the answer has none of that name
 */
export const textIn = (body: unknown, name: string): string => {
  const value = fieldIn(body, name);
  if (typeof value === "string") return value;
  throw new ServiceFailure(200, "unexpected_answer", `The response has no ${name}.`);
};

/** Rewrites one side's flow with what the service just answered. */
const writeFlow = (client: QueryClient, world: string, side: Side, change: (flow: Flow) => Flow): void => {
  const flow = change(client.getQueryData(flowQuery(world, side).queryKey) ?? emptyFlow);
  client.setQueryData(flowQuery(world, side).queryKey, flow);
  // A running code survives a reload; once it has become a key there is nothing to go on with.
  writeDraft(codeDraft(world, side), flow.installed ? null : flow.code);
};

/** The consent step: the sandbox approves in the platform's place and hands out a code (D21). */
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
 * Takes a code that the consent page sent back. The redirect names neither the organization nor the time the code was
 * issued: the one is known when it is installed, the other is counted from now. Never rejects: the code works once and is
 * kept before anything else can fail.
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
    // Right after the page came back, the window does not know yet how far the world's clock was moved.
    const { now } = await client.fetchQuery({ ...clockQuery(world), staleTime: 0 });
    const exact = { ...code, expires_at: expiresAt(Date.parse(now)) };
    writeFlow(client, world, side, (flow) =>
      flow.code?.access_code === access_code && !flow.installed ? { ...flow, code: exact } : flow,
    );
  } catch {
    // The countdown is off where the clock was moved; the code is as good as before.
  }
};

/** The webhook secret of an integration, asked for with its own key (D26); null when the route does not tell it. */
const secretOf = async (world: string, key: PartnerKey): Promise<string | null> => {
  try {
    const exchange = await exchangeRoute("/__webhooks/secret", {}, { world, key });
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
        api_key: textIn(exchange.body, "api_key"),
        integration_id: textIn(exchange.body, "integration_id"),
      };
      const at = new Date(nowOn("world")).toISOString();
      const webhook_secret = await secretOf(world, key);
      const isKnown = client.getQueryData(flowQuery(world, side).queryKey)?.code?.organization_id !== "";
      const owner = isKnown ? null : await ownerOf(client, world, key.integration_id);
      return { owner, installed: { ...key, webhook_secret, request_id: exchange.requestId, at } };
    },
    onSuccess: ({ owner, installed }) => {
      const named = owner && { organization_id: owner.organization_id, organization_name: owner.organization_name };
      const { code } = client.getQueryData(flowQuery(world, side).queryKey) ?? emptyFlow;
      const flow = { code: code && { ...code, ...named }, refused: null, installed };
      // On the consent page an organization of the other side can be chosen: then it is that side's install.
      const to = owner?.scope ?? side;
      if (to !== side) writeFlow(client, world, side, () => emptyFlow);
      writeFlow(client, world, to, () => flow);
      // Who installs here means to call with it: always, not only where nothing else was chosen before.
      chooseActAs(world, to, installed.integration_id);
      void changed(["call", "credential"]);
      announce(`Installed. This window now calls as the ${sideWord(to).toLowerCase()} with this key.`);
    },
    onError: (error) => {
      if (!(error instanceof ServiceFailure)) return;
      writeFlow(client, world, side, (flow) => {
        const hadRunOut = flow.code !== null && Date.parse(flow.code.expires_at) <= nowOn("world");
        return { ...flow, refused: { failure: error, hadRunOut } };
      });
    },
  });
};

/** One side's install: how far it has come, and the calls that take it further. */
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
    /** Has a code handed out, the first or another one. */
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
    /** Back to the first step; the integration that was made stays in the list. */
    startOver: () => writeFlow(queries, world, side, () => emptyFlow),
  };
};

export type Installing = ReturnType<typeof useInstalling>;
