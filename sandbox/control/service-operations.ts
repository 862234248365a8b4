import { randomBytes } from "node:crypto";
import { LINK_DAYS, MAX_TOKENS, type Token } from "../contract/control/service-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { accessPrefixes } from "../secrets/keys.ts";
import type { AccessStore, TokenRecord } from "../storage/access-store.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";
import { pagedControl, toPage, upperBound } from "./paging.ts";

const readPort = ({ info }: ControlContext): number => Number(new URL(info.address).port || 80);

const newSecret = (kind: keyof typeof accessPrefixes): string =>
  accessPrefixes[kind] + randomBytes(32).toString("base64url");

const tokenRow = ({ created_at, expires_at, link_until, ...row }: TokenRecord): Token => ({
  ...row,
  created_at: iso(created_at),
  expires_at: isoOrNull(expires_at),
  link_until: isoOrNull(link_until),
});

type TokenRequest = Pick<TokenRecord, "name" | "scope"> & { readonly expires_at?: string | null };

/** Reason why no token can be created; null if one can. */
const refusedToken = (access: AccessStore, { expires_at = null }: TokenRequest): Refusal | null => {
  if (expires_at !== null && Date.parse(expires_at) <= realTime())
    return refuse("bad_request", "/expires_at must be in the future");
  return access.list(null).length < MAX_TOKENS
    ? null
    : refuse("bad_request", `There are ${MAX_TOKENS} tokens and links already. Revoke one first`);
};

/** Creates a token, or a link to one, for an existing world. If the token reveals keys, the world gets its own. */
const issue = async (
  { access, worlds, worldName: world }: ControlContext,
  { name, scope, expires_at = null }: TokenRequest,
  link: { readonly until: number } | null,
): Promise<{ readonly record: TokenRecord; readonly secret: string } | Refusal> => {
  const ends = expires_at === null ? null : Date.parse(expires_at);
  if (scope !== "view") {
    if (world === DEFAULT_WORLD)
      return refuse(
        "bad_request",
        "/scope must be view for the world default: its keys are the service’s. Create a world of its own",
      );
    await worlds.admin.giveOwnKeys(world);
    // A call with the world's own key couldn't create it again after a reset (D85).
    worlds.pin(world, true);
  }
  const record = {
    id: newId(),
    name,
    world,
    scope,
    created_at: realTime(),
    expires_at: ends,
    link_until: link?.until ?? null,
  };
  const secret = newSecret(link ? "link" : "token");
  access.insert(record, secret);
  return { record, secret };
};

const DAY_MS = 86_400_000;

/** Creates the world of an invitation unless it exists. @returns null once the world exists and is pinned */
const makeWorld = async (
  { access, worlds, snapshots, worldName: world, hungUp }: ControlContext,
  from: { readonly world: string; readonly snapshot?: string } | undefined,
): Promise<Refusal | null> => {
  if (worlds.has(world))
    return from === undefined
      ? null
      : refuse(
          "bad_request",
          `/world ${world} already exists. Leave out /from to invite to it, or choose another name`,
        );
  if (from !== undefined && !worlds.has(from.world))
    return refuse("not_found", `/from/world ${from.world} doesn’t exist`);
  await worlds.admin.giveOwnKeys(world);
  try {
    const copied =
      from === undefined
        ? null
        : from.snapshot === undefined
          ? await snapshots.copy(from.world, world, hungUp)
          : await snapshots.begin(world, from.world, from.snapshot, hungUp);
    if (copied === null) worlds.pin(world, true);
    return copied;
  } finally {
    if (!worlds.has(world)) access.endWorld(world);
  }
};

export const serviceControls: readonly BoundControl[] = [
  control("service.settings", async (context) => {
    const { settings, info } = context;
    const port = readPort(context);
    return {
      started_by: info.startedBy,
      items: settings.rows(port),
      port: settings.about(port),
      data_folder: await settings.dataFolder(),
    };
  }),
  control("service.set", (context, { port }) => context.settings.keepPort(port, readPort(context))),
  control("service.log", ({ logFile, info }, { limit = 100 }) => ({
    items: logFile.last(limit),
    file: info.dataFolder === null ? null : logFile.file,
  })),
  control("nodes.list", async ({ nodes }) => ({ items: (await nodes?.list()) ?? [] })),
  control("nodes.drain", async ({ nodes }, { id }) => {
    const drained = await nodes?.drain(id);
    return drained ?? refuse("not_found", `/id ${id}: no such node. nodes.list has the current ones`);
  }),
  control("service.erase", ({ erase }) => erase()),
  control("tokens.current", ({ caller: { name, token, until } }) => ({
    name: token?.name ?? name,
    world: token?.world ?? null,
    scope: token?.scope ?? ("operator" as const),
    expires_at: isoOrNull(token?.expires_at ?? until),
  })),
  control("tokens.sign-in", async ({ signIn, worlds }) => {
    const signed = signIn();
    if (signed instanceof Refusal) return signed;
    const { email: name, scope, world, token, until } = signed;
    // A world that people change gets its own keys, like a world with a token.
    if (world !== null && (scope !== "view" || !worlds.has(world)) && world !== DEFAULT_WORLD) {
      await worlds.admin.giveOwnKeys(world);
      worlds.pin(world, true);
    }
    return { name, world, scope, expires_at: iso(until), token };
  }),
  control("tokens.list", ({ access, worldName }, { everywhere = false }) => ({
    items: access.list(everywhere ? null : worldName).map(tokenRow),
  })),
  control("tokens.create", async (context, request) => {
    context.worlds.mustHave(context.worldName);
    const refused = refusedToken(context.access, request);
    if (refused) return refused;
    const issued = await issue(context, request, null);
    return "code" in issued ? issued : { ...tokenRow(issued.record), token: issued.secret };
  }),
  control("tokens.invite", async (context, { from, link_until, ...request }) => {
    const until = link_until === undefined ? realTime() + LINK_DAYS * DAY_MS : Date.parse(link_until);
    if (until <= realTime()) return refuse("bad_request", "/link_until must be in the future");
    const refused = refusedToken(context.access, request) ?? (await makeWorld(context, from));
    if (refused) return refused;
    const issued = await issue(context, request, { until });
    if ("code" in issued) return issued;
    return { ...tokenRow(issued.record), link: `${context.info.baseUrl}/claim#claim=${issued.secret}` };
  }),
  control("tokens.claim", ({ access }, { claim }) => {
    const token = newSecret("token");
    const claimed = access.claim(claim, token, realTime());
    return claimed
      ? { name: claimed.name, world: claimed.world, token }
      : refuse("forbidden", "This link was used, has expired or is unknown. Ask whoever invited you for a new link.");
  }),
  control("tokens.revoke", ({ access }, { id }) => {
    const revoked = access.revoke(id.toLowerCase());
    return revoked ? tokenRow(revoked) : refuse("not_found", `/id ${id} isn’t a token’s ID`);
  }),
  pagedControl("audit.list", async ({ audit, worldName }, { everywhere = false, kind = null }, pageRequest) => {
    const query = { world: everywhere ? null : worldName, kind };
    const [listed, count] = [
      await audit.list(query, upperBound(pageRequest), pageRequest.limit + 1),
      await audit.count(query),
    ];
    return toPage(listed, pageRequest, count, ({ seq, at, ...row }) => ({
      ...{ id: String(seq), at: iso(at) },
      ...row,
    }));
  }),
];
