import type { Client, Side } from "../../../sandbox/contract/control/rows.ts";
import { type ErrorCode, errorCodes } from "../../../sandbox/contract/errors.ts";
import { callControl, type Exchange, exchangePartner } from "../../lib/service-client.ts";
import { CODE_LIFETIME_MS } from "./flow.ts";

/** What a failing call is made with. */
export interface FailureContext {
  readonly world: string;
  /** A client that can be installed. */
  readonly client: Client;
  /** A client that is registered and cannot. */
  readonly closedClient: Client;
  readonly organizationId: string;
  readonly scope: Side;
  /** A code of `client` that still counts; null when there is none. */
  readonly liveCode: string | null;
  /** A code of `client` that an install has consumed; null when there is none. */
  readonly usedCode: string | null;
  /** Installs once to have such a code. */
  readonly makeUsedCode: () => Promise<string>;
}

export interface FailureCase {
  readonly id: string;
  /** Which check of the contract's table it fails. */
  readonly check: 1 | 2 | 3 | 4;
  readonly title: string;
  readonly code: ErrorCode;
  /** Makes the real call; a code or a used code is made first where one is needed, and a refusal of that is thrown. */
  readonly run: (context: FailureContext) => Promise<Exchange>;
}

/** Well formed and never handed out by anyone. */
export const MADE_UP_CODE = "ac_never-issued-by-anyone";

const insert = (client_id: string, client_secret: string, access_code: string): Promise<Exchange> =>
  exchangePartner("integrations.insert", { client_id, client_secret, access_code }, null);

const insertAs = (client: Client, access_code: string) =>
  insert(client.client_id, client.client_secret ?? "", access_code);

const issue = async ({ world, organizationId, scope }: FailureContext, { client_id }: Client): Promise<string> => {
  const { access_code } = await callControl("access-codes.issue", {
    client_id,
    organization_id: organizationId,
    scope,
    world,
  });
  return access_code;
};

/** Contract, "Install" 6: every way an install fails, in the order of the checks. */
export const failureCases: readonly FailureCase[] = [
  {
    id: "unknown-client",
    check: 1,
    title: "client_id matches no client",
    code: "integration_not_found",
    run: ({ client, liveCode }) => insert("no-such-client", client.client_secret ?? "", liveCode ?? MADE_UP_CODE),
  },
  {
    id: "closed-client",
    check: 2,
    title: "Client not enabled for OAuth",
    code: "o_auth_not_supported_by_integration",
    run: ({ closedClient, liveCode }) => insertAs(closedClient, liveCode ?? MADE_UP_CODE),
  },
  {
    id: "wrong-secret",
    check: 3,
    title: "client_secret does not match",
    code: "invalid_client_secret",
    run: ({ client, liveCode }) => insert(client.client_id, "cs_not-the-secret", liveCode ?? MADE_UP_CODE),
  },
  {
    id: "unknown-code",
    check: 4,
    title: "access_code unknown",
    code: "invalid_access_code",
    run: ({ client }) => insertAs(client, MADE_UP_CODE),
  },
  {
    id: "expired-code",
    check: 4,
    title: "access_code expired",
    code: "invalid_access_code",
    run: async (context) => {
      const code = await issue(context, context.client);
      await callControl("clock.advance", { seconds: CODE_LIFETIME_MS / 1000 + 1, world: context.world });
      return insertAs(context.client, code);
    },
  },
  {
    id: "used-code",
    check: 4,
    title: "access_code used before",
    code: "invalid_access_code",
    run: async ({ client, usedCode, makeUsedCode }) => insertAs(client, usedCode ?? (await makeUsedCode())),
  },
  {
    id: "foreign-code",
    check: 4,
    title: "Another client’s code",
    code: "invalid_access_code",
    run: async (context) => insertAs(context.client, await issue(context, context.closedClient)),
  },
];

export const expectedStatus = (failure: FailureCase): number => errorCodes[failure.code].status;
