import type { Static } from "typebox";
import * as Type from "typebox";
import { accessScopes } from "../access.ts";
import { Items, Nullable, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { read, write, writeOne } from "./declaring.ts";

/** So many tokens and open links a service has at most. */
export const MOST_TOKENS = 1_000;

const Scope = OneOf(
  accessScopes,
  "`view`: reads; `act`: also sends calls, orders and notifications, and reads the world's keys; `manage`: also settings, clock, faults, snapshots and reset",
);
const Expiry = "Real time; null: it doesn't expire";
const token = {
  id: Type.String(),
  name: Type.String(),
  world: Type.String(),
  scope: Scope,
  created_at: Timestamp("Real time"),
  expires_at: Nullable(Timestamp(Expiry)),
};
export const Token = Type.Object(token);
export type Token = Static<typeof Token>;

/** What a token is made with, beside its world. */
export const tokenAsked = {
  name: Type.String({ format: "text", minLength: 1, maxLength: 64, description: "Whose it is" }),
  scope: Scope,
  expires_at: Type.Optional(Nullable(Timestamp(Expiry))),
};

export const tokensCurrent = read(
  "tokens.current",
  "The token this call was made with.",
  {},
  Type.Object({
    name: Type.String(),
    world: Nullable(Type.String({ description: "null: the control token, which opens every world" })),
    scope: OneOf([...accessScopes, "operator"]),
    expires_at: Nullable(Timestamp(Expiry)),
  }),
  { access: { needs: "view", worlds: [] } },
);
export type CurrentToken = Static<typeof tokensCurrent.response>;

export const tokensList = read(
  "tokens.list",
  "A world's tokens, newest first, expired ones included.",
  { everywhere: Type.Optional(Type.Boolean({ description: "Tokens of all worlds" })) },
  Items(Token),
);
export const tokensCreate = write(
  "tokens.create",
  "Creates a token for one world. The token is returned once. With the first `act` or `manage` token the world gets its own keys; the service's keys no longer open it.",
  tokenAsked,
  Type.Object({ ...token, token: Text("Use it like the control token. It can't be read again") }),
);
export const tokensRevoke = writeOne(
  "tokens.revoke",
  "Revokes a token. Its next call returns 401, and its live feeds end.",
  { id: Uuid("The token's ID") },
  Token,
);

/** Who beside the operator may use a world. */
export const tokenOperations = [tokensCurrent, tokensList, tokensCreate, tokensRevoke] as const;
