import type { Client, Side } from "../../../sandbox/contract/control/rows.ts";
import type { ErrorCode } from "../../../sandbox/contract/errors.ts";
import { callControl, type Exchange, exchangePartner } from "../../lib/service-client.ts";
import { CODE_LIFETIME_MS, type IssuedCode } from "./flow.ts";

/** Values for a failing call. */
export interface FailureContext {
  readonly world: string;
  /** A client that can be installed. */
  readonly client: Client;
  /** A registered client that cannot be installed. */
  readonly closedClient: Client;
  readonly organizationId: string;
  readonly scope: Side;
  /** A valid code of `client`; null for none. */
  readonly live: Pick<IssuedCode, "access_code"> | null;
  /** A used code of `client`; null for none. */
  readonly usedCode: string | null;
}

export interface FailureCase {
  /** The failed check in the contract's table. */
  readonly check: 1 | 2 | 3 | 4;
  readonly title: string;
  readonly code: ErrorCode;
  /** Makes the real call. Creates the necessary code first, and throws if that is refused. */
  readonly run: (context: FailureContext) => Promise<Exchange>;
  /** A warning about side effects. */
  readonly warning?: string;
  /** The reason for the response; backticks mark code. */
  readonly why: string;
  /** The decisions behind it; absent: the contract. */
  readonly assumed?: readonly string[];
}

/** Well formed, but never issued. */
const MADE_UP_CODE = "ac_never-issued-by-anyone";

type Credentials = Pick<Client, "client_id" | "client_secret">;

const insert = (
  world: string,
  { client_id, client_secret = "" }: Credentials,
  access_code: string,
): Promise<Exchange> =>
  exchangePartner("integrations.insert", { client_id, client_secret, access_code }, { world, key: null });

const issue = async ({ world, organizationId, scope }: FailureContext, { client_id }: Client): Promise<string> => {
  const { access_code } = await callControl("access-codes.issue", {
    client_id,
    organization_id: organizationId,
    scope,
    world,
  });
  return access_code;
};

/** Contract, "Install" 6: every failure of an install, in the order of the checks. */
export const failureCases: readonly FailureCase[] = [
  {
    check: 1,
    title: "client_id matches no client",
    code: "integration_not_found",
    run: ({ world, client, live }) =>
      insert(world, { ...client, client_id: "no-such-client" }, live?.access_code ?? MADE_UP_CODE),
    why: "The client is checked first. The contract has no `invalid_client`.",
  },
  {
    check: 2,
    title: "Client not enabled for OAuth",
    code: "o_auth_not_supported_by_integration",
    run: ({ world, closedClient, live }) => insert(world, closedClient, live?.access_code ?? MADE_UP_CODE),
    why: "The client exists but isn’t enabled for OAuth install. This is checked before the secret.",
  },
  {
    check: 3,
    title: "client_secret does not match",
    code: "invalid_client_secret",
    run: ({ world, client, live }) =>
      insert(world, { ...client, client_secret: "cs_not-the-secret" }, live?.access_code ?? MADE_UP_CODE),
    why: "The secret is checked after the client and before the code, in constant time. A failed install consumes nothing.",
    assumed: ["D23"],
  },
  {
    check: 4,
    title: "access_code unknown",
    code: "invalid_access_code",
    run: ({ world, client }) => insert(world, client, MADE_UP_CODE),
    why: "This code was never issued. Unknown, expired and used codes return the same error.",
  },
  {
    check: 4,
    title: "access_code expired",
    code: "invalid_access_code",
    run: async (context) => {
      const code = await issue(context, context.client);
      await callControl("clock.advance", { seconds: CODE_LIFETIME_MS / 1000 + 1, world: context.world });
      return insert(context.world, context.client, code);
    },
    warning: "Moves the world’s clock 15 min 1 s ahead, so active codes expire.",
    why: "The code expired: the world’s clock moved past its 15 minutes.",
    assumed: ["D22", "D84"],
  },
  {
    check: 4,
    title: "access_code used before",
    code: "invalid_access_code",
    run: async (context) => {
      const code = context.usedCode ?? (await issue(context, context.client));
      if (context.usedCode === null) await insert(context.world, context.client, code);
      return insert(context.world, context.client, code);
    },
    warning: "Installs once first if no code was used on this page.",
    why: "A code is single-use. The first install consumed it; its integration is unchanged.",
  },
  {
    check: 4,
    title: "Another client’s code",
    code: "invalid_access_code",
    run: async (context) => insert(context.world, context.client, await issue(context, context.closedClient)),
    why: "The code was issued for the other client. It stays unused for that one.",
    assumed: ["D22"],
  },
];
