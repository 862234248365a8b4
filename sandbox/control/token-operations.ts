import { randomBytes } from "node:crypto";
import {
  MOST_TOKENS,
  type Token,
  tokensCreate,
  tokensCurrent,
  tokensList,
  tokensRevoke,
} from "../contract/control/token-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { accessPrefixes } from "../rules/access.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { DEFAULT_WORLD } from "../rules/world-name.ts";
import type { TokenRecord } from "../storage/access-store.ts";
import { newId } from "../storage/new-id.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

export const newSecret = (kind: keyof typeof accessPrefixes): string =>
  accessPrefixes[kind] + randomBytes(32).toString("base64url");

export const tokenRow = ({ created_at, expires_at, link_until: _until, ...row }: TokenRecord): Token => ({
  ...row,
  created_at: iso(created_at),
  expires_at: isoOrNull(expires_at),
});

type Asked = Pick<TokenRecord, "name" | "scope"> & { readonly expires_at?: string | null };

/** Makes a token, or the link to one, for a world that is there. Its keys are the world's own where the token shows them. */
export const issue = async (
  { access, worlds, worldName: world }: ControlContext,
  { name, scope, expires_at = null }: Asked,
  link: { readonly until: number } | null,
): Promise<{ readonly record: TokenRecord; readonly secret: string } | Refusal> => {
  const now = Date.now();
  const ends = expires_at === null ? null : Date.parse(expires_at);
  if (ends !== null && ends <= now) return refuse("bad_request", "/expires_at must be in the future");
  if (access.list(null).length >= MOST_TOKENS)
    return refuse("bad_request", `There are ${MOST_TOKENS} tokens and links already. Revoke one first`);
  if (scope !== "view") {
    if (world === DEFAULT_WORLD)
      return refuse(
        "bad_request",
        "/scope must be view for the world default: its keys are the service's. Create a world of its own",
      );
    await worlds.giveOwnKeys(world);
  }
  const record = {
    id: newId(),
    name,
    world,
    scope,
    created_at: now,
    expires_at: ends,
    link_until: link?.until ?? null,
  };
  const secret = newSecret(link ? "link" : "token");
  access.insert(record, secret);
  return { record, secret };
};

/** Who beside the operator may use which world. */
export const tokenControls: readonly BoundControl[] = [
  control(tokensCurrent, ({ caller: { name, token } }) => ({
    name,
    world: token?.world ?? null,
    scope: token?.scope ?? ("operator" as const),
    expires_at: isoOrNull(token?.expires_at ?? null),
  })),
  control(tokensList, ({ access, worldName }, { everywhere = false }) => ({
    items: access.list(everywhere ? null : worldName).map(tokenRow),
  })),
  control(tokensCreate, async (context, asked) => {
    context.worlds.mustHave(context.worldName);
    const made = await issue(context, asked, null);
    return "code" in made ? made : { ...tokenRow(made.record), token: made.secret };
  }),
  control(tokensRevoke, ({ access }, { id }) => {
    const revoked = access.revoke(id.toLowerCase());
    return revoked ? tokenRow(revoked) : refuse("not_found", `/id ${id} isn't a token's ID`);
  }),
];
