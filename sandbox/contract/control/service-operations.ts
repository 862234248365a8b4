import type { Static } from "typebox";
import * as Type from "typebox";
import { accessScopes } from "../access.ts";
import { Count, Items, Nullable, OneOf, Page, Text, Timestamp, Uuid } from "../schema.ts";
import { paged, read, withUnprocessable, write, writeOne } from "./declaring.ts";

export const startedBy = ["desktop", "command"] as const;
export type StartedBy = (typeof startedBy)[number];

const StartSetting = Type.Object({
  option: Type.String({
    description: "The command’s option, such as `--idle-reset`; its variable is SANDBOX_IDLE_RESET",
  }),
  name: Type.String({ description: "A label to display" }),
  value: Nullable(Type.String({ description: "null: not set, and not needed" })),
});
export type StartSetting = Static<typeof StartSetting>;

const Port = Type.Object({
  now: Type.Integer(),
  next_start: Nullable(Type.Integer({ description: "null: no saved port, the default is used" })),
  fixed: Type.Boolean({ description: "True: the port was set at the start, so none can be saved" }),
});
export type Port = Static<typeof Port>;

export const serviceSettings = read(
  "service.settings",
  "The service’s settings and the size of its data folder.",
  {},
  Type.Object({
    started_by: OneOf(startedBy),
    items: Type.Array(StartSetting),
    port: Port,
    data_folder: Type.Object({
      path: Nullable(Type.String({ description: "null: nothing is kept" })),
      bytes: Count(),
    }),
  }),
);
export type ServiceSettings = Static<typeof serviceSettings.response>;

/** Lower ports are reserved for the system. */
const MIN_PORT = 1024;

export const serviceSet = write(
  "service.set",
  "Saves a port for the next start of the desktop app or browser mode. Options and variables take precedence.",
  {
    port: Nullable(
      Type.Integer({ minimum: MIN_PORT, maximum: 65_535, description: "null: back to the default, 4026" }),
    ),
  },
  Port,
  withUnprocessable,
);

const LogLine = Type.Object({
  time: Timestamp("Real time"),
  level: OneOf(["info", "error"]),
  message: Type.String(),
  detail: Nullable(Type.String({ description: "Details; for an error its stack" })),
});
export type LogLine = Static<typeof LogLine>;

export const serviceLog = read(
  "service.log",
  "The latest lines of the service’s log, newest first, across restarts.",
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })) },
  Type.Object({
    ...Items(LogLine).properties,
    file: Nullable(Type.String({ description: "The log’s folder; null: nothing is kept" })),
  }),
);

/** A machine of a cluster. */
export const NodeRow = Type.Object({
  id: Uuid("As `x-sandbox-position` and `worlds.list` name it"),
  address: Type.String({ description: "Where it listens" }),
  state: OneOf(["serves", "drains", "dead"], "drains: it gives its worlds away; dead: without a beat for five seconds"),
  worlds: Count("Number of worlds it holds"),
  beat_seconds: Type.Number({ description: "Time since its last beat, which comes every second" }),
});
export type NodeRow = Static<typeof NodeRow>;

export const nodesList = read(
  "nodes.list",
  "The nodes of a sandbox on several machines, those that ended without a word in the last day included. On one machine: none.",
  {},
  Items(NodeRow),
);

export const nodesDrain = writeOne(
  "nodes.drain",
  "Has a node give its worlds to others and take none until it is restarted. They move within seconds.",
  { id: Uuid("The node") },
  NodeRow,
);

export const serviceErase = write(
  "service.erase",
  'Erases all worlds with their pictures, all snapshots and checkpoints, saved scenarios and the log. The service continues with a new world "default". Its control token changes at the next start. This can\'t be undone.',
  { confirm: OneOf(["erase everything"], "Confirms the intent") },
  Type.Object({
    worlds: Count("Number of erased worlds, the previous default included"),
    snapshots: Count("Number of erased snapshots, checkpoints included"),
    scenarios: Count("Number of erased scenarios"),
    left: Type.Array(Type.String({ description: "A world written by another version; its file is never touched" })),
  }),
);

/** Limit on the stored audit entries of each kind; the oldest are deleted. */
export const MAX_AUDIT_ENTRIES = 10_000;

/** Kinds of audit entries: a change, or any other use, recorded once an hour. */
const auditKinds = ["change", "other"] as const;
export type AuditKind = (typeof auditKinds)[number];
const Kind = OneOf(
  auditKinds,
  "`change`: a change, one a world token was refused aside; `other`: everything else, once an hour for the same caller, operation, world and outcome",
);

export const AuditEntry = Type.Object({
  id: Type.String(),
  kind: Kind,
  at: Timestamp("Real time"),
  by: Type.String({
    description:
      "The token’s name; with the control token `operator`, `scenario` or `assistant`; `anyone`: no token was needed",
  }),
  operation: Type.String(),
  world: Nullable(Type.String({ description: "null: the service itself, or no world" })),
  detail: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description:
      "What the call named, by its field (`id`, `policies.webhook_retries`), without secrets; `text`: a line that an earlier version kept",
  }),
  outcome: Type.String({ description: "`ok`, the error code of a refusal, or `failed`" }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const auditList = read(
  "audit.list",
  `Control operations, newest first, across restarts. Each change has an entry. Reads, refusals of world tokens and claim links, sign-ins, the responses of developer machines and live feeds have one an hour, with the details of the first. The newest ${MAX_AUDIT_ENTRIES.toLocaleString("en")} changes are kept, and as many of the rest. Calls without a valid token are not recorded.`,
  {
    ...paged,
    everywhere: Type.Optional(Type.Boolean({ description: "Of all worlds and of the service" })),
    kind: Type.Optional(Kind),
  },
  Page(AuditEntry),
);

/** Limit on the tokens and open links of a service. */
export const MAX_TOKENS = 1_000;

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

/** Request fields of a new token besides its world. */
const tokenFields = {
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
  "Returns a one-hour token to a person who signed in at the proxy of a deployed sandbox. Needs no token. 404 if the sandbox has no people file.",
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
  tokenFields,
  Type.Object({ ...token, token: Text("Use it like the control token. It can’t be read again") }),
);
export const tokensRevoke = writeOne(
  "tokens.revoke",
  "Revokes a token. Its next call returns 401, and its live feeds end.",
  { id: Uuid("The token’s ID") },
  Token,
);

/** Default lifetime of a claim link, in days. */
export const LINK_DAYS = 7;

export const tokensInvite = writeOne(
  "tokens.invite",
  "Creates a world for somebody, with its own keys and without idle reset, and a claim link to it. Of a world that exists only the link is made. Opening the link once exchanges it for the world’s token.",
  {
    ...tokenFields,
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
  withUnprocessable,
);
export const tokensClaim = write(
  "tokens.claim",
  "Exchanges a claim link for its world’s token, once. Needs no token.",
  { claim: Type.String({ maxLength: 256, description: "What the link carries after `#claim=`" }) },
  Type.Object({ name: Type.String(), world: Type.String(), token: Type.String() }),
  { access: { needs: "anyone" } },
);
