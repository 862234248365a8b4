import { queryOptions } from "@tanstack/react-query";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { type DraftName, readDraft, restoredDraft, writeDraft } from "../../lib/draft.ts";
import type { ServiceFailure } from "../../lib/service-failure.ts";

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

/** What an install answered, and the webhook secret asked for right after it. */
export interface Installed {
  readonly integration_id: string;
  readonly api_key: string;
  /** Null when the route that tells it did not answer. */
  readonly webhook_secret: string | null;
  /** From the click to the answer; the service's own part is on record under `request_id`. */
  readonly duration_ms: number;
  readonly request_id: string | null;
  /** On the world's clock, as codes are. */
  readonly at: string;
}

/** How far one side's install has come. */
export interface Flow {
  readonly code: IssuedCode | null;
  /** Why the last try to install with this code failed. */
  readonly refused: ServiceFailure | null;
  readonly installed: Installed | null;
}

export const emptyFlow: Flow = { code: null, refused: null, installed: null };

/** Where the running code of one side's install is written down. */
export const codeDraft = (world: string, side: Side): DraftName => ({ name: `install-code.${world}.${side}` });

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
    gcTime: Number.POSITIVE_INFINITY,
  });

export const issuedAt = (code: Pick<IssuedCode, "expires_at">): string =>
  new Date(new Date(code.expires_at).getTime() - CODE_LIFETIME_MS).toISOString();

/** What a partner's program reads its credentials from; names as the contract's placeholders. */
export const envText = (
  values: { readonly api_key: string; readonly integration_id: string; readonly webhook_secret: string | null },
  origin: string,
  world: string,
): string =>
  [
    `BASE_URL=${origin}`,
    `API_KEY=${values.api_key}`,
    `INTEGRATION_ID=${values.integration_id}`,
    ...(values.webhook_secret === null ? [] : [`WEBHOOK_SECRET=${values.webhook_secret}`]),
    ...(world === "default" ? [] : [`SANDBOX_TENANT=${world}`]),
    "",
  ].join("\n");

/** Where a partner's own app sends a browser for the same consent (D21); the redirect goes to an example address. */
export const authorizeAddress = (clientId: string, origin: string, world: string): string => {
  const address = new URL("/__oauth/authorize", origin);
  address.searchParams.set("client_id", clientId);
  address.searchParams.set("redirect_uri", "http://127.0.0.1:5173/callback");
  address.searchParams.set("state", "choose-your-own");
  if (world !== "default") address.searchParams.set("world", world);
  return address.href;
};
