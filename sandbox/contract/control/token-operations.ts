import type { Static } from "typebox";
import * as Type from "typebox";
import { accessScopes } from "../access.ts";
import { Items, Nullable, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { orUnprocessable, read, write, writeOne } from "./declaring.ts";

/** So many tokens and open links a service has at most. */
export const MOST_TOKENS = 1_000;

const Scope = OneOf(
  accessScopes,
  "`view`: reads; `act`: also sends calls, orders and notifications, and reads the world’s keys; `manage`: also settings, clock, faults, snapshots and reset",
);
const Expiry = "Real time; null: it doesn’t expire";
const token = {
  id: Type.String(),
  name: Type.String(),
  world: Type.String(),
  scope: Scope,
  created_at: Timestamp("Real time"),
  expires_at: Nullable(Timestamp(Expiry)),
  link_until: Nullable(Timestamp("Until when its claim link can be opened, in real time; null: it is a token")),
};
export const Token = Type.Object(token);
export type Token = Static<typeof Token>;

/** What a token is made with, beside its world. */
export const tokenAsked = {
  name: Type.String({ format: "text", minLength: 1, maxLength: 64, description: "Whose it is" }),
  scope: Scope,
  expires_at: Type.Optional(Nullable(Timestamp(Expiry))),
};

const current = {
  name: Type.String({ description: "Whose it is; of somebody who signed in their e-mail address" }),
  world: Nullable(Type.String({ description: "null: it opens every world" })),
  scope: OneOf([...accessScopes, "operator"]),
  expires_at: Nullable(Timestamp(Expiry)),
};
export const tokensCurrent = read("tokens.current", "The token this call was made with.", {}, Type.Object(current), {
  access: { needs: "view", worlds: [] },
});
export type CurrentToken = Static<typeof tokensCurrent.response>;

export const tokensSignIn = writeOne(
  "tokens.sign-in",
  "Gives whoever has signed in at the proxy before a deployed sandbox a token for an hour. Needs no token. 404 where the sandbox has no people file.",
  {},
  Type.Object({ ...current, token: Type.String() }),
  { access: { needs: "anyone" } },
);

export const tokensList = read(
  "tokens.list",
  "A world’s tokens, newest first, expired ones included.",
  { everywhere: Type.Optional(Type.Boolean({ description: "Tokens of all worlds" })) },
  Items(Token),
);
export const tokensCreate = write(
  "tokens.create",
  "Creates a token for one world. The token is returned once. With the first `act` or `manage` token the world gets its own keys and no longer resets when idle; the service’s keys no longer open it.",
  tokenAsked,
  Type.Object({ ...token, token: Text("Use it like the control token. It can’t be read again") }),
);
export const tokensRevoke = writeOne(
  "tokens.revoke",
  "Revokes a token. Its next call returns 401, and its live feeds end.",
  { id: Uuid("The token’s ID") },
  Token,
);

/** A claim link can be opened for so long, unless another time was asked for. */
export const LINK_DAYS = 7;

export const tokensInvite = writeOne(
  "tokens.invite",
  "Creates a world for somebody, with its own keys and without idle reset, and a claim link to it. Of a world that exists only the link is made. Opening the link once exchanges it for the world’s token.",
  {
    ...tokenAsked,
    from: Type.Optional(
      Type.Object(
        {
          world: Type.String({ description: "The world to copy" }),
          snapshot: Type.Optional(Type.String({ description: "A snapshot of it (default: as it is now)" })),
        },
        { description: "What the world starts from (default: the seed)" },
      ),
    ),
    link_until: Type.Optional(Timestamp(`Real time (default: ${LINK_DAYS} days from now)`)),
  },
  Type.Object({ ...token, link: Text("Send it to one person. It can’t be read again") }),
  orUnprocessable,
);
export const tokensClaim = write(
  "tokens.claim",
  "Exchanges a claim link for its world’s token, once. Needs no token.",
  { claim: Type.String({ maxLength: 256, description: "What the link carries after `#claim=`" }) },
  Type.Object({ name: Type.String(), world: Type.String(), token: Type.String() }),
  { access: { needs: "anyone" } },
);

/** Who beside the operator may use a world. */
export const tokenOperations = [
  tokensCurrent,
  tokensSignIn,
  tokensList,
  tokensCreate,
  tokensRevoke,
  tokensInvite,
  tokensClaim,
] as const;
